"""Traces and observations as Langfuse exports them, from its pages or its interface."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import Conversion, RecordedFormat
from corpus.traces.convert.lookup import (
    JsonObject,
    first_text,
    items,
    parsed,
    record,
    records,
    text,
    value,
)
from corpus.traces.convert.redaction import Redaction, unnamed
from corpus.traces.convert.spans.dialects import TYPES, read_span, recorded_span, usage_of_details
from corpus.traces.convert.spans.handovers import agent_in_title, handovers
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import AGENT, MODEL, OTHER, TOOL, Span, keep_account, runs
from corpus.traces.convert.usage import NO_USAGE, Usage

_KINDS = TYPES["langfuse"]
_FLAT_COUNTS = ("promptTokens", "completionTokens", "totalTokens")
# How some integrations name the observations of one call: three events, or three short spans.
_MOMENT = re.compile(
    r"(.*[^ _.:/-])[ _.:/-]+"
    r"(start(?:ed)?|success|succeeded|finish(?:ed)?|end(?:ed)?|completed?|error|failed)",
    re.IGNORECASE,
)
_WHAT = re.compile(r"(tool|agent|llm|model|generation)[ _.:/-]*", re.IGNORECASE)
_KINDS_IN_NAMES = {"tool": TOOL, "agent": AGENT, "llm": MODEL, "model": MODEL, "generation": MODEL}


def recognise(document: RecordedFile) -> bool:
    """Look for observations: a type of Langfuse beside the id of a trace and a start."""
    for row in document.rows[:5]:
        for export in _exports(row.value):
            observations = _observations(export)
            if any(_is_observation(one) for one in observations[:50]):
                return True
    return False


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each trace id."""
    spans: list[Span] = []
    tasks: dict[str, str] = {}
    nameless = 0
    seen: set[str] = set()
    for document in documents:
        for row in document.rows:
            for export in _exports(row.value):
                trace = text(_trace_of(export), "id") or unnamed("trace", document.path.name)
                # Observations of the interface come without the trace that tells the task.
                if isinstance(asked := _trace_of(export).get("input"), str):
                    tasks[trace] = asked
                for one in _observations(export):
                    if not text(one, "id"):
                        nameless += 1
                        continue
                    # Some exports hold the observations twice.
                    if text(one, "id") in seen:
                        continue
                    seen.add(text(one, "id"))
                    spans.append(_span(one, trace))
    for group in runs(spans, ()):
        if any(span.kind != OTHER or _MOMENT.fullmatch(span.title) for span in group):
            run = SpanRecorder(group[0].trace, "langfuse", redaction)
            if nameless:
                run.dropped("observations", "an observation without an id", nameless)
                nameless = 0
            found = handovers(_without_nodes(_joined(group, run), run), run)
            task = tasks.get(group[0].trace, "")
            yield run.conversion(found, task=task, unit="observation")


def _exports(node: object) -> list[Any]:
    """Return the objects of a row that hold observations, or are some."""
    if isinstance(node, list):
        # A list of traces with their observations, or of observations.
        with_observations = [one for one in node if items(one, "observations")]
        return with_observations or [{"observations": node}]
    if items(node, "observations"):
        return [node]
    if items(node, "data"):
        return _exports(value(node, "data"))
    return [{"observations": [node]}]


def _observations(export: object) -> list[JsonObject]:
    return records(export, "observations")


def _trace_of(export: object) -> JsonObject:
    """Return what tells of the trace: the export itself, or the part of it called so."""
    return record(export, "trace") or record(export)


def _is_observation(node: object) -> bool:
    is_typed = text(node, "type").lower() in _KINDS
    return is_typed and bool(text(node, "id")) and bool(text(node, "startTime"))


