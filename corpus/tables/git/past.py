"""The tables of a corpus at many revisions: each version of a file is read once."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables import table_rules as rules
from corpus.tables.corpus_reader import count_findings
from corpus.tables.documents import decode_document, parse_toml
from corpus.tables.git.repository import Repository
from corpus.tables.location import CODEBOOK_FILE
from corpus.tables.reader import parse_table


class PastTables:
    """Reads the corpus of one repository at one commit after the other.

    Most commits change one or two files, so that the tables of two hundred revisions are few.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._codebooks: dict[str, Codebook] = {}
        self._tables: dict[tuple[str, TableSpec], Table] = {}

    def has_corpus(self, commit: str) -> bool:
        """Whether there is a codebook in the data folder at a commit."""
        return CODEBOOK_FILE in self.repository.files(commit)

    def study(self, commit: str, needed: Callable[[Codebook], Iterable[str]]) -> Study:
        """Read some tables of a commit.

        Parameters
        ----------
        commit : str
            Identifier of the commit.
        needed : callable
            Takes the codebook of that time and returns the names of the tables to read.

        Returns
        -------
        Study
            With these tables and without documents.

        Raises
        ------
        CorpusError
            Where codebook or tables of that time cannot be counted.
        UsageProblem
            Where `needed` cannot be answered, or git cannot read the commit.
        """
        blobs = self.repository.files(commit)
        book = self._codebook(blobs)
        tables: dict[str, Table] = {}
        for name in needed(book):
            tables[name] = self._table(blobs, book.tables[name])
        study = Study(book, tables, self.repository.inside)
        findings = count_findings(study)
        if findings:
            raise CorpusError(findings)
        return study

    def _codebook(self, blobs: dict[str, str]) -> Codebook:
        blob = blobs.get(CODEBOOK_FILE)
        if blob is None:
            raise CorpusError([rules.MISSING_FILE.at(CODEBOOK_FILE)])
        known = self._codebooks.get(blob)
        if known is None:
            text = decode_document(self._content(blob, CODEBOOK_FILE), CODEBOOK_FILE)
            known = parse_codebook(parse_toml(text, CODEBOOK_FILE), CODEBOOK_FILE)
            self._codebooks[blob] = known
        return known

    def _table(self, blobs: dict[str, str], spec: TableSpec) -> Table:
        file = posixpath.normpath(spec.file)
        blob = blobs.get(file)
        if blob is None:
            raise CorpusError([rules.MISSING_FILE.at(file)])
        version = (blob, spec)
        if version not in self._tables:
            self._tables[version] = parse_table(self._content(blob, file), spec, file)
        return self._tables[version]

    def _content(self, blob: str, file: str) -> bytes:
        content = self.repository.content(blob)
        if content is None:
            raise CorpusError([rules.MISSING_FILE.at(file)])
        return content
