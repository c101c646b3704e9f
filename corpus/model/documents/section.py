"""One table of a TOML document, read key by key; every mistake is a finding and reading goes on.

Codebook, claims, protocol, figures and sparsity plans are all read with it. The finding's column is
the dotted place of the key, from which :func:`corpus.model.documents.codebook_lines.with_lines`
finds the line.

A name that means something declared elsewhere (a table, a column, a term, a row, a claim, a
number) is read with a method for its kind. Each such method checks the name as far as the codebook
knows it, and records a :class:`NameReference`: what is checked with the rows, what a renaming has
to follow and where a name is used are all answered from this record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING
from datetime import date
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_type_hints

from corpus.model.codebook import Codebook, Column, TableSpec, Texts
from corpus.model.finding import CorpusError, Finding, Rule, closest, printable, unknown

CODEBOOK = Rule(
    "C001",
    "{problem}",
    "correct data/codebook.toml; `corpus docs codebook-format` has every key",
    title="Codebook mistake",
    reason="The codebook gives every column and term its meaning; nothing is checked "
    "or counted while it is wrong.",
)


_Kind = type | tuple[type, ...]
_Plan = TypeVar("_Plan")
_Record = TypeVar("_Record", bound=object)

#: Where something is in a decoded document: keys, and positions in arrays from 0 on.
DocumentPath = tuple[str | int, ...]


class NameReference(NamedTuple):
    """A name in a document that means something declared elsewhere.

    Attributes
    ----------
    file : str
        The document as the user knows it.
    rule : Rule
        What a wrong name is reported as.
    path : tuple of str or int
        Where the name is: the keys and positions that lead to it in the decoded document.
    kind : str
        ``table``, ``column``, ``term``, ``row``, ``claim`` or ``number``.
    of : str
        The table of a column or row, the vocabulary of a term; else empty.
    name : str
        The name as it is written.
    is_key : bool
        Whether the name is the last key of the path itself (``labels = { NAME = ... }``), not the
        value there.
    must_exist : bool
        Whether a row, claim or number of that name must exist. What a claim expects need not: the
        claim reports it itself.
    """

    file: str
    rule: Rule
    path: DocumentPath
    kind: str
    of: str
    name: str
    is_key: bool = False
    must_exist: bool = True

    def finding(self, problem: str) -> Finding:
        """Return a finding about the name, at the key whose value it is or is in."""
        path = self.path[:-1] if isinstance(self.path[-1], int) else self.path
        return self.rule.at(self.file, column=dotted(path), place=dotted(path), problem=problem)


def dotted(path: DocumentPath) -> str:
    """Write a path as a finding names a place; items of an array are counted from 1 on.

    Examples
    --------
    >>> dotted(("finding", "parts", 0, "claim"))
    'finding.parts[1].claim'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{part}" if text else part
    return text


