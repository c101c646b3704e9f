"""What can be reported from a trace follows from what it records; the rest is named."""

import csv
import json
from pathlib import Path

import pytest

from corpus.traces.measures.reporting import CHECKLIST, PROPERTIES, reported
from corpus.traces.reading.decoding import of_run
from corpus.traces.reading.reading import TraceText

DATA = Path(__file__).parents[3] / "data/evidence"
EXAMPLE = DATA.parent / "traces/examples/swarm_refund.json"


def properties(**changes):
    """Return the properties of an example with other top-level values, by name."""
    document = {**json.loads(EXAMPLE.read_text("utf-8")), **changes}
    return of(document)


def of(document):
    text = json.dumps(document).encode()
    found = of_run(TraceText("run.json", 1, text, alone=True), reported)
    assert found.findings == []
    return {item["name"]: item for item in found.value["properties"]}


def test_every_item_of_the_checklist_and_of_the_table_of_measures_is_looked_at():
    assert list(properties()) == [*CHECKLIST, *PROPERTIES]


@pytest.mark.parametrize("name", ["reporting_checklist", "benchmark_measures"])
def test_the_names_are_those_of_the_evidence_tables(name):
    rows = csv.DictReader((DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines())
    if name == "reporting_checklist":
        assert {row["item"] for row in rows} == set(CHECKLIST) - {"metrics"}
    else:
        assert {row["measure"] for row in rows} == set(PROPERTIES)


def test_each_item_of_the_checklist_names_what_the_trace_lacks():
    found = properties()
    assert "`spawn` events, or that the team is of fixed size" in found["topology"]["lacks"]
    assert found["topology"]["measures"][0] == "topology swarm"
    assert found["scale"]["lacks"] == []
    assert found["credit"]["measures"] == []
    assert found["safety"]["lacks"][-1] == "shared memory: no type of event"
    # An auxiliary reward may be annealed, which no trace tells; a single one is none.
    assert len(found["rewards"]["lacks"]) == 1
    assert properties(rewards={"team": 1})["rewards"]["lacks"] == []


@pytest.mark.parametrize(
    ("changed", "name", "missing"),
    [
        ({}, "task_outcome", 0),
        ({"rewards": {}}, "task_outcome", 1),
        ({"edges": []}, "parallel_work", 1),
        ({"edges": []}, "error_spread", 2),
        ({}, "error_spread", 1),
    ],
)
def test_what_is_not_recorded_cannot_be_computed(changed, name, missing):
    found = properties(**changed)[name]
    assert (bool(found["measures"]), len(found["lacks"])) == (not missing, missing)


def test_marks_on_events_are_asked_for():
    document = json.loads(EXAMPLE.read_text("utf-8"))
    document["events"][3]["x_error"] = "timeout"
    assert of(document)["error_spread"]["measures"]
    for event in document["events"]:
        event.pop("trusted", None)
        event.pop("x_tokens", None)
    # Tokens of zero are unknown.
    document["costs"]["tokens"] = 0
    assert not of(document)["attack_safety"]["measures"]
    assert "tokens" not in of(document)["cost_of_run"]["measures"]
