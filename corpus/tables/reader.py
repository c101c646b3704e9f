"""The strict reader: every cell a string, the header exact, the line of each row kept; or findings and no table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from itertools import accumulate
from operator import itemgetter

from corpus.model.codebook import TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row, Table
from corpus.tables import table_rules as rules
from corpus.tables.content import decode, read_bytes
from corpus.tables.header import header_findings
from corpus.tables.location import is_parquet
from corpus.tables.quoting import quote_problem

_CONFLICT = r"^(?:<<<<<<< |=======$|>>>>>>> |\|\|\|\|\|\|\| )"
MARKS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")


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
        With every structural finding (C101 to C118, C123, C124); no table is returned then.
    """
    data, findings = read_bytes(path, shown)
    if findings:
        if is_parquet(path):
            from corpus.tables.fast.parquet import read_parquet  # imports pyarrow, which few need

            stand_in, shown = (name.removesuffix(".csv") + ".parquet" for name in (path, shown))
            return read_parquet(stand_in, spec, shown)
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
    findings = header_findings(header, spec, shown)
    if not findings:
        findings = _length_findings(rows, lines, spec, shown)
    if not findings and _may_have_long_cells(text, len(rows)):
        findings = long_cell_findings(rows, lines, spec, shown)
    if findings:
        raise CorpusError(findings)
    return Table(spec, shown, rows, lines, text)


def text_findings(text: str, shown: str) -> list[Finding]:
    """What is wrong with the text as such: conflict markers, quotes, blank lines, the end."""
    findings = marker_findings(text, shown)
    if findings:
        return findings
    problem = quote_problem(text) if '"' in text else None
    if problem:
        rule = rules.UNCLOSED_QUOTE if problem.unclosed else rules.STRAY_QUOTE
        char = problem.position - text.rfind("\n", 0, problem.position)
        value = text[problem.position : problem.position + 40].split("\n")[0]
        findings.append(rule.at(shown, _line(text, problem.position), value=value, char=char))
    elif "\n\n" in text or text.startswith("\n"):
        findings += [rules.BLANK_LINE.at(shown, line) for line in _blank_lines(text)]
    if not text.endswith("\n"):
        findings.append(rules.NO_FINAL_NEWLINE.at(shown, _line(text, len(text))))
    return findings


def marker_findings(text: str, shown: str) -> list[Finding]:
    """Say where version control left its conflict markers (C113)."""
    if not any(mark in text for mark in MARKS):
        return []
    return [
        rules.MERGE_MARKER.at(shown, _line(text, match.start()), value=match.group().strip())
        for match in re.finditer(_CONFLICT, text, re.MULTILINE)
    ]


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _blank_lines(text: str) -> list[int]:
    """Lines that are empty outside quoted cells; csv yields an empty row for each."""
    rows, lines = split_rows(text)
    return [line for row, line in zip(rows, lines, strict=True) if not row]


def split_rows(text: str) -> tuple[list[Row], list[int]]:
    """Split a text with sound quoting into rows and the line on which each starts."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline="\n"), strict=True)
    rows = list(map(tuple, reader))
    if reader.line_num == len(rows):
        return rows, list(range(1, len(rows) + 1))
    heights = (1 + sum(cell.count("\n") for cell in row) for row in rows[:-1])
    return rows, list(accumulate(heights, initial=1))


def _length_findings(rows: list[Row], lines: list[int], spec: TableSpec, shown: str) -> list[Finding]:
    expected = len(spec.columns)
    if not rows or set(map(len, rows)) == {expected}:
        return []
    findings = []
    for row, line in zip(rows, lines, strict=True):
        if len(row) != expected:
            advice = (
                "a cell that holds a comma must stand in quotation marks"
                if len(row) > expected
                else "an empty cell still needs its comma"
            )
            findings.append(rules.FIELD_COUNT.at(shown, line, found=len(row), expected=expected, advice=advice))
    return findings


def _may_have_long_cells(text: str, rows: int) -> bool:
    """Whether a row may be longer than a cell may be; a look at one place per limit instead of at every cell."""
    if len(text) <= MAX_CELL:
        return False
    if text.count("\n") > rows + 1:  # some cells have several lines
        return True
    start = 0
    while len(text) - start > MAX_CELL:
        end = text.rfind("\n", start, start + MAX_CELL)
        if end < start:
            return True
        start = end + 1
    return False


def long_cell_findings(rows: Iterable[Row], lines: Iterable[int], spec: TableSpec, shown: str) -> list[Finding]:
    """Name the cells that are longer than `MAX_CELL` characters (C123)."""
    findings = []
    for row, line in zip(rows, lines, strict=True):
        if sum(map(len, row)) <= MAX_CELL:
            continue
        for column, cell in zip(spec.header, row, strict=True):
            if len(cell) > MAX_CELL:
                length, limit = f"{len(cell):,}", f"{MAX_CELL:,}"
                found = rules.CELL_TOO_LONG.at(shown, line, column, cell[:80], length=length, limit=limit)
                findings.append(found)
    return findings


def unique_key_findings(table: Table) -> list[Finding]:
    """Say which rows repeat the key of an earlier row (C301)."""
    pick = itemgetter(*(table.spec.position(name) for name in table.spec.key))
    if len(set(map(pick, table.rows))) == len(table.rows):
        return []
    first: dict[object, int] = {}
    findings = []
    for row, line in zip(table.rows, table.lines, strict=True):
        key = pick(row)
        if key in first:
            value = key if isinstance(key, str) else ", ".join(key)
            column = ", ".join(table.spec.key)
            findings.append(rules.DUPLICATE_KEY.at(table.file, line, column, value, first=first[key]))
        else:
            first[key] = line
    return findings
