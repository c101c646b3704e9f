"""Runs of recorders whose spans have types of their own, as they export them.

Traces and observations of Langfuse; runs of LangSmith, which are trees of chains, models and tools
with the nodes of LangGraph; traces and spans of the OpenAI Agents SDK.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.spans.attribute_spans import handovers, with_named_agents
from corpus.traces.convert.spans.dialects import (
    TYPES,
    USAGE,
    WORDS,
    agent_in_title,
    read_span,
    recorded_span,
    recorded_usage,
    usage_of_details,
)
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import Span, Tree, runs
from corpus.traces.convert.usage import NO_USAGE, Usage, stated_usage
from corpus.traces.document import rows_of
from corpus.traces.lookup import (
    JsonObject,
    count,
    first_text,
    items,
    listed,
    parsed,
    record,
    records,
    text,
    value,
)

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


def _convert_langfuse(documents: Documents, redaction: Redaction) -> Conversions:
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


# How LangGraph for Python passes control out of a graph: as exceptions (langgraph.errors), which
# the tracer writes as errors, the representation of the exception first. None is a failure: the
# first two ask a person, a ParentCommand hands over to another graph, and a drained graph goes on
# later.
_INTERRUPTS = ("GraphInterrupt(", "NodeInterrupt(")
_CONTROL_FLOW = (*_INTERRUPTS, "ParentCommand(", "GraphDrained(")


def _convert_langsmith(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trace id."""
    by_id: dict[str, Span] = {}
    for row in rows_of(documents):
        for run in _runs_of(row.value):
            # The answer of the interface repeats child runs beside and below their parents.
            by_id.setdefault(run.id, run)
    for group in runs(list(by_id.values())):
        if all(run.kind == "other" for run in group):
            continue
        recorder = SpanRecorder(group[0].trace, "langsmith", redaction)
        if any(run.given["waits"] for run in group):
            # The run stops there until a person answers, which is another trace.
            recorder.stop_reason = "external"
            recorder.dropped(
                "a run that waits for a person; the answer is in another trace", "runs"
            )
        spans = _with_agents(group, recorder)
        yield recorder.conversion(handovers(spans, recorder), unit="run")


def _with_agents(group: Sequence[Span], recorder: SpanRecorder) -> list[Span]:
    """Return all spans; the chains that are agents are marked as such.

    A chain is one if it is at the top, a node of a graph with several acting nodes, or started by a
    tool, and if it calls models or tools itself. Frameworks call many groups of steps a chain.
    """
    group = with_named_agents(group)
    tree = Tree.of(group)
    # What has an agent of its own above it needs none to be found.
    acting = []
    for run in group:
        if run.kind not in ("other", "agent") and tree.nearest_above(run, "agent") is None:
            acting.append(run)
    candidates = set()
    for run in group:
        parent = tree.spans.get(run.parent)
        # At the top, or an agent that is called like a tool.
        if run.given["type"] == "chain" and (parent is None or parent.kind == "tool"):
            candidates.add(run.id)
    # The nodes that models or tools were called in, by the graph that they are in.
    nodes_of = defaultdict(list)
    taken = set()
    for run in acting:
        for above in tree.above(run):
            # What is above a node that was taken was taken with it.
            if above.id in taken:
                break
            taken.add(above.id)
            if above.given["node"] not in WORDS["inner_nodes"]:
                nodes_of[above.parent].append(above)
    for nodes in nodes_of.values():
        # A graph with one acting node is itself the agent.
        if len({run.given["node"] for run in nodes}) > 1:
            candidates.update(run.id for run in nodes)
            recorder.inferred(
                "nodes of a graph with several acting nodes count as agents", nodes[0].id
            )
    promoted = {}
    for run in group:
        if run.id in candidates:
            promoted[run.id] = replace(run, kind="agent", name=run.given["node"] or run.name)
    marked = Tree.of(promoted.get(run.id, run) for run in group)
    found = {run.id: run for run in group}
    for run in acting:
        if agent := marked.agent_above(run):
            found[agent.id] = promoted[agent.id]
    return list(found.values())


