"""Which rows to keep: one kind of test for ``--where``, for claims and for the Python interface.

A test looks at the cell of one column. Several tests are all required.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column, TableSpec, Texts, Vocabulary
from corpus.model.dates import INSIDE, place
from corpus.model.finding import UsageProblem, closest, unknown
from corpus.model.table import Row

#: Column types whose cells have an order, so that ranges of them mean something.
ORDERED_TYPES = ("date", "year", "integer", "number")

# Compiled when the first filter is read, as re keeps it: most commands read none.
_COMPARISON = r"(?s)(?P<column>[^<>=!~]+)(?P<operator>!=|>=|<=|=|>|<|~)(?P<value>.*)"
# A bound must be written as a cell may be: float() would also take "nan", "inf", "1e3" and "1_000",
# which keep no row, or rows that nobody meant.
_WHOLE = r"-?[0-9]{1,18}"
_DECIMAL = r"-?[0-9]{1,18}(?:\.[0-9]{1,17})?"


class OneOf(NamedTuple):
    """Keep the rows whose cell in `column` is one of `values` (or none of them, where `negated`).

    Of a multi-valued cell, any of its values counts. An empty cell has the value "". With
    `any_case`, capital letters do not count; the values are casefolded then.
    """

    column: Column
    values: frozenset[str]
    negated: bool = False
    any_case: bool = False

    @property
    def named(self) -> Texts:
        """The cells that the filter names, sorted; it treats all others as one."""
        return tuple(sorted(self.values))

    def keeps(self, cell: str) -> bool:
        """Return whether a cell passes."""
        if self.any_case:
            cell = cell.casefold()
        if not self.column.separator:
            return (cell in self.values) is not self.negated
        present = self.column.values(cell) or ("",)
        return self.values.isdisjoint(present) is self.negated


class Contains(NamedTuple):
    """Keep the rows whose cell in `column` has a text somewhere in it, in any letter case."""

    column: Column
    text: str

    @property
    def named(self) -> Texts:
        """A cell that passes; of any two others one may have the text, too."""
        return (self.text,)

    def keeps(self, cell: str) -> bool:
        """Return whether a cell passes."""
        return self.text.casefold() in cell.casefold()


class Within(NamedTuple):
    """Keep the rows whose cell in an ordered column is between two bounds, both included.

    An empty bound leaves its side open. A date of which only a year or a month is known is within
    where all of its days are.
    """

    column: Column
    first: str
    last: str

    @property
    def named(self) -> Texts:
        """Cells that pass; any two others may be on different sides of a bound."""
        return (self.first, self.last)

    def keeps(self, cell: str) -> bool:
        """Return whether a cell passes; one without a date or number does not."""
        if self.column.type == "date":
            return place(cell, self.first, self.last) == INSIDE
        try:
            # Nothing is true of "nan".
            return float(self.first or "-inf") <= float(cell) <= float(self.last or "inf")
        except ValueError:
            return False


#: Every kind has `column`, `keeps` and `named`: the type checker refuses one without, so that no
#: margin of a claim can miss a kind.
Filter = OneOf | Contains | Within


def is_bound(column: Column, text: str) -> bool:
    """Return whether a text can bound a range of an ordered column: a date, or a number.

    Examples
    --------
    >>> year = Column("year", "year", "Year", "", "", True, "", "", "", False)
    >>> is_bound(year, "2026"), is_bound(year, "2026.5"), is_bound(year, "nan")
    (True, False, False)
    """
    if column.type == "date":
        return place(text, "", "") == INSIDE
    form = _DECIMAL if column.type == "number" else _WHOLE
    return re.fullmatch(form, text) is not None


def parse_filter(text: str, spec: TableSpec, book: Codebook) -> Filter:
    """Read ``column=value``, ``column!=value,value``, ``column~text`` or ``column>=value``.

    Commas separate terms, dates and numbers; ``|`` separates values of every type, since a text may
    have commas. Columns and terms may be written by their label; letter case does not matter, for
    texts neither. ``~`` keeps what has the text somewhere. Of ordered columns, ``>`` and ``<`` are
    for whole numbers and years; dates take ``>=`` and ``<=``.

    Parameters
    ----------
    text : str
        The filter.
    spec : TableSpec
        The table whose columns it may name.
    book : Codebook
        Gives the vocabularies.

    Raises
    ------
    UsageProblem
        For another form, an unknown column, an undeclared term, a value that no cell of the column
        can have, or a range over a column without order.

    Examples
    --------
    >>> from corpus.tables.documents import read_codebook
    >>> from corpus.tables.location import shipped_data
    >>> book = read_codebook(shipped_data())
    >>> sorted(parse_filter("category=RL method,benchmark", book.pool, book).values)
    ['benchmark', 'rl_method']
    >>> parse_filter("year>=2026", book.pool, book).keeps("2025")
    False
    """
    match = re.fullmatch(_COMPARISON, text)
    if match is None:
        raise UsageProblem(
            f"a filter is COLUMN=VALUE, COLUMN!=VALUE, COLUMN~TEXT or COLUMN>=VALUE, not {text!r}"
        )
    column = spec.column(match["column"].strip())
    operator = match["operator"]
    value = match["value"].strip()
    if operator == "~":
        if not value:
            raise UsageProblem(f"{text!r}: write what {column.name} must have in it after ~")
        return Contains(column, value)
    if operator in ("=", "!="):
        return one_of(column, _split(value, column, book), book, negated=operator == "!=")
    return _range(column, operator, value, text)


def parse_filters(texts: Iterable[str], spec: TableSpec, book: Codebook) -> list[Filter]:
    """Read several filters, as a repeated ``--where`` gives them; see :func:`parse_filter`."""
    return [parse_filter(text, spec, book) for text in texts]


def one_of(column: Column, values: Iterable[str], book: Codebook, negated: bool = False) -> OneOf:
    """Make a filter; terms are matched with the vocabulary, texts in any letter case.

    Raises
    ------
    UsageProblem
        For a value that is not a declared term, or not a year, number or date in their columns.
    """
    wanted = list(values)
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)
        wanted = [_declared_term(value, column, vocabulary) for value in wanted]
        return OneOf(column, frozenset(wanted), negated)
    if column.type in ORDERED_TYPES:
        for value in wanted:
            if value and not is_bound(column, value):
                raise UsageProblem(f"{column.name}: {value!r} is not a valid {column.type}")
        return OneOf(column, frozenset(wanted), negated)
    return OneOf(column, frozenset(map(str.casefold, wanted)), negated, any_case=True)


def unmatched(filters: Iterable[Filter], cells_of: Callable[[str], Iterable[str]]) -> list[str]:
    """Return a sentence for each value of a filter that no cell has, with the nearest one.

    Parameters
    ----------
    filters : iterable of Filter
        Filters that kept nothing.
    cells_of : callable
        Takes the name of a column, returns its cells.
    """
    sentences = []
    for filter_ in filters:
        if not isinstance(filter_, OneOf) or filter_.negated or filter_.column.type == "term":
            continue
        cells = sorted(set(cells_of(filter_.column.name)))
        if any(map(filter_.keeps, cells)):
            continue
        for value in filter_.named:
            nearest = " or ".join(map(repr, closest(value, cells, most=2))) or "none"
            sentences.append(f"{filter_.column.name}: no cell is {value!r}; nearest: {nearest}")
    return sentences


def row_test(filters: Iterable[Filter], header: Sequence[str]) -> Callable[[Row], bool]:
    """Return a function that tells whether a row with these columns passes all filters."""
    tests = [(header.index(filter_.column.name), filter_) for filter_ in filters]

    if len(tests) == 1:  # most of them; claims ask this hundreds of thousands of times
        (position, only), *_ = tests
        return lambda row: only.keeps(row[position])

    def passes(row: Row) -> bool:
        return all(filter_.keeps(row[position]) for position, filter_ in tests)

    return passes


def _split(value: str, column: Column, book: Codebook) -> list[str]:
    if column.type not in (*ORDERED_TYPES, "term"):
        return value.split("|")
    # A term or a label may itself contain a comma.
    if column.type == "term" and value in _by_any_name(book.vocabulary_of(column)):
        return [value]
    return list(map(str.strip, value.replace("|", ",").split(",")))


def _declared_term(value: str, column: Column, vocabulary: Vocabulary) -> str:
    """Return the term that a value names by its id or label; an empty value means an empty cell."""
    if not value and not column.required:
        return value
    names = _by_any_name(vocabulary)
    if value in names:
        return names[value]
    if value.lower() in names:
        return names[value.lower()]
    raise UsageProblem(f"{column.name}: {unknown('term', value, vocabulary.ids)}")


def _by_any_name(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the terms by label and id, as written and in lower case; an id wins over a label."""
    names = {}
    # The first of two terms with one label has it.
    for term in reversed(vocabulary.terms):
        names[term.label.lower()] = term.id
    for name in map(str.lower, vocabulary.ids), vocabulary.ids:
        names.update(zip(name, vocabulary.ids, strict=True))
    return names


def _range(column: Column, operator: str, value: str, text: str) -> Within:
    if column.type not in ORDERED_TYPES:
        ordered = ", ".join(ORDERED_TYPES)
        raise UsageProblem(
            f"{text!r}: only {ordered} columns have an order; "
            f"{column.name} is of type {column.type}"
        )
    if not is_bound(column, value):
        raise UsageProblem(f"{text!r}: {value!r} is not a valid {column.type}")
    # Between two whole numbers there is nothing, so that > 2025 is >= 2026. A date may be a month
    # or a year: what comes after it depends on how precise the other date is.
    step = {">": 1, "<": -1}.get(operator)
    if step and column.type not in ("year", "integer"):
        raise UsageProblem(f"{text!r}: write {operator}= for a column of type {column.type}")
    if step:
        value = str(int(value) + step)
    if operator.startswith(">"):
        return Within(column, value, "")
    return Within(column, "", value)
