"""A run without an agent: what is removed, and what the rest loses."""

import pytest

from corpus.model.finding import UsageProblem
from corpus.traces.ablation import ablate
from tests.support.made_traces import event, pair, run_of


def test_a_run_without_an_agent_loses_what_it_did_and_made():
    trace = pair()
    trace["events"] += [
        {"id": "make-cy", "t": 2, "type": "spawn", "agent": "ann", "to": "cy"},
        {"id": "cy-done", "t": 3, "type": "return", "agent": "cy", "to": "ann"},
        {"id": "tip", "t": 4, "type": "message", "agent": "ann", "to": "bob"},
    ]
    trace["edges"].append({"src": "cy-done", "dst": "bob-done", "type": "causal"})
    trace["edges"].append({"src": "told", "dst": "tip", "type": "causal"})
    del trace["edges"][5]
    rest = ablate(run_of(trace), "ann")
    assert rest.agents == ["ann", "cy"]
    assert rest.events == ["make-ann", "ask", "told", "ann-done", "make-cy", "cy-done", "tip"]
    assert (rest.uncaused, rest.weakened) == (["bob-done"], ["tea"])
    assert [one.id for one in rest.run.events] == ["plan", "make-bob", "bob-done", "tea"]
    assert len(rest.run.trace.edges) == 2


def test_a_tool_that_answers_a_gone_agent_goes_with_it():
    trace = pair()
    event(trace, "told")["agent"] = "shop"
    assert "told" in ablate(run_of(trace), "ann").events


def test_nobody_and_everybody_cannot_be_left_out():
    run = run_of(pair())
    for agent in ("nobody", "lead"):
        with pytest.raises(UsageProblem):
            ablate(run, agent)


def test_agents_that_spawned_each_other_in_a_circle_go_together():
    trace = pair()
    names = ("a", "b", "c")
    for number, name in enumerate(names):
        spawner = names[number - 1]
        spawn = {"id": f"make-{name}", "t": 2, "type": "spawn", "agent": spawner, "to": name}
        trace["events"].append(spawn)
    for name in names:
        assert sorted(ablate(run_of(trace), name).agents) == list(names)
