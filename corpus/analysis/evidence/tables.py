"""Evidence tables as they are printed: crossed by two columns, or listed; labels in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.claims.named import OPEN_WHILE, grounds, row_states
from corpus.analysis.evidence.plan import EvidencePlan, ListPlan, MatrixPlan
from corpus.model.codebook import Codebook, Column, Term
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text

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


#: Value of the row and of the column -> what the rows that have both have in the printed column.
_Cells = dict[tuple[str, str], list[str]]
#: The same values -> the positions of the rows that have both.
_Places = dict[tuple[str, str], list[int]]


def evidence_tables(study: Study, plans: Sequence[EvidencePlan]) -> tuple[EvidenceTable, ...]:
    """Return the declared tables in order; one whose file could not be read is left out.

    Raises
    ------
    CorpusError
        Where a table names claims and the claims have a mistake.
    """
    holding: Mapping[str, bool] = {}
    for plan in plans:
        spec = study.codebook.tables[plan.table]
        # Claims are evaluated only where a list needs them.
        if isinstance(plan.of, ListPlan) and spec.by_role(OPEN_WHILE) is not None:
            holding = holding_claims(study)
    found: list[EvidenceTable] = []
    for plan in plans:
        table = study.tables.get(plan.table)
        if table is None:
            continue
        if isinstance(plan.of, ListPlan):
            found.append(_listed(study, table, plan, plan.of, holding))
        else:
            found.append(_crossed(study, table, plan, plan.of))
    return tuple(found)


def _crossed(study: Study, table: Table, plan: EvidencePlan, matrix: MatrixPlan) -> EvidenceTable:
    book = study.codebook
    spec = table.spec
    of_rows = spec.column(matrix.rows)
    of_columns = spec.column(matrix.columns)
    down = _heads(table, of_rows, book)
    across = _heads(table, of_columns, book)
    # Decided by the declared columns and not by the filled ones, so that the heads stay the same
    # when rows are added.
    is_wide = len(across) > _WIDE
    places = _crossed_places(table, matrix)
    header = ["", *(head.short if is_wide else head.label for head in across)]
    notes = list(_declared_note(plan))
    numeric: frozenset[int] = frozenset()
    terms: dict[str, Term] = {}
    if matrix.cell:
        terms = _terms(spec.column(matrix.cell), book)
        cells = _crossed_cells(table, matrix.cell, places)
        rows = _valued(cells, down, across, terms, is_wide)
        if matrix.beside is not None:
            rows, differing = _beside(study, cells, rows, (down, across), matrix)
            notes += differing
        notes += _columns_lacking(cells, across, of_columns, terms, matrix)
    else:
        header.append("all")
        rows = _counts(places, down, across)
        numeric = frozenset(range(1, len(header)))
        notes += _rows_lacking(places, down, of_rows, across, matrix)
    if is_wide:
        notes += _short_forms("Columns", across)
        notes += _short_forms("Cells", terms.values())
    return EvidenceTable(
        plan.name, plan.title, tuple(header), tuple(rows), numeric, frozenset(), tuple(notes)
    )


def _crossed_places(table: Table, matrix: MatrixPlan) -> _Places:
    """Return the positions of the rows that have both values, by these values."""
    spec = table.spec
    at_row = spec.position(matrix.rows)
    at_column = spec.position(matrix.columns)
    found: _Places = {}
    for position, row in enumerate(table.rows):
        row_values = spec.columns[at_row].values(row[at_row])
        column_values = spec.columns[at_column].values(row[at_column])
        for place in product(row_values, column_values):
            found.setdefault(place, []).append(position)
    return found


def _crossed_cells(table: Table, shown: str, places: _Places) -> _Cells:
    """Return what the rows at each place have in the printed column, each of several values."""
    column = table.spec.column(shown)
    cells = table.column(shown)
    found: _Cells = {}
    for place, positions in places.items():
        values: list[str] = []
        for position in positions:
            values += column.values(cells[position])
        found[place] = values
    return found


def _declared_note(plan: EvidencePlan) -> tuple[str, ...]:
    return (plan.note,) if plan.note else ()


def _heads(table: Table, column: Column, book: Codebook) -> Sequence[Term]:
    """Return every declared term; values that occur as terms where there is no vocabulary."""
    if column.type == "term":
        return book.vocabulary_of(column).terms
    values = dict.fromkeys(table.column(column.name))
    return [Term(value, value, value, "") for value in values if value]


def _terms(column: Column, book: Codebook) -> dict[str, Term]:
    if column.type != "term":
        return {}
    return {term.id: term for term in book.vocabulary_of(column).terms}


def _valued(
    cells: _Cells,
    down: Sequence[Term],
    across: Sequence[Term],
    terms: Mapping[str, Term],
    is_short: bool,
) -> list[tuple[str, ...]]:
    labels = {name: term.short if is_short else term.label for name, term in terms.items()}
    rows: list[tuple[str, ...]] = []
    for row in down:
        line = [row.label]
        for column in across:
            values = cells.get((row.id, column.id), ())
            shown = [labels.get(value, value) for value in values]
            line.append(", ".join(shown) or NO_ROW)
        rows.append(tuple(line))
    return rows


def _beside(
    study: Study,
    cells: _Cells,
    rows: Sequence[tuple[str, ...]],
    heads: tuple[Sequence[Term], Sequence[Term]],
    matrix: MatrixPlan,
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Add to each cell what the second table has there, where it differs.

    A column that is named like a group of terms is compared with the first declared term that one
    of the group has. Terms that are not wanted count as the same.
    """
    beside = matrix.beside
    assert beside is not None, "the caller looked"
    other = study.tables.get(beside.table)
    if other is None:
        return list(rows), []
    book = study.codebook
    column = other.spec.column(beside.cell)
    labels = book.vocabulary_of(column).labels
    wanted = matrix.lacking or tuple(labels)
    groups: dict[str, str] = {}
    for group in book.vocabulary_of(other.spec.column(beside.columns)).groups:
        groups |= dict.fromkeys(group.terms, group.id)
    judged: dict[tuple[str, str], set[str]] = {}
    columns = (other.column(name) for name in (matrix.rows, beside.columns, beside.cell))
    for row, name, cell in zip(*columns, strict=True):
        judged.setdefault((row, groups.get(name, name)), set()).update(column.values(cell))
    down, across = heads
    compared: list[tuple[str, ...]] = []
    both = differing = 0
    for head, shown in zip(down, rows, strict=True):
        line = list(shown)
        for place, over in enumerate(across, 1):
            own = cells.get((head.id, over.id), [])
            found = judged.get((head.id, over.id), set())
            first = next((term for term in labels if term in found), "")
            if not own or not first:
                continue
            both += 1
            if {first}.intersection(wanted) != set(own).intersection(wanted):
                differing += 1
                line[place] += f" ({labels[first]})"
        compared.append(tuple(line))
    title = other.spec.title
    note = f"In parentheses what the table {title!r} has instead, in {differing} of {both} cells."
    return compared, [note]