def _span(written: JsonObject, trace: str) -> Span:
    title = text(written, "name")
    span = recorded_span(
        written,
        "langfuse",
        trace=text(written, "traceId") or trace,
        usage=_usage(written),
        failed=text(written, "level") == "ERROR",
        given=record(parsed(value(parsed(value(written, "metadata")), "attributes"))),
    )
    span = replace(span, name=agent_in_title(title) if span.kind == AGENT else title)
    if not span.given:
        return span
    # What the attributes tell that it was sent with, and the type does not.
    told = read_span(span)
    usage = span.usage if span.usage.total else told.usage
    if told.kind == OTHER:
        told = replace(told, kind=span.kind, name=span.name, unknown=span.unknown)
    elif told.name == title:
        told = replace(told, name=span.name)
    return replace(told, usage=usage, asked=span.asked, answered=span.answered)


def _without_nodes(spans: Sequence[Span], run: SpanRecorder) -> list[Span]:
    """Let what is below a node called ``tools`` be tools, as LangGraph records them."""
    nodes = {span.id for span in spans if span.title == "tools" and span.kind in (OTHER, TOOL)}
    nodes &= {span.parent for span in spans}
    found = []
    for span in spans:
        if span.id in nodes:
            keep_account(run.merged, [span])
            span = replace(span, kind=OTHER)
        elif span.parent in nodes and span.kind == OTHER:
            span = replace(span, kind=TOOL)
            keep_account(run.reported, (), [span])
        found.append(span)
    return found


def _joined(spans: Sequence[Span], run: SpanRecorder) -> list[Span]:
    """Make one span of the observations that tell the start, the success and the end of a call."""
    calls: dict[str, Span] = {}
    starts: dict[tuple[str, str], list[str]] = {}
    said_so_far: Counter[tuple[str, str, str]] = Counter()
    joined: dict[str, str] = {}
    for span in sorted(spans, key=lambda one: (one.begins, one.id)):
        said = _MOMENT.fullmatch(span.title)
        if said is None:
            continue
        stem, word = said[1], said[2].lower()
        begun = starts.setdefault((span.parent, stem), [])
        if word.startswith("start"):
            kind = span.kind if span.kind != OTHER else _kind_in(stem)
            calls[span.id] = replace(span, kind=kind, name=_WHAT.sub("", stem) or stem)
            begun.append(span.id)
            continue
        # The first success is that of the first start, and so on.
        place = said_so_far[span.parent, stem, word]
        said_so_far[span.parent, stem, word] += 1
        if place < len(begun):
            joined[span.id] = begun[place]
            call = calls[begun[place]]
            calls[begun[place]] = replace(
                call,
                end=max(call.ends, span.ends, span.begins),
                usage=call.usage.highest(span.usage),
                answered=call.answered if span.answered is None else span.answered,
                failed=call.failed or span.failed or word in ("error", "failed"),
            )
    begun_by = set(joined.values())
    found = []
    for span in spans:
        if span.id not in joined:
            span = calls[span.id] if span.id in begun_by else span
            found.append(replace(span, parent=joined.get(span.parent, span.parent)))
    # What was joined counts as one; of what kind it is, the source may not state.
    keep_account(run.merged, spans, found)
    if joined:
        what = "an observation of the success or the end of a call, which is one with its start"
        run.dropped("observations", what, len(joined))
    return found


def _kind_in(stem: str) -> str:
    """Return what a name such as ``tool_search`` tells of an observation without a type."""
    what = _WHAT.match(stem)
    return _KINDS_IN_NAMES[what.group(1).lower()] if what else OTHER


def _usage(written: JsonObject) -> Usage:
    model = first_text(written, "model", "providedModelName")
    # Since version 3; before, one of two sets of flat fields.
    details = record(parsed(value(written, "usageDetails"))) or record(written, "usage")
    if text(details, "unit") not in ("", "TOKENS"):
        # Characters, images or seconds.
        return NO_USAGE._replace(model=model)
    found = usage_of_details(details, model)
    if found.total:
        return found
    flat = {name: value(written, name) for name in _FLAT_COUNTS}
    return usage_of_details(flat, model)


FORMAT = RecordedFormat(
    "langfuse",
    "Langfuse traces: the download of a trace, or observations from the public interface",
    recognise,
    convert,
)
