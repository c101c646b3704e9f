"""Runs of LangSmith: which chains are agents, what failed, and what was spent."""

import pytest

from corpus.traces.convert.readers.langsmith import FORMAT
from tests.support.converted import lost, one_run, recorded, shown, stop_of
from tests.support.recorded_langsmith import langsmith_runs
from tests.support.recorded_samples import iso
from tests.support.recorded_traces import only


def ran(identity, kind, start, end, above="", /, **more):
    """A run; `node` in `more` is the node of a graph that it is in."""
    times = {"start_time": iso(start), "end_time": iso(end)}
    node = more.pop("node", "")
    extra = {"metadata": {"langgraph_node": node}} if node else {}
    ids = {"id": identity, "parent_run_id": above or None, "trace_id": "t"}
    return {**ids, "name": identity, "run_type": kind, **times, "extra": extra, **more}


def agents(*rows):
    found = one_run(FORMAT, *rows)
    return {event["agent"] for event in found.trace["events"]}


def test_runs_in_a_circle_are_still_a_trace():
    rows = langsmith_runs()
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        row["parent_run_id"] = other["id"]
    found = one_run(FORMAT, *rows)
    assert found.trace["events"]


def nodes(*names):
    rows = [ran("graph", "chain", 0, 99)]
    for number, name in enumerate(names):
        start = 10 * number
        rows.append(ran(f"n{number}", "chain", start + 1, start + 9, "graph", name=name, node=name))
        rows.append(ran(f"m{number}", "llm", start + 2, start + 3, f"n{number}"))
    return rows


def test_a_step_inside_a_node_is_not_the_node():
    rows = nodes("planner", "writer")
    inner = ran("step", "chain", 2, 8, "n0", node="planner")
    rows = [{**row, "parent_run_id": "step"} if row["id"] == "m0" else row for row in rows]
    assert agents(*rows, inner) == {"planner", "writer"}


@pytest.mark.parametrize(
    ("error", "failed", "stop"),
    [
        ("", None, "implicit"),
        (None, None, "implicit"),
        ("ValueError('no')Traceback", True, "implicit"),
        # LangGraph raises these to pass control; a person is asked with the first two.
        ("GraphInterrupt((Interrupt(value='ok?'),))Traceback", None, "external"),
        ("NodeInterrupt([Interrupt(value='ok?')])Traceback", None, "external"),
        ("ParentCommand(Command(graph='__parent__', goto='writer'))", None, "implicit"),
        ("GraphDrained('Graph drained: shutdown')", None, "implicit"),
        # A class of somebody else with such a name.
        ("GraphInterruptError('broken')", True, "implicit"),
        ("ValueError('GraphInterrupt()')", True, "implicit"),
    ],
)
def test_what_passes_control_is_no_failure(error, failed, stop):
    rows = [ran("top", "chain", 0, 9), ran("web", "tool", 1, 2, "top", error=error)]
    found = one_run(FORMAT, *rows)
    assert only(found.trace, type="tool_result").get("x_error") == failed
    assert stop_of(found.trace) == stop
    waiting = [("dropped", 1)] if stop == "external" else []
    assert lost(found, "waits for a person") == waiting


@pytest.mark.parametrize("nest", ["child_runs", "dotted_order", "parent_run_id"])
def test_a_tree_is_told_by_nesting_by_order_or_by_parents(nest):
    rows = [ran("top", "chain", 0, 9), ran("web", "tool", 1, 2, "top")]
    if nest == "dotted_order":
        rows = [{**row, "parent_run_id": None} for row in rows]
        rows[0]["dotted_order"] = "20260101T000000000000Ztop"
        rows[1]["dotted_order"] = "20260101T000000000000Ztop.20260101T000001000000Zweb"
    if nest == "child_runs":
        rows = [{**rows[0], "child_runs": [{**rows[1], "parent_run_id": None, "trace_id": None}]}]
    found = one_run(FORMAT, *rows)
    assert shown(found.trace) == [("tool_call", "top"), ("tool_result", "top"), ("return", "top")]
    assert FORMAT.recognise(recorded(*rows))


USED = {
    "input_tokens": 50,
    "output_tokens": 7,
    "input_token_details": {"cache_read": 30, "cache_creation": 5},
    "output_token_details": {"reasoning": 2},
}


@pytest.mark.parametrize(
    "more",
    [
        {"outputs": {"usage_metadata": USED}},
        {"outputs": {"generations": [[{"message": {"kwargs": {"usage_metadata": USED}}}]]}},
        {"outputs": {"generations": [[{"message": {"usage_metadata": USED}}]]}},
        {"extra": {"metadata": {"usage_metadata": USED}}},
        {
            "prompt_tokens": 50,
            "completion_tokens": 7,
            "total_tokens": 57,
            "prompt_token_details": USED["input_token_details"],
            "completion_token_details": USED["output_token_details"],
        },
    ],
)
def test_tokens_are_found_in_each_of_their_places(more):
    found = one_run(FORMAT, ran("m", "llm", 0, 1, **more))
    kinds = ("input", "cached", "cache_write", "output", "reasoning")
    (event,) = shown(found.trace, *(f"x_tokens_{kind}" for kind in kinds))
    assert event[2:] == (15, 30, 5, 7, 2)
