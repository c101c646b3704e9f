"""From the bytes of a file to its text, or to findings that say why there is none."""

from __future__ import annotations

import os
import stat

from corpus.model.finding import CorpusError, Finding
from corpus.tables import table_rules as rules

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: str, shown: str) -> tuple[bytes, list[Finding]]:
    """Read a plain file; a missing, special or unreadable one gives a finding instead of its bytes."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            return b"", [rules.NOT_A_FILE.at(shown)]
        with open(path, "rb") as handle:
            return handle.read(), []
    except FileNotFoundError:
        return b"", [rules.MISSING_FILE.at(shown)]
    except (OSError, ValueError) as error:
        return b"", [rules.UNREADABLE.at(shown, problem=getattr(error, "strerror", None) or str(error))]


def read_text(path: str, shown: str) -> str:
    """Read an author's text: UTF-8 with any line ends, which are kept.

    Raises
    ------
    CorpusError
        C101 to C103 where the file cannot be read, C106 where it is not UTF-8.
    """
    data, findings = read_bytes(path, shown)
    findings = [finding._replace(hint="name a file that exists and may be read") for finding in findings]
    if not findings:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"0x{data[error.start]:02x}"
            findings = [rules.ENCODING.at(shown, _line(data, error.start), value=byte, byte=byte, guess="")]
    raise CorpusError(findings)


def decode(data: bytes, shown: str, *, is_table: bool = True) -> tuple[str, list[Finding]]:
    """Decode strict UTF-8 with LF line ends, a table with commas; findings name the first line of each trouble."""
    if not data:
        return "", [rules.EMPTY_FILE.at(shown)]
    if data.startswith(_UTF16):
        mark = data[:2].hex(" ")
        return "", [rules.ENCODING.at(shown, 1, value=mark, byte=mark, guess=", it looks like UTF-16")]
    findings = []
    if b"\0" in data:
        findings.append(rules.NUL_BYTE.at(shown, _line(data, data.index(b"\0"))))
    if data.startswith(b"\xef\xbb\xbf"):
        findings.append(rules.BYTE_ORDER_MARK.at(shown, 1))
    if b"\r" in data:
        line = _line(data, data.index(b"\r"))
        findings.append(rules.CARRIAGE_RETURN.at(shown, line, count=data.count(b"\r")))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line(data, error.start)
        start = data.rfind(b"\n", 0, error.start) + 1
        char = len(data[start : error.start].decode("utf-8", "replace")) + 1
        byte = f"0x{data[error.start]:02x}"
        findings.append(rules.ENCODING.at(shown, line, value=byte, char=char, byte=byte, guess=""))
        return "", findings
    first = text.split("\n", 1)[0]
    if is_table and "," not in first and (what := "semicolons" if ";" in first else "tabs" if "\t" in first else ""):
        findings.append(rules.SEPARATOR.at(shown, 1, value=first[:40], what=what))
    return text, findings


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
