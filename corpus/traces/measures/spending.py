"""Tokens of a run by agent, model and kind; what was not recorded is unknown, not 0."""

from operator import attrgetter
from typing import TypeAlias

from msgspec import UNSET

from corpus.traces.model import DISJOINT_KINDS, PRICE_CLASSES, PRICED_KINDS
from corpus.traces.run import Run

_NAMES = ("tokens", *PRICED_KINDS)
_TOKENS = attrgetter("x_tokens", *map("x_tokens_{}".format, PRICED_KINDS))
_NONE = (UNSET,) * len(_NAMES)

#: All tokens of some events, as ``tokens``, and those of each kind; None where no event states it.
Tokens: TypeAlias = dict[str, float | None]


def spending(run: Run) -> tuple[dict[str, Tokens], dict[str, Tokens], Tokens]:
    """Return the tokens of each agent, of each model, and of all events.

    Agents and models are in the order in which they were first used; the name of a model is empty
    where the trace does not tell.
    """
    agents: dict[str, Tokens] = {}
    models: dict[str, Tokens] = {}
    whole: Tokens = dict.fromkeys(_NAMES)
    for agent, event in zip(run.actors, run.events, strict=True):
        stated = _TOKENS(event)
        if stated == _NONE:
            continue
        tokens = dict(zip(_NAMES, stated, strict=True))
        if event.x_tokens is UNSET:
            # An event that states only kinds has as many tokens as these.
            tokens["tokens"] = sum(tokens[kind] or 0.0 for kind in DISJOINT_KINDS)
        of_agent = agents.setdefault(agent, dict.fromkeys(_NAMES))
        of_model = models.setdefault(event.x_model or "", dict.fromkeys(_NAMES))
        for name, number in tokens.items():
            if number is not UNSET:
                for known in (of_agent, of_model, whole):
                    known[name] = (known[name] or 0) + number
    # Few runs have any of a class of its own.
    for known in (*agents.values(), *models.values(), whole):
        for name in PRICE_CLASSES:
            if known[name] is None:
                del known[name]
    return agents, models, whole


def known_tokens(run: Run) -> float | None:
    """Return ``costs.tokens``; None where it is 0 and no event states tokens.

    The schema requires the number, so producers that record no usage write 0.
    """
    tokens = run.trace.costs["tokens"]
    if tokens == 0 and all(_TOKENS(event) == _NONE for event in run.events):
        return None
    return tokens
