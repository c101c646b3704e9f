"""Traces and observations of Langfuse, as they are downloaded or come from its interface."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.spans.dialects import (
    TYPES,
    agent_in_title,
    read_span,
    recorded_span,
    usage_of_details,
)
from corpus.traces.convert.spans.handovers import handovers
from corpus.traces.convert.spans.tree import Span, runs
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.convert.usage import Usage
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
    spans = {}
    tasks = {}
    nameless = 0
    for document in documents:
        for row in document.rows:
            for told, one in _observations(row.value):
                trace = text(told, "id") or unnamed("trace", document.path.name)
                # Observations of the interface come without the trace that tells the task.
                if isinstance(asked := told.get("input"), str):
                    tasks[trace] = asked
                name = text(one, "id")
                if not name:
                    nameless += 1
                elif name not in spans:
                    spans[name] = _observation(one, trace)
    for group in runs(list(spans.values())):
        if any(span.kind != "other" or _MOMENT.fullmatch(span.title) for span in group):
            run = SpanRecorder(group[0].trace, "langfuse", redaction)
            if nameless:
                run.missing("an observation without an id", "observations", nameless)
                nameless = 0
            found = handovers(_without_nodes(_joined(group, run)), run)
            yield run.conversion(found, task=tasks.get(group[0].trace, ""))


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


def _observation(written: JsonObject, trace: str) -> Span:
    title = text(written, "name")
    metadata = parsed(value(written, "metadata"))
    span = recorded_span(
        written,
        "langfuse",
        trace=text(written, "traceId") or trace,
        usage=_observed_usage(written),
        failed=text(written, "level") == "ERROR",
        given=record(parsed(value(metadata, "attributes"))),
    )
    span = replace(span, name=agent_in_title(title) if span.kind == "agent" else title)
    if agent := text(metadata, "lc_agent_name"):
        span.given["lc_agent_name"] = agent
    if not span.given:
        return span
    # What the attributes tell that it was sent with, and the type does not.
    told = read_span(span)
    usage = span.usage
    if not usage.total:
        usage = told.usage
    if told.kind == "other":
        name = span.name
        if span.kind == "agent":
            name = told.agent or told.agent_id or name
        told = replace(told, kind=span.kind, name=name, unknown=span.unknown)
    elif told.name == title:
        told = replace(told, name=span.name)
    return replace(told, usage=usage, asked=span.asked, answered=span.answered)


def _without_nodes(spans: Sequence[Span]) -> list[Span]:
    """Let what is below a node called ``tools`` be tools, as LangGraph records them."""
    nodes = {span.id for span in spans if span.title == "tools" and span.kind in ("other", "tool")}
    nodes &= {span.parent for span in spans}
    found = []
    for span in spans:
        # What LangGraph does itself in a node is called ChannelWrite<...> or Branch<...>; Koog
        # tells of tools by their attributes only.
        is_in_node = span.parent in nodes and not span.title.endswith(">")
        is_tool = is_in_node or "gen_ai.tool.call.id" in span.given
        if span.id in nodes:
            span = replace(span, kind="other")
        elif span.kind == "other" and is_tool:
            name = first_text(span.given, "gen_ai.tool.name") or span.name
            span = replace(span, kind="tool", name=name)
        found.append(span)
    return found


def _joined(spans: Sequence[Span], run: SpanRecorder) -> list[Span]:
    """Make one span of the observations that tell the start, the success and the end of a call."""
    starts = defaultdict(list)
    calls = {}
    ends = []
    numbered = set()
    for span in sorted(spans, key=lambda one: (one.begins, one.id)):
        said = _MOMENT.fullmatch(span.title)
        if said is None:
            continue
        title, word, number = said.groups("")
        # A number tells which call it is, wherever the observation hangs.
        which = (number or span.parent, title)
        if number:
            numbered.add(span.id)
        if word.lower().startswith("start"):
            starts[which].append(span.id)
            kind = span.kind
            if kind == "other" and (match := _WHAT.match(title)):
                kind = TYPES["langfuse-names"][match[1].lower()]
            calls[span.id] = replace(span, kind=kind, name=_WHAT.sub("", title) or title)
        elif word:
            ends.append((which, word.lower(), span))
    joined = {}
    waiting: dict[tuple[str, ...], deque[str]] = {}
    for which, word, span in ends:
        # The first success is that of the first start, and so on.
        queue = waiting.setdefault((*which, word), deque(starts[which]))
        if queue:
            start = joined[span.id] = queue.popleft()
            call = calls[start]
            calls[start] = replace(
                call,
                end=max(call.ends, span.ends, span.begins),
                usage=call.usage.highest(span.usage),
                answered=span.answered or call.answered or None,
                failed=call.failed or span.failed or word in ("error", "failed"),
            )
    begun_by = set(joined.values())
    found = []
    for span in spans:
        if span.id in joined:
            continue
        if span.id in begun_by:
            span = calls[span.id]
        if span.kind == "agent" and span.id in numbered:
            # What the one agent of a run of BeeAI tells of itself, not an agent each time.
            span = replace(span, kind="other")
        found.append(replace(span, parent=joined.get(span.parent, span.parent)))
    if joined:
        what = "an observation of the success or the end of a call, which is one with its start"
        run.dropped(what, "observations", len(joined))
    return found


def _observed_usage(written: JsonObject) -> Usage:
    model = first_text(written, "model", "providedModelName")
    # Since version 3; before, one of two sets of flat fields.
    details = record(parsed(value(written, "usageDetails"))) or record(written, "usage")
    if text(details, "unit") not in ("", "TOKENS"):
        # Characters, images or seconds.
        return Usage(model=model)
    found = usage_of_details(details, model)
    if found.total:
        return found
    return usage_of_details({name: value(written, name) for name in _FLAT_COUNTS}, model)


FORMAT = RecordedFormat("langfuse", convert)
