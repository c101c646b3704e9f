"""Files that were compressed with gzip, bzip2, xz or Zstandard, known by their first bytes."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any, cast

ENDINGS = (".gz", ".bz2", ".xz", ".zst")
"""What the names of such files end in."""
DAMAGED = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)
"""What reading a damaged file raises."""


class _Zstandard(io.RawIOBase):
    """What a file compressed with Zstandard holds; Python itself reads it from 3.14 on."""

    def __init__(self, packed: IO[bytes]) -> None:
        import pyarrow  # only here: it takes longer to load than most files take to read

        source = pyarrow.PythonFile(packed, mode="r")
        self._stream = pyarrow.CompressedInputStream(source, "zstd")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._stream.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)


# The first bytes of a file, and how it is opened.
_OPENERS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed, mode="rb"),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": lambda packed: io.BufferedReader(_Zstandard(packed)),
}


def unpacked(file: IO[bytes]) -> IO[bytes] | None:
    """Return a stream of what a compressed file holds, or None where it is not compressed.

    Parameters
    ----------
    file : binary file
        Has to allow a look ahead, as one that ``open`` returns; nothing is taken from it.

    Examples
    --------
    >>> packed = unpacked(io.BufferedReader(io.BytesIO(gzip.compress(b"tea"))))
    >>> packed.read(), unpacked(io.BufferedReader(io.BytesIO(b"tea")))
    (b'tea', None)
    """
    begin = cast(io.BufferedReader, file).peek(6)[:6]
    for magic, opener in _OPENERS.items():
        if begin.startswith(magic):
            return cast(IO[bytes], opener(file))
    return None


def read_unpacked(file: IO[bytes], limit: int) -> bytes:
    """Return what a file holds, unpacked: at most one byte more than `limit`.

    A few bytes may unpack to more than fits into memory.

    Raises
    ------
    One of DAMAGED
        Where a compressed file is cut short or broken.
    """
    buffered = io.BufferedReader(cast(io.RawIOBase, file)) if not hasattr(file, "peek") else file
    return (unpacked(buffered) or buffered).read(limit + 1)


def plain_name(name: str) -> str:
    """Return the name that a file has once it is unpacked.

    Examples
    --------
    >>> plain_name("run.jsonl.zst"), plain_name("run.jsonl")
    ('run.jsonl', 'run.jsonl')
    """
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name
