"""The formats that can be imported: the only list of them, one reader each.

A reader is imported when its format is asked for. To add a format: a module with a function
``(text, shown) -> Records``, and a row here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from corpus.curation.importing.readers.records import Records


class ImportFormat(NamedTuple):
    """One format of foreign files.

    Attributes
    ----------
    name : str
        What the user types after ``--format``.
    module : str
        The module of this package that reads it.
    function : str
        Its reader: ``(text, shown) -> Records``, or ``(data, shown, sheet) -> Records`` for bytes.
    endings : tuple of str
        Endings of its files, in lower case.
    start : Pattern of str
        Found in the first characters of such a file, where its ending does not decide.
    reads_bytes : bool
        Whether it is not text.
    """

    name: str
    module: str
    function: str
    endings: tuple[str, ...]
    start: re.Pattern[str]
    reads_bytes: bool = False


_NEVER = re.compile(r"(?!)")

#: In the order in which the start of a file is compared with them: the surest patterns first. What
#: looks like nothing else is read as CSV.
_ALL = (
    ImportFormat(
        "excel", "excel", "read_excel", (".xlsx", ".xlsm"), re.compile(r"\APK\x03\x04"), True
    ),
    ImportFormat(
        "bibtex",
        "bibtex.bibtex",
        "read_bibtex",
        (".bib", ".bibtex"),
        re.compile(r"\A(?:%[^\n]*\n\s*)*@[A-Za-z]+\s*[{(]"),
    ),
    ImportFormat("ris", "ris", "read_ris", (".ris",), re.compile(r"\ATY {1,2}-")),
    ImportFormat(
        "wos",
        "tagged",
        "read_web_of_science",
        (".ciw", ".isi"),
        re.compile(r"\A(?:FN (?:Clarivate|Thomson|ISI)|PT [A-Z][a-z]*\n)"),
    ),
    ImportFormat("nbib", "tagged", "read_pubmed", (".nbib",), re.compile(r"\APMID *- ?[0-9]")),
    ImportFormat("enw", "tagged", "read_endnote", (".enw",), re.compile(r"\A%0 [A-Z]")),
    ImportFormat(
        "xml",
        "xml_records",
        "read_xml",
        (".xml",),
        re.compile(r"\A<(?:\?xml|xml|dblp\w*|result|!DOCTYPE dblp)\b"),
    ),
    ImportFormat(
        "jsonl",
        "structured",
        "read_json_lines",
        (".jsonl", ".ndjson"),
        re.compile(r"\A\{[^\n]*\}[^\S\n]*+\n\s*+\{"),
    ),
    ImportFormat("json", "structured", "read_json", (".json",), re.compile(r"\A[\[{]")),
    ImportFormat(
        "markdown",
        "markdown.markdown",
        "read_markdown",
        (".md", ".markdown"),
        re.compile(r"^#{1,6} |^[*-] \[|^\|[ :-]+\|", re.MULTILINE),
    ),
    ImportFormat(
        "yaml", "structured", "read_yaml", (".yaml", ".yml"), re.compile(r"\A(?:---\s*\n|- \w+:)")
    ),
    ImportFormat("tsv", "delimited", "read_tab_delimited", (".tsv", ".tab"), _NEVER),
    ImportFormat("csv", "delimited", "read_delimited", (".csv",), re.compile("")),
)


class Refused(NamedTuple):
    """What is not read: its endings, how it starts, its name, and what to export instead."""

    endings: tuple[str, ...]
    start: re.Pattern[bytes]
    what: str
    how: str


_NO_START = re.compile(rb"(?!)")
_FROM_ZOTERO = "in Zotero, export the collection as CSV, BibTeX or RIS"
_FROM_ENDNOTE = "in EndNote, choose File > Export and the style RefMan (RIS) Export, or XML"
_FROM_TEXT = "export the references of a reference manager as RIS, BibTeX or CSV"
#: In the order in which they are tried.
REFUSED = (
    Refused((".enl", ".enlx", ".enlp"), _NO_START, "a library of EndNote", _FROM_ENDNOTE),
    Refused((".rdf",), re.compile(rb"\A\s*<rdf:RDF"), "RDF", _FROM_ZOTERO),
    Refused(
        (".sqlite", ".sqlite3", ".db"),
        re.compile(rb"\ASQLite format 3"),
        "a database file",
        f"{_FROM_ZOTERO}; in Mendeley, as BibTeX, RIS or EndNote XML",
    ),
    Refused(
        (".xls",),
        re.compile(rb"\A\xd0\xcf\x11\xe0"),
        "a workbook or document of an old Office",
        "save it as .xlsx or CSV",
    ),
    Refused((".ods", ".numbers"), _NO_START, "a spreadsheet", "save it as .xlsx or CSV"),
    Refused((".docx", ".doc", ".odt", ".rtf"), _NO_START, "a text document", _FROM_TEXT),
    Refused((".pdf",), re.compile(rb"\A%PDF-"), "a PDF", _FROM_TEXT),
    Refused(
        (".html", ".htm"),
        re.compile(rb"\A\s*<(?:!DOCTYPE html|html)\b", re.IGNORECASE),
        "a web page",
        "export RIS, BibTeX or CSV on that site, or copy its table into a spreadsheet",
    ),
    Refused(
        (),
        re.compile(rb"\ART (?:Journal|Book|Conference|Generic|Report|Web|Diss)"),
        "the tagged format of RefWorks",
        "in RefWorks, export as RIS or BibTeX",
    ),
    Refused(
        (),
        re.compile(rb"\A\s*<\s*1\s*\.?\s*>"),
        "a list of Ovid",
        "in Ovid, export as RIS (or .csv, Excel)",
    ),
    Refused(
        (),
        re.compile(rb"\AScopus\s+EXPORT DATE"),
        "plain text of Scopus",
        "in Scopus, export as CSV, RIS or BibTeX",
    ),
)
FORMATS = {format_.name: format_ for format_ in _ALL}
_BY_ENDING: dict[str, ImportFormat] = {}
for _format in _ALL:
    _BY_ENDING.update(dict.fromkeys(_format.endings, _format))


def format_of(ending: str, data: bytes) -> ImportFormat:
    """Return the format of a file by the ending of its name, else by how it starts."""
    known = _BY_ENDING.get(ending.lower())
    if known is not None:
        return known
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    return next(format_ for format_ in _ALL if format_.start.search(start))


def refusal_of(ending: str, data: bytes) -> Refused | None:
    """Return what a file is that is not read, by the ending of its name, else by how it starts."""
    if ending.lower() in _BY_ENDING:
        return None
    for refused in REFUSED:
        if ending.lower() in refused.endings:
            return refused
    start = data[:200].removeprefix(b"\xef\xbb\xbf")
    for refused in REFUSED:
        if refused.start.search(start):
            return refused
    return None


def reader_of(format_: ImportFormat) -> Callable[..., Records]:
    """Return the function that reads a format; see :class:`ImportFormat` for its parameters."""
    module: Any = import_module(f"{__package__}.{format_.module}")
    reader: Callable[..., Records] = getattr(module, format_.function)
    return reader
