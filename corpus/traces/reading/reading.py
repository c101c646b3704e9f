"""Traces as bytes, out of JSON, JSONL and gzip files, folders and standard input: streamed, within limits."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NamedTuple, cast

import msgspec

from corpus.model.finding import Finding
from corpus.traces.trace_rules import NOT_JSON

LINES: Final = (".jsonl", ".ndjson")
CHUNK: Final = 1 << 20
LARGEST_READ: Final = 1 << 24
"""Bytes that are read at once, so that a progress bar moves."""
LONGEST_LINE: Final = 1 << 36
"""Bytes after which a line is not even passed over any more: some devices never end."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reader accepts before it gives up on a trace.

    Attributes
    ----------
    trace_bytes : int
        Size of one trace (a file, or a line of a JSONL file), expanded.
    ratio, ratio_from : int
        Expanded bytes for each compressed byte, held against gzip files from `ratio_from` expanded bytes on.
    """

    trace_bytes: int = 512 << 20
    ratio: int = 200
    ratio_from: int = 16 << 20


class TraceText(NamedTuple):
    """The bytes of one trace and where they stand: `line` is 1-based, `alone` says whether it is the whole file."""

    file: str
    line: int
    raw: bytes
    alone: bool


class _Changed(Exception):
    """The file is not what it was when it was opened."""


class _Bomb(Exception):
    """The compressed file expands beyond the limits."""


def _state(raw: IO[bytes]) -> tuple[int, int] | None:
    """Size and time of change of a regular file; None for a pipe or a terminal."""
    try:
        status = os.fstat(raw.fileno())
    except (OSError, ValueError):
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


class _Window(io.RawIOBase):
    """The bytes that a file had when it was opened; tells `advance` how many were read."""

    def __init__(self, raw: IO[bytes], advance: Callable[[int], None]) -> None:
        self._raw, self._advance = raw, advance
        self._before = _state(raw)
        self.left = self._before[0] if self._before else None
        self.seen = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        want = len(buffer) if self.left is None else min(len(buffer), self.left, LARGEST_READ)
        count = self._raw.readinto(memoryview(buffer)[:want]) if want else 0  # type: ignore[attr-defined]
        count = count or 0
        self.seen += count
        if self.left is not None:
            self.left -= count
        self._advance(count)
        return count

    def check(self) -> None:
        """Raise `_Changed` where the file grew, shrank or was rewritten since it was opened."""
        if self._before is not None and (self.left or _state(self._raw) != self._before):
            raise _Changed


class _Stream:
    """Expanded bytes of one file, read by lines or whole, within the limits."""

    def __init__(self, window: _Window, limits: Limits) -> None:
        self._window, self._limits = window, limits
        plain = io.BufferedReader(window, CHUNK)
        self._packed = plain.peek(2)[:2] == b"\x1f\x8b"
        self._file: IO[bytes] = cast(IO[bytes], gzip.GzipFile(fileobj=plain, mode="rb") if self._packed else plain)
        self._out = 0

    def _count(self, data: bytes, streamed: bool) -> bytes:
        """Hold the bytes read so far against the ratio; a stream of short lines may expand 64 times further."""
        self._out += len(data)
        start = self._limits.ratio_from * (64 if streamed else 1)
        if self._packed and self._out > start and self._out > self._limits.ratio * max(self._window.seen, 1):
            raise _Bomb
        return data

    def line(self) -> tuple[bytes, bool]:
        """Return the next line and whether it was too long; of a line that is too long only the start is kept."""
        part = self._count(self._file.readline(CHUNK), streamed=True)
        if len(part) < CHUNK:
            return part, len(part) > self._limits.trace_bytes
        parts, size = [part], len(part)
        while not part.endswith(b"\n") and size <= LONGEST_LINE:
            part = self._count(self._file.readline(CHUNK), streamed=False)
            size += len(part)
            if size <= self._limits.trace_bytes:
                parts.append(part)
            else:
                del parts[1:]
            if not part:
                break
        return b"".join(parts), size > self._limits.trace_bytes

    def rest(self, first: bytes) -> tuple[bytes, bool]:
        """Return `first` and everything after it, and whether that was too much."""
        parts, size = [first], len(first)
        known = self._window.left
        while size <= self._limits.trace_bytes:
            whole = CHUNK if self._packed or known is None else min(known + CHUNK, self._limits.trace_bytes + 1)
            part = self._count(self._file.read(whole), streamed=False)
            if not part:
                return parts[-1] if len(parts) == 2 and not first else b"".join(parts), False
            parts.append(part)
            size += len(part)
        return b"", True


def _nothing(_count: int) -> None:
    """Ignore progress."""


def trace_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the files meant by `paths`; a folder means every trace file under it, in order of name.

    Trace files end in .json, .jsonl or .ndjson, also with .gz; hidden files and ``*.schema.json`` are left out, and so
    are pipes and devices, since a pipe in a folder may never end, and the folders of stores. Links to folders are not
    followed.
    """
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            if is_store(folder):
                folders.clear()
                continue
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found = (Path(folder) / name for name in sorted(names) if _is_trace_file(name))
            yield from (path for path in found if not is_special(path))


