"""Terms and columns that a change renames or merges: told by the rows, and followed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from corpus.analysis.claims.evaluate import DOCUMENT
from corpus.curation.changes.row_changes import Renamed, with_renamed_keys
from corpus.curation.edit.renaming import (
    named_references,
    renamed_acceptances,
    renamed_rows,
    with_name,
)
from corpus.curation.edit.row_edits import with_terms
from corpus.model.codebook import TODO, Column, Vocabulary
from corpus.model.documents.section import NameReference
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.model.table import Table


class RenamedTerm(NamedTuple):
    """A term that another one took the place of; `merged` where that one was there before."""

    vocabulary: str
    old: str
    new: str
    merged: bool


def follow_terms(
    before: Study, after: Study, merged: bool = True
) -> tuple[Study, list[RenamedTerm]]:
    """Return the older state with the terms that the newer one has renamed or merged, and these.

    A term that is not declared any more was renamed where all cells that had it have one other
    term now or, without such cells, where a new term has its definition. What was `merged` may be
    left as it was.
    """
    terms = [term for term in _renamed_terms(before, after) if merged or not term.merged]
    study = before
    try:
        for term in terms:
            study = with_terms(study, term.vocabulary, {term.old: [term.new]})
    except (CorpusError, UsageProblem):
        return before, []  # every difference is shown as it is
    return study, terms


def _renamed_columns(before: Study, after: Study) -> dict[str, dict[str, str]]:
    """Return the columns that have another name: table -> old -> new.

    A column that is not declared any more was renamed where one new column of its type has its
    cells, or its definition where cells were edited too.
    """
    found: dict[str, dict[str, str]] = {}
    for name, table in before.tables.items():
        now = after.tables.get(name, table)
        added = [each for each in now.spec.columns if each.name not in table.spec.header]
        for column in table.spec.columns if added else ():
            if column.name not in now.spec.header and column.name not in table.spec.key:
                alike = [new.name for new in added if _is_renamed(table, column, now, new)]
                if len(alike) == 1:
                    found.setdefault(name, {})[column.name] = alike[0]
    return found


def _is_renamed(before: Table, old: Column, after: Table, new: Column) -> bool:
    """Whether a new column has the cells of an older one, or its definition."""
    if old.definition == new.definition and not old.definition.startswith(TODO):
        return old.type == new.type
    were = dict(zip(before.names(), before.column(old.name), strict=True))
    cells = dict(zip(after.names(), after.column(new.name), strict=True))
    both = were.keys() & cells.keys()
    filled = any(were[key] for key in both)
    return old.type == new.type and filled and all(were[key] == cells[key] for key in both)


def with_new_names(study: Study, after: Study, renamed: Renamed) -> Study:
    """Return an older study in which entries and columns have their newer names, in claims too."""
    columns = _renamed_columns(with_renamed_keys(study, renamed), after)
    if not (renamed or columns):
        return study
    carried = with_renamed_keys(study, renamed)
    names = {"row": renamed_rows(study, carried), "column": columns}
    carried = carried.with_rows(renamed_acceptances(study, names["row"]))
    document: Any = study.documents.get(DOCUMENT)
    # Places are looked up by the older names of columns, which are the last to change.
    for reference in sorted(named_references(study) if document else (), key=_is_column):
        new = names.get(reference.kind, {}).get(reference.of, {}).get(reference.name)
        if new and reference.file == study.sources[DOCUMENT].file:
            document = with_name(document, reference.path, reference.is_key, new)
    tables, specs = dict(carried.tables), dict(study.codebook.tables)
    for name, called in columns.items():
        spec = specs[name]
        newer = [each._replace(name=called.get(each.name, each.name)) for each in spec.columns]
        specs[name] = spec._replace(columns=tuple(newer))
        tables[name] = tables[name]._replace(spec=specs[name])
    documents = {**study.documents, DOCUMENT: document} if document else study.documents
    book = study.codebook._replace(tables=specs)
    return replace(carried, codebook=book, tables=tables, documents=documents)


def _is_column(reference: NameReference) -> bool:
    return reference.kind == "column"


def _renamed_terms(before: Study, after: Study) -> Iterator[RenamedTerm]:
    for name, vocabulary in before.codebook.vocabularies.items():
        now = after.codebook.vocabularies.get(name)
        gone = [term for term in vocabulary.ids if now and term not in now.ids]
        if now is None or not gone:
            continue
        took_place = _took_place(before, after, vocabulary)
        for old in gone:
            new = took_place.get(old) or _declared_alike(old, vocabulary, now)
            if new in now.ids:
                yield RenamedTerm(name, old, new, new in vocabulary.ids)


def _took_place(before: Study, after: Study, vocabulary: Vocabulary) -> Mapping[str, str]:
    """Return the term that is in every cell in which another one was, by that one."""
    common: dict[str, set[str]] = {}
    for name, table in before.tables.items():
        now = after.tables.get(name)
        if now is None:
            continue
        rows = now.by_key()
        for position, column, own in before.codebook.term_columns(table.spec):
            if own.id != vocabulary.id or column.name not in now.spec.header:
                continue
            for row in table.rows:
                other = rows.get(table.key_of(row))
                if other is None:
                    continue
                were = column.values(row[position])
                are = column.values(other[now.spec.position(column.name)])
                values = set(are) - set(were) or set(are)
                for old in were:
                    common[old] = common.get(old, values) & values
    return {old: next(iter(values)) for old, values in common.items() if len(values) == 1}


def _declared_alike(old: str, vocabulary: Vocabulary, now: Vocabulary) -> str:
    """Return the new term with the definition of an older one; empty without one."""
    definition = vocabulary.term(old).definition
    for term in now.terms:
        is_written = definition and not definition.startswith(TODO)
        if is_written and term.definition == definition and term.id not in vocabulary.ids:
            return term.id
    return ""
