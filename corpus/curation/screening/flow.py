"""The flow of records from searches to pool: the boxes of a PRISMA diagram, from the files."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.bibliography.same_works import work
from corpus.curation.coverage.coverage import judged_rows
from corpus.curation.coverage.groups import WorkGroups
from corpus.curation.retrieval.candidates import LOG
from corpus.curation.screening.decisions import CONFLICT, EXCLUDE, INCLUDE, read_screening
from corpus.model.identifiers import NormalTitle
from corpus.model.study import Study
from corpus.model.table import Table


class SearchFlow(NamedTuple):
    """One source: runs of searches, records that they retrieved, works that were new."""

    source: str
    runs: int
    records: int
    new: int


class ScreeningFlow(NamedTuple):
    """Numbers of records and works.

    Attributes
    ----------
    sources : tuple of SearchFlow
        Identification, by source.
    listed : int
        Works of other people's lists whose verdict is in scope: identified by other methods.
    candidates : int
        Works in the table of candidates.
    undecided, conflicts, include, exclude : int
        These by what is decided; they sum to `candidates`.
    moved : int
        New and listed works that are not candidates any more: they are in the pool or in the
        exclusion log.
    excluded, retained : int
        Rows of the exclusion log and of the pool.
    """

    sources: tuple[SearchFlow, ...]
    listed: int
    candidates: int
    undecided: int
    conflicts: int
    include: int
    exclude: int
    moved: int
    excluded: int
    retained: int

    @property
    def records(self) -> int:
        """Records that all searches retrieved."""
        return sum(source.records for source in self.sources)

    @property
    def new(self) -> int:
        """Works that were new to the corpus."""
        return sum(source.new for source in self.sources)

    @property
    def duplicates(self) -> int:
        """Records of works that were known already, or that a run had twice."""
        return self.records - self.new


def screening_flow(study: Study) -> ScreeningFlow:
    """Count the flow of a corpus.

    Raises
    ------
    UsageProblem
        Where the codebook declares no candidates or no decisions.
    """
    screening = read_screening(study)
    outcomes = [screening.outcome(key) for key in screening.candidates]
    sources = tuple(_sources(study))
    new = sum(source.new for source in sources)
    listed = _listed(study)
    return ScreeningFlow(
        sources=sources,
        listed=listed,
        candidates=len(outcomes),
        undecided=outcomes.count(""),
        conflicts=outcomes.count(CONFLICT),
        include=outcomes.count(INCLUDE),
        exclude=outcomes.count(EXCLUDE),
        moved=new + listed - len(outcomes),
        excluded=sum(len(table.rows) for table in study.by_role("exclusions")),
        retained=len(study.pool.rows),
    )


def _listed(study: Study) -> int:
    """Return how many works of other lists have a verdict in scope; one of two lists is one."""
    groups = WorkGroups()
    numbers: list[int] = []
    for known, table, row in judged_rows(study):
        if known.in_scope:
            view = work(table, row)
            numbers.append(groups.add(view.identities, NormalTitle(view.title)))
    return len(set(groups.groups(numbers)))


def _sources(study: Study) -> list[SearchFlow]:
    found: dict[str, SearchFlow] = {}
    for table in study.by_role(LOG):
        cells = [_column(table, role) for role in ("source", "records", "new")]
        for source, records, new in zip(*cells, strict=True):
            known = found.get(source, SearchFlow(source, 0, 0, 0))
            found[source] = SearchFlow(
                source, known.runs + 1, known.records + int(records or 0), known.new + int(new or 0)
            )
    return [found[source] for source in sorted(found)]


def _column(table: Table, role: str) -> list[str]:
    column = table.spec.by_role(role)
    if column is None:
        return [""] * len(table.rows)
    return table.column(column.name)
