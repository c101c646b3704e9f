"""The cells of new rows from a candidate: by the role and type of a column, never its name."""

import unicodedata
from collections.abc import Iterable, Mapping

from corpus.curation.importing.keys import proposed_key
from corpus.model.codebook import ROLE_OF_TYPE, Codebook, TableSpec
from corpus.model.finding import UsageProblem, unknown
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.model.work import Work

#: Table name -> column -> cell.
Cells = dict[str, dict[str, str]]

#: Role of the table of what new entries change: an entry without a row there stays a candidate.
#: Roles of its columns: the cells that change, and the record that the entry was before.
PROMOTIONS, CHANGES, FORMER = "promotions", "changes", "former"


def new_tables(book: Codebook) -> tuple[TableSpec, ...]:
    """Return the tables that get a row with every new entry: the pool and its bibliography."""
    linked = [spec for spec in book.by_role("bibliography") if spec.reference_to(book.pool)]
    return (book.pool, *linked)


def entry_tables(book: Codebook) -> tuple[TableSpec, ...]:
    """Return the tables with at most one row per entry: those of :func:`new_tables` first."""
    first = new_tables(book)
    others = []
    for spec in book.tables.values():
        link = spec.reference_to(book.pool)
        if spec not in first and link is not None and spec.key == (link.name,):
            others.append(spec)
    return (*first, *others)


def entry_column(spec: TableSpec, book: Codebook) -> str:
    """Return the column with the key of the entry that a row is or is about."""
    if spec.name == book.pool.name:
        return spec.key[0]
    return spec.header[next(spec.references_to(book.pool))]


def propose(candidate: Work, study: Study) -> Cells:
    """Return the cells that a candidate can fill in the new rows, with a key of its own."""
    book = study.codebook
    cells = {}
    for spec in new_tables(book):
        known = {**candidate.by_role(), "abstract": ""}
        if spec is book.pool:
            # The evidence that a service gives is for its own metadata, not for the tags.
            known["evidence"] = ""
        filled = {}
        # Of several columns of addresses only one has that of the work: another may be of its code.
        taken = {column.role for column in spec.columns}
        for column in spec.columns:
            cell, role = known.get(column.role), ROLE_OF_TYPE.get(column.type, "")
            if column.role or role not in taken:
                cell = cell or known.get(role)
            taken.add(role)
            if cell:
                filled[column.name] = cell
        cells[spec.name] = filled
    if candidate.title:
        set_key(cells, new_key(candidate, study), book)
    return cells


def set_key(cells: Cells, key: str, book: Codebook) -> None:
    """Put a key into the new row of the pool, and into those that refer to it."""
    for spec in new_tables(book):
        cells.setdefault(spec.name, {})[entry_column(spec, book)] = key


def new_key(work: Work, study: Study) -> str:
    """Return a free key for a new entry."""
    return proposed_key(work, study.entries)


def assign(cells: Cells, assignments: Iterable[str], book: Codebook) -> set[tuple[str, str]]:
    """Put ``column=value`` (or ``table.column=value``) into cells.

    A column without table is looked for in the tables of `cells`, in their order.

    Returns
    -------
    set of (str, str)
        Table and column of every cell that was set.

    Raises
    ------
    UsageProblem
        For a text without ``=``, a column that no table has, or a value that is not valid UTF-8.
    """
    done = set()
    for text in assignments:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageProblem(f"--set needs COLUMN=VALUE, not {text!r}")
        table, column = find_column(name.strip(), list(cells), book)
        # Bytes of the command line that are not UTF-8 arrive as surrogates.
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise UsageProblem(f"the value of {name.strip()} is not valid UTF-8")
        value = unicodedata.normalize("NFC", value.strip())
        if table == book.pool.name and column == book.pool.key[0] and len(cells) > 1:
            set_key(cells, value, book)
        cells[table][column] = value
        done.add((table, column))
    return done


def find_column(name: str, tables: list[str], book: Codebook) -> tuple[str, str]:
    """Return the table and the column that ``COLUMN`` or ``TABLE.COLUMN`` means.

    Raises
    ------
    UsageProblem
        With the known columns, where no table has it.
    """
    wanted, dot, column = name.rpartition(".")
    column = column or name
    known = {}
    for table in tables:
        header = book.tables[table].header
        if column in header and (not dot or table == wanted):
            return table, column
        known.update(dict.fromkeys(header))
    raise UsageProblem(unknown("column", name, known))


def new_row(spec: TableSpec, cells: Mapping[str, str]) -> Row:
    """Return the cells as a row in header order; what is not given is empty."""
    return tuple(cells.get(name, "") for name in spec.header)
