"""What targets share: which tokens an event states, and whether a model was called."""

import pytest

from corpus.traces.convert.format import LossList
from corpus.traces.emit.target import (
    call_id,
    completion_tokens,
    is_model_step,
    note_clock,
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


@pytest.mark.parametrize("has_clock", [True, False])
def test_a_run_without_a_clock_is_told_from_one_without_a_date(has_clock):
    trace = pair()
    if not has_clock:
        for one in trace["events"]:
            one["x_inferred"] = ["t"]
    losses = LossList()
    assert note_clock(run_of(trace), losses) is has_clock
    (loss,) = losses.all()
    assert (loss.kind, loss.place) == ("inferred", "times")
    assert ("no clock" in loss.what) is not has_clock


def test_of_agents_that_spawn_each_other_in_a_circle_the_first_has_no_parent():
    trace = pair()
    trace["events"].append({"id": "back", "t": 9, "type": "spawn", "agent": "ann", "to": "lead"})
    run = run_of(trace)
    assert {name: run.events[place].id for name, place in spawn_of(run).items()} == {
        "ann": "make-ann",
        "bob": "make-bob",
    }


def test_the_last_of_several_returns_counts():
    trace = pair()
    again = {"id": "again", "t": 5.5, "type": "return", "agent": "ann", "from": "ann", "to": "lead"}
    trace["events"].append(again)
    run = run_of(trace)
    assert {name: run.events[place].id for name, place in return_of(run).items()} == {
        "ann": "again",
        "bob": "bob-done",
    }
