"""Which agent spans are agents, and which spans hand over."""

import json

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.spans.handovers import handovers
from tests.support.converted import otlp_traces
from tests.support.recorded_samples import otel_span, otlp
from tests.support.recorded_traces import kinds, only


def settled(*spans):
    return list(handovers(spans, Recorder("t", "test", Redaction())))


def test_a_declared_transfer_is_stated_and_a_tool_name_is_inferred():
    def spans(**transfer):
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

    (named,) = otlp_traces(spans())
    stated = spans(gen_ai__transfer__mode="pass_control", gen_ai__transfer__target__name="ag2")
    (declared,) = otlp_traces(stated)
    assert only(named, type="message", to="ag2")["x_inferred"] == ["type"]
    assert "x_inferred" not in only(declared, type="message", to="ag2")
    assert named["topology"] == "swarm"


AGENT = {"gen_ai__operation__name": "invoke_agent"}
TOOL = {"gen_ai__operation__name": "execute_tool"}
CHAT = {"gen_ai__operation__name": "chat"}


def two_agents(**transfer):
    """The first one calls a tool, and after it the second one begins."""
    spans = [otel_span("flow", 0, 30, gen_ai__operation__name="invoke_workflow")]
    for place, name in enumerate(("lead", "closer")):
        begin = 10 * place
        spans.append(
            otel_span(name, begin + 1, begin + 9, "flow", gen_ai__agent__name=name, **AGENT)
        )
        spans.append(otel_span(f"m{place}", begin + 2, begin + 3, name, **CHAT))
    return otlp(*spans, otel_span("t", 5, 6, "lead", **TOOL, **transfer))


def test_a_transfer_without_its_arguments_goes_to_the_agent_that_begins_next():
    for name in ("transfer_to_agent", "handoff_to_agent"):
        (trace,) = otlp_traces(two_agents(gen_ai__tool__name=name))
        message = only(trace, type="message")
        assert (message["agent"], message["to"], message["x_inferred"]) == (
            "lead",
            "closer",
            ["type"],
        )
        assert kinds(trace).count("tool_call") == 0


def test_a_transfer_to_a_person_is_a_message_to_the_user():
    transfer = {"gen_ai__transfer__mode": "pass_control", "gen_ai__transfer__target__type": "human"}
    (trace,) = otlp_traces(two_agents(gen_ai__tool__name="escalate", **transfer))
    assert only(trace, type="message")["to"] == "user"


# A server of Phoenix takes the metadata apart.
@pytest.mark.parametrize("apart", [False, True])
def test_an_agent_of_langchain_begins_where_its_name_does(apart):
    def inside(name, begin, end, parent, agent, **more):
        named = {"metadata": json.dumps({"lc_agent_name": agent})}
        if apart:
            named = {"metadata.lc_agent_name": agent}
        return otel_span(name, begin, end, parent, **named, **more)

    graph = {"openinference__span__kind": "CHAIN"}
    model, tool = {"openinference__span__kind": "LLM"}, {"openinference__span__kind": "TOOL"}
    spans = [
        otel_span("team", 0, 30, **graph),
        inside("lead", 1, 20, "team", "lead", **graph),
        inside("model", 2, 5, "lead", "lead", **graph),
        inside("m1", 3, 4, "model", "lead", **model),
        inside("ask", 6, 12, "lead", "lead", tool__name="ask_scout", **tool),
        inside("scout", 7, 11, "ask", "scout", **graph),
        inside("m2", 8, 9, "scout", "scout", **model),
        inside("t", 13, 14, "lead", "lead", tool__name="transfer_to_closer", **tool),
        inside("closer", 21, 29, "team", "closer", **graph),
        inside("m3", 22, 23, "closer", "closer", **model),
    ]
    (trace,) = otlp_traces(otlp(*spans))
    steps = [event["agent"] for event in trace["events"] if "x_steps" in event]
    assert steps == ["lead", "scout", "closer"]
    assert only(trace, type="spawn")["to"] == "scout"
    assert only(trace, type="message")["to"] == "closer"


def test_a_coworker_that_a_crew_asks_is_an_agent_inside_the_tool():
    kind = "openinference__span__kind"
    asked = json.dumps({"task": "look", "coworker": "scout"})
    name = {"tool__name": "Delegate work to coworker", "input__value": asked}
    spans = [
        otel_span("lead", 0, 20, **{kind: "AGENT"}, agent__name="lead"),
        otel_span("m1", 1, 2, "lead", **{kind: "LLM"}),
        otel_span("ask", 3, 9, "lead", **{kind: "TOOL"}, **name),
        otel_span("m2", 4, 5, "ask", **{kind: "LLM"}),
        otel_span("t", 6, 7, "ask", **{kind: "TOOL"}, tool__name="lookup"),
    ]
    (trace,) = otlp_traces(otlp(*spans))
    assert only(trace, type="spawn")["to"] == "scout"
    assert only(trace, type="tool_call")["agent"] == "scout"
