"""Evidence tables as the codebook declares them: crossed by two columns, or listed, in words."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.claims.named import OPEN_WHILE, grounds, question_states
from corpus.model.codebook import Codebook, Column, TableSpec, Term, Texts
from corpus.model.documents.section import Section, name_of, read_settings
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text

#: Types of columns whose values may head the rows or columns of a matrix.
_HEADS = ("term", "ref", "key")


@dataclass(frozen=True)
class EvidencePlan:
    """One printed table: its name, the table that it is made from, and how.

    Attributes
    ----------
    name, title, note, table : str
        The name and texts of the section, and the table.
    rows, columns : str
        The two columns that cross it; empty where its rows are listed.
    cell : str
        The column that is printed in the cells; where it is empty, rows are counted.
    lacking : tuple of str
        Terms of `cell`, or of `columns` where rows are counted: what has none of them is named
        below the table.
    beside : mapping of str to str
        A second `table` that judges the same places, its `columns` and its `cell`, which is shown
        where it differs; empty without one.
    listed : tuple of str
        The columns to list, row by row.
    also : tuple of (str, str)
        Tables that refer to a listed one, each with the column that is shown of their rows.
    counts : str
        A term column of a listed table: entries of the pool that have one of its terms are counted.
    """

    name: str
    title: str
    note: str
    table: str
    rows: str = ""
    columns: str = ""
    cell: str = ""
    lacking: Texts = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    listed: Texts = ()
    also: tuple[tuple[str, str], ...] = ()
    counts: str = ""


def evidence_plans(book: Codebook) -> list[EvidencePlan]:
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


def read_evidence(section: Section) -> list[EvidencePlan]:
    """Read ``[evidence]``; mistakes are in the findings of the section."""
    return list(filter(None, starmap(_plan, section.children().items())))


def _plan(name: str, section: Section) -> EvidencePlan | None:
    table = section.table("table")
    if table is None:
        return None
    if section.has("list") == section.has("rows"):
        section.mistake("", "needs either `rows` and `columns`, or `list`")
        return None
    title, note = section.text("title", table.title), section.text("note", "")
    read = _list if section.has("list") else _matrix
    plan = EvidencePlan(name, title, note, table.name, **read(section, table))
    section.finish()
    return plan


def _list(section: Section, table: TableSpec) -> dict[str, Any]:
    columns = section.columns("list", table)
    also = []
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
    counts = name_of(section.column("counts", table, counted, ""))
    return {"listed": columns, "also": tuple(also), "counts": counts}


def _matrix(section: Section, table: TableSpec) -> dict[str, Any]:
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
    return {
        "rows": name_of(rows),
        "columns": name_of(columns),
        "cell": name_of(cell),
        "lacking": section.terms("lacking", counted, ()),
        "beside": _beside(section, name_of(rows)),
    }


def _beside(section: Section, rows: str) -> dict[str, str]:
    """Read the table to compare with; its rows are headed by a column named like ours."""
    if not section.has("beside"):
        return {}
    beside = section.section("beside")
    table = beside.table("table")
    columns, cell = beside.term_column("columns", table), beside.term_column("cell", table)
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

    `notes` are what the reader must know: the declared note, what is missing, what short forms
    mean. They are joined below the `grid`.
    """

    name: str
    grid: Grid
    notes: Texts


#: A value of the rows and one of the columns.
_Place = tuple[str, str]


def evidence_tables(study: Study, plans: Iterable[EvidencePlan]) -> list[EvidenceTable]:
    """Return the declared tables in order; one whose file could not be read is left out.

    Raises
    ------
    CorpusError
        Where a table names claims and the claims have a mistake.
    """
    found = []
    for plan in plans:
        table = study.tables.get(plan.table)
        if table is None:
            continue
        if plan.rows:
            grid, more = _crossed(study, table, plan)
        else:
            grid, more = _evidence_list(study, table, plan), []
        notes = tuple(filter(None, [plan.note, *more]))
        grid = grid._replace(title=plan.title, note=" ".join(notes))
        found.append(EvidenceTable(plan.name, grid, notes))
    return found


#: The head of the totals; no term is empty.
_ALL = Term("", "all", "all", "")


