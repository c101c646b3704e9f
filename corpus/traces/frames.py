"""The Python API for traces: runs as pandas frames, and the same measures as the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.draw import FIGURES, LAYOUTS, draw
from corpus.traces.measures.prices import read_prices
from corpus.traces.measures.summary import ROW, TEXTS, measured
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import TraceText, documents, trace_files
from corpus.traces.run import Run

if TYPE_CHECKING:
    import pandas as pd


class TraceFrames:
    """Orchestration traces as frames; made by :func:`read`.

    Frames have nullable dtypes (``string``, ``Int64``, ``Float64``, ``boolean``): what a trace does
    not state is missing, never 0. Each row names its trace in ``trace_id``.

    Examples
    --------
    >>> import corpus
    >>> runs = corpus.traces.read("data/traces/examples")
    >>> len(runs), "example-hierarchical" in runs.ids
    (9, True)
    """

    def __init__(self, runs: Sequence[tuple[TraceText, Run]]) -> None:
        self._runs = tuple(runs)

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ``trace_id`` of each trace, in the order in which they were read."""
        return tuple(run.id for _, run in self._runs)

    def __getitem__(self, trace_id: str) -> TraceFrames:
        """Return the traces with one id.

        Raises
        ------
        KeyError
            Where no trace has it.
        """
        found = [read for read in self._runs if read[1].id == trace_id]
        if not found:
            raise KeyError(trace_id)
        return TraceFrames(found)

    def __iter__(self) -> Iterator[TraceFrames]:
        """Yield each trace by itself."""
        for read in self._runs:
            yield TraceFrames([read])

    def measures(self, prices: str | PathLike[str] | None = None) -> pd.DataFrame:
        """Measure each trace; docs/traces.md defines every measure and its unit.

        Parameters
        ----------
        prices : path, optional
            A CSV table with the columns model, kind and price (of a million tokens).

        Returns
        -------
        DataFrame
            One row per trace: file, line, ids, then one column per measure; undefined ones are
            missing.

        Raises
        ------
        CorpusError
            Where the table of prices has a fault.

        Examples
        --------
        >>> import corpus
        >>> runs = corpus.traces.read("data/traces/examples/hierarchical_report.json")
        >>> runs.measures()[["agents", "steps", "critical_steps", "busy_s"]].iloc[0].tolist()
        [7.0, 13.0, 6.0, 56.0]
        """
        table = None if prices is None else read_prices(fspath(prices))
        rows = [measured(document, run, table).cells for document, run in self._runs]
        return _typed(rows, tuple(next(iter(rows), ROW)), TEXTS, ("line",))

    def events(self) -> pd.DataFrame:
        """Return every event.

        Returns
        -------
        DataFrame
            One row per event in the order of its trace: ``trace_id``, ``position`` (from 0), then
            the keys of an event, ``from`` and ``to`` as ``from_agent`` and ``to_agent``. Values of
            any shape (``x_contents``, ``x_rewards``, ``x_inferred``, ``x_run``, ``x_error``) are
            JSON.

        Examples
        --------
        >>> import corpus
        >>> events = corpus.traces.read("data/traces/examples/centralized_injection.json").events()
        >>> events[events.trusted == False].id.tolist()
        ['rosa-page-is', 'rosa-says', 'linde-page-is']
        """
        # The tables of a store need pyarrow, which takes longer to load than to read a run.
        from corpus.traces.store.store import EVENTS, event_columns

        tables = [event_columns("", run, 0, len(run.events)) for _, run in self._runs]
        return _from_arrow(tables, EVENTS)

    def edges(self) -> pd.DataFrame:
        """Return every edge.

        Returns
        -------
        DataFrame
            One row per edge: ``trace_id``, ``src``, ``dst`` (ids of events) and ``type``.
        """
        # As in events().
        from corpus.traces.store.store import EDGES, edge_columns

        tables = [edge_columns("", run, 0, len(run.trace.edges)) for _, run in self._runs]
        return _from_arrow(tables, EDGES)

    def agents(self) -> pd.DataFrame:
        """Return what each agent did and used.

        Returns
        -------
        DataFrame
            One row per trace and acting agent or tool: ``events`` (count), ``busy_s`` (seconds),
            ``tokens`` and the tokens of each kind; missing where the trace does not record them.

        Examples
        --------
        >>> import corpus
        >>> runs = corpus.traces.read("data/traces/examples/centralized_injection.json")
        >>> rosa = runs.agents().set_index("agent").loc["rosa"]
        >>> int(rosa["events"]), float(rosa["busy_s"]), int(rosa["tokens"])
        (3, 12.0, 3500)
        """
        names = ("events", "busy_s", "tokens", *TOKEN_KINDS)
        columns = ("events", "busy_s", "tokens", *map("tokens_{}".format, TOKEN_KINDS))
        rows = []
        for document, run in self._runs:
            for agent, values in measured(document, run).details["agents"].items():
                cells = zip(columns, map(values.get, names), strict=True)
                rows.append({"trace_id": run.id, "agent": agent, **dict(cells)})
        columns = ("trace_id", "agent", *columns)
        return _typed(rows, columns, ("trace_id", "agent"), ("events",))

    def draw(self, path: str | PathLike[str] | None = None, layout: str = "auto") -> bytes:
        """Draw one trace; equal traces give equal bytes.

        Parameters
        ----------
        path : path, optional
            Write the picture here too; the ending (.svg, .pdf, .png) sets the format.
        layout : {"auto", "wide", "column"}
            The size: as the run needs, a slide of 16:9, or the column of a paper.

        Returns
        -------
        bytes
            The picture, as SVG without a path.

        Raises
        ------
        UsageProblem
            Where there is not exactly one trace, or the ending or layout is unknown.

        Examples
        --------
        >>> import corpus
        >>> runs = corpus.traces.read("data/traces/examples/hierarchical_report.json")
        >>> runs.draw()[:5]
        b'<?xml'
        """
        if len(self) != 1:
            raise UsageProblem(f"draw one trace, not {len(self)}; choose it by runs[trace_id]")
        if layout not in LAYOUTS:
            raise UsageProblem(f"unknown layout {layout!r}; choose one of {', '.join(LAYOUTS)}")
        kind = "svg"
        if path is not None:
            kind = Path(path).suffix.lower().removeprefix(".")
            if kind not in FIGURES:
                endings = ", ".join(f".{figure}" for figure in FIGURES)
                raise UsageProblem(f"the name of a picture ends with {endings}")
        picture = draw(self._runs[0][1], kind, layout)
        if path is not None:
            write_atomic(fspath(path), [picture])
        return picture