class Section:
    """A TOML table with its place; reading never raises, mistakes collect in `findings`.

    Parameters
    ----------
    data : object
        What the document has at the place.
    path : tuple of str or int
        Where that is; empty for the whole document.
    findings : list of Finding
        Shared with the sections below this one; each mistake is one finding.
    file : str
        The document as the user knows it.
    rule : Rule
        What a mistake is reported as.
    book : Codebook, optional
        Needed by the methods that read names of tables, columns, terms and rows.

    Attributes
    ----------
    references : list of NameReference
        Shared like `findings`: every name that was read as one.
    """

    def __init__(
        self,
        data: Any,
        path: DocumentPath,
        findings: list[Finding],
        file: str = "codebook.toml",
        rule: Rule = CODEBOOK,
        book: Codebook | None = None,
    ) -> None:
        self.path = path
        self.findings = findings
        self.file = file
        self.rule = rule
        self.references: list[NameReference] = []
        self._book = book
        self._read: set[str] = set()
        self._data: Mapping[str, Any] = {}
        if isinstance(data, Mapping):
            self._data = data
        else:
            self.mistake("", "must be a table")

    @property
    def place(self) -> str:
        """The dotted place, such as ``figures.timeline``; empty for the whole document."""
        return dotted(self.path)

    @property
    def book(self) -> Codebook:
        """The codebook that names are looked up in."""
        assert self._book is not None, "this section is read without a codebook"
        return self._book

    def mistake(self, key: str, problem: str) -> None:
        """Add a finding about one key of this section (about all of it, where `key` is empty)."""
        place = dotted((*self.path, key)) if key else self.place
        self.findings.append(self.rule.at(self.file, column=place, place=place, problem=problem))

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys that are given, in the order of the document."""
        return iter(self._data)

    def raw(self, key: str, default: Any = None) -> Any:
        """Return a value as it was decoded, for a key whose type depends on others."""
        self._read.add(key)
        return self._data.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; without a default it must be given."""
        # Nearly every value of a codebook is a string, given or not, and every command reads it.
        value = self._data.get(key, default)
        if isinstance(value, str):
            self._read.add(key)
            return value
        return str(self._value(key, default, str, "a string", ""))

    def scalar(self, key: str, default: str | None = None) -> str:
        """Return a string, number or date as text."""
        return str(self._value(key, default, (str, int, float, date), "a string", ""))

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return bool(self._value(key, default, bool, "true or false", default))

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number."""
        return float(self._value(key, default, (int, float), "a number", 0))

    def whole(self, key: str, default: int | None = None) -> int:
        """Return a whole number."""
        return int(self._value(key, default, int, "a whole number", 0))

    def strings(self, key: str, default: Texts | None = None) -> Texts:
        """Return a list of strings."""
        value = self._value(key, default, (list, tuple), "a list of strings", ())
        if _all_strings(value):
            return tuple(value)
        self.mistake(key, "must be a list of strings")
        return ()

    def some_strings(self, key: str) -> Texts:
        """Return a list of strings that must have at least one."""
        values = self.strings(key)
        # A key that is missing or of another type has its finding already.
        if self._data.get(key) == []:
            self.mistake(key, "must be a list of strings with at least one")
        return values

    def one_of(self, key: str, known: Iterable[str], default: str | None = None) -> str:
        """Return a string that must be one of `known`; an empty default may stay empty."""
        value = self.text(key, default)
        names = list(known)
        if self.has(key) and value and value not in names:
            self.mistake(key, unknown("value", value, names))
        return value

    def some_of(self, key: str, known: Iterable[str], default: Texts | None = None) -> Texts:
        """Return a list of strings that must all be among `known`."""
        values = self.strings(key, default)
        names = list(known)
        for value in values:
            if value not in names:
                self.mistake(key, unknown("value", value, names))
        return values

    def texts(self, key: str) -> dict[str, str]:
        """Return a table of strings; an empty one where it is not given."""
        value = self._value(key, {}, Mapping, "a table of strings", {})
        if _all_strings(value.values()):
            return dict(value)
        self.mistake(key, "must be a table of strings")
        return {}

    def lists(self, key: str) -> dict[str, Texts]:
        """Return a table that maps names to lists of strings; it must have at least one."""
        child = self.section(key)
        found = {name: child.some_strings(name) for name in child}
        if not found and self.has(key):
            self.mistake(key, "must map names to lists of strings")
        return found

    def record(self, kind: type[_Record], /, **given: Any) -> _Record:
        """Read a record, and :meth:`finish`: a key for each field that is not given.

        The type of a field tells how its key is read; a field with a default may be left out.
        """
        for name, (method, *default) in _readers(kind).items():  # type: ignore[arg-type]
            if name not in given:
                given[name] = getattr(self, method)(name, *default)
        self.finish()
        return kind(**given)

    def records(self, key: str, kind: type[_Record]) -> tuple[_Record, ...]:
        """Read an array of tables as records; see :meth:`record`."""
        return tuple(item.record(kind) for item in self.sections(key))

    def section(self, key: str, required: bool = True) -> Section:
        """Return the table below a key, empty where not given; that is a mistake if `required`."""
        if required and not self.has(key):
            self.mistake(key, "is missing")
        return self._child(self.raw(key, {}), key)

    def sections(self, key: str) -> list[Section]:
        """Return an array of tables as sections; none where it is not given.

        An item of another type has its finding, and nothing to read.
        """
        found = []
        for number, item in enumerate(self._value(key, [], list, "an array of tables", [])):
            child = self._child(item, key, number)
            if isinstance(item, Mapping):
                found.append(child)
        return found

    def children(self) -> dict[str, Section]:
        """Return every value of this section as a section of its own, by name."""
        return {name: self.section(name) for name in self._data}

    def reference(
        self,
        kind: str,
        name: str,
        *inside: str | int,
        of: str = "",
        known: Collection[str] | None = None,
        is_key: bool = False,
        must_exist: bool = True,
    ) -> bool:
        """Record that the name at `inside`, below this section, refers to something of a kind.

        Parameters
        ----------
        kind, name, of, is_key, must_exist
            See :class:`NameReference`.
        *inside : str or int
            Keys and positions that lead from this section to the name.
        known : collection of str, optional
            The names that there are, where the codebook can tell.

        Returns
        -------
        bool
            Whether the name is known; one that is not is a mistake. A default is not recorded: the
            document has no such key, which a renaming would have to follow.
        """
        path = (*self.path, *inside)
        found = NameReference(self.file, self.rule, path, kind, of, name, is_key, must_exist)
        if known is not None and name not in known:
            problem = unknown(kind, name, known)
            self.findings.append(found.finding(f"{of}: {problem}" if of else problem))
            return False
        if not inside or inside[0] in self._data:
            self.references.append(found)
        return True

    def table(self, key: str, default: str | None = None) -> TableSpec | None:
        """Read the name of a table; None after a finding, and for an empty default."""
        name = self._name(key, default)
        if not name or not self.reference("table", name, key, known=self.book.tables):
            return None
        return self.book.tables[name]

    def evidence_table(self, key: str) -> TableSpec | None:
        """Read the name of a table whose rows refer to pool entries; None after a finding."""
        table, pool = self.table(key), self.book.pool
        if table is not None and table.reference_to(pool) is None:
            self.mistake(key, f"table {table.name} has no column of type 'ref' into {pool.name}")
            return None
        return table

    def column(
        self,
        key: str,
        table: TableSpec | None,
        among: Iterable[Column] | None = None,
        default: str | None = None,
    ) -> Column | None:
        """Read the name of a column, one of `among` where that is given.

        None after a finding, for an empty default, and where the table itself has a finding.
        """
        name = self._name(key, default)
        if table is None or not name:
            return None
        known = {column.name: column for column in (table.columns if among is None else among)}
        if not self.reference("column", name, key, of=table.name, known=known):
            return None
        return known[name]

    def term_column(self, key: str, table: TableSpec | None) -> Column | None:
        """Read the name of a column of terms; see :meth:`column`."""
        return self.column(key, table, table and table.term_columns)

    def columns(
        self,
        key: str,
        table: TableSpec,
        among: Iterable[Column] | None = None,
        default: Texts | None = None,
    ) -> Texts:
        """Read the names of columns, all of `among` where that is given."""
        value = self._data.get(key)
        is_one = isinstance(value, str)
        names: Texts = (str(value),)
        self.allow([key])
        if not is_one:
            names = self.strings(key, default)
        known = [column.name for column in (table.columns if among is None else among)]
        for number, name in enumerate(names):
            place = (key,) if is_one else (key, number)
            self.reference("column", name, *place, of=table.name, known=known)
        return names

    def axis(self, key: str, default: str | None = None) -> Column | None:
        """Read the name of an axis of the pool; None after a finding and for an empty default."""
        return self.column(key, self.book.pool, self.book.pool.axes, default)

    def term(self, key: str, column: Column | None) -> str:
        """Read a term of a column; any text where the column itself has a finding."""
        name = self._name(key, None)
        if column is not None and name:
            self.value(column, name, key)
        return name

    def terms(self, key: str, column: Column | None, default: Texts | None = None) -> Texts:
        """Read a list of terms of a column; any texts where the column itself has a finding."""
        names = self.strings(key, default)
        if column is not None:
            for number, name in enumerate(names):
                self.value(column, name, key, number)
        return names

    def value(self, column: Column, value: str, *inside: str | int, is_key: bool = False) -> None:
        """Record a value of a column that is a name itself: a term, or the key of a row."""
        if not value and not column.required:
            return  # it means an empty cell
        if column.type == "term":
            terms = self.book.vocabulary_of(column)
            self.reference("term", value, *inside, of=terms.id, known=terms.ids, is_key=is_key)
        elif column.type == "ref":
            self.reference("row", value, *inside, of=column.references, is_key=is_key)

    def filters(self, key: str, table: TableSpec | None) -> dict[str, Texts]:
        """Read a mapping of columns to a value or a list of values; empty where it is not given.

        Values of term columns must be declared; those of the key, and of columns that refer to
        rows, are recorded as rows. Of a table with a finding the columns are not known.
        """
        if table is None:
            self.raw(key)
            return {}
        return self.column_values(key, {column.name: (table, column) for column in table.columns})

    def column_values(
        self, key: str, known: Mapping[str, tuple[TableSpec, Column]]
    ) -> dict[str, Texts]:
        """Read filters as :meth:`filters` does, by names that stand for columns of any table."""
        child = self.section(key, required=False)
        found = {}
        for name in child:
            value = child.raw(name)
            items = value if isinstance(value, list) else [value]
            # A year is written as a number as well.
            if {str, int}.issuperset(map(type, items)):
                values = tuple(map(str, items))
            else:
                values = child.strings(name)
            if name not in known:
                child.mistake(name, unknown("column", name, known))
                continue
            table, column = known[name]
            child.reference("column", column.name, name, of=table.name, is_key=True)
            found[name] = values
            for number, item in enumerate(values):
                place = (name, number) if isinstance(value, list) else (name,)
                if table.key == (name,) and column.type != "ref":
                    child.reference("row", item, *place, of=table.name)
                else:
                    child.value(column, item, *place)
        return found

    def allow(self, keys: Iterable[str]) -> None:
        """Count keys as read that are read only where others are given."""
        self._read.update(keys)

    def finish(self, is_open: bool = False) -> None:
        """Add a finding for every key that nothing has read: a misspelt one must not be ignored.

        Where a survey may add keys of its own (`is_open`), only those that look misspelt are found.
        """
        # What somebody misspelt is rather a key that is not given as well.
        missing = sorted(self._read - self._data.keys())
        for key in self._data:
            if key in self._read:
                continue
            if not is_open or closest(key, self._read, cutoff=0.8):
                known = missing if closest(key, missing) else sorted(self._read)
                self.mistake(key, unknown("key", key, known))

    def _child(self, data: Any, *inside: str | int) -> Section:
        place = (*self.path, *inside)
        child = Section(data, place, self.findings, self.file, self.rule, self._book)
        child.references = self.references
        return child

    def _name(self, key: str, default: str | None) -> str:
        """Read a name, which may be empty only where its default is."""
        name = self.text(key, default)
        if self._data.get(key) == "" and default != "":
            self.mistake(key, "must not be empty")
        return name

    def _value(self, key: str, default: Any, kind: _Kind, wanted: str, empty: Any) -> Any:
        self._read.add(key)
        value = self._data.get(key, default)
        if value is None:
            self.mistake(key, "is missing")
            return empty
        # To Python, true is a whole number; to the author of a document it is not.
        wrong_flag = isinstance(value, bool) and kind is not bool
        if wrong_flag or not isinstance(value, kind):
            self.mistake(key, f"must be {wanted}, not {_shown(value)}")
            return empty
        return value


def _shown(value: object) -> str:
    """Return a wrong value as the document has it; of an array or a table only what it is."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "an array"
    return printable(value) if isinstance(value, str) else str(value)


