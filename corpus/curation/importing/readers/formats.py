"""The formats that can be imported: the only list of them, one reader each.

A reader is imported when its format is asked for. To add a format: a module with a function
``(text, shown) -> Records``, and a row here.
"""

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
    how : str
        What to export instead, where the format is not read: it has no reader then, and `name` is
        what people call it.
    """

    name: str
    reader: str
    endings: str
    start: str
    how: str = ""


# fmt: off
#: In the order in which the start of a file is compared with them: the surest patterns first. What
#: looks like nothing else is read as CSV.
_ROWS = (
    ("excel", "excel.read_excel", ".xlsx .xlsm", r"\APK\x03\x04"),
    ("bibtex", "bibtex.read_bibtex", ".bib .bibtex",
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
    ("markdown", "markdown.read_markdown", ".md .markdown",
     r"(?m)^#{1,6} |^[*-] \[|^\|[ :-]+\|"),
    ("yaml", "structured.read_yaml", ".yaml .yml", r"\A(?:---\s*\n|- \w+:)"),
    ("tsv", "delimited.read_tab_delimited", ".tsv .tab", ""),
    ("csv", "delimited.read_delimited", ".csv", r"\A"),
)
_SHEET = "save it as .xlsx or CSV"
_REFERENCES = "export the references of a reference manager as RIS, BibTeX or CSV"
#: In the order in which they are tried.
_REFUSED = (
    ("a library of EndNote", "", ".enl .enlx .enlp", "",
     "in EndNote, choose File > Export and the style RefMan (RIS) Export, or XML"),
    ("RDF", "", ".rdf", r"\A\s*<rdf:RDF",
     "in Zotero, export the collection as CSV, BibTeX or RIS"),
    ("a database file", "", ".sqlite .sqlite3 .db", r"\ASQLite format 3",
     "in Zotero or Mendeley, export the collection as BibTeX or RIS"),
    ("a workbook or document of an old Office", "", ".xls", "\\A\ufffd\ufffd\x11\ufffd", _SHEET),
    ("a spreadsheet", "", ".ods .numbers", "", _SHEET),
    ("a text document", "", ".docx .doc .odt .rtf", "", _REFERENCES),
    ("a PDF", "", ".pdf", r"\A%PDF-", _REFERENCES),
    ("a web page", "", ".html .htm", r"(?i)\A\s*<(?:!DOCTYPE html|html)\b",
     "export RIS, BibTeX or CSV on that site, or copy its table into a spreadsheet"),
    ("the tagged format of RefWorks", "", "", r"\ART (?:Journal|Book|Conf|Gen|Report|Web|Diss)",
     "in RefWorks, export as RIS or BibTeX"),
    ("plain text of Scopus", "", "", r"\AScopus\s+EXPORT DATE",
     "in Scopus, export as CSV, RIS or BibTeX"),
)
# fmt: on
FORMATS = {row[0]: ImportFormat(*row) for row in _ROWS}
_KNOWN = (*starmap(ImportFormat, _REFUSED), *FORMATS.values())


def format_of(ending: str, data: bytes) -> ImportFormat:
    """Return what a file is by the ending of its name, else by how it starts."""
    for known in _KNOWN:
        if ending.lower() in known.endings.split():
            return known
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    return next(known for known in _KNOWN if known.start and re.search(known.start, start))


def reader_of(format_: ImportFormat) -> Callable[..., Records]:
    """Return the function that reads a format; see :class:`ImportFormat` for its parameters."""
    module, _, function = format_.reader.rpartition(".")
    reader: Callable[..., Records] = getattr(import_module(f"{__package__}.{module}"), function)
    return reader
