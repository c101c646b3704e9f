"""What can be reported from a trace follows from what it records; the rest is named."""

import csv
import json
from pathlib import Path

from corpus.traces.measures.reporting import CHECKLIST, reported
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import TraceText

DATA = Path(__file__).parents[3] / "data/evidence"
EXAMPLE = DATA.parent / "traces/examples/swarm_refund.json"


def items(**changes):
    """Return the items for an example with other top-level values, by name."""
    document = {**json.loads(EXAMPLE.read_text("utf-8")), **changes}
    return of(document)


def of(document):
    text = json.dumps(document).encode()
    ((_, run),) = valid_runs([TraceText("run.json", 1, text, alone=True)], [])
    return {item["name"]: item for item in reported(run)["items"]}


def test_the_items_are_those_of_the_evidence_table():
    rows = csv.DictReader((DATA / "reporting_checklist.csv").read_text("utf-8").splitlines())
    assert {row["item"] for row in rows} == set(CHECKLIST) - {"metrics"}
    assert list(items()) == list(CHECKLIST)


def test_each_item_of_the_checklist_names_what_the_trace_lacks():
    found = items()
    assert "`spawn` events, or that the team is of fixed size" in found["topology"]["lacks"]
    assert found["topology"]["measures"][0] == "topology swarm"
    assert found["scale"]["lacks"] == []
    assert found["credit"]["measures"] == []
    assert found["safety"]["lacks"][-1] == "shared memory: no type of event"
    # An auxiliary reward may be annealed, which no trace tells; a single one is none.
    assert len(found["rewards"]["lacks"]) == 1
    assert items(rewards={"team": 1})["rewards"]["lacks"] == []


def test_marks_and_tokens_on_events_are_asked_for():
    document = json.loads(EXAMPLE.read_text("utf-8"))
    document["events"][3]["x_error"] = "timeout"
    assert "error_amplification_ratio" in of(document)["metrics"]["measures"]
    for event in document["events"]:
        event.pop("trusted", None)
        event.pop("x_tokens", None)
    # Tokens of zero are unknown.
    document["costs"]["tokens"] = 0
    found = of(document)
    assert "`trusted` on every tool_result" in found["safety"]["lacks"]
    assert "tokens" not in found["scale"]["measures"]