def _crossed(study: Study, table: Table, matrix: EvidencePlan) -> tuple[Grid, list[str]]:
    """Return the table without its title, and the notes about what it shows."""
    book = study.codebook
    of_rows, of_columns = map(table.spec.column, (matrix.rows, matrix.columns))
    # Decided by the declared columns and not by the filled ones, so that the heads stay the same
    # when rows are added.
    is_wide = len(_heads(table, of_columns, book)) > _WIDE
    name_in_print = attrgetter("short" if is_wide else "label")
    # What each row shows where it belongs: its number, or what its cell has.
    shown: Iterable[Texts] = zip(map(str, range(len(table.rows))))
    terms: Sequence[Term] = ()
    totals = [_ALL]
    if matrix.cell:
        column = table.spec.column(matrix.cell)
        terms = _heads(table, column, book)
        shown = map(column.values, table.column(column.name))
        totals = []
    down = [*_heads(table, of_rows, book), *totals]
    across = [*_heads(table, of_columns, book), *totals]
    places: dict[_Place, list[str]] = defaultdict(list)
    heads_of = zip(table.column(matrix.rows), table.column(matrix.columns), shown, strict=True)
    for above, beside, values in heads_of:
        on_rows, on_columns = of_rows.values(above), of_columns.values(beside)
        if on_rows and on_columns:
            also = [total.id for total in totals]
            for place in product((*on_rows, *also), (*on_columns, *also)):
                places[place] += values
    judging, judged = _judged(study, matrix)
    wanted = set(matrix.lacking)
    # Terms that are not wanted count as the same.
    compared = wanted or {term.id for term in judging}
    names = {term.id: name_in_print(term) for term in terms}
    rows = []
    both = differing = 0
    for head in down:
        line = [head.label]
        for over in across:
            own = places.get((head.id, over.id), [])
            text = ", ".join(names.get(value, value) for value in own) or NO_ROW
            if not matrix.cell:
                # A row of several values is one in the totals.
                text = str(len(set(own)))
            theirs = [term for term in judging if term.id in judged[head.id, over.id]]
            if own and theirs:
                both += 1
                if compared & {theirs[0].id} != compared & set(own):
                    differing += 1
                    text += f" ({theirs[0].label})"
            line.append(text)
        rows.append(tuple(line))
    notes = []
    if judging:
        title, cells = book.tables[matrix.beside["table"]].title, f"{differing} of {both} cells"
        notes.append(f"In parentheses what the table {title!r} has instead, in {cells}.")
    if wanted:
        about, heads, named = of_columns, across, terms
        filled = {over for (_, over), found in places.items() if wanted.intersection(found)}
        if not matrix.cell:
            about, heads, named = of_rows, down, across
            filled = {"", *(head for head, over in places if over in wanted)}
        either = " or ".join(term.label for term in named if term.id in wanted)
        lacking = ", ".join(head.label for head in heads if head.id not in filled) or "none"
        notes.append(f"{about.label} without any {either}: {lacking}.")
    if is_wide:
        for what, short in (("Columns", across), ("Cells", terms)):
            explained = [f"{one.short} = {one.label}" for one in short if one.short != one.label]
            if explained:
                notes.append(f"{what}: {'; '.join(explained)}.")
    grid = Grid("", ("", *map(name_in_print, across)), tuple(rows))
    if not matrix.cell:
        grid = grid._replace(numeric=range(1, len(across) + 1))
    return grid, notes


def _heads(table: Table, column: Column, book: Codebook) -> Sequence[Term]:
    """Return every declared term; values that occur as terms where there is no vocabulary."""
    if column.type == "term":
        return book.vocabulary_of(column).terms
    values = dict.fromkeys(table.column(column.name))
    return [Term(value, value, value, "") for value in values if value]


def _judged(study: Study, matrix: EvidencePlan) -> tuple[Sequence[Term], dict[_Place, set[str]]]:
    """Return what a second table has in each place, and its terms, the best first."""
    found: dict[_Place, set[str]] = defaultdict(set)
    beside, book = matrix.beside, study.codebook
    other = study.tables.get(beside.get("table", ""))
    if other is None:
        return (), found
    column = other.spec.column(beside["cell"])
    # A term of its columns that belongs to a group is in the column of ours named like it.
    groups: dict[str, str] = {}
    for group in book.vocabulary_of(other.spec.column(beside["columns"])).groups:
        groups |= dict.fromkeys(group.terms, group.id)
    for record in other.records():
        above = record[beside["columns"]]
        place = (record[matrix.rows], groups.get(above, above))
        found[place].update(column.values(record[column.name]))
    return book.vocabulary_of(column).terms, found


