"""Two numbers of each entry against each other, from evidence tables with a number per row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NOT_POSITIVE
from corpus.publishing.figures.frame import Frame, Value
from corpus.publishing.figures.plan import ScatterPlan, SeriesPlan


class ScatterMark(NamedTuple):
    """One entry with its name in print; a number that is not known is None."""

    key: str
    name: str
    x: float | None
    y: float | None

    @property
    def is_drawn(self) -> bool:
        """Whether both numbers are known."""
        return self.x is not None and self.y is not None


class ScatterSeries(NamedTuple):
    """The entries of one source by key; open marks where `is_open`."""

    label: str
    is_open: bool
    marks: tuple[ScatterMark, ...]


class Scatter(NamedTuple):
    """All series, and what the two axes are."""

    x: str
    y: str
    series: tuple[ScatterSeries, ...]

    def marks(self) -> list[ScatterMark]:
        """Return the marks of all series."""
        return [mark for series in self.series for mark in series.marks]

    def frame(self) -> Frame:
        """Return one row per entry; what is not known is empty."""
        rows: list[tuple[Value, ...]] = []
        for series in self.series:
            for mark in series.marks:
                numbers = ["" if number is None else number for number in (mark.x, mark.y)]
                rows.append((series.label, mark.key, *numbers))
        return Frame(("series", "key", "x", "y"), tuple(rows))


def scatter(study: Study, plan: ScatterPlan, labels: Mapping[str, str]) -> Scatter:
    """Read the numbers of all series; `labels` are the short names of entries, by key.

    Raises
    ------
    CorpusError
        With a C802 finding for every cell that holds something else than a number above zero.
    """
    findings: list[Finding] = []
    found: list[ScatterSeries] = []
    for series in plan.series:
        x = _numbers(study, series, series.x, findings)
        y = _numbers(study, series, series.y, findings)
        marks = []
        for key in sorted(x.keys() | y.keys()):
            marks.append(ScatterMark(key, labels.get(key, key), x.get(key), y.get(key)))
        found.append(ScatterSeries(series.label, series.is_open, tuple(marks)))
    if findings:
        raise CorpusError(findings)
    return Scatter(plan.x, plan.y, tuple(found))


def _numbers(
    study: Study, plan: SeriesPlan, where: Mapping[str, tuple[str, ...]], findings: list[Finding]
) -> dict[str, float | None]:
    """Return the number of each entry with a row that is as `where` tells, the largest of several.

    None where the cell is empty: nobody found the number.
    """
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    found: dict[str, float | None] = {}
    for record, line in zip(table.records(), table.lines, strict=True):
        if not all(record[column] in values for column, values in where.items()):
            continue
        key, cell = record[reference.name], record[plan.value]
        number = positive_number(cell) if cell else None
        if cell and not number:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, cell))
        found[key] = max(number or 0, found.get(key) or 0) or None
    return found


def positive_number(text: str) -> float:
    """Return a finite number above zero as it was written, or 0 where the text is none.

    Examples
    --------
    >>> positive_number("2.5"), positive_number("-1"), positive_number("many")
    (2.5, 0.0, 0.0)
    """
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value > 0 else 0.0
