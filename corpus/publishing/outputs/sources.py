"""What generated files are made from: the study, and a checksum of the files it was read from."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path

from corpus.analysis.counting.report import Screening, Statistics, screening, stage_vocabulary
from corpus.analysis.numbers.published import Number, published_numbers
from corpus.model.codebook import Codebook
from corpus.model.contingency import Contingency
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import contingency_of
from corpus.tables.location import CODEBOOK_FILE, is_parquet, parquet_file


class Sources:
    """The study and what several files need from it, each view computed when it is first used.

    Parameters
    ----------
    folder : str
        The data folder.
    study : Study, optional
        What is in the folder, where it has been read already.

    Raises
    ------
    CorpusError
        Where the corpus cannot be counted.
    """

    def __init__(self, folder: str, study: Study | None = None) -> None:
        self.folder = folder
        self.study = study or load_corpus(folder)
        self.book: Codebook = self.study.codebook
        self.sha256 = data_sha256(folder, self.book)

    @cached_property
    def counted(self) -> Contingency:
        """The contingency table over all axes."""
        return contingency_of(self.study)

    @cached_property
    def numbers(self) -> list[Number]:
        """The published numbers that are printed where nobody names them."""
        return [number for number in published_numbers(self.study).values() if number.is_common]

    @cached_property
    def screened(self) -> Screening | None:
        """The screening summary, where the corpus has logged exclusions."""
        logs = self.study.by_role("exclusions")
        # An empty log tells of no screening.
        if not logs or not logs[0].rows:
            return None
        vocabulary = stage_vocabulary(self.book)
        stages = vocabulary.ids if vocabulary else ()
        return screening(self.counted.entries, logs[0], stages)

    @cached_property
    def statistics(self) -> Statistics:
        """What `corpus stats` counts without filters."""
        crosstabs = [self.counted.crosstab(c.rows, c.columns) for c in self.book.crosstabs]
        margins = tuple(self.counted.margins())
        entries = self.counted.entries
        return Statistics(self.book, margins, tuple(crosstabs), self.screened, entries)


def data_sha256(folder: str, book: Codebook) -> str:
    """Return one SHA-256 over the codebook and every declared table and document.

    It is the checksum of the lines that ``sha256sum`` prints for these files, sorted by name, as
    `sha256sum` itself would compute it; a missing file counts as empty.
    """
    names = {CODEBOOK_FILE}
    names.update(spec.file for spec in book.tables.values())
    documents = book.settings.get("documents", {})
    if isinstance(documents, dict):
        names.update(str(file) for file in documents.values())
    whole = hashlib.sha256()
    for name in sorted(_name_on_disk(folder, name) for name in names):
        try:
            content = Path(folder, name).read_bytes()
        except OSError:
            content = b""
        whole.update(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode())
    return whole.hexdigest()


def _name_on_disk(folder: str, name: str) -> str:
    """Return the name of the file that a table is kept in: CSV, or Parquet in its place."""
    if is_parquet(os.path.join(folder, name)):
        return parquet_file(name)
    return name
