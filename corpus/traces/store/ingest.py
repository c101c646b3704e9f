"""Add traces to a store: each one once, however often an ingest runs or is killed.

The work is divided into tasks by input file alone, so that it is the same with one process and with
many machines. A task reads its files and writes parts into the staging folder; the one process that
has locked the store makes them count, in the order of the tasks.
"""

import glob
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from corpus.model.finding import Finding
from corpus.traces.reading.decoding import EACH, valid_run
from corpus.traces.reading.reading import (
    NOT_JSON,
    TraceText,
    documents,
    file_text,
    is_special,
    trace_files,
)
from corpus.traces.run import Run
from corpus.traces.store.store import (
    GROUP,
    TABLES,
    Store,
    StorePart,
    edge_columns,
    event_columns,
    row_groups,
    trace_row,
)

#: A part is closed once it has this many events; the trace that reaches it is in it whole.
PART_EVENTS = 1_000_000
#: Rows that are collected, and at most added at once; twice as many still fit a row group.
PACK = 10_000
TASK_BYTES = 64 << 20
TASK_FILES = 5_000
#: Bytes of the SHA-256 by which a store knows a trace; in its tables in hexadecimal.
DIGEST_BYTES = 16
#: Findings that are kept for one piece; the rest are counted.
MOST = 1_000

#: Applies a function to each item, here or on a cluster, and keeps their order.
Mapped: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


class PartTable:
    """One file of a part; rows are collected as Python values until they fill a row group."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.parquet"
        self.schema = TABLES[name]
        self.rows = 0
        self._waiting: dict[str, list[Any]] = {column: [] for column in self.schema.names}
        self.writer = parquet.ParquetWriter(
            self.path,
            self.schema,
            compression="zstd",
            compression_level=1,
            write_page_checksum=True,
        )

    def add(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add rows, given as columns."""
        for name, waiting in self._waiting.items():
            waiting.extend(columns[name])
        if len(self._waiting["digest"]) >= PACK:
            self._flush()

    def _flush(self) -> None:
        table = pa.table(self._waiting, schema=self.schema)
        if table.num_rows:
            self.rows += table.num_rows
            self.writer.write_table(table, row_group_size=GROUP)
        for waiting in self._waiting.values():
            waiting.clear()

    def close(self) -> None:
        """Write the collected rows and make them durable."""
        self._flush()
        self.writer.close()
        with self.path.open("rb") as file:
            os.fsync(file.fileno())


class InputFile(NamedTuple):
    """A file to read: where, its name in the store and in findings, its digest, its state then."""

    path: str
    name: str
    digest: str
    state: tuple[int, int] | None


class Task(NamedTuple):
    """Some input files; sent to a worker."""

    root: str
    files: list[InputFile]
    largest: int


@dataclass(slots=True)
class Piece:
    """The result of some of a task: at most one part, findings, and the inputs that end with it.

    Attributes
    ----------
    folder : Path or None
        The staging folder of the part, which is still to be adopted.
    part : StorePart or None
        The part.
    digests : list of bytes
        Those of its traces in their order.
    findings : list of Finding
        Findings of broken traces; at most about :data:`MOST`.
    sources : dict of str to str
        Path by digest of each input that was read to its end and had no broken trace.
    counts : Counter
        Traces that are ``broken``, or left out since they are ``known``.
    """

    folder: Path | None = None
    part: StorePart | None = None
    digests: list[bytes] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


