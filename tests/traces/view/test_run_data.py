"""What the page gets of a run is what the trace, the picture and the measures have."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given

from corpus.traces.draw.picture import picture
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.runs import valid_run
from corpus.traces.view.run_data import FLAGS, RunText, run_data
from tests.support.made_traces import document, event, pair, runs

EXAMPLES = Path(__file__).parents[3] / "data" / "traces" / "examples"


def data_of(text: TraceText) -> dict[str, Any]:
    run, findings = valid_run(text)
    assert run is not None, findings
    return run_data(RunText(text, run))


def flagged(data: dict[str, Any], flag: str) -> list[str]:
    found = zip(data["ids"], data["flags"], strict=True)
    return [name for name, flags in found if flags & FLAGS[flag]]


def example(name: str) -> dict[str, Any]:
    file = EXAMPLES / f"{name}.json"
    return data_of(TraceText(str(file), 1, file.read_bytes(), True))


def test_flags_are_those_of_the_measures():
    data = example("centralized_injection")
    assert flagged(data, "untrusted") == ["rosa-page-is", "rosa-says", "choose"]
    run, _ = valid_run(
        TraceText("a", 1, (EXAMPLES / "centralized_injection.json").read_bytes(), True)
    )
    assert run is not None
    critical = [data["ids"][place] for place in picture(run).critical]
    assert sorted(flagged(data, "critical")) == sorted(critical)
    assert flagged(example("hierarchical_report"), "wasted") != []


def test_each_event_has_the_line_of_the_file_it_begins_at():
    file = EXAMPLES / "swarm_refund.json"
    lines = file.read_text(encoding="utf-8").split("\n")
    data = example("swarm_refund")
    for name, (line, character) in zip(data["ids"], data["places"], strict=True):
        assert lines[line - 1][character - 1] == "{"
        assert f'"{name}"' in lines[line - 1]


def test_in_a_file_of_lines_the_place_is_in_its_line():
    raw = json.dumps(pair()).encode()
    data = data_of(TraceText("many.jsonl", 7, raw, False))
    line, character = data["places"][1]
    assert line == 7
    assert raw[character - 1 :].startswith(b'{"id": "make-ann"')


def test_keys_that_the_model_does_not_know_are_shown():
    trace = pair()
    event(trace, "ask")["x_token_kinds"] = {"input": 1200, "cached": 30}
    event(trace, "ask")["note"] = "slow"
    keys = dict(data_of(document(trace))["keys"][3])
    assert json.loads(keys["x_token_kinds"]) == {"input": 1200, "cached": 30}
    assert keys["note"] == "slow"
    assert keys["tool"] == "shop"
    assert "id" not in keys


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
    for name in (
        "ids",
        "agents",
        "types",
        "lane",
        "x",
        "times",
        "flags",
        "subjects",
        "keys",
        "places",
    ):
        assert len(data[name]) == size
    assert sorted(data["order"]) == list(range(size))
    for number, lane in enumerate(data["lanes"]):
        assert lane["parent"] < number
    json.dumps(data, allow_nan=False)
