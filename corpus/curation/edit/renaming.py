"""Every place that names a term, a row or a column, and what these are called from now on.

A document names what its readers resolved. Columns that refer to the pool are followed by
:func:`corpus.curation.edit.row_edits.edited`. Here is everything else that names an entry: the keys
of claims, short names in figures, accepted warnings and accepted differences.
"""

import copy
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import tomli
import tomlkit

from corpus.analysis.claims.acknowledgements import ROLE as ACCEPTED_CLAIMS
from corpus.analysis.claims.evaluate import read_claims
from corpus.analysis.numbers.published import camel, published_numbers
from corpus.curation.check.declarations import read_declarations
from corpus.model.codebook import TODO
from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.codebook_parser import look_up_names, parse_codebook
from corpus.model.documents.section import DocumentPath, NameReference, Section
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.tables.location import CODEBOOK_FILE


def named_references(study: Study) -> list[NameReference]:
    """Return the names that readers resolved in the codebook and the documents.

    Terms, columns and tables in the parts of the codebook that every command reads come first, then
    those of sections and documents.
    """
    codebook = study.sources[CODEBOOK_FILE]
    root = Section(tomli.loads(codebook.text), (), [], codebook.file, book=study.codebook)
    look_up_names(root)
    return [*root.references, *read_declarations(study)[1]]


def renamed_numbers(study: Study, kind: str, of: str, old: str, new: str) -> dict[str, str]:
    """Return the names of published numbers that a term or column of the pool is in: old -> new.

    `kind` is ``term`` or ``column``, `of` the vocabulary or the pool.
    """
    before = {"by"}
    if kind == "term":
        before.clear()
        for spec in study.codebook.tables.values():
            for _, column, own in study.codebook.term_columns(spec):
                if own.id == of:
                    before |= {column.name, column.role}
    found: dict[str, str] = {}
    try:
        published = published_numbers(study)
    except CorpusError:  # rows that cannot be counted have no numbers
        return found
    for name, number in published.items():
        parts = list(number.parts)
        for place, part in enumerate(number.parts):
            is_first = place == 0 and kind == "column"
            if part == old and (is_first or (place and number.parts[place - 1] in before)):
                parts[place] = new
        if camel(*parts) != name:
            found[name] = camel(*parts)
    return found


def _lines_of(study: Study, references: Iterable[NameReference]) -> str:
    """Return where references are, as ``file:line`` separated by commas."""
    named: dict[str, list[NameReference]] = {}
    for reference in references:
        named.setdefault(reference.file, []).append(reference)
    places = []
    for source in study.sources.values():
        findings = [each.finding("") for each in named.get(source.file, ())]
        places += [f"{each.file}:{each.line}" for each in with_lines(findings, source.text)]
    return ", ".join(dict.fromkeys(places))


def renamed_documents(study: Study, old: str, new: str, table: str) -> dict[str, str]:
    """Return codebook and documents in which a row of a table has another key: file -> new text.

    Only the places are replaced that the readers of the documents resolved as the key of a row,
    never the same word in another place.

    Raises
    ------
    UsageProblem
        With the lines, where a place is written in a way that cannot be replaced.
    """
    target = study.tables[table]
    if (new,) in target.by_key():
        return {}  # the check of the tables refuses a key that another row has
    # The rows of a table may be called by the key of a row of another one, alone or as a part.
    called = {target.spec.name}
    for spec in study.codebook.tables.values():
        naming = [spec.column(name) for name in spec.key]
        naming += filter(None, [spec.by_role("key")])
        if target.spec.name in {column.references for column in naming}:
            called.add(spec.name)
    names = {old: new}
    for reference in named_references(study):
        parts = reference.name.split("/")
        if reference.of in called and old in parts:
            names[reference.name] = "/".join(new if part == old else part for part in parts)
    texts: dict[str, str] = {}
    for name, renamed in names.items():
        texts |= _with_names(with_texts(study, texts), "row", called, name, renamed)
    return texts