def read(*files: str | PathLike[str], max_mb: int = 512) -> TraceFrames:
    """Read orchestration traces from JSON and JSONL files, also compressed, and folders of them.

    Parameters
    ----------
    files : path
        Files and folders.
    max_mb : int
        Largest trace to read, in MiB, expanded.

    Returns
    -------
    TraceFrames
        All traces, in the order of the files.

    Raises
    ------
    CorpusError
        Where a trace has an error (OT001 to OT005); `corpus trace validate` shows all of them.
    UsageProblem
        Where no file is found.

    Examples
    --------
    >>> import corpus
    >>> corpus.traces.read("data/traces/examples/debate_diagnosis.json").ids
    ('example-debate',)
    """
    names = [fspath(file) for file in files]
    missing = [name for name in names if not Path(name).exists()]
    if missing:
        raise UsageProblem(f"no file or folder {', '.join(missing)}")
    found = list(trace_files(names))
    if not found:
        raise UsageProblem(
            f"no .json, .jsonl or .ndjson file under {', '.join(names) or 'nothing'}"
        )
    broken: list[Finding] = []
    runs = []
    for document, run in valid_runs(documents(found, max_mb << 20), broken):
        # The bytes are decoded, and would be kept as long as the frames.
        runs.append((document._replace(raw=b""), run))
    if broken:
        raise CorpusError(broken)
    return TraceFrames(runs)


def _typed(
    rows: list[dict[str, Any]], names: Sequence[str], texts: Sequence[str], counts: Sequence[str]
) -> pd.DataFrame:
    """Return rows as a frame: `texts` as strings, `counts` as integers, all else as doubles.

    Without a row the frame still has the columns `names`.
    """
    # pandas takes longer to load than most traces to measure.
    import pandas as pd

    dtypes = dict.fromkeys(names, "Float64")
    dtypes |= dict.fromkeys(texts, "string") | dict.fromkeys(counts, "Int64")
    return pd.DataFrame(rows, columns=list(names), dtype=object).astype(dtypes)


def _from_arrow(tables: list[dict[str, Any]], schema: Any) -> pd.DataFrame:
    """Return columns of several runs as one frame with nullable dtypes."""
    # As in _typed(); both come with the package.
    import pandas as pd
    import pyarrow as pa

    # What names a trace in a store.
    kept = [name for name in schema.names if name != "digest"]
    dtypes = {
        pa.string(): pd.StringDtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.float64(): pd.Float64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    # A file without a trace is not a mistake: its frame has the columns and no row.
    read = [pa.table(columns, schema=schema) for columns in tables]
    whole = pa.concat_tables([schema.empty_table(), *read]).select(kept)
    frame: pd.DataFrame = whole.to_pandas(types_mapper=dtypes.get)
    return frame
