"""Orchestration traces to formats of other programs: one module per format.

A further format is one further module with a function that writes it, and one line in
:data:`TARGETS`. Traces themselves are an input as recorded runs are.
"""

from collections.abc import Iterator, Sequence

from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import TRACES, Conversion, RecordedFormat, Redaction
from corpus.traces.document import RecordedFile
from corpus.traces.emit import atif, chrome

#: What reads each format, and what writes all runs as its documents, with contents where known.
TARGETS = {
    "atif": ("ATIF 1.8 trajectories, for Harbor and what trains on them", atif.write),
    "chrome": ("trace events of Chrome in JSON, for Perfetto and chrome://tracing", chrome.write),
}


def traces_in(documents: Sequence[RecordedFile], _: Redaction) -> Iterator[Conversion]:
    """Yield every trace as it is; whether it is valid is checked with all others."""
    for document in documents:
        for row in document.objects:
            trace = {"trace_id": document.place(row.line), "events": None, **row.value}
            yield Conversion(trace, ())


TRACE = RecordedFormat(TRACES, traces_in)
INPUTS = (TRACE, *FORMATS)
"""What `--to` takes: traces, and every format that is converted to them."""
