"""Add traces to a store: each one once, however often an ingest runs or is killed.

The work is divided into tasks by input file alone, so that it is the same with one process and with
many machines. A task reads its files and writes parts into the staging folder; the one process that
has locked the store makes them count, in the order of the tasks, and leaves out the traces that are
present by then.

A part is three Parquet files, written a row group at a time: memory does not grow with it.
"""

import glob
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace
from pyarrow import parquet

from corpus.model.finding import Finding
from corpus.traces.batches import grouped
from corpus.traces.reading.decoding import EACH, further_keys, valid_run
from corpus.traces.reading.reading import (
    NOT_JSON,
    TRACE_BYTES,
    TraceText,
    documents,
    file_text,
    is_special,
    no_progress,
    trace_files,
)
from corpus.traces.run import Run
from corpus.traces.store.stats import Mapped
from corpus.traces.store.store import (
    GROUP,
    TABLES,
    VERSION,
    Store,
    StorePart,
    edge_columns,
    event_columns,
    file_digest,
    known_digests,
    trace_row,
)

#: A part is closed once it has this many events; the trace that reaches it is in it whole.
PART_EVENTS = 1_000_000

#: Rows that are collected, and at most added at once; twice as many still fit a row group.
PACK = 10_000


class Staged(NamedTuple):
    """A finished part in a staging folder, with the digests of its traces in their order."""

    folder: Path
    part: StorePart
    digests: list[str]


