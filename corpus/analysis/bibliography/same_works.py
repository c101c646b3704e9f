"""Which rows describe a work, and which are one; :mod:`.identity` judges each pair.

Titles that are nearly the same, such as by a typing error, are found by sorted neighbourhood
(Hernández and Stolfo 1995): titles are sorted by three keys, and only neighbours within a window
are compared. So the cost is that of sorting, not that of comparing all pairs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from corpus.analysis.bibliography.identity import (
    ASK,
    DIFFERENT,
    NEAR,
    SAME,
    Judgement,
    compare,
    compared_title,
    contradiction,
    identifiers_by_kind,
)
from corpus.model.identifiers import NormalTitle
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.model.work import Work
from corpus.printing.escape import csv_cell
from corpus.tables.writing.writer import csv_text

#: Where a work may be, in the order in which it is looked for. ``judged`` is a record of a list
#: that has its verdict in the table of coverage.
POOL, EXCLUDED, CANDIDATE, JUDGED, UNSEEN = "pool", "excluded", "candidate", "judged", "unseen"
PLACES = (POOL, EXCLUDED, CANDIDATE, JUDGED, UNSEEN)
#: The place of the rows of each role. The bibliography has identifiers of entries that the pool
#: itself may lack.
_PLACE_OF = {
    "pool": POOL,
    "bibliography": POOL,
    "exclusions": EXCLUDED,
    "candidates": CANDIDATE,
    "coverage": JUDGED,
}


class KnownRow(NamedTuple):
    """A row of the corpus that describes a work, and whether that is in scope.

    `place` is one of :data:`PLACES`.
    """

    place: str
    in_scope: bool
    located: LocatedRow

    @property
    def work(self) -> Work:
        """The work that it describes."""
        return Work.of_row(self.located.table, self.located.row)


def known_rows(study: Study) -> Iterator[KnownRow]:
    """Yield every row that describes a work, in the order of the places."""
    for role, place in _PLACE_OF.items():
        for table in study.by_role(role):
            # The verdicts that mean: fits the inclusion rules.
            fitting: set[str] = set()
            column = table.spec.by_role("verdict")
            if column is not None and column.type == "term":
                for group in study.codebook.vocabulary_of(column).groups:
                    if group.id == "in_scope":
                        fitting.update(group.terms)
            cells = table.role_column("verdict")
            for row, verdict in zip(table.placed(), cells, strict=True):
                # Neither a record without verdict, nor a reference of an entry that is gone.
                if {POOL: row.key in study.entries, JUDGED: verdict}.get(place, True):
                    in_scope = {EXCLUDED: False, JUDGED: verdict in fitting}.get(place, True)
                    yield KnownRow(place, in_scope, row)


class WorkIndex:
    """Works by name, to find out whether a row is one of them by an identifier or its title.

    Of several with one identifier or title, the first is found; for titles that are nearly the
    same there is :class:`WorkGroups`.
    """

    def __init__(self, works: Mapping[str, Work]) -> None:
        self._works = works
        self._names: dict[str, str] = {}
        for name, work in works.items():
            for mark in _marks(work):
                self._names.setdefault(mark, name)

    def find(self, work: Work) -> str:
        """Return the name of what is or may be the same work; empty where none is."""
        for name in filter(None, map(self._names.get, _marks(work))):
            if compare(work, self._works[name]).verdict != DIFFERENT:
                return name
        return ""


def _marks(work: Work) -> list[str]:
    return list(filter(None, [*sorted(work.identities), compared_title(work)]))


#: How many neighbours in sorted order are compared.
WINDOW = 8


def near_titles(titles: list[str]) -> list[tuple[str, str, float]]:
    """Return pairs of different normal titles that are nearly the same, with the percentage.

    Near means at least :data:`~corpus.analysis.bibliography.identity.NEAR` percent, by
    rapidfuzz's normalised indel ratio.

    Examples
    --------
    >>> near_titles(["learningtocollaborate", "learningtocolaborate", "somethingelse"])
    [('learningtocolaborate', 'learningtocollaborate', 97.5...)]
    """
    found = {}

    def reversed_title(title: str) -> str:
        return title[::-1]

    def from_the_middle(title: str) -> str:
        # So that a new start or end does not move a title from its neighbour.
        third = len(title) // 3
        return title[third:] + title[:third]

    for key in (str, reversed_title, from_the_middle):
        ordered = sorted(titles, key=key)
        for step in range(1, min(WINDOW, len(ordered))):
            scores = process.cpdist(
                ordered[:-step],
                ordered[step:],
                scorer=fuzz.ratio,
                score_cutoff=NEAR,
                dtype=np.float32,
                workers=-1,
            )
            for place in np.flatnonzero(scores):
                first, second = sorted((ordered[place], ordered[place + step]))
                found[first, second] = float(scores[place])
    return [(first, second, score) for (first, second), score in sorted(found.items())]


#: Two descriptions that are one work, or may be: their numbers, and what was judged.
WorkPair = tuple[int, int, Judgement]

#: So many works of one title are compared with another one: "Editorial" is that of thousands.
_MOST_OF_A_TITLE = 100


class WorkGroups:
    """Puts descriptions of one work together, as :func:`compare` judges them.

    Descriptions are numbered in the order in which they are added. Two groups stay two where
    anything in them contradicts, also where a third description is like both.

    Attributes
    ----------
    works : list of Work
        The descriptions.
    joined, asked : list of WorkPair
        Descriptions that were put together, each with the earlier one that it is like; and pairs
        that a person has to decide.
    """

    def __init__(self) -> None:
        self.works: list[Work] = []
        self.joined: list[WorkPair] = []
        self.asked: list[WorkPair] = []
        self._parents: list[int] = []
        self._kinds: list[dict[str, set[str]]] = []
        self._by_mark: dict[str, int] = {}
        self._titles: dict[NormalTitle, list[int]] = {}

    def add(self, work: Work) -> int:
        """Add a description and return its number."""
        number = len(self._parents)
        self._parents.append(number)
        self.works.append(work)
        self._kinds.append(identifiers_by_kind(work.identities))
        marks = sorted(set().union(*self._kinds[number].values()))
        for mark in marks:
            if self._by_mark.setdefault(mark, number) != number:
                self._consider(self._by_mark[mark], number)
        if title := compared_title(work):
            alike = self._titles.setdefault(title, [])
            for other in alike[:_MOST_OF_A_TITLE]:
                self._consider(other, number)
            alike.append(number)
        return number

    def join_near_titles(self, known: int) -> None:
        """Put descriptions together whose titles are nearly the same, such as by a typing error.

        Parameters
        ----------
        known : int
            The first so many are rows of the corpus, which `corpus check` has compared with each
            other.
        """
        for one, other, _ in near_titles(list(self._titles)):
            for first in self._titles[NormalTitle(one)][:_MOST_OF_A_TITLE]:
                for second in self._titles[NormalTitle(other)][:_MOST_OF_A_TITLE]:
                    if max(first, second) >= known:
                        self._consider(*sorted((first, second)))

    def _consider(self, first: int, second: int) -> None:
        """Put two descriptions together, or note that a person has to decide."""
        one, other = self.group_of(first), self.group_of(second)
        if one == other:
            return
        judged = compare(self.works[first], self.works[second])
        kind = contradiction(self._kinds[one], self._kinds[other])
        if judged.verdict == SAME and kind:
            judged = Judgement(ASK, f"records like one of them have different identifiers ({kind})")
        if judged.verdict == SAME:
            self.joined.append((first, second, judged))
            self.join(first, second)
        elif judged.verdict == ASK:
            self.asked.append((first, second, judged))

    def open_pairs(self, known: int) -> list[WorkPair]:
        """Return the pairs that a person has to decide, one of each two groups.

        Two rows of the corpus (the first `known`) are `corpus check`'s to report.
        """
        pairs: dict[tuple[int, ...], WorkPair] = {}
        for first, second, judged in self.asked:
            groups = tuple(sorted(map(self.group_of, (first, second))))
            if groups[0] != groups[1] and second >= known:
                pairs.setdefault(groups, (first, second, judged))
        return list(pairs.values())

    def group_of(self, number: int) -> int:
        """Return the number of the first description of the same work."""
        root = number
        while self._parents[root] != root:
            root = self._parents[root]
        # Every one on the way points to the root from now on: later questions are short.
        while self._parents[number] != root:
            self._parents[number], number = root, self._parents[number]
        return root

    def join(self, first: int, second: int) -> None:
        """Put two descriptions together, by their numbers, whatever they are like."""
        one, other = sorted((self.group_of(first), self.group_of(second)))
        if one == other:
            return
        # The smaller number stays, so that the group is known by its first description.
        self._parents[other] = one
        for kind, names in self._kinds[other].items():
            self._kinds[one].setdefault(kind, set()).update(names)


class SamePair(NamedTuple):
    """A record and what it was compared with: a row of the corpus, or another record.

    Attributes
    ----------
    record, twin : Work
        Both.
    location : str
        Which row of the corpus the twin is, by place and key; empty for another record.
    judged : Judgement
        The verdict, and why.
    """

    record: Work
    twin: Work
    location: str
    judged: Judgement


class Grouping(NamedTuple):
    """Which records are works of the corpus, and which are one work.

    Attributes
    ----------
    first : dict of int to KnownRow
        The first row of each group that has one.
    of_rows, of_records : list of int
        The group of each row, and of each record.
    same, asked : list of SamePair
        Records that were taken for the work of a twin; pairs that a person has to decide.
    """

    first: dict[int, KnownRow]
    of_rows: list[int]
    of_records: list[int]
    same: list[SamePair]
    asked: list[SamePair]


def group_works(known: Sequence[KnownRow], records: Iterable[Work]) -> Grouping:
    """Find out which records are works of the corpus, and which are one work.

    Parameters
    ----------
    known : sequence of KnownRow
        Rows of the corpus, in the order of the places.
    records : iterable of Work
        What a search or other people's lists have.
    """
    groups = WorkGroups()
    entries: dict[str, int] = {}
    for row in known:
        number = groups.add(row.work)
        if row.place == POOL:
            # A row of the bibliography need not share an identifier with its entry.
            groups.join(number, entries.setdefault(row.located.key, number))
    numbers = list(map(groups.add, records))
    groups.join_near_titles(len(known))
    of_rows = list(map(groups.group_of, range(len(known))))
    first: dict[int, KnownRow] = {}
    for group, row in zip(of_rows, known, strict=True):
        first.setdefault(group, row)

    def pairs(found: Iterable[WorkPair]) -> list[SamePair]:
        listed = []
        for earlier, later, judged in found:
            row = first.get(groups.group_of(earlier))
            location = f"{row.place} {row.located.key}" if row else ""
            if later >= len(known):
                pair = SamePair(groups.works[later], groups.works[earlier], location, judged)
                listed.append(pair)
        return listed

    of_records = list(map(groups.group_of, numbers))
    asked = pairs(groups.open_pairs(len(known)))
    return Grouping(first, of_rows, of_records, pairs(groups.joined), asked)


_PAIR_HEADER = (
    "verdict", "why", "line", "title", "authors", "year", "identifier",
    "twin", "twin line", "twin title", "twin authors", "twin year", "twin identifier",
)  # fmt: skip


def pairs_csv(pairs: Iterable[SamePair]) -> str:
    """Write pairs as a table: what was judged and why, then both descriptions."""
    rows: list[Sequence[str]] = [_PAIR_HEADER]
    for pair in pairs:
        cells = [*pair.judged, *_described(pair.record), pair.location, *_described(pair.twin)]
        rows.append(list(map(csv_cell, cells)))
    return csv_text(rows)


def _described(work: Work) -> tuple[str, ...]:
    place = str(work.place or "")
    return place, work.title, "; ".join(work.authors), work.year, work.identifier
