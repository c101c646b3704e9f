"""What a trace declares, beside its events and edges: the value, the place, the boundary."""

import pytest

from corpus.traces.checks.validate import edge_types, token_kinds
from tests.support.made_traces import act, edge, event, pair, run_of


def places(check, trace):
    """The shown value of each problem, by its place."""
    return {problem.path: problem.value for problem in check(run_of(trace))}


@pytest.mark.parametrize(
    ("kind", "source", "target", "fits"),
    [
        ("spawn", "spawn", "message", True),
        ("spawn", "message", "spawn", True),
        ("spawn", "message", "return", False),
        ("message", "message", "return", True),
        ("message", "return", "message", False),
        ("tool_dependency", "tool_call", "message", True),
        ("tool_dependency", "message", "tool_result", True),
        ("tool_dependency", "message", "aggregate", False),
        ("return", "return", "message", True),
        ("return", "message", "return", True),
        ("return", "tool_call", "tool_result", True),
        ("return", "tool_result", "tool_call", False),
        ("aggregate", "return", "aggregate", True),
        ("aggregate", "aggregate", "return", False),
        ("safety_flow", "safety_event", "message", True),
        ("safety_flow", "message", "human_intervention", True),
        ("safety_flow", "message", "message", False),
        ("causal", "aggregate", "spawn", True),
    ],
)
def test_an_edge_type_fits_or_does_not_fit_the_events_at_its_ends(kind, source, target, fits):
    trace = pair()
    trace["events"] = [act("one", 0, source, "lead"), act("two", 1, target, "lead")]
    trace["edges"] = [edge("one", "two", kind)]
    expected = {} if fits else {"/edges/0/type": kind}
    assert places(edge_types, trace) == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"x_tokens": 10, "x_tokens_input": 4, "x_tokens_output": 6}, {}),
        ({"x_tokens": 10, "x_tokens_input": 4}, {}),
        ({"x_tokens": 10, "x_tokens_input": 4, "x_tokens_output": 7}, {"/events/3": "11"}),
        ({"x_tokens": 10, "x_tokens_cached": 11}, {"/events/3": "11"}),
        ({"x_tokens": 10, "x_tokens_cache_write": 11}, {"/events/3": "11"}),
        # Reasoning is part of the output, so it is not added to it.
        ({"x_tokens": 10, "x_tokens_output": 10, "x_tokens_reasoning": 10}, {}),
        ({"x_tokens_output": 5}, {"/events/3": "5"}),
        ({"x_tokens_output": 0}, {}),
    ],
)
def test_kinds_of_tokens_add_up_to_all_of_them_at_most(usage, expected):
    trace = pair()
    event(trace, "ask").update(usage)
    assert places(token_kinds, trace) == expected
