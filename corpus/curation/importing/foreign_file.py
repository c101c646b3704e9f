"""A foreign file on its way into a new corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from corpus.curation.importing.account import MOST_LOST, SHOWN, Account, account
from corpus.curation.importing.decisions import (
    ExclusionWish,
    excluded_rows,
    settled_columns,
    split_excluded,
)
from corpus.curation.importing.plan import plan_columns
from corpus.curation.importing.pool import Imported, make_pool
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import ImportedRecord, Records, refuse_wide, texts_of
from corpus.model.identifiers import normal_title
from corpus.printing.grid import first_of

#: From this share of titles that are not the only one of their kind on, something else was read;
#: two of three equal titles prove nothing.
_MOST_REPEATED = 0.2
_FEWEST_RECORDS = 5


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
        """Return what became of the file.

        Parameters
        ----------
        imported : Imported
            The new tables: the pool has the records that stay, the exclusion log all others.
        force : bool
            Whether to go on where the account does not close, or titles lack or repeat.

        Raises
        ------
        CorpusError
            I120 where the account does not close; I121 where more than one in twenty records has no
            title; I111 where titles repeat so often that something else was taken for them.
        """
        kept = self.kept.rows
        titles, dropped = set[str](), set[str]()
        for plan in self.plans:
            if plan.role == "title":
                titles.add(plan.source)
            elif not plan.name:
                dropped.add(plan.source)
        untitled = [row for row in kept if titles.isdisjoint(row.cells)]
        if len(untitled) > MOST_LOST * len(kept) and not force:
            columns = list(dict.fromkeys(chain.from_iterable(row.cells for row in untitled)))
            raise rules.NO_TITLES.error(
                self.shown,
                untitled[0].place,
                "title",
                lost=f"{len(untitled):,}",
                all=f"{len(kept):,}",
                columns=first_of(columns, SHOWN),
            )
        table = imported.rows
        if imported.excluded is not None:
            table = [*table, *imported.excluded.rows]
            dropped.update(imported.excluded.left_out)
        beside: list[str] = []
        places = []
        for row in self.records.rows:
            places.append(row.place)
            for name in dropped.intersection(row.cells):
                beside += texts_of(row.cells[name])
        found = account(self.records, places, "\n".join(map(" ".join, table)), "\n".join(beside))
        found.refuse_open(self.shown, force)
        position = [column.name for column in imported.columns].index("title")
        uses = Counter(normal_title(row[position]) or row[position] for row in imported.rows)
        repeated = sum(number for number in uses.values() if number > 1)
        is_suspicious = len(kept) >= _FEWEST_RECORDS and repeated > _MOST_REPEATED * len(kept)
        if is_suspicious and not force:
            ((title, times),) = uses.most_common(1)
            of, words = len(kept), title[:80]
            raise rules.REPEATED_TITLES.error(
                self.shown, column="title", repeated=repeated, records=of, title=words, times=times
            )
        return found