def renamed_terms(
    study: Study, vocabulary: str, names: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return codebook and documents with other terms in place of some: file -> new text.

    Where a new name is that of a term already, the terms become one: a list or a table that would
    have it twice loses the old name. Names of numbers follow.

    Raises
    ------
    UsageProblem
        As for :func:`renamed_documents`; where two terms exchange their names; where something
        besides the vocabulary names a term that is dropped or divided.
    """
    texts: dict[str, str] = {}
    pending = {}
    for old, new in names.items():
        if len(new) == 1:
            pending[old] = new[0]
        else:
            refuse_named(study, "term", vocabulary, old)
    book: Any = tomlkit.parse(study.sources[CODEBOOK_FILE].text)
    others = {old: new for old, new in names.items() if old not in pending}
    if others:
        declared = book["vocabularies"][vocabulary]
        add_terms(declared, others)
        for old, new in others.items():
            for group in declared.get("groups", []):
                if old in group["terms"]:
                    left = [term for term in group["terms"] if term != old]
                    group["terms"] = list(dict.fromkeys([*left, *new]))
            ids = [item["id"] for item in declared["terms"]]
            del declared["terms"][ids.index(old)]
        texts[CODEBOOK_FILE] = tomlkit.dumps(book)
    while pending:
        # Where b becomes c, a may become b afterwards.
        old = next((each for each, new in pending.items() if new not in pending), "")
        if not old:
            raise UsageProblem(
                f"{', '.join(pending)} cannot exchange their names; do it in two steps"
            )
        new_name = pending.pop(old)
        now = with_texts(study, texts)
        # Of the study as it was: its rows have the old terms.
        numbers = renamed_numbers(study, "term", vocabulary, old, new_name)
        texts |= renamed_texts(now, "term", vocabulary, old, new_name, numbers)
    return texts


def add_terms(vocabulary: Any, names: Mapping[str, Sequence[str]]) -> None:
    """Declare the terms that take the place of others, behind these, in a TOML document."""
    items = vocabulary["terms"]
    for old, new in names.items():
        ids = [item["id"] for item in items]
        place = ids.index(old)
        for name in reversed([each for each in new if each not in ids]):
            item = copy.deepcopy(items[place])
            item.update({"id": name, "definition": f"{TODO}: when a work gets this term."})
            items.insert(place + 1, item)


def refuse_named(study: Study, kind: str, of: str, name: str) -> None:
    """Refuse to drop or divide what a document, or a section of the codebook, names.

    Raises
    ------
    UsageProblem
        With the lines.
    """
    named = []
    for reference in named_references(study):
        if (reference.kind, reference.of, reference.name) == (kind, of, name):
            if reference.path[0] not in ("tables", "vocabularies", "crosstabs"):
                named.append(reference)
    if named:
        raise UsageProblem(f"{_lines_of(study, named)} names {name}; correct this first")


def renamed_texts(
    study: Study, kind: str, of: str, old: str, new: str, numbers: Mapping[str, str]
) -> dict[str, str]:
    """Return codebook and documents with another name of a term or column, and of its numbers."""
    texts = _with_names(study, kind, {of}, old, new)
    for file, source in with_texts(study, texts).source_files.items():
        text = source.text
        for name, renamed in numbers.items():
            text = text.replace(f"{{{name}}}", f"{{{renamed}}}")
        if text != source.text:
            texts[file] = text
    return texts


def with_texts(study: Study, texts: Mapping[str, str]) -> Study:
    """Return a study with other texts of codebook and documents, by their file."""
    if not texts:
        return study
    book = study.codebook
    decoded, changed = dict(study.documents), dict(study.sources)
    for name, source in study.sources.items():
        file = study.codebook.documents.get(name, name)
        if file not in texts:
            continue
        changed[name] = source._replace(text=texts[file])
        document = tomli.loads(texts[file])
        if file == CODEBOOK_FILE:
            book = parse_codebook(document, source.file)
        else:
            decoded[name] = document
    return replace(study, codebook=book, documents=decoded, sources=changed)


def _with_names(study: Study, kind: str, of: Collection[str], old: str, new: str) -> dict[str, str]:
    """Return the texts with another name of a row of some tables, of a column or a term.

    Where a list or a table has the new term already, it loses the old one.
    """
    named: dict[str, list[NameReference]] = {}
    for reference in named_references(study):
        if (reference.kind, reference.name) == (kind, old) and reference.of in of:
            named.setdefault(reference.file, []).append(reference)
    found = {}
    for file, source in study.source_files.items():
        places = named.get(source.file, [])
        if not places:
            continue
        text, left = source.text, places
        if kind == "term":
            text, left = _without_twins(text, places, new)
        before = expected = tomli.loads(text)
        for place in left:
            expected = with_name(expected, place.path, place.is_key, new)
        # Each of them alone: the same word in another place changes the document elsewhere.
        alone = [with_name(before, at.path, at.is_key, new) for at in left]
        base = text
        for start, end in reversed(_occurrences(base, old)):
            edited = _decoded(base[:start] + new + base[end:])
            if edited in alone:
                alone.remove(edited)  # the item may have the word more than once
                text = text[:start] + new + text[end:]
        if _decoded(text) != expected:
            raise UsageProblem(
                f"the name cannot be followed into {_lines_of(study, places)}; change it there by "
                "hand first"
            )
        found[file] = text
    return found


def _without_twins(
    text: str, places: Sequence[NameReference], new: str
) -> tuple[str, list[NameReference]]:
    """Return a document without the places that would have a name twice, and the other places."""
    document: Any = tomlkit.parse(text)
    left = []
    # From the last on: an item that is removed moves those behind it.
    for place in sorted(places, key=lambda place: list(map(str, place.path)), reverse=True):
        holder, path = document, list(place.path)
        item = path.pop()
        if item == "id":  # of a term, which is declared there
            item = path.pop()
        for part in path:
            holder = holder[part]
        is_twin = new in holder if place.is_key else False
        if isinstance(holder, list):
            is_twin = new in [each["id"] if isinstance(each, dict) else each for each in holder]
        if is_twin:
            del holder[item]
        else:
            left.append(place)
    if len(left) == len(places):
        return text, left
    return tomlkit.dumps(document), left


def with_name(value: Any, path: DocumentPath, is_key: bool, new: str) -> Any:
    """Return a decoded document with another name at one place."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, list):
        items = list(value)
        items[int(first)] = with_name(value[int(first)], rest, is_key, new)
        return items
    if not is_key or rest:
        return {**value, first: with_name(value[first], rest, is_key, new)}
    return {new if name == first else name: item for name, item in value.items()}


def _occurrences(text: str, key: str) -> list[tuple[int, int]]:
    """Return where a key is a whole string in quotation marks, or a name before an equals sign."""
    word = re.escape(key)
    quoted = re.compile(rf"""(["'])(?<!\\["'])(?P<key>{word})\1""")
    bare = re.compile(rf"(?:^[ \t]*|[{{,][ \t]*)(?P<key>{word})(?=[ \t]*=)", re.MULTILINE)
    matches = [*quoted.finditer(text), *bare.finditer(text)]
    return sorted(match.span("key") for match in matches)


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
    # Accepted warnings name a file, accepted differences a claim.
    table_of = {spec.file: spec.name for spec in study.codebook.tables.values()}
    for claim in read_claims(study)[0].claims:
        table_of[claim.id] = claim.selections[0].table

    def new_names(cells: Mapping[str, str]) -> dict[str, str]:
        place = cells.get("claim") or cells.get("file", "")
        new = renamed.get(table_of.get(place, ""), {})
        # The value of a cell may be a key as well.
        return {part: new[cells[part]] for part in ("key", "value") if cells.get(part) in new}

    return changed_acceptances(study, new_names)


def changed_acceptances(
    study: Study, new_names: Callable[[Mapping[str, str]], Mapping[str, str]]
) -> dict[str, list[Row]]:
    """Return the tables of what is accepted, with other cells by role where a row gets some."""
    found = {}
    for table in (*study.by_role(ACCEPTED_CLAIMS), *study.by_role("accepted")):
        pairs = zip(table.rows, table.by_role_cells(), strict=True)
        found[table.spec.name] = [table.spec.row(new_names(cells), row) for row, cells in pairs]
    return {name: rows for name, rows in found.items() if rows != study.tables[name].rows}


def renamed_rows(before: Study, after: Study) -> dict[str, dict[str, str]]:
    """Return what the rows of each table were and are called, where that differs.

    Both studies have the same rows in the same order. A composite key is written as claims write
    it (``a/b``) and as accepted warnings do (``a, b``).
    """
    found = {}
    for name, table in before.tables.items():
        now = after.tables[name]
        if now.rows == table.rows or len(now.rows) != len(table.rows):
            continue
        names = list(zip(table.names(), now.names(), strict=True))
        names += zip(map(", ".join, table.keys()), map(", ".join, now.keys()), strict=True)
        # A claim that names the other columns in its filter writes the rest of the key alone.
        for was, is_now in zip(table.keys(), now.keys(), strict=True):
            names += zip(was, is_now, strict=True)
        found[name] = {old: new for old, new in names if old != new}
    return found


def _decoded(text: str) -> Any:
    try:
        return tomli.loads(text)
    except ValueError:  # two names became one
        return None
