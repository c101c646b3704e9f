"""What a change moves: counts, cells of the cross-tabulations, sparsity, claims, numbers.

Terms that it renames or merges are told by the rows that had them, and followed.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import starmap
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import (
    ABOUT_KEYS,
    DOCUMENT,
    ClaimOutcome,
    decided,
    differing_counts,
    read_claims,
)
from corpus.analysis.claims.moved import MovedClaim, moved_claim
from corpus.analysis.claims.robustness import margin
from corpus.analysis.numbers.published import published_numbers
from corpus.analysis.sparsity.cells import EMPTY, THIN, sparse_table
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import strictness_of
from corpus.curation.changes.changes import Renamed, differing, with_renamed_keys
from corpus.curation.edit.renaming import (
    named_references,
    renamed_acceptances,
    renamed_rows,
    with_name,
)
from corpus.curation.edit.rows import with_renamed_term
from corpus.model.codebook import Vocabulary
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.tables.fast.tally import contingency_of

#: What is counted, and its name there -> the number.
Counts = Mapping[tuple[str, str], int]


class CountChange(NamedTuple):
    """A number that differs: rows of a table, or entries that carry a term of an axis."""

    of: str
    name: str
    before: int
    after: int


class CellMove(NamedTuple):
    """A cell of a cross-tabulation with another number of entries.

    `reason` tells why it cannot be filled by definition, where it is filled all the same.
    """

    table: str
    row: str
    column: str
    before: int
    after: int
    reason: str

    @property
    def turns(self) -> str:
        """``fills``, ``empties``, or nothing where the cell has entries before and after."""
        if not self.before:
            return "fills"
        if not self.after:
            return "empties"
        return ""


class ClaimChange(NamedTuple):
    """A claim that another state of the corpus judges otherwise.

    Attributes
    ----------
    kind : str
        One of :data:`CLAIM_KINDS`.
    before, after : ClaimOutcome or None
        None where the state has no such claim, or cannot decide it.
    margins : tuple of (int or None, int or None)
        Row edits that break the claim, before and after; None where none does.
    moved : MovedClaim or None
        By which rows a tracked claim has moved, or is back at what it states.
    """

    kind: str
    before: ClaimOutcome | None
    after: ClaimOutcome | None
    margins: tuple[int | None, int | None]
    moved: MovedClaim | None = None

    @property
    def claim(self) -> Claim:
        """The claim as it is now, or as it was before it was removed."""
        found = self.after or self.before
        assert found is not None
        return found.claim

    @property
    def acknowledged(self) -> bool:
        """Whether somebody wrote down that the claim fails in the newer state."""
        return self.after is not None and self.after.verdict == "acknowledged"

    @property
    def observed(self) -> str:
        """What the observed value was and is.

        That is the keys that came and went, the counts that differ, or both values.
        """
        before, after = self.before, self.after
        if before is None or after is None:
            only = after or before
            return "" if only is None else only.observed
        kind = after.claim.expectation.kind
        if before.claim.expectation.kind != kind:
            return f"{before.observed} -> {after.observed}"
        if kind in ABOUT_KEYS:
            came = [f"+{key}" for key in after.keys if key not in before.keys]
            went = [f"-{key}" for key in before.keys if key not in after.keys]
            observed = after.observed
            # A claim that has the old form of a renamed key fails although no row came or went.
            if not after.holds and kind in ("keys", "includes"):
                observed += f"; expected {after.expected}"
            return ", ".join([*came, *went]) or observed
        old, new = differing_counts(before.counts, after.counts)
        if old:
            return ", ".join(f"{'/'.join(cell)} {old[cell]} -> {new[cell]}" for cell in old)
        return " -> ".join(dict.fromkeys((before.observed, after.observed)))


class NumberChange(NamedTuple):
    """A published number that is printed otherwise; empty in the state that does not publish it."""

    name: str
    before: str
    after: str


class Consequences(NamedTuple):
    """Everything that a change moves; lists in declared order, filling and emptying cells first."""

    counts: tuple[CountChange, ...] = ()
    cells: tuple[CellMove, ...] = ()
    sparsity: tuple[CountChange, ...] = ()
    claims: tuple[ClaimChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()


#: The kinds of :class:`ClaimChange`, the most urgent first. `fails` means that the claim failed
#: before and yields something else now, `narrows` and `widens` are about the margin, `moves` about
#: the observed value, `recovers` means that the claim holds again.
CLAIM_KINDS = (
    "breaks",
    "fails",
    "gone",
    "narrows",
    "moves",
    "reworded",
    "recovers",
    "widens",
    "new",
)


def consequences(
    before: Study, after: Study, renamed: Renamed | None = None, judged: Study | None = None
) -> Consequences:
    """Work out what the change from one countable corpus to another moves.

    Parameters
    ----------
    before, after : Study
        The two states.
    renamed : mapping of str to mapping, optional
        Table -> old key -> new key: a claim about these keys is not changed by their renaming.
    judged : Study, optional
        The newer state with the acceptances that count, where not all of them do.
    """
    old, new = contingency_of(before), contingency_of(after)
    cells = sorted(_cell_moves(old, new), key=lambda move: not move.turns)
    changes = claim_changes(before, judged or after, renamed)
    # Guards before tracked claims.
    claims = sorted(changes, key=lambda one: (CLAIM_KINDS.index(one.kind), one.claim.tracked))
    return Consequences(
        counts=tuple(_differences(_counts(before, old), _counts(after, new))),
        cells=tuple(cells),
        sparsity=tuple(_differences(_sparsity(before, old), _sparsity(after, new))),
        claims=tuple(claims),
        numbers=tuple(_number_changes(before, after)),
    )


def _differences(before: Counts, after: Counts) -> Iterator[CountChange]:
    for (of, name), was, now in differing(before, after, 0):
        yield CountChange(of, name, was, now)


def _counts(study: Study, counted: Contingency) -> Counts:
    """Count the rows of each table, and the entries of each term."""
    found = {("rows", name): len(table.rows) for name, table in study.tables.items()}
    for axis in counted.margins():
        for row in axis.rows:
            found[axis.column.name, row.term] = row.entries
    return found


def _cell_moves(before: Contingency, after: Contingency) -> Iterator[CellMove]:
    """Compare the cross-tabulations that the newer codebook declares, where both have the axes."""
    older_axes = set(before.book.pool.axis_names)
    for declared in after.book.crosstabs:
        axes = (declared.rows, declared.columns)
        new = after.crosstab(*axes).cells
        old: Mapping[tuple[str, ...], int] = {}
        if older_axes.issuperset(axes):
            old = before.crosstab(*axes).cells
        for (row, column), was, now in differing(old, new, 0):
            reason = ""
            if now:
                cell = {declared.rows: row, declared.columns: column}
                reason = after.book.impossible_reason(cell)
            yield CellMove(declared.title, row, column, was, now, reason)


def _sparsity(study: Study, counted: Contingency) -> Counts:
    """Count empty and thin cells of each cross-tabulation, and the readings of each term."""
    try:
        plan = sparsity_plan(study.codebook)
    except CorpusError:  # `corpus check` and `corpus sparsity` report the mistakes in the section
        return {}
    found = {}
    for declared in study.codebook.crosstabs:
        if not {declared.rows, declared.columns} <= set(plan.axes):
            continue
        table = sparse_table(counted, (declared.rows, declared.columns), plan.threshold)
        found[declared.title, "empty cells"] = table.number(EMPTY)
        found[declared.title, "thin cells"] = table.number(THIN)
    for item in plan.strictness:
        for unit in strictness_of(study, item).units:
            judged = f"{item.axis} {unit.term}"
            found[judged, "strict"] = len(unit.strict)
            found[judged, "near strict"] = len(unit.near)
            found[judged, "only broad"] = len(unit.weaker)
            found[judged, "not judged"] = len(unit.unjudged)
    return found


def _number_changes(before: Study, after: Study) -> Iterator[NumberChange]:
    """Compare the numbers that a manuscript may print; none where one state lacks a value."""
    try:
        old = {name: number.text for name, number in published_numbers(before).items()}
        new = {name: number.text for name, number in published_numbers(after).items()}
    except CorpusError:  # `corpus render` reports why
        return
    yield from starmap(NumberChange, differing(old, new, ""))


def claim_changes(
    before: Study, after: Study, renamed: Renamed | None = None
) -> Iterator[ClaimChange]:
    """Yield the claims that the two states judge otherwise, each with the weightiest kind."""
    carried = before
    if renamed:
        carried = _with_new_names(before, with_renamed_keys(before, renamed))
    old = decided(carried, read_claims(carried)[0].claims)
    new = decided(after, read_claims(after)[0].claims)
    for name in dict.fromkeys([*new, *old]):
        was, now = old.get(name), new.get(name)
        margins = (_edits(was, carried), _edits(now, after))
        kind = _kind(was, now, margins)
        if not kind:
            continue
        moved = None
        if was is not None and now is not None and "moved" in (was.verdict, now.verdict):
            moved = moved_claim(was, now, carried, after)
        yield ClaimChange(kind, was, now, margins, moved)


def _with_new_names(study: Study, carried: Study) -> Study:
    """Return a study with renamed keys in which claims and acceptances have them as well."""
    names = renamed_rows(study, carried)
    carried = carried.with_rows(renamed_acceptances(study, names))
    if DOCUMENT not in study.documents:
        return carried
    claims: Any = study.documents[DOCUMENT]
    for reference in named_references(study):
        new = names.get(reference.of, {}).get(reference.name)
        if new and (reference.kind, reference.file) == ("row", study.sources[DOCUMENT].file):
            claims = with_name(claims, reference.path, reference.is_key, new)
    return replace(carried, documents={**carried.documents, DOCUMENT: claims})


def _edits(outcome: ClaimOutcome | None, study: Study) -> int | None:
    """Return how many edits break a claim; None where none does, or there is no claim."""
    return None if outcome is None else margin(outcome, study)


def _kind(
    old: ClaimOutcome | None, new: ClaimOutcome | None, margins: tuple[int | None, int | None]
) -> str:
    """Return the weightiest kind of change; nothing where the claim is judged the same."""
    if new is None:
        return "gone"
    if old is None:
        return "breaks" if new.verdict == "fails" else "new"
    is_same = (old.observed, old.number) == (new.observed, new.number)
    if new.verdict == "moved":
        # A tracked claim that growth moves is not a damage, whatever it was before.
        return "" if is_same else "moves"
    if new.holds != old.holds:
        return "recovers" if new.holds else "breaks"
    is_other = old.verdict == "acknowledged" or old.observed != new.observed
    if new.verdict == "fails" and is_other:
        return "fails"
    # A claim that no edit breaks has the widest margin.
    left, right = (math.inf if edits is None else edits for edits in margins)
    if left != right:
        return "narrows" if right < left else "widens"
    if _as_written(old.claim) != _as_written(new.claim):
        return "reworded"
    return "" if is_same else "moves"


def _as_written(claim: Claim) -> list[object]:
    """Return a claim without what is accepted of it, and without how its columns are defined."""
    parts: list[object] = [claim._replace(accepted=(), reason="", selections=())]
    for selection in claim.selections:
        parts.append(selection._replace(filters=()))
        for filter_ in selection.filters:
            parts.append((filter_.column.name, *filter_[1:]))
    return parts


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


def _renamed_terms(before: Study, after: Study) -> Iterator[RenamedTerm]:
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
        if definition and term.definition == definition and term.id not in vocabulary.ids:
            return term.id
    return ""
