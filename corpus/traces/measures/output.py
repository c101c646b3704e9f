"""Write what is told of each trace, as text, JSON, CSV or Parquet: line by line, as the traces are measured."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.traces.measures.credit import Credit
    from corpus.traces.measures.rows import Line

    Pieces = Iterator[str | bytes]

AT_ONCE = 200
"""Lines that are written together."""
GROUP = 5_000
"""Rows of one row group of Parquet."""
_BEGIN = ('{\n  "traces": [\n',)


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Put lines together into pieces that are worth writing."""
    remaining = iter(lines)
    while piece := "".join(islice(remaining, AT_ONCE)):
        yield piece


def _members(texts: Iterable[str]) -> Iterator[str]:
    """Yield the members of a JSON list, one a line."""
    before = ""
    for text in texts:
        yield before
        before = f"    {text},\n"
    yield before.removesuffix(",\n") + "\n"


def text_pieces(lines: Iterator[Line]) -> Pieces:
    """Write one trace in full, more than one as a summary."""
    from corpus.printing.grid import grid_text
    from corpus.traces.measures.rows import Summary
    from corpus.traces.measures.trace_tables import measures_grids, summary_grid

    summary = Summary()
    first = None
    for line in lines:
        summary.add(line.cells)
        first = first or line
    if summary.traces > 1:
        yield grid_text(summary_grid(summary))
    elif first:
        yield "\n".join(grid_text(grid) for grid in measures_grids(first))


def json_pieces(lines: Iterator[Line]) -> Pieces:
    """Write every trace with its counts and channels, then the summary."""
    import msgspec

    from corpus.traces.measures.rows import Summary, as_json

    summary = Summary()

    def texts() -> Iterator[str]:
        for line in lines:
            summary.add(line.cells)
            yield as_json(line)

    yield from joined(chain(_BEGIN, _members(texts())))
    spreads = {name: spread._asdict() for name, spread in summary.spreads().items()}
    counts = {"traces": summary.traces, "stops": summary.stops, "topologies": summary.topologies, "measures": spreads}
    yield f'  ],\n  "summary": {msgspec.json.encode(counts).decode()}\n}}\n'


def csv_pieces(lines: Iterator[Line]) -> Pieces:
    """Write one row a trace; a cell that a spreadsheet would run is neutralised."""
    from corpus.printing.escape import csv_cell

    def texts() -> Iterator[str]:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        for number, line in enumerate(lines):
            if not number:
                writer.writerow(line.cells)
            writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in line.cells.values()])
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()

    yield from joined(texts())


def parquet_pieces(lines: Iterator[Line]) -> Pieces:
    """Write one row a trace; texts as strings, all measures as doubles."""
    import pyarrow as pa
    from pyarrow import parquet

    from corpus.traces.measures.baseline import COMPARISON
    from corpus.traces.measures.rows import TEXTS, columns

    names = columns(tuple(metric.name for metric in COMPARISON))
    schema = pa.schema([(name, pa.string() if name in TEXTS else pa.float64()) for name in names])
    written = _Written()
    with parquet.ParquetWriter(written, schema) as writer:
        while batch := [line.cells for line in islice(lines, GROUP)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))
            yield written.taken()
    yield written.taken()


class _Written(io.RawIOBase):
    """A file that is handed on as it is written: it knows how far it got, and holds only what was not taken yet."""

    def __init__(self) -> None:
        self._held, self._before = bytearray(), 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._before + len(self._held)

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        piece, self._before = bytes(self._held), self.tell()
        self._held.clear()
        return piece


def credit_text_pieces(credits: Iterator[Credit]) -> Pieces:
    """Write for each trace which units carry credit, and what its channels ask for."""
    from corpus.printing.grid import grid_text
    from corpus.traces.measures.trace_tables import credit_grids

    between = ""
    for credit in credits:
        grids = credit_grids(f"{credit.trace_id} ({credit.file})", credit.channels, credit.units)
        yield between + "\n".join(grid_text(grid) for grid in grids)
        between = "\n"


def credit_json_pieces(credits: Iterator[Credit]) -> Pieces:
    """Write the same as JSON, one trace a line."""
    texts = (json.dumps(_credit(credit), ensure_ascii=False) for credit in credits)
    yield from joined(chain(_BEGIN, _members(texts)))
    yield "  ]\n}\n"


def _credit(credit: Credit) -> dict[str, Any]:
    channels = [
        {
            "name": channel.name,
            "value": channel.value,
            "names": channel.names or None,
            "attachable": [unit.unit for unit in channel.units if unit.supported],
            "unsupported": {unit.unit: unit.reason for unit in channel.units if not unit.supported},
        }
        for channel in credit.channels
    ]
    units = [unit._asdict() for unit in credit.units]
    place = {"file": credit.file, "line": credit.line, "trace_id": credit.trace_id}
    return {**place, "units": units, "channels": channels}


WRITERS = {"text": text_pieces, "json": json_pieces, "csv": csv_pieces, "parquet": parquet_pieces}
CREDIT_WRITERS = {"text": credit_text_pieces, "json": credit_json_pieces}
