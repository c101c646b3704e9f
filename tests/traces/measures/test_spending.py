"""Tokens by agent, model and kind: what was not recorded is unknown, not 0."""

import pytest

from corpus.traces.measures.spending import (
    Spent,
    by_agent,
    by_model,
    kinds_of,
    known_tokens,
    spending,
)
from tests.support.made_traces import event, pair, run_of


def spent(**usage):
    """Spending of the pair where some events, named with _ for -, state usage."""
    trace = pair()
    for name, keys in usage.items():
        event(trace, name.replace("_", "-")).update(keys)
    return spending(run_of(trace))


def test_models_and_kinds_are_kept_apart_and_an_event_may_state_only_kinds():
    found = spent(
        ask={"x_model": "m", "x_tokens_input": 3, "x_tokens_output": 2, "x_tokens_reasoning": 1},
        ann_done={"x_model": "n", "x_tokens": 9},
        plan={"x_model": "m"},
    )
    # Reasoning is part of the output: 3 + 2, not 3 + 2 + 1.
    kinds = {"input": 3, "output": 2, "reasoning": 1}
    assert found == [Spent("ann", "m", 5, kinds), Spent("ann", "n", 9, {})]


def test_a_stated_zero_is_recorded():
    assert spent(ask={"x_tokens_cached": 0}) == [Spent("ann", "", 0, {"cached": 0})]


def test_spending_is_added_by_agent_or_by_model_and_not_changed():
    found = [
        Spent("ann", "m", 5, {"input": 3}),
        Spent("bob", "m", 7, {"input": 1, "output": 2}),
        Spent("ann", "", 2, {}),
    ]
    assert by_agent(found) == [
        Spent("ann", "", 7, {"input": 3}),
        Spent("bob", "", 7, {"input": 1, "output": 2}),
    ]
    assert by_model(found) == [Spent("", "m", 12, {"input": 4, "output": 2}), Spent("", "", 2, {})]
    assert found[0] == Spent("ann", "m", 5, {"input": 3})
    assert kinds_of(found) == {
        "input": 4,
        "cached": None,
        "cache_write": None,
        "output": 2,
        "reasoning": None,
    }


@pytest.mark.parametrize(
    ("kinds", "unsorted"),
    [({}, 10), ({"input": 4, "reasoning": 3}, 6), ({"input": 8, "output": 4}, 0)],
)
def test_tokens_of_no_stated_kind_are_the_rest(kinds, unsorted):
    assert Spent("ann", "m", 10, kinds).unsorted == unsorted


@pytest.mark.parametrize(
    ("declared", "usage", "expected"),
    [(600, {}, 600), (0, {}, None), (0, {"x_tokens": 0}, 0), (0, {"x_tokens_reasoning": 0}, 0)],
)
def test_declared_tokens_of_zero_are_unknown_unless_an_event_states_some(declared, usage, expected):
    trace = pair()
    trace["costs"]["tokens"] = declared
    event(trace, "ask").update(usage)
    assert known_tokens(run_of(trace)) == expected
