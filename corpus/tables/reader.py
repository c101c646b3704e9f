"""The strict reader: every cell a string, an exact header, the line of each row; or findings."""

import csv
import io
from collections.abc import Iterator
from itertools import accumulate

from corpus.model.codebook import TableSpec
from corpus.model.finding import CorpusError, Finding, Rule, closest
from corpus.model.table import MAX_CELL, MAX_COLUMNS, Row, Table
from corpus.tables.content import decode, line_of, marker_findings, quote_problem, read_bytes
from corpus.tables.terms import duplicate_key_findings, long_cell_finding

NO_FINAL_NEWLINE = Rule(
    "C109",
    "the last line does not end with a newline",
    "add a newline at the end, or run `corpus fmt`",
    title="No final newline",
    reason="The file may have been cut, and the next row would touch the last line.",
)
BLANK_LINE = Rule(
    "C110",
    "the line is empty",
    "remove the line",
    title="Blank line",
    reason="Readers disagree about whether a blank line is a row.",
)
FIELD_COUNT = Rule(
    "C114",
    "{found} cells where the header has {expected}",
    "{advice}",
    title="Wrong number of cells",
    reason="One cell too many or too few shifts the cells behind it into other columns.",
)
MISSING_COLUMN = Rule(
    "C115",
    "column {column} is not in the header",
    "the header must be exactly: {header}",
    title="Missing column",
    reason="The codebook declares the columns; tools rely on all of them.",
)
UNKNOWN_COLUMN = Rule(
    "C116",
    "column {value} is not declared in the codebook",
    "{advice}",
    title="Unknown column",
    reason="Without a definition in the codebook a column has no agreed meaning.",
)
DUPLICATE_COLUMN = Rule(
    "C117",
    "column {value} is in the header more than once",
    "remove one of the two columns",
    title="Duplicate column",
    reason="Two columns of one name hide each other.",
)
COLUMN_ORDER = Rule(
    "C118",
    "column {value} is at position {found}, not at {expected}",
    "the header must be exactly: {header}; `corpus fmt` puts columns in order",
    title="Misplaced column",
    reason="A fixed order keeps every change small and every file readable by eye.",
)
TOO_MANY_COLUMNS = Rule(
    "C124",
    "the header has {found} columns, more than the {limit} that a table may have",
    "write what repeats as rows of a second table",
    title="Too many columns",
    reason="Databases and spreadsheets refuse wider tables.",
)


# The longest cell is looked for by Python, so that it becomes a finding; csv itself stops at
# 131,072 characters.
_NO_LIMIT = 2**31 - 1


def read_table(path: str, spec: TableSpec, shown: str) -> Table:
    """Read one table strictly.

    Parameters
    ----------
    path : str
        File to read.
    spec : TableSpec
        Its declaration.
    shown : str
        Path as it is written into findings.

    Raises
    ------
    CorpusError
        With every structural finding (C101 to C118, C121 to C124); no table is returned then.
    """
    data, findings = read_bytes(path, shown)
    if findings:
        raise CorpusError(findings)
    return parse_table(data, spec, shown)


def parse_table(data: bytes, spec: TableSpec, shown: str) -> Table:
    """Read one table from bytes; see :func:`read_table`."""
    text, findings = decode(data, shown)
    if not findings:
        findings = text_findings(text, shown)
    if findings:
        raise CorpusError(findings)
    rows, lines = split_rows(text)
    header = list(rows.pop(0))
    lines.pop(0)
    table = Table(spec, shown, rows, lines, text)
    # Each look is worth something only where the one before found nothing: cells of a wrong header
    # have no column.
    findings = (
        header_findings(header, spec, shown)
        or [*_length_findings(table)]
        or [*_long_cell_findings(table)]
    )
    if findings:
        raise CorpusError(findings)
    return table


