"""A trace as a run: who took part and when, who spawned whom, where it ends."""

import pytest
from hypothesis import given

from corpus.traces.measures.metrics import measure
from corpus.traces.run import Life
from tests.support.made_traces import act, codes, edge, event, pair, run_of, runs


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


# Producers that name the new agent of a spawn as the acting one.


@pytest.fixture
def published():
    """A lead that spawns a planner, which spawns an executor; each spawn names its own new agent."""
    return {
        "trace_id": "t",
        "task_id": "task",
        "events": [
            act("e1", 0, "orchestrator_decision", "lead"),
            act("e2", 1, "spawn", "planner", role="planner"),
            act("e3", 2, "orchestrator_decision", "planner"),
            act("e4", 3, "spawn", "executor", role="executor"),
            act("e5", 4, "return", "executor", to="planner"),
            act("e6", 5, "return", "planner", to="lead"),
            act("e7", 6, "aggregate", "lead"),
        ],
        "edges": [
            edge("e1", "e2", "spawn"),
            edge("e2", "e3", "causal"),
            edge("e3", "e4", "spawn"),
            edge("e4", "e5", "causal"),
            edge("e5", "e6", "return"),
            edge("e6", "e7", "aggregate"),
        ],
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 6},
    }


def test_the_spawner_is_the_agent_that_the_edge_comes_from(published):
    run = run_of(published)
    assert run.parents == {"planner": "lead", "executor": "planner"}
    assert run.depths == {"lead": 0, "planner": 1, "executor": 2}
    assert run.events[1].x_inferred == ["agent", "to"]
    values = measure(run).values
    assert (values["depth"], values["fan_out_mean"]) == (2, 1)
    assert codes(published) == []


def test_a_stated_sender_spawns_whatever_the_edges_are(published):
    published["events"][3]["from"] = "lead"
    assert run_of(published).parents["executor"] == "lead"


@pytest.mark.parametrize("kind", ["human_intervention", "safety_event"])
def test_what_people_and_guards_do_spawns_nobody(published, kind):
    published["events"][0].update(type=kind, agent="user")
    published["edges"][0]["type"] = "causal"
    assert "planner" not in run_of(published).parents


def test_an_agent_that_has_acted_before_is_not_spawned(published):
    published["events"].insert(0, act("e0", 0, "message", "planner", to="lead"))
    assert "planner" not in run_of(published).parents
    assert ("OT113", "/events/2") in codes(published)
