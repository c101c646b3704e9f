"""What models ask for: which of it spans carry out, and which no span does."""

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from itertools import chain, islice

from corpus.traces.convert.messages import calls_in
from corpus.traces.convert.spans.dialects import NAMES
from corpus.traces.convert.spans.tree import OPEN_LIMIT, Span, Tree
from corpus.traces.lookup import JsonObject

# What providers allow as the name of a tool.
_NAME = re.compile(r"[\w-]+")
_UNNAMED = ("executetool", "tool", "toolcall", "function")
_OTHERS = re.compile(r"[\W_]+")


@dataclass(eq=False, slots=True)
class _Request:
    """A call that a model asks for, and whether a span carries it out."""

    call: JsonObject
    is_done: bool = False

    @property
    def name(self) -> str:
        """Its name without marks, which recorders write otherwise."""
        return _plain(self.call["name"])


def open_calls(tree: Tree) -> dict[str, list[JsonObject]]:
    """Return the calls that each model asks for and no span carries out, by the id of its span.

    A span carries out the call of its id; without one, a tool the first call of its name that
    waits. Handovers, agents and spans around tools are called as they like: they carry out what the
    last model call of their agent asks for, first what mentions them.
    """
    ids = Counter(span.call for span in tree if span.call)
    asked: dict[str, list[_Request]] = {}
    joined = set()
    order = sorted(tree, key=lambda span: (span.begins, span.kind != "model", span.id))
    for span in order:
        for call in _calls_of(span) if span.kind == "model" else ():
            if ids[call["id"]]:
                ids[call["id"]] -= 1
                joined.add(call["id"])
            else:
                asked.setdefault(span.id, []).append(_Request(call))
    names = {request.name for request in chain.from_iterable(asked.values())}
    waiting: dict[tuple[str, str], deque[_Request]] = defaultdict(deque)
    others = []
    for span in order if asked else ():
        agent, name = _agent_of(tree, span), _plain(span.name)
        for request in asked.get(span.id, ()):
            waiting[agent, request.name].append(request)
            waiting["", request.name].append(request)
        # A tool of another name is another call; a span that no model can name is around one.
        is_named = name in names or (_NAME.fullmatch(span.name) and name not in _UNNAMED)
        above = tree.nearest_above(span, "agent", "tool")
        # An agent that a tool starts is part of that.
        is_inside = span.kind == "agent" and above is not None and above.kind == "tool"
        if span.kind == "tool" and is_named and span.call not in joined:
            for queue in (waiting[agent, name], waiting["", name]):
                while queue and queue[0].is_done:
                    queue.popleft()
                if queue:
                    queue[0].is_done = True
                    break
        elif not is_inside and span.call not in joined:
            others.append(span)
    last: dict[str, list[_Request]] = {}
    for span in others:
        agent = _agent_of(tree, span)
        if span.kind == "model":
            last[agent] = last[""] = asked.get(span.id, [])
        elif span.kind in ("tool", "handoff", "agent"):
            # Whoever is below no agent may go on without a call.
            is_below = bool(agent) and agent in last
            requests = last[agent] if is_below else last.get("", [])
            still = [one for one in islice(requests, OPEN_LIMIT) if not one.is_done]
            wanted = _plain(span.target or span.name)
            mentioning = [one for one in still if wanted in _plain(str(one.call))]
            for request in (mentioning + still * is_below)[:1]:
                request.is_done = True
    found = {}
    for model, requests in asked.items():
        found[model] = [request.call for request in requests if not request.is_done]
    return found


def _calls_of(span: Span) -> list[JsonObject]:
    stated = [span.contents.get("assistant"), span.answered]
    stated += [span.given.get(name) for name in NAMES["calls"]]
    return next(filter(None, map(calls_in, stated)), [])


def _agent_of(tree: Tree, span: Span) -> str:
    above = tree.agent_above(span)
    return above.id if above else span.agent


def _plain(name: str) -> str:
    return _OTHERS.sub("", name).casefold()
