"""Spans whose attributes tell what they represent, from whatever envelope, as traces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from corpus.model.finding import CorpusError
from corpus.traces.convert.format import Conversion
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.spans.dialects import KNOWN_NAMESPACES, conversation, read_span
from corpus.traces.convert.spans.handovers import handovers
from corpus.traces.convert.spans.span_walk import SpanRecorder
from corpus.traces.convert.spans.spans import AGENT, GUARD, HANDOFF, MODEL, TOOL, Span, runs
from corpus.traces.convert_rules import UNKNOWN_DIALECT

_SPEAKING = (AGENT, MODEL, TOOL, HANDOFF, GUARD)
# Names of attributes that a refusal shows: enough to see which instrumentation wrote them.
_SHOWN = 8
_NAME = re.compile(r"[\w.:/-]{1,80}")
# Names that are counted for it: a hostile file may have a new one on every span.
_NAMES_LIMIT = 1000


@lru_cache(maxsize=4096)
def _unknown_namespace(name: str) -> str:
    """Return the first part of the name of an attribute, where no dialect has such names."""
    namespace = name.partition(".")[0]
    return "" if namespace in KNOWN_NAMESPACES else namespace


def conversions(
    written: Iterable[Span], system: str, redaction: Redaction, path: Path
) -> Iterator[Conversion]:
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
                what = "attributes of the unknown namespace"
                run.unknown("attributes", what, name, times, role="namespace")
        for what, (place, times) in lost.items():
            if times:
                run.dropped(place, what, times)
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