def _counts(places: _Places, down: Sequence[Term], across: Sequence[Term]) -> list[tuple[str, ...]]:
    """Return the numbers of rows with their totals, in which a row of several values is one."""
    of_columns: list[set[int]] = [set() for _ in across]
    rows: list[tuple[str, ...]] = []
    for row in down:
        of_row: set[int] = set()
        numbers: list[int] = []
        for column, of_column in zip(across, of_columns, strict=True):
            found = places.get((row.id, column.id), [])
            numbers.append(len(found))
            of_row.update(found)
            of_column.update(found)
        rows.append((row.label, *map(str, numbers), str(len(of_row))))
    totals = [str(len(of_column)) for of_column in of_columns]
    everything = set().union(*of_columns)
    rows.append(("all", *totals, str(len(everything))))
    return rows


def _rows_lacking(
    cells: _Places, down: Sequence[Term], column: Column, across: Sequence[Term], matrix: MatrixPlan
) -> Iterator[str]:
    """Yield which rows have no entry in any of the wanted columns."""
    if not matrix.lacking:
        return
    wanted = [head.label for head in across if head.id in matrix.lacking]
    lacking: list[str] = []
    for row in down:
        places = {(row.id, term) for term in matrix.lacking}
        if places.isdisjoint(cells):
            lacking.append(row.label)
    yield _lacking(column, wanted, lacking)


def _columns_lacking(
    cells: _Cells,
    across: Sequence[Term],
    column: Column,
    terms: Mapping[str, Term],
    matrix: MatrixPlan,
) -> Iterator[str]:
    """Yield which columns have none of the wanted terms in their cells."""
    if not matrix.lacking:
        return
    wanted = [terms[term].label for term in matrix.lacking]
    filled: set[str] = set()
    for (_, of_column), values in cells.items():
        if not set(matrix.lacking).isdisjoint(values):
            filled.add(of_column)
    lacking = [head.label for head in across if head.id not in filled]
    yield _lacking(column, wanted, lacking)


def _lacking(column: Column, wanted: Sequence[str], lacking: Sequence[str]) -> str:
    alternatives = " or ".join(wanted)
    names = ", ".join(lacking) or "none"
    return f"{column.label} without any {alternatives}: {names}."


def _short_forms(what: str, named: Iterable[Term]) -> Iterator[str]:
    explained = [f"{one.short} = {one.label}" for one in named if one.short != one.label]
    if explained:
        yield f"{what}: {'; '.join(explained)}."


