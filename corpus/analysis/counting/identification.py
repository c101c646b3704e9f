"""Where the works of a corpus come from: the identification part of a PRISMA 2020 diagram."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.bibliography.known_works import judged_rows
from corpus.analysis.bibliography.same_works import work
from corpus.analysis.bibliography.work_groups import WorkGroups
from corpus.model.finding import UsageProblem, printable
from corpus.model.identifiers import NormalTitle
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
    sources : tuple of SearchedSource
        The logged searches by source, sorted by its name.
    listed : int
        Works of other people's lists whose verdict is in scope.
    waiting : int
        Works in the table of candidates.
    audited : int
        Works in the pool and in the exclusion log.
    """

    sources: tuple[SearchedSource, ...]
    listed: int
    waiting: int
    audited: int

    @property
    def records(self) -> int:
        """Records that all searches retrieved."""
        return sum(source.records for source in self.sources)

    @property
    def new(self) -> int:
        """Works that searches found first."""
        return sum(source.new for source in self.sources)

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
    return Identification(
        sources=_sources(study),
        listed=_listed(study),
        waiting=study.number_of_rows("candidates"),
        audited=len(study.pool.rows) + study.number_of_rows("exclusions"),
    )


def _sources(study: Study) -> tuple[SearchedSource, ...]:
    found: dict[str, SearchedSource] = {}
    for log in study.by_role("search_log"):
        runs = zip(
            _cells(log, "source"), _numbers(log, "records"), _numbers(log, "new"), strict=True
        )
        for name, records, new in runs:
            # A source has a run for each of its queries and each repetition.
            source = found.get(name, SearchedSource(name, 0, 0, 0))
            found[name] = SearchedSource(
                name, source.runs + 1, source.records + records, source.new + new
            )
    return tuple(found[name] for name in sorted(found))


def _cells(table: Table, role: str) -> list[str]:
    """Return the cells of the column with a role; empty ones where the table has no such column."""
    column = table.spec.by_role(role)
    if column is None:
        return [""] * len(table.rows)
    return table.column(column.name)


def _numbers(log: Table, role: str) -> list[int]:
    """Return a column of numbers; an empty cell is zero."""
    numbers: list[int] = []
    for line, cell in zip(log.lines, _cells(log, role), strict=True):
        # The limit keeps a cell of a thousand digits from becoming a number.
        if cell and not (cell.isascii() and cell.isdecimal() and len(cell) <= 12):
            where = f"{log.file}:{line}"
            raise UsageProblem(
                f"{where}: {role} is {printable(cell)}, not a whole number; run `corpus check`"
            )
        numbers.append(int(cell or 0))
    return numbers


def _listed(study: Study) -> int:
    """Return how many works of other lists have a verdict in scope; one of two lists is one."""
    groups = WorkGroups()
    numbers: list[int] = []
    for known, table, row in judged_rows(study):
        if known.in_scope:
            view = work(table, row)
            numbers.append(groups.add(view.identities, NormalTitle(view.title)))
    return len(set(groups.groups(numbers)))
