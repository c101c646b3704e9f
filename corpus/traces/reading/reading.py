"""The bytes of each trace in JSON and JSONL files, also compressed, folders and standard input.

Everything is streamed, within limits: a file may be larger than memory, grow while it is read,
expand without end or never end, and none of these may stop the reading of the others.
"""

import io
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

import msgspec

from corpus.model.finding import Finding, Rule
from corpus.tables.packing import DAMAGED, plain_name, unpacked

NOT_JSON = Rule(
    "OT005",
    "{problem}",
    "{remedy}",
    title="Not readable as JSON",
    reason="A trace is one JSON text by RFC 8259 in UTF-8, without byte order mark, "
    "each key once in its object, of bounded size and depth. Readers differ on "
    "everything else.",
)


LINES = (".jsonl", ".ndjson")
CHUNK = 1 << 20
#: Bytes that are read at once, so that a progress bar moves.
LARGEST_READ = 1 << 24
#: Bytes after which even skipping a line ends: some devices never end.
LONGEST_LINE = 1 << 36
PERMISSION = "check path and permission"
#: How much further short lines may expand than one text, since each is dropped before the next.
STREAMED = 64
#: Bytes of one trace (a file, or a line of a JSONL file), expanded, unless a caller wants others.
TRACE_BYTES = 512 << 20
#: Largest number of expanded bytes for each compressed byte, and from how many expanded bytes on.
RATIO = 200
RATIO_FROM = 16 << 20


class TraceText(NamedTuple):
    """The bytes of one trace and where they come from.

    Attributes
    ----------
    file : str
        Name of the file; ``<stdin>`` for standard input.
    line : int
        The line it begins at, from 1.
    raw : bytes
        The bytes as they are in the file, expanded.
    alone : bool
        Whether the trace is the whole file, rather than one of its lines.
    """

    file: str
    line: int
    raw: bytes
    alone: bool

    @property
    def place(self) -> tuple[str, int]:
        """File and line."""
        return self.file, self.line


class _Unreadable(Exception):
    """The file cannot be read to its end: problem and remedy."""


def _state(raw: IO[bytes]) -> tuple[int, int] | None:
    """Size and time of change of a regular file; None for a pipe or a terminal."""
    try:
        status = os.fstat(raw.fileno())
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_size, status.st_mtime_ns


class _Window(io.RawIOBase):
    """The bytes that a file had when it was opened; tells `advance` how many were read."""

    def __init__(self, raw: IO[bytes], advance: Callable[[int], None]) -> None:
        self._raw = raw
        self._advance = advance
        self._before = _state(raw)
        self.left = self._before[0] if self._before else None
        self.seen = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        want = len(buffer)
        if self.left is not None:
            want = min(want, self.left, LARGEST_READ)
        count = 0
        if want:
            count = self._raw.readinto(memoryview(buffer)[:want]) or 0  # type: ignore[attr-defined]
        self.seen += count
        if self.left is not None:
            self.left -= count
        self._advance(count)
        return count

    def check(self) -> None:
        """Raise where the file grew, shrank or was rewritten since it was opened."""
        if self._before is None:
            return
        if self.left or _state(self._raw) != self._before:
            problem = "the file changed while it was read"
            raise _Unreadable(problem, "read a finished file, or a copy")


class _Stream:
    """Expanded bytes of one file, read by lines or whole, within the limits."""

    def __init__(self, window: _Window, largest: int) -> None:
        self._window = window
        self._largest = largest
        plain = io.BufferedReader(window, CHUNK)
        packed = unpacked(plain)
        self.is_packed = packed is not None
        self._file = packed or cast(IO[bytes], plain)
        self._out = 0

    def _count(self, data: bytes, streamed: bool) -> bytes:
        """Count bytes that were read and return them; raise where they are far too many."""
        self._out += len(data)
        if self.is_packed:
            start = RATIO_FROM
            if streamed:
                start *= STREAMED
            if self._out > max(start, RATIO * self._window.seen, RATIO):
                problem = f"expands to more than {RATIO} times its size"
                raise _Unreadable(problem, "unpack it yourself if you trust it")
        return data

    def line(self) -> tuple[bytes, bool]:
        """Return the next line and whether it is too long; of a long one only the start is kept."""
        parts: list[bytes] = []
        size = 0
        while size <= LONGEST_LINE:
            part = self._count(self._file.readline(CHUNK), streamed=not parts)
            size += len(part)
            if size <= self._largest or not parts:
                parts.append(part)
            else:
                del parts[1:]
            if len(part) < CHUNK or part.endswith(b"\n"):
                break
        return b"".join(parts), size > self._largest

    def rest(self, first: bytes) -> tuple[bytes, bool]:
        """Return `first` and everything after it, and whether that is too much."""
        parts: list[bytes] = []
        size = len(first)
        # A plain file of known size is read in one piece, without a copy to join the pieces.
        chunk = CHUNK
        if self._window.left is not None and not self.is_packed:
            chunk = min(self._window.left + CHUNK, self._largest + 1)
        while size <= self._largest:
            part = self._count(self._file.read(chunk), streamed=False)
            if not part:
                return first + b"".join(parts), False
            parts.append(part)
            size += len(part)
        return b"", True