def text_findings(text: str, shown: str) -> list[Finding]:
    """Find conflict markers, wrong quoting, blank lines and a missing end (C109 to C113)."""
    findings = marker_findings(text, shown)
    if findings:
        return findings
    problem = quote_problem(text)
    if problem:
        findings.append(_quote_finding(text, *problem, shown))
    elif "\n\n" in text or text.startswith("\n"):
        # Only with valid quoting can blank lines be told from those within cells.
        # csv yields an empty row for each line that is empty outside quoted cells.
        for row, line in zip(*split_rows(text), strict=True):
            if not row:
                findings.append(BLANK_LINE.at(shown, line))
    if not text.endswith("\n"):
        findings.append(NO_FINAL_NEWLINE.at(shown, line_of(text, len(text))))
    return findings


def _quote_finding(text: str, position: int, rule: Rule, shown: str) -> Finding:
    """Make the finding (C111, C112) about the first quotation mark that is not valid."""
    char = position - text.rfind("\n", 0, position)
    value = text[position : position + 40].split("\n")[0]
    return rule.at(shown, line_of(text, position), value=value, char=char)


def split_rows(text: str) -> tuple[list[Row], list[int]]:
    """Split a text with valid quoting into rows, and the 1-based lines on which they start."""
    csv.field_size_limit(_NO_LIMIT)
    reader = csv.reader(io.StringIO(text, newline="\n"), strict=True)
    rows = list(map(tuple, reader))
    if reader.line_num == len(rows):
        return rows, list(range(1, len(rows) + 1))
    # A cell with line breaks makes its row that many lines higher.
    heights = []
    for row in rows[:-1]:
        heights.append(sum(cell.count("\n") for cell in row) + 1)
    return rows, list(accumulate(heights, initial=1))


def header_findings(found: list[str], spec: TableSpec, shown: str) -> list[Finding]:
    """Find the columns that are missing, unknown, duplicate or misplaced (C115 to C118, C124)."""
    declared = list(spec.header)
    if found == declared:
        return []
    if len(found) > MAX_COLUMNS:
        number = f"{len(found):,}"
        return [TOO_MANY_COLUMNS.at(shown, 1, found=number, limit=f"{MAX_COLUMNS:,}")]
    exact = ",".join(declared)
    findings = []
    for name in dict.fromkeys(found):
        if found.count(name) > 1:
            findings.append(DUPLICATE_COLUMN.at(shown, 1, name, name))
        if name not in declared:
            advice = f"the header must be exactly: {exact}"
            for nearest in closest(name.strip(), declared):
                advice = f"did you mean {nearest!r}?"
            findings.append(UNKNOWN_COLUMN.at(shown, 1, name, name, advice=advice))
    for name in declared:
        if name not in found:
            findings.append(MISSING_COLUMN.at(shown, 1, name, header=exact))
    if not findings:
        # The first column that should be at another place.
        position = list(map(str.__eq__, found, declared)).index(False)
        name = found[position]
        places = {"found": position + 1, "expected": declared.index(name) + 1}
        findings.append(COLUMN_ORDER.at(shown, 1, name, name, header=exact, **places))
    return findings


def _length_findings(table: Table) -> Iterator[Finding]:
    """Find the rows that have more or fewer cells than the header (C114)."""
    expected = len(table.spec.columns)
    # One pass in C: nearly every table has no such row.
    if set(map(len, table.rows)) <= {expected}:
        return
    for row, line in table.located_rows():
        if len(row) == expected:
            continue
        advice = "an empty cell still needs its comma"
        if len(row) > expected:
            advice = "put a cell that holds a comma in quotation marks"
        yield FIELD_COUNT.at(table.file, line, found=len(row), expected=expected, advice=advice)


def _long_cell_findings(table: Table) -> Iterator[Finding]:
    """Find the cells that are longer than `MAX_CELL` characters (C123)."""
    if len(table.text) <= MAX_CELL:
        return
    for row, line in table.located_rows():
        if sum(map(len, row)) <= MAX_CELL:
            continue
        for name, cell in zip(table.spec.header, row, strict=True):
            if len(cell) > MAX_CELL:
                yield long_cell_finding(table.file, line, name, cell[:80], len(cell))


def unique_key_findings(table: Table) -> list[Finding]:
    """Find the rows that repeat the key of an earlier row (C301)."""
    return duplicate_key_findings(table.keys(), table.spec, table.file, table.lines.__getitem__)
