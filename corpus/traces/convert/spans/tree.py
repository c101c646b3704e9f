"""A run recorded as a tree of spans.

Agents, models, tools and handovers, each with a start and an end.

Instrumentations of a framework, of its agents and of the client of the model are often active at
once. Each writes a span for the same call: nested in the other one, or beside it at the same time.
Such spans are made one.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject

OPEN_LIMIT = 256
"""Calls at one time that a call is compared with: of a hostile file, a million may be open."""
_ACTING = ("model", "tool", "handoff", "guard", "decision", "human", "interrupt")


@dataclass(frozen=True, slots=True)
class Span:
    """One span, in the words of a trace.

    Attributes
    ----------
    id, parent, trace : str
        `parent` is empty at a root.
    start, end : float or None
        Seconds since 1970.
    kind : str
        ``agent``, ``model``, ``tool``, ``handoff``, ``guard``, ``decision``, ``human``,
        ``interrupt`` or ``other``.
    name : str
        Of the agent, the tool or the check; of what a person did, its role.
    usage : Usage
        Tokens written on this span.
    target : str
        Agent that a handoff goes to, or the tool calls.
    call : str
        Id of the tool call.
    failed : bool
        An error of the tool, a check that fired.
    asked, answered : object
        Content that went in and came out.
    marks : tuple of str
        What had to be inferred about it.
    agent, agent_id : str
        Who acts, where the span itself tells; else the agent span above it.
    guessed : tuple of str
        ``start`` and ``end`` where the source does not state them.
    title : str
        Name of the span itself.
    scope : str
        Name of the instrumentation that recorded it.
    name_guessed : bool
        Whether the name of an agent is only that of its span.
    unknown : str
        What the source calls its kind, where that has no meaning here.
    contents : dict
        What else a model was given or wrote, by role.
    given : dict of str to object
        Its attributes as plain values.
    linked : tuple of str
        Trace ids that it links to.
    """

    id: str = ""
    parent: str = ""
    trace: str = ""
    start: float | None = None
    end: float | None = None
    kind: str = "other"
    name: str = ""
    usage: Usage = NO_USAGE
    target: str = ""
    call: str = ""
    failed: bool = False
    asked: Any = None
    answered: Any = None
    marks: tuple[str, ...] = ()
    agent: str = ""
    agent_id: str = ""
    guessed: tuple[str, ...] = ()
    title: str = ""
    scope: str = ""
    name_guessed: bool = False
    unknown: str = ""
    contents: JsonObject = field(default_factory=dict)
    given: JsonObject = field(default_factory=dict)
    linked: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """All tokens written on this span."""
        return self.usage.total

    def marks_at(self, moment: str) -> tuple[str, ...]:
        """Marks of an event at the ``start`` or the ``end`` of the span."""
        return (*self.marks, "t") if moment in self.guessed else self.marks

    @property
    def begins(self) -> float:
        """Start in seconds, 0 where it is unknown; for sorting."""
        return self.start or 0.0

    @property
    def ends(self) -> float:
        """End in seconds, 0 where it is unknown; for sorting."""
        return self.end or 0.0


@dataclass(slots=True)
class Tree:
    """Spans with their parents found.

    A parent that is missing, or its own descendant, counts as none.

    Attributes
    ----------
    spans : dict of str to Span
        By id.
    children : dict of str to list of Span
        By the id of the parent, the roots under the empty string.
    depth : dict of str to int
        By id, 0 at a root.
    parents_first : list of Span
        All of them.
    roots : dict of str to Span
        The span at the top, by the id of each below it.
    """

    spans: dict[str, Span]
    children: dict[str, list[Span]] = field(default_factory=dict)
    depth: dict[str, int] = field(default_factory=dict)
    parents_first: list[Span] = field(default_factory=list)
    roots: dict[str, Span] = field(default_factory=dict)
    # Tables for questions that are asked of every span, made when they are first asked. To climb or
    # to descend for each answer takes hours in a hostile file, where spans may be nested by the
    # hundred thousand.
    _nearest: dict[tuple[str, ...], dict[str, Span]] = field(default_factory=dict)
    _inside: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Tree:
        """Build the tree; the first of two spans with one id is kept, none without."""
        known: dict[str, Span] = {}
        for span in spans:
            # The empty id means "no parent": a span of that id would be its own descendant.
            if span.id:
                known.setdefault(span.id, span)
        parents = {name: span.parent for name, span in known.items() if span.parent in known}
        # A walk up ends where an earlier one has been, so that all walks together are linear.
        reaches_root = {""}
        for name in known:
            path = set()
            here = name
            while here not in reaches_root and here not in path:
                path.add(here)
                here = parents.get(here, "")
            if here in path:
                del parents[here]
            reaches_root |= path
        tree = cls({})
        for name, span in known.items():
            parent = parents.get(name, "")
            # Copying a span takes most of the time of a large run; nearly all have a parent that
            # fits.
            if span.parent != parent:
                span = replace(span, parent=parent)
            tree.spans[name] = span
            tree.children.setdefault(span.parent, []).append(span)
        waiting = [*tree.children.get("", ())]
        while waiting:
            span = waiting.pop()
            tree.depth[span.id] = tree.depth.get(span.parent, -1) + 1
            tree.parents_first.append(span)
            tree.roots[span.id] = tree.roots.get(span.parent, span)
            waiting += tree.children.get(span.id, ())
        return tree

    def __iter__(self) -> Iterator[Span]:
        return iter(self.spans.values())

    def above(self, span: Span) -> Iterator[Span]:
        """Yield the ancestors, nearest first."""
        while span.parent in self.spans:
            span = self.spans[span.parent]
            yield span

    def below(self, span: Span) -> Iterator[Span]:
        """Yield the descendants."""
        waiting = [span]
        while waiting:
            below = self.children.get(waiting.pop().id, ())
            yield from below
            waiting += below

    def agent_above(self, span: Span) -> Span | None:
        """Return the nearest agent among the ancestors."""
        return self.nearest_above(span, "agent")

    def nearest_above(self, span: Span, *kinds: str) -> Span | None:
        """Return the nearest ancestor of one of some kinds."""
        if kinds not in self._nearest:
            nearest: dict[str, Span] = {}
            for one in self.parents_first:
                parent = self.spans.get(one.parent)
                if parent is not None and parent.kind not in kinds:
                    parent = nearest.get(parent.id)
                if parent is not None:
                    nearest[one.id] = parent
            self._nearest[kinds] = nearest
        return self._nearest[kinds].get(span.id)

    def count_below(self, span: Span, kind: str = "") -> int:
        """Return how many descendants there are, or how many of a kind."""
        if kind not in self._inside:
            counts: Counter[str] = Counter()
            for one in reversed(self.parents_first):
                counts[one.parent] += counts[one.id] + (kind in ("", one.kind))
            self._inside[kind] = counts
        return self._inside[kind][span.id]


def with_times(tree: Tree) -> Tree:
    """Fill missing times from the other end of the span, its parent, or the start of the run.

    A span without an end, such as an agent that was cut off, ends with the last that is known to
    happen inside of it. What was filled in is marked in the span. An end before its start counts as
    missing, too; such a span ends where it begins.
    """
    # The last time below each span, where something below states one.
    last: dict[str, float] = {}
    known = []
    for span in reversed(tree.parents_first):
        stated = [time for time in (span.start, span.end) if time is not None]
        known += stated
        inside = [*stated, last.get(span.id, -math.inf), last.get(span.parent, -math.inf)]
        last[span.parent] = max(inside)
    begins = {"": min(known, default=0.0)}
    whole = {}
    for span in tree.parents_first:
        start, end = span.start, span.end
        guessed = []
        if start is None:
            guessed.append("start")
            start = end
        if start is None:
            start = begins[span.parent]
        if end is None:
            end = last.get(span.id, start)
        end = max(start, end)
        if end != span.end:
            guessed.append("end")
        if guessed:
            span = replace(span, start=start, end=end, guessed=tuple(guessed))
        begins[span.id] = start
        whole[span.id] = span
    return Tree.of(whole[name] for name in sorted(tree.spans, key=lambda one: tree.depth[one]))


def leaf_usage(tree: Tree) -> dict[str, Usage]:
    """Return the tokens by span, each counted once.

    Usage on a span is that of its descendants where they have any: many SDKs add it up on the way.
    """
    spent = {}
    # Spans with tokens somewhere below them: what they state themselves is a sum of those.
    covered = set()
    for span in reversed(tree.parents_first):
        if span.id not in covered and span.tokens:
            spent[span.id] = span.usage
        if span.id in covered or span.tokens:
            covered.add(span.parent)
    return spent


def runs(spans: Sequence[Span]) -> list[list[Span]]:
    """Group spans into runs, in the order of their first starts.

    A run is one trace id, or several that links join.
    """
    run_of = {span.trace: {span.trace} for span in spans}
    for span in spans:
        for other in span.linked:
            if not (span.trace and other):
                continue
            # Into the larger one: each id moves a few times only, however many links there are.
            pair = (run_of[span.trace], run_of.setdefault(other, {other}))
            smaller, larger = sorted(pair, key=len)
            if smaller is not larger:
                larger |= smaller
                run_of.update(dict.fromkeys(smaller, larger))
    groups = defaultdict(list)
    for span in spans:
        groups[id(run_of[span.trace])].append(span)
    return sorted(
        groups.values(), key=lambda group: min((span.begins, span.trace) for span in group)
    )


def without_repeats(tree: Tree) -> Tree:
    """Make one agent, tool call or model call of the spans that record it twice.

    Parameters
    ----------
    tree : Tree
        With all times filled in.
    """
    calls = defaultdict(list)
    for span in tree:
        if span.kind == "model" and not tree.count_below(span, "model"):
            calls[span.trace].append(span)
    tree = _put_inside(tree, calls.values(), _call_of_agent, set())
    for kind in ("agent", "tool", "model"):
        # Each span of a kind goes below the one that records the same call beside it.
        groups = defaultdict(list)
        # Spans that have the other record of their call above or below them.
        taken = set()
        for span in tree:
            if span.kind == kind:
                agent = tree.agent_above(span)
                groups[agent and agent.id].append(span)
                outer = tree.nearest_above(span, kind, "agent")
                if outer is not None and outer.kind == kind != "agent":
                    taken |= {span.id, outer.id}
        tree = _without_shells(_put_inside(tree, groups.values(), _outer_record, taken))
    return _with_usage_inside(tree)


def _changed(tree: Tree, spans: dict[str, Span]) -> Tree:
    """Return the tree with others in place of some of its spans."""
    return Tree.of((tree.spans | spans).values()) if spans else tree


def _put_inside(
    tree: Tree,
    groups: Iterable[Sequence[Span]],
    outer_of: Callable[[Tree, Span, Span], Span | None],
    taken: set[str],
) -> Tree:
    """Put spans below the one of their group that records the same; what fits best comes first."""
    # The spans that may record one thing: how far their times are apart, outer and inner.
    pairs = []
    for group in groups:
        # One instrumentation alone records nothing twice: its coinciding spans are parallel calls.
        if len({span.scope for span in group}) == 1:
            continue
        # Sorted by start, a span can only overlap with those that are still open.
        open_spans: list[Span] = []
        for span in sorted(group, key=lambda one: (one.begins, -one.ends, one.id)):
            open_spans = [one for one in open_spans[-OPEN_LIMIT:] if one.ends >= span.begins]
            for other in open_spans:
                outer = outer_of(tree, other, span)
                if outer is not None:
                    inner = other if outer is span else span
                    apart = abs(span.begins - other.begins) + abs(span.ends - other.ends)
                    pairs.append((apart, outer.id, inner.id))
            open_spans.append(span)
    moved = {}
    for _, above, below in sorted(pairs):
        if above not in taken and below not in taken:
            taken |= {above, below}
            moved[below] = replace(tree.spans[below], parent=above)
    return _changed(tree, moved)


def _call_of_agent(tree: Tree, one: Span, other: Span) -> Span | None:
    """Return which of two model calls an agent records, if a client beside it records the other.

    They are one call where both overlap, have one model and the same usage or request, and the
    client is where the agent is.
    """
    # One of them may name the version that answered, the other what was asked for.
    short, long = sorted((one.usage.model, other.usage.model), key=len)
    same_usage = one.tokens > 0 and one.tokens == other.tokens
    is_same = same_usage or (one.asked and one.asked == other.asked)
    if one.scope != other.scope and one.ends > other.begins and is_same and long.startswith(short):
        for own, client in ((one, other), (other, one)):
            agent = tree.agent_above(own)
            if agent is not None and tree.agent_above(client) is tree.agent_above(agent):
                return own
    return None


def _outer_record(_tree: Tree, outer: Span, inner: Span) -> Span | None:
    """Return the outer one of two spans of a kind that record the same call, else None."""
    is_around = outer.ends >= inner.ends and outer.scope != inner.scope
    return outer if is_around and _is_same(outer, inner) else None


def _is_same(one: Span, other: Span) -> bool:
    """Whether nothing tells two spans of a kind apart."""
    if one.kind == "model":
        return not one.tokens or not other.tokens or one.tokens == other.tokens
    if one.kind == "agent":
        return one.name.casefold() == other.name.casefold()
    if one.call and other.call:
        return one.call == other.call
    return one.name == other.name


def _without_shells(tree: Tree) -> Tree:
    """Take the kind from one of two nested spans that record one agent or tool call.

    What is inside stays inside.
    """
    shells = {}
    for span in tree:
        outer = tree.nearest_above(span, "agent", "tool")
        if outer is None or outer.kind != span.kind:
            continue
        same = _is_same(outer, span)
        if span.kind == "tool":
            same = same and outer.scope != span.scope
        elif not same and outer.scope != span.scope and outer.name_guessed != span.name_guessed:
            # Two instrumentations record one agent, of which only one knows the name. Of what acts
            # below the outer one, the inner one is all but itself.
            between = tree.count_below(outer) - tree.count_below(span)
            between -= tree.count_below(outer, "other") - tree.count_below(span, "other")
            same = between == 1
        if same:
            inner_is_named = outer.name_guessed and not span.name_guessed
            shell = outer if inner_is_named else span
            shells[shell.id] = replace(shell, kind="other")
    return _changed(tree, shells)


def without_groups(tree: Tree) -> Tree:
    """Take the kind from agents that never act, but have agents below that do.

    Such a span is the workflow that runs them; since version 0.1 of the GenAI conventions that is a
    span of an agent.
    """
    acting = set()
    leading: dict[str, list[str]] = defaultdict(list)
    for span in tree:
        agent = tree.agent_above(span)
        if agent is not None and span.kind in _ACTING:
            acting.add(agent.id)
        elif agent is not None and span.kind == "agent":
            leading[agent.id].append(span.id)
    # From below: what runs a workflow that runs agents is one, too.
    working = set(acting)
    spent = leaf_usage(tree)
    groups = {}
    for span in reversed(tree.parents_first):
        if span.id in leading and working.intersection(leading[span.id]):
            working.add(span.id)
            if span.id not in acting and span.id not in spent:
                groups[span.id] = replace(span, kind="other")
    return _changed(tree, groups)


def _with_usage_inside(tree: Tree) -> Tree:
    """Move the usage of a model span to the one inside it, where only the outer one has it."""
    changed = {}
    # The first call inside of a span, and the spans inside which tokens of a call are stated.
    first: dict[str, Span] = {}
    known = set()
    for span in reversed(tree.parents_first):
        call = first.get(span.id)
        if span.kind == "model" and call is None:
            call = span
        elif span.kind == "model" and call is not None:
            changed[span.id] = replace(span, kind="other")
            if span.tokens and span.id not in known:
                changed[call.id] = replace(
                    call,
                    usage=replace(span.usage, model=span.usage.model or call.usage.model),
                    asked=call.asked or span.asked,
                    answered=call.answered or span.answered,
                    contents=call.contents or span.contents,
                )
        if call is not None:
            calls = (first.get(span.parent, call), call)
            first[span.parent] = min(calls, key=lambda one: (one.begins, one.id))
        if span.id in known or (span.kind == "model" and span.tokens):
            known.add(span.parent)
    return _changed(tree, changed)
