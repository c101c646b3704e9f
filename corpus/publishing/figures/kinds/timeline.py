"""Entries as marks by the date of their first publication, in rows by group.

The entries outside the window are there as well, so that every entry is accounted for.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corpus.canvas.paper import LINE, MARGIN, Paper, text_width, widest
from corpus.canvas.style import GREY, LIGHT, PALE, SMALL, color
from corpus.model.codebook import Column, Term
from corpus.model.dates import (
    AFTER,
    BEFORE,
    INSIDE,
    MONTHS,
    UNDATED,
    PartialDate,
    month_number,
    months_between,
    parse_date,
    place,
)
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.publishing.figures.figure_plan import (
    NOT_GIVEN,
    Counting,
    Frame,
    group_of,
    of_type,
    row_names,
    short_names,
)

NO_DATE = Rule(
    "C804",
    "{problem}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, or no date",
    title="Date cannot be drawn",
    reason="An entry is drawn in the month of its date.",
)


#: More months than this would be columns too narrow to read.
_LONGEST = 120

#: Narrower months are too small for a name.
_NARROWEST_NAMED = 0.1

#: In inches: half the side of a mark, the height of a lane, the free space between two names.
_HALF, _LANE, _FREE = 0.03, 0.115, 0.05


#: The words of the note for what is not inside the window.
_OUTSIDE = {BEFORE: "earlier", AFTER: "later", UNDATED: "without a date that tells"}


def read_timeline(section: Section) -> Counting:
    """Read table, window, group and milestones.

    Where there are milestones, only entries with one of their terms are named, else all but those
    to which the group does not apply.
    """
    table = section.evidence_table("table")
    date_column = section.column("date", table, of_type(table, "date"))
    window = section.strings("window")
    problem = window_problem(window)
    if problem:
        section.mistake("window", problem)
        window = ("2000-01", "2000-01")
    rows = group_of(section)
    axis: Column | None = None
    terms: tuple[str, ...] = ()
    milestones = section.sections("milestones")
    if len(milestones) > 1:
        section.mistake("milestones[2]", "only the terms of one axis can be milestones")
    for item in milestones[:1]:
        axis = item.axis("axis")
        terms = item.terms("terms", axis)
        item.finish()

    name_in_print = short_names(section)

    def count(study: Study) -> Timeline:
        """Place the pool in time; a date that cannot be read is a C804 finding."""
        _, vocabulary = study.codebook.axis(name_of(rows))
        absent = vocabulary.not_applicable
        dated, column = study.tables[name_of(table)], name_of(date_column)
        dates: dict[str, PartialDate] = {}
        findings = []
        for key, row in zip(study.keys_about(dated), dated.placed(), strict=True):
            cell = row.cell(column)
            try:
                if cell:
                    dates[key] = parse_date(cell)
            except ValueError as error:
                findings.append(NO_DATE.at(dated.file, row.line, column, cell, problem=str(error)))
        if findings:
            raise CorpusError(findings)
        marks = []
        for entry in study.entries.values():
            part, month, day = UNDATED, "", 0.5
            if date := dates.get(entry.key):
                part, month = place(date.text, *window), date.month
                if date.precision == "day":
                    day = (date.start.day - 0.5) / 31
            label = name_in_print(entry)
            if axis and set(terms).isdisjoint(entry.terms(axis.name)):
                label = ""
            # An entry of several groups is in each row, one of none in the row of the others.
            for group in set(entry.terms(name_of(rows))) or {""}:
                named = label if group != absent or axis else ""
                marks.append(TimelineMark(part, month, group, entry.key, named, day))
        marks.sort(key=lambda mark: (mark.month, mark.day, mark.key, mark.group))
        groups = vocabulary.terms
        if "" in {mark.group for mark in marks}:
            groups += (Term("", NOT_GIVEN, "", ""),)
        return Timeline(months_between(*window), groups, marks, absent)

    return count


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

    @property
    def is_drawn(self) -> bool:
        """Whether it has a place: of some entries inside the window only the year is known."""
        return self.part == INSIDE and bool(self.month)


@dataclass(frozen=True)
class Timeline:
    """The drawn months and what lies outside them.

    Attributes
    ----------
    months : tuple of str
        Every month of the window (YYYY-MM), also those without entries.
    groups : tuple of Term
        The rows, in declared order; last, where there are any, the entries whose cell is empty.
    marks : sequence of TimelineMark
        Every entry in each of its groups, in order of time.
    absent : str
        The group of "not applicable"; empty where there is none.
    """

    months: tuple[str, ...]
    groups: tuple[Term, ...]
    marks: Sequence[TimelineMark]
    absent: str = ""

    @property
    def entries(self) -> Mapping[str, int]:
        """How many entries are in each part; they sum to the pool."""
        parts = {mark.key: mark.part for mark in self.marks}
        return Counter(parts.values())

    def drawn(self, group: str) -> list[TimelineMark]:
        """Return the marks of one row: inside the window, with a month."""
        return [mark for mark in self.marks if mark.group == group and mark.is_drawn]

    def empty(self) -> list[str]:
        """Return the months without any entry."""
        filled = {mark.month for mark in self.marks if mark.is_drawn}
        return [month for month in self.months if month not in filled]

    def frame(self) -> Frame:
        """Return one row per mark, also of those that are not drawn."""
        header = ("part", "month", "group", "key", "label")
        return Frame(header, [mark[:5] for mark in self.marks])

    def draw(self, width: float, title: str) -> Paper:
        """Draw a row for each group, also for one without entries."""
        paper = Paper(width, title)
        longest = 0.95 if width > 5 else 0.62
        names, left = row_names(self.groups, longest, SMALL)
        left += 0.1
        step = (paper.right - left) / len(self.months)
        for position, group in enumerate(self.groups):
            placed = _placed(self, group.id, left, paper.right)
            lanes = 1 + max([lane for *_, lane in placed], default=0)
            height = max(lanes * _LANE, len(names[group.id]) * LINE) + 0.05
            for month in self.empty():
                x = left + step * self.months.index(month)
                paper.rect((x, paper.y, step, height), PALE)
            paper.horizontal(MARGIN, paper.right, paper.y, LIGHT, 0.5)
            paper.lines(MARGIN, paper.y + height / 2, names[group.id], color=GREY)
            fill = GREY if group.id in ("", self.absent) else color(position)
            for mark, x, name_x, lane in placed:
                middle = paper.y + 0.025 + _LANE * (lane + 0.5)
                paper.rect((x - _HALF, middle - _HALF, 2 * _HALF, 2 * _HALF), fill)
                if mark.label:
                    paper.text(name_x, middle, mark.label)
            if not placed:
                paper.text(left + 0.05, paper.y + height / 2, "no entry", color=GREY)
            paper.y += height
        paper.horizontal(left, paper.right, paper.y)
        _name_months(paper, self.months, left)
        paper.note(_outside(self))
        return paper


#: A mark, where it is, where its name starts, and its lane in the row, counted from above.
_Placed = tuple[TimelineMark, float, float, int]


def _placed(data: Timeline, group: str, left: float, right: float) -> list[_Placed]:
    """Place the marks of a row, each in the first lane where it touches no other."""
    step = (right - left) / len(data.months)
    lanes: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    found = []
    for mark in data.drawn(group):
        x = left + step * (data.months.index(mark.month) + mark.day)
        name = text_width(mark.label)
        start, end = x - _HALF, x + _HALF
        name_x = end + 0.02
        if mark.label and name_x + name <= right:
            end = name_x + name
        elif mark.label:
            # At the right end, the name is left of its mark.
            start = name_x = max(x - _HALF - 0.02 - name, left)
        lane = 0
        while any(start < other[1] + _FREE and other[0] < end + _FREE for other in lanes[lane]):
            lane += 1
        lanes[lane].append((start, end))
        found.append((mark, x, name_x, lane))
    return found


def _name_months(paper: Paper, months: Sequence[str], left: float) -> None:
    """Name the months, by one letter where three do not fit, and the years below them."""
    step = (paper.right - left) / len(months)
    names = [MONTHS[int(month[5:]) - 1] for month in months]
    if widest(names) > step - 0.04:
        names = [name[0] for name in names]
    middle = paper.y + 0.03 + LINE / 2
    if step > _NARROWEST_NAMED:
        for place, name in enumerate(names):
            paper.text(left + step * (place + 0.5), middle, name, align="center")
    line = paper.y + 0.03 + LINE + 0.02
    free_from = -1.0
    first = 0.5
    for year, number in Counter(month[:4] for month in months).items():
        start = left + step * first - step / 2 + 0.02
        first += number
        end = left + step * (first - 1) + step / 2 - 0.02
        paper.horizontal(start, end, line)
        half = text_width(year) / 2
        # In the middle of its months, but not beyond the ends of the page.
        x = max((start + end) / 2, MARGIN + half)
        x = min(x, paper.right - half)
        if x - half > free_from:
            paper.text(x, line + 0.02 + LINE / 2, year, align="center", color=GREY)
            free_from = x + half + 0.05
    paper.y = line + 0.02 + LINE


def _outside(data: Timeline) -> str:
    """Return the note on what the window leaves out, and which of its months are empty."""
    entries = data.entries
    parts = []
    for part, words in _OUTSIDE.items():
        if part == UNDATED and not entries[part]:
            continue
        there = Counter(mark.group for mark in data.marks if mark.part == part)
        named = [f"{group.label} {there[group.id]}" for group in data.groups if there[group.id]]
        groups = f" ({', '.join(named)})" if named else ""
        parts.append(f"{entries[part]} {words}{groups}")
    inside = f"{entries[INSIDE]} of {sum(entries.values())} entries lie inside the window"
    without = {mark.key for mark in data.marks if mark.part == INSIDE and not mark.month}
    if without:
        inside += f", {len(without)} of them without a month"
    note = f"{inside}; outside: {', '.join(parts)}."
    empty = data.empty()
    if len(empty) > 2:
        empty = [f"{len(empty)} months"]
    if empty:
        note += f" No entry in {' and '.join(empty)}."
    return note


def window_problem(window: Sequence[str]) -> str:
    """Return what is wrong with a window of two months (YYYY-MM), or an empty string.

    Examples
    --------
    >>> window_problem(["2025-03", "2025-01"])
    'must be the first and the last of at most 120 months, such as 2024-12 and 2026-05'
    """
    try:
        first, last = window
        months = month_number(last) - month_number(first) + 1
    except ValueError:
        months = 0
    if 1 <= months <= _LONGEST:
        return ""
    return (
        f"must be the first and the last of at most {_LONGEST} months, such as 2024-12 and 2026-05"
    )
