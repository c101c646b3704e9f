"""Write measures and credit of traces as text, JSON, CSV or Parquet, piece by piece."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, TypeAlias

import msgspec

from corpus.printing.grid import Grid, grid_text, plural, safe_csv
from corpus.printing.json_document import json_list
from corpus.printing.numerals import number
from corpus.traces.measures.baseline import COMPARISON
from corpus.traces.measures.catalogue import CATALOGUE
from corpus.traces.measures.credit import Credit
from corpus.traces.measures.prices import PRICING
from corpus.traces.measures.rows import TEXTS, MeasuredTrace, Summary, columns
from corpus.traces.measures.spending import Spent, by_agent, by_model
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.reading.structure import shown

Pieces: TypeAlias = Iterator[str | bytes]

#: Lines that are written together.
AT_ONCE = 200
#: Rows of one row group of Parquet.
GROUP = 5_000
#: Rows of a table of counts.
MOST_KEYS = 20
_BEGIN = ('{\n  "traces": [\n',)


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Join lines into pieces that are large enough to be worth a write."""
    remaining = iter(lines)
    while piece := "".join(islice(remaining, AT_ONCE)):
        yield piece


def text_pieces(traces: Iterator[MeasuredTrace], columns: int | None = None) -> Pieces:
    """Write one trace in full, several as a summary, for a terminal of so many columns."""
    summary = Summary()
    # Only the first is kept: what is printed depends on whether a second one follows.
    first = None
    for trace in traces:
        summary.add(trace.cells)
        first = first or trace
    if summary.traces > 1:
        yield grid_text(summary_grid(summary), columns)
    elif first:
        yield "\n".join(grid_text(grid, columns) for grid in measures_grids(first))


def json_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write every trace with its counts and channels, then the summary."""
    summary = Summary()

    def texts() -> Iterator[str]:
        for trace in traces:
            summary.add(trace.cells)
            yield trace_json(trace)

    yield from joined(chain(_BEGIN, json_list(texts(), "    ")))
    document = {
        "traces": summary.traces,
        "stops": summary.stops,
        "topologies": summary.topologies,
        "measures": {name: spread._asdict() for name, spread in summary.spreads().items()},
    }
    yield f'  ],\n  "summary": {msgspec.json.encode(document).decode()}\n}}\n'


def trace_json(trace: MeasuredTrace) -> str:
    """Return the row of a trace with counts and channels as one line of JSON."""
    costs = {}
    for channel, (tokens, seconds) in trace.measures.rewards.items():
        costs[channel] = {"tokens": tokens, "seconds": seconds}
    document: dict[str, Any] = {
        **trace.cells,
        "events_by_type": trace.measures.by_type,
        "events_by_agent": trace.measures.by_agent,
        "tokens_by_agent": {one.agent: _tokens(one) for one in by_agent(trace.measures.spent)},
        "tokens_by_model": {one.model: _tokens(one) for one in by_model(trace.measures.spent)},
        "busy_s_by_agent": dict(trace.measures.busy),
        "cost_per_reward": costs,
    }
    if trace.priced is not None:
        document["price_by_model"] = trace.priced.by_model
        document["unpriced"] = [one._asdict() for one in trace.priced.unpriced]
    return msgspec.json.encode(document).decode()


def _tokens(spent: Spent) -> dict[str, float | None]:
    """Return all tokens and those of each kind; None where no event states the kind."""
    kinds = {kind: spent.kinds.get(kind) for kind in TOKEN_KINDS}
    return {"tokens": spent.tokens, **kinds}


def csv_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write one row per trace; cells that a spreadsheet would run as a formula are neutralised."""
    return joined(_csv_lines(traces))


def _csv_lines(traces: Iterator[MeasuredTrace]) -> Iterator[str]:
    header = ""
    for trace in traces:
        if not header:
            # With a baseline or prices, a row has more columns.
            header = safe_csv([trace.cells])
            yield header
        yield safe_csv([trace.cells.values()])


