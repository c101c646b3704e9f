"""The flow of records in the manner of PRISMA 2020.

Works are identified, audited, excluded stage by stage, and retained by group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.counting.identification import Identification, identification
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.figures.figure_rules import FLOW
from corpus.publishing.figures.frame import NOT_GIVEN, Frame, Value
from corpus.publishing.figures.plan import FlowPlan, record_reference

#: The label of the records that the table of reasons does not have.
UNCODED = "reason not coded"


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


def flow(study: Study, plan: FlowPlan, _labels: Mapping[str, str]) -> Flow:
    """Follow the records from the audit to the retained entries.

    Raises
    ------
    CorpusError
        With C801 findings where the numbers do not add up.
    """
    log = _staged_log(study)
    retained = len(study.pool.rows)
    audited = retained + len(log.rows)
    stages = _stages(study, plan, log, audited)
    found = Flow(audited, stages, retained, _groups(study, plan))
    identified = identification(study)
    if identified.is_recorded:
        found = found._replace(identified=identified)
    problems = _problems(found, plan)
    if problems:
        raise CorpusError([FLOW.at(log.file, problem=problem) for problem in problems])
    return found


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
    records = table.column(record_reference(table.spec, study.codebook))
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
