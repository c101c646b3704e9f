"""Everything that `corpus sparsity` reports: as one record, as tables, and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from operator import attrgetter
from typing import Any

from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    STATUSES,
    THIN,
    SparseTable,
    sparse_table,
)
from corpus.analysis.sparsity.declared import SparsityPlan, sparsity_plan
from corpus.analysis.sparsity.gaps import ANCHOR, Gap, ranked_gaps
from corpus.analysis.sparsity.strictness import AnchorTable, Strictness, anchor_table, strictness_of
from corpus.model.codebook import Codebook
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.grid import Grid
from corpus.printing.json_document import as_plain, json_text
from corpus.tables.fast.tally import contingency_of


@dataclass(frozen=True)
class SparsityReport:
    """The sparsity of a corpus: axes, pairs, strictness of tags, anchors, and ranked gaps.

    `plan` is what the codebook declares, or what was asked for instead.
    """

    book: Codebook
    plan: SparsityPlan
    entries: int
    axes: Sequence[SparseTable]
    pairs: Sequence[SparseTable]
    strictness: Sequence[Strictness]
    anchors: Sequence[AnchorTable]
    gaps: Sequence[Gap]

    def is_ranked(self, table: SparseTable) -> bool:
        """Whether an empty cell of a table is a gap: all of its axes are ranked."""
        return set(table.axes) <= set(self.plan.axes)


def sparsity_report(
    study: Study, pairs: tuple[tuple[str, str], ...] = (), threshold: int | None = None
) -> SparsityReport:
    """Work out the sparsity of a corpus.

    Parameters
    ----------
    study : Study
        The corpus, or the part of it that passes some filters.
    pairs : tuple of (str, str)
        Axes to cross; without any, the codebook's cross-tabulations. Given pairs are ranked even
        where the codebook does not rank their axes, and then only they and their axes are reported.
    threshold : int, optional
        Instead of the one that the codebook declares.

    Raises
    ------
    UsageProblem
        Where a pair names an unknown axis, or one axis twice.
    CorpusError
        Where the section `[sparsity]` of the codebook has a mistake.
    """
    book, plan = study.codebook, sparsity_plan(study.codebook)
    names, crossed = book.pool.axis_names, [(one.rows, one.columns) for one in book.crosstabs]
    if pairs:
        # By name or label; an unknown one is refused.
        pairs = tuple((book.axis(row)[0].name, book.axis(column)[0].name) for row, column in pairs)
        names, crossed = tuple(dict.fromkeys(chain.from_iterable(pairs))), list(pairs)
        strictness = tuple(item for item in plan.strictness if item.axis in names)
        plan = replace(plan, axes=names, strictness=strictness, anchors=())
    for rows, columns in pairs:
        if rows == columns:
            raise UsageProblem(f"{rows} cannot be crossed with itself")
    if threshold is not None:
        plan = replace(plan, threshold=threshold)
    counted = contingency_of(study, names)
    tables = [sparse_table(counted, axes, plan.threshold) for axes in (*product(names), *crossed)]
    anchors = [anchor_table(study, item) for item in plan.anchors]
    return SparsityReport(
        book,
        plan,
        counted.entries,
        tables[: len(names)],
        tables[len(names) :],
        [strictness_of(study, item) for item in plan.strictness],
        anchors,
        ranked_gaps(study, plan, tables, anchors),
    )


#: How many gaps are listed unless asked otherwise.
TOP = 12
#: Tables of more columns have short heads.
_WIDE = 6


def sparsity_grids(report: SparsityReport, top: int = TOP) -> list[Grid]:
    """Return the report as tables; `top` is the number of gaps in the last one."""
    found = [_axes_grid(report)]
    found += [_pair_grid(report, table) for table in report.pairs]
    found += [_strictness_grid(report, item) for item in report.strictness]
    for table in report.anchors:
        found += _anchors_grids(table)
    return [*found, _gaps_grid(report, top)]


def _noun(report: SparsityReport) -> str:
    return report.book.corpus["entries"]


def _thin(report: SparsityReport) -> str:
    most = report.plan.threshold
    return "1" if most == 1 else f"1 to {most}"


def _axes_grid(report: SparsityReport) -> Grid:
    """Return every empty or thin term; an axis without any is one row."""
    rows = []
    others = []
    for table in report.axes:
        margin = table.margins[0]
        axis = margin.column.label
        if not report.is_ranked(table):
            others.append(axis)
            continue
        cells = table.having(EMPTY, THIN, IMPOSSIBLE)
        if not cells:
            rows.append((axis, "all terms", "", FILLED))
        for cell in cells:
            label = margin.vocabulary.term(cell.terms[0]).label
            rows.append((axis, label, str(cell.entries), cell.status))
    note = (
        f"{report.entries} {_noun(report)}; thin means {_thin(report)}. "
        f"The term for 'not applicable' is left out."
    )
    if others:
        note += f" An empty term is not an open question on: {', '.join(others)}."
    header = ("axis", "term", _noun(report), "status")
    return Grid("Terms that are empty or thin", header, tuple(rows), {2}, note)


def _pair_grid(report: SparsityReport, table: SparseTable) -> Grid:
    """Return all cells of a pair: gaps as 0, impossible ones as ×, terms that do not apply last."""
    of_rows, of_columns = table.margins
    down, across = of_rows.vocabulary.absent_last, of_columns.vocabulary.absent_last
    name_in_print = attrgetter("short" if len(across) > _WIDE else "label")
    rows = []
    for row in down:
        texts = []
        for column in across:
            cell = table.cells[row.id, column.id]
            # An impossible cell with entries contradicts the codebook, so its number is shown.
            is_ruled_out = cell.status == IMPOSSIBLE and not cell.entries
            texts.append("×" if is_ruled_out else str(cell.entries))
        rows.append((row.label, *texts))
    title = f"{of_rows.column.label.capitalize()} by {of_columns.column.label.lower()}"
    if report.is_ranked(table):
        title += f": {table.number(EMPTY)} gaps"
    numeric = range(1, len(across) + 1)
    return Grid(
        title, ("", *map(name_in_print, across)), tuple(rows), numeric, _pair_note(report, table)
    )


def _pair_note(report: SparsityReport, table: SparseTable) -> str:
    if not report.is_ranked(table):
        return "No table of gaps: an empty cell is not an open question on one of its axes."
    counts = [
        f"{table.number(FILLED)} filled",
        f"{table.number(THIN)} thin ({_thin(report)})",
        f"{table.number(EMPTY)} empty",
    ]
    if table.number(NOT_APPLICABLE):
        counts.append(f"{table.number(NOT_APPLICABLE)} not applicable")
    impossible = table.having(IMPOSSIBLE)
    if impossible:
        reasons = dict.fromkeys(cell.reason for cell in impossible)
        counts.append(f"{len(impossible)} impossible (×): {'; '.join(reasons)}")
    note = f"{len(table.cells)} cells: {', '.join(counts)}."
    entries = sum(cell.entries for cell in impossible)
    if entries:
        note += f" {entries} {_noun(report)} are there all the same."
    return note


def _strictness_grid(report: SparsityReport, found: Strictness) -> Grid:
    rows = []
    column, vocabulary = report.book.axis(found.axis)
    labels = vocabulary.labels
    for unit in found.units:
        broad, strict, near, weaker, unjudged = map(len, unit[1:])
        numbers = (broad, strict, strict + near, weaker, unjudged)
        rows.append((labels[unit.term], *map(str, numbers)))
    title = f"{column.label}: broad and strict reading"
    note = f"{found.judged} of {found.tagged} tags have been judged; broad counts every tag."
    header = (column.label, "broad", "strict", "or similar", "broad only", "not judged")
    return Grid(title, header, tuple(rows), range(1, 6), note)


def _anchors_grids(table: AnchorTable) -> Iterator[Grid]:
    """Yield the numbers of anchors, and the nearest of each row without the highest grade."""
    rows = []
    for row in table.rows.terms:
        numbers = [len(table.cells[row.id, grade]) for grade in table.grades.ids]
        rows.append((f"{row.id} {row.label}", *map(str, numbers)))
    grades = table.grades.terms
    header = ("", *(term.short for term in grades))
    explained = "; ".join(f"{term.short}: {term.label}" for term in grades)
    yield Grid(table.title, header, tuple(rows), range(1, len(header)), f"{explained}.")
    header = ("nearest", "grade", "what it does not show")
    for name in table.without_top():
        near = []
        for anchor in table.nearest(name):
            near.append((anchor.key, table.grades.term(anchor.grade).short, anchor.boundary))
        title = f"{name} {table.rows.term(name).label}: nothing at the grade '{grades[0].label}'"
        note = "" if near else "No anchor of any grade."
        yield Grid(title, header, tuple(near), note=note, wraps={2})


def _nearest_names(gap: Gap) -> str:
    names = []
    for item in gap.nearest:
        differing = f" ({' / '.join(label for _, label in item.terms)})" if item.terms else ""
        names.append(item.key + differing)
    more = f"; {gap.as_near} more as near" if gap.as_near else ""
    return (", ".join(names) or "none") + more


def _gaps_grid(report: SparsityReport, top: int) -> Grid:
    # Without any open question, their column is left out.
    columns = 5 + any(gap.questions for gap in report.gaps)
    rows = []
    for number, gap in enumerate(report.gaps[:top], 1):
        name = "; ".join(map(": ".join, gap.labels))
        if gap.kind == ANCHOR:
            name = ": ".join(label for _, label in gap.labels)
        questions = ", ".join(question.partition("/")[2] for question in gap.questions)
        # Nothing where none can be expected.
        expected = f"{gap.expected:.1f}" if gap.expected else ""
        row = (str(number), name, gap.has, expected, _nearest_names(gap), questions)
        rows.append(row[:columns])
    title = f"Gaps in rank order: {len(rows)} of {len(report.gaps)}"
    note = (
        f"Expected: {_noun(report)} that the cell would have if axes were independent, "
        "or terms equally frequent. "
        "They rank by what is missing, times its declared weight, terms before pairs. "
        "Nearest: entries that share most of the cell's terms, then those with neighbouring terms; "
        "in brackets what differs."
    )
    header = ("#", "gap", "has", "expected", "nearest", "open question")[:columns]
    return Grid(title, header, tuple(rows), {0, 3}, note, {1, 2, 4, 5})


def sparsity_json(report: SparsityReport) -> str:
    """Write the report as one JSON document, with all gaps in rank order."""
    readings = []
    for judged in report.strictness:
        counts = {"axis": judged.axis, "judged": judged.judged, "tagged": judged.tagged}
        readings.append({**counts, "units": as_plain(judged.units)})
    anchored = []
    for table in report.anchors:
        cells = []
        for (row, grade), anchors in table.cells.items():
            cells.append({"row": row, "grade": grade, "anchors": as_plain(anchors)})
        anchored.append({"title": table.title, "without_top": table.without_top(), "cells": cells})
    gaps = [{"rank": rank, **as_plain(gap)} for rank, gap in enumerate(report.gaps, 1)]
    document = {
        "entries": report.entries,
        "threshold": report.plan.threshold,
        "axes": [_table_json(table, report) for table in report.axes],
        "pairs": [_table_json(table, report) for table in report.pairs],
        "readings": readings,
        "anchors": anchored,
        "gaps": gaps,
    }
    return json_text(document)


def _table_json(table: SparseTable, report: SparsityReport) -> dict[str, Any]:
    counts = {status: table.number(status) for status in STATUSES}
    cells = as_plain(list(table.cells.values()))
    return {"axes": table.axes, "ranked": report.is_ranked(table), "cells": cells, **counts}
