"""The Python API: a corpus as typed frames, and the same counts as the command line."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from corpus.model.codebook import Codebook, Column
from corpus.model.contingency import Contingency
from corpus.model.dates import parse_date
from corpus.model.filters import Filter, one_of
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import tally_table
from corpus.tables.location import find_data

if TYPE_CHECKING:
    import pandas as pd


class CorpusFrames:
    """A corpus whose tables are pandas frames; made by :func:`load`.

    Frames have one row per entry, indexed by its key where that is one column, and these dtypes:
    term columns are ordered categoricals over the declared vocabulary (multi-valued ones plain
    strings), years and integers ``Int64``, numbers ``Float64``, dates ``datetime64`` (the first day
    that they may mean) with a second column ``NAME_precision`` (year, month or day), all else
    ``string``. An empty cell is missing; a declared term such as ``NA`` is a value.

    Attributes
    ----------
    codebook : Codebook
        Tables, columns, vocabularies.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._frames: dict[str, pd.DataFrame] = {}

    @property
    def codebook(self) -> Codebook:
        """Tables, columns, vocabularies and rules."""
        return self._study.codebook

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tuple(self._study.tables)

    @property
    def pool(self) -> pd.DataFrame:
        """The pool: one row per entry."""
        return self.frame(self.codebook.pool.name)

    def frame(self, name: str) -> pd.DataFrame:
        """Return one table as a typed frame.

        Raises
        ------
        KeyError
            Where the corpus has no such table.
        """
        if name not in self._frames:
            self._frames[name] = typed_frame(self._study.tables[name], self.codebook)
        return self._frames[name].copy()

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return one table as a typed frame; the same as :meth:`frame`."""
        return self.frame(name)

    def where(self, **filters: str | list[str] | tuple[str, ...]) -> CorpusFrames:
        """Return the corpus with only those pool entries whose cells hold one of the given values.

        Raises
        ------
        UsageProblem
            For an unknown column or an undeclared term.

        Examples
        --------
        >>> import corpus
        >>> len(corpus.load().where(category="rl_method", is_rl=["yes", "partial"]).pool)
        40
        """
        spec = self.codebook.pool
        tests: list[Filter] = []
        for name, value in filters.items():
            values = [value] if isinstance(value, str) else list(value)
            tests.append(one_of(spec.column(name), values, self.codebook))
        return CorpusFrames(self._study.where(tests))

    def counts(self, axis: str) -> pd.DataFrame:
        """Count one axis over its declared vocabulary.

        Returns
        -------
        DataFrame
            Index: the terms, in declared order. Columns: ``entries`` (count) and ``share`` (0-1, of
            all entries).

        Raises
        ------
        UsageProblem
            Where the pool has no such axis.

        Examples
        --------
        >>> import corpus
        >>> int(corpus.load().counts("credit_granularity").entries["message"])
        2
        """
        import pandas as pd

        margin = self._contingency().margin(axis)
        terms = margin.vocabulary.ids
        index = pd.CategoricalIndex(terms, categories=terms, ordered=True, name=axis)
        columns = {
            "entries": [row.entries for row in margin.rows],
            "share": [row.share for row in margin.rows],
        }
        return pd.DataFrame(columns, index=index)

    def crosstab(self, rows: str, columns: str) -> pd.DataFrame:
        """Cross-tabulate two axes over their declared vocabularies; cells are counts, empty ones 0.

        Raises
        ------
        UsageProblem
            Where the pool has no such axis.
        """
        import pandas as pd

        table = self._contingency().crosstab(rows, columns)
        across = table.columns.vocabulary.ids
        down = table.rows.vocabulary.ids
        cells = []
        for row in down:
            cells.append([table.cells[row, column] for column in across])
        return pd.DataFrame(cells, pd.Index(down, name=rows), pd.Index(across, name=columns))

    def _contingency(self) -> Contingency:
        names = tuple(column.name for column in self.codebook.pool.axes)
        return Contingency(
            self.codebook, names, tally_table(self._study.pool, self.codebook, names)
        )


def load(data: str | None = None) -> CorpusFrames:
    """Load the corpus found above the working directory, the one named, or the shipped dataset.

    Parameters
    ----------
    data : str, optional
        Folder that holds ``codebook.toml``, or whose ``data/`` does.

    Raises
    ------
    CorpusError
        Where a file is not sound, a key is doubled or a tag is not declared; `corpus check` says
        more.
    UsageProblem
        Where `data` holds no corpus.
    """
    return CorpusFrames(load_corpus(find_data(data)))


def typed_frame(table: Table, book: Codebook) -> pd.DataFrame:
    """Return a table as a frame with the dtypes that :class:`CorpusFrames` documents.

    Raises
    ------
    CorpusError
        Where a number or date cannot be read (C208 to C210 of `corpus check` name the cell).
    """
    import pandas as pd

    data: dict[str, Any] = {}
    for position, column in enumerate(table.spec.columns):
        cells = [row[position] or None for row in table.rows]
        if column.type == "date":
            first_days, precisions = _dates(cells)
            data[column.name] = pd.to_datetime(pd.Series(first_days, dtype="object"))
            data[f"{column.name}_precision"] = pd.Series(precisions, dtype="string")
        else:
            data[column.name] = _series(column, cells, book)
    frame = pd.DataFrame(data)
    if len(table.spec.key) == 1:
        return frame.set_index(list(table.spec.key), drop=False)
    return frame


def _dates(cells: list[str | None]) -> tuple[list[date | None], list[str | None]]:
    """Return the first days that partial dates may mean, and their precisions."""
    first_days: list[date | None] = []
    precisions: list[str | None] = []
    for cell in cells:
        known = None if cell is None else parse_date(cell)
        first_days.append(known.start if known else None)
        precisions.append(known.precision if known else None)
    return first_days, precisions


def _series(column: Column, cells: list[str | None], book: Codebook) -> pd.Series[Any]:
    import pandas as pd

    if column.type == "term" and not column.separator:
        terms = book.vocabulary_of(column).ids
        return pd.Series(pd.Categorical(cells, categories=list(terms), ordered=True))
    if column.type in ("year", "integer"):
        numbers = [None if cell is None else int(cell) for cell in cells]
        return pd.Series(numbers, dtype="Int64")
    if column.type == "number":
        floats = [None if cell is None else float(cell) for cell in cells]
        return pd.Series(floats, dtype="Float64")
    return pd.Series(cells, dtype="string")
