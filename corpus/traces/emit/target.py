"""What a format to write is: one record per module, as for the formats that are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.convert.format import Loss, LossList
from corpus.traces.lookup import JsonObject
from corpus.traces.model import Event
from corpus.traces.run import Run

DAY = 86_400.0
"""Seconds since 1970 at which a run begins in formats that want a date: a trace has none.

Not 0, which many readers take for a missing time.
"""
SCOPE = "mas-rl-corpus"


class Emitted(NamedTuple):
    """One document to write, and what was lost of each trace in it."""

    document: JsonObject
    losses: list[tuple[str, tuple[Loss, ...]]]


@dataclass(frozen=True, slots=True)
class Target:
    """One format that traces are written in.

    Attributes
    ----------
    name : str
        As in ``--to``.
    title : str
        What reads it.
    write : callable
        All runs to the documents that hold them, with their contents where those are known.
    """

    name: str
    title: str
    write: Callable[[Sequence[Run], Contents | None], list[Emitted]]


def stated(value: object, otherwise: str = "") -> str:
    """Return an optional text of an event, or `otherwise` where the trace does not state it."""
    if isinstance(value, str) and value:
        return value
    return otherwise


def known(given: Mapping[str, Any]) -> JsonObject:
    """Return what is stated, without None and UNSET; numbers as whole ones."""
    found = {}
    for key, value in given.items():
        if value not in (UNSET, None):
            found[key] = value if isinstance(value, str) else round(value)
    return found


def call_id(event: Event) -> str:
    """Return the id of a call or spawn; one without an id is known by that of its event."""
    return stated(event.x_call_id, event.id)


def prompt_tokens(event: Event) -> int | None:
    """Return all tokens that went in, those of a cache included; None where none are stated."""
    kinds = (event.x_tokens_input, event.x_tokens_cached, event.x_tokens_cache_write)
    known = [number for number in kinds if number is not UNSET]
    return round(sum(known)) if known else None


def completion_tokens(event: Event) -> int | None:
    """Return the tokens that came out; None where they are not stated."""
    if event.x_tokens_output is UNSET:
        return None
    return round(event.x_tokens_output)


def unsorted_tokens(event: Event) -> int | None:
    """Return the tokens of an event that states their number, but of no kind."""
    stated_kinds = prompt_tokens(event) is not None or completion_tokens(event) is not None
    if event.x_tokens is UNSET or stated_kinds:
        return None
    return round(event.x_tokens)


def is_model_step(event: Event) -> bool:
    """Whether a model was called for an event."""
    has_tokens = event.x_tokens is not UNSET and event.x_tokens > 0
    kinds = prompt_tokens(event) or completion_tokens(event)
    has_steps = event.x_steps is not UNSET and event.x_steps > 0
    return has_steps or has_tokens or bool(kinds)


def spawn_of(run: Run) -> dict[str, int]:
    """Return the event that spawned each agent with a parent: the first one.

    Of agents that spawned each other in a circle, the first has no parent.
    """
    position = {name: number for number, name in enumerate(run.agents)}
    found: dict[str, int] = {}
    for place in run.spawns:
        name = run.events[place].to
        spawner = run.actors[place]
        if name is UNSET or run.parents.get(name) != spawner:
            continue
        if position.get(spawner, len(position)) < position[name]:
            found.setdefault(name, place)
    return found


def return_of(run: Run) -> dict[str, int]:
    """Return the last event by which each agent returned."""
    return {run.actors[place]: place for place in run.by_kind.get("return", ())}


def note_clock(run: Run, losses: LossList) -> bool:
    """Note that times are relative or made up; return whether the run has a clock."""
    if all(event.infers("t") for event in run.events):
        losses.add("inferred", "times", "the trace has no clock; turns are written as seconds")
        return False
    losses.add("inferred", "times", "a trace has no date; the run begins on 2 January 1970")
    return True


def note_metrics(run: Run, losses: LossList) -> None:
    """Note what no other format has a place for."""
    trace = run.trace
    if trace.rewards:
        losses.add("dropped", "rewards", "a reward channel", len(trace.rewards))
    if trace.metrics is not UNSET and trace.metrics:
        losses.add("dropped", "metrics", "a metric of the whole run", len(trace.metrics))
