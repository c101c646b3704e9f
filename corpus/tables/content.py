"""From the bytes of a file to its text, or to findings that tell why there is none.

Quotation marks of a table follow RFC 4180: only around whole cells, repeated inside them.
"""

import os
import re
import stat

from corpus.model.finding import CorpusError, Finding, Rule

MISSING_FILE = Rule(
    "C101",
    "the file does not exist",
    "restore it, or remove its table from the codebook",
    title="File is missing",
    reason="A missing file is not an empty one.",
)
NOT_A_FILE = Rule(
    "C102",
    "this is a folder or a special file",
    "put a CSV file in its place",
    title="Not a file",
    reason="A table is a plain file.",
)
UNREADABLE = Rule(
    "C103",
    "the system refuses: {problem}",
    "check the permissions of the file and its folder",
    title="File cannot be read",
    reason="A file that cannot be read is not treated as empty.",
)
EMPTY_FILE = Rule(
    "C104",
    "the file holds nothing, not even a header",
    "restore the file; its first line is the header",
    title="File is empty",
    reason="An empty file is more often lost than a table without rows, which has its header.",
)
HAS_BYTE_ORDER_MARK = Rule(
    "C105",
    "the file starts with a byte order mark",
    "save as 'UTF-8', not 'UTF-8 with BOM', or run `corpus fmt`",
    title="Byte order mark",
    reason="Other tools take the mark as part of the first column's name.",
)
ENCODING = Rule(
    "C106",
    "byte {byte} is not valid UTF-8",
    "save the file as UTF-8",
    title="Not UTF-8",
    reason="Other encodings show other characters on every machine.",
)
NUL_BYTE = Rule(
    "C107",
    "the line holds a NUL byte",
    "remove it; a broken program wrote it",
    title="NUL byte",
    reason="C programs end a text at a NUL byte, so two tools would see two cells.",
)
CARRIAGE_RETURN = Rule(
    "C108",
    "carriage returns in the file: {count}; the first is on this line",
    "save with line ends LF ('Unix'), or run `corpus fmt`",
    title="Carriage return",
    reason="With one kind of line ends, a changed cell is a changed line.",
)
STRAY_QUOTE = Rule(
    "C111",
    "a quotation mark is inside a cell that is not quoted, or text follows a closing one",
    'quote the whole cell and double the marks inside: "a ""b"" c"',
    title="Misplaced quotation mark",
    reason="Readers disagree about such a cell; RFC 4180 allows quotation marks in "
    "quoted cells only.",
)
UNCLOSED_QUOTE = Rule(
    "C112",
    "the cell that starts here is never closed",
    "add the closing quotation mark at the end of the cell",
    title="Unclosed quotation mark",
    reason="All up to the end of the file would be one cell.",
)
MERGE_MARKER = Rule(
    "C113",
    "a version control conflict was left in the file",
    "keep the right lines, remove those that start with <<<<<<<, ======= and >>>>>>>",
    title="Merge conflict marker",
    reason="A conflict marker is not a row.",
)
SEPARATOR = Rule(
    "C121",
    "the header has {what} instead of commas",
    "save as CSV with commas",
    title="Cells not separated by commas",
    reason="With other separators, programs disagree about where a cell ends.",
)


_RUNS = '"+'
#: What may be before an opening mark and behind a closing one; an empty text is the end of the
#: file.
_SIDES = ("", ",", "\n")
#: The first and last byte of what may be between two quoted cells; nothing is between repeated
#: marks.
_BETWEEN = {b"", b",,", b",\n", b"\n,", b"\n\n"}
_EDGES = {b"", b",", b"\n"}
#: How the lines begin that version control leaves where two changes conflict.
MARKS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_CONFLICT = r"(?m)^(?:<<<<<<< |=======$|>>>>>>> |\|\|\|\|\|\|\| )"


