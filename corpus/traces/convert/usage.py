"""Tokens of model calls by kind, as recorders write them and as events state them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from corpus.traces.lookup import stated_count
from corpus.traces.model import PRICED_KINDS, TOKEN_KINDS


class Usage(NamedTuple):
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
            is_named = bool(self.model) or not other.model
            return self if is_named else self._replace(model=other.model)
        if not self.total:
            return other.plus(self)
        model = self.model if self.model == other.model else ""
        return self._joined(other, sum)._replace(model=model)

    def apart(self) -> Usage:
        """Return the usage where the input includes what a cache has to do with.

        Examples
        --------
        >>> Usage(100, 80, None, 7, 2).apart()[:5]
        (20, 80, None, 7, 2)
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
        return self._replace(input=sent, output=got)

    def highest(self, other: Usage) -> Usage:
        """Return the larger number of each kind, for a source that repeats counts as they grow.

        Examples
        --------
        >>> Usage(input=5, output=1).highest(Usage(input=5, output=9))[:4]
        (5, None, None, 9)
        """
        return self._joined(other, max)._replace(model=self.model or other.model)

    def _joined(self, other: Usage, join: Callable[[list[int]], int]) -> Usage:
        kinds: dict[str, Any] = {}
        for kind in (*PRICED_KINDS, "unsorted"):
            stated = (getattr(self, kind), getattr(other, kind))
            if known := [number for number in stated if number is not None]:
                kinds[kind] = join(known)
        return self._replace(**kinds)

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


def stated_usage(node: object, *paths: str, model: str = "") -> Usage:
    """Return the usage of a recorder whose input count includes what a cache has to do with.

    Parameters
    ----------
    node : object
        Where the counts are.
    *paths : str
        Of input, cached, cache write, output and reasoning tokens; empty for what is not recorded,
        with ``|`` between places of which the first counts that states a number, and ``+`` between
        those of a sum.
    model : str
        The model that was called.

    Examples
    --------
    >>> stated_usage({"in": 9, "of": {"cached": 4}, "out": 2}, "in", "of.cached", "", "out", "")[:5]
    (5, 4, None, 2, None)
    """
    kinds: dict[str, Any] = {"model": model}
    for kind, path in zip(TOKEN_KINDS, paths, strict=True):
        for place in path.split("|"):
            known = []
            for part in place.split("+"):
                if (number := stated_count(node, part)) is not None:
                    known.append(number)
            if known:
                kinds[kind] = sum(known)
                break
    return Usage(**kinds).apart()
