"""Evidence tables as the codebook declares them: crossed by two columns, or listed, in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.claims.named import OPEN_WHILE, grounds, row_states
from corpus.model.codebook import Codebook, Column, TableSpec, Term
from corpus.model.documents.section import Section, name_of, read_settings
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text

#: Types of columns whose values may head the rows or columns of a matrix.
_HEADS = ("term", "ref", "key")


class MatrixPlan(NamedTuple):
    """An evidence table crossed by two of its columns.

    `cell` names the column that is printed in the cells; where it is empty, rows are counted.
    `lacking` are terms of `cell`, or of `columns` where rows are counted: what has none of them is
    named below the table. `beside` names a second `table` that judges the same places, its
    `columns` and its `cell`, which is shown where it differs; empty without one.
    """

    rows: str
    columns: str
    cell: str
    lacking: tuple[str, ...]
    beside: Mapping[str, str] = {}


class ListPlan(NamedTuple):
    """Some columns of an evidence table, row by row.

    `also` are tables that refer to this one, each with the column that is shown of their rows.
    `counts` is a term column: entries of the pool that have one of its terms are counted.
    """

    columns: tuple[str, ...]
    also: tuple[tuple[str, str], ...] = ()
    counts: str = ""


class EvidencePlan(NamedTuple):
    """One printed table: its name, the table that it is made from, and how."""

    name: str
    title: str
    note: str
    table: str
    of: MatrixPlan | ListPlan


def evidence_plans(book: Codebook) -> tuple[EvidencePlan, ...]:
    """Read ``[evidence]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section has no such tables.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "evidence", read_evidence)


def read_evidence(section: Section) -> tuple[EvidencePlan, ...]:
    """Read ``[evidence]``; mistakes are in the findings of the section."""
    plans = [_plan(name, declared) for name, declared in section.children().items()]
    return tuple(plan for plan in plans if plan is not None)


def _plan(name: str, section: Section) -> EvidencePlan | None:
    table = section.table("table")
    if table is None:
        return None
    title = section.text("title", table.title)
    note = section.text("note", "")
    if section.has("list") == section.has("rows"):
        section.mistake("", "needs either `rows` and `columns`, or `list`")
        return None
    of: MatrixPlan | ListPlan
    if section.has("list"):
        of = _list(section, table)
    else:
        of = _matrix(section, table)
    section.finish()
    return EvidencePlan(name, title, note, table.name, of)


def _list(section: Section, table: TableSpec) -> ListPlan:
    columns = section.columns("list", table)
    also: list[tuple[str, str]] = []
    for item in section.sections("also"):
        other = item.table("table")
        shown = item.column("show", other)
        if other is not None and other.reference_to(table) is None:
            item.mistake("table", f"table {other.name} does not refer to {table.name}")
        elif other is not None and shown is not None:
            also.append((other.name, shown.name))
        item.finish()
    axes = {axis.vocabulary for axis in section.book.pool.axes}
    counted = [column for column in table.term_columns if column.vocabulary in axes]
    counts = section.column("counts", table, counted, "")
    return ListPlan(columns, tuple(also), name_of(counts))


def _matrix(section: Section, table: TableSpec) -> MatrixPlan:
    heads = [column for column in table.columns if column.type in _HEADS]
    rows = section.column("rows", table, heads)
    columns = section.column("columns", table, heads)
    if rows and rows == columns:
        section.mistake("columns", "must be another column than rows")
    cell = section.column("cell", table, default="")
    counted = cell or columns
    if counted and counted.type != "term" and section.has("lacking"):
        section.mistake("lacking", f"column {counted.name} has no terms")
        counted = None
    lacking = section.terms("lacking", counted, ())
    first, second, third = map(name_of, (rows, columns, cell))
    return MatrixPlan(first, second, third, lacking, _beside(section, first))


def _beside(section: Section, rows: str) -> dict[str, str]:
    """Read the table to compare with; its rows are headed by a column named like ours."""
    if not section.has("beside"):
        return {}
    beside = section.section("beside")
    table = beside.table("table")
    terms = table.term_columns if table else ()
    columns = beside.column("columns", table, terms)
    cell = beside.column("cell", table, terms)
    if table is not None and rows not in table.header:
        beside.mistake("table", f"table {table.name} has no column {rows!r}")
    beside.finish()
    return {"table": name_of(table), "columns": name_of(columns), "cell": name_of(cell)}


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


