"""Runs of LangSmith: trees of chains, models and tools, with the nodes of LangGraph."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.spans.dialects import USAGE, WORDS, recorded_span, recorded_usage
from corpus.traces.convert.spans.handovers import handovers, with_named_agents
from corpus.traces.convert.spans.tree import Span, Tree, runs
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.document import rows_of
from corpus.traces.lookup import count, first_text, listed, record, records, text, value

# How LangGraph for Python passes control out of a graph: as exceptions (langgraph.errors), which
# the tracer writes as errors, the representation of the exception first. None is a failure: the
# first two ask a person, a ParentCommand hands over to another graph, and a drained graph goes on
# later.
_INTERRUPTS = ("GraphInterrupt(", "NodeInterrupt(")


_CONTROL_FLOW = (*_INTERRUPTS, "ParentCommand(", "GraphDrained(")


def convert(documents: Documents, redaction: Redaction) -> Conversions:
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
        yield recorder.conversion(handovers(_with_agents(group, recorder), recorder))


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
        # At the top, or an agent that is called like a tool.
        is_called = run.parent not in tree.spans or tree.spans[run.parent].kind == "tool"
        if run.given["type"] == "chain" and is_called:
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
    found = {run.id: run for run in group}
    promoted = {}
    for name in candidates:
        run = found[name]
        promoted[name] = replace(run, kind="agent", name=run.given["node"] or run.name)
    marked = Tree.of((found | promoted).values())
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


FORMAT = RecordedFormat("langsmith", convert)
