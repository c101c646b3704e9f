"""What the formats to write share: texts of a run, its tokens, what none has a place for."""

import json
from itertools import chain
from typing import Any, TypeAlias

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.convert.messages import words_of
from corpus.traces.lookup import JsonObject, parsed, records, text
from corpus.traces.model import Event
from corpus.traces.run import Run

DAY = 86_400.0
"""Seconds since 1970 at which a run begins in formats that want a date: a trace has none.

Not 0, which many readers take for a missing time.
"""
SPAWN_TOOL = "spawn_agent"
SPAWN_OF_NOBODY = "a spawn of an agent that is there already, or of nobody"
_SOURCES = {"system": "system", "developer": "system", "user": "user"}


#: The documents of some runs, and what is lost of each run.
Written: TypeAlias = tuple[list[JsonObject], list[LossList]]


class RunTexts:
    """A run that is written elsewhere, with what the hashes of its events stand for.

    Attributes
    ----------
    losses : LossList
        What the other format has no place for.
    call_ids : dict of int to str
        A call id for each call and spawn, unique in the run.
    call_of : dict of int to int
        The call of each result.
    spawn_of : dict of str to int
        The event that spawned each agent with a parent: the first one. Of agents that spawned each
        other in a circle, the first has no parent.
    """

    def __init__(self, run: Run, contents: Contents | None) -> None:
        self.run = run
        self.contents = contents
        self.losses = LossList()
        self.call_of = run.pairs.calls
        self.call_ids: dict[int, str] = {}
        taken = set()
        for place, event in enumerate(run.events):
            if event.type in ("tool_call", "spawn"):
                name = call_id(event)
                # An id may be unique for one agent only.
                if name in taken:
                    name = f"{event.id}.{place}"
                taken.add(name)
                self.call_ids[place] = name
        self.spawn_of: dict[str, int] = {}
        for place in run.spawns:
            child = run.events[place].to
            # In a circle, the first agent has no depth.
            if child and run.depths.get(child) and run.parents.get(child) == run.actors[place]:
                self.spawn_of.setdefault(child, place)

    def drop(self, event: Event, what: str, count: int = 1) -> None:
        """Note what the other format has no place for."""
        self.losses.add("dropped", event.id, what, count)

    def written(self, name: object) -> Any:
        """Return the content of a hash; None where it is not known."""
        content = self.contents and self.contents.get(name)
        return content.value if content else None

    def beside(self, event: Event, role: str) -> list[Any]:
        """Return what an event refers to in a role, beside its own content."""
        contents = event.x_contents or {}
        found = map(self.written, contents.get(role, ()))
        return [one for one in found if one is not None]

    def given(self, event: Event, is_first: bool) -> list[tuple[str, Any]]:
        """Return role and words of what a model was given and no event tells.

        The recorded messages count for its first step; later ones repeat what is known by then.
        """
        found: list[tuple[str, Any]] = []
        for role in ("system", "user"):
            for words in self.beside(event, role):
                found.append((role, words))
        if not is_first:
            return found
        known = {(role, plain(words)) for role, words in found}
        for message in chain.from_iterable(map(records, self.beside(event, "messages"))):
            source, words = _SOURCES.get(text(message, "role")), words_of(message)[0]
            if source and (source, plain(words)) not in known:
                known.add((source, plain(words)))
                found.append((source, words))
        return found

    def add_tools(self, event: Event, tools: list[JsonObject]) -> None:
        """Add the definitions of tools that the model of an event had, each once."""
        for one in chain.from_iterable(map(records, self.beside(event, "tool_definitions"))):
            if one not in tools:
                tools.append(one)

    def arguments(self, event: Event) -> JsonObject:
        """Return what a call or spawn asks for; empty where it is not known."""
        asked = parsed(self.written(event.content_ref))
        if asked is None:
            return {}
        if isinstance(asked, dict):
            return asked
        return {"prompt" if event.type == "spawn" else "input": asked}

    def is_made_up(self, call: Event) -> bool:
        """Whether an agent acted by what it wrote, so that a call had to be made up for it."""
        has_words = self.written(call.content_ref) is not None
        return call.type == "tool_call" and call.x_inferred is True and has_words


class RunWriter(RunTexts):
    """A run in another format; what none of them has a place for is among the losses.

    Attributes
    ----------
    child_of : dict of int to str
        The agent that each spawn is the first one of.
    returns : dict of str to int
        The last event by which each agent returned.
    has_clock : bool
        Whether the times of the run are seconds.
    """

    def __init__(self, run: Run, contents: Contents | None = None) -> None:
        super().__init__(run, contents)
        self.child_of = {place: name for name, place in self.spawn_of.items()}
        self.returns = {run.actors[place]: place for place in run.by_kind["return"]}
        self.has_clock = not all(event.infers("t") for event in run.events)
        what = "the trace has no clock; turns are written as seconds"
        if self.has_clock:
            what = "a trace has no date; the run begins on 2 January 1970"
        self.losses.add("inferred", "times", what)
        trace = run.trace
        if trace.rewards:
            self.losses.add("dropped", "rewards", "a reward channel", len(trace.rewards))
        if trace.metrics:
            self.losses.add("dropped", "metrics", "a metric of the whole run", len(trace.metrics))


def plain(value: object) -> str:
    """Return a content as one text."""
    if not isinstance(value, str):
        value, _ = words_of(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def stated(value: object, otherwise: str = "") -> str:
    """Return an optional text of an event, or `otherwise` where the trace does not state it."""
    if isinstance(value, str) and value:
        return value
    return otherwise


def call_id(event: Event) -> str:
    """Return the id of a call or spawn; one without an id is known by that of its event."""
    return stated(event.x_call_id, event.id)


def usage(event: Event) -> dict[str, int]:
    """Return the tokens that an event states, as providers name them.

    ``prompt`` are all that went in, those of a cache included; ``unsorted`` those of no kind.
    """
    parts = (event.x_tokens_input, event.x_tokens_cached, event.x_tokens_cache_write)
    given = [number for number in parts if number is not UNSET]
    found = {
        "prompt": sum(given) if given else UNSET,
        "completion": event.x_tokens_output,
        "cached": event.x_tokens_cached,
        "cache_write": event.x_tokens_cache_write,
        "reasoning": event.x_tokens_reasoning,
    }
    if not given and event.x_tokens_output is UNSET:
        found["unsorted"] = event.x_tokens
    return {kind: round(number) for kind, number in found.items() if number is not UNSET}


def is_model_step(event: Event) -> bool:
    """Whether a model was called for an event."""
    tokens = usage(event)
    counts = (event.x_steps, event.x_tokens, tokens.get("prompt", 0), tokens.get("completion", 0))
    return any(number and number > 0 for number in counts)