#: A value of the rows and one of the columns.
_Place = tuple[str, str]


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
        if plan.table not in study.tables:
            continue
        if isinstance(plan.of, ListPlan):
            found.append(_listed(study, plan, plan.of, holding))
        else:
            found.append(_crossed(study, plan, plan.of))
    return tuple(found)


def _crossed(study: Study, plan: EvidencePlan, matrix: MatrixPlan) -> EvidenceTable:
    book = study.codebook
    table = study.tables[plan.table]
    spec = table.spec
    of_rows, of_columns = spec.column(matrix.rows), spec.column(matrix.columns)
    down, across = _heads(table, of_rows, book), _heads(table, of_columns, book)
    # Decided by the declared columns and not by the filled ones, so that the heads stay the same
    # when rows are added.
    is_wide = len(across) > _WIDE
    header = ["", *_names(across, is_wide).values()]
    # Which rows of the file have both values.
    places: dict[_Place, list[int]] = defaultdict(list)
    keys = zip(table.column(matrix.rows), table.column(matrix.columns), strict=True)
    for position, (row, column) in enumerate(keys):
        for place in product(of_rows.values(row), of_columns.values(column)):
            places[place].append(position)
    wanted = set(matrix.lacking)
    notes = [plan.note]
    numeric: frozenset[int] = frozenset()
    terms: Sequence[Term] = ()
    if matrix.cell:
        shown = spec.column(matrix.cell)
        if shown.type == "term":
            terms = book.vocabulary_of(shown).terms
        of_cells = [shown.values(cell) for cell in table.column(shown.name)]
        cells: dict[_Place, list[str]] = {}
        for place, positions in places.items():
            cells[place] = list(chain.from_iterable(of_cells[at] for at in positions))
        names = _names(terms, is_wide)
        rows: list[list[str]] = []
        for head in down:
            line = [head.label]
            for over in across:
                values = [names.get(value, value) for value in cells.get((head.id, over.id), ())]
                line.append(", ".join(values) or NO_ROW)
            rows.append(line)
        if matrix.beside.get("table") in study.tables:
            notes.append(_add_differences(study, cells, rows, (down, across), matrix))
        filled = {column for (_, column), found in cells.items() if wanted.intersection(found)}
        about, heads = of_columns, across
        alternatives = [_names(terms)[term] for term in matrix.lacking]
    else:
        header.append("all")
        rows = _counts(places, down, across)
        numeric = frozenset(range(1, len(header)))
        filled = {row for row, column in places if column in wanted}
        about, heads = of_rows, down
        alternatives = [head.label for head in across if head.id in wanted]
    if wanted:
        either = " or ".join(alternatives)
        lacking = ", ".join(head.label for head in heads if head.id not in filled) or "none"
        notes.append(f"{about.label} without any {either}: {lacking}.")
    if is_wide:
        for what, named in (("Columns", across), ("Cells", terms)):
            explained = [f"{one.short} = {one.label}" for one in named if one.short != one.label]
            if explained:
                notes.append(f"{what}: {'; '.join(explained)}.")
    return EvidenceTable(
        plan.name,
        plan.title,
        tuple(header),
        tuple(map(tuple, rows)),
        numeric,
        frozenset(),
        tuple(filter(None, notes)),
    )


def _heads(table: Table, column: Column, book: Codebook) -> Sequence[Term]:
    """Return every declared term; values that occur as terms where there is no vocabulary."""
    if column.type == "term":
        return book.vocabulary_of(column).terms
    values = dict.fromkeys(table.column(column.name))
    return [Term(value, value, value, "") for value in values if value]


def _names(terms: Iterable[Term], is_short: bool = False) -> dict[str, str]:
    if is_short:
        return {term.id: term.short for term in terms}
    return {term.id: term.label for term in terms}


