"""What the formats to write share: texts of a run, its calls and tokens, what is lost of it."""

import json
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.convert.messages import OBJECT, words_of
from corpus.traces.lookup import JsonObject, parsed, record, records, text
from corpus.traces.model import Event
from corpus.traces.run import Run

DAY = 86_400.0
"""Seconds since 1970 at which a run begins in formats that want a date: a trace has none.

Not 0, which many readers take for a missing time.
"""
SPAWN_TOOL = "spawn_agent"
_SOURCES = {"system": "system", "developer": "system", "user": "user"}


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
        self.call_ids = {}
        taken = set()
        for place, event in enumerate(run.events):
            if event.type in ("tool_call", "spawn"):
                name = event.x_call_id or event.id
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

    def drop_tables(self) -> None:
        """Note that the other format has no place for rewards and metrics."""
        trace = self.run.trace
        for name, table in (("rewards", trace.rewards), ("metrics", trace.metrics)):
            if table:
                self.losses.add("dropped", name, f"{name} of the run", len(table))

    def written(self, name: object) -> Any:
        """Return the content of a hash; None where it is not known."""
        content = self.contents and self.contents.get(name)
        return content.value if content else None

    def beside(self, event: Event, role: str) -> list[Any]:
        """Return what an event refers to in a role, beside its own content."""
        found = map(self.written, (event.x_contents or {}).get(role, ()))
        return [one for one in found if one is not None]

    def listed(self, event: Event, role: str) -> list[JsonObject]:
        """Return the members of all lists that an event refers to in a role.

        Where the messages are a text alone, such as the prompt of a completion, it is the user's.
        """
        found = []
        for one in self.beside(event, role):
            if role == "messages" and one and not records(one):
                one = [{"role": "user", "content": one}]
            found += records(one)
        return found

    def give(
        self,
        event: Event,
        rows: list[JsonObject],
        acted: int,
        write: Callable[[str, Any], JsonObject],
    ) -> None:
        """Add what a model was given and no event tells to the rows of its agent.

        The recorded messages count for its first step; later ones repeat what is known by then.

        Parameters
        ----------
        event
            The step of the model.
        rows
            What the agent was told and did before, the first `acted` up to what it did last.
        write
            Writes a role and its words as a row.
        """
        found = [(role, one) for role in ("system", "user") for one in self.beside(event, role)]
        if not rows:
            for message in self.listed(event, "messages"):
                found.append((_SOURCES.get(text(message, "role"), ""), words_of(message)[0]))
        given: dict[tuple[str, str], JsonObject] = {}
        for role, words in found:
            row = write(role, words)
            # Spans repeat the prompt of the system at each call, and that of a sub-agent may be
            # recorded with its spawn, too.
            if role and row not in (rows if role == "system" else rows[acted:]):
                given.setdefault((role, plain(words)), row)
        # The prompt of the system comes before that of the user.
        place = len(rows)
        if not acted:
            asked = (
                n for n, row in enumerate(rows) if row.get("role", row.get("source")) != "system"
            )
            place = next(asked, len(rows))
        rows[place:place] = given.values()

    def said(self, event: Event) -> list[Any]:
        """Return what an agent wrote: not the arguments of a call beside it."""
        said = self.beside(event, "assistant")
        words = self.written(event.content_ref)
        if words is not None and not self.is_call(event):
            said.append(words)
        return said

    def add_thoughts(self, event: Event, answer: JsonObject, tokens: JsonObject) -> None:
        """Add to an answer, and to its tokens, what was recorded of how the model came to it."""
        thoughts = "\n".join(map(plain, self.beside(event, "reasoning")))
        if thoughts:
            answer["reasoning_content"] = thoughts
        for one in self.beside(event, "tokens"):
            tokens.update(record(one))

    def arguments(self, event: Event) -> JsonObject:
        """Return what a call or spawn asks for; empty where it is not known."""
        asked = parsed(self.written(event.content_ref))
        if asked is None:
            return {}
        if isinstance(asked, dict):
            return asked
        return {"prompt" if event.type == "spawn" else "input": asked}

    def is_call(self, event: Event) -> bool:
        """Whether an agent called a tool or another agent.

        Where it acted by what it wrote, the call in the trace had to be made up for that.
        """
        if event.type == "tool_call" and event.x_inferred is True:
            return self.written(event.content_ref) is None
        return event.type in ("tool_call", "spawn")


def plain(value: object) -> str:
    """Return a content as a text, with :data:`OBJECT` for each picture, sound or file."""
    if not isinstance(value, str):
        value, _ = words_of(value, OBJECT)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def usage(event: Event) -> dict[str, int]:
    """Return the tokens that an event states, as providers name them.

    ``prompt`` are all that went in, those of a cache included; ``total`` those of no kind.
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
        found["total"] = event.x_tokens
    return {kind: round(number) for kind, number in found.items() if number is not UNSET}


def is_model_step(event: Event) -> bool:
    """Whether a model was called for an event."""
    counts = (event.x_steps, event.x_tokens, *usage(event).values())
    return any(number and number > 0 for number in counts)
