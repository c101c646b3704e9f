"""Tokens of model calls by kind, as recorders write them and as events state them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from corpus.traces.lookup import stated_count
from corpus.traces.model import PRICED_KINDS, TOKEN_KINDS


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several model calls.

    A kind that the source does not state is None, which is not 0.

    Attributes
    ----------
    input, cached, cache_write : int or None
        Tokens that went in: processed anew, read from a cache, and written to a cache.
    output, reasoning : int or None
        Tokens that came out, and how many of these were spent on reasoning.
    unsorted : int
        Tokens of which the source does not state the kind.
    model : str
        The model that was called; empty where the source does not tell, or where several were.
    cache_write_1h, input_audio, output_audio : int or None
        Those of `cache_write`, `input` and `output` that have prices of their own.
    """

    input: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None
    unsorted: int = 0
    model: str = ""
    cache_write_1h: int | None = None
    input_audio: int | None = None
    output_audio: int | None = None

    @property
    def total(self) -> int:
        """All tokens, each counted once: reasoning is part of the output."""
        known = (self.input, self.cached, self.cache_write, self.output, self.unsorted)
        return sum(filter(None, known))

    def fits(self, other: Usage) -> bool:
        """Whether both are of one model, as far as they have any tokens."""
        return not self.total or not other.total or self.model == other.model

    def plus(self, other: Usage) -> Usage:
        """Return the sum; it names a model where both have the same.

        Examples
        --------
        >>> Usage(input=5, output=1, model="m").plus(Usage(input=2, model="m")).keys()
        {'x_model': 'm', 'x_tokens': 8, 'x_tokens_input': 7, 'x_tokens_output': 1}
        """
        if not other.total:
            return self if self.model or not other.model else replace(self, model=other.model)
        if not self.total:
            return other.plus(self)
        return self._joined(other, sum, self.model if self.model == other.model else "")

    def apart(self) -> Usage:
        """Return the usage where the input includes what a cache has to do with.

        Examples
        --------
        >>> Usage(100, 80, None, 7, 2).apart().keys()["x_tokens_input"]
        20
        """
        sent, got = self.input, self.output
        cached = (self.cached or 0) + (self.cache_write or 0)
        # More than everything cannot be part of it: some recorders pass on the counts of a provider
        # that does not include the cache in the input.
        if sent is not None and cached <= sent:
            sent -= cached
        # Likewise for a provider that does not include reasoning in the output.
        if self.reasoning is not None and self.reasoning > (got or 0):
            got = (got or 0) + self.reasoning
        return replace(self, input=sent, output=got)

    def highest(self, other: Usage) -> Usage:
        """Return the larger number of each kind, for a source that repeats counts as they grow.

        Examples
        --------
        >>> Usage(input=5, output=1).highest(Usage(input=5, output=9)).total
        14
        """
        return self._joined(other, max, self.model or other.model)

    def _joined(self, other: Usage, join: Callable[[list[int]], int], model: str) -> Usage:
        kinds: dict[str, Any] = {}
        for kind in (*PRICED_KINDS, "unsorted"):
            stated = (getattr(self, kind), getattr(other, kind))
            if known := [number for number in stated if number is not None]:
                kinds[kind] = join(known)
        return replace(self, model=model, **kinds)

    def keys(self) -> dict[str, int | str]:
        """Return the keys of an event with these tokens; none where there are no tokens."""
        keys: dict[str, int | str] = {}
        if self.model:
            keys["x_model"] = self.model
        if not self.total:
            return keys
        keys["x_tokens"] = self.total
        for kind in PRICED_KINDS:
            number = getattr(self, kind)
            # A class of which there is nothing needs no price.
            if number or (number is not None and kind in TOKEN_KINDS):
                keys[f"x_tokens_{kind}"] = number
        return keys


NO_USAGE = Usage()


@cache
def _places(path: str) -> list[list[str]]:
    return [place.split("+") for place in path.split("|")]


def stated_usage(node: object, model: str = "", *, is_beside: bool = False, **paths: str) -> Usage:
    """Return the usage that a recorder states.

    Parameters
    ----------
    node : object
        Where the counts are.
    model : str
        The model that was called.
    is_beside : bool
        Whether its input count leaves out what a cache has to do with.
    **paths : str
        Of the kinds of tokens that are recorded, with ``|`` between places of which the first
        counts that states a number, and ``+`` between those of a sum.

    Examples
    --------
    >>> stated_usage({"in": 9, "of": {"cached": 4}}, input="in", cached="of.cached").input
    5
    """
    kinds: dict[str, Any] = {}
    for kind, path in paths.items():
        for place in _places(path):
            counts = [stated_count(node, part) for part in place]
            if known := [number for number in counts if number is not None]:
                kinds[kind] = sum(known)
                break
    usage = Usage(model=model, **kinds)
    return usage if is_beside else usage.apart()


def usage_beside_cache(node: object, model: str) -> Usage:
    """Return the usage that Anthropic or pi states: what was cached is not part of the input."""
    return stated_usage(
        node,
        model,
        is_beside=True,
        input="input_tokens|input",
        cached="cache_read_input_tokens|cacheRead",
        cache_write="cache_creation_input_tokens|cacheWrite",
        output="output_tokens|output",
        cache_write_1h="cache_creation.ephemeral_1h_input_tokens",
    )
