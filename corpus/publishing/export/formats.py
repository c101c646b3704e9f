"""The formats of `corpus export`, as ``formats.toml`` lists them.

The module that writes a format is imported when the format is asked for.
"""

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study

#: What a format writes: one file for the corpus, one file per table, or a folder.
FILE, TABLE, FOLDER = "file", "table", "folder"


class ExportFormat(NamedTuple):
    """One export format; ``formats.toml`` tells what its fields mean."""

    kind: str
    function: str
    output: str
    title: str
    binary: bool = False


_TABLE = Path(__file__).with_name("formats.toml").read_text(encoding="utf-8")
FORMATS = {name: ExportFormat(**row) for name, row in tomllib.loads(_TABLE).items()}


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
