"""Spans that record one thing twice: from outside and inside, or by two instrumentations.

Instrumentations of a framework, of its agents and of the client of the model are often active at
once. Each writes a span for the same call: nested in the other one, or beside it at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from corpus.traces.convert.spans.spans import AGENT, MODEL, OTHER, TOOL, Span, Tree

_OPEN_LIMIT = 256
"""Calls at one time that a call is compared with: of a hostile file, a million may be open."""
_NEAR = 16
"""Spans above an agent among which the parent of a client's call is looked for."""


def without_repeats(tree: Tree) -> Tree:
    """Make one agent, tool call or model call of the spans that record it twice.

    Parameters
    ----------
    tree : Tree
        With all times filled in.
    """
    tree = _with_client_inside(tree)
    for kind in (AGENT, TOOL, MODEL):
        tree = _nested(tree, kind)
        tree = _without_shells(tree)
    return _with_usage_inside(tree)


def _changed(tree: Tree, spans: dict[str, Span]) -> Tree:
    """Return the tree with others in place of some of its spans."""
    return Tree.of((tree.spans | spans).values()) if spans else tree


def _nested(tree: Tree, kind: str) -> Tree:
    """Put each span of a kind below the one that records the same call beside it."""
    groups: dict[str, list[Span]] = {}
    # Spans that have the other record of their call above or below them.
    taken: set[str] = set()
    for span in tree:
        if span.kind == kind:
            agent = tree.agent_above(span)
            groups.setdefault(agent.id if agent else "", []).append(span)
            outer = tree.nearest_above(span, kind, AGENT)
            if outer is not None and outer.kind == kind != AGENT:
                taken |= {span.id, outer.id}

    def outer_of(one: Span, other: Span) -> Span | None:
        return one if _same_call(one, other) else None

    moved: dict[str, Span] = {}
    for group in groups.values():
        moved |= _closest(group, outer_of, taken)
    return _changed(tree, moved)


def _closest(
    group: Sequence[Span], outer_of: Callable[[Span, Span], Span | None], taken: set[str]
) -> dict[str, Span]:
    """Return spans that record the same as another one, below that; what fits best comes first."""
    # One instrumentation alone records nothing twice: its coinciding spans are parallel calls.
    if len({span.scope for span in group}) < 2:
        return {}
    pairs: list[tuple[float, str, str]] = []
    spans = {span.id: span for span in group}
    # Sorted by start, a span can only overlap with those that are still open.
    open_spans: list[Span] = []
    for span in sorted(group, key=lambda one: (one.begins, -one.ends, one.id)):
        open_spans = [one for one in open_spans[-_OPEN_LIMIT:] if one.ends >= span.begins]
        for other in open_spans:
            outer = outer_of(other, span)
            if outer is not None:
                inner = other if outer is span else span
                apart = abs(span.begins - other.begins) + abs(span.ends - other.ends)
                pairs.append((apart, outer.id, inner.id))
        open_spans.append(span)
    moved = {}
    for _, above, below in sorted(pairs):
        if above not in taken and below not in taken:
            taken |= {above, below}
            moved[below] = replace(spans[below], parent=above)
    return moved


def _with_client_inside(tree: Tree) -> Tree:
    """Put each model call that a client recorded outside of the agent below that of the agent.

    It is the same call where both overlap, have the same model and the same usage (or the same
    request), and one is inside the parent of the other.
    """
    calls: dict[str, list[Span]] = {}
    for span in tree:
        if span.kind == MODEL and not tree.holds(span, MODEL):
            calls.setdefault(span.trace, []).append(span)

    def outer_of(one: Span, other: Span) -> Span | None:
        if one.ends <= other.begins:
            return None
        if _is_client_of(tree, other, one):
            return one
        return other if _is_client_of(tree, one, other) else None

    moved: dict[str, Span] = {}
    for group in calls.values():
        moved |= _closest(group, outer_of, set())
    return _changed(tree, moved)


def _is_client_of(tree: Tree, client: Span, own: Span) -> bool:
    """Whether the span of a client outside records the call that an agent's own span records."""
    if client.scope == own.scope or client.trace != own.trace:
        return False
    # One of them may name the version that answered, the other what was asked for.
    short, long = sorted((client.usage.model, own.usage.model), key=len)
    same_usage = client.tokens > 0 and client.tokens == own.tokens
    same_request = bool(client.asked) and client.asked == own.asked
    if not long.startswith(short) or not (same_usage or same_request):
        return False
    agent = tree.agent_above(own)
    if agent is None or agent == tree.agent_above(client):
        return False
    # The parent of the client is above the agent: both are siblings, or nearly.
    above = [one.id for one in islice(tree.above(agent), _NEAR)]
    return client.parent in ("", *above)


def _same_call(outer: Span, inner: Span) -> bool:
    """Whether of two spans of a kind one is inside of the other and records the same call."""
    if outer.ends < inner.ends or outer.scope == inner.scope:
        return False
    if outer.kind == MODEL:
        return not outer.tokens or not inner.tokens or outer.tokens == inner.tokens
    if outer.kind == TOOL:
        return _same_tool(outer, inner)
    return outer.name.casefold() == inner.name.casefold()


def _same_tool(one: Span, other: Span) -> bool:
    if one.call and other.call:
        return one.call == other.call
    return one.name == other.name


def _without_shells(tree: Tree) -> Tree:
    """Take the kind from one of two nested spans that record one agent or tool call.

    What is inside stays inside.
    """
    shells = {}
    for span in tree:
        outer = tree.nearest_above(span, AGENT, TOOL)
        if outer is None or outer.kind != span.kind:
            continue
        if span.kind == TOOL:
            same = outer.scope != span.scope and _same_tool(outer, span)
        else:
            same = outer.name.casefold() == span.name.casefold()
            same = same or _one_is_unnamed(tree, outer, span)
        if same:
            inner_is_named = outer.name_guessed and not span.name_guessed
            shell = outer if inner_is_named else span
            shells[shell.id] = replace(shell, kind=OTHER)
    return _changed(tree, shells)


def _one_is_unnamed(tree: Tree, outer: Span, inner: Span) -> bool:
    """Whether two instrumentations record one agent, of which only one knows the name."""
    if outer.scope == inner.scope or outer.name_guessed == inner.name_guessed:
        return False
    # Of what acts below the outer one, the inner one is all but itself.
    between = tree.count_below(outer) - tree.count_below(inner)
    return between - tree.count_below(outer, OTHER) + tree.count_below(inner, OTHER) == 1


def _with_usage_inside(tree: Tree) -> Tree:
    """Move the usage of a model span to the one inside it, where only the outer one has it."""
    changed: dict[str, Span] = {}
    for span in tree:
        if span.kind == MODEL and tree.holds(span, MODEL):
            changed[span.id] = replace(span, kind=OTHER)
    # From the inside out: the tokens of a call are known where a span inside it states them.
    known: set[str] = set()
    for span in reversed(tree.parents_first) if changed else ():
        states = span.kind == MODEL and span.tokens > 0
        if states and span.id not in known and span.id in changed:
            calls = []
            for one in tree.below(span):
                if one.kind == MODEL and one.id not in changed:
                    calls.append(one)
            first = min(calls, key=lambda one: (one.begins, one.id))
            first = changed.get(first.id, first)
            changed[first.id] = replace(
                first,
                usage=span.usage._replace(model=span.usage.model or first.usage.model),
                asked=first.asked or span.asked,
                answered=first.answered or span.answered,
                contents=first.contents or span.contents,
            )
        if states or span.id in known:
            known.add(span.parent)
    return _changed(tree, changed)
