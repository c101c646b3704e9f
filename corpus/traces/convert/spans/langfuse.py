"""Traces and observations as Langfuse exports them, from its pages or its interface."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.spans.attribute_spans import handovers
from corpus.traces.convert.spans.dialects import (
    TYPES,
    agent_in_title,
    read_span,
    recorded_span,
    usage_of_details,
)
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import AGENT, OTHER, TOOL, Span, keep_account, runs
from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject, first_text, items, parsed, record, records, text, value

_FLAT_COUNTS = ("promptTokens", "completionTokens", "totalTokens")
# How some integrations name the observations of one call: three events, or three short spans, of
# which BeeAI numbers the calls.
_MOMENT = re.compile(
    r"(.*[^ _.:/-])[ _.:/-]+"
    r"(?:(start(?:ed)?|success|succeeded|finish(?:ed)?|end(?:ed)?|completed?|error|failed)"
    r"|(?:partial_)?update(?=-\d))(-\d{1,18})?",
    re.IGNORECASE,
)
_WHAT = re.compile(r"(tool|agent|llm|model|generation)[ _.:/-]*", re.IGNORECASE)


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trace id."""
    # By id: some exports hold the observations twice.
    spans: dict[str, Span] = {}
    tasks: dict[str, str] = {}
    nameless = 0
    for document in documents:
        for row in document.rows:
            for told, one in _observations(row.value):
                trace = text(told, "id") or unnamed("trace", document.path.name)
                # Observations of the interface come without the trace that tells the task.
                if isinstance(asked := told.get("input"), str):
                    tasks[trace] = asked
                if not text(one, "id"):
                    nameless += 1
                elif text(one, "id") not in spans:
                    spans[text(one, "id")] = _span(one, trace)
    for group in runs(list(spans.values())):
        if any(span.kind != OTHER or _MOMENT.fullmatch(span.title) for span in group):
            run = SpanRecorder(group[0].trace, "langfuse", redaction)
            if nameless:
                run.dropped("an observation without an id", "observations", nameless)
                nameless = 0
            found = handovers(_without_nodes(_joined(group, run), run), run)
            yield run.conversion(found, task=tasks.get(group[0].trace, ""), unit="observation")


def _observations(node: object) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield what tells of the trace, and an observation, for each that a row holds."""
    rows = node if isinstance(node, list) else [node]
    exports = [one for one in rows if items(one, "observations")]
    if not exports and items(node, "data"):
        yield from _observations(value(node, "data"))
    elif not exports:
        exports = [{"observations": rows}]
    for export in exports:
        for one in records(export, "observations"):
            yield record(export, "trace") or record(export), one


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
        name = span.name
        if span.kind == AGENT:
            name = told.agent or told.agent_id or name
        told = replace(told, kind=span.kind, name=name, unknown=span.unknown)
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
        elif span.kind == OTHER and _is_tool(span, nodes):
            span = replace(
                span, kind=TOOL, name=first_text(span.given, "gen_ai.tool.name") or span.name
            )
            keep_account(run.reported, (), [span])
        found.append(span)
    return found


def _is_tool(span: Span, nodes: set[str]) -> bool:
    # What LangGraph does itself in a node is called ChannelWrite<...> or Branch<...>; Koog tells
    # of tools by their attributes only.
    is_in_node = span.parent in nodes and not span.title.endswith(">")
    return is_in_node or "gen_ai.tool.call.id" in span.given


def _joined(spans: Sequence[Span], run: SpanRecorder) -> list[Span]:
    """Make one span of the observations that tell the start, the success and the end of a call."""
    told: dict[tuple[str, str], dict[str, list[Span]]] = {}
    for span in sorted(spans, key=lambda one: (one.begins, one.id)):
        said = _MOMENT.fullmatch(span.title)
        if said is not None and said[2]:
            word = said[2].lower()
            word = "start" if word.startswith("start") else word
            # A number tells which call it is, wherever the observation hangs.
            which = (said[3] or span.parent, said[1])
            told.setdefault(which, {}).setdefault(word, []).append(span)
    calls: dict[str, Span] = {}
    joined: dict[str, str] = {}
    for (_, stem), moments in told.items():
        starts = moments.pop("start", [])
        for span in starts:
            kind = span.kind
            if kind == OTHER and (what := _WHAT.match(stem)):
                kind = TYPES["langfuse-names"][what[1].lower()]
            calls[span.id] = replace(span, kind=kind, name=_WHAT.sub("", stem) or stem)
        for word, ends in moments.items():
            # The first success is that of the first start, and so on.
            for start, span in zip(starts, ends, strict=False):
                joined[span.id] = start.id
                call = calls[start.id]
                calls[start.id] = replace(
                    call,
                    end=max(call.ends, span.ends, span.begins),
                    usage=call.usage.highest(span.usage),
                    answered=call.answered if span.answered is None else span.answered,
                    failed=call.failed or span.failed or word in ("error", "failed"),
                )
    begun_by = set(joined.values())
    found = []
    for span in spans:
        if span.id in joined:
            continue
        said = _MOMENT.fullmatch(span.title)
        if span.id in begun_by:
            span = calls[span.id]
        if said is not None and said[3] and span.kind == AGENT:
            # What the one agent of a run of BeeAI tells of itself, not an agent each time.
            span = replace(span, kind=OTHER)
        found.append(replace(span, parent=joined.get(span.parent, span.parent)))
    # What was joined counts as one; of what kind it is, the source may not state.
    keep_account(run.merged, spans, found)
    if joined:
        run.dropped(
            "an observation of the success or the end of a call, which is one with its start",
            "observations",
            len(joined),
        )
    return found


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


FORMAT = RecordedFormat("langfuse", convert)
