"""From the decoded TOML of a codebook to a :class:`Codebook`, or to all mistakes in it."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from corpus.model.codebook import (
    COLUMN_TYPES,
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
from corpus.model.finding import CorpusError, Finding
from corpus.model.suggestions import unknown
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
    book = Codebook(
        corpus=_corpus(root.section("corpus", required=False)),
        tables=_tables(root),
        vocabularies=_vocabularies(root.section("vocabularies", required=False)),
        consistency_rules=tuple(_consistency_rule(item) for item in root.sections("rules")),
        impossible=tuple(_impossible(item) for item in root.sections("impossible")),
        crosstabs=tuple(_crosstab(item) for item in root.sections("crosstabs")),
        settings={key: value for key, value in data.items() if key not in _CORE},
        file=file,
    )
    _check_unique((rule.id for rule in book.consistency_rules), root, "rules")
    _check_unique((crosstab.id for crosstab in book.crosstabs), root, "crosstabs")
    _check_venues(root.section("venues", required=False))
    _check_documents(root.section("documents", required=False))
    if not findings:
        _check_references(book, root)
    if findings:
        raise CorpusError(findings)
    return book


def _corpus(section: Section) -> dict[str, str]:
    found = {}
    for key in CORPUS_KEYS:
        if section.has(key):
            found[key] = section.scalar(key)
        else:
            # Read all the same, so that the finding about a misspelt key offers it.
            section.raw(key)
    section.finish()
    return found


def _check_venues(section: Section) -> None:
    for kind in VENUE_TYPES:
        section.strings(kind, ())
    section.finish()


def _check_documents(section: Section) -> None:
    for name in section:
        _file(section, name, ".toml")


def _vocabularies(section: Section) -> dict[str, Vocabulary]:
    return {name: _vocabulary(name, body) for name, body in section.children().items()}


def _vocabulary(name: str, section: Section) -> Vocabulary:
    vocabulary = Vocabulary(
        id=name,
        title=section.text("title", name),
        definition=section.text("definition", ""),
        terms=tuple(_term(item) for item in section.sections("terms")),
        groups=tuple(_group(item) for item in section.sections("groups")),
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
    is_clean = identifier and identifier == identifier.strip()
    if section.has("id") and not is_clean:
        section.mistake("id", "must not be empty or begin or end with whitespace")
    label = section.text("label", identifier.replace("_", " "))
    short = section.text("short", label)
    definition = section.text("definition")
    section.finish()
    return Term(identifier, label, short, definition)


def _group(section: Section) -> Group:
    group = Group(
        section.text("id"),
        section.text("label"),
        section.some_strings("terms"),
        section.text("definition", ""),
    )
    section.finish()
    return group


def _tables(root: Section) -> dict[str, TableSpec]:
    sections = root.section("tables").children()
    found = {name: _table(name, body) for name, body in sections.items()}
    pools = [table for table in found.values() if table.role == "pool"]
    if len(pools) != 1:
        root.mistake("tables", "exactly one table must have the role 'pool'")
    files: set[str] = set()
    for name, table in found.items():
        # Whoever writes one of two tables in one file would remove the rows of the other.
        file = posixpath.normpath(table.file).casefold()
        if table.file and file in files:
            sections[name].mistake("file", f"is the file of another table: {table.file}")
        files.add(file)
    return found


def _table(name: str, section: Section) -> TableSpec:
    table = TableSpec(
        name=name,
        file=_file(section, "file", ".csv"),
        title=section.text("title", name),
        definition=section.text("definition", ""),
        role=section.text("role", "evidence"),
        key=section.some_strings("key"),
        columns=tuple(_column(item) for item in section.sections("columns")),
        complete=section.flag("complete", False),
    )
    if not table.columns:
        section.mistake("columns", "has no column")
    width = len(table.columns)
    if width > MAX_COLUMNS:
        section.mistake("columns", f"has {width:,} columns; a table may have {MAX_COLUMNS:,}")
    _check_unique(table.header, section, "columns")
    section.finish()
    return table


def _file(section: Section, key: str, ending: str) -> str:
    """Read the name of a file; it may only be below the codebook's own folder."""
    file = section.text(key)
    # A corpus of somebody else must not read or replace files elsewhere, on Windows neither.
    is_outside = file.startswith("/") or "\\" in file or ".." in file.split("/")
    is_valid = file.endswith(ending) and not is_outside
    if section.has(key) and not is_valid:
        section.mistake(
            key, f"must be a relative path to a {ending} file below the codebook's folder"
        )
    return file


def _column(section: Section) -> Column:
    name = section.text("name")
    if section.has("name") and not _is_column_name(name):
        section.mistake("name", "must be letters, digits and underscores")
    kind = section.one_of("type", COLUMN_TYPES)
    column = Column(
        name=name,
        type=kind,
        label=section.text("label", name.replace("_", " ").capitalize()),
        definition=section.text("definition"),
        role=section.text("role", ""),
        required=section.flag("required", True),
        vocabulary=section.text("vocabulary", name if kind == "term" else ""),
        separator=section.text("separator", ""),
        references=section.text("references", ""),
        axis=section.flag("axis", False),
        mirrors=section.text("mirrors", ""),
    )
    section.finish()
    return column


def _is_column_name(name: str) -> bool:
    return name.isascii() and name.replace("_", "a").isalnum()


