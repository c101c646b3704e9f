"""Traces of producers that name the new agent of a spawn as the acting one."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.traces.checks.validate import validate
from corpus.traces.measures.metrics import measure
from tests.support.made_traces import codes, document, run_of


def event(name: str, t: float, kind: str, agent: str, **keys: Any) -> dict[str, Any]:
    return {"id": name, "t": t, "type": kind, "agent": agent, **keys}


def edge(source: str, target: str, kind: str) -> dict[str, str]:
    return {"src": source, "dst": target, "type": kind}


@pytest.fixture
def published() -> dict[str, Any]:
    """A lead that spawns a planner, which spawns an executor; each spawn names its own new agent."""
    return {
        "trace_id": "t",
        "task_id": "task",
        "events": [
            event("e1", 0, "orchestrator_decision", "lead"),
            event("e2", 1, "spawn", "planner", role="planner"),
            event("e3", 2, "orchestrator_decision", "planner"),
            event("e4", 3, "spawn", "executor", role="executor"),
            event("e5", 4, "return", "executor", to="planner"),
            event("e6", 5, "return", "planner", to="lead"),
            event("e7", 6, "aggregate", "lead"),
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


def test_the_spawner_is_the_agent_that_the_edge_comes_from(published: dict[str, Any]) -> None:
    run = run_of(published)
    assert run.parents == {"planner": "lead", "executor": "planner"}
    assert run.depths == {"lead": 0, "planner": 1, "executor": 2}
    assert run.events[1].x_inferred == ["agent", "to"]
    values = measure(run).values
    assert (values["depth"], values["fan_out_mean"]) == (2, 1)
    assert codes(published) == []


def test_a_stated_sender_spawns_whatever_the_edges_are(published: dict[str, Any]) -> None:
    published["events"][3]["from"] = "lead"
    assert run_of(published).parents["executor"] == "lead"


@pytest.mark.parametrize("kind", ["human_intervention", "safety_event"])
def test_what_people_and_guards_do_spawns_nobody(published: dict[str, Any], kind: str) -> None:
    published["events"][0].update(type=kind, agent="user")
    published["edges"][0]["type"] = "causal"
    assert "planner" not in run_of(published).parents


def test_an_agent_that_has_acted_before_is_not_spawned(published: dict[str, Any]) -> None:
    published["events"].insert(0, event("e0", 0, "message", "planner", to="lead"))
    assert "planner" not in run_of(published).parents
    assert ("OT113", "/events/2") in codes(published)


@pytest.mark.parametrize(("end", "agent", "meant"), [("src", "lead", "e1"), ("dst", "lead", "e7")])
def test_an_edge_that_names_an_agent_gets_a_hint_with_the_event(
    published: dict[str, Any], end: str, agent: str, meant: str
) -> None:
    place = 0 if end == "src" else 5
    published["edges"][place][end] = agent
    (finding,) = validate(document(published)).findings
    assert (finding.code, finding.column) == ("OT003", f"/edges/{place}/{end}")
    assert finding.hint.endswith(f"{meant!r}")


def test_an_edge_that_names_nothing_gets_no_such_hint(published: dict[str, Any]) -> None:
    published["edges"][0]["src"] = "nobody"
    (finding,) = validate(document(published)).findings
    assert finding.hint == "add the event or remove the edge"