def _evidence_list(study: Study, table: Table, plan: EvidencePlan) -> Grid:
    """Return the table without title and note."""
    book, spec = study.codebook, table.spec
    # The head of each column in print, and its cells.
    printed: list[tuple[str, Iterable[str]]] = []
    numeric = set()
    texts = set()
    for place, column in enumerate(map(spec.column, plan.listed)):
        cells = [in_words(column, cell, book) for cell in table.column(column.name)]
        printed.append((column.label, cells))
        if column.type in ("text", "verbatim"):
            texts.add(place)
        elif column.type == "number":
            numeric.add(place)
    for name, shown in plan.also:
        head = book.tables[name].column(shown).label
        printed.append((head, _referring(study, table, name, shown)))
    if plan.counts:
        numeric.add(len(printed))
        printed.append(("In the pool", _entries_with(study, table, plan.counts)))
    if spec.by_role(OPEN_WHILE) is not None:
        cells, claims, states = _grounds_and_states(study, table)
        if any(cells):
            printed.append(("Cells", cells))
        printed += [("Follows from", claims), ("State", states)]
    header, columns = zip(*printed, strict=True)
    # Numbered rows in the order of their numbers: the file has P10 before P2.
    names = [re.sub("[0-9]+", lambda number: number[0].zfill(9), name) for name in table.names()]
    rows = [row for _, row in sorted(zip(names, zip(*columns, strict=True), strict=True))]
    return Grid("", header, tuple(rows), numeric, wraps=texts)


def _referring(study: Study, table: Table, name: str, shown: str) -> list[str]:
    """Return for each row what the rows of another table have that refer to it."""
    found = defaultdict(list)
    if name in study.tables:
        other = study.tables[name]
        reference = other.spec.reference_to(table.spec)
        assert reference is not None, "the plan was read with it"
        column = other.spec.column(shown)
        for key, cell in zip(other.column(reference.name), other.column(shown), strict=True):
            found[key].append(in_words(column, cell, study.codebook))
    return [", ".join(found[key]) or NO_ROW for key in table.names()]


def _entries_with(study: Study, table: Table, name: str) -> Iterator[str]:
    """Yield for each row how many entries of the pool have one of the terms in its cell."""
    column = table.spec.column(name)
    axis = next(a for a in study.codebook.pool.axes if a.vocabulary == column.vocabulary)
    by_term = study.keys_by_term(axis.name)
    for cell in table.column(name):
        having = set().union(*map(by_term.__getitem__, column.values(cell)))
        yield str(len(having))


def in_words(column: Column, cell: str, book: Codebook) -> str:
    """Return a cell in print: terms by their labels, everything else as it is."""
    if column.type != "term":
        return cell
    labels = book.vocabulary_of(column).labels
    # A cell with an undeclared term is a finding of the check, and is not printed.
    return ", ".join(labels[value] for value in column.values(cell) if value in labels)


def _grounds_and_states(study: Study, table: Table) -> tuple[list[str], list[str], list[str]]:
    """Return for each question the cells and claims it follows from, and whether it is open."""
    states = question_states(table, holding_claims(study))
    # A dict each, since two grounds may be about one cell.
    cells: dict[str, dict[str, None]] = defaultdict(dict)
    claims = defaultdict(list)
    for ground in grounds(study):
        if ground.table == table.spec.name:
            names = []
            for vocabulary, term in ground.cell.items():
                names.append(study.codebook.vocabularies[vocabulary].labels[term])
            cells[ground.question][" / ".join(names)] = None
            claims[ground.question].append(ground.claim)
    rows = list(table.names())
    return (
        ["; ".join(filter(None, cells[name])) for name in rows],
        [", ".join(filter(None, claims[name])) for name in rows],
        [states.get(name, "") for name in rows],
    )


def evidence_json(tables: Iterable[EvidenceTable]) -> str:
    """Write the tables as one JSON document; every cell is the text in print."""
    document = []
    for name, grid, notes in tables:
        shown = {"name": name, "title": grid.title, "header": grid.header}
        document.append({**shown, "rows": grid.rows, "notes": notes})
    return json_text(document)
