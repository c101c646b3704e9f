"""Orchestration traces to formats of other programs: one module per format.

A further format is one further module that exposes a :class:`Target`, and one line in
:data:`TARGETS`. Traces themselves are an input as recorded runs are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import Conversion, RecordedFormat
from corpus.traces.convert.redaction import Redaction
from corpus.traces.document import RecordedFile
from corpus.traces.emit import atif, chrome
from corpus.traces.emit.spans import OTLP
from corpus.traces.emit.target import Target

TARGETS: tuple[Target, ...] = (atif.TARGET, OTLP, chrome.TARGET)
"""All formats that traces are written in."""


def traces_in(documents: Sequence[RecordedFile], _: Redaction) -> Iterator[Conversion]:
    """Yield every trace as it is; whether it is valid is checked with all others."""
    for document in documents:
        for row in document.objects:
            trace = {"trace_id": document.place(row.line), "events": None, **row.value}
            yield Conversion(trace, ())


TRACE = RecordedFormat("trace", traces_in)
INPUTS = (TRACE, *FORMATS)
"""What `--to` takes: traces, and every format that is converted to them."""
