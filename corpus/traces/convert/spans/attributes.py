"""Spans whose attributes tell what they represent, whatever envelope holds them."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from corpus.model.finding import Rule
from corpus.traces.convert.format import (
    DROPPED,
    MISSING,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.spans.dialects import read_span, recorded_span
from corpus.traces.convert.spans.handovers import handovers
from corpus.traces.convert.spans.tree import Span, runs
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.document import RecordedFile, rows_of
from corpus.traces.lookup import JsonObject

UNKNOWN_DIALECT = Rule(
    "OT206",
    "no span has attributes with a known meaning",
    "record with one of the conventions that `corpus trace formats` lists",
    title="Spans of an unknown dialect",
    reason="Without a known attribute, agents, model calls and tools cannot be told "
    "from other work.",
)


_SPEAKING = ("agent", "model", "tool", "handoff", "guard")


_HEX = re.compile(r"[0-9a-fA-F]+")


def format_of_spans(name: str, spans_in: Callable[[object], Iterator[Span]]) -> RecordedFormat:
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
        if not span.kind:
            span = read_span(span)
        spans.append(span)
    groups = runs(spans)
    # From a span of another kind nothing about agents can be told.
    speaking = [group for group in groups if any(span.kind in _SPEAKING for span in group)]
    if spans and not speaking:
        raise UNKNOWN_DIALECT.error(str(path))
    if len(groups) > len(speaking):
        # Such as the health checks of a server; they belong to no trace.
        silent = len(groups) - len(speaking)
        lost[DROPPED, "a trace whose spans are all of unknown kinds", "traces"] = silent
    for group in speaking:
        first = min(group, key=lambda span: (span.begins, span.trace))
        run = SpanRecorder(first.trace, system, redaction)
        for (kind, what, place), times in lost.items():
            run.losses.add(kind, place, what, times)
        lost.clear()
        yield run.conversion(handovers(group, run))


def enveloped(written: object, envelope: str, given: JsonObject, **more: Any) -> Span:
    """Return what the envelope of a span tells; its attributes tell the rest."""
    span = recorded_span(written, envelope, kind="", given=given, **more)
    name, parent, trace = hex_id(span.id, 16), hex_id(span.parent, 16), hex_id(span.trace, 32)
    # An id of zeros is how the protocol writes that there is no parent.
    if not parent.strip("0"):
        parent = ""
    return replace(span, id=name, parent=parent, trace=trace, name=span.title)


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
