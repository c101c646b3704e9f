"""Write measures and credit of traces as text, JSON, CSV or Parquet, piece by piece."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from corpus.printing.grid import Grid, grid_text, plural, safe_csv
from corpus.printing.json_document import json_list
from corpus.printing.numerals import number
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.catalogue import CATALOGUE, COMPARISON, PRICING
from corpus.traces.measures.summary import ROW, TEXTS, Cell, MeasuredTrace, Summary
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.reading.structure import shown

if TYPE_CHECKING:
    import pyarrow as pa

Pieces: TypeAlias = Iterator[str | bytes]

#: Lines that are written together.
AT_ONCE = 200
#: Rows of one row group of Parquet.
GROUP = 5_000
#: Rows of a table of counts.
MOST_KEYS = 20
_PIECE = 1 << 20
_UNKNOWN = "(not stated)"
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
        yield "\n".join(grid_text(grid, columns) for grid in _trace_grids(first))


def json_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write every trace with its counts and channels, then the summary."""
    summary = Summary()

    def texts() -> Iterator[str]:
        for trace in traces:
            summary.add(trace.cells)
            yield trace_json(trace)

    yield from joined(chain(_BEGIN, json_list(texts(), "    ")))
    yield f'  ],\n  "summary": {msgspec.json.encode(summary.as_dict()).decode()}\n}}\n'


def trace_json(trace: MeasuredTrace) -> str:
    """Return the row of a trace with counts and channels as one line of JSON."""
    return msgspec.json.encode(trace.cells | trace.details).decode()


def csv_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write one row per trace; cells that a spreadsheet would run as a formula are neutralised."""

    def lines() -> Iterator[str]:
        for place, trace in enumerate(traces):
            if not place:
                # With a baseline or prices, a row has more columns.
                yield safe_csv([trace.cells])
            yield safe_csv([trace.cells.values()])

    return joined(lines())


def parquet_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write one row per trace: texts as strings, all measures as doubles."""
    # Arrow takes longer to load than a thousand traces to measure, and only this format needs it.
    import pyarrow as pa

    names = (*ROW, *(metric.name for metric in (*COMPARISON, *PRICING)))
    types = dict.fromkeys(names, pa.float64()) | dict.fromkeys(TEXTS, pa.string())
    schema = pa.schema(types)

    def tables() -> Iterator[pa.Table]:
        while batch := [trace.cells for trace in islice(traces, GROUP)]:
            yield pa.Table.from_pylist(batch, schema)

    return parquet_bytes(schema, tables())


def parquet_bytes(schema: pa.Schema, tables: Iterable[pa.Table]) -> Iterator[bytes]:
    """Yield tables as one file of Parquet, in pieces."""
    # As in parquet_pieces.
    from pyarrow import parquet

    with tempfile.TemporaryFile() as file:
        with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for table in tables:
                writer.write_table(table)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def credit_text_pieces(credits: Iterator[JsonObject], columns: int | None = None) -> Pieces:
    """Write for each trace which units carry credit, and what its channels ask for."""
    between = ""
    for credit in credits:
        yield between + "\n".join(grid_text(grid, columns) for grid in _credit_grids(credit))
        between = "\n"


def credit_json_pieces(credits: Iterator[JsonObject]) -> Pieces:
    """Write the credit of each trace as JSON, one trace per line."""
    texts = (json.dumps(credit, ensure_ascii=False) for credit in credits)
    yield from joined(chain(_BEGIN, json_list(texts, "    ")))
    yield "  ]\n}\n"


WRITERS = {"text": text_pieces, "json": json_pieces, "csv": csv_pieces, "parquet": parquet_pieces}
CREDIT_WRITERS = {"text": credit_text_pieces, "json": credit_json_pieces}


def _grid(
    title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = ""
) -> Grid:
    """Return a table of texts, which are cut, and of numbers, which are written for people."""
    shown_rows = []
    texts = set()
    for row in rows:
        cells = []
        for place, cell in enumerate(row):
            if isinstance(cell, str):
                texts.add(place)
                cells.append(shown(cell))
            else:
                cells.append(number(cell))
        shown_rows.append(tuple(cells))
    return Grid(
        title, tuple(header), tuple(shown_rows), frozenset(range(len(header))) - texts, note
    )


