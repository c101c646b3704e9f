"""Hold every tag against the codebook; the advice names the nearest declared term."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from corpus.model.codebook import Codebook, Column, Vocabulary
from corpus.model.finding import Finding
from corpus.model.table import Table
from corpus.tables import table_rules as rules


def term_findings(table: Table, book: Codebook) -> list[Finding]:
    """Return C201, C202 and C219 findings for every term cell that is empty or not declared.

    Distinct cells are checked once, so that the cost is that of collecting them.
    """
    findings: list[Finding] = []
    for position, column, vocabulary in book.term_columns(table.spec):
        wrong = undeclared({row[position] for row in table.rows}, column, vocabulary)
        if not wrong:
            continue
        places = defaultdict(list)
        for row, line in zip(table.rows, table.lines, strict=True):
            if row[position] in wrong:
                places[row[position]].append(line)
        for cell, lines in places.items():
            findings += [term_finding(cell, column, vocabulary, table.file, line) for line in lines]
    return findings


def undeclared(cells: Iterable[str], column: Column, vocabulary: Vocabulary) -> set[str]:
    """Return the cells that are empty though required, name a term twice, or hold anything but declared terms."""
    declared = set(vocabulary.ids)
    wrong = set()
    for cell in cells:
        if cell in declared:
            continue
        values = column.values(cell)
        missing = column.required and not values
        badly_joined = bool(column.separator) and cell != column.separator.join(values)
        repeated = len(set(values)) < len(values)
        if missing or badly_joined or repeated or not declared.issuperset(values):
            wrong.add(cell)
    return wrong


def term_finding(cell: str, column: Column, vocabulary: Vocabulary, file: str, line: int) -> Finding:
    """Make the finding for one cell that :func:`undeclared` named."""
    if not cell:
        absent = vocabulary.not_applicable
        advice = (
            f"write {absent} where none applies; a spreadsheet may have blanked it" if absent else _terms(vocabulary)
        )
        return rules.EMPTY_CELL.at(file, line, column.name, cell, advice=advice)
    values = column.values(cell)
    for value in values:
        if value not in vocabulary.ids:
            return rules.UNDECLARED_TERM.at(file, line, column.name, value, advice=nearest(value, vocabulary))
    if len(set(values)) < len(values):
        return rules.REPEATED_TERM.at(file, line, column.name, cell)
    advice = f"separate several terms with {column.separator!r}"
    return rules.UNDECLARED_TERM.at(file, line, column.name, cell, advice=advice)


def nearest(value: str, vocabulary: Vocabulary) -> str:
    """Return advice: the declared term that `value` most likely means, or all of them."""
    plain = "".join(c for c in value if c.isascii() and (c.isalnum() or c in "_-")).lower().replace("-", "_")
    by_name = {name.lower(): term.id for term in vocabulary.terms for name in (term.label, term.short, term.id)}
    if plain in by_name:
        return f"did you mean {by_name[plain]!r}? (write it exactly so, without blanks or quotes)"
    import difflib  # only a wrong tag needs it; start-up does not

    close = difflib.get_close_matches(plain or value, by_name, 1, cutoff=0.6)
    return f"did you mean {by_name[close[0]]!r}?" if close else _terms(vocabulary)


def _terms(vocabulary: Vocabulary) -> str:
    return "declared terms: " + ", ".join(vocabulary.ids)
