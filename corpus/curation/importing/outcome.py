"""What an import made: the new pool, and everything that needs a human decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.curation.importing.plan import ColumnPlan

#: Columns of the exclusion log of an import, in their order.
LOG_COLUMNS = (
    *("record_id", "source", "title", "authors", "year", "venue", "identifier", "url"),
    *("date_screened", "stage", "reason", "notes"),
)


class PoolColumn(NamedTuple):
    """A column of the new pool, as its codebook will declare it."""

    name: str
    type: str
    label: str
    definition: str
    role: str
    required: bool
    plan: ColumnPlan | None = None

    @property
    def axis(self) -> bool:
        """Whether counts run over it."""
        return self.plan is not None and self.plan.is_axis


class Unplaced(NamedTuple):
    """A cell that did not fit its column.

    `place` is its line or number in the source, `fate` what became of it.
    """

    place: int
    column: str
    value: str
    problem: str
    fate: str


class Excluded(NamedTuple):
    """The records that a source excludes.

    Attributes
    ----------
    rows : list of tuple of str
        The new exclusion log, in the order of :data:`LOG_COLUMNS`.
    stages : mapping of str to str
        Identifier of each stage -> how the source calls it.
    reasons : mapping of str to int
        Reason -> number of records, most frequent first.
    left_out : tuple of str
        Columns of the source that some of these records fill and the log does not have.
    """

    rows: list[tuple[str, ...]]
    stages: Mapping[str, str]
    reasons: Mapping[str, int]
    left_out: tuple[str, ...] = ()


class Imported(NamedTuple):
    """The outcome of an import.

    Attributes
    ----------
    columns : sequence of PoolColumn
        The new pool's columns, in order.
    rows : list of tuple of str
        Its rows.
    plans : sequence of ColumnPlan
        What became of each source column.
    unplaced : list of Unplaced
        Cells that went elsewhere than their column.
    found : list of str
        What was found in other cells, one text per record: identifiers, dates, years.
    excluded : Excluded or None
        The exclusion log, where the source has screening decisions.
    """

    columns: Sequence[PoolColumn]
    rows: list[tuple[str, ...]]
    plans: Sequence[ColumnPlan]
    unplaced: list[Unplaced]
    found: list[str]
    excluded: Excluded | None = None