class PieceWriter:
    """Writes the traces of a task into staging folders of the store, a piece at a time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.piece = Piece()
        self.events = 0
        self._tables: dict[str, PartTable] = {}

    def add(self, document: TraceText, digest: bytes, run: Run) -> None:
        """Add one trace: its measures, its events, its edges."""
        piece, name = self.piece, digest.hex()
        row = trace_row(document, name, run)
        if piece.folder is None:
            piece.folder = self.store.staging()
            for table in TABLES:
                self._tables[table] = PartTable(piece.folder, table)
        for start in range(0, len(run.events), PACK):
            self._tables["events"].add(event_columns(name, run, start, start + PACK))
        for start in range(0, len(run.trace.edges), PACK):
            self._tables["edges"].add(edge_columns(name, run, start, start + PACK))
        self._tables["traces"].add({column: (value,) for column, value in row.items()})
        piece.digests.append(digest)
        self.events += len(run.events)

    def refuse(self, findings: list[Finding]) -> None:
        """Count a broken trace, or an input that cannot be read."""
        self.piece.counts["broken"] += 1
        if len(self.piece.findings) < MOST:
            self.piece.findings += findings[:EACH]

    def close(self) -> Piece:
        """Close the files, name the part after its traces, and begin another piece."""
        for table in self._tables.values():
            table.close()
        if self._tables:
            of_traces = hashlib.sha256(b"".join(self.piece.digests)).hexdigest()
            rows = {name: table.rows for name, table in self._tables.items()}
            sizes = {name: table.path.stat().st_size for name, table in self._tables.items()}
            self.piece.part = StorePart(rows, sizes, self.piece.sources, f"part-{of_traces[:32]}")
        piece, self.piece = self.piece, Piece()
        self._tables, self.events = {}, 0
        return piece

    def drop(self) -> None:
        """Discard the piece that is not closed."""
        for table in self._tables.values():
            # Arrow writes its footer now. If it could not, it would try again when the writer is
            # collected; it raises ValueError where it was interrupted before.
            with suppress(OSError, ValueError):
                table.writer.close()
        if self.piece.folder is not None:
            rmtree(self.piece.folder, ignore_errors=True)


def input_files(names: Iterable[str], root: str | Path) -> list[Path]:
    """Return the files of paths, folders and patterns, by name; none of the store at `root`."""
    paths = []
    for name in names:
        # A file may be called like a pattern. A name that matches nothing is kept: reading it
        # reports that it does not exist.
        matching = [] if os.path.exists(name) else sorted(glob.glob(name, recursive=True))
        paths += matching or [name]
    store = Path(root).resolve()
    files = {Path(os.path.normpath(path)) for path in trace_files(paths)}
    return sorted(path for path in files if store not in path.resolve().parents)


def plan(
    store: Store, files: Iterable[Path], largest: int, outcome: Counter[str]
) -> Iterator[Task]:
    """Divide the work into tasks: small files together, a large one by itself.

    A file that was read to its end before is ``skipped``, and counted so in `outcome`.
    """
    done = {digest for part in store.parts() for digest in part.sources}
    group: list[InputFile] = []
    weight = 0
    for path in files:
        state, digest = _state(path), ""
        size = state[0] if state else 0
        if state:
            with path.open("rb") as handle:
                digest = hashlib.file_digest(handle, "sha256").hexdigest()
            if digest in done:
                outcome["skipped"] += 1
                continue
        if group and (weight + size > TASK_BYTES or len(group) >= TASK_FILES):
            yield Task(str(store.root.absolute()), group, largest)
            group, weight = [], 0
        group.append(InputFile(os.path.abspath(path), file_text(path), digest, state))
        weight += size
    if group:
        yield Task(str(store.root.absolute()), group, largest)


def _state(path: Path) -> tuple[int, int] | None:
    """Size and time of change of a plain file that can be read, else None."""
    with suppress(OSError):
        status = path.stat()
        if os.access(path, os.R_OK) and path.is_file():
            return status.st_size, status.st_mtime_ns
    return None


def pieces(task: Task, present: Collection[bytes] = ()) -> Iterator[Piece]:
    """Read every file of a task and yield its pieces; traces that are `present` are left out."""
    writer = PieceWriter(Store(task.root))
    seen = set()
    try:
        for file in task.files:
            path = Path(file.path)
            if is_special(path):
                remedy = "save what it gives to a file, and name that"
                finding = NOT_JSON.at(file.name, problem="not a plain file", remedy=remedy)
                writer.refuse([finding])
                continue
            is_valid = True
            for document in documents([path], task.largest):
                if not isinstance(document, TraceText):
                    writer.refuse([document._replace(file=file.name)])
                    is_valid = False
                    continue
                digest = hashlib.sha256(document.raw.strip()).digest()[:DIGEST_BYTES]
                if digest in seen or digest in present:
                    writer.piece.counts["known"] += 1
                    continue
                document = document._replace(file=file.name)
                run, findings = valid_run(document)
                if run is None:
                    writer.refuse(findings)
                    is_valid = False
                    continue
                writer.add(document, digest, run)
                # Only now: a broken trace is reported again wherever it is found again.
                seen.add(digest)
                if writer.events >= PART_EVENTS:
                    yield writer.close()
            # A file that changed meanwhile has another digest: the next ingest must read it again.
            if is_valid and file.digest and file.state == _state(path):
                writer.piece.sources[file.digest] = file.name
        yield writer.close()
    finally:
        writer.drop()


def work(task: Task) -> tuple[Task, list[Piece]]:
    """Do all of one task; this is what a worker on another machine runs."""
    return task, list(pieces(task))


def ingest(
    store: Store,
    files: Iterable[Path],
    largest: int,
    report: Callable[[list[Finding]], object],
    advance: Callable[[int], object] = lambda _: None,
    mapped: Mapped | None = None,
) -> Counter[str]:
    """Add the traces of some files to a store; this process alone may write to it.

    Return how many traces were ``added``, ``known`` before and ``broken``, and how many inputs
    were ``skipped``.

    Parameters
    ----------
    store, files
        What goes where.
    largest
        Bytes of the largest trace.
    report
        Called with the findings of broken traces.
    advance
        Called with the number of bytes of the files of each task.
    mapped
        Runs the tasks on a cluster; without it, they run in this process.
    """
    # As bytes, the digests of a hundred million traces take half the memory.
    present: set[bytes] = set()
    for part in store.parts():
        for group in row_groups(store, part, "traces", ["digest"]):
            present.update(map(bytes.fromhex, group["digest"].to_pylist()))
    outcome: Counter[str] = Counter()
    tasks = plan(store, files, largest, outcome)
    # In this process a task begins when all pieces before it are present.
    results = mapped(work, tasks) if mapped else ((task, pieces(task, present)) for task in tasks)
    for task, done in results:
        if mapped and any(digest in present for piece in done for digest in piece.digests):
            # Traces that came in meanwhile are in it as well: it is done again here.
            for piece in done:
                if piece.folder is not None:
                    rmtree(piece.folder, ignore_errors=True)
            done = pieces(task, present)
        for piece in done:
            if piece.part is not None and piece.folder is not None:
                store.adopt(piece.folder, piece.part)
                present.update(piece.digests)
                outcome["added"] += len(piece.digests)
            outcome.update(piece.counts)
            if piece.findings:
                report(piece.findings)
        advance(sum(file.state[0] for file in task.files if file.state))
    return outcome
