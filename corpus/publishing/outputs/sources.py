"""What generated files are made from: the corpus, and a checksum of the files that it was read from."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property

from corpus.analysis.counting.report import Statistics, stage_vocabulary
from corpus.analysis.counting.screening import Screening, screening
from corpus.analysis.numbers.published import Number, published_numbers
from corpus.model.codebook import Codebook
from corpus.model.contingency import Contingency
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import tally_table
from corpus.tables.location import CODEBOOK_FILE


class Sources:
    """The corpus and what several files need from it; each view is computed once, when it is first asked for.

    Parameters
    ----------
    folder : str
        The data folder.

    Raises
    ------
    CorpusError
        Where the corpus cannot be counted.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.corpus: Study = load_corpus(folder)
        self.book: Codebook = self.corpus.codebook
        self.sha256 = data_sha256(folder, self.book)

    @cached_property
    def counted(self) -> Contingency:
        """The contingency table over all axes."""
        names = tuple(column.name for column in self.book.pool.axes)
        return Contingency(self.book, names, tally_table(self.corpus.pool, self.book, names))

    @cached_property
    def numbers(self) -> dict[str, Number]:
        """Every published number by its name."""
        return published_numbers(self.corpus)

    @cached_property
    def screened(self) -> Screening | None:
        """The screening summary, where the corpus logs exclusions."""
        for table in self.corpus.by_role("exclusions"):
            stages = stage_vocabulary(self.book)
            return screening(self.counted.entries, table, stages.ids if stages else ())
        return None

    @cached_property
    def statistics(self) -> Statistics:
        """What `corpus stats` counts without filters."""
        crosstabs = tuple(self.counted.crosstab(c.rows, c.columns) for c in self.book.crosstabs)
        margins = tuple(self.counted.margins())
        return Statistics(self.book, margins, crosstabs, self.screened, self.counted.entries)


def data_sha256(folder: str, book: Codebook) -> str:
    """Return one SHA-256 over the codebook and every declared table and document.

    It is the checksum of the lines that ``sha256sum`` prints for these files, sorted by name, as `sha256sum` itself
    would compute it; a missing file counts as empty.
    """
    declared = book.settings.get("documents", {})
    documents = [str(file) for file in declared.values()] if isinstance(declared, dict) else []
    names = {CODEBOOK_FILE, *(spec.file for spec in book.tables.values()), *documents}
    lines = []
    for name in sorted(names):
        try:
            with open(os.path.join(folder, name), "rb") as handle:
                content = handle.read()
        except OSError:
            content = b""
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()
