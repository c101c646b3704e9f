"""Numbers of several tables on one logarithmic axis; rows without a number are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NOT_POSITIVE
from corpus.publishing.figures.frame import Frame, Value
from corpus.publishing.figures.kinds.ranges import positive_number
from corpus.publishing.figures.plan import SeriesPlan, SpreadPlan


class SpreadMark(NamedTuple):
    """One number: the key of its entry, the name in print, and the value."""

    key: str
    name: str
    value: float


class SpreadSeries(NamedTuple):
    """The numbers of one source, smallest first; `unknown` are the keys of rows without one."""

    label: str
    marks: tuple[SpreadMark, ...]
    unknown: tuple[str, ...]


class SpreadPanel(NamedTuple):
    """One quantity with all of its series."""

    title: str
    series: tuple[SpreadSeries, ...]


class SpreadData(NamedTuple):
    """All panels, which share one axis."""

    panels: tuple[SpreadPanel, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """Every number that is drawn."""
        found: list[float] = []
        for panel in self.panels:
            for series in panel.series:
                found += [mark.value for mark in series.marks]
        return tuple(found)

    def frame(self) -> Frame:
        """Return one row per number, and one with an empty value for each row without one."""
        rows: list[tuple[Value, ...]] = []
        for panel in self.panels:
            for series in panel.series:
                for mark in series.marks:
                    rows.append((panel.title, series.label, mark.key, mark.value))
                rows += [(panel.title, series.label, key, "") for key in series.unknown]
        return Frame(("panel", "series", "key", "value"), tuple(rows))


def spread(study: Study, plan: SpreadPlan, labels: Mapping[str, str]) -> SpreadData:
    """Read the numbers of all series; `labels` are the short names of entries, by key.

    Raises
    ------
    CorpusError
        With a C802 finding for every cell that holds something else than a number above zero.
    """
    findings: list[Finding] = []
    panels: list[SpreadPanel] = []
    for panel in plan.panels:
        series = [_series(study, item, labels, findings) for item in panel.series]
        panels.append(SpreadPanel(panel.title, tuple(series)))
    if findings:
        raise CorpusError(findings)
    return SpreadData(tuple(panels))


def _series(
    study: Study, plan: SeriesPlan, labels: Mapping[str, str], findings: list[Finding]
) -> SpreadSeries:
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    marks: list[SpreadMark] = []
    unknown: list[str] = []
    for record, line in zip(table.records(), table.lines, strict=True):
        if not _is_wanted(record, plan.where):
            continue
        key = record[reference.name]
        cell = record[plan.value]
        if not cell:
            unknown.append(key)
            continue
        value = positive_number(cell)
        if value <= 0:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, cell))
            continue
        marks.append(SpreadMark(key, labels.get(key, key), value))
    marks.sort(key=lambda mark: (mark.value, mark.key))
    return SpreadSeries(plan.label, tuple(marks), tuple(unknown))


def _is_wanted(record: Mapping[str, str], where: Mapping[str, Sequence[str]]) -> bool:
    return all(record[column] in values for column, values in where.items())
