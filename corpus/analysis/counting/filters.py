"""Filters over rows: a column and values, matched or not; what ``--where`` takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.corpus import Study
from corpus.model.finding import UsageProblem


class Filter(NamedTuple):
    """Keep the rows whose cell in `column` holds one of `values` (or none of them, where `negated`)."""

    column: Column
    values: frozenset[str]
    negated: bool

    def keeps(self, cell: str) -> bool:
        """Return whether a cell passes; a multi-valued cell passes where any of its values does."""
        held = self.column.values(cell) or ("",)
        return self.values.isdisjoint(held) if self.negated else not self.values.isdisjoint(held)


def parse_filter(text: str, spec: TableSpec, book: Codebook) -> Filter:
    """Read ``column=value``, ``column=value,value`` or ``column!=value``.

    Commas separate values in term columns only, where no declared term holds one; `|` separates them everywhere.

    Raises
    ------
    UsageProblem
        For another form, an unknown column, or a value that the column's vocabulary does not declare.
    """
    name, sign, rest = text.partition("=")
    if not sign:
        raise UsageProblem(f"--where takes column=value or column!=value, not {text!r}")
    negated = name.endswith("!")
    column = spec.column(name.removesuffix("!").strip())
    if column.type != "term":
        return Filter(column, frozenset(rest.split("|")), negated)
    known = book.vocabulary_of(column).ids
    values = [rest] if rest in known else [value.strip() for value in rest.replace("|", ",").split(",")]
    return make_filter(column, values, book, negated)


def make_filter(column: Column, values: Iterable[str], book: Codebook, negated: bool = False) -> Filter:
    """Make a filter, holding the values of a term column against its vocabulary."""
    wanted = frozenset(values)
    if column.type == "term":
        known = book.vocabulary_of(column).ids
        for value in sorted(wanted - set(known)):
            raise UsageProblem(f"{column.name} has no term {value!r}; its terms are {', '.join(known)}")
    return Filter(column, wanted, negated)


def keeps(filters: Iterable[Filter], record: Mapping[str, str]) -> bool:
    """Return whether a record (column -> cell) passes all filters."""
    return all(filter_.keeps(record[filter_.column.name]) for filter_ in filters)


def filtered_pool(corpus: Study, texts: Iterable[str]) -> Study:
    """Return the corpus with only those pool entries that pass all filters, given as ``--where`` takes them.

    Raises
    ------
    UsageProblem
        See :func:`parse_filter`.
    """
    pool = corpus.pool
    tests = [parse_filter(text, pool.spec, corpus.codebook) for text in texts]
    if not tests:
        return corpus
    kept = [i for i, record in enumerate(pool.records()) if keeps(tests, record)]
    smaller = pool._replace(rows=[pool.rows[i] for i in kept], lines=[pool.lines[i] for i in kept], text="")
    return corpus._replace(tables={**corpus.tables, pool.spec.name: smaller})
