"""Entries by month of first publication, stacked by group, with milestones.

The entries outside the window are counted as well, so that every entry is accounted for.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from corpus.model.dates import AFTER, BEFORE, INSIDE, UNDATED, parse_date, place
from corpus.model.entry import Entry
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NO_DATE
from corpus.publishing.figures.frame import NOT_GIVEN, Frame, TermLabel, Value, term_labels
from corpus.publishing.figures.plan import TimelinePlan
from corpus.publishing.figures.window import months_between


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
        (part, group) -> entries without a column: those ``before`` and ``after`` the window, those
        ``undated``, and those ``inside`` of which only the year is known.
    entries : mapping of str to int
        Entries ``inside``, ``before``, ``after`` and ``undated``; they sum to the pool.
    milestones : tuple of Milestone
        In order of time; only those inside the window.
    absent : str
        The group of "not applicable"; empty where there is none.
    without_month : int
        Entries inside the window of which only the year is known.
    """

    months: tuple[str, ...]
    groups: tuple[TermLabel, ...]
    counts: Mapping[tuple[str, str], int]
    outside: Mapping[tuple[str, str], int]
    entries: Mapping[str, int]
    milestones: tuple[Milestone, ...]
    absent: str = ""
    without_month: int = 0

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
        """Return one row per month and group, then what lies outside, then the milestones."""
        rows: list[tuple[Value, ...]] = []
        for (month, group), entries in self.counts.items():
            rows.append(("month", month, group, entries, ""))
        for (part, group), entries in self.outside.items():
            # Years inside the window are rare: most timelines have no row for them.
            if part != INSIDE or entries:
                rows.append((part, "", group, entries, ""))
        for milestone in self.milestones:
            rows.append(("milestone", milestone.month, milestone.key, 1, milestone.label))
        return Frame(("part", "month", "item", "entries", "label"), tuple(rows))


def timeline(study: Study, plan: TimelinePlan, labels: Mapping[str, str]) -> Timeline:
    """Count the pool by month; `labels` are the short names of milestones, by key.

    Raises
    ------
    CorpusError
        With a C804 finding for every date that cannot be read.
    """
    _, vocabulary = study.codebook.axis(plan.group)
    months = months_between(plan.first, plan.last)
    dates = _dates(study, plan)
    groups = _groups(study, plan)
    # Zeros are drawn, so every pair is there from the beginning.
    ids = [group.id for group in groups]
    counts = dict.fromkeys(product(months, ids), 0)
    outside = dict.fromkeys(product((INSIDE, BEFORE, AFTER, UNDATED), ids), 0)
    entries = dict.fromkeys((INSIDE, BEFORE, AFTER, UNDATED), 0)
    milestones = []
    without_month = 0
    for entry in study.entries.values():
        date = dates.get(entry.key, "")
        part = place(date, plan.first, plan.last)
        entries[part] += 1
        without_month += part == INSIDE and date not in months
        # An entry of several groups is in each stack, one of none in the stack of the others.
        terms = set(entry.terms(plan.group)) or {""}
        for term in terms:
            if (date, term) in counts:
                counts[date, term] += 1
            else:
                outside[part, term] += 1
        if date in months and _is_milestone(entry, plan):
            label = labels.get(entry.key, entry.key)
            milestones.append(Milestone(date, entry.key, label))
    milestones.sort()
    absent = vocabulary.not_applicable
    named = tuple(milestones)
    return Timeline(months, groups, counts, outside, entries, named, absent, without_month)


def _groups(study: Study, plan: TimelinePlan) -> tuple[TermLabel, ...]:
    column, vocabulary = study.codebook.axis(plan.group)
    groups = term_labels(vocabulary)
    if all(column.values(cell) for cell in study.pool.column(plan.group)):
        return groups
    return (*groups, TermLabel("", NOT_GIVEN))


def _is_milestone(entry: Entry, plan: TimelinePlan) -> bool:
    if not plan.milestone_axis:
        return False
    terms = entry.terms(plan.milestone_axis)
    return not set(plan.milestone_terms).isdisjoint(terms)


def _dates(study: Study, plan: TimelinePlan) -> dict[str, str]:
    """Return the month of every dated entry, or the year where only that is known."""
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    dates: dict[str, str] = {}
    findings = []
    keys = table.column(reference.name)
    cells = table.column(plan.date)
    for key, cell, line in zip(keys, cells, table.lines, strict=True):
        try:
            dates[key] = _month_or_year(cell)
        except ValueError as error:
            findings.append(NO_DATE.at(table.file, line, plan.date, cell, problem=str(error)))
    if findings:
        raise CorpusError(findings)
    return dates


def _month_or_year(cell: str) -> str:
    if not cell:
        return ""
    date = parse_date(cell)
    return date.month or f"{date.start:%Y}"