def _trace_grids(trace: MeasuredTrace) -> list[Grid]:
    """Return the tables of one trace: measures, counts, tokens, prices, cost per reward."""
    cells, details = trace
    # "unknown" is itself a topology of the schema.
    topology = cells["topology"] or "not stated"
    name = shown(cells["trace_id"])
    title = f"{name} ({cells['file']}; topology {topology}; stop {cells['stop']})"
    catalogue = (*CATALOGUE, *COMPARISON, *PRICING)
    rows = [(one.name, cells[one.name], one.unit) for one in catalogue if one.name in cells]
    note = ""
    if "parallelism_efficiency" not in cells:
        note = "parallelism_efficiency needs the run of a serial baseline (--baseline)."
    grids = [_grid(title, ("measure", "value", "unit"), rows, note)]
    kinds = [kind.replace("_", " ") for kind in TOKEN_KINDS]
    agents, busy = details["tokens_by_agent"], details["busy_s_by_agent"]
    unknown = dict.fromkeys(("tokens", *TOKEN_KINDS))
    spent = {}
    for agent in dict.fromkeys((*agents, *busy)):
        spent[agent] = {**_shown_tokens(agents.get(agent, unknown)), "busy": busy.get(agent)}
    by_model = {name: _shown_tokens(one) for name, one in details["tokens_by_model"].items()}
    prices = {model: {"price": price} for model, price in details.get("price_by_model", {}).items()}
    tables: tuple[tuple[Sequence[str], Sequence[Sequence[Cell]]], ...] = (
        (("events by type", "events"), _by_count(details["events_by_type"])),
        (("events by agent", "events"), _by_count(details["events_by_agent"])),
        (("tokens and time by agent", "tokens", *kinds, "busy s"), _named(spent)),
        (("tokens by model", "tokens", *kinds), _named(by_model)),
        (("price by model, where known", "price"), _named(prices)),
        (("cost of one unit of reward", "tokens", "seconds"), _named(details["cost_per_reward"])),
    )
    for header, found in tables:
        left = len(found) - MOST_KEYS
        note = f"and {left} more" if left > 0 else ""
        if found:
            grids.append(_grid("", header, found[:MOST_KEYS], note))
    return grids


def _shown_tokens(tokens: dict[str, Cell]) -> dict[str, Cell]:
    """Leave out the classes that matter to prices alone."""
    return {kind: tokens[kind] for kind in ("tokens", *TOKEN_KINDS)}


def _named(table: dict[str, dict[str, Cell]]) -> list[tuple[Cell, ...]]:
    return [(name or _UNKNOWN, *values.values()) for name, values in table.items()]


def _by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: -item[1])


def summary_grid(summary: Summary) -> Grid:
    """Return the table over many traces: one row per measure."""
    rows: list[tuple[Cell, ...]] = []
    for name, spread in summary.spreads().items():
        count, total, *others = spread.values()
        rows.append((name, count, *others, total))
    header = ("measure", "traces", "mean", "minimum", "median", "9th decile", "maximum", "total")
    counts = []
    for what, found in (("stop", summary.stops), ("topology", summary.topologies)):
        words = ", ".join(f"{key} {count:,}" for key, count in _by_count(found))
        counts.append(f"{what} {words}")
    return _grid(plural(summary.traces, "trace"), header, rows, "; ".join(counts))


def _credit_grids(credit: JsonObject) -> list[Grid]:
    """Return the tables on credit: which units a trace supports, what each channel asks for."""
    rows = []
    for unit in credit["units"]:
        supported = "yes" if unit["supported"] else "no"
        rows.append((unit["unit"], supported, unit["number"], unit["reason"]))
    title = f"credit in {credit['trace_id']} ({credit['file']})"
    header = ("unit", "supported", "number", "why not")
    channels = credit["channels"]
    if not channels:
        return [_grid(title, header, rows, "The trace has no reward to attach.")]
    of_channels = []
    for channel in channels:
        wanted, attachable = channel["names"] or "-", channel["attachable"]
        possible = "-"
        if channel["names"]:
            possible = "yes" if wanted in attachable else "no"
        names = (", ".join(attachable), ", ".join(channel["unsupported"]), wanted, possible)
        of_channels.append((channel["name"], channel["value"], *names))
    asked = (
        "reward channel",
        "value",
        "can be attached to",
        "cannot",
        "its name asks for",
        "possible",
    )
    return [_grid(title, header, rows), _grid("", asked, of_channels)]
