"""Replay: order, state after each event, digest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.replay import LISTED, digest, states
from tests.support.made_traces import act, event, pair, run_of


def test_the_pair_played_to_the_end():
    played = list(states(run_of(pair())))
    found = [state.event for state in played]
    assert found == ["plan", "make-ann", "make-bob", "ask", "bob-done", "told", "ann-done", "tea"]
    assert [state.live for state in played] == [
        ["lead"],
        ["lead", "ann"],
        ["lead", "ann", "bob"],
        ["lead", "ann", "bob"],
        ["lead", "ann"],
        ["lead", "ann"],
        ["lead"],
        ["lead"],
    ]
    assert [state.open_calls for state in played] == [[], [], [], ["ask"], ["ask"], [], [], []]
    assert [state.steps for state in played] == [1, 1, 1, 3, 4, 4, 5, 6]


def test_untrusted_flow_and_tokens_grow_with_their_events():
    trace = pair()
    event(trace, "told").update(trusted=False, x_tokens=40)
    event(trace, "tea")["x_tokens"] = 2.5
    played = {state.event: state for state in states(run_of(trace))}
    found = [played[name].tainted for name in ("ask", "told", "tea")]
    assert found == [[], ["ann"], ["ann", "lead"]]
    assert [played[name].tokens for name in ("ask", "told", "tea")] == [0, 40, 42.5]


def test_a_cause_comes_first_even_against_the_clock():
    trace = pair()
    event(trace, "plan")["t"] = 100
    assert next(iter(states(run_of(trace)))).event == "plan"


def test_states_list_the_first_hundred_of_many_open_calls_and_count_them_all():
    trace = pair()
    trace["events"] += [act(f"c{n}", 7, "tool_call", "ann") for n in range(LISTED + 5)]
    last = list(states(run_of(trace)))[-1]
    assert (len(last.open_calls), last.counts[1]) == (LISTED, LISTED + 5)


def test_the_digest_is_the_one_computed_elsewhere():
    """Written down once; a change of it on another machine or version is a bug, or a change of what replay means."""
    assert (
        digest(run_of(pair())) == "cc2cc4bd90e73e7cede579febad3dcf9c82722ed00ae2a86d30870f00c019487"
    )


@given(st.randoms(use_true_random=False))
def test_the_digest_does_not_depend_on_the_order_of_keys_edges_and_distinct_times(shuffle):
    trace = pair()
    for number, one in enumerate(trace["events"]):
        one["t"] += number / 100
    expected = digest(run_of(trace))
    shuffle.shuffle(trace["edges"])
    shuffle.shuffle(trace["events"])
    trace["events"] = [dict(shuffle.sample(list(one.items()), len(one))) for one in trace["events"]]
    assert digest(run_of(trace)) == expected


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("ask", "agent", "lead"),
        ("ask", "x_steps", 3),
        ("told", "trusted", False),
        ("told", "x_tokens", 1),
        ("tea", "t", 7),
    ],
)
def test_the_digest_changes_with_what_a_replay_shows(name, key, value):
    trace = pair()
    event(trace, name)[key] = value
    assert digest(run_of(trace)) != digest(run_of(pair()))


def test_a_return_recorded_at_the_parent_ends_the_child():
    trace = pair()
    event(trace, "bob-done")["agent"] = "lead"
    live = {state.event: state.live for state in states(run_of(trace))}
    assert live["bob-done"] == ["lead", "ann"]
