"""A run recorded as a tree of spans: what the spans of agents, models, tools and handovers say as events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

AGENT = "agent"
MODEL = "model"
TOOL = "tool"
HANDOFF = "handoff"
GUARD = "guard"
DECISION = "decision"
OTHER = "other"


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
        One of the constants of this module.
    name : str
        Of the agent, the tool or the check.
    tokens : int
        Usage written on this span.
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
    guessed : tuple of str
        ``start`` and ``end`` where the source does not state them.
    agent : str
        Who acts, where the span itself says so; else the agent span above it.
    """

    id: str
    parent: str
    trace: str
    start: float | None
    end: float | None
    kind: str
    name: str = ""
    tokens: int = 0
    target: str = ""
    call: str = ""
    failed: bool = False
    asked: Any = None
    answered: Any = None
    marks: tuple[str, ...] = ()
    agent: str = ""
    guessed: tuple[str, ...] = ()

    @property
    def at_start(self) -> tuple[str, ...]:
        """Marks of an event that stands for the start of the span."""
        return (*self.marks, "t") if "start" in self.guessed else self.marks

    @property
    def at_end(self) -> tuple[str, ...]:
        """Marks of an event that stands for the end of the span."""
        return (*self.marks, "t") if "end" in self.guessed else self.marks


@dataclass(slots=True)
class Tree:
    """Spans with their parents found; a parent that is missing, or its own descendant, counts as none."""

    spans: dict[str, Span]
    children: dict[str, list[Span]] = field(default_factory=dict)
    depth: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Tree:
        """Build the tree; the first of two spans with one id is kept."""
        known: dict[str, Span] = {}
        for span in spans:
            known.setdefault(span.id, span)
        tree = cls(_without_cycles(known))
        for span in tree.spans.values():
            tree.children.setdefault(span.parent, []).append(span)
        level = [(span, 0) for span in tree.children.get("", [])]
        while level:
            span, depth = level.pop()
            tree.depth[span.id] = depth
            level += [(child, depth + 1) for child in tree.children.get(span.id, ())]
        return tree

    def above(self, span: Span) -> Iterator[Span]:
        """Yield the ancestors, nearest first."""
        while span.parent in self.spans:
            span = self.spans[span.parent]
            yield span

    def below(self, span: Span) -> Iterator[Span]:
        """Yield the descendants."""
        waiting = list(self.children.get(span.id, ()))
        while waiting:
            one = waiting.pop()
            yield one
            waiting += self.children.get(one.id, ())

    def root(self, span: Span) -> Span:
        """Return the span at the top."""
        for span in self.above(span):  # noqa: B007, B020 - the last ancestor is wanted
            pass
        return span


def _without_cycles(spans: Mapping[str, Span]) -> dict[str, Span]:
    parents = {name: span.parent if span.parent in spans else "" for name, span in spans.items()}
    sound: set[str] = {""}
    for name in spans:
        path: dict[str, None] = {}
        here = name
        while here not in sound and here not in path:
            path[here] = None
            here = parents[here]
        if here in path:
            parents[here] = ""
        sound.update(path)
    return {name: replace(span, parent=parents[name]) for name, span in spans.items()}


def with_times(tree: Tree) -> Tree:
    """Fill missing times from the other end of the span, its parent, or the start of the run, and say so in it.

    An end before its start counts as missing.
    """
    known = [time for span in tree.spans.values() for time in (span.start, span.end) if time is not None]
    first = min(known, default=0.0)
    whole: dict[str, Span] = {}
    for name in sorted(tree.spans, key=lambda one: tree.depth[one]):
        span = tree.spans[name]
        parent = whole.get(span.parent)
        start = next(
            (time for time in (span.start, span.end, parent.start if parent else None) if time is not None), first
        )
        ends = span.end is not None and span.end >= start
        guessed = tuple(end for end, stated in (("start", span.start is not None), ("end", ends)) if not stated)
        whole[name] = replace(span, start=start, end=span.end if ends else start, guessed=guessed)
    return Tree.of(whole.values())


def without_shells(tree: Tree) -> Tree:
    """Make one agent of two spans that record one call of it from outside and from inside."""
    shells: set[str] = set()
    for span in tree.spans.values():
        for above in tree.above(span):
            if above.kind == TOOL or span.kind != AGENT:
                break
            if above.kind == AGENT:
                shells.update({span.id} if above.name == span.name else ())
                break
    return Tree.of(replace(span, kind=OTHER) if span.id in shells else span for span in tree.spans.values())


def leaf_usage(tree: Tree) -> dict[str, int]:
    """Return the tokens by span, each counted once: usage of a span is that of its descendants where they have any."""
    spent: dict[str, int] = {}
    covered: set[str] = set()
    for name in sorted(tree.spans, key=lambda one: -tree.depth[one]):
        span = tree.spans[name]
        if name not in covered and span.tokens:
            spent[name] = span.tokens
        if name in covered or span.tokens:
            covered.add(span.parent)
    return spent


def runs(spans: Sequence[Span], links: Iterable[tuple[str, str]]) -> list[list[Span]]:
    """Group spans into runs: one trace id, or several that links join; runs by their first start."""
    leader = {span.trace: span.trace for span in spans}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for one, other in links:
        first, second = find(leader.setdefault(one, one)), find(leader.setdefault(other, other))
        leader[first] = second
    groups: dict[str, list[Span]] = {}
    for span in spans:
        groups.setdefault(find(span.trace), []).append(span)
    return sorted(groups.values(), key=lambda group: min((span.start or 0.0, span.trace) for span in group))
