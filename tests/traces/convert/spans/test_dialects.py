"""What a span represents, by the attributes of each convention."""

from typing import Any

import pytest

from corpus.traces.convert.spans.dialects import conversation, read_span
from corpus.traces.convert.spans.spans import (
    AGENT,
    DECISION,
    GUARD,
    HANDOFF,
    MODEL,
    OTHER,
    TOOL,
    Span,
)
from corpus.traces.convert.usage import Usage
from tests.support.made_up_spans import span


def read(title: str = "", /, **given: Any) -> Span:
    attributes = {key.replace("__", "."): value for key, value in given.items()}
    return read_span(span("s", "", 0, 1, "", name="", title=title), attributes)


GENAI, INFERENCE = "gen_ai.operation.name", "openinference.span.kind"
LANGFUSE, VERCEL = "langfuse.observation.type", "ai.operationId"


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({GENAI: "invoke_agent"}, AGENT),
        ({GENAI: "chat"}, MODEL),
        ({GENAI: "text_completion"}, MODEL),
        ({GENAI: "generate_content"}, MODEL),
        ({GENAI: "execute_tool"}, TOOL),
        ({GENAI: "retrieval"}, TOOL),
        ({GENAI: "invoke_workflow"}, DECISION),
        ({GENAI: "plan"}, DECISION),
        ({GENAI: "embeddings", "gen_ai.request.model": "m"}, OTHER),
        ({GENAI: "search_memory"}, OTHER),
        ({INFERENCE: "AGENT"}, AGENT),
        ({INFERENCE: "LLM"}, MODEL),
        ({INFERENCE: "TOOL"}, TOOL),
        ({INFERENCE: "RETRIEVER"}, TOOL),
        ({INFERENCE: "GUARDRAIL"}, GUARD),
        ({INFERENCE: "CHAIN"}, OTHER),
        ({LANGFUSE: "agent"}, AGENT),
        ({LANGFUSE: "generation"}, MODEL),
        ({LANGFUSE: "tool"}, TOOL),
        ({LANGFUSE: "retriever"}, TOOL),
        ({LANGFUSE: "guardrail"}, GUARD),
        ({"traceloop.span.kind": "agent"}, AGENT),
        ({"traceloop.span.kind": "tool"}, TOOL),
        ({"traceloop.span.kind": "workflow"}, OTHER),
        ({VERCEL: "ai.generateText"}, AGENT),
        ({VERCEL: "ai.streamObject"}, AGENT),
        ({VERCEL: "ai.streamText.doStream"}, MODEL),
        ({VERCEL: "ai.generateObject.doGenerate"}, MODEL),
        ({VERCEL: "ai.toolCall"}, TOOL),
        ({VERCEL: "ai.embed"}, OTHER),
        ({"llm.request.type": "chat"}, MODEL),
        ({"llm.request.type": "rerank"}, OTHER),
        # Before operations, the model that was asked for was all that told of a call.
        ({"gen_ai.request.model": "m"}, MODEL),
        ({}, OTHER),
        ({GENAI: ["chat"]}, OTHER),
        # The first convention that knows the span tells.
        ({INFERENCE: "CHAIN", "traceloop.span.kind": "agent"}, AGENT),
        ({GENAI: "chat", INFERENCE: "AGENT"}, MODEL),
    ],
)
def test_one_attribute_tells_what_a_span_is(given, kind):
    found = read_span(span("s", ""), given)
    assert (found.kind, found.unknown) == (kind, "")


def unknown(given: dict[str, Any]) -> str:
    return read_span(span("s", ""), given).unknown


def test_a_kind_that_no_convention_knows_is_named_as_it_was_written():
    assert unknown({GENAI: "Dream"}) == f"{GENAI} Dream"
    assert unknown({GENAI: "Dream", INFERENCE: "Nap"}) == f"{GENAI} Dream"
    # Another convention knows the span, so nothing about it is lost.
    assert unknown({GENAI: "Dream", INFERENCE: "LLM"}) == ""
    assert unknown({GENAI: "chat", INFERENCE: "Nap"}) == ""


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"gen_ai__agent__name": "a", "gen_ai__agent__id": "i"}, "a"),
        ({"agent__name": "a", "graph__node__id": "n"}, "a"),
        ({"crewai__agent__role": "Reader"}, "Reader"),
        ({"traceloop__entity__name": "plan"}, "plan"),
        ({"ai__telemetry__functionId": "f"}, "f"),
        ({"graph__node__id": "n"}, "n"),
        ({"graph__node__id": "6f1c", "graph__node__name": "n"}, "n"),
        ({"gen_ai__agent__id": "i"}, "i"),
        ({"gen_ai__agent__name": ""}, ""),
        ({}, ""),
    ],
)
def test_the_name_of_an_agent_is_the_first_that_is_stated(given, name):
    assert read("title", openinference__span__kind="AGENT", **given).name == name


def test_an_agent_of_langfuse_is_named_by_its_span():
    assert read("planner", langfuse__observation__type="agent").name == "planner"


def test_an_agent_may_name_the_node_above_it():
    found = read("", openinference__span__kind="AGENT", graph__node__parent_id="lead")
    assert found.target == "lead"


@pytest.mark.parametrize(
    ("title", "given", "name"),
    [
        ("x", {"gen_ai__tool__name": "web"}, "web"),
        ("x", {"tool__name": "web"}, "web"),
        ("execute_tool web", {}, "web"),
        ("web.tool", {}, "web"),
        ("web", {}, "web"),
        ("execute_tool", {}, "execute_tool"),
    ],
)
def test_a_tool_is_named_by_an_attribute_else_by_its_span(title, given, name):
    assert read(title, gen_ai__operation__name="execute_tool", **given).name == name


