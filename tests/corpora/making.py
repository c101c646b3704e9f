"""Make a study in memory, or a data folder, from a codebook and rows."""

import copy
import tomllib
from dataclasses import replace

from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.study import Source, Study
from corpus.model.table import Table
from corpus.tables.writing.writer import canonical_rows


def study_of(codebook, rows, **sections):
    """Make a study in memory; `sections` replace those of the codebook or are added.

    A row may leave out cells at its end: they are empty.
    """
    book = parse_codebook({**copy.deepcopy(dict(codebook)), **sections})
    tables = {}
    for name, spec in book.tables.items():
        whole = [_filled(row, len(spec.header)) for row in rows[name]]
        ordered = canonical_rows(whole, spec)
        tables[name] = Table(spec, spec.file, ordered, list(range(2, len(ordered) + 2)))
    return Study(book, tables, ".")


def _filled(row, width):
    return (*row, *[""] * (width - len(row)))


def with_cell(rows, old, new):
    """Return rows in which the cells with a text have another one."""
    return [tuple(new if cell == old else cell for cell in row) for row in rows]


def write_files(folder, files):
    """Write texts into a new folder and return it."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def with_claims(study, text):
    """Return a study with the claims of a file."""
    documents = {**study.documents, "claims": tomllib.loads(text)}
    return replace(study, documents=documents, sources={"claims": Source("claims.toml", text)})
