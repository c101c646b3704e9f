"""The example traces: one a topology, valid, and each telling what its README says."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import Topology, Trace
from tests.support.made_traces import run_of

FOLDER = Path(__file__).parents[2] / "data" / "traces" / "examples"
FILES = sorted(FOLDER.glob("*.json"))
TRACES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_is_valid_and_adds_up(path):
    trace = msgspec.json.decode(path.read_bytes(), type=Trace)
    raw = TRACES[path.stem]
    times = {event.id: event.t for event in trace.events}
    assert len(times) == len(trace.events)
    assert all(times[edge.src] <= times[edge.dst] for edge in trace.edges)
    assert trace.costs["tokens"] == sum(event.get("x_tokens", 0) for event in raw["events"])
    assert trace.costs["wall_clock_s"] == max(times.values()) - min(times.values())
    assert path.stem.startswith(raw["topology"])


def test_every_topology_has_an_example_and_the_readme_names_every_file():
    assert {trace["topology"] for trace in TRACES.values()} == set(get_args(Topology))
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{path.name}` | {TRACES[path.stem]['topology']} |" in readme for path in FILES)


def test_one_example_stops_by_a_decision():
    last = TRACES["centralized_suppliers"]["events"][-1]
    assert (last["type"], last["x_stop_reason"]) == ("orchestrator_decision", "explicit")


def test_one_example_lets_untrusted_content_through_and_stops_the_other():
    run = run_of(TRACES["centralized_injection"])
    found = untrusted_flow(run)
    assert found.origin[run.index["choose"]] >= 0
    assert found.origin[run.index["linde-says"]] < 0