#: The method that reads a field of a record, by the type of the field.
_READERS = {
    str: "text",
    bool: "flag",
    int: "whole",
    Texts: "some_strings",
    Mapping[str, Texts]: "lists",
}


@cache
def _readers(kind: type) -> dict[str, list[Any]]:
    """Return for each field of a record the method that reads it, and its default if it has one.

    The method is empty for what is always given.
    """
    defaults = dict(getattr(kind, "_field_defaults", vars(kind)))
    for name, declared in getattr(kind, "__dataclass_fields__", {}).items():
        if declared.default_factory is not MISSING:
            defaults[name] = declared.default_factory()
    readers: dict[str, list[Any]] = {}
    for name, type_ in get_type_hints(kind).items():
        readers[name] = [_READERS.get(type_, "")]
        if name in defaults:
            readers[name].append(defaults[name])
    return readers


def _all_strings(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def name_of(found: TableSpec | Column | None) -> str:
    """Return the name of a table or column that was read; empty where none was, or was wrong."""
    return found.name if found else ""


def settings_section(book: Codebook, name: str) -> Section:
    """Return a section of the codebook, empty where it is not given."""
    return Section(book.settings.get(name, {}), (name,), [], book.file, book=book)


def valid_settings(book: Codebook, name: str, read: Callable[[Section], _Plan]) -> _Plan | None:
    """Read a section of the codebook; None where it is not given or has mistakes."""
    with suppress(CorpusError):
        return read_settings(book, name, read) if name in book.settings else None
    return None


def read_settings(book: Codebook, name: str, read: Callable[[Section], _Plan]) -> _Plan:
    """Read a section of the codebook; CorpusError with every mistake in it."""
    section = settings_section(book, name)
    plan = read(section)
    if section.findings:
        raise CorpusError(section.findings)
    return plan
