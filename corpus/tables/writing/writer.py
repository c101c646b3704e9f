"""The canonical form of a table: sorted by key, UTF-8, LF, NFC, quoted only where needed.

One edited cell is one changed line, and two added rows seldom touch. A file in another form is
described by findings and brought into this form where that changes no cell.
"""

import csv
import io
import os
import unicodedata
from collections.abc import Iterable

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.table import Row, Table, picked
from corpus.tables.content import (
    BYTE_ORDER_MARK,
    CARRIAGE_RETURN,
    EMPTY_FILE,
    HAS_BYTE_ORDER_MARK,
    decode,
    line_of,
    read_bytes,
)
from corpus.tables.location import shown_path
from corpus.tables.reader import (
    BLANK_LINE,
    NO_FINAL_NEWLINE,
    header_findings,
    parse_table,
    split_rows,
    text_findings,
)
from corpus.tables.terms import row_order_findings

NOT_CANONICAL = Rule(
    "C309",
    "the line differs from its canonical form, in quotation marks or in accents",
    "run `corpus fmt`",
    title="Not in canonical form",
    reason="In one form, one edited cell is one changed line.",
)


def csv_text(rows: Iterable[Iterable[str]]) -> str:
    """Write rows as CSV: comma, LF, minimal quoting.

    Examples
    --------
    >>> csv_text([["key", "title"], ["a", 'Say "yes", please']])
    'key,title\\na,"Say ""yes"", please"\\n'
    """
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def canonical_rows(rows: Iterable[Row], spec: TableSpec) -> list[Row]:
    """Return the rows in canonical order, every cell in NFC.

    Rows of equal key keep their order. Cells are not otherwise changed: whether a cell is right is
    for the checks.
    """
    positions = spec.key_positions
    normal = map(_normal, rows)
    return sorted(normal, key=lambda row: picked(row, positions))


def canonical_text(rows: Iterable[Row], spec: TableSpec) -> str:
    """Return the whole file in canonical form, header included."""
    return csv_text([spec.header, *canonical_rows(rows, spec)])


def _normal(row: Row) -> Row:
    return tuple(unicodedata.normalize("NFC", cell) for cell in row)


def form_findings(table: Table) -> list[Finding]:
    """Find the first places where the text of a table is not in canonical form (C308, C309).

    Tables made in memory have no text and no findings.
    """
    if not table.text or table.text == canonical_text(table.rows, table.spec):
        return []
    keys = [table.key_of(_normal(row)) for row in table.rows]
    misplaced = row_order_findings(keys, table.spec, table.file, table.lines.__getitem__)
    return misplaced + differing_findings(table, map(_normal, table.rows))


def differing_findings(table: Table, rows: Iterable[Row]) -> list[Finding]:
    """Find the first line of a table's text that is not as the rows would be written (C309)."""
    wanted = csv_text([table.spec.header, *rows])
    if not table.text or table.text == wanted:
        return []
    lines = zip(table.text.split("\n"), wanted.split("\n"), strict=False)
    line = next(number for number, (one, other) in enumerate(lines, 1) if one != other)
    return [NOT_CANONICAL.at(table.file, line)]


def fix_table(data: bytes, spec: TableSpec, shown: str) -> tuple[str, list[Finding]]:
    """Bring the bytes of a table into canonical form.

    Fixed are: byte order mark, line ends, a missing final newline, blank lines, the order of the
    columns, the order of the rows, needless quotation marks, decomposed letters. No cell is
    otherwise changed and no row is lost.

    Returns
    -------
    text : str
        The table in canonical form.
    wrong : list of Finding
        What was wrong with the file.

    Raises
    ------
    CorpusError
        With the findings (C101 to C117) that need a person.
    """
    data, wrong = _fix_bytes(data, shown)
    text, findings = decode(data, shown)
    if not findings:
        findings = text_findings(text, shown)
    if any(finding.code != BLANK_LINE.code for finding in findings):
        raise CorpusError(findings)
    if findings:
        wrong += findings
        blank = {finding.line for finding in findings}
        lines = enumerate(text.split("\n"), 1)
        text = "\n".join(line for number, line in lines if number not in blank)
    if not text:
        raise CorpusError([EMPTY_FILE.at(shown)])
    header = split_rows(text)[0][0]
    as_found = spec
    if sorted(header) == sorted(spec.header):
        # It is read as a table whose columns are declared in the order in which they are found.
        as_found = spec._replace(columns=tuple(map(spec.column, header)))
    table = parse_table(text.encode(), as_found, shown)
    if header == spec.header:
        wrong += form_findings(table)
    else:
        wrong += header_findings(list(header), spec, shown)
    positions = list(map(header.index, spec.header))
    rows = [picked(row, positions) for row in table.rows]
    return canonical_text(rows, spec), sorted(wrong)


def _fix_bytes(data: bytes, shown: str) -> tuple[bytes, list[Finding]]:
    """Remove mark and carriage returns, add the final newline; the findings name what was there.

    A lone carriage return is a line end only in a file that has no other; elsewhere it stays, for a
    person to judge.
    """
    wrong = []
    if data.startswith(BYTE_ORDER_MARK):
        wrong.append(HAS_BYTE_ORDER_MARK.at(shown, 1))
        data = data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data:
        old_end = b"\r\n" if b"\n" in data else b"\r"
        fixed = data.replace(old_end, b"\n")
        if b"\r" not in fixed:
            line = line_of(data.replace(b"\r\n", b"\n"), data.index(b"\r"))
            count = data.count(b"\r")
            wrong.append(CARRIAGE_RETURN.at(shown, line, count=count))
            data = fixed
    if data and not data.endswith((b"\n", b"\r")):
        last = line_of(data, len(data))
        wrong.append(NO_FINAL_NEWLINE.at(shown, last))
        data += b"\n"
    return data, wrong


def fix_files(data: str, book: Codebook) -> tuple[dict[str, str], list[Finding], list[Finding]]:
    """Fix every declared table of a data folder in memory; see :func:`fix_table`.

    Returns
    -------
    texts : dict of str to str
        Path of each table that changes -> its canonical text.
    wrong : list of Finding
        What was wrong and is fixed.
    broken : list of Finding
        What a person must fix first.
    """
    texts = {}
    wrong, broken = [], []
    for spec in book.tables.values():
        path = os.path.join(data, spec.file)
        shown = shown_path(path)
        content, findings = read_bytes(path, shown)
        if findings:
            broken += findings
            continue
        try:
            text, found = fix_table(content, spec, shown)
        except CorpusError as error:
            broken += error.findings
            continue
        wrong += found
        if text.encode() != content:
            texts[path] = text
    return texts, wrong, broken