class PartTable:
    """One file of a part; rows are collected as Python values until they fill a row group."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.parquet"
        self.schema = TABLES[name]
        self.rows = 0
        self._waiting: dict[str, list[Any]] = {column: [] for column in self.schema.names}
        self._handle = self.path.open("xb")
        self._writer = parquet.ParquetWriter(
            self._handle,
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

    def write(self, table: pa.Table) -> None:
        """Write rows that are an Arrow table already."""
        if table.num_rows:
            self.rows += table.num_rows
            self._writer.write_table(table, row_group_size=GROUP)

    def _flush(self) -> None:
        self.write(pa.table(self._waiting, schema=self.schema))
        for waiting in self._waiting.values():
            waiting.clear()

    def close(self) -> None:
        """Write the collected rows and make them durable."""
        self._flush()
        self._writer.close()
        self._handle.flush()
        os.fsync(self._handle.fileno())
        self._handle.close()

    def drop(self) -> None:
        """Close the file without the collected rows, also after an interrupted :meth:`close`."""
        try:
            # Arrow writes its footer now. If it could not, it would try again when the writer is
            # collected.
            self._writer.close()
        finally:
            self._handle.close()


class PartWriter:
    """Writes the traces of one part into a staging folder of the store."""

    def __init__(self, store: Store) -> None:
        self.folder = store.staging()
        self.tables = {name: PartTable(self.folder, name) for name in TABLES}
        self.digests: list[str] = []
        self.sources: list[str] = []
        self.events = 0

    def add(
        self, document: TraceText, digest: str, run: Run, more: Sequence[str | None] = ()
    ) -> None:
        """Add one trace: its measures, its events (with their further keys as JSON), its edges."""
        row = trace_row(document, digest, run)
        for start in range(0, len(run.events), PACK):
            self.tables["events"].add(event_columns(digest, run, more, start, start + PACK))
        for start in range(0, len(run.trace.edges), PACK):
            self.tables["edges"].add(edge_columns(digest, run, start, start + PACK))
        self.tables["traces"].add({name: (value,) for name, value in row.items()})
        self.digests.append(digest)
        self.events += len(run.events)
        if document.file not in self.sources[-1:]:
            self.sources.append(document.file)

    def close(self) -> Staged:
        """Close the files and name the part after its traces."""
        for table in self.tables.values():
            table.close()
        of_traces = hashlib.sha256("\n".join(self.digests).encode()).hexdigest()
        name = f"part-{of_traces[:32]}"
        rows = {}
        files = {}
        for table_name, written in self.tables.items():
            rows[table_name] = written.rows
            files[table_name] = (written.path.stat().st_size, file_digest(written.path))
        part = StorePart(VERSION, rows, files, self.sources, name)
        return Staged(self.folder, part, self.digests)

    def drop(self) -> None:
        """Discard the part; on a full disk closing a file may fail, but removing it does not."""
        for table in self.tables.values():
            # Arrow raises ValueError where the file was closed and its writer was interrupted
            # before it noted that.
            with suppress(OSError, ValueError):
                table.drop()
        rmtree(self.folder, ignore_errors=True)


def without_duplicates(store: Store, staged: Staged, duplicates: set[str]) -> Staged | None:
    """Write a part again without some of its traces; None where nothing is left of it."""
    kept = [digest for digest in staged.digests if digest not in duplicates]
    if not kept:
        rmtree(staged.folder, ignore_errors=True)
        return None
    writer = PartWriter(store)
    try:
        unwanted = pa.array(sorted(duplicates))
        for name, table in writer.tables.items():
            with parquet.ParquetFile(staged.folder / f"{name}.parquet") as file:
                for group in range(file.num_row_groups):
                    rows = file.read_row_group(group)
                    is_unwanted = pc.is_in(rows["digest"], value_set=unwanted)
                    table.write(rows.filter(pc.invert(is_unwanted)))
        writer.digests = kept
        writer.sources = staged.part.sources
        rewritten = writer.close()
    except BaseException:
        writer.drop()
        raise
    rmtree(staged.folder, ignore_errors=True)
    return rewritten


TASK_BYTES = 64 << 20
TASK_FILES = 5_000
#: Hexadecimal digits of the SHA-256 by which a store knows a trace.
DIGEST_LENGTH = 32
#: Findings that are kept for one piece; the rest are counted.
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Task:
    """Some input files, and what the store knows of files with these names; sent to a worker.

    Attributes
    ----------
    root, base : str
        Folder of the store, and the one that file names are relative to; both absolute.
    files : tuple of str
        The files, as they are named in the store and in findings.
    parts : tuple of StorePart
        Parts that hold traces of files with these names.
    done : frozenset of str
        Digests under which files with these names were read to their end before.
    largest : int
        Bytes of the largest trace.
    """

    root: str
    base: str
    files: tuple[str, ...]
    parts: tuple[StorePart, ...]
    done: frozenset[str]
    largest: int


@dataclass(slots=True)
class Piece:
    """The result of some of a task: at most one part, findings, and the inputs that end with it.

    Attributes
    ----------
    staged : Staged or None
        The part, still to be adopted.
    findings : list of Finding
        Findings of broken traces; at most about :data:`MOST`.
    sources : dict of str to str
        Path by digest of each input that was read to its end and had no broken trace.
    counts : Counter
        Traces that are ``broken``, or left out since they are ``known``; inputs that are
        ``skipped``, since all their traces are in the store.
    """

    staged: Staged | None = None
    findings: list[Finding] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


def input_files(names: Iterable[str], root: str | Path) -> list[Path]:
    """Return the files of paths, folders and patterns, by name; none of the store at `root`."""
    paths = []
    for name in names:
        # A file may be called like a pattern.
        if os.path.exists(name):
            paths.append(name)
        else:
            matching = sorted(glob.glob(name, recursive=True))
            # A name that matches nothing is kept: reading it reports that it does not exist.
            paths += matching or [name]
    store = Path(root).resolve()
    files = {Path(os.path.normpath(path)) for path in trace_files(paths)}
    return sorted(path for path in files if store not in path.resolve().parents)


def plan(store: Store, files: Iterable[Path], largest: int = TRACE_BYTES) -> Iterator[Task]:
    """Divide the work into tasks: small files together, a large one by itself."""
    root = str(store.root.absolute())
    base = os.getcwd()
    # What the store knows of files, by their name.
    done_as: dict[str, list[str]] = {}
    parts_of: dict[str, dict[str, StorePart]] = {}
    for digest, name in store.done():
        done_as.setdefault(name, []).append(digest)
    for part in store.parts():
        # Without its sources, of which it may have thousands, since it travels to a worker.
        slim = replace(part, sources=[])
        for source in part.sources:
            parts_of.setdefault(source, {})[part.name] = slim
    for paths in grouped(files, size_of, TASK_BYTES, TASK_FILES):
        names = tuple(map(str, paths))
        parts: dict[str, StorePart] = {}
        done: set[str] = set()
        for name in map(file_text, names):
            done.update(done_as.get(name, ()))
            parts |= parts_of.get(name, {})
        yield Task(root, base, names, tuple(parts.values()), frozenset(done), largest)


def size_of(path: Path) -> int:
    """Return the bytes of an input file; 0 where there is none."""
    if path.exists():
        return path.stat().st_size
    return 0


class RunningTask:
    """One task in progress; iterate over :meth:`pieces`."""

    def __init__(self, task: Task, advance: Callable[[int], None] = no_progress) -> None:
        self.task = task
        self.advance = advance
        self.store = Store(task.root)
        self.seen = set(known_digests(self.store, task.parts))
        self._done = set(task.done)
        self._writer: PartWriter | None = None
        self._piece = Piece()

    def pieces(self) -> Iterator[Piece]:
        """Read every file of the task and yield its parts."""
        try:
            for name in self.task.files:
                yield from self._file(name)
            yield self._closed()
        finally:
            if self._writer is not None:
                self._writer.drop()

    def _file(self, name: str) -> Iterator[Piece]:
        path = Path(self.task.base, name)
        stored = file_text(name)
        if is_special(path):
            remedy = "save what it gives to a file, and name that"
            self._refuse([NOT_JSON.at(stored, problem="not a plain file", remedy=remedy)])
            return
        before = _state(path)
        digest = ""
        if before:
            digest = file_digest(path)
            # Read to its end by an earlier ingest, under this name and with these bytes.
            if digest in self._done:
                self._piece.counts["skipped"] += 1
                self.advance(before[0])
                return
        is_valid = True
        for document in documents([path], self.task.largest, None, self.advance):
            is_valid &= self._add(document._replace(file=stored))
            if self._writer is not None and self._writer.events >= PART_EVENTS:
                yield self._closed()
        # A file that changed meanwhile has another digest, so the next ingest must read it again.
        if is_valid and before == _state(path):
            self._piece.sources[digest] = stored
            self._done.add(digest)

    def _add(self, document: TraceText | Finding) -> bool:
        """Add one trace; return whether it is valid."""
        if not isinstance(document, TraceText):
            self._refuse([document])
            return False
        digest = hashlib.sha256(document.raw.strip()).hexdigest()[:DIGEST_LENGTH]
        if digest in self.seen:
            self._piece.counts["known"] += 1
            return True
        run, findings = valid_run(document)
        if run is None:
            self._refuse(findings)
            return False
        if self._writer is None:
            self._writer = PartWriter(self.store)
        self._writer.add(document, digest, run, further_keys(document.raw, run.trace))
        # Only now: a broken trace is reported again wherever it is found again.
        self.seen.add(digest)
        return True

    def _refuse(self, findings: list[Finding]) -> None:
        self._piece.counts["broken"] += 1
        if len(self._piece.findings) < MOST:
            self._piece.findings += findings[:EACH]

    def _closed(self) -> Piece:
        """Return the piece with its part, and begin another one."""
        piece = self._piece
        self._piece = Piece()
        if self._writer is not None:
            piece.staged = self._writer.close()
            self._writer = None
        return piece


def _state(path: Path) -> tuple[int, int] | None:
    """Size and time of change of a file that can be read, else None."""
    with suppress(OSError):
        status = path.stat()
        if os.access(path, os.R_OK):
            return status.st_size, status.st_mtime_ns
    return None


def weight(task: Task) -> int:
    """Return the bytes of a task's files."""
    return sum(size_of(Path(task.base, name)) for name in task.files)


