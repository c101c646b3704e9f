"""Spans whose attributes tell what they represent, in the envelopes that hold them.

These are OTLP, what Tempo makes of it, and the JSON of Jaeger, of Phoenix and of MLflow.
"""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from corpus.model.finding import CorpusError, Rule
from corpus.traces.convert.format import (
    DROPPED,
    MISSING,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.spans.dialects import (
    KNOWN_NAMESPACES,
    NAMES,
    WORDS,
    agent_in_title,
    read_span,
    recorded_span,
)
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import Span, Tree, runs
from corpus.traces.document import RecordedFile, rows_of
from corpus.traces.lookup import (
    JsonObject,
    epoch_time,
    first_text,
    items,
    listed,
    number,
    parsed,
    record,
    records,
    text,
    value,
)

UNKNOWN_DIALECT = Rule(
    "OT206",
    "no span has attributes with a known meaning; the most frequent are {seen}",
    "record with one of the conventions that `corpus trace formats` lists",
    title="Spans of an unknown dialect",
    reason="Without a known attribute, agents, model calls and tools cannot be told "
    "from other work.",
)


#: Tools that hand over to an agent which they are given: of Google ADK, of Strands.
_TRANSFERS = ("transfer_to_agent", "handoff_to_agent")
_SPEAKING = ("agent", "model", "tool", "handoff", "guard")
# Names of attributes that a refusal shows: enough to see which instrumentation wrote them.
_SHOWN = 8
_NAME = re.compile(r"[\w.:/-]{1,80}")
_HEX = re.compile(r"[0-9a-fA-F]+")
# Lists in lists that are read; the values of the conventions have two levels.
_DEPTH_LIMIT = 8
_PLAIN = ("stringvalue", "intvalue", "doublevalue", "boolvalue")


def _format(name: str, spans_in: Callable[[object], Iterator[Span]]) -> RecordedFormat:
    """Return a format; `spans_in` yields the spans of a row."""

    def recognise(document: RecordedFile) -> bool:
        first = chain.from_iterable(islice(spans_in(row.value), 5) for row in document.rows[:5])
        return any(span.id and span.trace for span in first)

    def convert(documents: Documents, redaction: Redaction) -> Conversions:
        spans = chain.from_iterable(spans_in(row.value) for row in rows_of(documents))
        return conversions(spans, name, redaction, documents[0].path)

    return RecordedFormat(name, convert, looks_like=recognise)


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
    spans = []
    lost: Counter[tuple[str, str, str]] = Counter()
    for span in written:
        if not span.id:
            lost[MISSING, "a span without an id", "spans"] += 1
            continue
        if span.given.get("gen_ai.operation.name") == "create_agent":
            what = "an agent was declared (create_agent), which is not a spawn"
            lost[DROPPED, what, "spans"] += 1
        if not span.kind:
            span = read_span(span)
        spans.append(span)
    groups = runs(spans)
    # From a span of another kind nothing about agents can be told.
    speaking = [group for group in groups if any(span.kind in _SPEAKING for span in group)]
    if spans and not speaking:
        # The most frequent attributes, but none that may be content.
        names = Counter(sorted(chain.from_iterable(span.given for span in spans)))
        shown = []
        for name, times in names.most_common():
            if _NAME.fullmatch(name):
                shown.append(f"{name} ({times})")
        seen = ", ".join(shown[:_SHOWN]) or "none"
        raise CorpusError([UNKNOWN_DIALECT.at(str(path), seen=seen)])
    if len(groups) > len(speaking):
        # Such as the health checks of a server; they belong to no trace.
        silent = len(groups) - len(speaking)
        lost[DROPPED, "a trace whose spans are all of unknown kinds", "traces"] = silent
    for group in speaking:
        first = min(group, key=lambda span: (span.begins, span.trace))
        run = SpanRecorder(first.trace, system, redaction)
        run.run["trace_ids"] = len({span.trace for span in group})
        conversations = {first_text(span.given, *NAMES["conversation"]) for span in group} - {""}
        # With several, none of them is that of the run.
        if len(conversations) == 1:
            run.run["conversation"] = redaction.token(conversations.pop())
        spaces: Counter[str] = Counter()
        for span in group:
            spaces.update(name.partition(".")[0] for name in span.given)
        for name in sorted(spaces.keys() - KNOWN_NAMESPACES - {""}):
            what = "attributes of the unknown namespace"
            run.unknown(what, name, "attributes", spaces[name], role="namespace")
        for (kind, what, place), times in lost.items():
            run.losses.add(kind, place, what, times)
        lost.clear()
        yield run.conversion(handovers(group, run))


def handovers(group: Sequence[Span], run: Recorder) -> Iterator[Span]:
    """Settle what one span alone cannot tell.

    Which agent spans are agents, and which tools are handovers.
    """
    parents = set()
    agents = set()
    group = _with_coworkers(with_named_agents(group))
    for span in group:
        if span.kind in ("model", "tool"):
            parents.add(span.parent)
        elif span.kind == "agent" and span.name:
            agents.add(span.name)
    # The first span of an agent that was handed over to; later ones are its further turns.
    passed = set()
    for span in sorted(group, key=lambda one: (one.begins, one.id)):
        if span.kind == "agent" and not span.name:
            # LangChain calls many groups of steps an agent: it is one only if it acts itself.
            span = replace(span, name=agent_in_title(span.title), name_guessed=True)
            if span.id not in parents:
                span = replace(span, kind="other")
        elif span.kind == "agent" and span.target in agents and span.name not in passed:
            passed.add(span.name)
            # OpenInference names so which agent handed over, and for CrewAI the one before.
            run.inferred("the parent node of an agent counts as a handover to it", span.id)
            # The handover that the node above an agent tells of has no span of its own.
            yield replace(
                span,
                id=f"{span.id}.handover",
                kind="handoff",
                end=span.start,
                target=span.name,
                name=span.target,
                agent=span.target,
                marks=("event",),
            )
        elif span.kind == "tool" and (
            target := _target_of_tool(span, agents) or _next(span, group)
        ):
            passed.add(target)
            run.inferred("a tool named like a handover counts as one", span.id)
            span = replace(span, kind="handoff", target=target, marks=("type",))
        yield span


def with_named_agents(group: Sequence[Span]) -> list[Span]:
    """Return the spans; those in which an agent of LangChain begins are agents.

    LangChain writes the name of the agent on every span inside of it.
    """
    tree = Tree.of(group)
    inside: dict[str, str] = {}
    named = {}
    for span in tree.parents_first:
        above = inside.get(span.parent, "")
        name = inside[span.id] = _agent_of_langchain(span.given) or above
        if name != above and span.kind == "other":
            named[span.id] = replace(span, kind="agent", name=name)
    return [named.get(span.id, span) for span in group]


def _with_coworkers(group: Sequence[Span]) -> list[Span]:
    """Return the spans, and an agent inside each tool that a crew asks a coworker with.

    CrewAI records what the coworker does right below the tool.
    """
    tree = Tree.of(group)
    inside: dict[str, Span] = {}
    for span in group:
        name = text(parsed(span.asked), "coworker") if span.kind == "tool" else ""
        if name and tree.count_below(span, "model") and not tree.count_below(span, "agent"):
            inside[span.id] = replace(
                span, id=f"{span.id}.agent", parent=span.id, kind="agent", name=name, agent=name
            )
    moved = []
    for span in group:
        above = inside.get(span.parent)
        moved.append(replace(span, parent=above.id, agent="") if above else span)
    return [*moved, *inside.values()]


def _agent_of_langchain(given: JsonObject) -> str:
    name = first_text(given, "lc_agent_name", "langfuse.observation.metadata.lc_agent_name")
    return name.strip('"') or text(parsed(given.get("metadata")), "lc_agent_name")


def _next(span: Span, group: Sequence[Span]) -> str:
    """Return the agent that begins after a transfer that was recorded without its arguments."""
    if span.name not in _TRANSFERS or span.asked:
        return ""
    later = [one for one in group if one.kind == "agent" and one.begins >= span.ends]
    later = [one for one in later if one.name != span.agent]
    return min(later, key=lambda one: one.begins).name if later else ""


def _target_of_tool(span: Span, agents: set[str]) -> str:
    """Return the agent that a tool hands over to: by its name, its argument, or who is next."""
    targets = []
    if span.name in _TRANSFERS:
        targets.append(text(parsed(span.asked), "agent_name"))
    for start in WORDS["handovers"]:
        if span.name.lower().startswith(start):
            targets.append(span.name[len(start) :])
    return next((target for target in targets if target in agents), "")


def _enveloped(written: object, envelope: str, given: JsonObject, **more: Any) -> Span:
    """Return what the envelope of a span tells; its attributes tell the rest."""
    span = recorded_span(written, envelope, kind="", given=given, **more)
    name, parent, trace = hex_id(span.id, 16), hex_id(span.parent, 16), hex_id(span.trace, 32)
    # An id of zeros is how the protocol writes that there is no parent.
    if not parent.strip("0"):
        parent = ""
    return replace(span, id=name, parent=parent, trace=trace, name=span.title)


def _otlp_spans(node: object) -> Iterator[Span]:
    """Yield all spans, each with the name of the instrumentation that recorded it."""
    for envelope in items(node) or [node]:
        # Tempo writes the same below "batches", and in its newer interface below "trace".
        outer = value(envelope, "trace") or envelope
        for resource in _first_list(outer, "resourceSpans", "resource_spans", "batches"):
            names = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
            for scope in _first_list(resource, *names):
                title = text(scope, "scope.name") or text(scope, "instrumentationLibrary.name")
                for written in records(scope, "spans"):
                    yield from _otlp_span(written, title)


def _first_list(node: object, *names: str) -> list[Any]:
    for name in names:
        if found := items(node, name):
            return found
    return []


def _otlp_span(written: JsonObject, scope: str) -> Iterator[Span]:
    linked = []
    for link in items(written, "links"):
        linked.append(hex_id(first_text(link, "traceId", "trace_id"), 32))
    failed = value(written, "status.code") in (2, "STATUS_CODE_ERROR")
    given = attributes(value(written, "attributes"))
    span = _enveloped(written, "otlp", given, scope=scope, linked=tuple(linked), failed=failed)
    yield span
    for place, event in enumerate(records(written, "events"), start=1):
        if text(event, "name") != "human_intervention":
            continue
        # What a person did in a span, which our writer notes as an event of the span.
        given = attributes(value(event, "attributes"))
        time = epoch_time(value(event, "timeUnixNano") or value(event, "time_unix_nano"), 1e-9)
        role = first_text(given, "orchestration.event.role")
        kind = "human"
        if role == "interrupt":
            kind = "interrupt"
        asked = first_text(given, "orchestration.event.content_ref") or None
        name = f"{span.id}.{place}"
        yield Span(name, span.id, span.trace, time, time, kind, role, asked=asked, scope=span.scope)


def _jaeger_spans(node: object) -> Iterator[Span]:
    for trace in listed(node, "data"):
        for written in records(trace, "spans"):
            given = {}
            for tag in records(written, "tags"):
                # Lists and objects are written as JSON inside a string.
                given[text(tag, "key")] = parsed(value(tag, "value"))
            failed = given.get("error") is True or given.get("otel.status_code") == "ERROR"
            scope = first_text(given, "otel.scope.name", "otel.library.name")
            span = _enveloped(written, "jaeger", given, scope=scope, failed=failed)
            lasted = number(written, "duration")
            if span.start is not None and lasted is not None and 0 <= lasted < 1e15:
                span = replace(span, end=round(span.start + lasted * 1e-6, 6))
            # A span may follow from others; its parent is the one that it is a child of.
            parents: dict[str, str] = {}
            linked = []
            for reference in records(written, "references"):
                other = hex_id(value(reference, "traceID"), 32)
                if other in ("", span.trace):
                    parents.setdefault(
                        text(reference, "refType"), hex_id(value(reference, "spanID"), 16)
                    )
                else:
                    linked.append(other)
            parent = parents.get("CHILD_OF") or next(iter(parents.values()), span.parent)
            yield replace(span, parent=parent, linked=tuple(linked))


def _phoenix_spans(node: object) -> Iterator[Span]:
    for written in listed(node, "data"):
        kind = text(written, "span_kind")
        if kind and text(written, "context.span_id"):
            given = {"openinference.span.kind": kind, **record(written, "attributes")}
            failed = text(written, "status_code") == "ERROR"
            yield _enveloped(written, "phoenix", given, failed=failed)


def _mlflow_spans(node: object) -> Iterator[Span]:
    for trace in listed(node, "traces"):
        for written in records(trace, "data.spans"):
            given = {}
            for name, stated in record(written, "attributes").items():
                found = unwrapped(stated)
                given[name] = found
                # The usage is one object, in which the conventions have an attribute for each kind.
                if name == "mlflow.chat.tokenUsage":
                    given.update({f"{name}.{kind}": one for kind, one in record(found).items()})
            code = text(written, "status.code") or text(written, "status_code")
            yield _enveloped(written, "mlflow", given, failed=code.endswith("ERROR"))


def unwrapped(stated: object) -> Any:
    """Return an attribute of MLflow, which writes each as JSON inside a string, plain texts too.

    Examples
    --------
    >>> unwrapped('"LLM"'), unwrapped("LLM"), unwrapped('{"n": 1}')
    ('LLM', 'LLM', {'n': 1})
    """
    if isinstance(stated, str) and len(stated) > 1 and stated[0] == stated[-1] == '"':
        found = parsed(f"[{stated}]")
        return found[0] if isinstance(found, list) else stated
    return parsed(stated)


def attributes(pairs: object) -> JsonObject:
    """Return the attributes of a span as a flat mapping.

    Exporters that write a plain object are read too.
    """
    if isinstance(pairs, dict):
        return pairs
    found = {}
    for pair in items(pairs):
        if name := text(pair, "key"):
            found[name] = _plain(value(pair, "value"), _DEPTH_LIMIT)
    return found


def _plain(node: object, depth: int) -> Any:
    for key, inner in record(node).items():
        # Some exporters keep the names of the protocol files, with underscores.
        kind = key.replace("_", "").lower()
        if not depth or kind in _PLAIN:
            return inner if depth else None
        if kind == "arrayvalue":
            return [_plain(one, depth - 1) for one in items(inner, "values")]
        if kind == "kvlistvalue":
            found = {}
            for pair in items(inner, "values"):
                found[text(pair, "key")] = _plain(value(pair, "value"), depth - 1)
            return found
    return None


def hex_id(written: object, digits: int) -> str:
    """Return an id in lower-case hexadecimal; some exporters write base64 instead.

    Examples
    --------
    >>> hex_id("baWWOnbwA5k=", 16), hex_id("F610825402362F79", 16), hex_id(None, 16)
    ('6da5963a76f00399', 'f610825402362f79', '')
    """
    if not isinstance(written, str) or not written or len(written) > 200:
        return ""
    written = written.removeprefix("0x")
    # Hexadecimal first: most such ids are valid base64 as well, of another length.
    if len(written) == digits and _HEX.fullmatch(written):
        return written.lower()
    try:
        raw = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        return written
    return raw.hex() if 2 * len(raw) == digits else written


OTLP = _format("otlp", _otlp_spans)
JAEGER = _format("jaeger", _jaeger_spans)
PHOENIX = _format("phoenix", _phoenix_spans)
MLFLOW = _format("mlflow", _mlflow_spans)
