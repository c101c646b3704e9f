"""From the decoded TOML of a codebook to a :class:`Codebook`, or to all mistakes in it."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any

from corpus.model.codebook import (
    COLUMN_TYPES,
    About,
    Codebook,
    Column,
    ConsistencyRule,
    Crosstab,
    Group,
    Impossible,
    TableSpec,
    Term,
    Vocabulary,
)
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Finding, unknown
from corpus.model.table import MAX_COLUMNS

#: What ``[corpus]`` may tell about the corpus; all of it is optional.
CORPUS_KEYS = (
    "id",
    "title",
    "short_title",
    "description",
    "license",
    "homepage",
    "cite",
    "cutoff",
    "version",
    "language",
    "entry",
    "entries",
)
#: The BibTeX types that ``[venues]`` may list venues for.
VENUE_TYPES = ("article", "inproceedings", "techreport", "misc")

_CORE = {"format", "corpus", "tables", "vocabularies", "rules", "impossible", "crosstabs"}
#: The sections among the settings that are read here, since every command needs them.
PARSED_SETTINGS = ("documents", "venues")


def parse_codebook(data: Mapping[str, Any], file: str = "codebook.toml") -> Codebook:
    """Build the codebook from decoded TOML.

    Parameters
    ----------
    data : mapping
        The decoded document.
    file : str
        Its path, for findings.

    Raises
    ------
    CorpusError
        With one C001 finding for each mistake. Names that point to something else in the codebook
        are looked up only where everything has the right form.
    """
    findings: list[Finding] = []
    root = Section(data, (), findings, file)
    if root.raw("format") != 1:
        root.mistake("format", "must be 1")
    vocabularies = root.section("vocabularies", required=False).children()
    book = Codebook(
        corpus=_corpus(root.section("corpus", required=False)),
        tables=_tables(root),
        vocabularies={name: _read_vocabulary(name, body) for name, body in vocabularies.items()},
        consistency_rules=root.records("rules", ConsistencyRule),
        impossible=root.records("impossible", Impossible),
        crosstabs=root.records("crosstabs", Crosstab),
        settings={key: value for key, value in data.items() if key not in _CORE},
        file=file,
    )
    _check_unique((rule.id for rule in book.consistency_rules), root, "rules")
    _check_unique((crosstab.id for crosstab in book.crosstabs), root, "crosstabs")
    venues = root.section("venues", required=False)
    for kind in VENUE_TYPES:
        venues.strings(kind, ())
    for venue, month in venues.texts("announced").items():
        if re.fullmatch("0[1-9]|1[0-2]", month) is None:
            venues.mistake("announced", f"{venue} must be a month from 01 to 12")
    venues.finish()
    documents = root.section("documents", required=False)
    for name in documents:
        _file(documents, name, ".toml")
    if not findings:
        look_up_names(Section(data, (), findings, file, book=book))
    if findings:
        raise CorpusError(findings)
    return book


def _corpus(section: Section) -> About:
    found = About()
    for key in CORPUS_KEYS:
        if section.has(key):
            found[key] = section.scalar(key)
    section.allow(CORPUS_KEYS)
    section.finish()
    return found


def _read_vocabulary(name: str, section: Section) -> Vocabulary:
    vocabulary = Vocabulary(
        id=name,
        title=section.text("title", name),
        definition=section.text("definition", ""),
        terms=tuple(map(_term, section.sections("terms"))),
        groups=section.records("groups", Group),
        not_applicable=section.text("not_applicable", ""),
    )
    if not vocabulary.terms:
        section.mistake("terms", "has no term")
    _check_unique(vocabulary.ids, section, "terms")
    _check_unique((group.id for group in vocabulary.groups), section, "groups")
    section.finish()
    return vocabulary


def _term(section: Section) -> Term:
    identifier = section.text("id")
    if section.has("id") and (not identifier or identifier != identifier.strip()):
        section.mistake("id", "must not be empty or begin or end with whitespace")
    label = section.text("label", identifier.replace("_", " "))
    return section.record(Term, id=identifier, label=label, short=section.text("short", label))


def _tables(root: Section) -> dict[str, TableSpec]:
    sections = root.section("tables").children()
    found = {name: _table_spec(name, body) for name, body in sections.items()}
    pools = [table for table in found.values() if table.role == "pool"]
    if len(pools) != 1:
        root.mistake("tables", "exactly one table must have the role 'pool'")
    files = set()
    for name, table in found.items():
        # Whoever writes one of two tables in one file would remove the rows of the other.
        file = posixpath.normpath(table.file).casefold()
        if table.file and file in files:
            sections[name].mistake("file", f"is the file of another table: {table.file}")
        files.add(file)
    return found


def _table_spec(name: str, section: Section) -> TableSpec:
    table = section.record(
        TableSpec,
        name=name,
        file=_file(section, "file", ".csv"),
        title=section.text("title", name),
        definition=section.text("definition", ""),
        role=section.text("role", "evidence"),
        columns=tuple(map(_column, section.sections("columns"))),
    )
    if not table.columns:
        section.mistake("columns", "has no column")
    width = len(table.columns)
    if width > MAX_COLUMNS:
        section.mistake("columns", f"has {width:,} columns; a table may have {MAX_COLUMNS:,}")
    _check_unique(table.header, section, "columns")
    return table


def _file(section: Section, key: str, ending: str) -> str:
    """Read the name of a file; it may only be below the codebook's own folder."""
    file = section.text(key)
    # A corpus of somebody else must not read or replace files elsewhere, on Windows neither.
    is_outside = file.startswith("/") or "\\" in file or ".." in file.split("/")
    if section.has(key) and (is_outside or not file.endswith(ending)):
        section.mistake(
            key, f"must be a relative path to a {ending} file below the codebook's folder"
        )
    return file


