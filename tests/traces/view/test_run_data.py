"""What the page gets of a run is what the trace, the picture and the measures have."""

import json

from hypothesis import given

from corpus.traces.reading.decoding import valid_run
from corpus.traces.reading.reading import TraceText
from corpus.traces.view.run_data import RunText, run_data
from tests.support.made_traces import document, pair, runs


def data_of(text):
    run, findings = valid_run(text)
    assert run is not None, findings
    return run_data(RunText(text, run))


def test_every_agent_has_a_lane_however_many_there_are():
    trace = pair()
    for number in range(60):
        trace["events"].append(
            {"id": f"s{number}", "t": 1, "type": "spawn", "agent": "lead", "to": f"w{number}"}
        )
        trace["edges"].append({"src": "plan", "dst": f"s{number}", "type": "spawn"})
    data = data_of(document(trace))
    assert len(data["lanes"]) == 63
    lead = next(number for number, lane in enumerate(data["lanes"]) if lane["name"] == "lead")
    assert [lane["parent"] for lane in data["lanes"] if lane["name"] != "lead"] == [lead] * 62


@given(runs())
def test_any_run_gives_plain_values_and_a_forest_of_lanes(run):
    raw = json.dumps({"events": [{"id": name} for name in run.index]}).encode()
    data = run_data(RunText(TraceText("a.json", 1, raw, True), run))
    size = len(run.events)
    for name in ("ids", "agents", "types", "lane", "x", "times", "flags", "subjects", "keys"):
        assert len(data[name]) == size
    assert sorted(data["order"]) == list(range(size))
    for number, lane in enumerate(data["lanes"]):
        assert lane["parent"] < number
    json.dumps(data, allow_nan=False)
