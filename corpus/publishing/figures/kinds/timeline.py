"""Entries by month of first publication, stacked by group, with the milestones above and what lies outside said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NO_DATE
from corpus.publishing.figures.frame import NOT_GIVEN, Frame, TermLabel, Value
from corpus.publishing.figures.plan import TimelinePlan, month_number

#: Where an entry stands to the window.
PARTS = ("inside", "before", "after", "undated")


class Milestone(NamedTuple):
    """An entry that is named on the timeline, and its month (YYYY-MM)."""

    month: str
    key: str
    label: str


class Timeline(NamedTuple):
    """The drawn months and what lies outside them.

    Attributes
    ----------
    months : tuple of str
        Every month of the window (YYYY-MM), also those without entries.
    groups : tuple of TermLabel
        The stacks, in declared order; last, where there are any, the entries whose cell is empty.
    counts : mapping of (str, str) to int
        (month, group) -> entries; holds every pair.
    outside : mapping of (str, str) to int
        (part, group) -> entries, where the part is ``before`` or ``after`` the window, or ``undated``: without a date
        that names a month.
    entries : mapping of str to int
        Entries ``inside``, ``before``, ``after`` and ``undated``; they sum to the pool.
    milestones : tuple of Milestone
        In order of time; only those inside the window.
    """

    months: tuple[str, ...]
    groups: tuple[TermLabel, ...]
    counts: Mapping[tuple[str, str], int]
    outside: Mapping[tuple[str, str], int]
    entries: Mapping[str, int]
    milestones: tuple[Milestone, ...]

    @property
    def total(self) -> int:
        """Entries of the pool."""
        return sum(self.entries.values())

    def of_month(self, month: str) -> int:
        """Entries of one month."""
        return sum(self.counts[month, group.id] for group in self.groups)

    def of_group(self, group: str) -> int:
        """Entries of one group inside the window."""
        return sum(self.counts[month, group] for month in self.months)

    def empty(self) -> tuple[str, ...]:
        """Return the months without any entry."""
        return tuple(month for month in self.months if not self.of_month(month))

    def frame(self) -> Frame:
        """Return one row a month and group, then what lies outside, then the milestones."""
        rows: list[tuple[Value, ...]] = [("month", *pair, n, "") for pair, n in self.counts.items()]
        rows += [(part, "", group, n, "") for (part, group), n in self.outside.items()]
        rows += [("milestone", item.month, item.key, 1, item.label) for item in self.milestones]
        return Frame(("part", "month", "item", "entries", "label"), tuple(rows))


def timeline(corpus: Study, plan: TimelinePlan, labels: Mapping[str, str]) -> Timeline:
    """Count the pool by month; `labels` are the short names of milestones, by key.

    Raises
    ------
    CorpusError
        With a C804 finding for every date that cannot be read.
    """
    column, vocabulary = corpus.codebook.axis(plan.group)
    months = _months(plan.first, plan.last)
    dated = _dates(corpus, plan)
    groups = [TermLabel(term.id, term.label) for term in vocabulary.terms]
    if not all(map(column.values, corpus.pool.column(plan.group))):
        groups.append(TermLabel("", NOT_GIVEN))
    counts = {(month, group.id): 0 for month in months for group in groups}
    outside = {(part, group.id): 0 for part in PARTS[1:] for group in groups}
    entries = dict.fromkeys(PARTS, 0)
    milestones = []
    for row, record in zip(corpus.pool.rows, corpus.pool.records(), strict=True):
        key = corpus.pool.key_of(row)[0]
        month = dated.get(key, "")
        part = _part(month, plan)
        entries[part] += 1
        for term in dict.fromkeys(column.values(record[plan.group]) or ("",)):
            if part == "inside":
                counts[month, term] += 1
            else:
                outside[part, term] += 1
        if part == "inside" and plan.milestone_axis:
            axis = corpus.pool.spec.column(plan.milestone_axis)
            if not set(plan.milestone_terms).isdisjoint(axis.values(record[axis.name])):
                milestones.append(Milestone(month, key, labels.get(key, key)))
    return Timeline(months, tuple(groups), counts, outside, entries, tuple(sorted(milestones)))


def _part(date: str, plan: TimelinePlan) -> str:
    """Say where a month, or a year alone, stands to the window; a year that overlaps it is undated."""
    length = len(date)
    if not date or (length == 4 and plan.first[:4] <= date <= plan.last[:4]):
        return "undated"
    return "before" if date < plan.first[:length] else "after" if date > plan.last[:length] else "inside"


def _months(first: str, last: str) -> tuple[str, ...]:
    numbers = range(month_number(first), month_number(last) + 1)
    return tuple(f"{number // 12:04d}-{number % 12 + 1:02d}" for number in numbers)


def _dates(corpus: Study, plan: TimelinePlan) -> dict[str, str]:
    """Return the month of every dated entry, or the year where only that is known."""
    table = corpus.tables[plan.table]
    reference = table.spec.reference_to(corpus.codebook.pool)
    assert reference is not None  # the plan was read with it
    dates, findings = {}, []
    for key, cell, line in zip(table.column(reference.name), table.column(plan.date), table.lines, strict=True):
        try:
            date = parse_date(cell) if cell else None
            dates[key] = (date.month or f"{date.start:%Y}") if date else ""
        except ValueError as error:
            findings.append(NO_DATE.at(table.file, line, plan.date, cell, problem=error))
    if findings:
        raise CorpusError(findings)
    return dates
