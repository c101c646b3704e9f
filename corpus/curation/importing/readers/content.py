"""From the bytes of a foreign file to its text: size, encoding."""

from __future__ import annotations

import codecs
import os

from corpus.curation.importing.names import listed
from corpus.curation.importing.readers import import_rules as rules
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.content import read_bytes

#: Importing takes about ten times the size of the file in memory.
MAX_BYTES = 100_000_000
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: What people's programs write, the most usual first; charset-normalizer chooses among these only,
#: so that a short text is not taken for an exotic one.
_USUAL = listed(
    "cp1252, cp1250, cp1251, cp1253, cp1254, cp1255, cp1256, cp1257, "
    "mac_roman, koi8_r, cp932, euc_jp, gb18030, big5, cp949, cp437, cp850"
)
#: Up to this place a file is looked at for bytes that no text has.
_LOOKED_AT = 100_000


def read_foreign_bytes(path: str, shown: str) -> bytes:
    """Read a file of another program.

    Raises
    ------
    CorpusError
        I101 where it is not a plain file or cannot be read, I102 where it has more than
        `MAX_BYTES`; nothing is read then.
    """
    if os.path.isfile(path) and os.path.getsize(path) > MAX_BYTES:
        size, limit = os.path.getsize(path) // 1_000_000, MAX_BYTES // 1_000_000
        raise rules.TOO_LARGE.error(shown, size=size, limit=limit)
    data, findings = read_bytes(path, shown)
    for finding in findings:
        raise rules.NOT_READABLE.error(shown, problem=finding.message)
    return data


def decode_foreign(data: bytes, shown: str, encoding: str | None = None) -> tuple[str, str]:
    """Decode by the byte order mark, as UTF-8, or by what charset-normalizer recognises.

    Parameters
    ----------
    data : bytes
        The file.
    shown : str
        Its name in findings.
    encoding : str, optional
        The encoding that the user names; it must fit then.

    Returns
    -------
    tuple of (str, str)
        The text with LF line ends, and a remark where the encoding was guessed.

    Raises
    ------
    CorpusError
        I103 where no encoding fits.
    UsageProblem
        Where the named encoding does not exist.
    """
    remark = ""
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")
    known = encoding or marked
    if not known and b"\0" in data[:_LOOKED_AT]:
        raise _wrong(data, data.index(b"\0"), shown, "text", ", the file is not a text")
    if not encoding and marked not in ("", "utf-8"):
        remark = f"read as {marked.upper()}"
    try:
        text = data.decode(known or "utf-8")
    except UnicodeDecodeError as error:
        guess = None if known else _guess(data)
        if guess is None:
            raise _wrong(data, error.start, shown, (known or "utf-8").upper(), "") from None
        text = data.decode(guess)
        advice = "Where letters look wrong, start again with --encoding NAME"
        remark = f"not UTF-8; read as {guess}. {advice}"
    except (LookupError, UnicodeError):  # Python has an encoding named "undefined"
        problem = f"there is no encoding {encoding!r}; usual: utf-8, cp1252, gb18030"
        raise UsageProblem(problem) from None
    # A mark that is left would be part of the first cell, before its quotation mark.
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), remark


def _guess(data: bytes) -> str | None:
    """Return the usual encoding that fits best, or None where none fits.

    Of several that fit alike it is the most usual. Western and Central European letters share their
    bytes, and either reading looks like text.
    """
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_isolation=[*_USUAL], threshold=0.35)
    best = found.best()
    if best is None:
        return None
    likeness = (best.chaos, best.coherence)
    alike = {each.encoding for each in found if (each.chaos, each.coherence) == likeness}
    return min(alike & {*_USUAL}, key=_USUAL.index, default=str(best.encoding))


def _wrong(data: bytes, position: int, shown: str, encoding: str, guess: str) -> CorpusError:
    line = data.count(b"\n", 0, position) + 1
    value = f"0x{data[position]:02x}"
    return rules.UNKNOWN_ENCODING.error(shown, line, value=value, encoding=encoding, guess=guess)
