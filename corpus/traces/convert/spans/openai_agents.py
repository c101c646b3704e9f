"""Traces and spans of the OpenAI Agents SDK, as its exporters write them (JSON lines)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.spans.dialects import TYPES, USAGE, recorded_span
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import GUARD, MODEL, Span, runs
from corpus.traces.convert.usage import NO_USAGE, Usage, stated_usage
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import items, text, value

_KINDS = TYPES["openai-agents"]


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trace id."""
    written: list[Any] = []
    for document in documents:
        for one in _written(document):
            if text(one, "object") == "trace.span" and text(one, "id"):
                written.append(one)
    # Before anything else: a turn is written after the model call that it holds.
    turns, lost = _turn_usage(written)
    spans = [_span(one, turns) for one in written]
    for group in runs(spans):
        trace = group[0].trace
        run = SpanRecorder(trace, "openai-agents", redaction)
        spent = lost[trace]
        if spent.total:
            run.dropped(
                "tokens of a turn without a model call, or of several", "usage", spent.total
            )
            run.report(spent)
        # A turn states that the model decides, so a decision is not inferred.
        yield run.conversion(group, decision_marks=())


def _written(document: RecordedFile) -> list[Any]:
    """Return the objects of a file.

    Also where it holds one list of them or an exporter's envelope.
    """
    written: list[Any] = []
    for row in document.rows:
        inner = items(row.value, "data") or items(row.value)
        written += inner or [row.value]
    return written


def _usage(written: object, path: str) -> Usage:
    """Return the tokens; cached ones are part of the input here, reasoning of the output."""
    return stated_usage(value(written, f"span_data.{path}"), *USAGE["openai-agents"])


def _type(span: object) -> str:
    return text(span, "span_data.type")


def _turn_usage(written: Sequence[object]) -> tuple[dict[str, Usage], dict[str, Usage]]:
    """Return the usage of each turn that holds exactly one model call, by span id.

    And by trace what other turns state, of which nobody can tell which model call used it.
    """
    calls: dict[str, dict[str, bool]] = {}
    for one in written:
        if _KINDS.get(_type(one)) == MODEL:
            has_usage = _usage(one, "usage").total > 0
            calls.setdefault(text(one, "parent_id"), {})[text(one, "id")] = has_usage
    turns: dict[str, Usage] = {}
    lost: dict[str, Usage] = defaultdict(Usage)
    for one in written:
        name = text(one, "id")
        own = calls.get(name, {})
        usage = _usage(one, "data.usage")
        if _type(one) not in ("custom", "turn"):
            continue
        if len(own) == 1 and name not in turns:
            turns[name] = usage
        elif text(one, "span_data.name") != "task" and not any(own.values()):
            trace = text(one, "trace_id")
            lost[trace] = lost[trace].plus(usage)
    return turns, lost


def _span(written: object, turns: dict[str, Usage]) -> Span:
    span = recorded_span(written, "openai-agents")
    usage = NO_USAGE
    failed = bool(value(written, "error"))
    if span.kind == MODEL:
        # A response span has no usage of its own; its turn has.
        usage = _usage(written, "usage")
        usage = usage if usage.total else turns.pop(span.parent, NO_USAGE)
        usage = usage._replace(model=text(written, "span_data.model"))
    elif span.kind == GUARD:
        # Whether a guardrail fired; that it failed itself would be another matter.
        failed = value(written, "span_data.triggered") is True
    return replace(span, usage=usage, failed=failed)


FORMAT = RecordedFormat("openai-agents", convert)
