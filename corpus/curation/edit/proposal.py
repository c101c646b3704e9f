"""The cells of new rows from a candidate: by the role and type of a column, never its name."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from corpus.curation.importing.names import untaken
from corpus.model.codebook import ROLE_OF_TYPE, Codebook, TableSpec
from corpus.model.finding import UsageProblem, unknown
from corpus.model.identifiers import ascii_text
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.model.work import Work

#: Table name -> column -> cell.
Cells = dict[str, dict[str, str]]

#: Role of the table of what new entries change: an entry without a row there stays a candidate.
#: Roles of its columns: the cells that change, and the record that the entry was before.
PROMOTIONS, CHANGES, FORMER = "promotions", "changes", "former"
_SMALL_WORDS = (
    " a an and are as at by can do for from how in into is of on or the to via what when with "
)
#: A key as an import makes it: author, year, word; and one with a second word.
_IMPORTED_KEY = re.compile(r"-[12][0-9]{3}-")
_TWO_WORDS = re.compile(r"-[12][0-9]{3}-[a-z0-9]+-[a-z0-9]{2}")
_DATED_KEY = re.compile(r"[12][0-9]{3}$")
_LONGEST_KEY = 60


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
        set_key(cells, propose_key(candidate, study.entries), book)
    return cells


def set_key(cells: Cells, key: str, book: Codebook) -> None:
    """Put a key into the new row of the pool, and into those that refer to it."""
    for spec in new_tables(book):
        cells.setdefault(spec.name, {})[entry_column(spec, book)] = key


def propose_key(candidate: Work, taken: Collection[str]) -> str:
    """Return a free key in the style of the others.

    It is the name that a title gives its work, else the first author and the first two words: two
    branches that each add a work of one author propose different keys. The year
    follows where it is usual. Where most keys are author, year and word, as an import makes them,
    so is this one; it has a second word where that is usual or the first alone is taken.

    Examples
    --------
    >>> fen = Work("", title="A Fen", authors=("Ward, Ann",), year="2026")
    >>> propose_key(fen, ["moor-2024-peat"])
    'ward-2026-fen'
    >>> bog = Work("", title="A Fen in a Bog", authors=("Ward, Ann",), year="2026")
    >>> propose_key(bog, ["moor-2024-peat"]), propose_key(bog, ["ward-2026-fen"])
    ('ward-2026-fen', 'ward-2026-fen-bog')
    >>> net = Work("", title="WetNet: Reading Peat", year="2026")
    >>> propose_key(net, ["fen2024", "mire2025"])
    'wetnet2026'
    >>> weight = Work("", title="On the Weight of Peat", authors=("Ward, Ann",))
    >>> propose_key(weight, ["fen", "mire"])
    'ward-weight-peat'
    """
    lower = set(map(str.lower, taken))
    if _is_usual(_IMPORTED_KEY, taken):
        base = _author_and_words(candidate, candidate.year, 1)
        if _is_usual(_TWO_WORDS, taken) or base in lower:
            base = _author_and_words(candidate, candidate.year, 2)
    else:
        base = _short_name(candidate.title) or _author_and_words(candidate, "", 2)
    base = base[:_LONGEST_KEY].strip("-")
    if candidate.year and _is_usual(_DATED_KEY, taken):
        # Without a hyphen, the number of a work would run into the year.
        if base[-1:].isdigit():
            base += "-"
        base += candidate.year
    # Keys that differ in case only are the same.
    return untaken(base, lower, "-")


def _is_usual(style: re.Pattern[str], keys: Collection[str]) -> bool:
    matching = list(filter(style.search, keys))
    return 2 * len(matching) > len(keys)


def _short_name(title: str) -> str:
    """Return the name before a colon, such as ``WetNet: Reading Peat`` gives; empty without one."""
    name, colon, _ = title.partition(":")
    if not colon or len(name.split()) > 3:
        return ""
    return slug(name)


def _author_and_words(candidate: Work, year: str, number: int) -> str:
    parts = []
    if candidate.authors:
        family = candidate.authors[0].partition(",")[0]
        parts.append(slug(family))
    parts.append(year)
    words = list(map(slug, candidate.title.split()))
    telling = [word for word in words if word and f" {word} " not in _SMALL_WORDS]
    parts += telling[:number]
    return "-".join(filter(None, parts)) or "entry"


def slug(text: str) -> str:
    """Return a text as lower-case ASCII letters and digits with single hyphens between words."""
    return re.sub(r"[^a-z0-9]+", "-", ascii_text(text)).strip("-")


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
