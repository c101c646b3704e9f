"""Write measures of traces as text, JSON or CSV, piece by piece."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeAlias

import msgspec

from corpus.printing.grid import Grid, grid_text, plural, safe_csv
from corpus.printing.json_document import json_list
from corpus.printing.numerals import number
from corpus.traces.measures.catalogue import CATALOGUE, PRICING
from corpus.traces.measures.summary import Cell, MeasuredTrace, Summary, Summing
from corpus.traces.model import PRICE_CLASSES
from corpus.traces.reading.structure import shown

Pieces: TypeAlias = Iterator[str]

#: Lines that are written together.
AT_ONCE = 200
#: Rows of a table of counts.
MOST_KEYS = 20


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Join lines into pieces that are large enough to be worth a write."""
    remaining = iter(lines)
    while piece := "".join(islice(remaining, AT_ONCE)):
        yield piece


def text_pieces(traces: Iterator[MeasuredTrace], columns: int | None = None) -> Pieces:
    """Write one trace in full, several as a summary, for a terminal of so many columns."""
    summing = Summing()
    # Only the first is kept: what is printed depends on whether a second one follows.
    first = None
    for trace in traces:
        summing.add(trace.cells)
        first = first or trace
    if summing.traces > 1:
        yield grid_text(summary_grid(summing.summary()), columns)
    elif first:
        yield "\n".join(grid_text(grid, columns) for grid in _trace_grids(first))


def json_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write every trace with its counts and channels, then the summary."""
    summing = Summing()

    def texts() -> Iterator[str]:
        for trace in traces:
            summing.add(trace.cells)
            yield msgspec.json.encode(trace.cells | trace.details).decode()

    yield from joined(chain(('{\n  "traces": [\n',), json_list(texts(), "    ")))
    yield f'  ],\n  "summary": {msgspec.json.encode(summing.summary()).decode()}\n}}\n'


def csv_pieces(traces: Iterator[MeasuredTrace]) -> Pieces:
    """Write one row per trace; cells that a spreadsheet would run as a formula are neutralised."""

    def lines() -> Iterator[str]:
        for place, trace in enumerate(traces):
            if not place:
                # With prices, a row has more columns.
                yield safe_csv([trace.cells])
            yield safe_csv([trace.cells.values()])

    return joined(lines())


WRITERS = {"text": text_pieces, "json": json_pieces, "csv": csv_pieces}


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
    """Return the tables of one trace: measures, event types, agents and models."""
    cells, details = trace
    # "unknown" is itself a topology of the schema.
    topology = cells["topology"] or "not stated"
    name = shown(cells["trace_id"])
    title = f"{name} ({cells['file']}; topology {topology}; stop {cells['stop']})"
    rows = [
        (one.name, cells[one.name], one.unit) for one in (*CATALOGUE, *PRICING) if one.name in cells
    ]
    note = "parallelism_efficiency needs a serial run: its costs.wall_clock_s over that of this run"
    grids = [_grid(title, ("measure", "value", "unit"), rows, note)]
    by_type = {kind: {"events": count} for kind, count in details["events_by_type"].items()}
    tables = {"event type": by_type, "agent": details["agents"], "model": details["models"]}
    for what, table in tables.items():
        found = sorted(table.items(), key=lambda item: -item[1].get("events", 0))
        left = len(found) - MOST_KEYS
        note = f"and {left} more" if left > 0 else ""
        if found:
            # Classes that only prices tell apart are in JSON; the first model may have none.
            names = [key for key in found[0][1] if key not in PRICE_CLASSES]
            lines = []
            for key, values in found[:MOST_KEYS]:
                lines.append((key or "(not stated)", *map(values.get, names)))
            header = (what, *(key.replace("_", " ") for key in names))
            grids.append(_grid("", header, lines, note))
    return grids


def summary_grid(summary: Summary) -> Grid:
    """Return the table over many traces: one row per measure."""
    rows: list[tuple[Cell, ...]] = []
    for name, spread in summary.measures.items():
        count, total, *others = spread.values()
        rows.append((name, count, *others, total))
    header = ("measure", "traces", "mean", "minimum", "median", "9th decile", "maximum", "total")
    counts = []
    for what, found in (("stop", summary.stops), ("topology", summary.topologies)):
        ordered = sorted(found.items(), key=lambda item: -item[1])
        words = ", ".join(f"{key} {count:,}" for key, count in ordered)
        counts.append(f"{what} {words}")
    return _grid(plural(summary.traces, "trace"), header, rows, "; ".join(counts))
