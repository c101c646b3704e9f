"""From a candidate to the cells of new rows: by the role and type of a column, never its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from corpus.curation.lookup.candidate import Candidate
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import ascii_text
from corpus.model.study import Study
from corpus.model.table import Row

#: Table name -> column -> cell.
Cells = dict[str, dict[str, str]]

#: Roles that a service can fill. `evidence` means the bibliography's own column only.
_EVERYWHERE = (
    "title",
    "first_author",
    "authors",
    "year",
    "date",
    "venue",
    "affiliation",
    "arxiv",
    "doi",
    "url",
)
_TYPES = {"arxiv": "arxiv", "doi": "doi", "url": "url", "year": "year", "names": "authors"}
_SMALL_WORDS = (
    " a an and are as at by can do for from how in into is of on or the to via what when with "
)


def new_tables(book: Codebook) -> tuple[TableSpec, ...]:
    """Return the tables that get a row with every new entry: the pool and its bibliography."""
    return (
        book.pool,
        *(spec for spec in book.by_role("bibliography") if spec.reference_to(book.pool)),
    )


def entry_tables(book: Codebook) -> tuple[TableSpec, ...]:
    """Return the tables with at most one row per entry: those of :func:`new_tables` first."""
    first = new_tables(book)
    others = (spec for spec in book.tables.values() if spec not in first and len(spec.key) == 1)
    return (*first, *(spec for spec in others if _names_entry(spec, book.pool)))


def _names_entry(spec: TableSpec, pool: TableSpec) -> bool:
    column = spec.reference_to(pool)
    return column is not None and spec.key == (column.name,)


def propose(candidate: Candidate, corpus: Study) -> Cells:
    """Return the cells that a candidate can fill in the new rows, with a key of its own."""
    book = corpus.codebook
    known = candidate.by_role()
    cells: Cells = {}
    for spec in new_tables(book):
        roles = _EVERYWHERE if spec is book.pool else (*_EVERYWHERE, "evidence")
        filled = {}
        for column in spec.columns:
            role = column.role if column.role in roles else _TYPES.get(column.type, "")
            if known.get(role):
                filled[column.name] = known[role]
        cells[spec.name] = filled
    if candidate.title:
        set_key(cells, propose_key(candidate, [key[0] for key in corpus.pool.by_key()]), book)
    return cells


def set_key(cells: Cells, key: str, book: Codebook) -> None:
    """Put a key into the new row of the pool, and into those that refer to it."""
    for spec in new_tables(book):
        column = spec.reference_to(book.pool)
        cells.setdefault(spec.name, {})[column.name if column else book.pool.key[0]] = key


def propose_key(candidate: Candidate, taken: Collection[str]) -> str:
    """Return a free key: the name that a title gives its work, else author and first word.

    With the year where usual.

    Where most keys are author, year and word, as an import makes them, so is this one.

    Examples
    --------
    >>> propose_key(Candidate("", title="A Fen", authors=("Ward, Ann",), year="2026"),
    ["moor-2024-peat"]) 'ward-2026-fen' >>> propose_key(Candidate("", title="WetNet: Reading Peat",
    year="2026"), ["fen2024", "mire2025"]) 'wetnet2026' >>> propose_key(Candidate("", title="On the
    Weight of Peat", authors=("Ward, Ann",)), ["fen", "mire"]) 'ward-weight'
    """
    name, colon, _ = candidate.title.partition(":")
    imported = 2 * sum(bool(re.search(r"-[12][0-9]{3}-", key)) for key in taken) > len(taken)
    base = slug(name) if colon and len(name.split()) <= 3 and not imported else ""
    if not base:
        family = slug(candidate.authors[0].partition(",")[0]) if candidate.authors else ""
        words = (slug(word) for word in candidate.title.split())
        word = next((word for word in words if word and f" {word} " not in _SMALL_WORDS), "")
        year = candidate.year if imported else ""
        base = "-".join(part for part in (family, year, word) if part) or "entry"
    base = base[:60].strip("-")
    dated = sum(bool(re.search(r"[12][0-9]{3}$", key)) for key in taken)
    if candidate.year and 2 * dated > len(taken):
        base += ("-" if base[-1:].isdigit() else "") + candidate.year
    tries = (base, *(f"{base}-{letter}" for letter in "bcdefghijklmnopqrstuvwxyz"))
    lower = {key.lower() for key in taken}
    return next((key for key in tries if key not in lower), f"{base}-{len(lower)}")


def slug(text: str) -> str:
    """Return a text as lower-case ASCII letters and digits with single hyphens between words."""
    return re.sub(r"[^a-z0-9]+", "-", ascii_text(text)).strip("-")


def assign(cells: Cells, assignments: Iterable[str], book: Codebook) -> set[tuple[str, str]]:
    """Put ``column=value`` (or ``table.column=value``) into cells.

    A column without table is looked for in order.

    Returns
    -------
    set of (str, str)
        Table and column of every cell that was set.

    Raises
    ------
    UsageProblem
        For a text without ``=``, or a column that no table has.
    """
    done = set()
    for text in assignments:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageProblem(f"--set wants COLUMN=VALUE, not {text!r}")
        table, column = find_column(name.strip(), list(cells), book)
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise UsageProblem(f"the value of {name.strip()} is not valid UTF-8")
        value = unicodedata.normalize("NFC", value.strip())
        if table == book.pool.name and column == book.pool.key[0] and len(cells) > 1:
            set_key(cells, value, book)
        cells[table][column] = value
        done.add((table, column))
    return done


def find_column(name: str, tables: list[str], book: Codebook) -> tuple[str, str]:
    """Return table and column that a name means.

    UsageProblem with the known columns where none does.
    """
    wanted, dot, column = name.rpartition(".")
    for table in tables:
        if (not dot or table == wanted) and (column or name) in book.tables[table].header:
            return table, column or name
    known = ", ".join(dict.fromkeys(c for table in tables for c in book.tables[table].header))
    raise UsageProblem(f"there is no column {name!r}; there are {known}")


def new_row(spec: TableSpec, cells: Mapping[str, str]) -> Row:
    """Return the cells as a row in header order; what is not given is empty."""
    return tuple(cells.get(name, "") for name in spec.header)
