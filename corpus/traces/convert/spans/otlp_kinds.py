"""What a span of OTLP stands for, by the attributes of the two conventions; names change faster than meanings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import INFERRED
from corpus.traces.convert.lookup import count
from corpus.traces.convert.spans.spans import (
    AGENT,
    DECISION,
    GUARD,
    HANDOFF,
    MODEL,
    OTHER,
    TOOL,
    Span,
)

_GENAI = {
    "invoke_agent": AGENT,
    "chat": MODEL,
    "text_completion": MODEL,
    "generate_content": MODEL,
    "execute_tool": TOOL,
    "invoke_workflow": DECISION,
    "plan": DECISION,
}
_OPENINFERENCE = {"AGENT": AGENT, "LLM": MODEL, "TOOL": TOOL, "RETRIEVER": TOOL, "GUARDRAIL": GUARD}
_INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
)
_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_ASKED = ("gen_ai.tool.call.arguments", "gen_ai.input.messages", "input.value", "gen_ai.prompt")
_ANSWERED = ("gen_ai.tool.call.result", "gen_ai.output.messages", "output.value", "gen_ai.completion")
_HANDOVER_NAMES = ("transfer_to_", "handoff_to_", "handoff to ", "transfer to ")


def read_span(span: Span, given: dict[str, Any]) -> Span:
    """Fill in kind, name, usage and target of a span from its attributes."""
    kind = _kind(given)
    found = replace(
        span,
        kind=kind,
        tokens=_first_count(given, _INPUT) + _first_count(given, _OUTPUT),
        agent=_first(given, "gen_ai.agent.name", "agent.name"),
        call=_first(given, "gen_ai.tool.call.id", "tool_call.id", "tool.id"),
        asked=next((given[key] for key in _ASKED if key in given), None),
        answered=next((given[key] for key in _ANSWERED if key in given), None),
    )
    if kind == AGENT:
        name = _first(given, "gen_ai.agent.name", "agent.name", "graph.node.id", "gen_ai.agent.id")
        return replace(found, name=name, target=_first(given, "graph.node.parent_id"))
    if kind != TOOL:
        return found
    target = _first(given, "gen_ai.transfer.target.name")
    if target and given.get("gen_ai.transfer.mode") == "pass_control":
        return replace(found, kind=HANDOFF, target=target)
    return replace(found, name=_first(given, "gen_ai.tool.name", "tool.name") or span.name)


def handovers(group: Sequence[Span], draft: Draft) -> Iterator[Span]:
    """Settle what one span alone cannot tell: which agent spans are agents, and which tools are handovers."""
    parents = {span.parent for span in group if span.kind in (MODEL, TOOL)}
    agents = {span.name for span in group if span.kind == AGENT and span.name}
    passed: set[str] = set()
    for span in sorted(group, key=lambda one: (one.start or 0.0, one.id)):
        if span.kind == AGENT and not span.name:
            yield replace(span, kind=AGENT if span.id in parents else OTHER, name=span.trace and "agent")
        elif span.kind == AGENT and span.target in agents and span.name not in passed:
            passed.add(span.name)
            draft.lose(INFERRED, span.id, "the parent node of an agent counts as a handover to it")
            yield _handover(span)
            yield span
        elif span.kind == TOOL and (target := _named_target(span.name, agents)):
            passed.add(target)
            draft.lose(INFERRED, span.id, "a tool named like a handover counts as one")
            yield replace(span, kind=HANDOFF, target=target, marks=("type",))
        else:
            yield span


def _handover(span: Span) -> Span:
    """Return a handover to an agent by the node above it, which no span of its own records."""
    return replace(
        span,
        id=f"{span.id}.handover",
        kind=HANDOFF,
        end=span.start,
        target=span.name,
        name=span.target,
        marks=("event",),
    )


def _named_target(name: str, agents: set[str]) -> str:
    for start in _HANDOVER_NAMES:
        if name.lower().startswith(start) and name[len(start) :] in agents:
            return name[len(start) :]
    return ""


def _kind(given: dict[str, Any]) -> str:
    operation = given.get("gen_ai.operation.name")
    if isinstance(operation, str) and operation in _GENAI:
        return _GENAI[operation]
    kind = given.get("openinference.span.kind")
    return _OPENINFERENCE.get(kind.upper(), OTHER) if isinstance(kind, str) else OTHER


def _first(given: dict[str, Any], *keys: str) -> str:
    return next((given[key] for key in keys if isinstance(given.get(key), str) and given[key]), "")


def _first_count(given: dict[str, Any], keys: Sequence[str]) -> int:
    return next((found for key in keys if (found := count(given, key))), 0)
