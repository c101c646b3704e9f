"""The Python API: a corpus as typed frames, and the same answers as the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from corpus.frames import claims_frame, findings_frame, frame_of, gaps_frame, typed_frame
from corpus.model.codebook import Codebook
from corpus.model.filters import one_of, parse_filters
from corpus.model.finding import UsageProblem, refuse_unknown, unknown
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import contingency_of
from corpus.tables.location import find_data, shown_path

# The reports are imported by the methods that make them: they bring in Arrow, pandera and
# rapidfuzz, and whoever loads a corpus to count it should not wait for these.
if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure
    from pandera.pandas import DataFrameSchema

    from corpus.traces.frames import TraceFrames


class UnknownTable(UsageProblem, KeyError):
    """Raised for a table that the corpus does not have; names the nearest one."""

    def __str__(self) -> str:
        """Return the message as it is; a KeyError would quote it."""
        return str(self.args[0])


class CorpusFrames:
    """A corpus whose tables are pandas frames; made by :func:`load`.

    Frames have one row per entry; a key of one column is the index. Term columns are ordered
    categoricals over the declared vocabulary (multi-valued ones plain strings), years and integers
    ``Int64``, numbers ``Float64``, dates ``datetime64`` (the first day that they may mean) with a
    second column ``NAME_precision`` (year, month or day), all else ``string``. An empty cell is
    missing; a declared term such as ``NA`` is a value. What a column means is in :attr:`columns`.

    Attributes
    ----------
    codebook : Codebook
        Tables, columns, vocabularies.

    Examples
    --------
    >>> import corpus
    >>> corpus.load().where("year>=2026", category="benchmark")
    CorpusFrames: Reinforcement learning for LLM multi-agent systems: a curated paper pool
    0 entries, 32 excluded records
    axes: category, is_rl, reward_type, credit_granularity, orchestration_form, scenario, is_core, verified
    """  # noqa: E501 — a doctest shows the line as it is printed

    def __init__(self, study: Study) -> None:
        self._study = study
        self._frames: dict[str, pd.DataFrame] = {}

    def __repr__(self) -> str:
        """Return title, size and axes."""
        declared = self.codebook.corpus
        title = declared["title"] or declared["id"] or shown_path(self._study.root)
        size = f"{len(self._study.pool.rows):,} {declared['entries']}"
        for log in self._study.by_role("exclusions"):
            size += f", {len(log.rows):,} excluded records"
        axes = ", ".join(self.codebook.pool.axis_names)
        return f"CorpusFrames: {title}\n{size}\naxes: {axes}"

    @property
    def codebook(self) -> Codebook:
        """Tables, columns, vocabularies and rules."""
        return self._study.codebook

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tuple(self._study.tables)

    @property
    def columns(self) -> pd.DataFrame:
        """What every column means: index table and column; type, label, vocabulary, definition."""
        rows = []
        for name in self._study.tables:
            for column in self.codebook.tables[name].columns:
                facts = (column.type, column.label, column.vocabulary or None, column.definition)
                rows.append((name, column.name, *facts))
        frame = frame_of(rows, "table column type label vocabulary definition")
        return frame.set_index(["table", "column"])

    @property
    def pool(self) -> pd.DataFrame:
        """The pool: one row per entry."""
        return self.frame(self.codebook.pool.name)

    def schema(self, table: str | None = None, today: date | None = None) -> DataFrameSchema:
        """Return the pandera schema of a table, by which `corpus check` validates the pool.

        Its checks are called by the codes of their rules. In a frame an empty cell is missing, and
        all others are texts, as :meth:`texts` has them. Write it with `to_yaml` or `to_json`, and
        read it with :func:`corpus.read_schema`.

        Parameters
        ----------
        table : str, optional
            The pool where not given.
        today : date, optional
            What is later is in the future; the current day by default.

        Raises
        ------
        UnknownTable
            A UsageProblem and a KeyError, where the corpus has no such table.

        Examples
        --------
        >>> import corpus
        >>> schema = corpus.load().schema("pool")
        >>> schema.columns["is_rl"].checks
        [<Check isin: C202>]
        >>> len(schema.validate(corpus.load().texts("pool"), lazy=True))
        84
        """
        # Importing pandera takes longer than loading a corpus.
        from corpus.tables.schema import table_schema

        spec = self._table(table or self.codebook.pool.name).spec
        return table_schema(spec, self.codebook, today or date.today())

    def texts(self, table: str | None = None) -> pd.DataFrame:
        """Return a table as it is written: every cell a text, an empty one missing.

        The index is the line of the file on which a row begins; without a name it is the pool.

        Raises
        ------
        UnknownTable
            A UsageProblem and a KeyError, where the corpus has no such table.
        """
        from corpus.tables.schema import text_frame
        from corpus.tables.sheet import sheet_of

        rows = self._table(table or self.codebook.pool.name)
        frame = text_frame(sheet_of(rows).columns)
        return frame.set_axis(rows.lines, axis="index").rename_axis("line")

    def _table(self, name: str) -> Table:
        if name not in self._study.tables:
            raise UnknownTable(unknown("table", name, self._study.tables))
        return self._study.tables[name]

    def frame(self, name: str) -> pd.DataFrame:
        """Return one table as a typed frame.

        Raises
        ------
        UnknownTable
            A UsageProblem and a KeyError, where the corpus has no such table.
        """
        table = self._table(name)
        if name not in self._frames:
            self._frames[name] = typed_frame(table, self.codebook)
        return self._frames[name].copy()

    def __getitem__(self, name: str | list[str]) -> pd.DataFrame:
        """Return one table as a typed frame, or some columns of the pool, as of a frame."""
        if isinstance(name, str):
            return self.frame(name)
        return self.pool[name]

    def where(
        self, *conditions: str, **filters: str | int | list[str | int] | tuple[str | int, ...]
    ) -> CorpusFrames:
        """Return the corpus with only those pool entries that pass all filters.

        Parameters
        ----------
        *conditions : str
            Filters as ``--where`` takes them: ``"year>=2026"``, ``"is_rl!=no"``,
            ``"category=RL method,benchmark"``.
        **filters : str, int or list of them
            Column and the terms or values of which it must have one, by id or label.

        Raises
        ------
        UsageProblem
            For an unknown column or an undeclared term, with the nearest one.

        Examples
        --------
        >>> import corpus
        >>> c = corpus.load()
        >>> len(c.where(category="rl_method", is_rl=["yes", "partial"]).pool)
        40
        >>> len(c.where("category=RL method", "is_rl!=no").pool)
        40
        """
        spec = self.codebook.pool
        tests = parse_filters(conditions, spec, self.codebook)
        for name, value in filters.items():
            values = [str(value)] if isinstance(value, (str, int)) else list(map(str, value))
            tests.append(one_of(spec.column(name), values, self.codebook))
        return CorpusFrames(self._study.where(tests))

    def counts(self, axis: str) -> pd.DataFrame:
        """Count one axis over its declared vocabulary.

        Returns
        -------
        DataFrame
            Index: the terms, in declared order. Columns: ``entries`` (count) and ``share`` (0-1, of
            the entries to which the axis applies, as `corpus stats` prints it; missing for the term
            that means "not applicable").

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

        margin = contingency_of(self._study).margin(axis)
        terms = margin.vocabulary.ids
        index = pd.CategoricalIndex(terms, categories=terms, ordered=True, name=axis)
        columns = {
            "entries": pd.Series([row.entries for row in margin.rows], index, dtype="int64"),
            "share": pd.Series(list(map(margin.share, terms)), index, dtype="float64"),
        }
        return pd.DataFrame(columns)

    def draw(self, name: str, width: float | None = None) -> Figure:
        """Draw a figure that the codebook declares, of the entries that pass the filters.

        Parameters
        ----------
        name : str
            The figure; `corpus figures --list` prints them.
        width : float, optional
            In inches; the declared one by default.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it.

        Raises
        ------
        UsageProblem
            For an unknown figure, with the nearest one.

        Examples
        --------
        >>> import corpus
        >>> float(corpus.load().where(year=2026).draw("timeline", width=5).get_figwidth())
        5.0
        """
        from corpus.publishing.figures.figure import draw_figure, study_figures

        plans = study_figures(self._study)
        refuse_unknown("figure", [name], plans)
        return draw_figure(plans[name], plans[name].data(self._study), width)

    def gaps(
        self, by: Iterable[tuple[str, str]] = (), threshold: int | None = None
    ) -> pd.DataFrame:
        """Find what is empty, ranked as `corpus sparsity` ranks it.

        Parameters
        ----------
        by : iterable of (str, str)
            Pairs of axes to cross; without any, the codebook's cross-tabulations.
        threshold : int, optional
            A cell with 1 to this many entries is thin; the codebook's by default.

        Returns
        -------
        DataFrame
            Index: rank, from 1. Columns: ``kind`` (``anchor``, ``term``, ``pair``), ``axes``,
            ``terms``, ``expected`` (entries if the axes were independent) and ``nearest`` (keys,
            separated by spaces).

        Raises
        ------
        UsageProblem
            Where a pair names an unknown axis, or one axis twice.

        Examples
        --------
        >>> import corpus
        >>> gaps = corpus.load().gaps()
        >>> gaps.terms[gaps.kind == "term"].tolist()
        ['message', 'debate', 'team', 'tool', 'token', 'tool', 'process']
        """
        from corpus.analysis.sparsity.sparsity_report import sparsity_report

        return gaps_frame(sparsity_report(self._study, tuple(by), threshold))

    def claims(self, *names: str, failing: bool = False) -> pd.DataFrame:
        """Check the claims of the survey against the tables, as `corpus claims` does.

        Parameters
        ----------
        *names : str
            Claims to evaluate; by default all.
        failing : bool
            Whether to leave out those that hold.

        Returns
        -------
        DataFrame
            Index: claim. Columns: ``statement``, ``result`` (``holds``, ``moved``, ``fails``,
            ``acknowledged``), ``tracked``, ``expected``, ``observed``, ``difference`` (keys that
            are extra or missing), ``margin`` (the smallest number of row edits that break it;
            missing where none does) and ``boundary`` (what it does not cover).

        Raises
        ------
        UsageProblem
            For an unknown claim, with the nearest one.

        Examples
        --------
        >>> import corpus
        >>> corpus.load().claims("message-credit").result.tolist()
        ['holds']
        """
        from corpus.analysis.claims.claim_report import claim_report
        from corpus.analysis.claims.evaluate import load_claims

        claim_set = load_claims(self._study)
        return claims_frame(
            claim_report(self._study, claim_set, claim_set.named(names), failing=failing)
        )

    def check(self, near_titles: bool = True) -> pd.DataFrame:
        """Check the files of the whole corpus, whatever is filtered, as `corpus check` does.

        Parameters
        ----------
        near_titles : bool
            Whether to look for nearly equal titles, which is slow for large pools.

        Returns
        -------
        DataFrame
            One row per finding: ``file``, ``line`` (from 1; 0 for a whole file), ``column``,
            ``code``, ``severity`` (``error``, ``warning`` or ``to-do``), ``value``, ``message``,
            ``hint``.

        Examples
        --------
        >>> import corpus
        >>> len(corpus.load().check())
        0
        """
        from corpus.curation.check.check import check_corpus

        return findings_frame(check_corpus(self._study.root, None, near_titles, complete=True))

    def show(self, name: str) -> pd.Series[str]:
        """Return one entry or excluded record by key, number, title or identifier in any form.

        Returns
        -------
        Series
            Its cells as they are written, by column; the name of the series is its key.

        Raises
        ------
        UsageProblem
            Where nothing is called so, with the nearest keys.

        Examples
        --------
        >>> import corpus
        >>> corpus.load().show("2308.08155").stage
        'full_text_screen'
        """
        import pandas as pd

        from corpus.analysis.counting.records import find_record

        record = find_record(self._study, name)
        header = record.table.spec.header
        return pd.Series(list(record.row), index=list(header), dtype="string", name=record.key)

    def traces(self, *names: str) -> TraceFrames:
        """Read the traces that lie beside the tables; see :func:`corpus.traces.read`.

        Parameters
        ----------
        *names : str
            Files and folders below ``traces/`` of the data folder; ``examples`` by default.

        Raises
        ------
        UsageProblem
            Where the corpus has no such traces.

        Examples
        --------
        >>> import corpus
        >>> len(corpus.load().traces().ids)
        9
        """
        from corpus.traces.frames import read

        folder = os.path.join(self._study.root, "traces")
        return read(*(os.path.join(folder, name) for name in names or ("examples",)))


def load(data: str | None = None) -> CorpusFrames:
    """Load the corpus found above the working directory, the one named, or the shipped dataset.

    Parameters
    ----------
    data : str, optional
        Folder that holds ``codebook.toml``, or whose ``data/`` does.

    Raises
    ------
    CorpusError
        Where a file cannot be read, a key is a duplicate or a tag is not declared; `corpus check`
        lists everything.
    UsageProblem
        Where `data` holds no corpus.
    """
    return CorpusFrames(load_corpus(find_data(data)))
