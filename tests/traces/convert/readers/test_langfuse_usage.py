"""Tokens as Langfuse counts them."""

from dataclasses import replace

import pytest

from corpus.traces.convert.spans.dialects import usage_of_details
from corpus.traces.convert.usage import Usage


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        ({"input": 20, "output": 5, "total": 25}, Usage(20, None, None, 5)),
        # Kinds beside each other add up to the total.
        (
            {
                "input": 20,
                "input_cached_tokens": 80,
                "output": 5,
                "output_reasoning_tokens": 15,
                "total": 120,
            },
            Usage(20, 80, None, 20, 15),
        ),
        # Reasoning that is part of the output is not added to it.
        ({"input": 20, "output": 5, "reasoning": 3, "total": 25}, Usage(20, None, None, 5, 3)),
        ({"output_reasoning_tokens": 3}, Usage(None, None, None, 3, 3)),
        ({"cache_read_input_tokens": 9, "cache_creation_input_tokens": 0}, Usage(None, 9, 0)),
        ({"prompt_tokens": 1, "completion_tokens": 2}, Usage(1, None, None, 2)),
        # The total tells that the provider counts what was cached as part of the input.
        (
            {"input": 100, "cache_read_input_tokens": 80, "output": 5, "total": 105},
            Usage(20, 80, None, 5),
        ),
        (
            {
                "input": 100,
                "input_cached_tokens": 60,
                "input_cache_creation": 20,
                "output": 5,
                "reasoning": 3,
                "total": 108,
            },
            Usage(20, 60, 20, 8, 3),
        ),
        ({"input": 100, "input_cached_tokens": 100, "total": 100}, Usage(0, 100)),
        (
            {"input": 20, "input_cached_tokens": 80, "output": 5, "total": 25},
            Usage(20, 80, None, 5),
        ),
        # Without a total, the kinds are beside each other.
        ({"input": 100, "input_cached_tokens": 80, "output": 5}, Usage(100, 80, None, 5)),
        # What of the total no known kind explains.
        ({"input": 20, "input_audio_tokens": 7, "total": 27}, Usage(20, unsorted=7)),
        ({"total": 7}, Usage(unsorted=7)),
        ({"input": 20, "total": 7}, Usage(20)),
        ({}, Usage()),
    ],
)
def test_kinds_are_told_apart_and_the_rest_of_the_total_is_unsorted(details, usage):
    assert usage_of_details(details, "m") == replace(usage, model="m")