def read_bytes(path: str, shown: str) -> tuple[bytes, list[Finding]]:
    """Read a plain file; a missing, special or unreadable one gives a finding and no bytes."""
    try:
        # A device or a pipe would be read without end.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b"", [NOT_A_FILE.at(shown)]
        with open(path, "rb") as handle:
            return handle.read(), []
    except FileNotFoundError:
        return b"", [MISSING_FILE.at(shown)]
    except (OSError, ValueError) as error:  # a NUL byte in a path is a ValueError
        problem = getattr(error, "strerror", None) or str(error)
        return b"", [UNREADABLE.at(shown, problem=problem)]


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
        raise CorpusError([_encoding_finding(data, error.start, shown)]) from None


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
        C104 to C108 and C121; C106 alone where the bytes are not UTF-8.
    """
    if not data:
        return "", [EMPTY_FILE.at(shown)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return "", [_encoding_finding(data, error.start, shown)]
    findings = []
    if b"\0" in data:
        line = line_of(data, data.index(b"\0"))
        findings.append(NUL_BYTE.at(shown, line))
    if data.startswith(BYTE_ORDER_MARK):
        findings.append(HAS_BYTE_ORDER_MARK.at(shown, 1))
    if b"\r" in data:
        line = line_of(data, data.index(b"\r"))
        findings.append(CARRIAGE_RETURN.at(shown, line, count=data.count(b"\r")))
        # `corpus fmt` writes other line ends, yet a conflict needs a person.
        findings += marker_findings(text.replace("\r\n", "\n"), shown)
    header = text.split("\n", 1)[0]
    if is_table and "," not in header:
        for separator, name in ((";", "semicolons"), ("\t", "tabs")):
            if separator in header:
                findings.append(SEPARATOR.at(shown, 1, value=header[:40], what=name))
                break
    return text, findings


def _encoding_finding(data: bytes, position: int, shown: str) -> Finding:
    """Make the finding (C106) about the first byte that is not UTF-8."""
    start = data.rfind(b"\n", 0, position) + 1
    before = data[start:position].decode("utf-8", "replace")
    byte = f"0x{data[position]:02x}"
    line = line_of(data, position)
    return ENCODING.at(shown, line, value=byte, char=len(before) + 1, byte=byte)


def marker_findings(text: str, shown: str) -> list[Finding]:
    """Find the conflict markers that version control left in a text (C113)."""
    # Looking for the plain texts first is many times faster than the expression on every line.
    if not any(mark in text for mark in MARKS):
        return []
    findings = []
    for match in re.finditer(_CONFLICT, text):
        line = line_of(text, match.start())
        findings.append(MERGE_MARKER.at(shown, line, value=match.group().strip()))
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


def quote_problem(text: str) -> tuple[int, Rule] | None:
    """Return the position of the first wrong quotation mark of a CSV text and its rule, or None.

    Examples
    --------
    >>> quote_problem('a,"b ""c"", d"\\n')
    >>> position, rule = quote_problem('a,b "c"\\n')
    >>> position, rule.code
    (4, 'C111')
    """
    if is_valid_quoting(text.encode().split(b'"')):
        return None
    opened = -1
    for run in re.finditer(_RUNS, text):
        start, end = run.span()
        # Inside a cell two marks are one character, so only a run of odd length opens or closes.
        odd = (end - start) % 2 == 1
        follows_delimiter = text[start - 1 : start] in _SIDES
        precedes_delimiter = text[end : end + 1] in _SIDES
        is_outside = opened < 0
        if is_outside and not follows_delimiter:
            return start, STRAY_QUOTE
        # A run of odd length closes a cell, one of even length is a whole cell.
        if is_outside is not odd and not precedes_delimiter:
            return end - 1, STRAY_QUOTE
        if odd:
            opened = start if is_outside else -1
    return opened, UNCLOSED_QUOTE


def is_valid_quoting(pieces: list[bytes]) -> bool:
    """Return whether every mark is where it may be; finds no position, but is fast.

    Every other piece is outside of a cell. It is the whole text from the end of one quoted cell to
    the start of the next, or nothing where a mark is repeated.

    Parameters
    ----------
    pieces : list of bytes
        A text, split at its quotation marks.
    """
    if len(pieces) == 1:  # no marks: the text may begin and end with anything
        return True
    # A set in one expression: this runs once per quoted cell of a pool of any size.
    between = {piece[:1] + piece[-1:] for piece in pieces[2:-1:2]}
    edges = {pieces[0][-1:], pieces[-1][:1]}
    return len(pieces) % 2 == 1 and between <= _BETWEEN and edges <= _EDGES
