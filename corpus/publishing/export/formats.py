"""The formats of `corpus export`: the only list of them.

Help, choices and documentation are read from it. A format's module is imported when the format is
asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.suggestions import unknown

#: What a format writes: one file for the corpus, one file per table, or a folder.
FILE, TABLE, FOLDER = "file", "table", "folder"
#: The function that the module of a format has, by kind.
_FUNCTIONS = {FILE: "export", TABLE: "export_table", FOLDER: "files"}


class ExportFormat(NamedTuple):
    """One export format.

    Attributes
    ----------
    name : str
        What the user types.
    kind : str
        ``file``: its module has ``export(study) -> bytes``; ``table``: ``export_table(study, table)
        -> bytes``; ``folder``: ``files(study) -> {path: bytes}``.
    module : str
        The module of this package that writes it, with its folder.
    output : str
        Name of the file, ending of the files, or the main file of the folder.
    title : str
        One line for help and documentation.
    binary : bool
        Whether the output is not text, so that a terminal cannot show it.
    """

    name: str
    kind: str
    module: str
    output: str
    title: str
    binary: bool = False


_ALL = (
    ExportFormat(
        "bibtex",
        FILE,
        "bibliography.bibtex",
        "pool.bib",
        "BibTeX; keys are the pool's keys, tags are keywords",
    ),
    ExportFormat(
        "csl-json",
        FILE,
        "bibliography.csl_json",
        "pool.csl.json",
        "CSL-JSON for Zotero, Pandoc, citation processors",
    ),
    ExportFormat(
        "ris", FILE, "bibliography.ris", "pool.ris", "RIS for EndNote, Mendeley, Covidence, Rayyan"
    ),
    ExportFormat(
        "json", FILE, "tables.json", "corpus.json", "the whole corpus with its codebook as JSON"
    ),
    ExportFormat("jsonl", TABLE, "tables.json", ".jsonl", "JSON Lines, one typed object per row"),
    ExportFormat(
        "parquet",
        TABLE,
        "tables.parquet",
        ".parquet",
        "Parquet, typed, codebook in the metadata",
        binary=True,
    ),
    ExportFormat(
        "sqlite",
        FILE,
        "tables.sqlite",
        "corpus.sqlite",
        "SQLite with foreign keys and full-text index",
        binary=True,
    ),
    ExportFormat(
        "xlsx",
        FILE,
        "tables.workbook",
        "corpus.xlsx",
        "Excel workbook, every table a sheet, vocabularies as dropdowns",
        binary=True,
    ),
    ExportFormat(
        "awesome", FILE, "texts.awesome", "list.md", "Markdown list with a heading per group"
    ),
    ExportFormat(
        "atom",
        FILE,
        "texts.atom",
        "feed.atom",
        "Atom feed of the entries, newest publication first",
    ),
    ExportFormat(
        "skos", FILE, "datasets.skos", "codebook.ttl", "SKOS of the vocabularies, as Turtle"
    ),
    ExportFormat("ro-crate", FOLDER, "datasets.ro_crate", "ro-crate-metadata.json", "RO-Crate 1.1"),
    ExportFormat(
        "data-package",
        FOLDER,
        "datasets.data_package",
        "datapackage.json",
        "Frictionless Data Package 2",
    ),
    ExportFormat(
        "croissant",
        FOLDER,
        "datasets.croissant",
        "croissant.json",
        "Croissant 1.1 with Parquet files",
    ),
    ExportFormat(
        "hugging-face",
        FOLDER,
        "datasets.hugging_face",
        "README.md",
        "Hugging Face dataset with card",
    ),
    ExportFormat(
        "zenodo", FOLDER, "datasets.zenodo", ".zenodo.json", "Zenodo deposit with checksums"
    ),
)
FORMATS = {format_.name: format_ for format_ in _ALL}


def names_of_kind(kind: str) -> list[str]:
    """Return the names of the formats that write a file, a file per table, or a folder."""
    return [name for name, format_ in FORMATS.items() if format_.kind == kind]


def export_bytes(name: str, study: Study, table: str | None = None) -> bytes:
    """Return what a format writes into one file; of a folder, its main file.

    Parameters
    ----------
    name : str
        A key of :data:`FORMATS`.
    study : Study
        What to export.
    table : str, optional
        The table for formats of kind ``table``; the pool where not given.

    Raises
    ------
    UsageProblem
        For an unknown table, or one named for a format that writes all tables.
    CorpusError
        Where the corpus cannot be written in the format (X101 to X107).
    """
    format_ = FORMATS[name]
    if table is not None and format_.kind != TABLE:
        raise UsageProblem(
            f"{name} has the whole corpus; --table is for {', '.join(names_of_kind(TABLE))}"
        )
    if format_.kind == TABLE:
        if table is not None and table not in study.tables:
            raise UsageProblem(unknown("table", table, study.tables))
        return bytes(_function(format_)(study, study.tables[table] if table else study.pool))
    if format_.kind == FILE:
        return bytes(_function(format_)(study))
    return _folder(format_, study)[format_.output]


def export_files(name: str, study: Study) -> dict[str, bytes]:
    """Return all that a format writes, as relative path -> content; see :func:`export_bytes`."""
    format_ = FORMATS[name]
    if format_.kind == FOLDER:
        return _folder(format_, study)
    if format_.kind == TABLE:
        return {
            f"{table}{format_.output}": export_bytes(name, study, table) for table in study.tables
        }
    return {format_.output: export_bytes(name, study)}


def export_all(study: Study) -> dict[str, bytes]:
    """Return every format; one that is not a single file is in a folder of its name."""
    found = {}
    for name, format_ in FORMATS.items():
        folder = "" if format_.kind == FILE else f"{name}/"
        for path, content in export_files(name, study).items():
            found[f"{folder}{path}"] = content
    return found


def _folder(format_: ExportFormat, study: Study) -> dict[str, bytes]:
    files: dict[str, bytes] = _function(format_)(study)
    return files


def _function(format_: ExportFormat) -> Callable[..., Any]:
    module = import_module(f"{__package__}.{format_.module}")
    function: Callable[..., Any] = getattr(module, _FUNCTIONS[format_.kind])
    return function
