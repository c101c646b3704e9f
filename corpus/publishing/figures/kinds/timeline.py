"""Entries by the date of their first publication, in rows by group.

The entries outside the window are there as well, so that every entry is accounted for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.dates import INSIDE, PartialDate, parse_date, place
from corpus.model.entry import Entry
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NO_DATE
from corpus.publishing.figures.frame import NOT_GIVEN, Frame, TermLabel, term_labels
from corpus.publishing.figures.plan import TimelinePlan
from corpus.publishing.figures.window import months_between


class TimelineMark(NamedTuple):
    """An entry in one row of a timeline.

    Attributes
    ----------
    part : str
        ``inside``, ``before`` or ``after`` the window, or ``undated``.
    month : str
        YYYY-MM; empty where it is not known.
    group, key : str
        The row, and the entry.
    label : str
        Its name in the figure; empty where it is not named.
    day : float
        Share (0-1) of the month that had passed: its middle where the day is not known.
    """

    part: str
    month: str
    group: str
    key: str
    label: str
    day: float


class Timeline(NamedTuple):
    """The drawn months and what lies outside them.

    Attributes
    ----------
    months : tuple of str
        Every month of the window (YYYY-MM), also those without entries.
    groups : tuple of TermLabel
        The rows, in declared order; last, where there are any, the entries whose cell is empty.
    marks : tuple of TimelineMark
        Every entry in each of its groups, in order of time.
    absent : str
        The group of "not applicable"; empty where there is none.
    """

    months: tuple[str, ...]
    groups: tuple[TermLabel, ...]
    marks: tuple[TimelineMark, ...]
    absent: str = ""

    @property
    def entries(self) -> Mapping[str, int]:
        """How many entries are in each part; they sum to the pool."""
        parts = {mark.key: mark.part for mark in self.marks}
        return Counter(parts.values())

    def drawn(self, group: str) -> list[TimelineMark]:
        """Return the marks of one row: inside the window, with a month."""
        return [mark for mark in self.marks if mark.group == group and self.is_drawn(mark)]

    def is_drawn(self, mark: TimelineMark) -> bool:
        """Whether a mark has a place: of some entries inside the window only the year is known."""
        return mark.part == INSIDE and bool(mark.month)

    def empty(self) -> tuple[str, ...]:
        """Return the months without any entry."""
        filled = {mark.month for mark in self.marks if self.is_drawn(mark)}
        return tuple(month for month in self.months if month not in filled)

    def frame(self) -> Frame:
        """Return one row per mark, also of those that are not drawn."""
        header = ("part", "month", "group", "key", "label")
        return Frame(header, tuple(tuple(mark[:5]) for mark in self.marks))


def timeline(study: Study, plan: TimelinePlan, labels: Mapping[str, str]) -> Timeline:
    """Place the pool in time; `labels` are the short names of entries, by key.

    Raises
    ------
    CorpusError
        With a C804 finding for every date that cannot be read.
    """
    _, vocabulary = study.codebook.axis(plan.group)
    dates = _dates(study, plan)
    marks: list[TimelineMark] = []
    for entry in study.entries.values():
        text, date = dates.get(entry.key, ("", None))
        part = place(text, plan.first, plan.last)
        month = date.month if date else ""
        label = labels.get(entry.key, entry.key) if _is_named(entry, plan) else ""
        # An entry of several groups is in each row, one of none in the row of the others.
        for group in set(entry.terms(plan.group)) or {""}:
            named = label if group != vocabulary.not_applicable or plan.milestone_axis else ""
            marks.append(TimelineMark(part, month, group, entry.key, named, _day(date)))
    marks.sort(key=lambda mark: (mark.month, mark.day, mark.key, mark.group))
    months = months_between(plan.first, plan.last)
    return Timeline(months, _groups(study, plan), tuple(marks), vocabulary.not_applicable)


def _day(date: PartialDate | None) -> float:
    if date is None or date.precision != "day":
        return 0.5
    return (date.start.day - 0.5) / 31


def _is_named(entry: Entry, plan: TimelinePlan) -> bool:
    if not plan.milestone_axis:
        return True
    terms = entry.terms(plan.milestone_axis)
    return not set(plan.milestone_terms).isdisjoint(terms)


def _groups(study: Study, plan: TimelinePlan) -> tuple[TermLabel, ...]:
    column, vocabulary = study.codebook.axis(plan.group)
    groups = term_labels(vocabulary)
    if all(column.values(cell) for cell in study.pool.column(plan.group)):
        return groups
    return (*groups, TermLabel("", NOT_GIVEN))


def _dates(study: Study, plan: TimelinePlan) -> dict[str, tuple[str, PartialDate | None]]:
    """Return the date of every entry that has a row in the table, as text and read."""
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    dates: dict[str, tuple[str, PartialDate | None]] = {}
    findings = []
    keys = table.column(reference.name)
    cells = table.column(plan.date)
    for key, cell, line in zip(keys, cells, table.lines, strict=True):
        try:
            dates[key] = (cell, parse_date(cell) if cell else None)
        except ValueError as error:
            findings.append(NO_DATE.at(table.file, line, plan.date, cell, problem=str(error)))
    if findings:
        raise CorpusError(findings)
    return dates