def parquet_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write one row per trace: texts as strings, all measures as doubles."""
    # Arrow takes longer to load than a thousand traces to measure, and only this format needs it.
    import pyarrow as pa
    from pyarrow import parquet

    fields = []
    extra = [metric.name for metric in (*COMPARISON, *PRICING)]
    for name in columns(tuple(extra)):
        kind = pa.string() if name in TEXTS else pa.float64()
        fields.append((name, kind))
    schema = pa.schema(fields)
    written = _Written()
    with parquet.ParquetWriter(written, schema) as writer:
        while batch := [trace.cells for trace in islice(traces, GROUP)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))
            yield written.taken()
    yield written.taken()


class _Written(io.RawIOBase):
    """A file that holds only what was written since the last :meth:`taken`."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._before = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._before + len(self._held)

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        self._before = self.tell()
        piece = bytes(self._held)
        self._held.clear()
        return piece


def credit_text_pieces(credits: Iterator[Credit], columns: int | None = None) -> Pieces:
    """Write for each trace which units carry credit, and what its channels ask for."""
    between = ""
    for credit in credits:
        yield between + "\n".join(grid_text(grid, columns) for grid in credit_grids(credit))
        between = "\n"


def credit_json_pieces(credits: Iterator[Credit]) -> Pieces:
    """Write the credit of each trace as JSON, one trace per line."""
    documents = map(_credit_document, credits)
    texts = (json.dumps(document, ensure_ascii=False) for document in documents)
    yield from joined(chain(_BEGIN, json_list(texts, "    ")))
    yield "  ]\n}\n"


def _credit_document(credit: Credit) -> dict[str, Any]:
    attachable = [unit.unit for unit in credit.units if unit.supported]
    unsupported = {unit.unit: unit.reason for unit in credit.units if not unit.supported}
    channels = []
    for channel in credit.channels:
        document = {
            "name": channel.name,
            "value": channel.value,
            "names": channel.names or None,
            "attachable": attachable,
            "unsupported": unsupported,
        }
        channels.append(document)
    return {
        "file": credit.file,
        "line": credit.line,
        "trace_id": credit.trace_id,
        "units": [unit._asdict() for unit in credit.units],
        "channels": channels,
    }


WRITERS = {"text": text_pieces, "json": json_pieces, "csv": csv_pieces, "parquet": parquet_pieces}
CREDIT_WRITERS = {"text": credit_text_pieces, "json": credit_json_pieces}


def measures_grids(trace: MeasuredTrace) -> list[Grid]:
    """Return the tables of one trace: measures, events by type and agent, cost per reward."""
    cells: dict[str, Any] = trace.cells
    # "unknown" is itself a topology of the schema.
    topology = cells["topology"] or "not stated"
    name = shown(cells["trace_id"])
    title = f"{name} ({cells['file']}; topology {topology}; stop {cells['stop']})"
    rows = []
    for metric in (*CATALOGUE, *COMPARISON, *PRICING):
        if metric.name in cells:
            value = number(cells[metric.name])
            rows.append((metric.name, value, metric.unit))
    measures_header = ("measure", "value", "unit")
    note = ""
    if "parallelism_efficiency" not in cells:
        note = "parallelism_efficiency needs the run of a serial baseline (--baseline)."
    grids = [
        Grid(title, measures_header, tuple(rows), frozenset({1}), note),
        _counts_grid("events by type", trace.measures.by_type),
        _counts_grid("events by agent", trace.measures.by_agent),
    ]
    grids += _spending_grids(trace)
    if trace.measures.rewards:
        costs = []
        for channel, (tokens, seconds) in trace.measures.rewards.items():
            row = (shown(channel), number(tokens), number(seconds))
            costs.append(row)
        header = ("cost of one unit of reward", "tokens", "seconds")
        grids.append(Grid("", header, tuple(costs), frozenset({1, 2})))
    return grids


