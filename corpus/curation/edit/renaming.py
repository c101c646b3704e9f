"""A key or a term under another name: in the codebook, the documents and what is accepted.

Columns that refer to the pool are followed by `rows.edited`. Here is everything else that names an
entry: the keys of claims, short names in figures, accepted warnings and accepted differences.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import tomli

from corpus.analysis.claims.acknowledgements import ROLE as ACCEPTED_CLAIMS
from corpus.analysis.claims.evaluate import read_claims
from corpus.curation.check.declarations import read_declarations
from corpus.model.codebook import TableSpec
from corpus.model.documents.document_rules import CODEBOOK
from corpus.model.documents.renamed_strings import declared_names, with_renamed_strings
from corpus.model.documents.section import DocumentPath, NameReference
from corpus.model.finding import UsageProblem
from corpus.model.study import Source, Study
from corpus.model.table import Row, Table
from corpus.tables.documents import read_document
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FOLDER, shown_path

#: A file of a corpus that is larger than this is not a text that a person reads, in bytes.
_LARGEST = 5_000_000


class KeyMention(NamedTuple):
    """A line that names a key."""

    file: str
    line: int
    text: str


def renamed_documents(study: Study, old: str, new: str, table: str = "") -> dict[str, str]:
    """Return codebook and documents in which a row has another key: file -> new text.

    It is an entry of the pool, or a row of `table`.

    Only the places are replaced that the readers of the documents resolved as the key of a row,
    never the same word in another place.

    Raises
    ------
    UsageProblem
        With the lines, where a place is written in a way that cannot be replaced.
    """
    target = study.tables[table or study.codebook.pool.name]
    if (new,) in target.by_key():
        return {}  # the check of the tables refuses a key that another row has
    places = [
        reference
        for reference in _references(study)
        if reference.kind == "row" and _names_rows(target.spec, reference.of, study)
    ]
    return _with_names(study, places, old, new)


def renamed_term(study: Study, vocabulary: str, old: str, new: str) -> dict[str, str]:
    """Return codebook and documents in which a term has another name: file -> new text.

    Raises
    ------
    UsageProblem
        As for :func:`renamed_documents`.
    """
    places = [
        reference
        for reference in (*_references(study), *_own_terms(study))
        if reference.kind == "term" and reference.of == vocabulary
    ]
    return _with_names(study, places, old, new)


def _references(study: Study) -> list[NameReference]:
    """Return the names that the readers of the codebook's sections and documents resolved."""
    codebook = _sources(study)[CODEBOOK_FILE]
    declared = read_declarations(study.codebook, codebook, study.documents, study.sources)
    return declared.references


def _own_terms(study: Study) -> Iterator[NameReference]:
    """Yield the terms in the parts of the codebook that every command reads, with their places."""
    codebook = _sources(study)[CODEBOOK_FILE]
    document = tomli.loads(codebook.text)
    book = study.codebook

    def of(vocabulary: str, name: str, *path: str | int) -> NameReference:
        return NameReference(codebook.file, CODEBOOK, path, "term", vocabulary, name)

    for name, vocabulary in document["vocabularies"].items():
        place: tuple[str | int, ...] = ("vocabularies", name)
        yield of(name, vocabulary.get("not_applicable", ""), *place, "not_applicable")
        for number, term in enumerate(vocabulary["terms"]):
            yield of(name, term["id"], *place, "terms", number, "id")
        for number, group in enumerate(vocabulary.get("groups", ())):
            for position, term in enumerate(group["terms"]):
                yield of(name, term, *place, "groups", number, "terms", position)
    for part, keys in (("rules", ("when", "then")), ("impossible", ("cells",))):
        for number, rule in enumerate(document.get(part, ())):
            spec = book.tables[rule.get("table", book.pool.name)]
            for key in keys:
                for column, terms in rule[key].items():
                    declared = book.vocabulary_of(spec.column(column)).id
                    for position, term in enumerate(terms):
                        yield of(declared, term, part, number, key, column, position)


def _with_names(
    study: Study, references: Iterable[NameReference], old: str, new: str
) -> dict[str, str]:
    """Return the texts in which the places of some references have another name."""
    found: dict[str, str] = {}
    named = [reference for reference in references if reference.name == old]
    for file, source in _sources(study).items():
        places = [reference for reference in named if reference.file == source.file]
        if not places:
            continue
        text, expected = source.text, tomli.loads(source.text)
        before = expected
        for place in places:
            expected = _with_name(expected, place.path, place.is_key, new)
        # Each of them alone: the same word in another place changes the document elsewhere.
        alone = [_with_name(before, place.path, place.is_key, new) for place in places]
        for start, end in reversed(_occurrences(text, old)):
            if any(_is(source.text[:start] + new + source.text[end:], one) for one in alone):
                text = text[:start] + new + text[end:]
        if not _is(text, expected):
            raise _cannot_follow(source, old, "these lines cannot be changed by the program")
        found[file] = text
    return found


def _names_rows(target: TableSpec, table: str, study: Study) -> bool:
    """Whether the rows of a table are called by the key of a row of another one."""
    spec = study.codebook.tables.get(table)
    return spec is not None and target.name in (spec.name, spec.column(spec.key[0]).references)


