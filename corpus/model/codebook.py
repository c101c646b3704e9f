"""The codebook: tables, columns, vocabularies and rules, as `data/codebook.toml` declares them.

Everything that is particular to one survey is in that file; the code knows only types and
roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem, unknown

#: Column types and what a cell of each contains; the checks and the exports read a column's type,
#: never its name.
COLUMN_TYPES: Mapping[str, str] = {
    "key": "short identifier of a row: lower-case letters, digits and hyphens",
    "text": "one line of free text",
    "verbatim": "text repeated character by character from somewhere else, markup and all",
    "name": "the name of a person or an organisation",
    "names": "several names, separated by '; '",
    "year": "a year of four digits",
    "integer": "a whole number",
    "number": "a number",
    "arxiv": "an arXiv identifier without version",
    "doi": "a DOI without resolver",
    "url": "one or more http(s) addresses, separated by ' ; '",
    "date": "YYYY, YYYY-MM or YYYY-MM-DD",
    "term": "one term of a vocabulary, or several where the column has a separator",
    "ref": "the key of a row in another table",
    "column": "the name of a column in another table",
}

#: Several names, terms or other texts.
Texts = tuple[str, ...]
#: The cell, and the beginning of a definition, that somebody has still to write.
TODO = "TODO"
#: Types of columns in whose cells it may be.
OPEN_TYPES = ("term", "text", "verbatim", "name", "names")
#: The role of a column that declares none but has one of these types.
ROLE_OF_TYPE = {"arxiv": "arxiv", "doi": "doi", "url": "url", "year": "year", "names": "authors"}


class Term(NamedTuple):
    """One term of a vocabulary; `short` is its abbreviation in print."""

    id: str
    label: str
    short: str
    definition: str


class Group(NamedTuple):
    """Several terms that are counted together under one label, such as a reward family."""

    id: str
    label: str
    terms: Texts
    definition: str = ""


class Vocabulary(NamedTuple):
    """The declared terms of an axis, in print order.

    `not_applicable` is the term for entries that the axis does not apply to; empty without one.
    """

    id: str
    title: str
    definition: str
    terms: tuple[Term, ...]
    groups: tuple[Group, ...]
    not_applicable: str

    @property
    def ids(self) -> Texts:
        """The terms' identifiers in declared order."""
        return tuple(term.id for term in self.terms)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each term, by its identifier."""
        return {term.id: term.label for term in self.terms}

    @property
    def applicable(self) -> tuple[Term, ...]:
        """The terms but the one for "not applicable"."""
        return tuple(term for term in self.terms if term.id != self.not_applicable)

    @property
    def absent_last(self) -> tuple[Term, ...]:
        """The terms, the one for "not applicable" last."""
        return tuple(sorted(self.terms, key=lambda term: term.id == self.not_applicable))

    def term(self, identifier: str) -> Term:
        """Return one term; KeyError where it is not declared."""
        for term in self.terms:
            if term.id == identifier:
                return term
        raise KeyError(identifier)


class Column(NamedTuple):
    """One column of a table.

    `type` is a key of :data:`COLUMN_TYPES`; `role` is what the column means to the tools (title,
    year, summary, ...); `vocabulary` names the vocabulary of a term column; `separator` makes it
    multi-valued; `references` names the table that a ref (or column) points into; `axis` means that
    counts run over it; `mirrors` names the pool column whose cell this one repeats for the entry
    that the row refers to.
    """

    name: str
    type: str
    label: str
    definition: str
    role: str = ""
    required: bool = True
    vocabulary: str = ""
    separator: str = ""
    references: str = ""
    axis: bool = False
    mirrors: str = ""

    @property
    def is_identifying(self) -> bool:
        """Whether its cells hold identifiers or addresses of a work."""
        return self.type in ("arxiv", "doi", "url") or self.role == "identifier"

    def values(self, cell: str) -> Texts:
        """Split a cell into its values: one for a single-valued column, none for an empty cell.

        A term that is still to be chosen is none either.
        """
        if not cell or (cell == TODO and self.type == "term"):
            return ()
        if not self.separator:
            return (cell,)
        return tuple(map(str.strip, cell.split(self.separator.strip())))


class TableSpec(NamedTuple):
    """The declaration of one table: its file in the data folder, its columns in order, its key.

    A `complete` table must have a row for every entry of the pool.
    """

    name: str
    file: str
    title: str
    definition: str
    role: str
    key: Texts
    columns: tuple[Column, ...]
    complete: bool = False

    @property
    def header(self) -> Texts:
        """The exact header of the file."""
        return tuple(column.name for column in self.columns)

    @property
    def axes(self) -> tuple[Column, ...]:
        """The columns that counts run over."""
        return tuple(column for column in self.columns if column.axis)

    @property
    def axis_names(self) -> Texts:
        """The names of the columns that counts run over."""
        return tuple(column.name for column in self.axes)

    @property
    def term_columns(self) -> tuple[Column, ...]:
        """The columns whose cells are terms of a vocabulary, axes or not."""
        return tuple(column for column in self.columns if column.type == "term")

    @property
    def key_positions(self) -> tuple[int, ...]:
        """The positions of the key columns."""
        return self.positions(self.key)

    def position(self, name: str) -> int:
        """Return the position of a column, by its name or by a label that no other column has.

        Raises
        ------
        UsageProblem
            For an unknown one, with the nearest name.
        """
        for position, column in enumerate(self.columns):
            if column.name == name:
                return position
        labels = [column.label.casefold() for column in self.columns]
        if labels.count(name.casefold()) == 1:
            return labels.index(name.casefold())
        known = [*self.header]
        known += [column.label for column in self.columns if column.label.lower() not in known]
        raise UsageProblem(f"table {self.name}: {unknown('column', name, known)}")

    def positions(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the positions of some columns; UsageProblem where there is no such column."""
        return tuple(map(self.position, names))

    def column(self, name: str) -> Column:
        """Return a column by name; UsageProblem where there is none."""
        return self.columns[self.position(name)]

    def by_role(self, role: str) -> Column | None:
        """Return the first column with this role, or None."""
        for column in self.columns:
            if column.role == role:
                return column
        return None

    def by_type(self, type_: str) -> Column | None:
        """Return the first column of this type, or None."""
        for column in self.columns:
            if column.type == type_:
                return column
        return None

    def row(self, by_role: Mapping[str, str], earlier: Texts = ()) -> Texts:
        """Return a row with these cells by role; others are as in an earlier row, or empty."""
        pairs = zip(self.columns, earlier or ("",) * len(self.columns), strict=True)
        return tuple(by_role.get(column.role, cell) for column, cell in pairs)

    def by_role_cells(self, row: Texts) -> dict[str, str]:
        """Return the first filled cell of each role, an empty one where none is filled.

        An identifier, a year or names in a column without role are there by their type, unless a
        column with that role has them.
        """
        found: dict[str, str] = {}
        for column, cell in zip(self.columns, row, strict=True):
            if column.role:
                found[column.role] = found.get(column.role) or cell
        for column, cell in zip(self.columns, row, strict=True):
            role = ROLE_OF_TYPE.get(column.type, "")
            if role and cell and not column.role:
                found[role] = found.get(role) or cell
        return found

    def identifying_cells(self, row: Texts) -> Iterator[str]:
        """Yield the filled cells of a row that hold identifiers or addresses of its work."""
        for column, cell in zip(self.columns, row, strict=True):
            if cell and column.is_identifying:
                yield cell

    def references_to(self, target: TableSpec) -> Iterator[int]:
        """Yield the positions of the columns that hold keys of another table."""
        for position, column in enumerate(self.columns):
            if column.type == "ref" and column.references == target.name:
                yield position

    def reference_to(self, target: TableSpec) -> Column | None:
        """Return the first column that holds keys of another table, or None."""
        for position in self.references_to(target):
            return self.columns[position]
        return None

    def names_of(self, rows: Iterable[Texts]) -> Iterator[str]:
        """Return the name of each row: its cell in the column of role `key`, else its key cells.

        Several key cells are joined by a slash.
        """
        named = self.by_role("key")
        names = (named.name,) if named else self.key
        cells: Iterator[Any] = map(itemgetter(*self.positions(names)), rows)
        # Of a single position, `itemgetter` gives the cell itself.
        if len(names) == 1:
            return cells
        return map("/".join, cells)

    def name_of(self, row: Texts) -> str:
        """Return what one row is called; see :meth:`names_of`."""
        return next(self.names_of([row]))


