"""Tokens of a run by agent, model and kind; what was not recorded is unknown, not 0."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from corpus.traces.run import Run
from corpus.traces.token_kinds import DISJOINT_KINDS, TOKEN_KINDS

_KEYS: Final = ("x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS))
_TOKENS: Final = attrgetter(*_KEYS)
_NONE: Final = (UNSET,) * len(_KEYS)


class Spent(NamedTuple):
    """Tokens of some events.

    Attributes
    ----------
    agent, model : str
        Whose they are; `model` is empty where the trace does not tell.
    tokens : float
        All tokens.
    kinds : dict of str to float
        Tokens of each kind that at least one event states.
    """

    agent: str
    model: str
    tokens: float
    kinds: dict[str, float]

    @property
    def unsorted(self) -> float:
        """Tokens of which no kind is stated."""
        stated = sum(self.kinds.get(kind, 0) for kind in DISJOINT_KINDS)
        return max(self.tokens - stated, 0)


def spending(run: Run) -> list[Spent]:
    """Return the tokens of each agent and model, in the order in which they were first used."""
    events = run.events
    stated = [event.x_tokens for event in events]
    # Most traces state few kinds or none: only columns with a number are looked at per event.
    columns = []
    for kind in TOKEN_KINDS:
        numbers = list(map(attrgetter(f"x_tokens_{kind}"), events))
        if numbers.count(UNSET) < len(numbers):
            columns.append((kind, kind in DISJOINT_KINDS, numbers))
    models = [event.x_model for event in events]
    if not columns and models.count(UNSET) == len(models):
        return _totals(run.actors, stated)
    totals: dict[tuple[str, str], float] = {}
    kinds: dict[tuple[str, str], dict[str, float]] = {}
    spenders = zip(run.actors, models, stated, strict=True)
    for place, (agent, model, total) in enumerate(spenders):
        if total is UNSET and not columns:
            continue
        of_event = []
        for kind, is_part, numbers in columns:
            number = numbers[place]
            if number is not UNSET:
                of_event.append((kind, is_part, number))
        if total is UNSET and not of_event:
            continue
        key = (agent, "" if model is UNSET else model)
        of_key = kinds.get(key)
        if of_key is None:
            of_key = kinds[key] = {}
        parts = 0.0
        for kind, is_part, number in of_event:
            of_key[kind] = of_key.get(kind, 0) + number
            if is_part:
                parts += number
        # An event that states only kinds has as many tokens as these.
        own = parts if total is UNSET else total
        totals[key] = totals.get(key, 0) + own
    return [Spent(*key, total, kinds[key]) for key, total in totals.items()]


def _totals(agents: Sequence[str], stated: Sequence[float | UnsetType]) -> list[Spent]:
    """Return the tokens of each agent in a trace that states neither kinds nor models."""
    totals: dict[str, float] = {}
    for agent, tokens in zip(agents, stated, strict=True):
        if tokens is not UNSET:
            totals[agent] = totals.get(agent, 0) + tokens
    return [Spent(agent, "", total, {}) for agent, total in totals.items()]


def by_model(spent: list[Spent]) -> list[Spent]:
    """Add the tokens of all agents for each model."""
    return _added([one._replace(agent="") for one in spent])


def by_agent(spent: list[Spent]) -> list[Spent]:
    """Add the tokens of all models for each agent."""
    return _added([one._replace(model="") for one in spent])


def _added(spent: list[Spent]) -> list[Spent]:
    """Add the tokens of one agent and model."""
    added: dict[tuple[str, str], Spent] = {}
    for one in spent:
        key = (one.agent, one.model)
        known = added.get(key)
        # A copy of the kinds: those of the argument are read again.
        if known is None:
            added[key] = one._replace(kinds=dict(one.kinds))
            continue
        for kind, number in one.kinds.items():
            known.kinds[kind] = known.kinds.get(kind, 0) + number
        added[key] = known._replace(tokens=known.tokens + one.tokens)
    return list(added.values())


def kinds_of(spent: list[Spent]) -> dict[str, float | None]:
    """Return the tokens of each kind in the whole run; None where no event states any."""
    found: dict[str, float | None] = dict.fromkeys(TOKEN_KINDS)
    for one in spent:
        for kind, number in one.kinds.items():
            found[kind] = (found[kind] or 0) + number
    return found


def known_tokens(run: Run) -> float | None:
    """Return ``costs.tokens``; None where it is 0 and no event states tokens.

    The schema requires the number, so producers that record no usage write 0.
    """
    tokens = run.trace.costs["tokens"]
    if tokens == 0 and all(_TOKENS(event) == _NONE for event in run.events):
        return None
    return tokens
