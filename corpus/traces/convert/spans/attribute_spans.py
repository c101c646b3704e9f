"""Spans whose attributes tell what they represent, from whatever envelope, as traces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from corpus.model.finding import CorpusError
from corpus.traces.convert.format import AGENTS, Conversions, Redaction
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.spans.dialects import (
    KNOWN_NAMESPACES,
    agent_in_title,
    conversation,
    read_span,
)
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import AGENT, GUARD, HANDOFF, MODEL, OTHER, TOOL, Span, runs
from corpus.traces.convert_rules import UNKNOWN_DIALECT
from corpus.traces.lookup import parsed, text

_SPEAKING = (AGENT, MODEL, TOOL, HANDOFF, GUARD)
# Names of attributes that a refusal shows: enough to see which instrumentation wrote them.
_SHOWN = 8
_NAME = re.compile(r"[\w.:/-]{1,80}")
# Names that are counted for it: a hostile file may have a new one on every span.
_NAMES_LIMIT = 1000


# How frameworks call the tool that they make for each agent to hand over to.
_HANDOVER_NAMES = ("transfer_to_", "handoff_to_", "handoff to ", "transfer to ")


@lru_cache(maxsize=4096)
def _unknown_namespace(name: str) -> str:
    """Return the first part of the name of an attribute, where no dialect has such names."""
    namespace = name.partition(".")[0]
    return "" if namespace in KNOWN_NAMESPACES else namespace


def conversions(
    written: Iterable[Span], system: str, redaction: Redaction, path: Path
) -> Conversions:
    """Yield one trace for each run: the spans of one trace id, or of several that links join.

    Parameters
    ----------
    written : iterable of Span
        All spans of the input; their kind is empty where the attributes tell it.
    system : str
        Name of the format, for the traces.
    redaction : Redaction
        What may leave the source.
    path : pathlib.Path
        The first input, for a finding.

    Raises
    ------
    CorpusError
        With :data:`UNKNOWN_DIALECT` where there are spans, and no dialect knows any of them.
    """
    spans: list[Span] = []
    links: list[tuple[str, str]] = []
    nameless = 0
    declared = 0
    for span in written:
        if not span.id:
            nameless += 1
            continue
        declared += span.given.get("gen_ai.operation.name") == "create_agent"
        spans.append(span if span.kind else read_span(span))
        for linked in span.linked:
            if span.trace and linked:
                links.append((span.trace, linked))
    groups = runs(spans, links)
    # From a span of another kind nothing about agents can be told.
    speaking = [group for group in groups if any(span.kind in _SPEAKING for span in group)]
    if spans and not speaking:
        raise CorpusError([UNKNOWN_DIALECT.at(str(path), seen=_most_frequent(spans))])
    lost = {
        "a span without an id": ("spans", nameless),
        "an agent was declared (create_agent), which is not a spawn": ("spans", declared),
        # Such as the health checks of a server; they belong to no trace.
        "a trace whose spans are all of unknown kinds": ("traces", len(groups) - len(speaking)),
    }
    for group in speaking:
        first = min(group, key=lambda span: (span.begins, span.trace))
        run = SpanRecorder(first.trace, system, redaction)
        run.run["trace_ids"] = len({span.trace for span in group})
        conversations = {conversation(span.given) for span in group} - {""}
        # With several, none of them is that of the run.
        if len(conversations) == 1:
            run.run["conversation"] = redaction.token(conversations.pop())
        unknown: Counter[str] = Counter()
        for span in group:
            unknown.update(map(_unknown_namespace, span.given))
        for name, times in sorted(unknown.items()):
            if name:
                run.unknown(
                    "attributes of the unknown namespace",
                    name,
                    "attributes",
                    times,
                    role="namespace",
                )
        for what, (place, times) in lost.items():
            if times:
                run.dropped(what, place, times)
        lost.clear()
        yield run.conversion(handovers(group, run))


def _most_frequent(spans: Sequence[Span]) -> str:
    """Name the most frequent attributes with their counts, but none that may be content."""
    names: Counter[str] = Counter()
    for span in spans:
        if len(names) < _NAMES_LIMIT:
            names.update(span.given.keys())
    by_count = sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{name} ({times})" for name, times in by_count if _NAME.fullmatch(name)]
    return ", ".join(shown[:_SHOWN]) or "none"


def handovers(group: Sequence[Span], run: Recorder) -> Iterator[Span]:
    """Settle what one span alone cannot tell.

    Which agent spans are agents, and which tools are handovers.
    """
    parents: set[str] = set()
    agents: set[str] = set()
    for span in group:
        if span.kind in (MODEL, TOOL):
            parents.add(span.parent)
        elif span.kind == AGENT and span.name:
            agents.add(span.name)
    # The first span of an agent that was handed over to; later ones are its further turns.
    passed: set[str] = set()
    for span in sorted(group, key=lambda one: (one.begins, one.id)):
        if span.kind == AGENT and not span.name:
            # LangChain calls many groups of steps an agent: it is one only if it acts itself.
            kind = AGENT if span.id in parents else OTHER
            run.reported[AGENTS] += kind == OTHER
            yield replace(span, kind=kind, name=agent_in_title(span.title), name_guessed=True)
        elif span.kind == AGENT and span.target in agents and span.name not in passed:
            passed.add(span.name)
            # OpenInference names so which agent handed over, and for CrewAI the one before.
            run.inferred("the parent node of an agent counts as a handover to it", span.id)
            # The handover that the node above an agent tells of has no span of its own.
            yield replace(
                span,
                id=f"{span.id}.handover",
                kind=HANDOFF,
                end=span.start,
                target=span.name,
                name=span.target,
                agent=span.target,
                marks=("event",),
            )
            yield span
        elif span.kind == TOOL and (target := _target_of_tool(span, agents)):
            passed.add(target)
            run.inferred("a tool named like a handover counts as one", span.id)
            yield replace(span, kind=HANDOFF, target=target, marks=("type",))
        else:
            yield span


def _target_of_tool(span: Span, agents: set[str]) -> str:
    """Return the agent that a tool hands over to: by its name, or as Google ADK asks for it."""
    if span.name == "transfer_to_agent":
        target = text(parsed(span.asked), "agent_name")
        return target if target in agents else ""
    for start in _HANDOVER_NAMES:
        target = span.name[len(start) :]
        if span.name.lower().startswith(start) and target in agents:
            return target
    return ""
