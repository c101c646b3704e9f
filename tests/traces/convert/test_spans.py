"""OTLP and the OpenAI Agents SDK: formats that record a run as spans."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert.intake import read_inputs
from corpus.traces.convert.lookup import text
from corpus.traces.convert.spans.langfuse_usage import usage_of_details
from tests.support.recorded_evaluations import (
    inspect_0_3_80,
    inspect_0_3_180,
    inspect_log,
    inspect_sample,
)
from tests.support.recorded_langsmith import langsmith_runs
from tests.support.recorded_samples import genai_run, iso, otel_span, otlp, sdk_rows, span_id
from tests.support.recorded_spans import (
    console_spans,
    crewai_by_openinference,
    genai_2026,
    jaeger_spans,
    team_spans,
)
from tests.support.recorded_traces import Run, into, kinds, only, write_rows

OPEN = {"openinference__span__kind": "AGENT"}


def converted(tmp_path: Path, run: Run, *documents: Any) -> list[dict[str, Any]]:
    return [one.trace for one in run(write_rows(tmp_path / "spans.jsonl", list(documents)))]


def test_agent_as_tool_is_a_spawn_with_return_and_aggregate(tmp_path: Path, run: Run) -> None:
    (trace,) = converted(tmp_path, run, genai_run())
    assert kinds(trace) == [
        *(
            "orchestrator_decision",
            "spawn",
            "tool_call",
            "tool_result",
            "return",
            "aggregate",
            "return",
        ),
    ]
    assert trace["topology"] == "centralized"
    assert ("return", "aggregate") in [
        (event["type"], edge) for event, edge in into(trace, only(trace, type="aggregate"))
    ]


def test_usage_on_agents_is_that_of_their_model_calls(tmp_path: Path, run: Run) -> None:
    (trace,) = converted(tmp_path, run, genai_run())
    assert (trace["costs"]["tokens"], trace["metrics"]["corpus.steps"]) == (150, 3)


def test_usage_recorded_on_agents_only_is_kept(tmp_path: Path, run: Run) -> None:
    document = genai_run()
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for span in spans:
        if span["name"].startswith("chat"):
            span["attributes"] = [one for one in span["attributes"] if "usage" not in one["key"]]
    (trace,) = converted(tmp_path, run, document)
    assert trace["costs"]["tokens"] == 150


def test_ids_in_base64_and_rows_out_of_order_give_the_same_trace(tmp_path: Path, run: Run) -> None:
    (plain,) = converted(tmp_path, run, genai_run())
    document = genai_run()
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans.reverse()
    for span in spans:
        for key in ("traceId", "spanId", "parentSpanId"):
            span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    (packed,) = converted(tmp_path, run, document)
    assert packed == plain


def test_field_names_of_the_protocol_files_are_read_too(tmp_path: Path, run: Run) -> None:
    (plain,) = converted(tmp_path, run, genai_run())
    names = (
        "resourceSpans",
        "scopeSpans",
        "traceId",
        "spanId",
        "parentSpanId",
        "startTimeUnixNano",
        "endTimeUnixNano",
    )
    written = json.dumps(genai_run())
    for name in (*names, "stringValue", "intValue"):
        written = written.replace(
            f'"{name}"', f'"{re.sub("[A-Z]", lambda sign: "_" + sign.group().lower(), name)}"'
        )
    (other,) = converted(tmp_path, run, json.loads(written))
    assert other == plain


def test_links_join_traces_and_others_stay_separate(tmp_path: Path, run: Run) -> None:
    agents = {"gen_ai__operation__name": "invoke_agent"}
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "t"}
    spans = []
    for place, trace in enumerate(("b" * 32, "c" * 32, "d" * 32)):
        spans.append(
            otel_span(
                f"a{place}", place, place + 0.9, trace=trace, gen_ai__agent__name="x", **agents
            )
        )
        spans.append(
            otel_span(f"t{place}", place + 0.1, place + 0.5, f"a{place}", trace=trace, **tool)
        )
    spans[2]["links"] = [{"traceId": "b" * 32, "spanId": span_id("a0")}]
    found = converted(tmp_path, run, otlp(*spans[:2]), otlp(*spans[2:]))
    assert [kinds(one).count("tool_call") for one in found] == [2, 1]
    assert found[0]["events"][0]["x_run"]["trace_ids"] == 2


def test_a_declared_transfer_is_stated_and_a_tool_name_is_inferred(
    tmp_path: Path, run: Run
) -> None:
    def spans(**transfer: str) -> dict[str, Any]:
        agents = [
            otel_span(
                f"a{n}",
                10 * n,
                10 * n + 9,
                gen_ai__operation__name="invoke_agent",
                gen_ai__agent__name=f"ag{n}",
            )
            for n in (1, 2)
        ]
        tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "transfer_to_ag2"}
        return otlp(*agents, otel_span("t", 12, 13, "a1", **tool, **transfer))

    (named,) = converted(tmp_path, run, spans())
    stated = spans(gen_ai__transfer__mode="pass_control", gen_ai__transfer__target__name="ag2")
    (declared,) = converted(tmp_path, run, stated)
    assert only(named, type="message", to="ag2")["x_inferred"] == ["type"]
    assert "x_inferred" not in only(declared, type="message", to="ag2")
    assert named["topology"] == "swarm"


def test_an_agent_span_counts_only_with_a_name_or_work_of_its_own(tmp_path: Path, run: Run) -> None:
    model = {"openinference__span__kind": "LLM", "llm__token_count__prompt": 7}
    (trace,) = converted(
        tmp_path,
        run,
        otlp(
            otel_span("wrap", 0, 9, **OPEN),
            otel_span("real", 1, 8, "wrap", agent__name="solo", **OPEN),
            otel_span("llm", 2, 3, "real", **model),
        ),
    )
    assert {event["agent"] for event in trace["events"]} == {"solo"}
    assert kinds(trace) == ["return"]


def test_two_agents_of_one_name_at_one_time_are_distinguished(tmp_path: Path, run: Run) -> None:
    tool = {"openinference__span__kind": "TOOL", "tool__name": "t"}
    spans = [otel_span("lead", 0, 30, agent__name="lead", **OPEN)]
    for place in range(2):
        spans.append(otel_span(f"w{place}", 1 + place, 20, "lead", agent__name="worker", **OPEN))
        spans.append(otel_span(f"t{place}", 3 + place, 9, f"w{place}", **tool))
    (trace,) = converted(tmp_path, run, otlp(*spans))
    assert {event["to"] for event in trace["events"] if event["type"] == "spawn"} == {
        "worker",
        "worker#2",
    }
    assert all(
        event["x_inferred"] is True
        for event in trace["events"]
        if event["type"] in ("spawn", "return")
    )


def test_one_call_of_an_agent_recorded_twice_is_one_agent(tmp_path: Path, run: Run) -> None:
    agent = {"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": "solo"}
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "t"}
    spans = [
        otel_span("out", 0, 9, **agent),
        otel_span("in", 1, 8, "out", **agent),
        otel_span("t", 2, 3, "in", **tool),
    ]
    (trace,) = converted(tmp_path, run, otlp(*spans))
    assert kinds(trace) == ["tool_call", "tool_result", "return"]


def test_a_span_may_name_its_agent_itself(tmp_path: Path, run: Run) -> None:
    chat = {"gen_ai__operation__name": "chat", "gen_ai__agent__name": "solo"}
    (trace,) = converted(
        tmp_path, run, otlp(otel_span("root", 0, 9), otel_span("c", 1, 2, "root", **chat))
    )
    assert only(trace, agent="solo")["x_inferred"] == ["type"]


def test_runs_on_one_task_share_its_id(tmp_path: Path, run: Run) -> None:
    agent = {
        "openinference__span__kind": "AGENT",
        "agent__name": "solo",
        "input__value": "what to do",
    }
    model = {"openinference__span__kind": "LLM"}
    documents = [
        otlp(
            otel_span("a", 0, 9, trace=key * 32, **agent),
            otel_span("m", 1, 2, "a", trace=key * 32, **model),
        )
        for key in "ab"
    ]
    first, second = converted(tmp_path, run, documents[0]) + converted(tmp_path, run, documents[1])
    assert first["task_id"] == second["task_id"] != "unknown"
    assert first["trace_id"] != second["trace_id"]


def test_spans_without_an_agent_belong_to_the_root(tmp_path: Path, run: Run) -> None:
    model = {"openinference__span__kind": "LLM"}
    (trace,) = converted(
        tmp_path, run, otlp(otel_span("main", 0, 9), otel_span("l", 1, 2, "main", **model))
    )
    event = only(trace, agent="main")
    assert (event["type"], event["x_inferred"], event["x_end"]) == (
        "orchestrator_decision",
        ["agent", "type"],
        1.0,
    )


def test_sdk_handoff_and_agent_as_tool(tmp_path: Path, run: Run) -> None:
    (trace,) = converted(tmp_path, run, *sdk_rows())
    assert kinds(trace) == [
        *("safety_event", "orchestrator_decision", "message", "orchestrator_decision", "spawn"),
        *("return", "aggregate", "return"),
    ]
    assert only(trace, type="spawn")["to"] == "billing#2"
    assert only(trace, type="message")["to"] == "billing"
    assert (trace["costs"]["tokens"], trace["topology"]) == (480, "mixed")


def test_sdk_usage_of_a_response_is_that_of_its_turn(tmp_path: Path, run: Run) -> None:
    (trace,) = converted(tmp_path, run, *sdk_rows())
    decision = next(event for event in trace["events"] if event["agent"] == "billing")
    assert (decision["type"], decision["x_tokens"]) == ("orchestrator_decision", 120)


def test_sdk_guardrail_that_fires_ends_the_run(tmp_path: Path, run: Run) -> None:
    rows = sdk_rows()[:5]
    rows[4]["span_data"]["triggered"] = True
    (trace,) = converted(tmp_path, run, *rows)
    assert [(event["type"], event["x_stop_reason"]) for event in trace["events"]] == [
        ("safety_event", "external")
    ]


@pytest.mark.parametrize("rows", [sdk_rows(), [genai_run()]], ids=["sdk", "otlp"])
def test_parents_in_a_cycle_end(tmp_path: Path, run: Run, rows: list[dict[str, Any]]) -> None:
    written = json.dumps(rows)
    for old, new in (
        ('"parent_id": null', '"parent_id": "m4"'),
        ('"parentSpanId": ""', f'"parentSpanId": "{span_id("web")}"'),
    ):
        written = written.replace(old, new)
    assert converted(tmp_path, run, *json.loads(written))


def spans_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {span["name"]: span for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]}


def losses(tmp_path: Path, run: Run, document: Any) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    (found,) = run(write_rows(tmp_path / "spans.jsonl", [document]))
    return found.trace, [(loss.kind, loss.place) for loss in found.losses]


def marked(event: dict[str, Any]) -> bool:
    return event.get("x_inferred") is True or "t" in event.get("x_inferred", [])


def test_a_missing_time_of_a_span_is_marked_only_where_it_is_used(tmp_path: Path, run: Run) -> None:
    document = genai_run()
    spans = spans_of(document)
    del (
        spans["web"]["endTimeUnixNano"],
        spans["search"]["startTimeUnixNano"],
        spans["chat1"]["startTimeUnixNano"],
    )
    trace, _ = losses(tmp_path, run, document)
    assert marked(only(trace, type="orchestrator_decision"))
    assert marked(only(trace, type="spawn"))
    assert marked(only(trace, type="tool_result"))
    assert not marked(only(trace, type="tool_call"))
    assert not marked(only(trace, type="aggregate"))


def test_without_any_time_every_time_is_inferred(tmp_path: Path, run: Run) -> None:
    document = genai_run()
    for span in spans_of(document).values():
        del span["startTimeUnixNano"], span["endTimeUnixNano"]
    trace, noted = losses(tmp_path, run, document)
    assert all(marked(event) for event in trace["events"])
    assert trace["costs"]["wall_clock_s"] == 0
    assert ("inferred", "times") in noted


def test_a_span_that_ends_before_it_begins_ends_where_it_begins_with_a_note(
    tmp_path: Path, run: Run
) -> None:
    document = genai_run()
    spans_of(document)["web"]["endTimeUnixNano"] = (
        spans_of(document)["web"]["startTimeUnixNano"][:-10] + "0" * 10
    )
    spans_of(document)["web"]["startTimeUnixNano"] = (
        spans_of(document)["web"]["startTimeUnixNano"][:-9] + "9" * 9
    )
    trace, noted = losses(tmp_path, run, document)
    call, result = only(trace, type="tool_call"), only(trace, type="tool_result")
    assert (result["t"], marked(result), marked(call)) == (call["t"], True, False)
    assert ("inferred", span_id("web")) in noted


def test_a_parent_that_is_not_in_the_input_is_a_loss_and_one_of_zeros_is_none(
    tmp_path: Path, run: Run
) -> None:
    document = genai_run()
    spans_of(document)["lead"]["parentSpanId"] = "0" * 16
    assert ("dropped", span_id("lead")) not in losses(tmp_path, run, document)[1]
    spans_of(document)["lead"]["parentSpanId"] = "f" * 16
    assert ("dropped", span_id("lead")) in losses(tmp_path, run, document)[1]
    # Also of a span that the recorder did not end.
    del spans_of(document)["lead"]["endTimeUnixNano"]
    assert ("dropped", span_id("lead")) in losses(tmp_path, run, document)[1]


def test_the_stop_is_on_the_answer_to_the_user_not_on_later_events(
    tmp_path: Path, run: Run
) -> None:
    document = genai_run()
    spans_of(document)["lead"]["endTimeUnixNano"] = spans_of(document)["chat3"]["endTimeUnixNano"]
    late = otel_span(
        "late", 30, 31, "lead", gen_ai__operation__name="execute_tool", gen_ai__tool__name="late"
    )
    document["resourceSpans"][0]["scopeSpans"][0]["spans"].append(late)
    trace, _ = losses(tmp_path, run, document)
    assert [event["type"] for event in trace["events"] if "x_stop_reason" in event] == ["return"]
    assert trace["events"][-1]["type"] == "tool_result"


def test_a_span_that_is_sent_twice_counts_once_and_is_noted(tmp_path: Path, run: Run) -> None:
    document = genai_run()
    plain, before = losses(tmp_path, run, document)
    document["resourceSpans"][0]["scopeSpans"][0]["spans"] *= 2
    twice, noted = losses(tmp_path, run, document)
    assert twice == plain
    assert [one for one in noted if one not in before] == [("dropped", "spans")]


def test_an_agent_that_no_attribute_names_has_the_name_of_its_span(
    tmp_path: Path, run: Run
) -> None:
    agent = {"gen_ai__operation__name": "invoke_agent"}
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "t"}
    spans = [
        otel_span("invoke_agent planner", 0, 9, **agent),
        otel_span("t", 2, 3, "invoke_agent planner", **tool),
    ]
    (trace,) = converted(tmp_path, run, otlp(*spans))
    assert {event["agent"] for event in trace["events"]} == {"planner"}


def test_parallel_calls_of_one_instrumentation_are_not_one(tmp_path: Path, run: Run) -> None:
    usage = {"llm__token_count__prompt": 7}
    model = {"openinference__span__kind": "LLM", **usage}
    spans = [otel_span("lead", 0, 9, agent__name="lead", **OPEN)]
    spans += [otel_span(f"m{number}", 1, 3, "lead", **model) for number in range(2)]
    (trace,) = converted(tmp_path, run, otlp(*spans))
    assert (trace["metrics"]["corpus.steps"], trace["costs"]["tokens"]) == (2, 14)


def test_spans_of_an_unknown_kind_are_counted_in_the_losses(tmp_path: Path, run: Run) -> None:
    document = genai_run()
    new = {"gen_ai__operation__name": "dream"}
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans += [otel_span(f"new{number}", 1, 2, "lead", **new) for number in range(2)]
    (found,) = run(write_rows(tmp_path / "spans.jsonl", [document]))
    assert [loss.count for loss in found.losses if "operation.name dream" in loss.what] == [2]


def test_spans_of_which_no_attribute_is_known_are_refused_by_name(tmp_path: Path, run: Run) -> None:
    spans = [otel_span(f"s{n}", n, n + 1, acme__step="x", **{"bad name\n": "y"}) for n in range(3)]
    with pytest.raises(CorpusError) as refused:
        run(write_rows(tmp_path / "spans.jsonl", [otlp(*spans)]))
    (finding,) = refused.value.findings
    assert finding.code == "OT206"
    assert "acme.step (3)" in finding.message
    assert "bad name" not in finding.message


def test_a_conversation_is_kept_with_the_run(tmp_path: Path, run: Run) -> None:
    (found,) = run(genai_2026().write(tmp_path))
    assert found.trace["events"][0]["x_run"]["conversation"] == "conv_1"


def test_a_parent_node_hands_over_to_the_agent_below_it(tmp_path: Path, run: Run) -> None:
    (found,) = run(crewai_by_openinference().write(tmp_path))
    message = only(found.trace, type="message")
    assert (message["agent"], message["to"]) == ("Reader", "Writer")


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


def test_runs_and_spans_in_a_circle_are_still_a_trace(tmp_path: Path, run: Run) -> None:
    rows = langsmith_runs()
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        row["parent_run_id"] = other["id"]
    (found,) = run(write_rows(tmp_path / "runs.jsonl", rows))
    assert found.trace["events"]
    spans = jaeger_spans(team_spans())
    for span in spans["data"][0]["spans"]:
        span["references"] = [{"refType": "CHILD_OF", "spanID": span["spanID"]}]
    (found,) = run(write_rows(tmp_path / "spans.jsonl", [spans]))
    assert found.trace["events"]


def test_a_check_after_which_agents_act_is_not_the_end(tmp_path: Path, run: Run) -> None:
    (found,) = run(inspect_0_3_180().write(tmp_path))
    refused = only(found.trace, type="safety_event")
    assert refused["x_error"]
    (stop,) = [e["x_stop_reason"] for e in found.trace["events"] if "x_stop_reason" in e]
    assert stop == "implicit"


def test_scores_of_a_sample_are_metrics(tmp_path: Path, run: Run) -> None:
    (found,) = run(inspect_0_3_180().write(tmp_path))
    assert found.trace["metrics"]["task_success"] == 1
    (found,) = run(inspect_0_3_80().write(tmp_path))
    metrics = found.trace["metrics"]
    assert (metrics["corpus.score.a"], metrics["corpus.score.b"]) == (0.5, 0)
    assert "task_success" not in metrics


@pytest.mark.parametrize("count", [float("nan"), float("inf"), -1, True, "many", None])
def test_a_count_that_is_none_is_unknown(count: object) -> None:
    usage = usage_of_details({"input": count, "output": 5}, "m")
    assert (usage.input, usage.output) == (None, 5)


def test_a_person_who_cancels_a_turn_interrupts_the_agent(tmp_path: Path, run: Run) -> None:
    sample = inspect_sample()
    moment = {"timestamp": iso(16.2), "span_id": "lead", "event": "interrupt"}
    sample["events"].insert(-7, {**moment, "source": "user_cancel", "interrupted": "generate"})
    (found,) = run(write_rows(tmp_path / "log.json", [inspect_log(sample)]))
    interrupt = only(found.trace, role="interrupt")
    assert "react" in [event["agent"] for event, _ in into(found.trace, interrupt)]


def test_a_call_may_name_its_own_span_or_the_one_around_it(tmp_path: Path, run: Run) -> None:
    (current,) = run(write_rows(tmp_path / "log.json", [inspect_log(inspect_sample())]))
    sample = inspect_sample()
    own = {"c1": "t1", "c2": "t3", "c3": "t2"}
    for event in sample["events"]:
        if event["event"] == "tool":
            event["span_id"] = own[event["id"]]
    (legacy,) = run(write_rows(tmp_path / "legacy.json", [inspect_log(sample)]))
    assert legacy.trace["events"] == current.trace["events"]