def _with_name(value: Any, path: DocumentPath, is_key: bool, new: str) -> Any:
    """Return a decoded document with another name at one place."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, list):
        return [
            _with_name(item, rest, is_key, new) if place == first else item
            for place, item in enumerate(value)
        ]
    if is_key and not rest:
        return {new if name == first else name: item for name, item in value.items()}
    return {**value, first: _with_name(value[first], rest, is_key, new)}


def _occurrences(text: str, key: str) -> list[tuple[int, int]]:
    """Return where a key is a whole string in quotation marks, or a name before an equals sign."""
    word = re.escape(key)
    quoted = re.compile(rf"""(["'])(?<!\\["'])(?P<key>{word})\1""")
    bare = re.compile(rf"(?:^[ \t]*|[{{,][ \t]*)(?P<key>{word})(?=[ \t]*=)", re.MULTILINE)
    matches = [*quoted.finditer(text), *bare.finditer(text)]
    return sorted(match.span("key") for match in matches)


def declared_mentions(study: Study, key: str) -> list[KeyMention]:
    """Return the lines of the codebook that name an entry by its key, such as short names."""
    if key in declared_names(study.codebook):
        return []
    source = _sources(study)[CODEBOOK_FILE]
    declared = tomli.loads(source.text)
    if with_renamed_strings(declared, {key: ""}) == declared:
        return []
    return [found for found in mentions(study.root, key) if found.file == source.file]


def renamed_acceptances(
    study: Study, renamed: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Row]]:
    """Return the tables of accepted warnings and differences, with the new names of rows.

    Parameters
    ----------
    study : Study
        As it was.
    renamed : mapping of str to mapping
        Table -> old name of a row -> new name.
    """
    found: dict[str, list[Row]] = {}
    tables_of = {claim.id: claim.selections[0].table for claim in read_claims(study)[0].claims}
    files = {spec.file: spec.name for spec in study.codebook.tables.values()}
    for role, names, place in ((ACCEPTED_CLAIMS, tables_of, "claim"), ("accepted", files, "file")):
        for table in study.by_role(role):
            rows = list(_followed(table, place, names, renamed))
            if rows != table.rows:
                found[table.spec.name] = rows
    return found


def _followed(
    table: Table, place: str, tables: Mapping[str, str], renamed: Mapping[str, Mapping[str, str]]
) -> Iterator[Row]:
    """Yield the rows of a table of acceptances.

    The cell in the column of role `place` tells the table whose row is accepted; the one of role
    `key` names the row.
    """
    spec = table.spec
    named, key = spec.by_role(place), spec.by_role("key")
    for row in table.rows:
        if named is None or key is None:
            yield row
            continue
        cells = list(row)
        new_names = renamed.get(tables.get(row[spec.position(named.name)], ""), {})
        for column in spec.columns:
            position = spec.position(column.name)
            if column.role in ("key", "value"):
                cells[position] = new_names.get(row[position], row[position])
        yield tuple(cells)


def renamed_rows(before: Study, after: Study) -> dict[str, dict[str, str]]:
    """Return what the rows of each table were and are called, where that differs.

    Both studies have the same rows in the same order. A composite key is written as claims write
    it (``a/b``) and as accepted warnings do (``a, b``).
    """
    found: dict[str, dict[str, str]] = {}
    for name, table in before.tables.items():
        rows = after.tables[name].rows
        if rows == table.rows or len(rows) != len(table.rows):
            continue
        old_names, new_names = table.spec.names_of(table.rows), table.spec.names_of(rows)
        names = dict(zip(old_names, new_names, strict=True))
        for row, new in zip(table.rows, rows, strict=True):
            names[", ".join(table.key_of(row))] = ", ".join(table.key_of(new))
        found[name] = {old: new for old, new in names.items() if old != new}
    return found


def mentions(data: str, key: str, texts: Mapping[str, str] | None = None) -> list[KeyMention]:
    """Return every line in the files of a corpus that names a key, as a whole word.

    Parameters
    ----------
    data : str
        The data folder. Releases are left out: they are as they were.
    key : str
        The key.
    texts : mapping of str to str, optional
        Path below the data folder -> text that takes the place of a file.
    """
    word = _word(key)
    found: list[KeyMention] = []
    for file in _files(data):
        path = os.path.join(data, file)
        text = (texts or {}).get(file)
        if text is None:
            text = _text_of(path)
        if key not in text:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if word.search(line):
                found.append(KeyMention(shown_path(path), number, line.strip()))
    return found


def _files(data: str) -> Iterator[str]:
    for folder, folders, names in os.walk(data):
        inside = os.path.relpath(folder, data)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if inside == ".":
            folders[:] = [name for name in folders if name != RELEASES_FOLDER]
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.normpath(os.path.join(inside, name)).replace(os.sep, "/")


def _text_of(path: str) -> str:
    """Return the text of a file; empty where it is too large or no text."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return ""
        with open(path, encoding="utf-8", newline="") as handle:
            return handle.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _word(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")


def _sources(study: Study) -> dict[str, Source]:
    """Return the codebook and the documents by their file below the data folder."""
    path = os.path.join(study.root, CODEBOOK_FILE)
    shown = shown_path(path)
    found = {CODEBOOK_FILE: Source(shown, read_document(path, shown))}
    for name, source in study.sources.items():
        found[study.codebook.documents[name]] = source
    return found


def _is(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return tomli.loads(text) == expected
    except ValueError:  # two names became one
        return False


def _cannot_follow(source: Source, old: str, why: str) -> UsageProblem:
    word = _word(old)
    lines = []
    for number, line in enumerate(source.text.split("\n"), 1):
        if word.search(line):
            lines.append(f"{source.file}:{number}")
    return UsageProblem(
        f"the name cannot be followed into {', '.join(lines)}, since {why}; "
        "change these lines by hand first"
    )