def _column(section: Section) -> Column:
    name = section.text("name")
    is_name = name.isascii() and name.replace("_", "a").isalnum()
    if section.has("name") and not is_name:
        section.mistake("name", "must be letters, digits and underscores")
    kind = section.one_of("type", COLUMN_TYPES)
    return section.record(
        Column,
        type=kind,
        label=section.text("label", name.replace("_", " ").capitalize()),
        vocabulary=section.text("vocabulary", name if kind == "term" else ""),
    )


def _check_unique(names: Iterable[str], section: Section, key: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            section.mistake(key, f"duplicate {name!r}")
        seen.add(name)


def look_up_names(root: Section) -> None:
    """Record every name in the parts read here that points to something else in the codebook.

    Parameters
    ----------
    root : Section
        A document without other mistakes, with the codebook that it gives. Names that mean nothing
        become findings.
    """
    book = root.book
    pool = book.pool
    for name, section in root.section("vocabularies", required=False).children().items():
        _look_up_terms(section, book.vocabularies[name])
    for section in root.sections("rules"):
        table: TableSpec | None = pool
        if section.text("table", ""):
            table = section.table("table")
        if table is not None:
            _look_up_cells(section.section("when"), table)
            _look_up_cells(section.section("then"), table)
    for section in root.sections("impossible"):
        _look_up_cells(section.section("cells"), pool)
    for name, section in root.section("tables").children().items():
        _look_up_columns(section, book.tables[name])
        _check_key(section, book.tables[name])
    for section in root.sections("crosstabs"):
        for side in ("rows", "columns"):
            axis = section.text(side)
            section.reference("column", axis, side, of=pool.name, known=pool.axis_names)


def _look_up_terms(section: Section, vocabulary: Vocabulary) -> None:
    name, ids = vocabulary.id, vocabulary.ids
    if vocabulary.not_applicable:
        section.reference("term", vocabulary.not_applicable, "not_applicable", of=name, known=ids)
    for number, term in enumerate(ids):
        section.reference("term", term, "terms", number, "id", of=name)
    for number, group in enumerate(vocabulary.groups):
        for position, term in enumerate(group.terms):
            place = ("groups", number, "terms", position)
            section.reference("term", term, *place, of=name, known=ids)


def _look_up_columns(section: Section, table: TableSpec) -> None:
    book = section.book
    for column, place in zip(table.columns, section.sections("columns"), strict=True):
        place.reference("column", column.name, "name", of=table.name)
        if column.mirrors:
            known = book.pool.header
            place.reference("column", column.mirrors, "mirrors", of=book.pool.name, known=known)
        is_term = column.type == "term"
        if is_term and column.vocabulary not in book.vocabularies:
            place.mistake("vocabulary", unknown("vocabulary", column.vocabulary, book.vocabularies))
        if column.axis and not is_term:
            place.mistake("axis", "only a column of type 'term' can be an axis")
        # Cells are split at the separator without the whitespace around it.
        if column.separator and not column.separator.strip():
            place.mistake("separator", "must have a character besides whitespace")
        if column.type in ("ref", "column") and column.references not in book.tables:
            place.mistake("references", unknown("table", column.references, book.tables))


def _check_key(section: Section, table: TableSpec) -> None:
    """Check the key columns: they exist, and there is one of them where other rows refer to a row.

    A composite key would need as many columns in each table that refers to it, and in every command
    that takes a key.
    """
    book = section.book
    section.columns("key", table)
    if table.complete and table.reference_to(book.pool) is None:
        section.mistake("complete", "needs a column that refers to the pool")
    if len(table.key) == 1:
        named = table.by_role("key")
        # What an entry is called is what other tables refer to.
        if table.role == "pool" and named is not None and named.name != table.key[0]:
            section.mistake("key", "must be the column with the role 'key'")
        return
    if table.role in ("pool", "exclusions"):
        section.mistake("key", f"must be one column in the table with the role '{table.role}'")
        return
    for other in book.tables.values():
        if other.reference_to(table) is not None:
            section.mistake("key", f"must be one column, since {other.name} refers to this table")


def _look_up_cells(section: Section, table: TableSpec) -> None:
    """Look up a mapping of term columns to lists of their terms."""
    vocabularies = section.book.vocabularies
    columns = {column.name: column for column in table.term_columns}
    for name in section:
        if not section.reference("column", name, name, of=table.name, known=columns, is_key=True):
            continue
        # A vocabulary that is not declared is reported at the column.
        vocabulary = vocabularies.get(columns[name].vocabulary)
        if vocabulary is None:
            continue
        for position, term in enumerate(section.strings(name)):
            section.reference("term", term, name, position, of=vocabulary.id, known=vocabulary.ids)
