"""Terms that a change renames or merges: told by the rows that had them, and followed."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.curation.edit.row_edits import with_terms
from corpus.model.codebook import TODO, Vocabulary
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study


class RenamedTerm(NamedTuple):
    """A term that another one took the place of; `merged` where that one was there before."""

    vocabulary: str
    old: str
    new: str
    merged: bool


def follow_terms(before: Study, after: Study) -> tuple[Study, list[RenamedTerm]]:
    """Return the older state with the terms that the newer one has renamed or merged, and these.

    A term that is not declared any more was renamed where all cells that had it have one other
    term now or, without such cells, where a new term has its definition.
    """
    terms = list(_renamed_terms(before, after))
    study = before
    try:
        for term in terms:
            study = with_terms(study, term.vocabulary, {term.old: [term.new]})
    except (CorpusError, UsageProblem):
        return before, []  # every difference is shown as it is
    return study, terms


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
