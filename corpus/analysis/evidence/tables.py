"""Evidence tables as they are printed: crossed by two columns, or listed; labels in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.claims.evaluate import all_outcomes
from corpus.analysis.claims.named import GROUND, OPEN_WHILE, row_states
from corpus.analysis.evidence.plan import EvidencePlan, ListPlan, MatrixPlan
from corpus.model.codebook import Codebook, Column, Term
from corpus.model.study import Study
from corpus.model.table import Table

#: Matrices with more columns print the short forms of their terms, and explain them.
_WIDE = 6

#: A cell for which the table has no row.
NO_ROW = "–"


class EvidenceTable(NamedTuple):
    """One table ready to print.

    Attributes
    ----------
    name, title : str
        As declared.
    header : tuple of str
        Column heads.
    rows : tuple of tuple of str
        Cells in print.
    numeric : frozenset of int
        Positions of the columns of numbers.
    texts : frozenset of int
        Positions of the columns of running text.
    notes : tuple of str
        What the reader must know: the declared note, what is missing, what short forms mean.
    """

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int]
    texts: frozenset[int]
    notes: tuple[str, ...]


class _Head(NamedTuple):
    """One value that heads a row or a column: the value in the table, in print, and in short."""

    value: str
    label: str
    short: str


def evidence_tables(study: Study, plans: Sequence[EvidencePlan]) -> tuple[EvidenceTable, ...]:
    """Return the declared tables in order; one whose file could not be read is left out.

    Raises
    ------
    CorpusError
        Where a table names claims and the claims have a mistake.
    """
    holding = _holding(study, plans)
    found: list[EvidenceTable] = []
    for plan in plans:
        table = study.tables.get(plan.table)
        if table is None:
            continue
        if isinstance(plan.of, ListPlan):
            found.append(_listed(study, table, plan, plan.of, holding))
        else:
            found.append(_crossed(study.codebook, table, plan, plan.of))
    return tuple(found)


def _holding(study: Study, plans: Sequence[EvidencePlan]) -> dict[str, bool]:
    """Return for each claim whether it holds; claims are evaluated only where a list needs them."""
    for plan in plans:
        spec = study.codebook.tables[plan.table]
        if isinstance(plan.of, ListPlan) and spec.by_role(OPEN_WHILE) is not None:
            return {outcome.claim.id: outcome.holds for outcome in all_outcomes(study)}
    return {}


def _crossed(book: Codebook, table: Table, plan: EvidencePlan, matrix: MatrixPlan) -> EvidenceTable:
    spec = table.spec
    down = _heads(table, spec.column(matrix.rows), book)
    across = _heads(table, spec.column(matrix.columns), book)
    wide = len(across) > _WIDE
    cells: dict[tuple[str, str], list[str]] = {}
    positions = (spec.position(matrix.rows), spec.position(matrix.columns))
    shown = spec.position(matrix.cell) if matrix.cell else positions[1]
    for row in table.rows:
        for of_row in spec.columns[positions[0]].values(row[positions[0]]):
            for of_column in spec.columns[positions[1]].values(row[positions[1]]):
                cells.setdefault((of_row, of_column), []).append(row[shown])
    header = ["", *(head.short if wide else head.label for head in across)]
    notes = [plan.note] if plan.note else []
    numeric: frozenset[int] = frozenset()
    if matrix.cell:
        column = spec.column(matrix.cell)
        rows = _valued(cells, down, across, _terms(column, book), short=wide)
        notes += _columns_lacking(cells, across, spec.column(matrix.columns), column, matrix, book)
    else:
        header.append("all")
        rows = _counts(cells, down, across)
        numeric = frozenset(range(1, len(header)))
        notes += _rows_lacking(cells, down, spec.column(matrix.rows), across, matrix)
    if wide:
        notes += _short_forms("Columns", [(head.short, head.label) for head in across])
        if matrix.cell:
            terms = _terms(spec.column(matrix.cell), book).values()
            notes += _short_forms("Cells", [(term.short, term.label) for term in terms])
    return EvidenceTable(
        plan.name, plan.title, tuple(header), tuple(rows), numeric, frozenset(), tuple(notes)
    )


def _heads(table: Table, column: Column, book: Codebook) -> list[_Head]:
    """Return every declared term, or the values that occur where the column has no vocabulary."""
    if column.type == "term":
        terms = book.vocabulary_of(column).terms
        return [_Head(term.id, term.label, term.short) for term in terms]
    values = dict.fromkeys(table.column(column.name))
    return [_Head(value, value, value) for value in values if value]


def _terms(column: Column, book: Codebook) -> dict[str, Term]:
    if column.type != "term":
        return {}
    return {term.id: term for term in book.vocabulary_of(column).terms}


def _valued(
    cells: Mapping[tuple[str, str], Sequence[str]],
    down: Sequence[_Head],
    across: Sequence[_Head],
    terms: Mapping[str, Term],
    short: bool,
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for row in down:
        line = [row.label]
        for column in across:
            values: list[str] = []
            for value in cells.get((row.value, column.value), ()):
                term = terms.get(value)
                if term is None:
                    values.append(value)
                else:
                    values.append(term.short if short else term.label)
            line.append(", ".join(values) or NO_ROW)
        rows.append(tuple(line))
    return rows


def _counts(
    cells: Mapping[tuple[str, str], Sequence[str]], down: Sequence[_Head], across: Sequence[_Head]
) -> list[tuple[str, ...]]:
    """Return the numbers of rows with their totals."""
    rows: list[tuple[str, ...]] = []
    totals = [0] * len(across)
    for row in down:
        numbers = [len(cells.get((row.value, column.value), ())) for column in across]
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        rows.append((row.label, *map(str, numbers), str(sum(numbers))))
    rows.append(("all", *map(str, totals), str(sum(totals))))
    return rows


def _rows_lacking(
    cells: Mapping[tuple[str, str], Sequence[str]],
    down: Sequence[_Head],
    column: Column,
    across: Sequence[_Head],
    matrix: MatrixPlan,
) -> Iterator[str]:
    """Yield which rows have no entry in any of the wanted columns."""
    if not matrix.lacking:
        return
    wanted = [head.label for head in across if head.value in matrix.lacking]
    lacking: list[str] = []
    for row in down:
        if not any((row.value, term) in cells for term in matrix.lacking):
            lacking.append(row.label)
    yield _lacking(column, wanted, lacking)


def _columns_lacking(
    cells: Mapping[tuple[str, str], Sequence[str]],
    across: Sequence[_Head],
    of_columns: Column,
    column: Column,
    matrix: MatrixPlan,
    book: Codebook,
) -> Iterator[str]:
    """Yield which columns have none of the wanted terms in their cells."""
    if not matrix.lacking:
        return
    terms = _terms(column, book)
    wanted = [terms[term].label for term in matrix.lacking]
    filled = {place[1] for place, values in cells.items() if set(values) & set(matrix.lacking)}
    lacking = [head.label for head in across if head.value not in filled]
    yield _lacking(of_columns, wanted, lacking)


def _lacking(column: Column, wanted: Sequence[str], lacking: Sequence[str]) -> str:
    names = ", ".join(lacking) or "none"
    return f"{column.label} without any {' or '.join(wanted)}: {names}."


def _short_forms(what: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    explained = [f"{short} = {label}" for short, label in pairs if short != label]
    if explained:
        yield f"{what}: {'; '.join(explained)}."


def _listed(
    study: Study, table: Table, plan: EvidencePlan, listed: ListPlan, holding: Mapping[str, bool]
) -> EvidenceTable:
    book, spec = study.codebook, table.spec
    columns = [spec.column(name) for name in listed.columns]
    header = [column.label for column in columns]
    lines: list[list[str]] = []
    for row in table.rows:
        lines.append(
            [in_words(column, row[spec.position(column.name)], book) for column in columns]
        )
    if spec.by_role(OPEN_WHILE) is not None:
        _add_states(study, table, header, lines, holding)
    texts = [place for place, column in enumerate(columns) if column.type in ("text", "verbatim")]
    numeric = [place for place, column in enumerate(columns) if column.type == "number"]
    return EvidenceTable(
        plan.name,
        plan.title,
        tuple(header),
        tuple(map(tuple, lines)),
        frozenset(numeric),
        frozenset(texts),
        (plan.note,) if plan.note else (),
    )


def in_words(column: Column, cell: str, book: Codebook) -> str:
    """Return a cell in print: terms by their labels, everything else as it is."""
    if column.type != "term":
        return cell
    labels = _terms(column, book)
    return ", ".join(labels[value].label for value in column.values(cell) if value in labels)


def _add_states(
    study: Study,
    table: Table,
    header: list[str],
    lines: list[list[str]],
    holding: Mapping[str, bool],
) -> None:
    """Add to each open question the claims that it follows from, and whether it is still open."""
    states = row_states(table, holding)
    grounds = _grounds(study, table)
    header += ["Follows from", "State"]
    for name, line in zip(table.spec.names_of(table.rows), lines, strict=True):
        line += [", ".join(grounds.get(name, ())), states.get(name, "")]


def _grounds(study: Study, table: Table) -> dict[str, list[str]]:
    """Return the claims that other tables name as grounds of the rows of one."""
    found: dict[str, list[str]] = {}
    for other in study.tables.values():
        reference, ground = other.spec.reference_to(table.spec), other.spec.by_role(GROUND)
        if reference is None or ground is None:
            continue
        names, claims = other.column(reference.name), other.column(ground.name)
        for name, claim in zip(names, claims, strict=True):
            found.setdefault(name, []).append(claim)
    return found
