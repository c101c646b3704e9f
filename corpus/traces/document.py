"""One input file as rows of JSON, whatever its state.

Broken lines are findings, never exceptions.
"""

import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice, product, starmap
from pathlib import Path
from typing import IO, Any, NoReturn

from corpus.model.finding import WARNING, CorpusError, Finding, Rule
from corpus.tables.packing import DAMAGED, read_unpacked
from corpus.traces.lookup import DEPTH_LIMIT, is_deeper, items, record, records, value

BROKEN_LINE = Rule(
    "OT201",
    "the line is skipped: {problem}",
    "leave it, or restore the line from the recorder",
    WARNING,
    title="Line skipped",
    reason="Recorders are killed in the middle of a line and files are cut in "
    "transfer. The line is listed among the losses.",
)
UNREADABLE = Rule(
    "OT204",
    "cannot be read: {problem}",
    "give JSON or JSONL in UTF-8, also compressed, or an archive of such files",
    title="Input not readable",
    reason="It does not exist, is not text or JSON, or is too large.",
)


FILE_LIMIT = 256 * 2**20
"""Bytes of one input, unpacked; above it the file is refused."""
LINE_LIMIT = 64 * 2**20
"""Bytes of one line, or of one of several values; a longer one is skipped."""
ZIP_MAGIC = b"PK\x03\x04"
OBJECTS_LIMIT = 500
"""Objects of a document after which no row is searched for more."""
LOOKED_AT = 50
"""Objects of a document in which marks are looked for."""
# RuntimeError: a file in it is encrypted, or packed in a way that Python does not know. ValueError:
# an offset before the beginning, or a name that is not in the encoding that the archive states.
_ZSTANDARD = 93
_ARCHIVE_ERRORS = (
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON value of a file and the 1-based line on which it begins.

    Of an archive: one of its files, by name, and the place of it in the archive.
    """

    line: int
    value: Any
    member: str = ""


@dataclass(slots=True)
class RecordedFile:
    """One input file.

    Attributes
    ----------
    path : pathlib.Path
        As the user gave it; ``-`` for standard input.
    rows : list of Row
        A JSON document is one row; JSON lines are one row each.
    findings : list of Finding
        One :data:`BROKEN_LINE` for each line that was skipped.
    """

    path: Path
    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def take(self, line: int, value: Any, problem: str, member: str = "") -> None:
        """Add a value, or what is wrong with it."""
        if problem:
            self.findings.append(BROKEN_LINE.at(str(self.path), line, problem=problem))
        else:
            self.rows.append(Row(line, value, member))

    def place(self, line: int) -> str:
        """Name a line of this file, for a loss or a message."""
        return f"{self.path.name}:{line}"

    @property
    def objects(self) -> list[Row]:
        """The rows that are JSON objects, and the objects of rows that are lists."""
        found = []
        for row in self.rows:
            for one in records(items(row.value) or [row.value]):
                found.append(Row(row.line, one, row.member))
        return found

    def has_any(self, *marks: str) -> bool:
        """Whether one of the first objects has all that one of `marks` names.

        An object is a row, or in a row: an element of a list, or of a list in one of the fields.
        """
        found = [row.value for row in self.rows[:LOOKED_AT]]
        for node in found[:]:
            fields = list(islice(record(node).values(), LOOKED_AT))
            # A file of many instances may have each by its name.
            named = fields if all(isinstance(one, dict) for one in fields) else []
            for inner in (items(node), named, *map(items, fields)):
                found += inner[:LOOKED_AT]
            if len(found) > OBJECTS_LIMIT:
                break
        return any(starmap(has_marks, product(found, marks)))


def rows_of(documents: Iterable[RecordedFile]) -> Iterator[Row]:
    """Yield the rows of several files."""
    for document in documents:
        yield from document.rows


def has_marks(node: object, marks: str) -> bool:
    """Whether a value has all that `marks` names.

    Each mark is a path, with ``=`` where one of some texts has to be there; ``*`` ends a beginning.

    Examples
    --------
    >>> has_marks({"a": [{"b": None}], "c": "x-1"}, "a.0.b c=y|x-*"), has_marks({"a": 1}, "a=1 b")
    (True, False)
    """
    for mark in marks.split():
        path, _, wanted = mark.partition("=")
        above, _, name = path.rpartition(".")
        found = value(node, path)
        if found is None and name not in record(value(node, above)):
            return False
        if wanted and not any(fnmatchcase(str(found), one) for one in wanted.split("|")):
            return False
    return True


def read_document(path: Path, stream: IO[bytes] | None = None) -> RecordedFile:
    """Read `path` (or `stream`, then `path` is only its name).

    JSON, JSON lines, one of them compressed, or an archive of JSON files.

    Raises
    ------
    CorpusError
        With one :data:`UNREADABLE` finding where nothing can be read at all.
    """
    try:
        if stream is None:
            with path.open("rb") as file:
                data = read_unpacked(file, FILE_LIMIT)
        else:
            data = read_unpacked(stream, FILE_LIMIT)
    except DAMAGED as error:
        problem = getattr(error, "strerror", None) or "a compressed file that is damaged"
        raise _refusal(path, problem) from error
    if len(data) > FILE_LIMIT:
        raise _refusal(path, f"larger than {FILE_LIMIT // 2**20} MiB")
    if data[:4] == ZIP_MAGIC:
        return _read_archive(path, data)
    document = parse_document(path, data.removeprefix(_BYTE_ORDER_MARK))
    if not document.rows:
        problem = "empty"
        if data.strip():
            first = document.findings[0]
            introduction, _, _ = BROKEN_LINE.template.partition("{")
            problem = f"line {first.line} is {first.message.removeprefix(introduction)}"
        raise _refusal(path, problem)
    return document


def _read_archive(path: Path, data: bytes) -> RecordedFile:
    """Read the JSON files of an archive, as long as they are small enough together."""
    found = RecordedFile(path)
    left = FILE_LIMIT
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith(".json")]
            for place, member in enumerate(members, start=1):
                # The size that an archive states may be a lie; what is read is counted.
                written = _read_member(archive, member, data, left)
                left -= len(written)
                if left < 0:
                    raise _refusal(path, f"larger than {FILE_LIMIT // 2**20} MiB, unpacked")
                found.take(place, *_parse(written), member.filename)
    except _ARCHIVE_ERRORS as error:
        raise _refusal(path, "an archive that is broken, or packed in another way") from error
    if not found.rows:
        raise _refusal(path, "an archive without JSON")
    return found


def _read_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, data: bytes, limit: int
) -> bytes:
    """Return a file of an archive, and at most one byte more than `limit`."""
    if member.compress_type != _ZSTANDARD:
        with archive.open(member) as file:
            return file.read(limit + 1)
    # Inspect packs with Zstandard, which Python reads from 3.14 on. Of the header before the
    # packed bytes, the lengths of two fields tell where they begin.
    name, extra = struct.unpack_from("<HH", data, member.header_offset + 26)
    begin = member.header_offset + 30 + name + extra
    return read_unpacked(io.BytesIO(data[begin : begin + member.compress_size]), limit)


def parse_document(path: Path, data: bytes) -> RecordedFile:
    """Split `data` into rows.

    A document over several lines is tried whole when its first line is not JSON; it is nothing
    else where that is a lone bracket.
    """
    # JSON lines first: parsing a large file of them as one document would be wasted work.
    first, _, rest = data.lstrip().partition(b"\n")
    found = RecordedFile(path)
    if first and rest.strip() and _parse(first)[1]:
        whole, problem = _parse(data)
        if not problem or first.strip() in (b"{", b"["):
            found.take(1, whole, problem)
            return found
    for line, written in enumerate(data.split(b"\n"), start=1):
        if len(written) > LINE_LIMIT:
            found.take(line, None, f"longer than {LINE_LIMIT // 2**20} MiB")
        elif written.strip():
            found.take(line, *_parse(written))
    return found


def _parse(written: bytes) -> tuple[Any, str]:
    """Return the JSON value and what is wrong with it, in words that repeat none of it."""
    value: Any = None
    problem = ""
    try:
        value = _DECODER.decode(written.decode("utf-8"))
        # Counting what opens first: to look into every row takes a tenth of a conversion.
        opened = written.count(b"{") + written.count(b"[")
        if opened > DEPTH_LIMIT and is_deeper(value, DEPTH_LIMIT):
            problem = "nested too deeply"
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 at byte {error.start}"
    except RecursionError:
        problem = "nested too deeply"
    except json.JSONDecodeError as error:
        problem = f"not JSON at character {error.pos + 1}"
    except ValueError:
        problem = "not JSON: a number no reader accepts"
    return value, problem


def _refuse_constant(_: str) -> NoReturn:
    # NaN and Infinity: Python reads them, JSON does not have them.
    raise ValueError


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _refusal(path: Path, problem: str) -> CorpusError:
    return UNREADABLE.error(str(path), problem=problem)
