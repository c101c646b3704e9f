"""A walk through the spans of one run in time order, telling a draft what each agent did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion
from corpus.traces.convert.spans.spans import (
    AGENT,
    DECISION,
    GUARD,
    HANDOFF,
    MODEL,
    OTHER,
    TOOL,
    Span,
    Tree,
    leaf_usage,
    with_times,
    without_shells,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How sure a format is of what its spans mean.

    Attributes
    ----------
    turn : tuple of str
        Marks for a decision before a spawn or handoff, where the format does not state it as such.
    """

    turn: tuple[str, ...] = ("type",)


class SpanWalk:
    """One run; `draft` is finished by :meth:`conversion`."""

    def __init__(self, spans: Iterable[Span], draft: Draft, reading: Reading) -> None:
        self.draft = draft
        self.reading = reading
        self.tree = with_times(without_shells(Tree.of(self._noted(list(spans)))))
        self.tokens = leaf_usage(self.tree)
        self.lanes = self._lanes()
        self.spawned: dict[str, int] = {}
        self.calls: dict[str, int] = {}
        self.away: dict[str, int] = {}
        self.back: set[str] = set()
        self.fired = False
        self.stepping: dict[str, tuple[str, ...]] = {}
        self.open: dict[str, int] = {}
        self._begins: dict[str, Callable[[Span], None]] = {
            AGENT: self._agent_begins,
            MODEL: self._model_begins,
            TOOL: self._tool_begins,
            HANDOFF: self._handoff_begins,
            GUARD: self._guard_begins,
            DECISION: self._decision_begins,
        }
        self._ends: dict[str, Callable[[Span], None]] = {AGENT: self._agent_ends, TOOL: self._tool_ends}

    def _noted(self, spans: list[Span]) -> list[Span]:
        """Note what the spans leave open: times, and parents that are not among them."""
        draft, known = self.draft, {span.id for span in spans}
        draft.has_clock = any(time is not None for span in spans for time in (span.start, span.end))
        if not draft.has_clock:
            draft.lose(INFERRED, "times", "there is no clock; t is 0 throughout")
        elif missing := sum(span.start is None or span.end is None for span in spans):
            draft.lose(INFERRED, "times", "a span without a start or an end", missing)
        if len(known) < len(spans):
            draft.lose(DROPPED, "spans", "a second span of one id", len(spans) - len(known))
        for span in spans:
            if span.start is not None and span.end is not None and span.end < span.start:
                draft.lose(INFERRED, span.id, "a span that ends before it begins; it ends where it begins")
            if span.parent and span.parent not in known:
                draft.lose(DROPPED, span.id, "the parent of a span, which is not in the input")
        return spans

    def conversion(self) -> Conversion:
        """Walk, and return the trace."""
        self.draft.task = self._task()
        for _, _, _, name, begins in self._moments():
            span = self.tree.spans[name]
            handler = (self._begins if begins else self._ends).get(span.kind)
            if handler is not None:
                handler(span)
        self._finish()
        return self.draft.finish()

    def _task(self) -> str:
        """Return what the run was asked: the first input of a span at the top or of an agent."""
        asked = [
            (span.start or 0.0, self.tree.depth[span.id], span.id, span.asked)
            for span in self.tree.spans.values()
            if isinstance(span.asked, str) and (span.kind == AGENT or not span.parent)
        ]
        return min(asked)[3] if asked else ""

    def _moments(self) -> list[tuple[float, int, int, str, bool]]:
        """Starts and ends in order: at one time ends come first, outer starts before inner ones."""
        moments = []
        for name, span in self.tree.spans.items():
            start, end, depth = span.start or 0.0, span.end or 0.0, self.tree.depth[name]
            moments.append((start, 1, depth, name, True))
            moments.append((end, 2 if end == start else 0, -depth, name, False))
        return sorted(moments)

    def _lanes(self) -> dict[str, str]:
        """Name the agent of each agent span: a name is used again only once its former bearer has ended."""
        lanes: dict[str, str] = {}
        free: dict[str, float] = {}
        highest: dict[str, int] = {}
        for span in sorted(self._agents(), key=lambda one: (one.start or 0.0, self.tree.depth[one.id])):
            base = self.draft.redaction.name(span.name, "agent")
            nested = any(one.kind == AGENT for one in self.tree.above(span))
            number = highest.get(base, 0) + 1 if nested else 1
            while free.get(lane := _numbered(base, number), -1.0) > (span.start or 0.0):
                number += 1
            highest[base] = max(highest.get(base, 0), number)
            if number > 1:
                self.draft.lose(AMBIGUOUS, span.id, "several agents have one name; they are told apart by their spans")
            lanes[span.id] = lane
            free[lane] = max(free.get(lane, 0.0), span.end or 0.0)
        return lanes

    def _agents(self) -> list[Span]:
        return [span for span in self.tree.spans.values() if span.kind == AGENT]

    def _owner(self, span: Span) -> tuple[str, tuple[str, ...]]:
        """Return who acts in a span; where no agent is recorded, the root of the run stands for one."""
        for one in self.tree.above(span):
            if one.kind == AGENT:
                return self.lanes[one.id], ()
        if span.agent:
            return self.draft.redaction.name(span.agent, "agent"), ()
        root = self.tree.root(span)
        self.draft.lose(INFERRED, root.id, "no agent is recorded; the root span stands for one")
        return self.draft.redaction.name(root.name, "agent"), ("agent",)

    def _parent(self, span: Span) -> Span | None:
        return next((one for one in self.tree.above(span) if one.kind == AGENT), None)

    def _decide(self, agent: str, marks: tuple[str, ...] = ()) -> None:
        why = "the model call before a spawn or a handover counts as a decision"
        self.draft.settle(agent, (*self.reading.turn, *marks), why=why)

    def _agent_begins(self, span: Span) -> None:
        parent = self._parent(span)
        if parent is None:
            self.draft.close(self.lanes[span.id])
            return
        boss, child = self.lanes[parent.id], self.lanes[span.id]
        self._decide(boss)
        tool = next((one for one in self._between(span, parent) if one.kind == TOOL), None)
        marks = span.at_start if tool is not None else ("event",)
        if tool is None:
            self.draft.lose(INFERRED, span.id, "an agent inside an agent counts as spawned by it")
        asked = tool.asked if tool is not None else span.asked
        keys: dict[str, Any] = {"to": child, "content_ref": self.draft.redaction.content(asked)}
        keys["x_call_id"] = self.draft.redaction.token(tool.call if tool is not None and tool.call else span.id)
        self.spawned[span.id] = self.draft.add("spawn", boss, span.start, marks, **keys)
        self.draft.seed(child, self.spawned[span.id])
        self.away[boss] = self.away.get(boss, 0) + 1

    def _between(self, span: Span, ancestor: Span) -> list[Span]:
        found = []
        for one in self.tree.above(span):
            if one.id == ancestor.id:
                break
            found.append(one)
        return found

    def _agent_ends(self, span: Span) -> None:
        agent, parent = self.lanes[span.id], self._parent(span)
        if span.id not in self.spawned or parent is None:
            return
        boss = self.lanes[parent.id]
        self.draft.close(agent)
        keys: dict[str, Any] = {"from": agent, "to": boss, "content_ref": self.draft.redaction.content(span.answered)}
        keys["x_call_id"] = self.draft.entry(self.spawned[span.id]).keys.get("x_call_id")
        keys["x_tokens"] = self.tokens.get(span.id)
        self.draft.lose(INFERRED, span.id, "the end of an agent span counts as its return")
        handle = self.draft.add("return", agent, span.end, ("event",), **keys)
        self.draft.replace(boss, self.spawned[span.id], handle)
        self.away[boss] -= 1
        self.back.add(boss)

    def _model_begins(self, span: Span) -> None:
        if any(one.kind == MODEL for one in self.tree.below(span)):
            return
        agent, marks = self._owner(span)
        self.draft.settle(agent, ("type", *marks))
        self.stepping[agent] = marks
        self.draft.step(agent, span.start, self.tokens.get(span.id, 0), span.end, guessed="start" in span.guessed)
        if agent in self.back and not self.away.get(agent):
            self.back.discard(agent)
            why = "the first model call after all called agents have ended counts as an aggregate"
            self.draft.settle(agent, ("type",), "aggregate", why)

    def _tool_begins(self, span: Span) -> None:
        if any(one.kind == AGENT for one in self.tree.below(span)):
            return
        agent, marks = self._owner(span)
        redaction = self.draft.redaction
        self._in_turn(agent)
        self.calls[span.id] = self.draft.add(
            "tool_call",
            agent,
            span.start,
            (*span.at_start, *marks),
            tool=redaction.name(span.name, "tool"),
            content_ref=redaction.content(span.asked),
            x_call_id=redaction.token(span.call or span.id),
            x_tokens=self.tokens.get(span.id),
        )
        self.open[agent] = self.open.get(agent, 0) + 1

    def _in_turn(self, agent: str) -> None:
        """Where no model call is recorded, what begins after all answers are in depends on them."""
        if agent not in self.stepping and not self.open.get(agent):
            self.draft.close(agent)

    def _tool_ends(self, span: Span) -> None:
        if span.id not in self.calls:
            return
        call = self.draft.entry(self.calls[span.id])
        self.open[call.agent] -= 1
        keys = {"tool": call.keys["tool"], "x_call_id": call.keys["x_call_id"]}
        keys["content_ref"] = self.draft.redaction.content(span.answered)
        self.draft.answer(
            self.calls[span.id],
            "tool_result",
            call.agent,
            span.end,
            inferred=span.at_end,
            x_error=span.failed or None,
            **keys,
        )

    def _handoff_begins(self, span: Span) -> None:
        agent, marks = self._owner(span)
        self._in_turn(agent)
        self._decide(agent, marks)
        target = self.draft.redaction.name(span.target, "agent")
        keys: dict[str, Any] = {"from": agent, "to": target, "role": "handoff"}
        keys["content_ref"] = self.draft.redaction.content(span.answered)
        handle = self.draft.add("message", agent, span.start, (*span.at_start, *marks), **keys)
        self.draft.seed(target, handle, inferred="type" in span.marks)

    def _guard_begins(self, span: Span) -> None:
        agent, marks = self._owner(span)
        role = self.draft.redaction.name(span.name, "check")
        self.fired = self.fired or span.failed
        self.draft.add(
            "safety_event", agent, span.start, (*span.at_start, *marks), role=role, x_error=span.failed or None
        )

    def _decision_begins(self, span: Span) -> None:
        agent, marks = self._owner(span)
        self.draft.add("orchestrator_decision", agent, span.start, (*span.at_start, *marks))

    def _finish(self) -> None:
        """End the run: the last agent at the top answers whoever asked."""
        top = [span for span in self._agents() if self._parent(span) is None]
        last = max(top, key=lambda span: (span.end or 0.0, span.start or 0.0), default=None)
        self.draft.stop_reason = "external" if self.fired else "implicit"
        if last is not None and not self.fired and (len(self.draft) or self.stepping):
            agent = self.lanes[last.id]
            self.draft.close(agent)
            keys: dict[str, Any] = {
                "from": agent,
                "to": "user",
                "content_ref": self.draft.redaction.content(last.answered),
            }
            self.draft.lose(INFERRED, last.id, "the end of the last agent counts as its answer to the user")
            self.draft.add("return", agent, last.end, ("event",), x_tokens=self.tokens.get(last.id), **keys)
        for agent, marks in self.stepping.items():
            self.draft.settle(agent, ("type", *marks))
        unspent = sum(self.tokens.values()) - self.draft.tokens
        if unspent > 0:
            self.draft.lose(DROPPED, "usage", "tokens on a span that stands for no event", unspent)
        others = sum(span.kind == OTHER for span in self.tree.spans.values())
        if others:
            self.draft.lose(
                DROPPED, "spans", "a span that groups or transports, without a meaning of its own in a trace", others
            )


def _numbered(name: str, number: int) -> str:
    """Tell agents of one name apart."""
    return name if number == 1 else f"{name}#{number}"
