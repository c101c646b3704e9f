"""A run without an agent: what is removed, and what the rest loses."""

import pytest

from corpus.model.finding import UsageProblem
from corpus.traces.ablation import ablate
from tests.support.made_traces import act, edge, event, pair, run_of


def test_a_run_without_an_agent_loses_what_it_did_and_made():
    trace = pair()
    trace["events"] += [
        act("make-cy", 2, "spawn", "ann", to="cy"),
        act("cy-done", 3, "return", "cy", to="ann"),
        act("tip", 4, "message", "ann", to="bob"),
    ]
    trace["edges"].append(edge("cy-done", "bob-done"))
    trace["edges"].append(edge("told", "tip"))
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
