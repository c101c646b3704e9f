"""Bring traces into a store: once each, however often it is asked for, and whatever was killed before.

The work is cut into tasks by input file alone, so that it is the same with one process and with many machines. A task
reads its files and writes parts into the staging folder; the one process that holds the store makes them count, in the
order of the tasks, and leaves out the traces that are there by then.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from corpus.model.finding import Finding
from corpus.traces.checks.validate import EACH, sound_run
from corpus.traces.reading.decoding import further_keys
from corpus.traces.reading.reading import Limits, TraceText, documents, is_special, trace_files
from corpus.traces.store.parts import PART_EVENTS, PartWriter, Staged, without
from corpus.traces.store.store import Store, StorePart, file_digest
from corpus.traces.store.store_reading import known_digests
from corpus.traces.trace_rules import NOT_JSON

TASK_BYTES: Final = 64 << 20
TASK_FILES: Final = 5_000
MOST: Final = 1_000
"""Findings that are held for one piece of work; the rest are counted."""


class Task(NamedTuple):
    """Some input files, and what the store knows of files with these names; what travels to a worker.

    Attributes
    ----------
    root, base : str
        Folder of the store, and the one that names of files start from; both absolute.
    files : tuple of str
        The files, as they are called in the store and in findings.
    parts : tuple of StorePart
        Parts that hold traces of files with these names.
    done : frozenset of str
        Digests under which files with these names were read to their end before.
    limits : Limits
        How to read.
    """

    root: str
    base: str
    files: tuple[str, ...]
    parts: tuple[StorePart, ...]
    done: frozenset[str]
    limits: Limits


class Piece(NamedTuple):
    """What came out of some of a task: a part at most, what was wrong, and the inputs that are all in with it.

    Attributes
    ----------
    staged : Staged or None
        The part, still to be adopted.
    findings : list of Finding
        What was wrong with broken traces; at most :data:`MOST`.
    broken, known : int
        Broken traces; traces left out because the store has them.
    sources : dict of str to str
        Path by digest of each input that was read to its end and had no broken trace.
    skipped : int
        Inputs left out because all their traces were in before.
    """

    staged: Staged | None
    findings: list[Finding]
    broken: int
    known: int
    sources: dict[str, str]
    skipped: int


class IngestOutcome(NamedTuple):
    """How an ingest changed the store: traces added, known before, broken; inputs skipped; all in the end."""

    added: int
    known: int
    broken: int
    skipped: int


def input_files(names: Iterable[str], root: str | Path) -> list[Path]:
    """Return the files meant by paths, folders and patterns, each once, by name; none out of the store at `root`."""
    paths: list[str] = []
    for name in names:
        matches = [] if os.path.exists(name) else sorted(glob.glob(name, recursive=True))
        paths += matches or [name]
    store = Path(root).resolve()
    files = {Path(os.path.normpath(path)) for path in trace_files(paths)}
    return sorted(path for path in files if store not in path.resolve().parents)


def plan(store: Store, files: Iterable[Path], limits: Limits) -> Iterator[Task]:
    """Cut the work into tasks: small files together, a large one by itself."""
    held: dict[str, list[StorePart]] = {}
    done: dict[str, list[str]] = {}
    for digest, name in store.done():
        done.setdefault(name, []).append(digest)
    for part in store.parts():
        for source in part.sources:
            held.setdefault(source, []).append(part._replace(sources=[]))

    def task(names: list[str]) -> Task:
        parts = {part.name: part for name in names for part in held.get(name, ())}
        known = frozenset(digest for name in names for digest in done.get(name, ()))
        return Task(str(store.root.absolute()), os.getcwd(), tuple(names), tuple(parts.values()), known, limits)

    names: list[str] = []
    weight = 0
    for path in files:
        size = path.stat().st_size if path.exists() else 0
        if names and (weight + size > TASK_BYTES or len(names) >= TASK_FILES):
            yield task(names)
            names, weight = [], 0
        names.append(str(path))
        weight += size
    if names:
        yield task(names)


class RunningTask:
    """One task at work; iterate over :meth:`pieces`."""

    def __init__(self, task: Task, advance: Callable[[int], None] = lambda _: None) -> None:
        self.task, self.advance = task, advance
        self.store = Store(task.root)
        self.seen = set(known_digests(self.store, task.parts))
        self._done = set(task.done)
        self._writer: PartWriter | None = None
        self._reset()

    def _reset(self) -> None:
        self._findings: list[Finding] = []
        self._broken = self._known = self._skipped = 0
        self._sources: dict[str, str] = {}

    def pieces(self) -> Iterator[Piece]:
        """Read every file of the task and yield its parts."""
        try:
            for name in self.task.files:
                yield from self._file(name)
            yield self._piece()
        finally:
            if self._writer is not None:
                self._writer.drop()

    def _file(self, name: str) -> Iterator[Piece]:
        path = os.path.join(self.task.base, name)
        if is_special(Path(path)):
            self._refuse([NOT_JSON.at(name, problem="not a plain file", remedy="save what it gives, and name that")])
            return
        state = _state(path)
        digest = file_digest(Path(path)) if state else ""
        if digest in self._done:
            self._skipped += 1
            self.advance(state[0] if state else 0)
            return
        sound = True
        for document in documents([path], self.task.limits, None, self.advance):
            sound = self._add(document._replace(file=name)) and sound
            if self._writer is not None and self._writer.events >= PART_EVENTS:
                yield self._piece()
        if sound and state == _state(path):
            self._sources[digest] = name
            self._done.add(digest)

    def _add(self, document: TraceText | Finding) -> bool:
        """Take one trace up, and say whether it was sound."""
        if not isinstance(document, TraceText):
            return self._refuse([document])
        digest = hashlib.sha256(document.raw.strip()).hexdigest()[:32]
        if digest in self.seen:
            self._known += 1
            return True
        run, findings = sound_run(document)
        if run is None:
            return self._refuse(findings)
        self._writer = self._writer or PartWriter(self.store)
        self._writer.add((document.file, document.line), digest, run, further_keys(document.raw, run.trace))
        self.seen.add(digest)
        return True

    def _refuse(self, findings: list[Finding]) -> bool:
        self._broken += 1
        if len(self._findings) < MOST:
            self._findings += findings[:EACH]
        return False

    def _piece(self) -> Piece:
        staged = self._writer.close() if self._writer else None
        self._writer = None
        piece = Piece(staged, self._findings, self._broken, self._known, self._sources, self._skipped)
        self._reset()
        return piece


def _state(path: str) -> tuple[int, int] | None:
    """Size and time of change of a file that can be read, else None."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if os.access(path, os.R_OK) else None


