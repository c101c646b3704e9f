"""What targets share: which tokens an event states, and whether a model was called."""

import pytest

from corpus.traces.emit.target import (
    call_id,
    completion_tokens,
    is_model_step,
    prompt_tokens,
    return_of,
    spawn_of,
    stated,
    unsorted_tokens,
)
from tests.support.made_traces import event, pair, run_of


def made(**keys):
    trace = pair()
    del event(trace, "plan")["x_steps"]
    event(trace, "plan").update({f"x_{name}": value for name, value in keys.items()})
    run = run_of(trace)
    return run.events[run.index["plan"]]


@pytest.mark.parametrize(
    ("keys", "prompt", "completion", "unsorted", "called"),
    [
        ({}, None, None, None, False),
        ({"tokens": 5}, None, None, 5, True),
        ({"tokens": 1}, None, None, 1, True),
        ({"tokens": 0}, None, None, 0, False),
        ({"tokens": 9, "tokens_input": 5}, 5, None, None, True),
        ({"tokens": 9, "tokens_output": 4}, None, 4, None, True),
        (
            {
                "tokens": 9,
                "tokens_input": 2,
                "tokens_cached": 1,
                "tokens_cache_write": 2,
                "tokens_output": 4,
            },
            5,
            4,
            None,
            True,
        ),
        ({"tokens_input": 0}, 0, None, None, False),
        ({"steps": 1}, None, None, None, True),
        ({"steps": 0}, None, None, None, False),
    ],
)
def test_tokens_are_those_that_an_event_states(keys, prompt, completion, unsorted, called):
    found = made(**keys)
    numbers = (prompt_tokens(found), completion_tokens(found), unsorted_tokens(found))
    assert numbers == (prompt, completion, unsorted)
    assert is_model_step(found) is called


def test_a_call_is_known_by_its_own_id_or_that_of_its_event():
    assert call_id(made(call_id="c9")) == "c9"
    assert call_id(made()) == "plan"
    assert stated("", "unknown") == stated(None, "unknown") == "unknown"
    assert stated("shop", "unknown") == "shop"


def test_each_agent_has_one_spawn_and_its_last_return():
    run = run_of(pair())
    spawns = {name: run.events[place].to for name, place in spawn_of(run).items()}
    assert spawns == {name: name for name in run.parents}
    assert {run.events[place].type for place in return_of(run).values()} <= {"return"}
