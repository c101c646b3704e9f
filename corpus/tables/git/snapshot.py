"""A corpus read from files that need not lie in a folder: a revision of a repository, or a folder all the same."""

from __future__ import annotations

import os
import posixpath
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from corpus.model.codebook import TableSpec
from corpus.model.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Source, Study
from corpus.model.table import Table
from corpus.tables import table_rules as rules
from corpus.tables.atomic import write_atomic
from corpus.tables.content import decode
from corpus.tables.documents import parse_toml
from corpus.tables.location import CODEBOOK_FILE
from corpus.tables.reader import parse_table, unique_key_findings
from corpus.tables.terms import term_findings

#: Gives the bytes of a file by its path below the data folder, or None where there is no such file.
Opener = Callable[[str], bytes | None]


class Snapshot(NamedTuple):
    """A corpus at one point in time.

    Attributes
    ----------
    label : str
        What the user calls it.
    corpus : Study
        With the tables and documents that could be read.
    findings : tuple of Finding
        Why others could not, doubled keys and undeclared terms.
    codebook : str
        The text of the codebook.
    """

    label: str
    corpus: Study
    findings: tuple[Finding, ...]
    codebook: str = ""

    @property
    def countable(self) -> bool:
        """Whether every table could be read and every tag counted."""
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
        Whether a declared file may be missing: its table is empty then. So it is for the older of two revisions,
        in which a file of the newer codebook need not exist yet.

    Raises
    ------
    CorpusError
        Where the codebook is missing or wrong.
    """
    codebook = _text(opener, CODEBOOK_FILE, shown)
    book = parse_codebook(parse_toml(codebook, _below(shown, CODEBOOK_FILE)), _below(shown, CODEBOOK_FILE))
    tables: dict[str, Table] = {}
    findings: list[Finding] = []
    for spec in book.tables.values():
        place = _below(shown, spec.file)
        try:
            table = _table(opener, spec, place, may_lack)
        except CorpusError as error:
            findings += error.findings
            continue
        tables[spec.name] = table
        findings += unique_key_findings(table) + term_findings(table, book)
    documents: dict[str, Mapping[str, Any]] = {}
    sources: dict[str, Source] = {}
    declared = book.settings.get("documents", {})
    for name, file in declared.items() if isinstance(declared, dict) else ():
        place = _below(shown, str(file))
        if may_lack and opener(str(file)) is None:
            continue
        try:
            text = _text(opener, str(file), shown)
            documents[name], sources[name] = parse_toml(text, place), Source(place, text)
        except CorpusError as error:
            findings += error.findings
    return Snapshot(label, Study(book, tables, shown, documents, sources), tuple(sorted(findings)), codebook)


def _table(opener: Opener, spec: TableSpec, place: str, may_lack: bool) -> Table:
    """Read one table, kept as CSV or as Parquet in its place."""
    data = opener(spec.file)
    if data is not None:
        return parse_table(data, spec, place)
    other = spec.file.removesuffix(".csv") + ".parquet"
    data = opener(other)
    if data is None:
        if may_lack:
            return Table(spec, place, [], [])
        raise CorpusError([rules.MISSING_FILE.at(place)])
    from corpus.tables.fast.parquet import (
        read_parquet,  # imports pyarrow, which other corpora do not need
    )

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.parquet")
        write_atomic(path, data)
        return read_parquet(path, spec, place.removesuffix(".csv") + ".parquet")


def _text(opener: Opener, file: str, shown: str) -> str:
    place = _below(shown, file)
    data = opener(file)
    if data is None:
        raise CorpusError([rules.MISSING_FILE.at(place)])
    text, findings = decode(data, place)
    if findings:
        raise CorpusError(findings)
    return text


def _below(shown: str, file: str) -> str:
    return posixpath.join(shown, file) if shown not in ("", ".") else file
