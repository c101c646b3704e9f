"""Tokens as Langfuse counts them: every kind apart from every other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.traces.convert.lookup import stated_count
from corpus.traces.convert.usage import Usage

_CACHED = (
    "input_cached_tokens",
    "cache_read_input_tokens",
    "input_cache_read",
    "input_cache_read_tokens",
)
_CACHE_WRITE = ("cache_creation_input_tokens", "input_cache_creation", "input_cache_write_tokens")
_REASONING = ("output_reasoning_tokens", "output_reasoning", "reasoning", "reasoning_tokens")


def usage_of_details(details: Mapping[str, Any], model: str) -> Usage:
    """Return the usage that a mapping from kinds of tokens to counts states.

    Unlike with most providers, the kinds of Langfuse are beside each other (its issue 9386), so
    that they add up to ``total``: cached tokens are not part of the input, nor reasoning tokens of
    the output. Some integrations pass on the counts of the provider all the same. Where they state
    the total of the provider, it tells which of the two holds.

    Parameters
    ----------
    details : mapping of str to object
        Kinds are free text; those of the SDKs of the large providers are known here.
    model : str
        The model that was called.

    Examples
    --------
    >>> usage_of_details({"input": 20, "input_cached_tokens": 80, "output": 5}, "m")[:5]
    (20, 80, None, 5, None)
    >>> usage_of_details({"output": 5, "output_reasoning_tokens": 2, "total": 7}, "m")[:5]
    (None, None, None, 7, 2)
    >>> usage_of_details({"input": 100, "input_cached_tokens": 80, "total": 100}, "m")[:5]
    (20, 80, None, None, None)
    """
    tokens_in = _first(details, ("input", "input_tokens", "prompt_tokens", "promptTokens"))
    tokens_out = _first(details, ("output", "output_tokens", "completion_tokens"))
    cached = _first(details, _CACHED)
    cache_write = _first(details, _CACHE_WRITE)
    reasoning = _first(details, _REASONING)
    total = stated_count(details, "total")
    apart = (cached or 0) + (cache_write or 0)
    if tokens_in is not None and apart <= tokens_in:
        with_output = tokens_in + (tokens_out or 0)
        if total in (with_output, with_output + (reasoning or 0)):
            # The total leaves nothing beside the input for a cache.
            tokens_in -= apart
    parts = (tokens_in, cached, cache_write, tokens_out)
    sum_of_parts = sum(part or 0 for part in parts)
    if total is not None and sum_of_parts == total:
        # Written by an SDK that reports reasoning as part of the output.
        output = tokens_out
    else:
        output = _sum(tokens_out, reasoning)
    usage = Usage(tokens_in, cached, cache_write, output, reasoning, model=model)
    if total is not None and total > usage.total:
        # Kinds that are not known here, such as tokens of images and audio.
        return usage._replace(unsorted=total - usage.total)
    return usage


def _first(details: Mapping[str, Any], kinds: tuple[str, ...]) -> int | None:
    for kind in kinds:
        found = stated_count(details, kind)
        if found is not None:
            return found
    return None


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None and other is None:
        return None
    return (one or 0) + (other or 0)
