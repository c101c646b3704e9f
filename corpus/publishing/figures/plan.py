"""What the codebook's section `[figures]` declares: which figures a corpus has, of which kind, over which axes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.sparsity.plan import AnchorsPlan, ReadingsPlan
from corpus.model.codebook import Codebook

#: What ``width`` may name, in inches: one and two columns of a journal page.
WIDTHS: Mapping[str, float] = {"one": 3.5, "two": 7.16}

_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")


class TimelinePlan(NamedTuple):
    """Entries by month of a date, stacked by `group`.

    `date` is the column of `table` that dates the entries; `first` and `last` are the months drawn (YYYY-MM).
    Entries whose `milestone_axis` holds one of `milestone_terms` are named above the columns.
    """

    table: str
    date: str
    group: str
    first: str
    last: str
    milestone_axis: str
    milestone_terms: tuple[str, ...]


class HeatmapPlan(NamedTuple):
    """Entries by two axes."""

    rows: str
    columns: str


class BarsPlan(NamedTuple):
    """Entries by the terms of one axis, each bar split by another axis where `split` names one."""

    axis: str
    split: str


class LadderPlan(NamedTuple):
    """The units of an axis from coarse to fine, with the broad and the strict reading of each."""

    readings: ReadingsPlan


class FlowPlan(NamedTuple):
    """Records from the audit over the stages of exclusion to the retained entries by `group`.

    `reasons` names a table that refers to the exclusion log, `reason` its term column; both may be empty. `audited`
    is the number of records that the flow must start from; 0 where none is declared.
    """

    group: str
    reasons: str
    reason: str
    audited: int


class RangesPlan(NamedTuple):
    """Numbers of one table on a logarithmic axis; all fields but `table` name its columns, `kind` may be empty."""

    table: str
    value: str
    unit: str
    quantity: str
    kind: str
    boundary: str


KindPlan = TimelinePlan | HeatmapPlan | BarsPlan | LadderPlan | AnchorsPlan | FlowPlan | RangesPlan


class FigurePlan(NamedTuple):
    """One figure: its name (also of its files), kind, words, short names of entries, width and what it draws."""

    name: str
    kind: str
    title: str
    caption: str
    width: str
    labels: Mapping[str, str]
    of: KindPlan


def default_figures(book: Codebook) -> dict[str, FigurePlan]:
    """Return bars for the first axis, a heatmap for every cross-tabulation, the flow where records were excluded."""
    plans = []
    axis = book.pool.by_role("group") or next(iter(book.pool.axes), None)
    if axis is not None:
        title = f"Entries by {axis.label.lower()}"
        plans.append(FigurePlan(axis.name, "bars", title, "", "one", {}, BarsPlan(axis.name, "")))
    for crosstab in book.crosstabs:
        of = HeatmapPlan(crosstab.rows, crosstab.columns)
        plans.append(FigurePlan(crosstab.id, "heatmap", crosstab.title, "", "one", {}, of))
    # The boxes of a flow sum up, which entries with several groups would not.
    single = next((column for column in (axis, *book.pool.axes) if column and not column.separator), None)
    if single is not None and any(table.by_role("stage") for table in book.by_role("exclusions")):
        of_flow = FlowPlan(single.name, "", "", 0)
        plans.append(FigurePlan("screening", "flow", "Screening", "", "two", {}, of_flow))
    return {plan.name: plan for plan in plans}


def window_problem(window: Sequence[str]) -> str:
    """Return what is wrong with a window of two months (YYYY-MM), or an empty string.

    Examples
    --------
    >>> window_problem(["2025-03", "2025-01"])
    'must not end (2025-01) before it starts (2025-03)'
    """
    try:
        first, last = window
        months = month_number(last) - month_number(first) + 1
    except ValueError:
        return "must be two months, such as 2024-12 and 2026-05"
    if months < 1:
        return f"must not end ({last}) before it starts ({first})"
    return "must not be longer than 120 months" if months > 120 else ""


def month_number(month: str) -> int:
    """Return the number of a month (YYYY-MM) in a running count; ValueError for another form.

    Examples
    --------
    >>> month_number("2025-01") - month_number("2024-12")
    1
    """
    if not _MONTH.fullmatch(month):
        raise ValueError(f"{month!r} is not YYYY-MM")
    return int(month[:4]) * 12 + int(month[5:]) - 1
