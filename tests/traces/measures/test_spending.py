"""Tokens by agent, model and kind: what was not recorded is unknown, not 0."""

import pytest

from corpus.traces.measures.spending import known_tokens, spending
from tests.support.made_traces import event, pair, run_of


def spent(**usage):
    """Spending of the pair where some events, named with _ for -, state usage."""
    trace = pair()
    for name, keys in usage.items():
        event(trace, name.replace("_", "-")).update(keys)
    return spending(run_of(trace))


def stated(tokens):
    return {name: number for name, number in tokens.items() if number is not None}


def test_agents_models_and_kinds_are_kept_apart_and_an_event_may_state_only_kinds():
    agents, models, whole = spent(
        ask={"x_model": "m", "x_tokens_input": 3, "x_tokens_output": 2, "x_tokens_reasoning": 1},
        ann_done={"x_model": "n", "x_tokens": 9},
        bob_done={"x_model": "m", "x_tokens": 7, "x_tokens_input": 1},
        plan={"x_model": "m"},
    )
    # Reasoning is part of the output: 3 + 2, not 3 + 2 + 1.
    kinds = {"input": 3, "output": 2, "reasoning": 1}
    assert list(map(stated, agents.values())) == [
        {"tokens": 14, **kinds},
        {"tokens": 7, "input": 1},
    ]
    assert list(map(stated, models.values())) == [
        {**kinds, "tokens": 12, "input": 4},
        {"tokens": 9},
    ]
    assert (list(agents), list(models)) == (["ann", "bob"], ["m", "n"])
    assert whole == {**kinds, "tokens": 21, "input": 4, "cached": None, "cache_write": None}


def test_a_stated_zero_is_recorded():
    _, models, _ = spent(ask={"x_tokens_cached": 0})
    assert stated(models[""]) == {"tokens": 0, "cached": 0}


@pytest.mark.parametrize(
    ("declared", "usage", "expected"),
    [(600, {}, 600), (0, {}, None), (0, {"x_tokens": 0}, 0), (0, {"x_tokens_reasoning": 0}, 0)],
)
def test_declared_tokens_of_zero_are_unknown_unless_an_event_states_some(declared, usage, expected):
    trace = pair()
    trace["costs"]["tokens"] = declared
    event(trace, "ask").update(usage)
    assert known_tokens(run_of(trace)) == expected