def work(task: Task) -> list[Piece]:
    """Do all of one task; this is what a worker on another machine runs."""
    return list(RunningTask(task).pieces())


def pieces(
    tasks: list[Task], advance: Callable[[int], None], mapped: Mapped | None
) -> Iterator[Piece]:
    """Run tasks on a cluster, or in this process, where a part counts once it is written."""
    if mapped is None:
        for task in tasks:
            yield from RunningTask(task, advance).pieces()
        return
    for task, done in zip(tasks, mapped(work, tasks), strict=True):
        yield from done
        advance(weight(task))


def gather(
    store: Store, pieces: Iterable[Piece], report: Callable[[list[Finding]], object]
) -> Counter[str]:
    """Make pieces count, in their order, each trace once.

    Return how many traces were ``added``, ``known`` before and ``broken``, and how many inputs
    were ``skipped``.

    Parameters
    ----------
    store
        Where they belong; this process alone may write to it.
    pieces
        The pieces of all tasks, in the order of the tasks.
    report
        Called with the findings of broken traces.
    """
    # As bytes, the digests of a hundred million traces take half the memory.
    present = set(map(bytes.fromhex, known_digests(store, store.parts())))
    outcome: Counter[str] = Counter()
    for piece in pieces:
        staged = piece.staged
        if staged:
            duplicates = {one for one in staged.digests if bytes.fromhex(one) in present}
            outcome["known"] += len(duplicates)
            if duplicates:
                staged = without_duplicates(store, staged, duplicates)
        if staged:
            store.adopt(staged.folder, staged.part)
            present.update(map(bytes.fromhex, staged.digests))
            outcome["added"] += len(staged.digests)
        store.finish(piece.sources)
        outcome.update(piece.counts)
        if piece.findings:
            report(piece.findings)
    return outcome