class ConsistencyRule(NamedTuple):
    """A row that matches `when` must match `then`; both map a column to allowed values."""

    id: str
    when: Mapping[str, Texts]
    then: Mapping[str, Texts]
    reason: str
    table: str = ""


class Impossible(NamedTuple):
    """A combination of terms that cannot occur by definition, so its empty cell is not a gap."""

    cells: Mapping[str, Texts]
    reason: str


class Crosstab(NamedTuple):
    """A cross-tabulation that the corpus prints: rows by columns."""

    id: str
    rows: str
    columns: str
    title: str


class About(dict[str, str]):
    """What the section ``[corpus]`` declares; a key that it leaves out is an empty text.

    The nouns for one and for several rows of the pool are ``entry`` and ``entries`` then.
    """

    def __missing__(self, key: str) -> str:
        return key if key in ("entry", "entries") else ""


class Codebook(NamedTuple):
    """A whole codebook; `settings` holds the sections that one package alone reads.

    `file` is the document as the user knows it.
    """

    corpus: Mapping[str, str]
    tables: Mapping[str, TableSpec]
    vocabularies: Mapping[str, Vocabulary]
    consistency_rules: tuple[ConsistencyRule, ...]
    impossible: tuple[Impossible, ...]
    crosstabs: tuple[Crosstab, ...]
    settings: Mapping[str, Any]
    file: str = "codebook.toml"

    @property
    def documents(self) -> Mapping[str, str]:
        """The other declared files (claims, protocol) by name, as paths below the data folder."""
        declared: Mapping[str, str] = self.settings.get("documents", {})
        return declared

    @property
    def pool(self) -> TableSpec:
        """The table that the corpus is about (role `pool`)."""
        return self.by_role("pool")[0]

    def by_role(self, role: str) -> tuple[TableSpec, ...]:
        """Return the tables with a role, in declared order."""
        return tuple(table for table in self.tables.values() if table.role == role)

    def vocabulary_of(self, column: Column) -> Vocabulary:
        """Return the vocabulary of a term column."""
        return self.vocabularies[column.vocabulary]

    def terms_of(self, column: Column) -> Texts:
        """Return the declared terms of a column; none where any value may be in it."""
        if column.type != "term":
            return ()
        return self.vocabulary_of(column).ids

    def axis(self, name: str) -> tuple[Column, Vocabulary]:
        """Return a pool axis by name or label, and its vocabulary.

        Raises
        ------
        UsageProblem
            For anything else, with the known axes.
        """
        with suppress(UsageProblem):
            column = self.pool.column(name)
            if column.axis:
                return column, self.vocabularies[column.vocabulary]
        raise UsageProblem(unknown("axis", name, self.pool.axis_names))

    @property
    def axis_vocabularies(self) -> dict[str, Vocabulary]:
        """The vocabulary of each axis, by the name of the axis."""
        return {column.name: self.vocabularies[column.vocabulary] for column in self.pool.axes}

    def shared_with_pool(self, table: TableSpec) -> tuple[Column, ...]:
        """Return the term columns of a table that the pool has, too, with the same vocabulary."""
        own = {(column.name, column.vocabulary) for column in self.pool.term_columns}
        return tuple(one for one in table.term_columns if (one.name, one.vocabulary) in own)

    def impossible_reason(self, cell: Mapping[str, str]) -> str:
        """Return why a cell (axis -> term) cannot occur, or an empty string."""
        for rule in self.impossible:
            # An axis that the cell does not name rules nothing out; no term is the empty string.
            if all(cell.get(axis, "") in terms for axis, terms in rule.cells.items()):
                return rule.reason
        return ""

    def term_columns(self, table: TableSpec) -> Iterator[tuple[int, Column, Vocabulary]]:
        """Yield position, column and vocabulary of every term column of a table."""
        for position, column in enumerate(table.columns):
            if column.type == "term":
                yield position, column, self.vocabularies[column.vocabulary]


class Source(NamedTuple):
    """The file behind a document: its path as the user knows it, and its text, to look up lines."""

    file: str
    text: str = ""