def no_progress(_count: int) -> None:
    """Ignore progress."""


def trace_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the files of `paths`; a folder is every trace file under it, in order of name.

    Trace files end in .json, .jsonl or .ndjson, also compressed. Left out are hidden files,
    ``*.schema.json``, the folders of stores, and pipes and devices, since a pipe in a folder may
    never end. Links to folders are not followed.
    """
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            if is_store(folder):
                folders.clear()
                continue
            # Changed in place: that is how os.walk is told where to go on.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                found = Path(folder, name)
                plain = plain_name(name)
                is_trace = plain.endswith((".json", *LINES)) and not plain.endswith(".schema.json")
                if is_trace and not plain.startswith(".") and not is_special(found):
                    yield found


def is_store(folder: str | Path) -> bool:
    """Whether a folder is a store of traces rather than a folder of trace files."""
    return Path(folder, "store.json").is_file() and Path(folder, "manifest").is_dir()


def is_special(path: Path) -> bool:
    """Whether a path is a pipe, a device or a folder, rather than a plain file or a link to one."""
    return path.exists() and not path.is_file()


def documents(
    paths: Iterable[str | Path],
    largest: int = TRACE_BYTES,
    stdin: IO[bytes] | None = None,
    advance: Callable[[int], None] = no_progress,
) -> Iterator[TraceText | Finding]:
    """Yield the bytes of each trace, or a finding where they cannot be read.

    A file that cannot be read never stops the rest.

    Parameters
    ----------
    paths
        Files and folders; ``-`` means `stdin`.
    largest
        Bytes of the largest trace.
    stdin
        What ``-`` reads.
    advance
        Called with the number of bytes each time some were read from a file.
    """
    for path in trace_files(paths):
        name = file_text(path)
        if name == "-" and stdin is not None:
            yield from _from_file("<stdin>", stdin, largest, advance)
            continue
        try:
            with path.open("rb", buffering=0) as handle:
                yield from _from_file(name, handle, largest, advance)
        except OSError as error:
            reason = error.strerror or str(error)
            yield _unreadable(name, 0, f"cannot read the file: {reason}", PERMISSION)


def file_text(path: str | Path) -> str:
    """Return the name of a file as text: bytes that are not UTF-8 become escapes.

    Linux allows any bytes in a name; JSON, Parquet and terminals take texts only.

    Examples
    --------
    >>> file_text(os.fsdecode(b"runs/caf\\xe9.json"))
    'runs/caf\\\\xe9.json'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _from_file(
    name: str, handle: IO[bytes], largest: int, advance: Callable[[int], None]
) -> Iterator[TraceText | Finding]:
    """Yield the traces of one open file."""
    window = _Window(handle, advance)
    stream = _Stream(window, largest)
    try:
        yield from _traces(name, stream)
        window.check()
    except _Unreadable as error:
        yield _unreadable(name, 0, *error.args)
    except DAMAGED as error:
        if not stream.is_packed:
            yield _unreadable(name, 0, f"cannot read the file: {error}", PERMISSION)
            return
        remedy = "compress it again, or fetch it again"
        yield _unreadable(name, 0, f"damaged compressed data: {error}", remedy)


def _traces(name: str, stream: _Stream) -> Iterator[TraceText | Finding]:
    """Yield the only document of a file, or one for each line that is not empty."""
    plain = plain_name(name)
    line = b""
    is_cut = False
    is_whole = plain.endswith(".json")
    if not is_whole:
        line, is_cut = stream.line()
        # A file named as lines that begins with a lone bracket is one JSON text over several lines.
        is_lone_bracket = line.strip() in (b"{", b"[")
        is_lines = plain.endswith(LINES) and not is_lone_bracket
        is_whole = not (is_lines or is_cut or _is_object(line))
    if is_whole:
        line, is_cut = stream.rest(line)
    number = 1
    while line or is_whole:
        if is_cut:
            remedy = "split the trace, or raise --max-mb"
            yield _unreadable(name, number, "larger than one trace may be", remedy)
        elif is_whole or not line.isspace():
            yield TraceText(name, number, line, is_whole)
        if is_whole:
            return
        line, is_cut = stream.line()
        number += 1


def _is_object(line: bytes) -> bool:
    """Whether one line is a JSON object by itself, so that the file has one trace per line."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _unreadable(name: str, line: int, problem: str, remedy: str) -> Finding:
    return NOT_JSON.at(name, line, problem=problem, remedy=remedy)
