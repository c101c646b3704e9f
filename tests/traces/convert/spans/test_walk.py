"""A walk through spans: what agents, models, tools, handovers, checks and people did."""

import pytest

from corpus.traces.convert.readers.otlp import FORMAT
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.convert.usage import Usage
from tests.support.converted import Readable, each, lost, one_run, otlp_traces, shown, stop_of
from tests.support.made_up_spans import span
from tests.support.recorded_samples import genai_run, otel_span, otlp, span_id
from tests.support.recorded_traces import kinds, only, well_formed

OPEN = {"openinference__span__kind": "AGENT"}


def with_losses(document):
    found = one_run(FORMAT, document)
    return found.trace, [(loss.kind, loss.place) for loss in found.losses]


def walked(*spans, **more):
    found = SpanRecorder("t", "test", Readable()).conversion(spans, **more)
    well_formed(found.trace)
    return found


def spans_of(document):
    return {span["name"]: span for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]}


def marked(event):
    return event.get("x_inferred") is True or "t" in event.get("x_inferred", [])


def test_two_agents_of_one_name_at_one_time_are_distinguished():
    tool = {"openinference__span__kind": "TOOL", "tool__name": "t"}
    spans = [
        otel_span("lead", 0, 30, agent__name="lead", **OPEN),
        otel_span("a", 0, 1, "lead", **tool),
    ]
    for place in range(2):
        spans.append(otel_span(f"w{place}", 1 + place, 20, "lead", agent__name="worker", **OPEN))
        spans.append(otel_span(f"t{place}", 3 + place, 9, f"w{place}", **tool))
    (trace,) = otlp_traces(otlp(*spans))
    assert {event["to"] for event in trace["events"] if event["type"] == "spawn"} == {
        "worker",
        "worker#2",
    }
    assert all(
        event["x_inferred"] is True
        for event in trace["events"]
        if event["type"] in ("spawn", "return")
    )


def test_a_span_that_ends_before_it_begins_ends_where_it_begins_with_a_note():
    document = genai_run()
    spans_of(document)["web"]["endTimeUnixNano"] = (
        spans_of(document)["web"]["startTimeUnixNano"][:-10] + "0" * 10
    )
    spans_of(document)["web"]["startTimeUnixNano"] = (
        spans_of(document)["web"]["startTimeUnixNano"][:-9] + "9" * 9
    )
    trace, noted = with_losses(document)
    call, result = only(trace, type="tool_call"), only(trace, type="tool_result")
    assert (result["t"], marked(result), marked(call)) == (call["t"], True, False)
    assert ("inferred", span_id("web")) in noted


def test_a_span_that_is_sent_twice_counts_once_and_is_noted():
    document = genai_run()
    plain, before = with_losses(document)
    document["resourceSpans"][0]["scopeSpans"][0]["spans"] *= 2
    twice, noted = with_losses(document)
    assert twice == plain
    assert [one for one in noted if one not in before] == [("dropped", "spans")]


def test_an_agent_that_hands_back_to_two_waits_for_both():
    found = walked(
        span("lead", "agent", 0, 30),
        span("one", "agent", 1, 5, "lead"),
        span("two", "agent", 2, 9, "lead"),
        span("early", "model", 6, 7, "lead"),
        span("late", "model", 10, 11, "lead"),
        span("last", "model", 12, 13, "lead"),
    )
    aggregates = each(found.trace, "aggregate", "t")
    assert aggregates == [10]


@pytest.mark.parametrize(
    ("start", "failed", "stop", "last"),
    [
        (5, True, "external", "safety_event"),
        (5, False, "implicit", "return"),
        # Somebody acts after the check: it did not end the run.
        (2, True, "implicit", "return"),
        # What begins at the moment at which the check ends is not after it.
        (3, True, "external", "tool_result"),
    ],
)
def test_a_check_that_fires_ends_the_run_unless_someone_acts_after_it(start, failed, stop, last):
    found = walked(
        span("lead", "agent", 0, 9),
        span("web", "tool", 4, 4.5, "lead"),
        span("policy", "guard", start, start + 1, "lead", failed=failed),
    )
    assert stop_of(found.trace) == stop
    assert found.trace["events"][-1]["type"] == last
    check = only(found.trace, type="safety_event")
    assert (check["role"], check.get("x_error")) == ("policy", failed or None)


def test_people_prompt_and_interrupt():
    found = walked(
        span("lead", "agent", 0, 9),
        span("input", "human", 1, 1, "lead", asked="more", name=""),
        span("think", "model", 2, 3, "lead"),
        span("stop", "interrupt", 4, 4, "lead"),
        span("plan", "decision", 5, 6, "lead"),
    )
    assert shown(found.trace, "role", "to")[:4] == [
        ("human_intervention", "user", "task", "lead"),
        ("orchestrator_decision", "lead", None, None),
        ("human_intervention", "user", "interrupt", "lead"),
        ("orchestrator_decision", "lead", None, None),
    ]


def test_tokens_that_no_event_can_carry_are_a_loss():
    job = span("job", "other", 0, 9, usage=Usage(input=7))
    found = walked(job, span("lead", "agent", 1, 8), span("web", "tool", 2, 3, "lead"))
    assert lost(found, "stands for no event") == [("missing", 7)]
    assert lost(found, "groups or transports") == [("dropped", 1)]


@pytest.mark.parametrize(
    ("end", "stop", "last"), [(9.0, "implicit", "return"), (None, "truncated", "tool_result")]
)
def test_a_last_agent_without_an_end_leaves_the_run_cut_short(end, stop, last):
    found = walked(span("lead", "agent", 0, end), span("web", "tool", 1, 2, "lead"))
    assert (stop_of(found.trace), kinds(found.trace)[-1]) == (stop, last)
    assert lost(found, "the run is cut short") == [("dropped", 1)] * (end is None)


def test_a_handover_to_nobody_is_a_loss():
    handover = span("go", "handoff", 3, 4, "lead", target="")
    found = walked(span("lead", "agent", 0, 5), span("think", "model", 1, 2, "lead"), handover)
    assert [kind for kind, *_ in shown(found.trace)] == ["return"]
    assert lost(found, "names no receiver") == [("dropped", 1)]
