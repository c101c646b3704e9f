"""Terms that a change renames or merges: told by the rows that had them, and followed."""

from collections.abc import Mapping
from typing import NamedTuple

from corpus.curation.changes.consequences import Consequences, Renamed, consequences
from corpus.curation.edit.rows import with_renamed_term
from corpus.model.codebook import Vocabulary
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study


class RenamedTerm(NamedTuple):
    """A term that another one took the place of; `merged` where that one was there before."""

    vocabulary: str
    old: str
    new: str
    merged: bool


class FollowedState(NamedTuple):
    """An older state under the newer terms.

    Attributes
    ----------
    study : Study
        With renamed and merged terms in tables, codebook and documents.
    terms : tuple of RenamedTerm
        What was followed.
    """

    study: Study
    terms: tuple[RenamedTerm, ...] = ()

    def moved(
        self, before: Study, after: Study, renamed: Renamed, judged: Study | None = None
    ) -> Consequences:
        """Work out what else the change moves; no cell fills or empties by another name alone.

        Counts and claims of merged terms do move.
        """
        followed = consequences(self.study, after, renamed, judged)
        if not any(term.merged for term in self.terms):
            return followed
        return consequences(before, after, renamed, judged)._replace(cells=followed.cells)


def follow_terms(before: Study, after: Study) -> FollowedState:
    """Return the older state with the terms that the newer one has renamed or merged.

    A term that is not declared any more was renamed where all cells that had it have one other
    term now or, without such cells, where a new term has its definition.
    """
    terms = tuple(_renamed_terms(before, after))
    study = before
    try:
        for term in terms:
            study = with_renamed_term(study, term.vocabulary, [term.old], term.new)
    except (CorpusError, UsageProblem):
        return FollowedState(before)  # every difference is shown as it is
    return FollowedState(study, terms)


def _renamed_terms(before: Study, after: Study) -> list[RenamedTerm]:
    found = []
    for name, vocabulary in before.codebook.vocabularies.items():
        now = after.codebook.vocabularies.get(name)
        if now is None:
            continue
        gone = [term for term in vocabulary.ids if term not in now.ids]
        if not gone:
            continue
        took_place = _took_place(before, after, vocabulary)
        for old in gone:
            new = took_place.get(old) or _declared_alike(old, vocabulary, now)
            if new in now.ids:
                found.append(RenamedTerm(name, old, new, new in vocabulary.ids))
    return found


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
        if definition and term.definition == definition and term.id not in vocabulary.ids:
            return term.id
    return ""
