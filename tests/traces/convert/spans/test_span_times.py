"""Seconds of runs that were recorded as spans: those of the spans, not those of the events."""

import pytest

from corpus.traces.measures.metrics import measure
from tests.support.made_traces import run_of
from tests.support.recorded_evaluations import EVALUATION_SAMPLES
from tests.support.recorded_langsmith import LANGSMITH_SAMPLES
from tests.support.recorded_samples import otel_span, otlp
from tests.support.recorded_spans import SPAN_SAMPLES
from tests.support.recorded_traces import write_rows

AGENT = {"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": "lead"}
CHAT = {"gen_ai__operation__name": "chat", "gen_ai__usage__input_tokens": 3}
TOOL = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "shop"}


def measured(found):
    wanted = ("duration_s", "agent_busy_s", "critical_path_s")
    values = measure(run_of(found.trace)).values
    return {
        "wall_clock_s": found.trace["costs"]["wall_clock_s"],
        **{name: values[name] for name in wanted},
    }


def test_two_agents_at_once_are_busy_for_longer_than_the_run_lasts(tmp_path, run):
    spans = [otel_span("lead", 0, 10, "", **AGENT), otel_span("c0", 0, 2, "lead", **CHAT)]
    for name in ("ann", "bob"):
        helper = {**AGENT, "gen_ai__agent__name": name}
        spans.append(otel_span(name, 2, 8, "lead", **helper))
        spans.append(otel_span(f"c-{name}", 2, 8, name, **CHAT))
    (found,) = run(write_rows(tmp_path / "r.jsonl", [otlp(*spans)]))
    assert measured(found)["agent_busy_s"] == 14
    assert measured(found)["critical_path_s"] == 8
    assert measured(found)["wall_clock_s"] == 10


def test_a_tool_inside_a_model_call_is_not_time_of_the_model(tmp_path, run):
    spans = [
        otel_span("lead", 0, 10, "", **AGENT),
        otel_span("c1", 1, 9, "lead", **CHAT),
        otel_span("t1", 4, 8, "c1", **TOOL),
    ]
    (found,) = run(write_rows(tmp_path / "r.jsonl", [otlp(*spans)]))
    (call,) = [one for one in found.trace["events"] if one.get("x_steps")]
    assert (call["x_step_t"], call["x_step_end"]) == (1, 4)


@pytest.mark.parametrize("name", [*SPAN_SAMPLES, *EVALUATION_SAMPLES, *LANGSMITH_SAMPLES])
def test_no_path_takes_longer_than_the_run(tmp_path, run, name):
    samples = {**SPAN_SAMPLES, **EVALUATION_SAMPLES, **LANGSMITH_SAMPLES}
    (found,) = run(samples[name]().write(tmp_path))
    assert (measured(found)["critical_path_s"] or 0) <= measured(found)["wall_clock_s"]
    assert measured(found)["duration_s"] == measured(found)["wall_clock_s"]
