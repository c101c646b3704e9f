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
        Whether it is no text.
    """

    name: str
    module: str
    function: str
    endings: tuple[str, ...]
    start: re.Pattern[str]
    reads_bytes: bool = False


_NEVER = re.compile(r"(?!)")

#: In the order in which the start of a file is compared with them: the surest signs first. What
#: looks like nothing else is read as CSV.
_ALL = (
    ImportFormat(
        "excel", "excel", "read_excel", (".xlsx", ".xlsm"), re.compile(r"\APK\x03\x04"), True
    ),
    ImportFormat(
        "bibtex",
        "bibtex",
        "read_bibtex",
        (".bib", ".bibtex"),
        re.compile(r"\A(?:%[^\n]*\n\s*)*@[A-Za-z]+\s*[{(]"),
    ),
    ImportFormat("ris", "ris", "read_ris", (".ris",), re.compile(r"\ATY  -")),
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
        "markdown",
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
FORMATS = {format_.name: format_ for format_ in _ALL}
_BY_ENDING = {ending: format_ for format_ in _ALL for ending in format_.endings}


def format_of(ending: str, data: bytes) -> ImportFormat:
    """Return the format of a file by the ending of its name, else by how it starts."""
    known = _BY_ENDING.get(ending.lower())
    if known is not None:
        return known
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    return next(format_ for format_ in _ALL if format_.start.search(start))


def reader_of(format_: ImportFormat) -> Callable[..., Records]:
    """Return the function that reads a format; see :class:`ImportFormat` for its parameters."""
    module: Any = import_module(f"{__package__}.{format_.module}")
    reader: Callable[..., Records] = getattr(module, format_.function)
    return reader
