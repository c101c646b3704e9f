"""Read any foreign file: what it is, told by its ending or by how it starts, and then by the reader of that format."""

from __future__ import annotations

import os
import re

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.content import decode_foreign, read_foreign_bytes
from corpus.curation.importing.readers.records import Records, without_long_cells
from corpus.curation.importing.readers.screening_notes import split_screening_notes
from corpus.model.finding import CorpusError
from corpus.model.limits import MAX_COLUMNS

FORMATS = ("csv", "tsv", "excel", "json", "jsonl", "yaml", "bibtex", "ris", "markdown")
_ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".ris": "ris",
    ".md": "markdown",
    ".markdown": "markdown",
}


def read_foreign(
    path: str, shown: str, *, name: str | None = None, encoding: str | None = None, sheet: str | None = None
) -> Records:
    """Read the records of a file that another program wrote.

    Parameters
    ----------
    path : str
        The file.
    shown : str
        Its name in findings.
    name : str, optional
        One of :data:`FORMATS`; told from the file where not given.
    encoding : str, optional
        Encoding of a text file; recognised where not given.
    sheet : str, optional
        Sheet of a workbook.

    Raises
    ------
    CorpusError
        I101 to I105 and I108 where there is nothing to import.
    """
    data = read_foreign_bytes(path, shown)
    kind = name or _ENDINGS.get(os.path.splitext(path)[1].lower()) or _told(data)
    if kind == "excel":
        from corpus.curation.importing.readers.excel import read_excel

        records = read_excel(data, shown, sheet)
    else:
        text, remark = decode_foreign(data, shown, encoding)
        records = _read_text(kind, text, shown)
        if remark:
            records.remarks.insert(0, remark)
    records = without_long_cells(records, shown)
    if len(records.columns) > MAX_COLUMNS:
        found, limit = f"{len(records.columns):,}", f"{MAX_COLUMNS:,}"
        raise CorpusError([rules.TOO_WIDE.at(shown, found=found, limit=limit)])
    if not records.rows:
        raise CorpusError([*records.findings, rules.NO_RECORDS.at(shown, format=records.format)])
    return split_screening_notes(records)


def _told(data: bytes) -> str:
    """Tell the format from how the file starts."""
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    if data.startswith(b"PK\x03\x04"):
        return "excel"
    if re.match(r"(?:%[^\n]*\n\s*)*@[A-Za-z]+\s*[{(]", start):
        return "bibtex"
    if start.startswith("TY  -"):
        return "ris"
    if start.startswith("{") and re.match(r"\{[^\n]*\}[^\S\n]*+\n\s*+\{", start):
        return "jsonl"
    if start.startswith(("[", "{")):
        return "json"
    if re.search(r"^#{1,6} |^[*-] \[|^\|[ :-]+\|", start, re.MULTILINE):
        return "markdown"
    if re.match(r"---\s*\n|- \w+:", start):
        return "yaml"
    return "csv"


def _read_text(kind: str, text: str, shown: str) -> Records:
    from corpus.curation.importing.readers import delimited, markdown, reference_files, structured

    if kind == "tsv":
        return delimited.read_delimited(text, shown, "\t")
    readers = {
        "csv": delimited.read_delimited,
        "json": structured.read_json,
        "jsonl": structured.read_json_lines,
        "yaml": structured.read_yaml,
        "bibtex": reference_files.read_bibtex,
        "ris": reference_files.read_ris,
        "markdown": markdown.read_markdown,
    }
    return readers[kind](text, shown)
