"""The formats: which module writes each, and how its output is called. A format is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Table

#: What a format writes: one file for the corpus, one file a table, or a folder.
FILE, TABLE, FOLDER = "file", "table", "folder"


class ExportFormat(NamedTuple):
    """One export format.

    Attributes
    ----------
    name : str
        What the user types.
    kind : str
        ``file``: its module has ``export(corpus) -> bytes``; ``table``: ``export_table(corpus, table) -> bytes``;
        ``folder``: ``files(corpus) -> {path: bytes}``.
    module : str
        Where it is.
    output : str
        Name of the file, ending of the files, or the main file of the folder.
    title : str
        One line for help and documentation.
    """

    name: str
    kind: str
    module: str
    output: str
    title: str


FORMATS = {
    format_.name: format_
    for format_ in (
        ExportFormat("bibtex", FILE, "bibtex", "pool.bib", "BibTeX; keys are the pool's keys"),
        ExportFormat("csl-json", FILE, "csl_json", "pool.csl.json", "CSL-JSON for Zotero, Pandoc, citation processors"),
        ExportFormat("ris", FILE, "ris", "pool.ris", "RIS for EndNote, Mendeley, Covidence, Rayyan"),
        ExportFormat("json", FILE, "json", "corpus.json", "the whole corpus with its codebook as JSON"),
        ExportFormat("jsonl", TABLE, "json_lines", ".jsonl", "JSON Lines, one typed object a row"),
        ExportFormat("parquet", TABLE, "parquet", ".parquet", "Parquet, typed, codebook in the metadata"),
        ExportFormat("sqlite", FILE, "sqlite", "corpus.sqlite", "SQLite with foreign keys and full-text index"),
        ExportFormat(
            "csv-excel", TABLE, "spreadsheet", ".csv", "CSV that a spreadsheet opens without running or guessing"
        ),
        ExportFormat("data-package", FOLDER, "data_package", "datapackage.json", "Frictionless Data Package 2"),
        ExportFormat("croissant", FOLDER, "croissant", "croissant.json", "Croissant 1.1 with Parquet files"),
        ExportFormat("hugging-face", FOLDER, "hugging_face", "README.md", "Hugging Face dataset with card"),
        ExportFormat("zenodo", FOLDER, "zenodo", ".zenodo.json", "Zenodo deposit with checksums"),
    )
}


def export_bytes(name: str, corpus: Study, table: str | None = None) -> bytes:
    """Return what a format writes into one file; of a folder its main file, of a table format the table named.

    Parameters
    ----------
    name : str
        A key of :data:`FORMATS`.
    corpus : Study
        What to export.
    table : str, optional
        The table for formats of kind ``table``; the pool where not given.

    Raises
    ------
    UsageProblem
        For an unknown table, or one named for a format that writes all tables.
    CorpusError
        Where the corpus cannot be written in the format (X101 to X105).
    """
    format_ = FORMATS[name]
    if format_.kind == TABLE:
        return bytes(_function(format_, "export_table")(corpus, _table(corpus, table)))
    if table is not None:
        raise UsageProblem(f"{name} holds the whole corpus; --table is for {', '.join(_of_kind(TABLE))}")
    if format_.kind == FILE:
        return bytes(_function(format_, "export")(corpus))
    found: dict[str, bytes] = _function(format_, "files")(corpus)
    return found[format_.output]


def export_files(name: str, corpus: Study) -> dict[str, bytes]:
    """Return everything that a format writes, as relative path -> content; see :func:`export_bytes`."""
    format_ = FORMATS[name]
    if format_.kind == FOLDER:
        found: dict[str, bytes] = _function(format_, "files")(corpus)
        return found
    if format_.kind == TABLE:
        return {f"{table}{format_.output}": export_bytes(name, corpus, table) for table in corpus.tables}
    return {format_.output: export_bytes(name, corpus)}


def export_all(corpus: Study) -> dict[str, bytes]:
    """Return every format: single files at the top, the others each in a folder of the format's name."""
    found = {}
    for name, format_ in FORMATS.items():
        folder = "" if format_.kind == FILE else f"{name}/"
        found.update({f"{folder}{path}": content for path, content in export_files(name, corpus).items()})
    return found


def _of_kind(kind: str) -> list[str]:
    return [name for name, format_ in FORMATS.items() if format_.kind == kind]


def _table(corpus: Study, name: str | None) -> Table:
    wanted = corpus.pool.spec.name if name is None else name
    if wanted not in corpus.tables:
        raise UsageProblem(f"there is no table {wanted!r}; the tables are {', '.join(corpus.tables)}")
    return corpus.tables[wanted]


def _function(format_: ExportFormat, attribute: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(f"corpus.publishing.export.{format_.module}"), attribute)
    return function