def _runs_of(node: object) -> Iterator[Span]:
    """Yield a run and all below it, or all of a list; a hostile depth never recurses."""
    waiting = [(one, "", "") for one in reversed(listed(node, "runs"))]
    while waiting:
        written, parent, trace = waiting.pop()
        if not (text(written, "run_type") and text(written, "id")):
            continue
        kind = text(written, "run_type").lower()
        metadata = record(written, "extra.metadata")
        asked_for = record(written, "extra.invocation_params")
        # The ids of the runs from the top to this one, of TIMEZid.TIMEZid.
        order = [part.partition("Z")[2] for part in text(written, "dotted_order").split(".")]
        error = text(written, "error")
        inputs = value(written, "inputs")
        if isinstance(inputs, dict) and len(inputs) == 1:
            # Without the object around it, where it is the only key.
            (inputs,) = inputs.values()
        model = text(metadata, "ls_model_name") or first_text(asked_for, "model", "model_name")
        of_run, *of_outputs = USAGE["langsmith"]
        places = []
        if count(written, "total_tokens"):
            places.append(of_run)
        if kind == "llm":
            # Of other runs, outputs hold what others spent.
            places += of_outputs
        node = text(metadata, "langgraph_node")
        span = recorded_span(
            written,
            "langsmith",
            usage=recorded_usage(written, places, model),
            failed=bool(error) and not error.startswith(_CONTROL_FLOW),
            asked=inputs,
            contents={"tool_definitions": value(asked_for, "tools")},
            scope="langsmith",
            given={
                "type": kind,
                "lc_agent_name": text(metadata, "lc_agent_name"),
                # A step inside of a node is a run of its own.
                "node": node if node == text(written, "name") else "",
                "waits": error.startswith(_INTERRUPTS),
            },
        )
        # Some exports leave out the parent; the order of a run names all that are above it.
        above = span.parent or parent or "".join(order[-2:-1])
        run = replace(span, parent=above, trace=span.trace or trace or order[0] or span.id)
        yield run
        # Reversed, since the last one that waits is taken first.
        for child in reversed(records(written, "child_runs")):
            waiting.append((child, run.id, run.trace))


def _convert_openai_agents(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trace id."""
    written = []
    for row in rows_of(documents):
        for one in listed(row.value, "data"):
            if text(one, "object") == "trace.span" and text(one, "id"):
                written.append((one, recorded_span(one, "openai-agents")))
    # Before anything else, since a turn is written after the model call that it holds: the usage of
    # each turn with exactly one call, and by trace that of others, whose call nobody can tell.
    calls: dict[str, dict[str, bool]] = defaultdict(dict)
    for one, span in written:
        if span.kind == "model":
            calls[span.parent][span.id] = _usage(one, "usage").total > 0
    turns = {}
    lost: dict[str, Usage] = defaultdict(Usage)
    for one, span in written:
        if text(one, "span_data.type") in ("custom", "turn"):
            own = calls[span.id]
            usage = _usage(one, "data.usage")
            if len(own) == 1 and span.id not in turns:
                turns[span.id] = usage
            elif span.name != "task" and not any(own.values()):
                lost[span.trace] = lost[span.trace].plus(usage)
    spans = []
    for one, span in written:
        usage = NO_USAGE
        failed = bool(value(one, "error"))
        if span.kind == "model":
            usage = _usage(one, "usage")
            if not usage.total:
                # A response span has no usage of its own; its turn has.
                usage = turns.pop(span.parent, NO_USAGE)
            usage = usage._replace(model=text(one, "span_data.model"))
        elif span.kind == "guard":
            # Whether a guardrail fired; that it failed itself would be another matter.
            failed = value(one, "span_data.triggered") is True
        spans.append(replace(span, usage=usage, failed=failed))
    for group in runs(spans):
        trace = group[0].trace
        run = SpanRecorder(trace, "openai-agents", redaction)
        spent = lost[trace]
        if spent.total:
            run.missing(
                "tokens of a turn without a model call, or of several", "usage", spent.total
            )
        # A turn states that the model decides, so a decision is not inferred.
        yield run.conversion(group, decision_marks=())


def _usage(written: object, path: str) -> Usage:
    """Return the tokens; cached ones are part of the input here, reasoning of the output."""
    return stated_usage(value(written, f"span_data.{path}"), *USAGE["openai-agents"])


LANGFUSE = RecordedFormat("langfuse", _convert_langfuse)
LANGSMITH = RecordedFormat("langsmith", _convert_langsmith)
OPENAI_AGENTS = RecordedFormat("openai-agents", _convert_openai_agents)
