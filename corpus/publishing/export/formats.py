"""The formats of `corpus export`: help, choices and documentation are read from this list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study
from corpus.publishing.export.bibliography import bibtex, csl_json, ris
from corpus.publishing.export.croissant import croissant
from corpus.publishing.export.feed import atom
from corpus.publishing.export.packages import data_package
from corpus.publishing.export.sqlite import sqlite
from corpus.publishing.export.typed_tables import pandera_schema, parquet, whole_json

#: What a format writes: one file for the corpus, one file per table, or a folder.
FILE, TABLE, FOLDER = "file", "table", "folder"


@dataclass(frozen=True)
class ExportFormat:
    """One export format.

    Attributes
    ----------
    kind : str
        :data:`FILE`, :data:`TABLE` or :data:`FOLDER`.
    make : callable
        Takes a study, of the kind table a study and a table, and returns a text or bytes, of the
        kind folder path -> text or bytes.
    output : str
        Name of the file, ending of the files, or the main file of the folder.
    title : str
        One line for help and documentation.
    """

    kind: str
    make: Callable[..., Any]
    output: str
    title: str


def _workbook(study: Study) -> bytes:
    # Importing openpyxl takes as long as writing any other format.
    from corpus.publishing.export.workbook import workbook

    return workbook(study)


# fmt: off
FORMATS = {
    "bibtex": ExportFormat(FILE, bibtex, "pool.bib",
        "BibTeX; keys are the pool's keys, tags are keywords"),
    "csl-json": ExportFormat(FILE, csl_json, "pool.csl.json",
        "CSL-JSON for Zotero, Pandoc, citation processors"),
    "ris": ExportFormat(FILE, ris, "pool.ris", "RIS for EndNote, Mendeley, Covidence, Rayyan"),
    "json": ExportFormat(FILE, whole_json, "corpus.json",
        "the whole corpus with its codebook as JSON"),
    "parquet": ExportFormat(TABLE, parquet, ".parquet",
        "Parquet, typed, codebook in the metadata"),
    "sqlite": ExportFormat(FILE, sqlite, "corpus.sqlite",
        "SQLite with foreign keys and full-text index"),
    "xlsx": ExportFormat(FILE, _workbook, "corpus.xlsx",
        "Excel workbook, every table a sheet, vocabularies as dropdowns"),
    "schema": ExportFormat(TABLE, pandera_schema, ".schema.yaml",
        "pandera schema, which checks a pandas frame of texts"),
    "atom": ExportFormat(FILE, atom, "feed.atom",
        "Atom feed of entries and candidates, by the day of adding"),
    "data-package": ExportFormat(FOLDER, data_package, "datapackage.json",
        "Frictionless Data Package 2"),
    "croissant": ExportFormat(FOLDER, croissant, "croissant.json",
        "Croissant 1.1 with Parquet files"),
}
# fmt: on


#: Names of the formats that write a file per table.
OF_TABLES = [name for name, format_ in FORMATS.items() if format_.kind == TABLE]


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
        Where the corpus cannot be written in the format (X101 to X106).
    """
    if name in OF_TABLES:
        table = table or study.pool.spec.name
    files = export_files(name, study, table)
    return files.get(FORMATS[name].output) or next(iter(files.values()))


def export_files(name: str, study: Study, table: str | None = None) -> dict[str, bytes]:
    """Return all that a format writes, as relative path -> content; see :func:`export_bytes`.

    A format of kind ``table`` writes every table where none is named.
    """
    format_ = FORMATS[name]
    if table is not None:
        if format_.kind != TABLE:
            others = ", ".join(OF_TABLES)
            raise UsageProblem(f"{name} has the whole corpus; --table is for {others}")
        refuse_unknown("table", [table], study.tables)
    if format_.kind == FOLDER:
        found = format_.make(study)
    elif format_.kind == FILE:
        found = {format_.output: format_.make(study)}
    else:
        names = [table] if table else study.tables
        found = {f"{one}{format_.output}": format_.make(study, study.tables[one]) for one in names}
    return {path: made.encode() if isinstance(made, str) else made for path, made in found.items()}


def export_all(study: Study) -> dict[str, bytes]:
    """Return every format; one that is not a single file is in a folder of its name."""
    found = {}
    for name, format_ in FORMATS.items():
        folder = "" if format_.kind == FILE else f"{name}/"
        for path, content in export_files(name, study).items():
            found[f"{folder}{path}"] = content
    return found
