"""Orchestration traces as an input of `corpus trace convert --to`, beside recorded runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.traces.convert import FORMATS
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import Conversion, RecordedFormat
from corpus.traces.convert.redaction import Redaction

_KEYS = frozenset(("trace_id", "task_id", "events", "edges"))


def recognise(document: RecordedFile) -> bool:
    """Look for the keys that every trace has and no recorded run."""
    first = document.objects[:5]
    return any(row.value.keys() >= _KEYS for row in first)


def convert(documents: Sequence[RecordedFile], _: Redaction) -> Iterator[Conversion]:
    """Yield every trace as it is; whether it is valid is checked with all others."""
    for document in documents:
        for row in document.objects:
            trace = {"trace_id": document.place(row.line), "events": None, **row.value}
            yield Conversion(trace, ())


TRACE = RecordedFormat(
    name="trace", title="Orchestration traces", recognise=recognise, convert=convert
)
INPUTS = (TRACE, *FORMATS)
"""What `--to` takes: traces, and every format that is converted to them."""