def _spending_grids(trace: MeasuredTrace) -> list[Grid]:
    """Return tokens and busy seconds by agent, and tokens by model."""
    grids = []
    kinds = tuple(kind.replace("_", " ") for kind in TOKEN_KINDS)
    right = frozenset(range(1, len(kinds) + 3))
    agents = {one.agent: one for one in by_agent(trace.measures.spent)}
    names = dict.fromkeys([*agents, *trace.measures.busy])
    if names:
        rows = []
        for name in names:
            tokens = _token_cells(agents.get(name))
            busy = number(trace.measures.busy.get(name))
            rows.append((shown(name), *tokens, busy))
        header = ("tokens and time by agent", "tokens", *kinds, "busy s")
        grids.append(_first_rows(header, rows, right))
    models = by_model(trace.measures.spent)
    if models:
        rows = []
        for one in models:
            model = shown(one.model) or "(not stated)"
            rows.append((model, *_token_cells(one)))
        header = ("tokens by model", "tokens", *kinds)
        grids.append(_first_rows(header, rows, right))
    if trace.priced is not None:
        rows = []
        for model, price in trace.priced.by_model.items():
            rows.append((shown(model) or "(not stated)", number(price)))
        header = ("price by model, where known", "price")
        grids.append(_first_rows(header, rows, frozenset({1})))
    return grids


def _token_cells(spent: Spent | None) -> list[str]:
    if spent is None:
        return ["-"] * (len(TOKEN_KINDS) + 1)
    cells = [number(spent.tokens)]
    for kind in TOKEN_KINDS:
        cells.append(number(spent.kinds.get(kind)))
    return cells


def _first_rows(
    header: tuple[str, ...], rows: list[tuple[str, ...]], right: frozenset[int]
) -> Grid:
    left = len(rows) - MOST_KEYS
    note = f"and {left} more" if left > 0 else ""
    return Grid("", header, tuple(rows[:MOST_KEYS]), right, note)


def _counts_grid(head: str, counts: dict[str, int]) -> Grid:
    rows: list[tuple[str, ...]] = []
    for key, count in _by_count(counts):
        rows.append((shown(key), number(count)))
    return _first_rows((head, "events"), rows, frozenset({1}))


def _by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: -item[1])


def summary_grid(summary: Summary) -> Grid:
    """Return the table over many traces: one row per measure."""
    rows = []
    for name, spread in summary.spreads().items():
        values = (
            spread.number,
            spread.mean,
            spread.least,
            spread.median,
            spread.ninth,
            spread.most,
            spread.total,
        )
        rows.append((name, *map(number, values)))
    header = ("measure", "traces", "mean", "minimum", "median", "9th decile", "maximum", "total")
    counts = []
    counted = {"stop": summary.stops, "topology": summary.topologies}
    for what, found in counted.items():
        words = ", ".join(f"{key} {count:,}" for key, count in _by_count(found))
        counts.append(f"{what} {words}")
    title = plural(summary.traces, "trace")
    numbers = frozenset(range(1, len(header)))
    return Grid(title, header, tuple(rows), numbers, "; ".join(counts))


def credit_grids(credit: Credit) -> list[Grid]:
    """Return the tables on credit: which units a trace supports, what each channel asks for."""
    unit_rows = []
    for unit in credit.units:
        supported = "yes" if unit.supported else "no"
        unit_row = (unit.unit, supported, number(unit.number), unit.reason)
        unit_rows.append(unit_row)
    unit_header = ("unit", "supported", "number", "why not")
    note = ""
    if not credit.channels:
        note = "The trace has no reward to attach."
    name = f"{credit.trace_id} ({credit.file})"
    title = f"credit in {shown(name)}"
    grids = [Grid(title, unit_header, tuple(unit_rows), frozenset({2}), note)]
    if not credit.channels:
        return grids
    attachable = [unit.unit for unit in credit.units if unit.supported]
    unsupported = [unit.unit for unit in credit.units if not unit.supported]
    rows = []
    for channel in credit.channels:
        possible = "-"
        if channel.names:
            possible = "yes" if channel.names in attachable else "no"
        row = (
            shown(channel.name),
            number(channel.value),
            ", ".join(attachable),
            ", ".join(unsupported),
            channel.names or "-",
            possible,
        )
        rows.append(row)
    header = (
        "reward channel",
        "value",
        "can be attached to",
        "cannot",
        "its name asks for",
        "possible",
    )
    grids.append(Grid("", header, tuple(rows), frozenset({1})))
    return grids
