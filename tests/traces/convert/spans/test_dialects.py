"""What a span represents, by the attributes of each convention."""

import pytest

from corpus.traces.convert.spans.dialects import read_span
from corpus.traces.convert.usage import Usage
from tests.support.made_up_spans import span


def read(title="", /, **given):
    attributes = {key.replace("__", "."): value for key, value in given.items()}
    return read_span(span("s", "", 0, 1, "", name="", title=title, given=attributes))


GENAI, INFERENCE = "gen_ai.operation.name", "openinference.span.kind"


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({GENAI: "execute_tool"}, "tool"),
        ({GENAI: "embeddings", "gen_ai.request.model": "m"}, "other"),
        ({INFERENCE: "GUARDRAIL"}, "guard"),
        ({"langfuse.observation.type": "generation"}, "model"),
        ({"ai.operationId": "ai.toolCall"}, "tool"),
        # Before operations, the model that was asked for was all that told of a call.
        ({"gen_ai.request.model": "m"}, "model"),
        ({}, "other"),
        ({GENAI: ["chat"]}, "other"),
        # The first convention that knows the span tells.
        ({INFERENCE: "CHAIN", "traceloop.span.kind": "agent"}, "agent"),
        ({GENAI: "chat", INFERENCE: "AGENT"}, "model"),
    ],
)
def test_one_attribute_tells_what_a_span_is(given, kind):
    found = read_span(span("s", "", given=given))
    assert (found.kind, found.unknown) == (kind, "")


def unknown(given):
    return read_span(span("s", "", given=given)).unknown


def usage(**given):
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
