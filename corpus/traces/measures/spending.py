"""Tokens of a run by agent, model and kind; what was not recorded is unknown, not 0."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.model import DISJOINT_KINDS, TOKEN_KINDS
from corpus.traces.run import Run

_KEYS = ("x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS))
_TOKENS = attrgetter(*_KEYS)
_NONE = (UNSET,) * len(_KEYS)


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
        return max(self.tokens - sum(self.kinds.get(kind, 0) for kind in DISJOINT_KINDS), 0)

    def counts(self) -> dict[str, float | None]:
        """Return all tokens and those of each kind; None where no event states the kind."""
        return {"tokens": self.tokens, **{kind: self.kinds.get(kind) for kind in TOKEN_KINDS}}


def spending(run: Run) -> list[Spent]:
    """Return the tokens of each agent and model, in the order in which they were first used."""
    return _added(_of_events(run))


def _of_events(run: Run) -> Iterator[Spent]:
    for agent, event in zip(run.actors, run.events, strict=True):
        stated = _TOKENS(event)
        if stated == _NONE:
            continue
        total, *of_kinds = stated
        kinds = {}
        for kind, number in zip(TOKEN_KINDS, of_kinds, strict=True):
            if number is not UNSET:
                kinds[kind] = number
        if total is UNSET:
            # An event that states only kinds has as many tokens as these.
            total = sum((kinds.get(kind, 0) for kind in DISJOINT_KINDS), 0.0)
        yield Spent(agent, event.x_model or "", total, kinds)


def by_model(spent: list[Spent]) -> list[Spent]:
    """Add the tokens of all agents for each model."""
    return _added(one._replace(agent="") for one in spent)


def by_agent(spent: list[Spent]) -> list[Spent]:
    """Add the tokens of all models for each agent."""
    return _added(one._replace(model="") for one in spent)


def _added(spent: Iterable[Spent]) -> list[Spent]:
    """Add the tokens of one agent and model."""
    found: dict[tuple[str, str], Spent] = {}
    for one in spent:
        key = (one.agent, one.model)
        known = found.get(key)
        if known is None:
            # A copy of the kinds: those of the argument are read again.
            found[key] = one._replace(kinds=dict(one.kinds))
            continue
        for kind, number in one.kinds.items():
            known.kinds[kind] = known.kinds.get(kind, 0) + number
        found[key] = known._replace(tokens=known.tokens + one.tokens)
    return list(found.values())


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
