"""The output of OpenTelemetry's console exporter, between whatever else a program prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.traces.convert.intake import read_inputs
from corpus.traces.convert.lookup import text
from corpus.traces.convert.spans.console import FORMAT, recognise
from tests.support.converted import converted, lost, recorded, shown
from tests.support.recorded_samples import iso
from tests.support.recorded_spans import console_spans, team_spans

TRACE, SPAN = "0x" + "a" * 32, "0x" + "b" * 16


def written(**more: Any) -> dict[str, Any]:
    given = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "web"}
    times = {"start_time": iso(1), "end_time": iso(2.5)}
    context = {"trace_id": TRACE, "span_id": SPAN}
    return {
        "name": "web",
        "context": context,
        "parent_id": None,
        **times,
        "attributes": given,
        **more,
    }


@pytest.mark.parametrize(
    "broken", ['{\n  "a": [\n', "[\n" * 3000, '{\n "context": {"span_id": NaN}}\n']
)
def test_a_broken_value_between_others_is_skipped(tmp_path: Path, broken: str) -> None:
    parts = [json.dumps(one, indent=1) for one in console_spans(team_spans())]
    path = tmp_path / "console.json"
    path.write_text("\n".join([*parts[:2], broken, *parts[2:]]))
    documents, findings = read_inputs([path], "auto")
    assert {finding.code for finding in findings} == {"OT201"}
    (document,) = documents["otel-console"]
    assert all(text(row.value, "context", "span_id") for row in document.rows)


def test_lines_between_values_are_named(tmp_path: Path) -> None:
    parts = [json.dumps(one, indent=1) for one in console_spans(team_spans())]
    path = tmp_path / "console.json"
    path.write_text("\n".join([parts[0], "hello", *parts[1:]]))
    _, findings = read_inputs([path], "auto")
    line = parts[0].count("\n") + 2
    assert [(finding.code, finding.line) for finding in findings] == [("OT201", line)]


@pytest.mark.parametrize(("status", "failed"), [("ERROR", True), ("OK", None), ("UNSET", None)])
def test_a_span_is_a_tool_call_with_its_times_and_status(status: str, failed: bool | None) -> None:
    (found,) = converted(FORMAT, written(status={"status_code": status}))
    assert shown(found.trace, "t", "x_error", "x_call_id") == [
        ("tool_call", "web", 0, None, "b" * 16),
        ("tool_result", "web", 1.5, failed, "b" * 16),
    ]
    assert found.trace["trace_id"] == "a" * 32


def test_links_join_traces() -> None:
    other = written(context={"trace_id": "0x" + "c" * 32, "span_id": "0x" + "d" * 16})
    link = {"context": {"trace_id": TRACE, "span_id": SPAN}}
    assert len(converted(FORMAT, [written(), other])) == 2
    assert len(converted(FORMAT, [written(), {**other, "links": [link]}])) == 1


def test_a_span_without_an_id_is_left_out() -> None:
    nameless = written(context={"trace_id": TRACE})
    (found,) = converted(FORMAT, nameless, written(), {"name": "other JSON of the program"})
    assert found.trace["costs"]["tool_calls"] == 1
    assert lost(found, "without an id") == [("dropped", 1)]


@pytest.mark.parametrize("missing", ["trace_id", "span_id"])
def test_a_context_without_an_id_is_not_recognised(missing: str) -> None:
    assert recognise(recorded([written()]))
    context = {**written()["context"], missing: ""}
    assert not recognise(recorded(written(context=context)))
    assert not recognise(recorded(written(attributes=[])))
