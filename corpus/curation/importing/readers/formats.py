"""The formats that can be imported: the only list of them, one reader each.

A reader is imported when its format is asked for. To add a format: a module with a function
``(text, shown) -> Records``, and a row here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from itertools import starmap
from typing import NamedTuple

from corpus.curation.importing.readers.records import Records


class ImportFormat(NamedTuple):
    """One format of foreign files.

    Attributes
    ----------
    name : str
        What the user types after ``--format``.
    reader : str
        Module of this package and function that reads it: ``(text, shown) -> Records``, of
        workbooks ``(data, shown, sheet) -> Records``.
    endings : str
        Endings of its files, in lower case.
    start : str
        A pattern that is found in the first characters of such a file, where its ending does not
        decide; empty where it never does.
    """

    name: str
    reader: str
    endings: str
    start: str


class Refused(NamedTuple):
    """What is not read: its endings, how it starts, its name, and what to export instead."""

    endings: str
    start: str
    what: str
    how: str


# fmt: off
#: In the order in which the start of a file is compared with them: the surest patterns first. What
#: looks like nothing else is read as CSV.
_ROWS = (
    ("excel", "excel.read_excel", ".xlsx .xlsm", r"\APK\x03\x04"),
    ("bibtex", "bibtex.bibtex.read_bibtex", ".bib .bibtex",
     r"\A(?:%[^\n]*\n\s*)*@[A-Za-z]+\s*[{(]"),
    ("ris", "tagged.read_ris", ".ris", r"\ATY {1,2}-"),
    ("wos", "tagged.read_web_of_science", ".ciw .isi",
     r"\A(?:FN (?:Clar|Thom|ISI)|PT [A-Z][a-z]*\n)"),
    ("nbib", "tagged.read_pubmed", ".nbib", r"\APMID *- ?[0-9]"),
    ("enw", "tagged.read_endnote", ".enw", r"\A%0 [A-Z]"),
    ("ovid", "tagged.read_ovid", ".ovd .cgi", r"\A<[0-9]+\.? *> *\n"),
    ("xml", "xml_records.read_xml", ".xml", r"\A<(?:\?xml|xml|dblp\w*|result|!DOCTYPE dblp)\b"),
    ("jsonl", "structured.read_json_lines", ".jsonl .ndjson", r"\A\{[^\n]*\}[^\S\n]*+\n\s*+\{"),
    ("json", "structured.read_json", ".json", r"\A[\[{]"),
    ("markdown", "markdown.markdown.read_markdown", ".md .markdown",
     r"(?m)^#{1,6} |^[*-] \[|^\|[ :-]+\|"),
    ("yaml", "structured.read_yaml", ".yaml .yml", r"\A(?:---\s*\n|- \w+:)"),
    ("tsv", "delimited.read_tab_delimited", ".tsv .tab", ""),
    ("csv", "delimited.read_delimited", ".csv", r"\A"),
)
_SHEET = "save it as .xlsx or CSV"
_REFERENCES = "export the references of a reference manager as RIS, BibTeX or CSV"
#: In the order in which they are tried.
_REFUSED_ROWS = (
    (".enl .enlx .enlp", "", "a library of EndNote",
     "in EndNote, choose File > Export and the style RefMan (RIS) Export, or XML"),
    (".rdf", r"\A\s*<rdf:RDF", "RDF", "in Zotero, export the collection as CSV, BibTeX or RIS"),
    (".sqlite .sqlite3 .db", r"\ASQLite format 3", "a database file",
     "in Zotero or Mendeley, export the collection as BibTeX or RIS"),
    (".xls", "\\A\ufffd\ufffd\x11\ufffd", "a workbook or document of an old Office", _SHEET),
    (".ods .numbers", "", "a spreadsheet", _SHEET),
    (".docx .doc .odt .rtf", "", "a text document", _REFERENCES),
    (".pdf", r"\A%PDF-", "a PDF", _REFERENCES),
    (".html .htm", r"(?i)\A\s*<(?:!DOCTYPE html|html)\b", "a web page",
     "export RIS, BibTeX or CSV on that site, or copy its table into a spreadsheet"),
    ("", r"\ART (?:Journal|Book|Conf|Gen|Report|Web|Diss)", "the tagged format of RefWorks",
     "in RefWorks, export as RIS or BibTeX"),
    ("", r"\AScopus\s+EXPORT DATE", "plain text of Scopus",
     "in Scopus, export as CSV, RIS or BibTeX"),
)
# fmt: on
FORMATS = {row[0]: ImportFormat(*row) for row in _ROWS}
REFUSED = tuple(starmap(Refused, _REFUSED_ROWS))


def format_of(ending: str, data: bytes) -> ImportFormat | Refused:
    """Return what a file is by the ending of its name, else by how it starts."""
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    kinds: tuple[ImportFormat | Refused, ...] = (*REFUSED, *FORMATS.values())
    for kind in kinds:
        if ending.lower() in kind.endings.split():
            return kind
    return next(kind for kind in kinds if kind.start and re.search(kind.start, start))


def reader_of(format_: ImportFormat) -> Callable[..., Records]:
    """Return the function that reads a format; see :class:`ImportFormat` for its parameters."""
    module, _, function = format_.reader.rpartition(".")
    reader: Callable[..., Records] = getattr(import_module(f"{__package__}.{module}"), function)
    return reader
