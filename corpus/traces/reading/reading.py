"""The bytes of each trace in JSON and JSONL files, also compressed, folders and standard input.

Everything is streamed, within limits: a file may be larger than memory, grow while it is read,
expand without end or never end, and none of these may stop the reading of the others.
"""

import io
import math
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

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
PERMISSION = "check path and permission"
#: Bytes of one trace (a file, or a line of a JSONL file), expanded, unless a caller wants others.
TRACE_BYTES = 512 << 20
#: How far a compressed file may expand: this often its size, and always as far as this.
RATIO = 200
EXPANDED = 1 << 30


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
    paths: Iterable[str | Path], largest: int = TRACE_BYTES, stdin: IO[bytes] | None = None
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
    """
    for path in trace_files(paths):
        name = file_text(path)
        if name == "-" and stdin is not None:
            yield from _from_file("<stdin>", stdin, largest)
            continue
        try:
            with path.open("rb") as handle:
                yield from _from_file(name, handle, largest)
        except OSError as error:
            yield _unreadable(name, f"cannot read the file: {error.strerror or error}", PERMISSION)


def file_text(path: str | Path) -> str:
    """Return the name of a file as text: bytes that are not UTF-8 become escapes.

    Linux allows any bytes in a name; JSON, Parquet and terminals take texts only.

    Examples
    --------
    >>> file_text(os.fsdecode(b"runs/caf\\xe9.json"))
    'runs/caf\\\\xe9.json'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _from_file(name: str, handle: IO[bytes], largest: int) -> Iterator[TraceText | Finding]:
    """Yield the traces of one open file: the only one, or one for each line that is not empty."""
    state = _state(handle)
    plain = handle if hasattr(handle, "peek") else io.BufferedReader(cast(io.RawIOBase, handle))
    packed = unpacked(plain)
    file = packed or plain
    # What is written to a file after it was opened is not read.
    size = state[0] if state and not packed else math.inf
    most = max(EXPANDED, RATIO * state[0]) if state and packed else math.inf
    ending = plain_name(name)
    number, read = 1, 0
    problem, remedy = "", "read a finished file, or a copy"
    try:
        line = b"" if ending.endswith(".json") else file.readline(largest + 1)
        # One JSON text over several lines begins with a lone bracket, however the file is called.
        is_whole = line.strip() in (b"{", b"[") or not (line or ending.endswith(LINES))
        if is_whole:
            line += file.read(int(min(largest, size)) + 1 - len(line))
        while line or is_whole:
            read += len(line)
            if len(line) > largest:
                problem = "larger than one trace may be; nothing after it is read"
                remedy = "split the trace, or raise --max-mb"
            elif read > most:
                problem = f"expands to more than {RATIO} times its size"
                remedy = "unpack it yourself if you trust it"
            elif is_whole or not line.isspace():
                yield TraceText(name, number, line, is_whole)
            if problem or is_whole or read >= size:
                break
            line = file.readline(largest + 1)
            number += 1
        if state and _state(handle) != state:
            problem, number = "the file changed while it was read", 0
    except DAMAGED as error:
        problem, remedy, number = f"cannot read the file: {error}", PERMISSION, 0
        if packed:
            problem = f"damaged compressed data: {error}"
            remedy = "compress it again, or fetch it again"
    if problem:
        yield _unreadable(name, problem, remedy, number)


def _state(handle: IO[bytes]) -> tuple[int, int] | None:
    """Size and time of change of a plain file; None for a pipe or a terminal."""
    try:
        status = os.fstat(handle.fileno())
    except (OSError, ValueError):
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _unreadable(name: str, problem: str, remedy: str, line: int = 0) -> Finding:
    return NOT_JSON.at(name, line, problem=problem, remedy=remedy)
