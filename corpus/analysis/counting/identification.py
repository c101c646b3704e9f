"""Where the works of a corpus come from: the identification part of a PRISMA 2020 diagram.

A corpus may begin with a review that exists: what that counted, and has no row here, is stated in
the protocol under ``[[reported]]``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import JUDGED, group_works, known_rows
from corpus.model.finding import UsageProblem, printable
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import plural

#: What a review counted before and after it screened; other stages are those of its exclusions.
IDENTIFIED, DUPLICATES, SCREENED, INCLUDED = "identified", "duplicates", "screened", "included"
BEFORE = (IDENTIFIED, DUPLICATES, SCREENED, INCLUDED)


class SearchedSource(NamedTuple):
    """One source: runs of searches, records that they retrieved, works that were new."""

    source: str
    runs: int
    records: int
    new: int


@dataclass(frozen=True)
class Identification:
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
        Works in the pool and in the exclusion log, and those that a review excluded before.
    reported : mapping of str to int
        Stage -> what a review counted before the corpus began; an exclusion has no row here.
    identified : sequence of (str, int)
        The same by database, of records that were identified.
    """

    sources: Sequence[SearchedSource]
    listed: int
    waiting: int
    audited: int
    verdicts: Sequence[tuple[str, int]] = ()
    scope: Sequence[str] = ()
    reported: Mapping[str, int] = field(default_factory=dict)
    identified: Sequence[tuple[str, int]] = ()

    @property
    def screened_before(self) -> int:
        """Records that a review screened before the corpus began."""
        distinct = self.reported.get(IDENTIFIED, 0) - self.reported.get(DUPLICATES, 0)
        return self.reported.get(SCREENED, distinct)

    @property
    def excluded_before(self) -> dict[str, int]:
        """Stage -> records that a review excluded at it, and that have no row."""
        return {stage: n for stage, n in self.reported.items() if stage not in BEFORE}

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
        """Works that no logged search, no list and no review gave, such as those added by hand.

        Negative where works are lost: found, but neither audited nor waiting.
        """
        return self.audited - self.moved - self.screened_before

    @property
    def is_recorded(self) -> bool:
        """Whether any search, list or candidate is part of the corpus."""
        return bool(self.sources or self.listed or self.waiting or self.reported)

    def boxes(self) -> Iterator[tuple[str, str, int]]:
        """Yield the boxes of the diagram: what was found, how, and how many."""
        for database, records in self.identified:
            yield f"Records from {database}", "reported before this corpus began", records
        if self.reported:
            removed = self.reported.get(DUPLICATES, 0)
            yield "Duplicates removed", "reported before this corpus began", removed
            yield "Screened before", "reported before this corpus began", self.screened_before
        for source in self.sources:
            runs = f"retrieved in {plural(source.runs, 'run')}"
            yield f"Records from {source.source}", runs, source.records
        if self.sources:
            known = "records of works that were found before"
            yield "Known or repeated", known, self.duplicates
            yield "Found by searches", "works that were new", self.new
        yield "Found in lists of others", "works that fit the inclusion rules", self.listed
        other = "by hand" if self.reported else "before searches were logged, or by hand"
        yield "Found in other ways", other, self.otherwise
        yield "Not decided yet", "works that are candidates", self.waiting

    def problems(self, excluded: int) -> Iterator[str]:
        """Yield what does not add up, with the number of rows in the exclusion log."""
        told, screened = self.reported, self.screened_before
        distinct = told.get(IDENTIFIED, screened) - told.get(DUPLICATES, 0)
        if IDENTIFIED in told and distinct != screened:
            yield f"{distinct} records are left without duplicates, but {screened} were screened"
        if self.otherwise < 0:
            given = self.moved + self.screened_before
            yield (
                f"searches, lists and the review before found {given} works that are no longer "
                f"candidates, but pool and log have {self.audited}: {-self.otherwise} are missing"
            )
        rows = screened - sum(self.excluded_before.values()) - told.get(INCLUDED, 0)
        if INCLUDED in told and not 0 <= rows <= excluded:
            yield (
                f"{told[INCLUDED]} of {screened} screened records are reported as included, so "
                f"the log must have {rows} of them; it has {excluded} rows"
            )


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
    labels: dict[str, str] = {}
    for spec in study.codebook.by_role("coverage"):
        verdict = spec.by_role("verdict")
        if verdict and verdict.type == "term":
            labels |= study.codebook.vocabulary_of(verdict).labels
    judged = [row for row in known_rows(study) if row.place == JUDGED]
    fitting, scope = set(), set()
    by_group: dict[int, str] = {}
    for group, row in zip(group_works(judged, ()).of_rows, judged, strict=True):
        cell = row.located.by_role["verdict"]
        label = labels.get(cell, cell)
        # Two lists may have led to two verdicts; a candidate on one is a candidate.
        if row.in_scope or group not in by_group:
            by_group[group] = label
        if row.in_scope:
            fitting.add(group)
            scope.add(label)
    counts = Counter(by_group.values())
    unjudged = study.number_of_rows("coverage") - len(judged)
    if unjudged:
        counts["no verdict yet"] = unjudged
    ordered = filter(counts.__getitem__, dict.fromkeys([*labels.values(), *counts]))
    verdicts = [(label, counts[label]) for label in ordered]
    waiting = study.number_of_rows("candidates")
    reported = Counter[str]()
    identified = []
    items = study.documents.get("protocol", {}).get("reported")
    for item in items if isinstance(items, list) else ():
        match item:
            # `corpus check` finds what is not so.
            case {"stage": str(stage), "records": int(number)}:
                reported[stage] += number
                if stage == IDENTIFIED:
                    identified.append((str(item.get("of", "databases")), number))
    audited = len(study.pool.rows) + study.number_of_rows("exclusions")
    audited += sum(number for stage, number in reported.items() if stage not in BEFORE)
    return Identification(
        searched, len(fitting), waiting, audited, verdicts, sorted(scope), reported, identified
    )


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
