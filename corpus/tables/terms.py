"""Findings about rows, however they were read: terms, duplicate keys, wrong order, too long cells.

Whether there is anything to find, each reader asks in the way that is fast for it. The hint about a
term names the nearest declared one.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from corpus.model.codebook import TODO, Codebook, Column, TableSpec, Texts, Vocabulary
from corpus.model.finding import Finding, closest
from corpus.model.table import MAX_CELL, Row, Table
from corpus.tables import table_rules as rules


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
        return rules.EMPTY_CELL.at(file, line, column.name, cell, advice=advice)
    values = column.values(cell)
    for value in values:
        if value not in vocabulary.ids:
            advice = _nearest(value, vocabulary)
            return rules.UNDECLARED_TERM.at(file, line, column.name, value, advice=advice)
    if len(set(values)) < len(values):
        return rules.REPEATED_TERM.at(file, line, column.name, cell)
    advice = f"separate several terms with {column.separator!r}"
    return rules.UNDECLARED_TERM.at(file, line, column.name, cell, advice=advice)


def _nearest(value: str, vocabulary: Vocabulary) -> str:
    """Return advice: the declared term that `value` most likely means, or all of them."""
    by_name = {}
    for term in vocabulary.terms:
        for name in (term.label, term.short, term.id):
            by_name[name.lower()] = term.id
    # As in an identifier: ASCII letters and digits in lower case.
    plain = re.sub(r"[^A-Za-z0-9_-]", "", value).lower().replace("-", "_")
    if plain in by_name:
        term_id = by_name[plain]
        return f"did you mean {term_id!r}? (write it exactly so, without spaces or quotation marks)"
    nearest = closest(plain or value, by_name)
    if nearest:
        return f"did you mean {by_name[nearest[0]]!r}?"
    return _declared_terms(vocabulary)


def _declared_terms(vocabulary: Vocabulary) -> str:
    return "declared terms: " + ", ".join(vocabulary.ids)


def duplicate_key_findings(
    keys: Iterable[Row], spec: TableSpec, file: str, line: Callable[[int], int]
) -> list[Finding]:
    """Find the rows that repeat the key of an earlier row (C301).

    Parameters
    ----------
    keys : iterable of tuple of str
        The key cells of every row, in the order of the file.
    spec : TableSpec
        The declaration of the table.
    file : str
        Path as it is written into findings.
    line : callable
        Gives the 1-based line of a row by its position, from 0 on.
    """
    column = ", ".join(spec.key)
    first: dict[Row, int] = {}
    findings = []
    for position, key in enumerate(keys):
        if first.setdefault(key, position) == position:
            continue
        place = (file, line(position), column, ", ".join(key))
        findings.append(rules.DUPLICATE_KEY.at(*place, first=line(first[key])))
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
            return [rules.ROW_ORDER.at(file, line(position), spec.key[0], value, other=other)]
    return []


def long_cell_finding(file: str, line: int, column: str, start: str, length: int) -> Finding:
    """Make the finding (C123) about a cell of `length` characters, of which `start` is shown."""
    limit = f"{MAX_CELL:,}"
    return rules.CELL_TOO_LONG.at(file, line, column, start, length=f"{length:,}", limit=limit)