def _consistency_rule(section: Section) -> ConsistencyRule:
    rule = ConsistencyRule(
        id=section.text("id"),
        table=section.text("table", ""),
        when=section.lists("when"),
        then=section.lists("then"),
        reason=section.text("reason"),
    )
    section.finish()
    return rule


def _impossible(section: Section) -> Impossible:
    found = Impossible(section.lists("cells"), section.text("reason"))
    section.finish()
    return found


def _crosstab(section: Section) -> Crosstab:
    crosstab = Crosstab(
        id=section.text("id"),
        rows=section.text("rows"),
        columns=section.text("columns"),
        title=section.text("title"),
    )
    section.finish()
    return crosstab


def _check_unique(names: Iterable[str], section: Section, key: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            section.mistake(key, f"duplicate {name!r}")
        seen.add(name)


def _check_references(book: Codebook, root: Section) -> None:
    """Look up every name in the codebook that points to something else in it."""
    for vocabulary in book.vocabularies.values():
        _check_vocabulary(vocabulary, root)
    for table in book.tables.values():
        _check_columns(book, table, root)
        _check_key(book, table, root)
    axes = list(book.pool.axis_names)
    for crosstab in book.crosstabs:
        both = (crosstab.rows, crosstab.columns)
        _check_declared(both, axes, root, f"crosstabs.{crosstab.id}")
    for number, impossible in enumerate(book.impossible, 1):
        _check_cells(book, book.pool, impossible.cells, root, f"impossible[{number}]")
    for rule in book.consistency_rules:
        _check_consistency_rule(book, rule, root)


def _check_consistency_rule(book: Codebook, rule: ConsistencyRule, root: Section) -> None:
    place = f"rules.{rule.id}"
    # A rule without a table is about the pool.
    name = rule.table or book.pool.name
    if name not in book.tables:
        root.mistake(f"{place}.table", unknown("table", name, book.tables))
        return
    table = book.tables[name]
    _check_cells(book, table, rule.when, root, f"{place}.when")
    _check_cells(book, table, rule.then, root, f"{place}.then")


def _check_vocabulary(vocabulary: Vocabulary, root: Section) -> None:
    place = f"vocabularies.{vocabulary.id}"
    absent = vocabulary.not_applicable
    if absent and absent not in vocabulary.ids:
        root.mistake(f"{place}.not_applicable", unknown("term", absent, vocabulary.ids))
    for group in vocabulary.groups:
        _check_declared(group.terms, vocabulary.ids, root, f"{place}.groups.{group.id}")


def _check_key(book: Codebook, table: TableSpec, root: Section) -> None:
    """Check the key columns: they exist, and there is one of them where other rows refer to a row.

    A composite key would need as many columns in each table that refers to it, and in every command
    that takes a key.
    """
    place = f"tables.{table.name}.key"
    _check_declared(table.key, table.header, root, place)
    if table.complete and table.reference_to(book.pool) is None:
        root.mistake(f"tables.{table.name}.complete", "needs a column that refers to the pool")
    if len(table.key) == 1:
        return
    if table.role in ("pool", "exclusions"):
        root.mistake(place, f"must be one column in the table with the role '{table.role}'")
        return
    referring = []
    for other in book.tables.values():
        if other.reference_to(table) is not None:
            referring.append(other.name)
    if referring:
        names = ", ".join(referring)
        root.mistake(place, f"must be one column, since {names} refers to this table")


def _check_columns(book: Codebook, table: TableSpec, root: Section) -> None:
    for column in table.columns:
        place = f"tables.{table.name}.columns.{column.name}"
        is_term = column.type == "term"
        refers = column.type in ("ref", "column")
        if is_term and column.vocabulary not in book.vocabularies:
            problem = unknown("vocabulary", column.vocabulary, book.vocabularies)
            root.mistake(f"{place}.vocabulary", problem)
        if column.axis and not is_term:
            root.mistake(f"{place}.axis", "only a column of type 'term' can be an axis")
        # Cells are split at the separator without the whitespace around it.
        if column.separator and not column.separator.strip():
            root.mistake(f"{place}.separator", "must have a character besides whitespace")
        if column.mirrors and column.mirrors not in book.pool.header:
            problem = unknown("column", column.mirrors, book.pool.header)
            root.mistake(f"{place}.mirrors", problem)
        if refers and column.references not in book.tables:
            problem = unknown("table", column.references, book.tables)
            root.mistake(f"{place}.references", problem)


def _check_cells(
    book: Codebook,
    table: TableSpec,
    cells: Mapping[str, tuple[str, ...]],
    root: Section,
    place: str,
) -> None:
    for name, terms in cells.items():
        vocabulary = _declared_vocabulary(name, book, table)
        if vocabulary is None:
            root.mistake(f"{place}.{name}", f"is not a term column of table {table.name}")
        else:
            _check_declared(terms, vocabulary.ids, root, f"{place}.{name}")


def _declared_vocabulary(name: str, book: Codebook, table: TableSpec) -> Vocabulary | None:
    """Return the vocabulary of a term column; None without one, which is reported elsewhere."""
    for column in table.columns:
        if column.name == name and column.type == "term":
            return book.vocabularies.get(column.vocabulary)
    return None


def _check_declared(
    names: tuple[str, ...], known: Collection[str], root: Section, place: str
) -> None:
    for name in names:
        if name not in known:
            root.mistake(place, unknown("name", name, known))
