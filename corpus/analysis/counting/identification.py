"""Where the works of a corpus come from: the identification part of a PRISMA 2020 diagram."""

import re
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter, itemgetter
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import JUDGED, WorkGroups, known_rows
from corpus.model.finding import UsageProblem, printable
from corpus.model.study import Study
from corpus.model.table import Table


class SearchedSource(NamedTuple):
    """One source: runs of searches, records that they retrieved, works that were new."""

    source: str
    runs: int
    records: int
    new: int


class Identification(NamedTuple):
    """Numbers of records and works, by how they were found.

    Attributes
    ----------
    sources : sequence of SearchedSource
        The logged searches by source, sorted by its name.
    listed : int
        Works of other people's lists whose verdict is in scope.
    verdicts : sequence of (str, int)
        All works of these lists that no table had, by the label of their verdict.
    scope : sequence of str
        The labels of verdicts that are in scope.
    waiting : int
        Works in the table of candidates.
    audited : int
        Works in the pool and in the exclusion log.
    """

    sources: Sequence[SearchedSource]
    listed: int
    waiting: int
    audited: int
    verdicts: Sequence[tuple[str, int]] = ()
    scope: Sequence[str] = ()

    @property
    def records(self) -> int:
        """Records that all searches retrieved."""
        return sum(map(attrgetter("records"), self.sources))

    @property
    def in_lists(self) -> int:
        """Works of other people's lists that no table had, whatever became of them."""
        return sum(map(itemgetter(1), self.verdicts))

    @property
    def new(self) -> int:
        """Works that searches found first."""
        return sum(map(attrgetter("new"), self.sources))

    @property
    def duplicates(self) -> int:
        """Records of works that were known already, or that a run had twice."""
        return self.records - self.new

    @property
    def moved(self) -> int:
        """Works of searches and lists that pool or exclusion log have by now."""
        return self.new + self.listed - self.waiting

    @property
    def otherwise(self) -> int:
        """Works that no logged search and no list gave: from before the log, or added by hand.

        Negative where works are lost: found, but neither audited nor waiting.
        """
        return self.audited - self.moved

    @property
    def is_recorded(self) -> bool:
        """Whether any search, list or candidate is part of the corpus."""
        return bool(self.sources or self.listed or self.waiting)


def identification(study: Study) -> Identification:
    """Count where the works of a corpus come from.

    Raises
    ------
    UsageProblem
        Where the log of searches has a number that is none; `corpus check` finds all of them.
    """
    runs, records, new = Counter[str](), Counter[str](), Counter[str]()
    for log in study.by_role("search_log"):
        sources = log.role_column("source")
        # A source has a run for each of its queries and each repetition.
        runs.update(sources)
        for role, sums in (("records", records), ("new", new)):
            for source, number in zip(sources, _number_column(log, role), strict=True):
                sums[source] += number
    searched = []
    for name in sorted(runs):
        searched.append(SearchedSource(name, runs[name], records[name], new[name]))
    # Works of other lists that are in scope, and all of them by verdict; one on two lists is one.
    groups = WorkGroups()
    judged = []
    labels: dict[str, str] = {}
    for known in known_rows(study):
        if known.place != JUDGED:
            continue
        judged.append((groups.add(known.work), known.in_scope, known.located.by_role["verdict"]))
        verdict = known.located.table.spec.by_role("verdict")
        if verdict and verdict.type == "term" and not labels:
            labels = study.codebook.vocabulary_of(verdict).labels
    fitting = set()
    scope = set()
    by_group: dict[int, str] = {}
    for number, in_scope, cell in judged:
        group = groups.group_of(number)
        # Two lists may have led to two verdicts; a candidate on one is a candidate.
        if in_scope or group not in by_group:
            by_group[group] = labels.get(cell, cell)
        if in_scope:
            fitting.add(group)
            scope.add(labels.get(cell, cell))
    counts = Counter(by_group.values())
    unjudged = study.number_of_rows("coverage") - len(judged)
    if unjudged:
        counts["no verdict yet"] = unjudged
    ordered = filter(counts.__getitem__, dict.fromkeys([*labels.values(), *counts]))
    verdicts = [(label, counts[label]) for label in ordered]
    waiting = study.number_of_rows("candidates")
    audited = len(study.pool.rows) + study.number_of_rows("exclusions")
    return Identification(searched, len(fitting), waiting, audited, verdicts, sorted(scope))


def _number_column(log: Table, role: str) -> list[int]:
    """Return a column of numbers; an empty cell is zero."""
    numbers = []
    for line, cell in zip(log.lines, log.role_column(role), strict=True):
        # The limit keeps a cell of a thousand digits from becoming a number.
        if cell and not re.fullmatch("[0-9]{1,12}", cell):
            problem = f"{role} is {printable(cell)}, not a whole number; run `corpus check`"
            raise UsageProblem(f"{log.file}:{line}: {problem}")
        numbers.append(int(cell or 0))
    return numbers
