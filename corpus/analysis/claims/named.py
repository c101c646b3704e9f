"""Rows of other tables that name a claim: whether it exists, and what its result means for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.claims.claim import ClaimBook
from corpus.analysis.claims.claim_rules import UNKNOWN_CLAIM
from corpus.model.codebook import Column
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.model.suggestions import closest
from corpus.model.table import Table
from corpus.printing.grid import Grid

#: Role of a column that names a claim which a row rests on.
GROUND = "claim"
#: Role of a column that names the claim during which a row is an open question.
OPEN_WHILE = "open_while"


class NamedClaim(NamedTuple):
    """One cell that names a claim, with its row's name and its place."""

    table: Table
    column: Column
    row_name: str
    line: int
    claim: str


def unknown_claims(study: Study, book: ClaimBook) -> list[Finding]:
    """Return C604 for each cell that names a claim which the claims file does not have."""
    known = [claim.id for claim in book.claims]
    findings: list[Finding] = []
    for role in (GROUND, OPEN_WHILE):
        for cell in _named_claims(study.tables.values(), role):
            if cell.claim in known:
                continue
            advice = ""
            for nearest in closest(cell.claim, known):
                advice = f"; did you mean {nearest!r}?"
            place = (cell.table.file, cell.line, cell.column.name, cell.claim)
            findings.append(UNKNOWN_CLAIM.at(*place, named=cell.claim, advice=advice))
    return findings


def open_grids(tables: Mapping[str, Table], holding: Mapping[str, bool]) -> list[Grid]:
    """Return, for each table of open questions, which of them somebody has started on.

    Parameters
    ----------
    tables : mapping of str to Table
        The tables of the corpus.
    holding : mapping of str to bool
        Claim -> whether it holds. Rows that name another claim are left out.

    Returns
    -------
    list of Grid
        One row per question: its name, the claim, and ``open`` while the claim holds or
        ``started`` once it does not. A failure that is acknowledged is a failure here.
    """
    grids: dict[str, Grid] = {}
    for cell in _named_claims(tables.values(), OPEN_WHILE):
        if cell.claim not in holding:
            continue
        state = _state(holding[cell.claim])
        spec = cell.table.spec
        grid = grids.get(spec.name)
        if grid is None:
            note = "A question is open while its claim holds."
            grid = Grid(spec.title, ("question", "open while", "state"), (), note=note)
        row = (cell.row_name, cell.claim, state)
        grids[spec.name] = grid._replace(rows=(*grid.rows, row))
    return list(grids.values())


def row_states(table: Table, holding: Mapping[str, bool]) -> dict[str, str]:
    """Return ``open`` or ``started`` for each row of a table of open questions, by its name."""
    states: dict[str, str] = {}
    for cell in _named_claims([table], OPEN_WHILE):
        if cell.claim in holding:
            states[cell.row_name] = _state(holding[cell.claim])
    return states


class Ground(NamedTuple):
    """A row that tells why a question is asked.

    Attributes
    ----------
    table, question : str
        The table of open questions, and the name of the row.
    claim : str
        The claim that it follows from; may be empty.
    cell : mapping of str to str
        Vocabulary -> term of the cell that the claim is about.
    """

    table: str
    question: str
    claim: str
    cell: Mapping[str, str]


def grounds(study: Study) -> Iterator[Ground]:
    """Yield the grounds of every open question, in file order."""
    for table in study.tables.values():
        ground = table.spec.by_role(GROUND)
        if ground is None:
            continue
        for asked in study.tables.values():
            reference = table.spec.reference_to(asked.spec)
            if reference is None or asked.spec.by_role(OPEN_WHILE) is None:
                continue
            for record in table.records():
                cell: dict[str, str] = {}
                for column in table.spec.term_columns:
                    if record[column.name]:
                        cell[column.vocabulary] = record[column.name]
                question = record[reference.name]
                yield Ground(asked.spec.name, question, record[ground.name], cell)


def _state(holds: bool) -> str:
    # An acknowledged failure is a known one: it does not make the question open again.
    return "open" if holds else "started"


def _named_claims(tables: Iterable[Table], role: str) -> Iterator[NamedClaim]:
    """Yield the cells that are not empty of every column with this role."""
    for table in tables:
        column = table.spec.by_role(role)
        if column is None:
            continue
        names = table.names()
        cells = table.column(column.name)
        for name, line, cell in zip(names, table.lines, cells, strict=True):
            if cell:
                yield NamedClaim(table, column, name, line, cell)