@pytest.mark.parametrize(
    ("mode", "target", "kind"),
    [("pass_control", "b", HANDOFF), ("call", "b", TOOL), ("pass_control", "", TOOL)],
)
def test_a_tool_that_passes_control_is_a_handover(mode, target, kind):
    transfer = {"gen_ai__transfer__mode": mode, "gen_ai__transfer__target__name": target}
    found = read("t", gen_ai__operation__name="execute_tool", **transfer)
    assert (found.kind, found.target) == (kind, target if kind == HANDOFF else "")


def test_contents_ids_and_owners_are_read_from_whichever_convention():
    found = read(
        **{
            GENAI: "execute_tool",
            "ai.toolCall.id": "c1",
            "gen_ai.agent.name": "solo",
            "gen_ai.agent.id": "i",
            "gen_ai.tool.call.arguments": "in",
            "input.value": "less",
            "output.value": None,
            "traceloop.entity.output": "out",
        }
    )
    assert (found.call, found.agent, found.agent_id) == ("c1", "solo", "i")
    # The first attribute that is there counts, though it may be empty.
    assert (found.asked, found.answered, found.failed) == ("in", None, False)
    assert read(langfuse__observation__type="tool", langfuse__observation__level="ERROR").failed


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result"),
        ("ai.toolCall.args", "ai.toolCall.result"),
        ("gen_ai.input.messages", "gen_ai.output.messages"),
        ("input.value", "output.value"),
        ("gen_ai.prompt", "gen_ai.completion"),
        ("ai.prompt", "ai.response.text"),
        ("ai.prompt.messages", "ai.response.object"),
        ("traceloop.entity.input", "traceloop.entity.output"),
        ("langfuse.observation.input", "langfuse.observation.output"),
    ],
)
def test_contents_are_read_in_each_convention(asked, answered):
    found = read(**{asked: "in", answered: "out"})
    assert (found.asked, found.answered) == ("in", "out")


@pytest.mark.parametrize(
    "name", ["gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id"]
)
def test_the_id_of_a_call_is_read_in_each_convention(name):
    assert read(**{name: "c"}).call == "c"


def usage(**given: Any) -> Usage:
    return read(**given).usage


def test_tokens_of_kinds_come_from_each_convention():
    genai = {
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 8,
    }
    inference = {
        "llm.token_count.prompt": 100,
        "llm.token_count.completion": 20,
        "llm.token_count.prompt_details.cache_read": 60,
        "llm.token_count.prompt_details.cache_write": 10,
        "llm.token_count.completion_details.reasoning": 8,
    }
    vercel = {
        "ai.usage.inputTokens": 100,
        "ai.usage.outputTokens": 20,
        "ai.usage.inputTokenDetails.cacheReadTokens": 60,
        "ai.usage.inputTokenDetails.cacheWriteTokens": 10,
        "ai.usage.outputTokenDetails.reasoningTokens": 8,
    }
    assert {usage(**given) for given in (genai, inference, vercel)} == {Usage(30, 60, 10, 20, 8)}


def test_a_number_above_zero_counts_before_a_zero_and_a_zero_before_nothing():
    one = usage(**{"gen_ai.usage.input_tokens": 0, "llm.token_count.prompt": "7"})
    assert one.input == 7
    assert usage(**{"gen_ai.usage.input_tokens": 0}).input == 0
    assert usage(**{"gen_ai.usage.input_tokens": -1}).input is None


def test_a_total_alone_is_of_no_known_kind():
    assert usage(**{"gen_ai.usage.total_tokens": 7}) == Usage(unsorted=7)
    both = usage(**{"gen_ai.usage.total_tokens": 7, "gen_ai.usage.input_tokens": 5})
    assert both == Usage(input=5)


@pytest.mark.parametrize(
    ("provider", "details", "found"),
    [
        # The counts of Anthropic leave out of the input what was read from a cache.
        ("anthropic.messages", {}, (20, 50)),
        ("openai.chat", {}, (20, 50)),
        # From version 5 on the SDK adds it up itself.
        ("anthropic.messages", {"ai.usage.inputTokenDetails.noCacheTokens": 1}, (20, 50)),
    ],
)
def test_cached_tokens_of_the_vercel_sdk_are_on_top_or_part_of_the_input(provider, details, found):
    inside = provider != "anthropic.messages" or bool(details)
    given = {"ai.usage.promptTokens": 70 if inside else 20, "ai.usage.cachedInputTokens": 50}
    tokens = usage(**{"ai.model.provider": provider, **given, **details})
    assert (tokens.input, tokens.cached) == found


def test_the_usage_of_a_crew_is_a_text():
    written = "total_tokens=120 prompt_tokens=100 cached_prompt_tokens=40 completion_tokens=20"
    assert usage(**{"crewai.crew.token_usage": written}) == Usage(60, 40, None, 20)
    assert usage(**{"crewai.crew.token_usage": "unknown"}).total == 0


def test_the_usage_of_langfuse_is_json():
    details = '{"input": 20, "input_cached_tokens": 80, "output": 5, "total": 105}'
    given = {"langfuse.observation.usage_details": details, "langfuse.observation.model.name": "m"}
    assert usage(**given) == Usage(20, 80, None, 5, None, model="m")


def test_the_model_that_answered_counts_before_the_one_that_was_asked_for():
    both = {"gen_ai.request.model": "alias", "gen_ai.response.model": "m-2026"}
    assert usage(**both).model == "m-2026"
    assert usage(**{"llm.model_name": "m"}).model == "m"


def test_the_conversation_is_that_of_the_first_convention():
    assert conversation({"session.id": "s", "gen_ai.conversation.id": "c"}) == "c"
    assert conversation({"session.id": "s"}) == "s"
    assert conversation({"session.id": 7}) == ""