def _add_differences(
    study: Study,
    cells: Mapping[_Place, list[str]],
    rows: Sequence[list[str]],
    heads: tuple[Sequence[Term], Sequence[Term]],
    matrix: MatrixPlan,
) -> str:
    """Add to each cell what the second table has there, where it differs; return a note.

    A column that is named like a group of terms is compared with the first declared term that one
    of the group has. Terms that are not wanted count as the same.
    """
    beside = matrix.beside
    other = study.tables[beside["table"]]
    book = study.codebook
    column = other.spec.column(beside["cell"])
    labels = book.vocabulary_of(column).labels
    wanted = matrix.lacking or tuple(labels)
    groups: dict[str, str] = {}
    for group in book.vocabulary_of(other.spec.column(beside["columns"])).groups:
        groups |= dict.fromkeys(group.terms, group.id)
    judged: dict[_Place, set[str]] = defaultdict(set)
    columns = (other.column(name) for name in (matrix.rows, beside["columns"], beside["cell"]))
    for row, name, cell in zip(*columns, strict=True):
        judged[row, groups.get(name, name)].update(column.values(cell))
    down, across = heads
    both = differing = 0
    for (head, line), (place, over) in product(zip(down, rows, strict=True), enumerate(across, 1)):
        own = cells.get((head.id, over.id), [])
        found = [term for term in labels if term in judged[head.id, over.id]]
        if not own or not found:
            continue
        both += 1
        if set(found[:1]).intersection(wanted) != set(own).intersection(wanted):
            differing += 1
            line[place] += f" ({labels[found[0]]})"
    title = other.spec.title
    return f"In parentheses what the table {title!r} has instead, in {differing} of {both} cells."


def _counts(
    places: Mapping[_Place, Sequence[int]], down: Sequence[Term], across: Sequence[Term]
) -> list[list[str]]:
    """Return the numbers of rows with their totals, in which a row of several values is one."""
    of_columns: list[set[int]] = [set() for _ in across]
    rows: list[list[str]] = []
    for row in down:
        of_row: set[int] = set()
        line = [row.label]
        for column, of_column in zip(across, of_columns, strict=True):
            found = places.get((row.id, column.id), [])
            line.append(str(len(found)))
            of_row.update(found)
            of_column.update(found)
        rows.append([*line, str(len(of_row))])
    everything = set().union(*of_columns)
    rows.append(["all", *(str(len(found)) for found in (*of_columns, everything))])
    return rows


def _listed(
    study: Study, plan: EvidencePlan, listed: ListPlan, holding: Mapping[str, bool]
) -> EvidenceTable:
    table = study.tables[plan.table]
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
        tuple(filter(None, [plan.note])),
    )


def _referring(study: Study, table: Table, name: str, shown: str) -> list[str]:
    """Return for each row what the rows of another table have that refer to it."""
    found: dict[str, list[str]] = defaultdict(list)
    if name in study.tables:
        other = study.tables[name]
        reference = other.spec.reference_to(table.spec)
        assert reference is not None, "the plan was read with it"
        column = other.spec.column(shown)
        for key, cell in zip(other.column(reference.name), other.column(shown), strict=True):
            found[key].append(in_words(column, cell, study.codebook))
    return [", ".join(found[key]) or NO_ROW for key in table.names()]


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
    labels = book.vocabulary_of(column).labels
    # A cell with an undeclared term is a finding of the check, and is not printed.
    return ", ".join(labels[value] for value in column.values(cell) if value in labels)


def _grounds_and_states(
    study: Study, table: Table, holding: Mapping[str, bool]
) -> tuple[list[str], list[str], list[str]]:
    """Return for each question the cells and claims it follows from, and whether it is open."""
    states = row_states(table, holding)
    # A dict each, since two grounds may be about one cell.
    cells: dict[str, dict[str, None]] = defaultdict(dict)
    claims: dict[str, list[str]] = defaultdict(list)
    for ground in grounds(study):
        if ground.table != table.spec.name:
            continue
        if ground.cell:
            names: list[str] = []
            for vocabulary, term in ground.cell.items():
                names.append(study.codebook.vocabularies[vocabulary].labels.get(term, term))
            cells[ground.question][" / ".join(names)] = None
        if ground.claim:
            claims[ground.question].append(ground.claim)
    rows = list(table.names())
    return (
        ["; ".join(cells[name]) for name in rows],
        [", ".join(claims[name]) for name in rows],
        [states.get(name, "") for name in rows],
    )


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
        shown = table._asdict()
        # How the columns are set is not part of the data.
        del shown["numeric"], shown["texts"]
        document.append(shown)
    return json_text(document)
