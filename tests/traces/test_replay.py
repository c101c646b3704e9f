"""Replay: order, state after each event, digest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model.finding import UsageProblem
from corpus.traces.replay import LISTED, Replay, digest
from tests.support.made_traces import act, event, pair, run_of


def test_the_pair_played_to_the_end():
    states = list(Replay(run_of(pair())).states())
    found = [state.event for state in states]
    assert found == ["plan", "make-ann", "make-bob", "ask", "bob-done", "told", "ann-done", "tea"]
    assert [state.live for state in states] == [
        ["lead"],
        ["lead", "ann"],
        ["lead", "ann", "bob"],
        ["lead", "ann", "bob"],
        ["lead", "ann"],
        ["lead", "ann"],
        ["lead"],
        ["lead"],
    ]
    assert [state.open_calls for state in states] == [[], [], [], ["ask"], ["ask"], [], [], []]
    assert [state.steps for state in states] == [1, 1, 1, 3, 4, 4, 5, 6]


def test_untrusted_flow_and_tokens_grow_with_their_events():
    trace = pair()
    event(trace, "told").update(trusted=False, x_tokens=40)
    event(trace, "tea")["x_tokens"] = 2.5
    states = {state.event: state for state in Replay(run_of(trace)).states()}
    found = [states[name].tainted for name in ("ask", "told", "tea")]
    assert found == [[], ["ann"], ["ann", "lead"]]
    assert [states[name].tokens for name in ("ask", "told", "tea")] == [0, 40, 42.5]


def test_until_means_an_id_or_a_number():
    player = Replay(run_of(pair()))
    assert player.position("ask") == player.position("4") == 4
    assert [state.event for state in player.states(2)] == ["plan", "make-ann"]
    for wrong in ("nobody", "0", "9"):
        with pytest.raises(UsageProblem):
            player.position(wrong)


def test_a_cause_comes_first_even_against_the_clock():
    trace = pair()
    event(trace, "plan")["t"] = 100
    assert next(iter(Replay(run_of(trace)).states())).event == "plan"


def test_states_list_the_first_hundred_of_many_open_calls_and_count_them_all():
    trace = pair()
    trace["events"] += [act(f"c{n}", 7, "tool_call", "ann") for n in range(LISTED + 5)]
    last = list(Replay(run_of(trace)).states())[-1]
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
    live = {state.event: state.live for state in Replay(run_of(trace)).states()}
    assert live["bob-done"] == ["lead", "ann"]
