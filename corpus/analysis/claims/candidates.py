"""Every kind of row that a claim can tell apart: what an edit may make of a row, and what rows may be added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from corpus.analysis.claims.claim import Selection
from corpus.analysis.claims.edits import Edit, changed_row
from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Row, Table

#: So many kinds of rows are tried at most for one claim.
TRIED = 20_000
#: A word that stands for any cell that a claim does not name.
OTHER = "other"


def kinds(parts: Sequence[Selection], table: Table, corpus: Study, keyed: bool) -> Iterator[dict[str, str]]:
    """Yield every kind of row that the selections can tell apart, as cells of the columns they look at.

    Each column takes every value that a test names, and one that none names; `keyed` says whether key cells vary too.
    """
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = [table.spec.column(name) for name in names if keyed or name not in table.spec.key]
    choices = [_cells(column, parts, corpus) for column in columns]
    for cells in islice(product(*choices), TRIED):
        yield {column.name: cell for column, cell in zip(columns, cells, strict=True)}


def _cells(column: Column, parts: Sequence[Selection], corpus: Study) -> list[str]:
    """Return the cells of one column that the selections can tell apart."""
    named: dict[str, None] = {}
    for part in parts:
        for value in (*part.where.get(column.name, ()), *part.without.get(column.name, ())):
            named[value] = None
        for bound in part.between.get(column.name, ()):
            named[bound] = None
    terms = corpus.codebook.vocabulary_of(column).ids if column.type == "term" else (OTHER,)
    compared = any(column.name in (*part.agrees_on, *part.differs_on) for part in parts)
    unnamed = [term for term in terms if term not in named][: None if compared else 1]
    values = [*named, *unnamed]
    if not column.separator:
        return values
    several = [s for size in range(2, len(values) + 1) for s in islice(combinations(values, size), 200)]
    return values + [column.separator.join(some) for some in several]


def new_rows(parts: Sequence[Selection], table: Table, corpus: Study) -> Iterator[Row]:
    """Yield a new row of every kind; a row whose key stands in the table already is no new row."""
    spec = table.spec
    first = {name: vocabulary.ids[0] for _, (name, *_), vocabulary in corpus.codebook.term_columns(spec)}
    blank = tuple(first.get(name, OTHER) if name in spec.key else "" for name in spec.header)
    keys = table.by_key().keys()
    for cells in kinds(parts, table, corpus, keyed=True):
        row = changed_row(table, blank, cells)
        if table.key_of(row) not in keys:
            yield row


def free_key(table: Table, parts: Sequence[Selection]) -> str:
    """Return the key column in which rows can differ without a selection's notice, or an empty string."""
    looked_at = {name for part in parts for name in part.columns}
    names = (name for name in table.spec.key if name not in looked_at and table.spec.column(name).type != "term")
    return next(names, "")


def numbered(edit: Edit, number: int, table: Table) -> Edit:
    """Give an added row a key of its own, in its first key column that holds no particular value."""
    assert edit.after is not None
    for name in table.spec.key:
        if edit.after[table.spec.position(name)] == OTHER:
            return edit._replace(after=changed_row(table, edit.after, {name: f"new-{number}"}))
    return edit
