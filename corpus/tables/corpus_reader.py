"""Read a whole corpus from its data folder."""

from collections.abc import Callable
from typing import TypeVar

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.tables.documents import codebook_source, read_codebook, read_documents
from corpus.tables.location import CODEBOOK_FILE, file_of, shown_path
from corpus.tables.reader import read_table, unique_key_findings
from corpus.tables.terms import term_findings

Read = TypeVar("Read")


def read_corpus(data: str) -> tuple[Study, list[Finding]]:
    """Read codebook, every table and every document of a data folder.

    Returns
    -------
    study : Study
        With the tables and documents that could be read.
    findings : list of Finding
        Why the others could not.

    Raises
    ------
    CorpusError
        Where the codebook itself cannot be read.
    """
    book = read_codebook(data)
    tables, findings = read_tables(data, book, read_table)
    documents = read_documents(data, book)
    sources = {CODEBOOK_FILE: codebook_source(data), **documents.sources}
    study = Study(book, tables, data, documents.decoded, sources)
    return study, findings + documents.findings


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
    tables: dict[str, Read] = {}
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
    study, findings = read_corpus(data)
    findings += count_findings(study)
    if findings:
        raise CorpusError(findings)
    return study