def _listed(
    study: Study, table: Table, plan: EvidencePlan, listed: ListPlan, holding: Mapping[str, bool]
) -> EvidenceTable:
    spec = table.spec
    header: list[str] = []
    printed: list[list[str]] = []
    numeric = set()
    texts = set()
    for place, name in enumerate(listed.columns):
        column = spec.column(name)
        header.append(column.label)
        cells = table.column(name)
        printed.append([in_words(column, cell, study.codebook) for cell in cells])
        if column.type in ("text", "verbatim"):
            texts.add(place)
        elif column.type == "number":
            numeric.add(place)
    for name, shown in listed.also:
        header.append(study.codebook.tables[name].column(shown).label)
        printed.append(_referring(study, table, name, shown))
    if listed.counts:
        numeric.add(len(header))
        header.append("In the pool")
        printed.append(_entries_with(study, table, listed.counts))
    if spec.by_role(OPEN_WHILE) is not None:
        cells, claims, states = _grounds_and_states(study, table, holding)
        if any(cells):
            header.append("Cells")
            printed.append(cells)
        header += ["Follows from", "State"]
        printed += [claims, states]
    # Numbered rows in the order of their numbers: the file has P10 before P2.
    names = [re.sub("[0-9]+", lambda number: number[0].zfill(9), name) for name in table.names()]
    rows = [row for _, row in sorted(zip(names, zip(*printed, strict=True), strict=True))]
    return EvidenceTable(
        plan.name,
        plan.title,
        tuple(header),
        tuple(rows),
        frozenset(numeric),
        frozenset(texts),
        _declared_note(plan),
    )


def _referring(study: Study, table: Table, name: str, shown: str) -> list[str]:
    """Return for each row what the rows of another table have that refer to it."""
    other = study.tables.get(name)
    found: dict[str, list[str]] = {}
    if other is not None:
        reference = other.spec.reference_to(table.spec)
        assert reference is not None, "the plan was read with it"
        column = other.spec.column(shown)
        for key, cell in zip(other.column(reference.name), other.column(shown), strict=True):
            found.setdefault(key, []).append(in_words(column, cell, study.codebook))
    return [", ".join(found.get(key, ())) or NO_ROW for key in table.names()]


def _entries_with(study: Study, table: Table, name: str) -> list[str]:
    """Return for each row how many entries of the pool have one of the terms in its cell."""
    column = table.spec.column(name)
    axis = next(a for a in study.codebook.pool.axes if a.vocabulary == column.vocabulary)
    counts: list[str] = []
    for cell in table.column(name):
        wanted = set(column.values(cell))
        having = [e for e in study.entries.values() if wanted.intersection(e.terms(axis.name))]
        counts.append(str(len(having)))
    return counts


def in_words(column: Column, cell: str, book: Codebook) -> str:
    """Return a cell in print: terms by their labels, everything else as it is."""
    if column.type != "term":
        return cell
    terms = _terms(column, book)
    labels: list[str] = []
    for value in column.values(cell):
        # A cell with an undeclared term is a finding of the check, and is not printed.
        if value in terms:
            labels.append(terms[value].label)
    return ", ".join(labels)


def _grounds_and_states(
    study: Study, table: Table, holding: Mapping[str, bool]
) -> tuple[list[str], list[str], list[str]]:
    """Return for each question the cells and claims it follows from, and whether it is open."""
    states = row_states(table, holding)
    cells: dict[str, list[str]] = {}
    claims: dict[str, list[str]] = {}
    for ground in grounds(study):
        if ground.table != table.spec.name:
            continue
        if ground.cell:
            names: list[str] = []
            for vocabulary, term in ground.cell.items():
                names.append(study.codebook.vocabularies[vocabulary].labels.get(term, term))
            cells.setdefault(ground.question, []).append(" / ".join(names))
        if ground.claim:
            claims.setdefault(ground.question, []).append(ground.claim)
    shown: tuple[list[str], list[str], list[str]] = ([], [], [])
    for name in table.names():
        shown[0].append("; ".join(dict.fromkeys(cells.get(name, ()))))
        shown[1].append(", ".join(claims.get(name, ())))
        shown[2].append(states.get(name, ""))
    return shown


def evidence_grids(tables: Sequence[EvidenceTable]) -> list[Grid]:
    """Return each table as a grid, its notes joined below it."""
    grids: list[Grid] = []
    for table in tables:
        note = " ".join(table.notes)
        grids.append(Grid(table.title, table.header, table.rows, table.numeric, note, table.texts))
    return grids


def evidence_json(tables: Sequence[EvidenceTable]) -> str:
    """Write the tables as one JSON document; every cell is the text in print."""
    document = []
    for table in tables:
        document.append(
            {
                "name": table.name,
                "title": table.title,
                "header": list(table.header),
                "rows": [list(row) for row in table.rows],
                "notes": list(table.notes),
            }
        )
    return json_text(document)
