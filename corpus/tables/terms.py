"""Findings about rows, however they were read: terms, duplicate keys, wrong order, too long cells.

Whether there is anything to find, each reader asks in the way that is fast for it. The hint about a
term names the nearest declared one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from corpus.model.codebook import TODO, Codebook, Column, TableSpec, Texts, Vocabulary
from corpus.model.finding import Finding, Rule, closest
from corpus.model.table import MAX_CELL, Row, Table

CELL_TOO_LONG = Rule(
    "C123",
    "{column} has {length} characters, more than the {limit} that a cell may have",
    "shorten the text, or keep it in a file of its own",
    title="Cell too long",
    reason="A cell of this size is a file in the wrong place, and keeps programs busy for minutes.",
)
ROW_ORDER = Rule(
    "C308",
    "{value} is after {other}",
    "run `corpus fmt`",
    title="Rows out of order",
    reason="Rows in one order make small changes and few merge conflicts.",
)
EMPTY_CELL = Rule(
    "C201",
    "{column} must not be empty",
    "{advice}",
    title="Empty cell",
    reason="An empty cell tells neither that a value is unknown nor that none applies.",
)
UNDECLARED_TERM = Rule(
    "C202",
    "{column} {value} is not a term of the codebook",
    "{advice}",
    title="Term not in the vocabulary",
    reason="Counts run over the declared vocabulary; a new term is added to the codebook first.",
)
REPEATED_TERM = Rule(
    "C219",
    "{column} {value} names a term more than once",
    "write each term once",
    title="Duplicate term in a cell",
    reason="The terms of a cell are a set.",
)
DUPLICATE_KEY = Rule(
    "C301",
    "{column} {value} is already on line {first}",
    "give one of the rows another key, or remove the copy",
    title="Duplicate key",
    reason="All else refers to a row by its key.",
)


def term_findings(table: Table, book: Codebook) -> list[Finding]:
    """Find every term cell that is empty, not declared or repeats a term (C201, C202, C219).

    Distinct cells are checked once, so that the cost is that of collecting them.
    """
    findings = []
    for position, column, vocabulary in book.term_columns(table.spec):
        distinct = {row[position] for row in table.rows}
        wrong = undeclared(distinct, column, vocabulary)
        if not wrong:
            continue
        for row, line in table.located_rows():
            if row[position] in wrong:
                place = (row[position], column, vocabulary, table.file, line)
                findings.append(term_finding(*place))
    return findings


def with_terms(columns: Texts, spec: TableSpec) -> Texts:
    """Return the names of some columns and behind them those of all others that hold terms."""
    terms = [column.name for column in spec.term_columns]
    return tuple(dict.fromkeys([*columns, *terms]))


def has_undeclared(cells: Mapping[str, Iterable[str]], spec: TableSpec, book: Codebook) -> bool:
    """Return whether any cell of the term columns is wrong.

    Parameters
    ----------
    cells : mapping of str to iterable of str
        Column -> its distinct cells.
    spec : TableSpec
        The declaration of the table.
    book : Codebook
        Declares the vocabularies.
    """
    for _, column, vocabulary in book.term_columns(spec):
        if undeclared(cells[column.name], column, vocabulary):
            return True
    return False


def undeclared(cells: Iterable[str], column: Column, vocabulary: Vocabulary) -> set[str]:
    """Return the wrong cells: empty though required, not declared, repetitive, or badly joined."""
    declared = set(vocabulary.ids)
    wrong = set()
    for cell in cells:
        if cell in declared or cell == TODO:
            continue
        values = column.values(cell)
        is_missing = column.required and not values
        # Reading is lenient about whitespace beside a separator; the canonical form is not.
        is_badly_joined = column.separator and cell != column.separator.join(values)
        is_repetitive = len(set(values)) < len(values)
        has_unknown = not declared.issuperset(values)
        if is_missing or is_badly_joined or is_repetitive or has_unknown:
            wrong.add(cell)
    return wrong


def term_finding(
    cell: str, column: Column, vocabulary: Vocabulary, file: str, line: int
) -> Finding:
    """Make the finding for one cell that :func:`undeclared` named."""
    if not cell:
        absent = vocabulary.not_applicable
        advice = _declared_terms(vocabulary)
        if absent:
            advice = f"write {absent} where none applies; a spreadsheet may have emptied the cell"
        return EMPTY_CELL.at(file, line, column.name, cell, advice=advice)
    values = column.values(cell)
    for value in values:
        if value not in vocabulary.ids:
            advice = _nearest(value, vocabulary)
            return UNDECLARED_TERM.at(file, line, column.name, value, advice=advice)
    if len(set(values)) < len(values):
        return REPEATED_TERM.at(file, line, column.name, cell)
    advice = f"separate several terms with {column.separator!r}"
    return UNDECLARED_TERM.at(file, line, column.name, cell, advice=advice)


def _nearest(value: str, vocabulary: Vocabulary) -> str:
    """Return advice: the declared term that `value` most likely means, or all of them."""
    by_name = {}
    for term in vocabulary.terms:
        for name in (term.label, term.short, term.id):
            by_name[name.lower()] = term.id
    # As in an identifier: ASCII letters and digits in lower case.
    plain = re.sub(r"[^A-Za-z0-9_-]", "", value).lower().replace("-", "_")
    for nearest in closest(plain or value, by_name):
        return f"did you mean {by_name[nearest]!r}?"
    return _declared_terms(vocabulary)


def _declared_terms(vocabulary: Vocabulary) -> str:
    return "declared terms: " + ", ".join(vocabulary.ids)


def duplicate_key_findings(
    keys: Sequence[Row], spec: TableSpec, file: str, line: Callable[[int], int]
) -> list[Finding]:
    """Find the rows that repeat the key of an earlier row (C301).

    Parameters
    ----------
    keys : sequence of tuple of str
        The key cells of every row, in the order of the file.
    spec : TableSpec
        The declaration of the table.
    file : str
        Path as it is written into findings.
    line : callable
        Gives the 1-based line of a row by its position, from 0 on.
    """
    # One pass in C: most tables have no duplicate.
    if len(set(keys)) == len(keys):
        return []
    column = ", ".join(spec.key)
    first: dict[Row, int] = {}
    findings = []
    for position, key in enumerate(keys):
        if first.setdefault(key, position) == position:
            continue
        place = (file, line(position), column, ", ".join(key))
        findings.append(DUPLICATE_KEY.at(*place, first=line(first[key])))
    return findings


def row_order_findings(
    keys: Iterable[Row], spec: TableSpec, file: str, line: Callable[[int], int]
) -> list[Finding]:
    """Find the first row whose key sorts before that of the row above it (C308).

    One finding is enough: `corpus fmt` sorts them all. The parameters are those of
    :func:`duplicate_key_findings`.
    """
    for position, (previous, key) in enumerate(pairwise(keys), 1):
        if key < previous:
            value, other = ", ".join(key), ", ".join(previous)
            return [ROW_ORDER.at(file, line(position), spec.key[0], value, other=other)]
    return []


def long_cell_finding(file: str, line: int, column: str, start: str, length: int) -> Finding:
    """Make the finding (C123) about a cell of `length` characters, of which `start` is shown."""
    limit = f"{MAX_CELL:,}"
    return CELL_TOO_LONG.at(file, line, column, start, length=f"{length:,}", limit=limit)
