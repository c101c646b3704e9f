"""The form of a table's file: what differs from the canonical form, and the mending of what can be mended safely."""

from __future__ import annotations

import os
import unicodedata
from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.table import Row, Table
from corpus.tables import table_rules as rules
from corpus.tables.content import decode, read_bytes
from corpus.tables.header import header_findings
from corpus.tables.location import is_parquet, shown_path
from corpus.tables.reader import parse_table, split_rows, text_findings
from corpus.tables.writer import canonical_text, csv_text


class Mended(NamedTuple):
    """A table in canonical form (`text`), and what was `wrong` with the file before."""

    text: str
    wrong: list[Finding]


def form_findings(table: Table) -> list[Finding]:
    """Say where the text of a table leaves the canonical form: the first row out of order, the first odd line.

    Tables made in memory have no text and no findings.
    """
    if not table.text or table.text == canonical_text(table.rows, table.spec):
        return []
    findings = []
    keys = [table.key_of(_normal(row)) for row in table.rows]
    for previous, key, line in zip(keys, keys[1:], table.lines[1:], strict=False):
        if key < previous:
            other = ", ".join(previous)
            findings.append(rules.ROW_ORDER.at(table.file, line, table.spec.key[0], ", ".join(key), other=other))
            break
    return findings + _writing_findings(table)


def _normal(row: Row) -> Row:
    return tuple(unicodedata.normalize("NFC", cell) for cell in row)


def _writing_findings(table: Table) -> list[Finding]:
    """Find the first line whose characters or quotation marks are not the canonical ones."""
    if table.text == csv_text([table.spec.header, *map(_normal, table.rows)]):
        return []
    lines = table.text.split("\n")
    starts = [1, *table.lines, len(lines)]
    for row, start, end in zip([table.spec.header, *table.rows], starts, starts[1:], strict=True):
        if "\n".join(lines[start - 1 : end - 1]) + "\n" == csv_text([_normal(row)]):
            continue
        value = next((cell for cell in row if cell != unicodedata.normalize("NFC", cell)), "")
        what = "letters that are not in Unicode NFC" if value else "quotation marks that are not needed"
        return [rules.NOT_CANONICAL.at(table.file, start, value=value, what=what)]
    return []


def mend_table(data: bytes, spec: TableSpec, shown: str) -> Mended:
    """Bring the bytes of a table into canonical form.

    Mended are: byte order mark, line ends, a missing final newline, blank lines, the order of the columns, the order
    of the rows, needless quotation marks, decomposed letters. No cell is otherwise changed and no row is lost.

    Raises
    ------
    CorpusError
        With the findings (C101 to C117) that need a person.
    """
    data, wrong = _mend_bytes(data, shown)
    text, findings = decode(data, shown)
    findings = findings or text_findings(text, shown)
    if any(finding.code != rules.BLANK_LINE.code for finding in findings):
        raise CorpusError(findings)
    if findings:
        wrong += findings
        text = _without_lines(text, {finding.line for finding in findings})
    if not text:
        raise CorpusError([rules.EMPTY_FILE.at(shown)])
    header = split_rows(text)[0][0]
    if sorted(header) == sorted(spec.header) and header != spec.header:
        wrong += header_findings(list(header), spec, shown)
        found = parse_table(text.encode(), spec._replace(columns=tuple(map(spec.column, header))), shown)
        places = [header.index(name) for name in spec.header]
        rows = [tuple(row[place] for place in places) for row in found.rows]
        return Mended(canonical_text(rows, spec), wrong)
    table = parse_table(text.encode(), spec, shown)
    wrong += form_findings(table)
    return Mended(canonical_text(table.rows, spec), sorted(wrong))


def _mend_bytes(data: bytes, shown: str) -> tuple[bytes, list[Finding]]:
    """Remove mark and carriage returns, add the final newline; the findings name what was there.

    A lone carriage return is a line end only in a file that has no other; elsewhere it stays, for a person to judge.
    """
    wrong = []
    if data.startswith(b"\xef\xbb\xbf"):
        wrong.append(rules.BYTE_ORDER_MARK.at(shown, 1))
        data = data[3:]
    if b"\r" in data:
        mended = data.replace(b"\r\n", b"\n") if b"\n" in data else data.replace(b"\r", b"\n")
        if b"\r" not in mended:
            line = data.replace(b"\r\n", b"\n").count(b"\n", 0, data.index(b"\r")) + 1
            wrong.append(rules.CARRIAGE_RETURN.at(shown, line, count=data.count(b"\r")))
            data = mended
    if data and not data.endswith((b"\n", b"\r")) and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        wrong.append(rules.NO_FINAL_NEWLINE.at(shown, data.count(b"\n") + 1))
        data += b"\n"
    return data, wrong


def _without_lines(text: str, dropped: set[int]) -> str:
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in dropped)


class MendedFiles(NamedTuple):
    """What is to be written (path -> text), what was wrong before, and what a person must mend first."""

    texts: dict[str, str | bytes]
    wrong: list[Finding]
    broken: list[Finding]


def mend_files(data: str, book: Codebook) -> MendedFiles:
    """Mend every declared table of a data folder in memory; see :func:`mend_table`."""
    result = MendedFiles({}, [], [])
    for spec in book.tables.values():
        path = os.path.join(data, spec.file)
        shown = shown_path(path)
        if is_parquet(path):
            continue  # a binary table has one form only
        content, findings = read_bytes(path, shown)
        result.broken.extend(findings)
        if findings:
            continue
        try:
            mended = mend_table(content, spec, shown)
        except CorpusError as error:
            result.broken.extend(error.findings)
            continue
        result.wrong.extend(mended.wrong)
        if mended.text.encode() != content:
            result.texts[path] = mended.text
    return result