def weight(task: Task) -> int:
    """Return the bytes of a task's files."""
    return sum(state[0] for name in task.files if (state := _state(os.path.join(task.base, name))))


def work(task: Task) -> list[Piece]:
    """Do one task wholly; what a worker on another machine runs."""
    return list(RunningTask(task).pieces())


def gather(store: Store, pieces: Iterable[Piece], report: Callable[[list[Finding]], None]) -> IngestOutcome:
    """Make pieces of work count, in their order, each trace once.

    Parameters
    ----------
    store
        Where they belong; this process alone may write to it.
    pieces
        The pieces of all tasks, in the order of the tasks.
    report
        Called with what was wrong with broken traces.
    """
    present = {bytes.fromhex(digest) for digest in known_digests(store, store.parts())}
    added = known = broken = skipped = 0
    for piece in pieces:
        staged = piece.staged
        doubled = {digest for digest in staged.digests if bytes.fromhex(digest) in present} if staged else set()
        if staged and doubled:
            staged = without(store, staged, doubled)
        if staged:
            store.adopt(staged.folder, staged.part)
            present.update(map(bytes.fromhex, staged.digests))
            added += len(staged.digests)
        store.finish(piece.sources)
        known += piece.known + len(doubled)
        broken += piece.broken
        skipped += piece.skipped
        if piece.findings:
            report(piece.findings)
    return IngestOutcome(added, known, broken, skipped)
