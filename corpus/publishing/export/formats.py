"""The formats of `corpus export`: the only list of them.

Help, choices and documentation are read from it. The module that writes a format is imported when
the format is asked for.
"""

from importlib import import_module
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study

#: What a format writes: one file for the corpus, one file per table, or a folder.
FILE, TABLE, FOLDER = "file", "table", "folder"


class ExportFormat(NamedTuple):
    """One export format.

    Attributes
    ----------
    kind : str
        ``file``: its function takes a study, ``table``: a study and a table; both return a text or
        bytes. ``folder``: it takes a study and returns path -> text or bytes.
    function : str
        Module of this package and function.
    output : str
        Name of the file, ending of the files, or the main file of the folder.
    title : str
        One line for help and documentation.
    binary : bool
        Whether the output is not text, so that a terminal cannot show it.
    """

    kind: str
    function: str
    output: str
    title: str
    binary: bool = False


# fmt: off
FORMATS = {
    "bibtex": ExportFormat(FILE, "bibliography.bibtex", "pool.bib",
                           "BibTeX; keys are the pool's keys, tags are keywords"),
    "csl-json": ExportFormat(FILE, "bibliography.csl_json", "pool.csl.json",
                             "CSL-JSON for Zotero, Pandoc, citation processors"),
    "ris": ExportFormat(FILE, "bibliography.ris", "pool.ris",
                        "RIS for EndNote, Mendeley, Covidence, Rayyan"),
    "json": ExportFormat(FILE, "typed_tables.whole_json", "corpus.json",
                         "the whole corpus with its codebook as JSON"),
    "jsonl": ExportFormat(TABLE, "typed_tables.json_lines", ".jsonl",
                          "JSON Lines, one typed object per row"),
    "parquet": ExportFormat(TABLE, "typed_tables.parquet", ".parquet",
                            "Parquet, typed, codebook in the metadata", binary=True),
    "sqlite": ExportFormat(FILE, "sqlite.sqlite", "corpus.sqlite",
                           "SQLite with foreign keys and full-text index", binary=True),
    "xlsx": ExportFormat(FILE, "workbook.workbook", "corpus.xlsx",
                         "Excel workbook, every table a sheet, vocabularies as dropdowns",
                         binary=True),
    "awesome": ExportFormat(FILE, "lists.awesome", "list.md",
                            "Markdown list with a heading per group"),
    "atom": ExportFormat(FILE, "lists.atom", "feed.atom",
                         "Atom feed of the entries, newest publication first"),
    "skos": ExportFormat(FILE, "lists.skos", "codebook.ttl",
                         "SKOS of the vocabularies, as Turtle"),
    "ro-crate": ExportFormat(FOLDER, "packages.ro_crate", "ro-crate-metadata.json",
                             "RO-Crate 1.1"),
    "data-package": ExportFormat(FOLDER, "packages.data_package", "datapackage.json",
                                 "Frictionless Data Package 2"),
    "croissant": ExportFormat(FOLDER, "parquet_datasets.croissant", "croissant.json",
                              "Croissant 1.1 with Parquet files"),
    "hugging-face": ExportFormat(FOLDER, "parquet_datasets.hugging_face", "README.md",
                                 "Hugging Face dataset with card"),
    "zenodo": ExportFormat(FOLDER, "packages.zenodo", ".zenodo.json",
                           "Zenodo deposit with checksums"),
}
# fmt: on


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
    main = FORMATS[name].output
    if FORMATS[name].kind == TABLE:
        table = table or study.pool.spec.name
        main = f"{table}{main}"
    return export_files(name, study, table)[main]


def export_files(name: str, study: Study, table: str | None = None) -> dict[str, bytes]:
    """Return all that a format writes, as relative path -> content; see :func:`export_bytes`.

    A format of kind ``table`` writes every table where none is named.
    """
    format_ = FORMATS[name]
    kind, output = format_.kind, format_.output
    names = list(study.tables)
    if table is not None:
        if kind != TABLE:
            others = ", ".join(names_of_kind(TABLE))
            raise UsageProblem(f"{name} has the whole corpus; --table is for {others}")
        refuse_unknown("table", [table], names)
        names = [table]
    module, _, function = format_.function.partition(".")
    make = getattr(import_module(f"{__package__}.{module}"), function)
    found: dict[str, Any]
    if kind == FOLDER:
        found = make(study)
    elif kind == FILE:
        found = {output: make(study)}
    else:
        found = {f"{one}{output}": make(study, study.tables[one]) for one in names}
    for path, made in found.items():
        if isinstance(made, str):
            found[path] = made.encode()
    return found


def export_all(study: Study) -> dict[str, bytes]:
    """Return every format; one that is not a single file is in a folder of its name."""
    found = {}
    for name, format_ in FORMATS.items():
        folder = ""
        if format_.kind != FILE:
            folder = f"{name}/"
        for path, content in export_files(name, study).items():
            found[f"{folder}{path}"] = content
    return found
