"""The flow of records as boxes and arrows in the manner of PRISMA 2020.

Works are identified, audited, excluded stage by stage, and retained by group.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.counting.identification import Identification, identification
from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, widest, wrap
from corpus.canvas.style import INK, SHADES, SMALL, TEXT
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.figures.figure_rules import FLOW
from corpus.publishing.figures.plan import NOT_GIVEN, Frame, Value, group_of

#: The label of the records that the table of reasons does not have.
UNCODED = "reason not coded"

#: In inches: width of the upright bands, padding of a box, height of an arrow, distance of the
#: lines of a box from its heading.
_BAND, _PAD, _GAP, _SKIP = 0.2, 0.07, 0.17, 0.03


class FlowPlan(NamedTuple):
    """Records from the audit over the stages of exclusion to the retained entries by `group`.

    `reasons` names a table that refers to the exclusion log, `reason` its term column; both may be
    empty. `audited` is the number of records that the flow must start from; 0 where none is
    declared.
    """

    group: str
    reasons: str = ""
    reason: str = ""
    audited: int = 0

    @classmethod
    def read(cls, section: Section) -> FlowPlan:
        """Read group and reasons."""
        if not has_stages(section.book):
            problem = "a flow needs a table of role 'exclusions' with a column of role 'stage'"
            section.mistake("kind", problem)
        table = section.table("reasons", "")
        reason = None
        if table is not None:
            reason = section.column("reason", table, table.term_columns)
            if not _record_reference(table, section.book):
                problem = f"table {table.name} has no column of type 'ref' into the exclusion log"
                section.mistake("reasons", problem)
        group = group_of(section)
        # An entry of two groups would be in two of the boxes.
        if group is not None and group.separator:
            problem = f"{group.name} holds several terms per cell, so the boxes would not add up"
            section.mistake("group", problem)
        name = name_of(table)
        return cls(name_of(group), name, name_of(reason), section.whole("audited", 0))

    def data(self, study: Study, _labels: Mapping[str, str]) -> Flow:
        """Follow the records from the audit to the retained entries.

        Raises
        ------
        CorpusError
            With C801 findings where the numbers do not add up.
        """
        log = _staged_log(study)
        retained = len(study.pool.rows)
        audited = retained + len(log.rows)
        stages = _stages(study, self, log, audited)
        found = Flow(audited, stages, retained, _groups(study, self))
        identified = identification(study)
        if identified.is_recorded:
            found = found._replace(identified=identified)
        problems = _problems(found, self)
        if problems:
            raise CorpusError([FLOW.at(log.file, problem=problem) for problem in problems])
        return found


def has_stages(book: Codebook) -> bool:
    """Whether an exclusion log records the stage of each exclusion."""
    return any(table.by_role("stage") for table in book.by_role("exclusions"))


def _record_reference(table: TableSpec, book: Codebook) -> str:
    """Return the column that refers to the exclusion log, or an empty string."""
    logs = {log.name for log in book.by_role("exclusions")}
    for column in table.columns:
        if column.type == "ref" and column.references in logs:
            return column.name
    return ""


class FlowStage(NamedTuple):
    """One stage: the records that reached it, and those excluded at it.

    `reasons` are (label, records), the most frequent first.
    """

    id: str
    label: str
    reached: int
    excluded: int
    reasons: tuple[tuple[str, int], ...]

    @property
    def left(self) -> int:
        """Records that went on to the next stage."""
        return self.reached - self.excluded


class Flow(NamedTuple):
    """All records.

    Attributes
    ----------
    audited, retained : int
        Records in pool and log, and entries of the pool.
    stages : tuple of FlowStage
        In the order of screening.
    groups : tuple of (str, int)
        The retained entries by label of the group, those without one last.
    identified : Identification or None
        Where the works come from; None where no search, list or candidate is recorded.
    """

    audited: int
    stages: tuple[FlowStage, ...]
    retained: int
    groups: tuple[tuple[str, int], ...]
    identified: Identification | None = None

    def frame(self) -> Frame:
        """Return one row per box or reason."""
        rows: list[tuple[Value, ...]] = []
        if self.identified is not None:
            rows += _identified_rows(self.identified)
        rows.append(("audited", "", "", self.audited))
        for stage in self.stages:
            rows.append(("reached", stage.id, "", stage.reached))
            rows.append(("excluded", stage.id, "", stage.excluded))
            rows += [("reason", stage.id, reason, records) for reason, records in stage.reasons]
        rows.append(("retained", "", "", self.retained))
        rows += [("group", "", group, records) for group, records in self.groups]
        return Frame(("box", "stage", "item", "records"), tuple(rows))

    def draw(self, width: float, title: str) -> Paper:
        """Draw how works were found, every stage with its exclusions, and the retained entries."""
        paper = Paper(width, title)
        left = MARGIN + _BAND + 0.1
        left_width = (paper.right - left) * 0.42
        right = left + left_width + 0.28
        columns = _Columns(left, left_width, right, paper.right - right)

        if self.identified is not None:
            start = paper.y
            _identification(paper, self.identified, columns)
            _band(paper, start, paper.y, "Identification")
            _arrow_down(paper, columns)

        start = paper.y
        _box(paper, (left, left_width), ["Records screened", _n(self.audited)], [])
        for stage in self.stages:
            _stage(paper, stage, columns)
        _band(paper, start, paper.y, "Screening")

        start = _arrow_down(paper, columns)
        _retained(paper, self, columns.left)
        _band(paper, start, paper.y, "Included")
        return paper


def _identified_rows(found: Identification) -> list[tuple[Value, ...]]:
    rows: list[tuple[Value, ...]] = []
    for source in found.sources:
        rows.append(("identified from searches", "", source.source, source.records))
    if found.sources:
        rows.append(("duplicates removed", "", "", found.duplicates))
        rows.append(("new from searches", "", "", found.new))
    if found.verdicts:
        rows.append(("identified from lists", "", "", found.in_lists))
        rows += [("verdict", "", verdict, works) for verdict, works in found.verdicts]
    rows.append(("identified otherwise", "", "", found.otherwise))
    rows.append(("awaiting assessment", "", "", found.waiting))
    return rows


def _staged_log(study: Study) -> Table:
    """Return the exclusion log with a column of stages, which the plan was read with."""
    for log in study.by_role("exclusions"):
        if log.spec.by_role("stage") is not None:
            return log
    raise AssertionError("a flow is declared only where a log has stages")


def _stages(study: Study, plan: FlowPlan, log: Table, audited: int) -> tuple[FlowStage, ...]:
    """Return the stages in the order of their vocabulary."""
    column = log.spec.by_role("stage")
    assert column is not None
    records_at: dict[str, list[str]] = {}
    log_keys = log.column(log.spec.key[0])
    for record, stage in zip(log_keys, log.column(column.name), strict=True):
        records_at.setdefault(stage, []).append(record)
    reasons = _reasons(study, plan)
    # A log knows where a record was excluded, so that each stage is reached by what is left.
    stages = []
    reached = audited
    for term in study.codebook.vocabulary_of(column).terms:
        records = records_at.get(term.id, [])
        excluded = len(records)
        counted = _count_reasons(records, reasons) if plan.reasons else ()
        stages.append(FlowStage(term.id, term.label, reached, excluded, counted))
        reached -= excluded
    return tuple(stages)


def _reasons(study: Study, plan: FlowPlan) -> dict[str, list[str]]:
    """Return the labels of the coded reasons by record."""
    if not plan.reasons:
        return {}
    table = study.tables[plan.reasons]
    column = table.spec.column(plan.reason)
    labels = study.codebook.vocabulary_of(column).labels
    records = table.column(_record_reference(table.spec, study.codebook))
    found: dict[str, list[str]] = {}
    for record, cell in zip(records, table.column(plan.reason), strict=True):
        # An empty cell codes nothing: its record is counted as not coded.
        for reason in column.values(cell):
            found.setdefault(record, []).append(labels[reason])
    return found


def _count_reasons(
    records: list[str], reasons: dict[str, list[str]]
) -> tuple[tuple[str, int], ...]:
    """Return each reason with its records, most first, then by label; last those without one."""
    counts: Counter[str] = Counter()
    uncoded = 0
    for record in records:
        if record in reasons:
            counts.update(reasons[record])
        else:
            uncoded += 1
    by_label = sorted(counts.items())
    ranked = sorted(by_label, key=lambda item: item[1], reverse=True)
    if uncoded:
        ranked.append((UNCODED, uncoded))
    return tuple(ranked)


def _groups(study: Study, plan: FlowPlan) -> tuple[tuple[str, int], ...]:
    column, vocabulary = study.codebook.axis(plan.group)
    tags: Counter[str] = Counter()
    without = 0
    for cell in study.pool.column(plan.group):
        terms = set(column.values(cell))
        tags.update(terms)
        without += not terms
    groups = [(term.label, tags[term.id]) for term in vocabulary.terms]
    if without:
        groups.append((NOT_GIVEN, without))
    return tuple(groups)


def _problems(found: Flow, plan: FlowPlan) -> list[str]:
    """Return every box that is not the difference or the sum of its neighbours."""
    problems = []
    if plan.audited and plan.audited != found.audited:
        problems.append(
            f"{found.audited} records are audited, but the codebook declares {plan.audited}"
        )
    if found.identified is not None and found.identified.otherwise < 0:
        missing = -found.identified.otherwise
        problems.append(
            f"{missing} of the works that searches and lists found are neither candidates nor in "
            "the pool or the log"
        )
    left = found.stages[-1].left if found.stages else found.audited
    if left != found.retained:
        problems.append(
            f"{left} records pass every stage, but {found.retained} entries are retained"
        )
    by_group = sum(records for _, records in found.groups)
    if by_group != found.retained:
        problems.append(
            f"the groups of the retained entries sum to {by_group}, not to {found.retained}"
        )
    if not plan.reasons:
        return problems
    for stage in found.stages:
        coded = sum(records for _, records in stage.reasons)
        if coded != stage.excluded:
            problems.append(
                f"{coded} reasons are coded for the {stage.excluded} records excluded at {stage.id}"
            )
    return problems


class _Columns(NamedTuple):
    """Left end and width of the boxes on the left (what goes on) and right (what is excluded)."""

    left: float
    left_width: float
    right: float
    right_width: float

    @property
    def middle(self) -> float:
        """The middle of the boxes on the left, where the arrows run down."""
        return self.left + self.left_width / 2


def _identification(paper: Paper, found: Identification, columns: _Columns) -> None:
    """Draw a box for each way in which works were found, and below it those not decided yet."""
    boxes: list[tuple[str, int, list[str]]] = []
    if found.sources:
        lines = [f"{source.source} {_n(source.records)}" for source in found.sources]
        lines.append(f"duplicates and known works removed {_n(found.duplicates)}")
        boxes.append(("New from searches", found.new, lines))
    if found.verdicts:
        lines = [f"{verdict} {_n(works)}" for verdict, works in found.verdicts]
        boxes.append(("Identified from lists of others", found.in_lists, lines))
    boxes.append(("Identified in other ways", found.otherwise, []))

    top = paper.y
    width = (paper.right - columns.left - (len(boxes) - 1) * _PAD) / len(boxes)
    ends: list[float] = []
    middles: list[float] = []
    for number, (heading, works, lines) in enumerate(boxes):
        left = columns.left + number * (width + _PAD)
        paper.y = top
        _box(paper, (left, width), [heading, _n(works)], lines)
        ends.append(paper.y)
        middles.append(left + width / 2)

    # A line collects what the boxes found; the arrow to all of it starts there.
    paper.y = max(ends) + _GAP / 2
    for middle, end in zip(middles, ends, strict=True):
        paper.vertical(middle, end, paper.y, INK, 0.8)
    first = min(*middles, columns.middle)
    paper.horizontal(first, max(middles), paper.y, INK, 0.8)

    top = _arrow_down(paper, columns)
    identified = ["Records to screen", _n(found.audited + found.waiting)]
    _box(paper, (columns.left, columns.left_width), identified, [])
    end = paper.y
    paper.y = top
    waiting = [f"Awaiting assessment {_n(found.waiting)}"]
    _box(paper, (columns.right, columns.right_width), waiting, [], "#f6f6f6")
    arrow = top + _PAD + line_height(TEXT) / 2
    paper.arrow((columns.left + columns.left_width, arrow), (columns.right, arrow))
    paper.y = max(end, paper.y)


def _n(number: int) -> str:
    """Return a number as PRISMA writes it, in one piece."""
    return f"(n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number})"


def _arrow_down(paper: Paper, columns: _Columns) -> float:
    """Draw an arrow to the next box on the left; return where that box begins."""
    end = paper.y + _GAP
    paper.arrow((columns.middle, paper.y), (columns.middle, end))
    paper.y = end
    return end


def _box(
    paper: Paper,
    place: tuple[float, float],
    head: Sequence[str],
    lines: Sequence[str],
    fill: str = "white",
) -> None:
    """Draw a box at the current height with wrapped heading and lines, and move below it."""
    x, width = place
    heads: list[str] = []
    for text in head:
        heads += wrap(text, TEXT, width - 2 * _PAD, "bold")
    wrapped: list[str] = []
    for text in lines:
        wrapped += wrap(text, SMALL, width - 2 * _PAD)
    height = len(heads) * line_height(TEXT) + len(wrapped) * line_height(SMALL) + 2 * _PAD
    if wrapped:
        height += _SKIP
    paper.rect((x, paper.y, width, height), fill, edge=INK, line=0.7)
    y = paper.y + _PAD
    step = line_height(TEXT)
    for line in heads:
        paper.text(x + _PAD, y + step / 2, line, TEXT, weight="bold")
        y += step
    y += _SKIP
    step = line_height(SMALL)
    for line in wrapped:
        paper.text(x + _PAD, y + step / 2, line, SMALL)
        y += step
    paper.y += height


def _stage(paper: Paper, stage: FlowStage, columns: _Columns) -> None:
    """Draw a stage on the left, what it excludes on the right, and the arrows to and between."""
    top = _arrow_down(paper, columns)
    # A log knows the stage that decided, not which records were looked at in each stage.
    remaining = [f"Remaining before {stage.label}", _n(stage.reached)]
    _box(paper, (columns.left, columns.left_width), remaining, [])
    left_end = paper.y

    paper.y = top
    excluded = [f"Records excluded {_n(stage.excluded)}"]
    reasons = [f"{reason} {_n(records)}" for reason, records in stage.reasons]
    _box(paper, (columns.right, columns.right_width), excluded, reasons, "#f6f6f6")
    right_end = paper.y

    arrow = top + _PAD + line_height(TEXT) / 2
    paper.arrow((columns.left + columns.left_width, arrow), (columns.right, arrow))
    if right_end > left_end:
        paper.vertical(columns.middle, left_end, right_end, INK, 0.8)
    paper.y = max(left_end, right_end)


def _retained(paper: Paper, data: Flow, left: float) -> None:
    """Draw the last box with the groups in as many columns as fit."""
    width = paper.right - left
    inner = width - 2 * _PAD
    groups = [f"{label} {_n(entries)}" for label, entries in data.groups]
    column_width = max(widest(groups, SMALL), 0.5) + 0.15
    columns = max(1, min(len(groups), int(inner / column_width)))
    rows = math.ceil(len(groups) / columns)
    # The same number of rows may need fewer columns.
    columns = math.ceil(len(groups) / rows)
    height = line_height(TEXT) + rows * line_height(SMALL) + 2 * _PAD + 0.05
    paper.rect((left, paper.y, width, height), SHADES[3], edge=INK, line=0.7)
    y = paper.y + _PAD + line_height(TEXT) / 2
    heading = f"Studies included in the pool {_n(data.retained)}"
    paper.text(left + _PAD, y, heading, TEXT, weight="bold")
    for number, group in enumerate(groups):
        row, column = divmod(number, columns)
        group_x = left + _PAD + column * inner / columns
        group_y = y + 0.05 + line_height(TEXT) / 2 + line_height(SMALL) * (row + 0.5)
        paper.text(group_x, group_y, group, SMALL)
    paper.y += height


def _band(paper: Paper, top: float, bottom: float, name: str) -> None:
    """Draw the upright band that names a phase, as PRISMA does; without a name if it is short."""
    paper.rect((MARGIN, top, _BAND, bottom - top), SHADES[0])
    length = text_width(name, SMALL, "bold")
    if length < bottom - top - 0.04:
        lower_end = (top + bottom + length) / 2
        x = MARGIN + _BAND / 2 + 0.005
        paper.upright(x, lower_end, name, SMALL, color="white", weight="bold")