def is_store(folder: str | Path) -> bool:
    """Whether a folder is a store of traces rather than a folder of trace files."""
    return os.path.isfile(os.path.join(folder, "store.json")) and os.path.isdir(os.path.join(folder, "manifest"))


def is_special(path: Path) -> bool:
    """Whether a path is there but is no plain file or a link to one: a pipe, a device, a folder."""
    return path.exists() and not path.is_file()


def _is_trace_file(name: str) -> bool:
    plain = name.removesuffix(".gz")
    return plain.endswith((".json", *LINES)) and not plain.endswith(".schema.json") and not name.startswith(".")


def documents(
    paths: Iterable[str | Path],
    limits: Limits | None = None,
    stdin: IO[bytes] | None = None,
    advance: Callable[[int], None] = _nothing,
) -> Iterator[TraceText | Finding]:
    """Yield each trace's bytes, or a finding where there is none to be had; a bad one never stops the rest.

    Parameters
    ----------
    paths
        Files and folders; ``-`` means `stdin`.
    limits
        Size limits; the default takes traces up to 512 MiB.
    stdin
        What ``-`` reads.
    advance
        Called with the number of bytes each time some were read from a file.
    """
    limits = limits or Limits()
    for path in trace_files(paths):
        name = str(path)
        if name == "-" and stdin is not None:
            yield from _from_file("<stdin>", stdin, limits, advance)
            continue
        try:
            with path.open("rb", buffering=0) as handle:
                yield from _from_file(name, handle, limits, advance)
        except OSError as error:
            yield _unreadable(name, 0, f"cannot read the file: {error.strerror or error}", "check path and permission")


def _from_file(
    name: str, handle: IO[bytes], limits: Limits, advance: Callable[[int], None]
) -> Iterator[TraceText | Finding]:
    """Yield the traces of one open file."""
    window = _Window(handle, advance)
    try:
        plain = name.removesuffix(".gz")
        yield from _traces(name, _Stream(window, limits), plain.endswith(LINES), plain.endswith(".json"))
        window.check()
    except _Changed:
        yield _unreadable(name, 0, "the file changed while it was read", "read a finished file, or a copy")
    except _Bomb:
        yield _unreadable(
            name, 0, f"expands to more than {limits.ratio} times its size", "unpack it yourself if you trust it"
        )
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield _unreadable(name, 0, f"damaged gzip data: {error}", "compress it again, or fetch it again")
    except ValueError as error:
        yield _unreadable(name, 0, f"cannot read the file: {error}", "check path and permission")


def _traces(name: str, stream: _Stream, lines: bool, whole: bool) -> Iterator[TraceText | Finding]:
    """Yield one document for a JSON text, or one for each line that is not blank.

    A file named as lines that begins with a lone bracket is one JSON text laid out over several lines.
    """
    line, cut = (b"", False) if whole else stream.line()
    lines = lines and line.strip() not in (b"{", b"[")
    if whole or not (lines or cut or _is_object(line)):
        raw, cut = stream.rest(line)
        yield _too_large(name, 1) if cut else TraceText(name, 1, raw, True)
        return
    number = 1
    while line:
        if cut:
            yield _too_large(name, number)
        elif not line.isspace():
            yield TraceText(name, number, line, False)
        (line, cut), number = stream.line(), number + 1


def _is_object(line: bytes) -> bool:
    """Whether one line is a JSON object by itself, so that the file has one trace a line."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _too_large(name: str, line: int) -> Finding:
    return _unreadable(name, line, "larger than one trace may be", "split the trace, or raise --max-mb")


def _unreadable(name: str, line: int, problem: str, remedy: str) -> Finding:
    return NOT_JSON.at(name, line, problem=problem, remedy=remedy)
