"""The flow of records in the manner of PRISMA 2020: audited, excluded stage by stage, retained by group."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import FLOW
from corpus.publishing.figures.frame import NOT_GIVEN, Frame, Value
from corpus.publishing.figures.plan import FlowPlan

#: What stands for the reason of a record that the table of reasons does not have.
UNCODED = "reason not coded"


class FlowStage(NamedTuple):
    """One stage: records that reached it, were excluded at it (by reason, label -> records), and went on."""

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
    """All records; `groups` are the retained entries by label of the group, those without one last."""

    audited: int
    stages: tuple[FlowStage, ...]
    retained: int
    groups: tuple[tuple[str, int], ...]

    def frame(self) -> Frame:
        """Return one row a box or reason."""
        rows: list[tuple[Value, ...]] = [("audited", "", "", self.audited)]
        for stage in self.stages:
            rows.append(("reached", stage.id, "", stage.reached))
            rows.append(("excluded", stage.id, "", stage.excluded))
            rows += [("reason", stage.id, reason, n) for reason, n in stage.reasons]
        rows.append(("retained", "", "", self.retained))
        rows += [("group", "", group, n) for group, n in self.groups]
        return Frame(("box", "stage", "item", "records"), tuple(rows))


def flow(corpus: Study, plan: FlowPlan) -> Flow:
    """Follow the records from the audit to the retained entries.

    Raises
    ------
    CorpusError
        With C801 findings where the numbers do not add up.
    """
    book = corpus.codebook
    log = next(table for table in corpus.by_role("exclusions") if table.spec.by_role("stage"))
    stage_column = log.spec.by_role("stage")
    assert stage_column is not None
    at_stage = log.column(stage_column.name)
    reasons = _reasons(corpus, plan)
    column, vocabulary = book.axis(plan.group)
    cells = [dict.fromkeys(column.values(cell)) for cell in corpus.pool.column(plan.group)]
    tags = Counter(term for cell in cells for term in cell)
    reached = audited = len(corpus.pool.rows) + len(log.rows)
    stages = []
    for term in book.vocabulary_of(stage_column).terms:
        records = [log.key_of(row)[0] for row, stage in zip(log.rows, at_stage, strict=True) if stage == term.id]
        why = Counter(label for record in records for label in reasons.get(record, ()))
        ranked = tuple(sorted(why.items(), key=lambda item: (-item[1], item[0])))
        uncoded = sum(record not in reasons for record in records) if plan.reasons else 0
        ranked += ((UNCODED, uncoded),) if uncoded else ()
        stages.append(FlowStage(term.id, term.label, reached, len(records), ranked))
        reached -= len(records)
    groups = [(term.label, tags[term.id]) for term in vocabulary.terms]
    without = sum(not cell for cell in cells)
    if without:
        groups.append((NOT_GIVEN, without))
    found = Flow(audited, tuple(stages), len(corpus.pool.rows), tuple(groups))
    problems = _problems(found, plan)
    if problems:
        raise CorpusError([FLOW.at(log.file, problem=problem) for problem in problems])
    return found


def _reasons(corpus: Study, plan: FlowPlan) -> dict[str, list[str]]:
    """Return the labels of the coded reasons by record."""
    if not plan.reasons:
        return {}
    table = corpus.tables[plan.reasons]
    vocabulary = corpus.codebook.vocabulary_of(table.spec.column(plan.reason))
    logs = {log.spec.name for log in corpus.by_role("exclusions")}
    record = next(column.name for column in table.spec.columns if column.references in logs)
    found: dict[str, list[str]] = {}
    for key, reason in zip(table.column(record), table.column(plan.reason), strict=True):
        found.setdefault(key, []).append(vocabulary.term(reason).label)
    return found


def _problems(found: Flow, plan: FlowPlan) -> list[str]:
    problems = []
    if plan.audited and plan.audited != found.audited:
        problems.append(f"{found.audited} records are audited, but the codebook declares {plan.audited}")
    left = found.stages[-1].left if found.stages else found.audited
    if left != found.retained:
        problems.append(f"{left} records pass every stage, but {found.retained} entries are retained")
    by_group = sum(n for _, n in found.groups)
    if by_group != found.retained:
        problems.append(f"the groups of the retained entries sum to {by_group}, not to {found.retained}")
    for stage in found.stages:
        coded = sum(n for _, n in stage.reasons)
        if plan.reasons and coded != stage.excluded:
            problems.append(f"{coded} reasons are coded for the {stage.excluded} records excluded at {stage.id}")
    return problems
