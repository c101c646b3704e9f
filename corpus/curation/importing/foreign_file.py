"""A foreign file on its way into a new corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from corpus.curation.importing.account import Account, import_account
from corpus.curation.importing.decisions import (
    ExclusionWish,
    excluded_rows,
    settled_columns,
    split_excluded,
)
from corpus.curation.importing.plan import plan_columns
from corpus.curation.importing.pool.pool import Imported, make_pool
from corpus.curation.importing.readers.records import ImportedRecord, Records, refuse_wide


class ForeignFile:
    """The records of a file, and what becomes of them.

    Parameters
    ----------
    records : Records
        What was read.
    shown : str
        The name of the file in findings.
    wish : ExclusionWish
        Which records go to the exclusion log.
    maps, drop : mapping, sequence
        See :func:`~corpus.curation.importing.plan.plan_columns`.

    Attributes
    ----------
    kept : Records
        The records that stay.
    excluded : list of ImportedRecord
        The others.
    plans : list of ColumnPlan
        What each column becomes.
    """

    def __init__(
        self,
        records: Records,
        shown: str,
        wish: ExclusionWish | None = None,
        maps: Mapping[str, tuple[str, str]] = MappingProxyType({}),
        drop: Sequence[str] = (),
    ) -> None:
        self.records = self.kept = records
        self.shown = shown
        self.excluded: list[ImportedRecord] = []
        self._wish = wish or ExclusionWish({})
        decided: list[str] = []
        if self._wish.values:
            self.kept, self.excluded = split_excluded(records, self._wish)
            decided = settled_columns(self.kept, self._wish)
        self.plans = plan_columns(self.kept, maps, drop, decided)

    def tables(self, source: str) -> Imported:
        """Return the tables of the new corpus; `source` is what the exclusion log calls the file.

        Raises
        ------
        CorpusError
            I108 where there are too many columns.
        """
        imported = make_pool(self.kept, self.plans)
        # A few more than the source has: the key, and bibliographic ones that every pool gets.
        refuse_wide(len(imported.columns), self.shown)
        if self.excluded:
            log = excluded_rows(self.excluded, self.plans, self._wish, source)
            imported = imported._replace(excluded=log)
        return imported

    def account(self, imported: Imported, force: bool = False) -> Account:
        """Return what became of the file; see :func:`import_account`."""
        return import_account(self.records, self.kept.rows, imported, self.shown, force)
