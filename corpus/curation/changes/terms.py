"""Terms that a change renames, and entries that have another key: both are followed.

A term that is merged into another one is no renaming: its rows differ, and counts move.
"""

from collections.abc import Iterator
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
from corpus.model.codebook import TODO
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study


class RenamedTerm(NamedTuple):
    """A term that a new one took the place of."""

    vocabulary: str
    old: str
    new: str


def follow_terms(before: Study, after: Study) -> tuple[Study, list[RenamedTerm]]:
    """Return the older state with the terms that the newer one has renamed, and these."""
    terms = list(_renamed_terms(before, after))
    study = before
    try:
        for term in terms:
            study = with_terms(study, term.vocabulary, {term.old: [term.new]})
    except (CorpusError, UsageProblem):
        return before, []  # every difference is shown as it is
    return study, terms


def _renamed_terms(before: Study, after: Study) -> Iterator[RenamedTerm]:
    """Yield the terms that are not declared any more, while a new one has their definition."""
    for name, vocabulary in before.codebook.vocabularies.items():
        now = after.codebook.vocabularies.get(name, vocabulary)
        added = {term.definition: term.id for term in now.terms if term.id not in vocabulary.ids}
        for term in vocabulary.terms:
            is_written = term.definition and not term.definition.startswith(TODO)
            if is_written and term.id not in now.ids and term.definition in added:
                yield RenamedTerm(name, term.id, added.pop(term.definition))


def with_new_names(study: Study, renamed: Renamed) -> Study:
    """Return an older study in which entries have their newer keys, also in its claims."""
    if not renamed:
        return study
    carried = with_renamed_keys(study, renamed)
    keys = renamed_rows(study, carried)
    carried = carried.with_rows(renamed_acceptances(study, keys))
    document: Any = study.documents.get(DOCUMENT)
    for name in named_references(study) if document else ():
        new = keys.get(name.of, {}).get(name.name) if name.kind == "row" else None
        if new and name.file == study.sources[DOCUMENT].file:
            document = with_name(document, name.path, name.is_key, new)
    documents = {**study.documents, DOCUMENT: document} if document else study.documents
    return replace(carried, documents=documents)
