"""Read a whole corpus from its data folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.tables.documents import read_codebook, read_documents, read_sources
from corpus.tables.location import shown_path
from corpus.tables.reader import read_table, unique_key_findings
from corpus.tables.terms import term_findings

Read = TypeVar("Read")


def read_corpus(data: str) -> tuple[Study, list[Finding]]:
    """Read codebook, every table and every document of a data folder.

    Returns
    -------
    corpus : Study
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
    documents, problems = read_documents(data, book)
    sources = read_sources(data, book, documents)
    return Study(book, tables, data, documents, sources), findings + problems


def read_tables(
    data: str, book: Codebook, read: Callable[[str, TableSpec, str], Read]
) -> tuple[dict[str, Read], list[Finding]]:
    """Read every table of a data folder; return the sound ones by name, and the findings of the others."""
    tables: dict[str, Read] = {}
    findings: list[Finding] = []
    for spec in book.tables.values():
        path = os.path.join(data, spec.file)
        try:
            tables[spec.name] = read(path, spec, shown_path(path))
        except CorpusError as error:
            findings += error.findings
    return tables, findings


def load_corpus(data: str) -> Study:
    """Read a corpus that must be countable: sound files, unique keys, every tag declared.

    Raises
    ------
    CorpusError
        With the findings otherwise. `corpus check` says everything else that may be wrong.
    """
    corpus, findings = read_corpus(data)
    for table in corpus.tables.values():
        findings += unique_key_findings(table)
        findings += term_findings(table, corpus.codebook)
    if findings:
        raise CorpusError(findings)
    return corpus
