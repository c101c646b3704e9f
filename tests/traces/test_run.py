"""A trace as a run: who took part and when, who spawned whom, where it ends."""

from hypothesis import given

from corpus.traces.run import Life
from tests.support.made_traces import act, event, pair, run_of, runs


def test_the_team_is_listed_along_the_spawn_tree():
    trace = pair()
    trace["events"] += [
        act("make-cy", 2, "spawn", "ann", to="cy"),
        act("stop", 3, "human_intervention", "user"),
    ]
    event(trace, "told")["agent"] = "shop"
    run = run_of(trace)
    assert run.agents == ["lead", "ann", "cy", "bob"]
    assert run.depths == {"lead": 0, "ann": 1, "cy": 2, "bob": 1}
    assert run.branches == {"lead": "lead", "ann": "ann", "cy": "ann", "bob": "bob"}
    assert (run.tools, run.outsiders) == ({"shop"}, {"user"})


def test_agents_that_spawn_each_other_in_a_circle_are_listed_once():
    trace = pair()
    trace["events"] += [act("x", 1, "spawn", "cy", to="di"), act("y", 2, "spawn", "di", to="cy")]
    run = run_of(trace)
    assert run.agents == ["lead", "ann", "bob", "di", "cy"]


def test_the_run_ends_at_its_stop_reason_else_with_the_main_agent():
    trace = pair()
    trace["events"] += [
        act("end-ann", 7, "despawn", "lead", to="ann"),
        act("late", 8, "message", "ann", x_end=9),
    ]
    run = run_of(trace)
    assert (run.events[run.end].id, run.finish) == ("tea", 9)
    event(trace, "ask")["x_stop_reason"] = "external"
    run = run_of(trace)
    assert run.events[run.end].id == "ask"


@given(runs())
def test_an_agent_is_there_from_its_spawn_or_first_event_to_its_last(run):
    moments: dict[object, list[float]] = {}
    for one in run.events:
        moments.setdefault(one.agent, []).extend((one.t, run.until(run.index[one.id])))
        if one.type in ("spawn", "despawn"):
            moments.setdefault(one.to, []).append(one.t)
    assert run.lives == {name: Life(min(moments[name]), max(moments[name])) for name in run.agents}
