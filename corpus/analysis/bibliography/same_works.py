"""Which rows describe a work, and which are one: by identifier, by title, by nearly the same title.

Titles that are nearly the same, such as by a typing error, are found by sorted neighbourhood
(Hernández and Stolfo 1995): titles are sorted by three keys, and only neighbours within a window
are compared. So the cost is that of sorting, not that of comparing all pairs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from corpus.model.identifiers import NormalTitle
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.model.work import Work

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


#: From this similarity of normal titles on (percent), two rows are taken for one work.
NEAR = 90.0
#: At most so many pairs of titles are compared for nearness; `corpus check` finds near titles at
#: any size.
TRIED = 5_000_000


class WorkIndex:
    """Works by name, to find out whether a row is one of them.

    Parameters
    ----------
    works : mapping of str to Work
        The works.
    asked : int
        How often :meth:`find` will be called; it looks for no near titles where that would take too
        long.
    """

    def __init__(self, works: Mapping[str, Work], asked: int) -> None:
        self.by_identity: dict[str, str] = {}
        self.by_title: dict[NormalTitle, str] = {}
        self.asked = asked
        for name, work in works.items():
            self.add(name, work)

    def add(self, name: str, work: Work) -> None:
        """Add a work; of several with one identifier or title, the first is found."""
        for identity in work.identities:
            self.by_identity.setdefault(identity, name)
        if work.normal:
            self.by_title.setdefault(work.normal, name)

    def find(self, work: Work) -> tuple[str, str] | None:
        """Return the name of the same work and what shows it: the identifier, or ``title``."""
        # Sorted, so that the answer does not depend on the order of a set.
        for identity in sorted(work.identities):
            if identity in self.by_identity:
                return self.by_identity[identity], identity
        title = work.normal
        if title and title not in self.by_title and self.asked * len(self.by_title) <= TRIED:
            titles = self.by_title.keys()
            near = process.extractOne(title, titles, scorer=fuzz.ratio, score_cutoff=NEAR)
            if near:
                title = near[0]
        if title not in self.by_title:
            return None
        return self.by_title[title], "title"


#: How many neighbours in sorted order are compared.
WINDOW = 8


def near_titles(titles: list[str]) -> list[tuple[str, str, float]]:
    """Return pairs of different normal titles that are nearly the same, with the percentage.

    Near means at least :data:`~corpus.analysis.bibliography.same_works.NEAR` percent, by
    rapidfuzz's normalised indel ratio.

    Examples
    --------
    >>> near_titles(["learningtocollaborate", "learningtocolaborate", "somethingelse"])
    [('learningtocolaborate', 'learningtocollaborate', 97.5...)]
    """
    found: dict[tuple[str, str], float] = {}

    def reversed_title(title: str) -> str:
        return title[::-1]

    def from_the_middle(title: str) -> str:
        # So that a new start or end does not move a title from its neighbour.
        third = len(title) // 3
        return title[third:] + title[:third]

    for key in (str, reversed_title, from_the_middle):
        ordered = sorted(titles, key=key)
        for step in range(1, min(WINDOW, len(ordered))):
            scores: Any = process.cpdist(
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


class WorkGroups:
    """Puts records together that share an identifier or a title.

    Records are numbered in the order in which they are added.
    """

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._by_mark: dict[str, int] = {}
        self._titles: dict[NormalTitle, int] = {}

    def add(self, work: Work) -> int:
        """Add a record and return its number."""
        number = len(self._parents)
        self._parents.append(number)
        # Sorted, so that the same records always give the same groups.
        for mark in sorted(work.identities):
            self.join(number, self._by_mark.setdefault(mark, number))
        if work.normal:
            self.join(number, self._titles.setdefault(work.normal, number))
        return number

    def join_near_titles(self, known: int) -> None:
        """Put records together whose titles are nearly the same, such as by a typing error.

        Titles that differ in a digit are those of different works: parts, versions, editions.

        Parameters
        ----------
        known : int
            The first so many records are rows of the corpus, which `corpus check` has compared with
            each other; two works of theirs stay two.
        """
        for first, second, _ in near_titles(list(self._titles)):
            one = self.group_of(self._titles[NormalTitle(first)])
            other = self.group_of(self._titles[NormalTitle(second)])
            # The first record of a work is a row of the corpus, if any is.
            if max(one, other) >= known and _digits(first) == _digits(second):
                self.join(one, other)

    def group_of(self, number: int) -> int:
        """Return the number of the first record of the same work."""
        root = number
        while self._parents[root] != root:
            root = self._parents[root]
        # Every record on the way points to the root from now on: later questions are short.
        while self._parents[number] != root:
            self._parents[number], number = root, self._parents[number]
        return root

    def join(self, first: int, second: int) -> None:
        """Put two records together, by their numbers."""
        one, other = self.group_of(first), self.group_of(second)
        # The smaller number stays, so that the group is known by its first record.
        self._parents[max(one, other)] = min(one, other)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def group_works(
    known: Sequence[KnownRow], records: Iterable[Work]
) -> tuple[dict[int, KnownRow], list[int], list[int]]:
    """Find out which records are works of the corpus, and which are one work.

    Parameters
    ----------
    known : sequence of KnownRow
        Rows of the corpus, in the order of the places.
    records : iterable of Work
        What a search or other people's lists have.

    Returns
    -------
    tuple
        The first row of each group that has one; the group of each row; that of each record.
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
    return first, of_rows, list(map(groups.group_of, numbers))
