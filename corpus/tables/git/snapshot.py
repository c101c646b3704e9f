"""A corpus at one point in time: read from a revision of a repository, or from a folder."""

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corpus.model.codebook import TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Source, Study
from corpus.model.table import Table
from corpus.tables.content import MISSING_FILE
from corpus.tables.corpus_reader import count_findings, study_of
from corpus.tables.documents import decode_document, parsed_codebook
from corpus.tables.location import CODEBOOK_FILE, is_outside
from corpus.tables.reader import parse_table

#: Gives the bytes of a file by its path below the data folder, or None where there is no such file.
Opener = Callable[[str], bytes | None]


def disk_opener(data: str, instead: Mapping[str, bytes] | None = None) -> Opener:
    """Open files below a folder; `instead` has other contents for some of them."""

    def opener(file: str) -> bytes | None:
        if instead and file in instead:
            return instead[file]
        path = os.path.join(data, file)
        # A device would be read without end.
        if is_outside(data, path) or not os.path.isfile(path):
            return None
        with open(path, "rb") as handle:
            return handle.read()

    return opener


def no_file(file: str) -> None:
    """Open no file."""


@dataclass(frozen=True)
class Snapshot:
    """A corpus at one point in time.

    Attributes
    ----------
    label : str
        What the user calls it.
    corpus : Study
        With the tables and documents that could be read.
    findings : tuple of Finding
        Why others could not, duplicate keys and undeclared terms.
    unread : frozenset of str
        The files of declared tables and documents that are there and could not be read, or that
        are missing and may not be.
    opener : callable
        Gives every other file of that time, such as copies of releases.
    beside : callable
        Opens the files above the data folder, by their path from there.
    commit : str
        The commit that it was read from; empty for a folder.
    folder : str
        The data folder that it was read from as it is, of which more can be told than an opener
        tells, such as that a table is a device; empty for a revision or another pool.
    listed : frozenset of str
        The files of the data folder at the commit; empty for a folder.
    """

    label: str
    corpus: Study
    findings: tuple[Finding, ...]
    unread: frozenset[str]
    opener: Opener
    beside: Opener = no_file
    commit: str = ""
    folder: str = ""
    listed: frozenset[str] = frozenset()

    @property
    def countable(self) -> bool:
        """Whether every table could be read and every term counted."""
        return not self.findings


def read_snapshot(label: str, opener: Opener, shown: str, may_lack: bool = False) -> Snapshot:
    """Read codebook, tables and documents through `opener`.

    Parameters
    ----------
    label : str
        What the user calls the snapshot.
    opener : callable
        See :data:`Opener`.
    shown : str
        The data folder as it is written into findings.
    may_lack : bool
        Whether a declared file may be missing: its table is empty then. This is for the older of
        two revisions, in which a file of the newer codebook need not exist yet.

    Raises
    ------
    CorpusError
        Where the codebook is missing or wrong.
    """
    files = Files(opener, shown, may_lack)
    codebook = files.document(CODEBOOK_FILE)
    book = parsed_codebook(codebook)
    tables = {}
    findings = []
    unread = set()
    for spec in book.tables.values():
        try:
            tables[spec.name] = files.table(spec)
        except CorpusError as error:
            findings += error.findings
            unread.add(spec.file)
    study, unfit = study_of(book, tables, shown, codebook, files.declared_document)
    for name, file in book.documents.items():
        if name not in study.documents and not (may_lack and opener(file) is None):
            unread.add(file)
    findings += unfit + count_findings(study)
    return Snapshot(label, study, tuple(sorted(findings)), frozenset(unread), opener)


@dataclass(frozen=True)
class Files:
    """The files of a snapshot.

    `parse` reads a table; the other attributes are the parameters of :func:`read_snapshot`.
    """

    opener: Opener
    shown: str = ""
    may_lack: bool = False
    parse: Callable[[bytes, TableSpec, str], Table] = parse_table

    def table(self, spec: TableSpec) -> Table:
        """Read one table."""
        place = self._place(spec.file)
        data = self.opener(spec.file)
        if data is not None:
            return self.parse(data, spec, place)
        if self.may_lack:
            return Table(spec, place, [], [])
        raise CorpusError([MISSING_FILE.at(place)])

    def document(self, file: str) -> Source:
        """Read one document."""
        place = self._place(file)
        data = self.opener(file)
        if data is None:
            raise CorpusError([MISSING_FILE.at(place)])
        return Source(place, decode_document(data, place))

    def declared_document(self, file: str) -> Source | None:
        """Read a document that the codebook declares; None where it may be missing and is."""
        if self.may_lack and self.opener(file) is None:
            return None
        return self.document(file)

    def _place(self, file: str) -> str:
        if self.shown in ("", "."):
            return file
        return posixpath.join(self.shown, file)
