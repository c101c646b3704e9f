"""From the bytes of a file to its text, or to findings that tell why there is none."""

from __future__ import annotations

import os
import re
import stat

from corpus.model.finding import CorpusError, Finding
from corpus.tables import table_rules as rules

#: How the lines begin that version control leaves where two changes conflict.
MARKS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

_CONFLICT = r"(?m)^(?:<<<<<<< |=======$|>>>>>>> |\|\|\|\|\|\|\| )"


def read_bytes(path: str, shown: str) -> tuple[bytes, list[Finding]]:
    """Read a plain file; a missing, special or unreadable one gives a finding and no bytes."""
    try:
        # A device or a pipe would be read without end.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b"", [rules.NOT_A_FILE.at(shown)]
        with open(path, "rb") as handle:
            return handle.read(), []
    except FileNotFoundError:
        return b"", [rules.MISSING_FILE.at(shown)]
    except (OSError, ValueError) as error:  # a NUL byte in a path is a ValueError
        problem = getattr(error, "strerror", None) or str(error)
        return b"", [rules.UNREADABLE.at(shown, problem=problem)]


def read_text(path: str, shown: str) -> str:
    """Read an author's text: UTF-8 with any line ends, which are kept.

    Raises
    ------
    CorpusError
        C101 to C103 where the file cannot be read, C106 where it is not UTF-8.
    """
    data, findings = read_bytes(path, shown)
    if findings:
        hint = "name a file that exists and may be read"
        raise CorpusError([finding._replace(hint=hint) for finding in findings])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02x}"
        line = line_of(data, error.start)
        finding = rules.ENCODING.at(shown, line, value=byte, byte=byte, guess="")
        raise CorpusError([finding]) from None


def decode(data: bytes, shown: str, *, is_table: bool = True) -> tuple[str, list[Finding]]:
    """Decode strict UTF-8 with LF line ends; each finding names the first line that it concerns.

    Parameters
    ----------
    data : bytes
        The content of the file.
    shown : str
        Path as it is written into findings.
    is_table : bool
        Whether the cells of the first line must be separated by commas.

    Returns
    -------
    text : str
        Empty where the bytes are not UTF-8.
    findings : list of Finding
        C104 to C108 and C121.
    """
    if not data:
        return "", [rules.EMPTY_FILE.at(shown)]
    if data.startswith(UTF16_MARKS):
        mark = data[:2].hex(" ")
        guess = ", it looks like UTF-16"
        return "", [rules.ENCODING.at(shown, 1, value=mark, byte=mark, guess=guess)]
    findings = []
    if b"\0" in data:
        line = line_of(data, data.index(b"\0"))
        findings.append(rules.NUL_BYTE.at(shown, line))
    if data.startswith(BYTE_ORDER_MARK):
        findings.append(rules.BYTE_ORDER_MARK.at(shown, 1))
    if b"\r" in data:
        line = line_of(data, data.index(b"\r"))
        findings.append(rules.CARRIAGE_RETURN.at(shown, line, count=data.count(b"\r")))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        findings.append(_encoding_finding(data, error.start, shown))
        return "", findings
    if is_table:
        findings += _separator_findings(text, shown)
    return text, findings


def _encoding_finding(data: bytes, position: int, shown: str) -> Finding:
    """Make the finding (C106) about the first byte that is not UTF-8."""
    start = data.rfind(b"\n", 0, position) + 1
    before = data[start:position].decode("utf-8", "replace")
    byte = f"0x{data[position]:02x}"
    line = line_of(data, position)
    return rules.ENCODING.at(shown, line, value=byte, char=len(before) + 1, byte=byte, guess="")


def _separator_findings(text: str, shown: str) -> list[Finding]:
    """Find a header whose cells are separated by something else than commas (C121)."""
    header = text.split("\n", 1)[0]
    if "," in header:
        return []
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator in header:
            return [rules.SEPARATOR.at(shown, 1, value=header[:40], what=name)]
    return []


def marker_findings(text: str, shown: str) -> list[Finding]:
    """Find the conflict markers that version control left in a text (C113)."""
    # Looking for the plain texts first is many times faster than the expression on every line.
    if not any(mark in text for mark in MARKS):
        return []
    findings = []
    for match in re.finditer(_CONFLICT, text):
        line = line_of(text, match.start())
        findings.append(rules.MERGE_MARKER.at(shown, line, value=match.group().strip()))
    return findings


def line_of(content: str | bytes, position: int) -> int:
    """Return the 1-based line of a position in a text or in bytes.

    Examples
    --------
    >>> line_of("a\\nb", 2)
    2
    """
    if isinstance(content, bytes):
        return content.count(b"\n", 0, position) + 1
    return content.count("\n", 0, position) + 1
