"""Kinds of tokens; ``x_tokens_KIND`` is their key on an event."""

from __future__ import annotations

from typing import Final

#: Processed anew, read from a cache, written to a cache, generated, and of these for reasoning.
TOKEN_KINDS: Final = ("input", "cached", "cache_write", "output", "reasoning")
#: Kinds that add up to all tokens; reasoning is part of the output.
DISJOINT_KINDS: Final = TOKEN_KINDS[:-1]
