"""What a trace declares, beside its events and edges: the value, the place, the boundary."""

import pytest

from corpus.traces.checks.validate import token_kinds
from tests.support.made_traces import event, pair, run_of


def places(check, trace):
    """The shown value of each problem, by its place."""
    return {problem.path: problem.value for problem in check(run_of(trace))}


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
