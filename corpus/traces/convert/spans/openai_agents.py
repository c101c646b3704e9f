"""Traces and spans of the OpenAI Agents SDK, as its exporters write them (JSON lines)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.clock import iso_time
from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import count, items, record, text, value
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.spans.span_walk import Reading, SpanWalk
from corpus.traces.convert.spans.spans import AGENT, GUARD, HANDOFF, MODEL, OTHER, TOOL, Span, runs

_KINDS = {
    "agent": AGENT,
    "function": TOOL,
    "generation": MODEL,
    "response": MODEL,
    "handoff": HANDOFF,
    "guardrail": GUARD,
    "custom": OTHER,
    "task": OTHER,
    "turn": OTHER,
}


def recognise(document: RecordedFile) -> bool:
    """Look for the SDK's object names."""
    return any(text(row.value, "object") in ("trace", "trace.span") for row in _rows(document)[:50])


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each trace id."""
    rows = [row for document in documents for row in _rows(document)]
    written = [row.value for row in rows if text(row.value, "object") == "trace.span" and text(row.value, "id")]
    turns = _turn_usage(written)
    spans = [_span(row, turns) for row in written]
    for group in runs(spans, ()):
        draft = Draft(group[0].trace, "openai-agents", redaction)
        for name in sorted(_unknown(written, group[0].trace)):
            draft.lose(DROPPED, "spans", f"spans of type {redaction.name(name, 'type')}")
        walk = SpanWalk(group, draft, Reading(turn=()))
        conversion = walk.conversion()
        if conversion.trace["events"]:
            yield conversion


def _rows(document: RecordedFile) -> list[Row]:
    """Return the spans, also where a file holds one list of them or an exporter's envelope."""
    rows: list[Row] = []
    for row in document.rows:
        inner = items(row.value, "data") or (row.value if isinstance(row.value, list) else [])
        rows += [Row(row.line, one) for one in inner] if inner else [row]
    return rows


def _usage(usage: object) -> int:
    """Return input and output tokens; cached ones are part of the input here."""
    return count(usage, "input_tokens") + count(usage, "output_tokens")


def _turn_usage(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return the usage of each turn that holds exactly one model call, by span id."""
    calls: dict[str, int] = {}
    for row in rows:
        if _KINDS.get(text(row, "span_data", "type")) == MODEL:
            calls[text(row, "parent_id")] = calls.get(text(row, "parent_id"), 0) + 1
    return {
        text(row, "id"): _usage(value(row, "span_data", "data", "usage"))
        for row in rows
        if text(row, "span_data", "type") in ("custom", "turn") and calls.get(text(row, "id")) == 1
    }


def _span(row: dict[str, Any], turns: dict[str, int]) -> Span:
    data = record(row, "span_data")
    kind = _KINDS.get(text(data, "type"), OTHER)
    tokens = _usage(value(data, "usage")) if kind == MODEL else 0
    if kind == MODEL and not tokens:
        tokens = turns.get(text(row, "parent_id"), 0)
    return Span(
        id=text(row, "id"),
        parent=text(row, "parent_id"),
        trace=text(row, "trace_id"),
        start=iso_time(value(row, "started_at")),
        end=iso_time(value(row, "ended_at")),
        kind=kind,
        name=text(data, "name"),
        tokens=tokens,
        target=text(data, "to_agent"),
        failed=value(data, "triggered") is True if kind == GUARD else bool(value(row, "error")),
        asked=value(data, "input"),
        answered=value(data, "output"),
    )


def _unknown(rows: Sequence[dict[str, Any]], trace: str) -> set[str]:
    return {
        text(row, "span_data", "type")
        for row in rows
        if text(row, "trace_id") == trace and text(row, "span_data", "type") not in _KINDS
    }


FORMAT = RecordedFormat(
    name="openai-agents",
    title="OpenAI Agents SDK traces, as exported with Span.export() (JSON lines)",
    maps=(
        ("orchestrator_decision", "the model call before a handoff or before an agent is called as a tool"),
        ("spawn, return", "an agent span inside a function span, from its start to its end"),
        ("message", "handoff spans"),
        ("tool_call, tool_result", "start and end of function spans"),
        ("aggregate", "the first model call after all called agents have ended; inferred"),
        ("safety_event", "guardrail spans"),
    ),
    loses=(
        "rewards and task success",
        "the task: the input of the run is not exported",
        "agents of one name: their ids are their names, so clones are told apart by overlapping spans only",
        "approvals by a person (they stand in the run state, not in the trace)",
        "tokens that are written on a turn of several model calls",
    ),
    recognise=recognise,
    convert=convert,
)
