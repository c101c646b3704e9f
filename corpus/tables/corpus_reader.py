"""Read a whole corpus from its data folder."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Source, Study
from corpus.model.table import Table
from corpus.tables.documents import parse_toml, read_codebook, source_of
from corpus.tables.location import CODEBOOK_FILE, file_of, shown_path
from corpus.tables.reader import read_table, unique_key_findings
from corpus.tables.terms import term_findings

Read = TypeVar("Read")


def with_documents(
    data: str, book: Codebook, tables: dict[str, Table]
) -> tuple[Study, list[Finding]]:
    """Return the study with tables of a data folder, and why documents could not be read."""
    return study_of(book, tables, data, source_of(data, CODEBOOK_FILE), partial(source_of, data))


def study_of(
    book: Codebook,
    tables: dict[str, Table],
    root: str,
    codebook: Source,
    read: Callable[[str], Source | None],
) -> tuple[Study, list[Finding]]:
    """Return a study with the documents that its codebook declares.

    Parameters
    ----------
    book, tables, root
        Those of the study.
    codebook : Source
        File and text of the codebook.
    read : callable
        Gives a document by its path below the data folder; None leaves it out.

    Returns
    -------
    study : Study
        With the documents that could be read.
    findings : list of Finding
        Why the others could not.
    """
    decoded = {}
    sources = {CODEBOOK_FILE: codebook}
    findings = []
    for name, file in book.documents.items():
        try:
            source = read(file)
            if source is not None:
                decoded[name] = parse_toml(source.text, source.file)
                sources[name] = source
        except CorpusError as error:
            findings += error.findings
    return Study(book, tables, root, decoded, sources), findings


def read_tables(
    data: str, book: Codebook, read: Callable[[str, TableSpec, str], Read]
) -> tuple[dict[str, Read], list[Finding]]:
    """Read every table of a data folder.

    Parameters
    ----------
    data : str
        The data folder.
    book : Codebook
        Declares the tables.
    read : callable
        Reads one table from its path, declaration and shown path.

    Returns
    -------
    tables : dict
        What `read` returned, by the name of the table.
    findings : list of Finding
        Why the other tables could not be read.
    """
    tables = {}
    findings = []
    for spec in book.tables.values():
        try:
            path = file_of(data, spec.file)
            tables[spec.name] = read(path, spec, shown_path(path))
        except CorpusError as error:
            findings += error.findings
    return tables, findings


def count_findings(study: Study) -> list[Finding]:
    """Find what prevents counting: duplicate keys and wrong terms (C201, C202, C219, C301)."""
    findings = []
    for table in study.tables.values():
        findings += unique_key_findings(table)
        findings += term_findings(table, study.codebook)
    return findings


def load_corpus(data: str) -> Study:
    """Read a corpus that must be countable: valid files, unique keys, every term declared.

    Raises
    ------
    CorpusError
        With the findings otherwise. `corpus check` reports everything else that may be wrong.
    """
    book = read_codebook(data)
    tables, findings = read_tables(data, book, read_table)
    study, unread = with_documents(data, book, tables)
    findings += unread + count_findings(study)
    if findings:
        raise CorpusError(findings)
    return study
