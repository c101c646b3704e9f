"""What a span of OTLP stands for, by the attributes of the two conventions.

Names change faster than meanings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import INFERRED
from corpus.traces.convert.lookup import first_text, stated_count
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
from corpus.traces.convert.usage import Usage, usage_with_cache_in_input

_GENAI = {
    "invoke_agent": AGENT,
    "chat": MODEL,
    "text_completion": MODEL,
    "generate_content": MODEL,
    "execute_tool": TOOL,
    "invoke_workflow": DECISION,
    "plan": DECISION,
}
_OPENINFERENCE = {
    "AGENT": AGENT,
    "LLM": MODEL,
    "TOOL": TOOL,
    "RETRIEVER": TOOL,
    "GUARDRAIL": GUARD,
}
# Kinds of OpenInference that group spans or prepare model calls.
_GROUPING = frozenset({"CHAIN", "EMBEDDING", "EVALUATOR", "PROMPT", "RERANKER", "UNKNOWN"})
_INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
)
_OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
)
_CACHED = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read",
)
_CACHE_WRITE = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
)
_REASONING = (
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
)
# What answered counts more than what was asked for: an alias is no model that a price is for.
_MODEL_NAMES = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
_ASKED = ("gen_ai.tool.call.arguments", "gen_ai.input.messages", "input.value", "gen_ai.prompt")
_ANSWERED = (
    "gen_ai.tool.call.result",
    "gen_ai.output.messages",
    "output.value",
    "gen_ai.completion",
)
_RUN_ENDINGS = (".run", ".arun", ".invoke", ".ainvoke", ".run_stream")
_HANDOVER_NAMES = ("transfer_to_", "handoff_to_", "handoff to ", "transfer to ")


def read_span(span: Span, given: dict[str, Any]) -> Span:
    """Fill in kind, name, usage and target of a span from its attributes."""
    kind = _kind(given)
    found = replace(
        span,
        kind=kind,
        usage=_usage(given),
        agent=first_text(given, "gen_ai.agent.name", "agent.name"),
        call=first_text(given, "gen_ai.tool.call.id", "tool_call.id", "tool.id"),
        asked=_first_value(given, _ASKED),
        answered=_first_value(given, _ANSWERED),
    )
    if kind == AGENT:
        name = found.agent or first_text(given, "graph.node.id", "gen_ai.agent.id")
        return replace(found, name=name, target=first_text(given, "graph.node.parent_id"))
    if kind != TOOL:
        return found
    target = first_text(given, "gen_ai.transfer.target.name")
    if target and given.get("gen_ai.transfer.mode") == "pass_control":
        return replace(found, kind=HANDOFF, target=target)
    return replace(found, name=first_text(given, "gen_ai.tool.name", "tool.name") or span.name)


def unknown_kind(given: Mapping[str, Any]) -> str:
    """Return the kind that a span states and that has no meaning here, or the empty string."""
    operation = first_text(given, "gen_ai.operation.name")
    if operation and operation not in _GENAI:
        return f"gen_ai.operation.name {operation}"
    kind = first_text(given, "openinference.span.kind").upper()
    if kind and not operation and kind not in _OPENINFERENCE and kind not in _GROUPING:
        return f"openinference.span.kind {kind}"
    return ""


def _kind(given: Mapping[str, Any]) -> str:
    operation = first_text(given, "gen_ai.operation.name")
    if operation in _GENAI:
        return _GENAI[operation]
    return _OPENINFERENCE.get(first_text(given, "openinference.span.kind").upper(), OTHER)


def _first_value(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((given[key] for key in keys if key in given), None)


def _usage(given: Mapping[str, Any]) -> Usage:
    return usage_with_cache_in_input(
        _first_count(given, _INPUT),
        _first_count(given, _CACHED),
        _first_count(given, _CACHE_WRITE),
        _first_count(given, _OUTPUT),
        _first_count(given, _REASONING),
        first_text(given, *_MODEL_NAMES),
    )


def _first_count(given: Mapping[str, Any], keys: Sequence[str]) -> int | None:
    """Return the first number above 0, else 0 where a key states it, else None."""
    found = [stated_count(given, key) for key in keys]
    stated = [number for number in found if number is not None]
    return next(filter(None, stated), 0) if stated else None


def handovers(group: Sequence[Span], draft: Draft) -> Iterator[Span]:
    """Settle what one span alone cannot tell.

    Which agent spans are agents, and which tools are handovers.
    """
    parents = {span.parent for span in group if span.kind in (MODEL, TOOL)}
    agents = {span.name for span in group if span.kind == AGENT and span.name}
    # The first span of an agent that was handed over to; later ones are its further turns.
    passed: set[str] = set()
    for span in sorted(group, key=lambda one: (one.begins, one.id)):
        if span.kind == AGENT and not span.name:
            # LangChain calls many groups of steps an agent: it is one only if it acts itself.
            kind = AGENT if span.id in parents else OTHER
            yield replace(span, kind=kind, name=_agent_in_name(span), name_guessed=True)
        elif span.kind == AGENT and span.target in agents and span.name not in passed:
            passed.add(span.name)
            what = "the parent node of an agent counts as a handover to it"
            draft.lose(INFERRED, span.id, what)
            yield _handover_before(span)
            yield span
        elif span.kind == TOOL and (target := _target_in_name(span.name, agents)):
            passed.add(target)
            draft.lose(INFERRED, span.id, "a tool named like a handover counts as one")
            yield replace(span, kind=HANDOFF, target=target, marks=("type",))
        else:
            yield span


def _agent_in_name(span: Span) -> str:
    """Return the name of an agent by that of its span, such as ``invoke_agent planner``."""
    name = span.title.removeprefix("invoke_agent").strip()
    for ending in _RUN_ENDINGS:
        name = name.removesuffix(ending)
    return name or "agent"


def _handover_before(span: Span) -> Span:
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


def _target_in_name(name: str, agents: set[str]) -> str:
    for start in _HANDOVER_NAMES:
        if name.lower().startswith(start) and name[len(start) :] in agents:
            return name[len(start) :]
    return ""
