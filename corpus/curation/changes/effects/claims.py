"""The claims that a change breaks, narrows or moves, and the tracked numbers that it states."""

import math
from collections.abc import Iterator
from dataclasses import replace
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
from corpus.analysis.claims.parser import claim_lines
from corpus.analysis.claims.releases import opened_release
from corpus.analysis.claims.robustness import margin
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.note import SHOWN, Note
from corpus.curation.changes.rows import Renamed, with_renamed_keys
from corpus.curation.changes.sentence import LENGTH, code
from corpus.curation.edit.renaming import (
    named_references,
    renamed_acceptances,
    renamed_rows,
    with_name,
)
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.printing.grid import cut, plural

#: The kinds of :class:`ClaimChange`, the most urgent first. `fails` means that the claim failed
#: before and yields something else now, `narrows` and `widens` are about the margin, `moves` about
#: the observed value, `recovers` means that the claim holds again.
CLAIM_KINDS = (
    "breaks", "fails", "gone", "narrows", "moves", "reworded", "recovers", "widens", "new",
)  # fmt: skip
_LEADS = {
    "breaks": "A claim breaks: ",
    "fails": "A claim fails as before, now with another value: ",
    "gone": "A claim is removed: ",
}
UNPROVED = Rule(
    "C434",
    "the tracked claim {value} states {expected}, the tables give {observed}, and the latest "
    "release that has it states something else",
    "correct the number; a claim of the latest release keeps what it states there",
    title="New number that nothing proves",
    reason="`corpus diff` reports it. A tracked claim may differ from the tables of today because "
    "they have grown since the release that it is from; a new or edited one has no such release.",
)


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
        """The keys that came and went, the counts that differ, or both values."""
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

    def record(self) -> dict[str, Any]:
        """Return the change as a row of the table of claims."""
        before, after = self.before, self.after
        return {
            "id": self.claim.id,
            "kind": self.kind,
            "change": f"{self.kind} (acknowledged)" if self.acknowledged else self.kind,
            "observed": self.observed,
            "statement": self.claim.statement,
            "tracked": self.claim.tracked,
            "before": before and before.observed,
            "after": after and after.observed,
            "expected": after and after.expected,
            "acknowledged": self.acknowledged,
            "margin_before": self.margins[0],
            "margin_after": self.margins[1],
        }


def claims(delta: Delta) -> Iterator[Note]:
    """Yield the claims that the two states judge otherwise; sentences about guards alone."""
    if not delta.is_countable:
        return
    recovered = []
    numbers: list[tuple[ClaimChange, MovedClaim]] = []
    for change in sorted(claim_changes(delta), key=_urgency):
        lead = _LEADS.get(change.kind, "")
        name = change.claim.id
        if change.moved:
            numbers.append((change, change.moved))
        # A tracked claim states numbers of a release, which growth moves: it is not a guard.
        if change.claim.tracked or not lead:
            if change.kind == "recovers" and not change.claim.tracked:
                recovered.append(name)
            yield Note("claims", (), (change.record(),))
            continue
        statement = f"“{cut(change.claim.statement, LENGTH)}” ("
        known = " It is acknowledged." if change.acknowledged else ""
        text = (lead, statement, code(name), f": {cut(change.observed, LENGTH)})", known)
        yield Note("claims", text, (change.record(),))
    if recovered:
        yield Note("claims", (f"Claims that hold again: {', '.join(recovered)}.",))
    yield from _numbers(delta, numbers)


def _urgency(change: ClaimChange) -> tuple[int, bool]:
    return CLAIM_KINDS.index(change.kind), change.claim.tracked  # guards before tracked claims


def _numbers(delta: Delta, moved: list[tuple[ClaimChange, MovedClaim]]) -> Iterator[Note]:
    """Yield one sentence about all tracked numbers that the change moves."""
    if not moved:
        return
    releases = delta.releases[1]
    keys = {movement.keys_text for _, movement in moved}
    named = []
    for change, movement in moved[:SHOWN]:
        when = "before"
        # Another change may have moved it already; then the release has a third value.
        if releases and change.before is not None and change.before.holds:
            when = f"in {releases[-1].id}"
        text = f"{change.claim.id} {movement.values_text(when)}"
        named.append(text + (f" ({movement.keys_text})" if len(keys) > 1 else ""))
    if len(moved) > SHOWN:
        named.append(f"{len(moved) - SHOWN} more")
    by = f", by {keys.pop()}" if len(keys) == 1 else ""
    verb = "moves" if len(moved) == 1 else "move"
    text = f"{plural(len(moved), 'tracked number')} {verb}{by}: {'; '.join(named)}."
    yield Note("claims", (text,))


def tracked(delta: Delta) -> Iterator[Note]:
    """Yield each new or edited tracked claim that neither holds nor is what a release states."""
    if not delta.is_countable or DOCUMENT not in delta.documents:
        return
    after = delta.after.corpus
    before = _with_new_names(delta.old, delta.rows.renamed)
    known = {claim.id: claim for claim in read_claims(before)[0].claims}
    source = after.sources.get(DOCUMENT)
    lines = claim_lines(source.text) if source else {}
    for name, outcome in decided(after, read_claims(after)[0].claims).items():
        claim = outcome.claim
        if not claim.tracked or outcome.holds or _stated(known.get(name)) == _stated(claim):
            continue
        if _stated(_released(delta, name)) != _stated(claim):
            file = source.file if source else ""
            place = (file, lines.get(name, 0), "id", name)
            finding = UNPROVED.at(*place, expected=outcome.expected, observed=outcome.observed)
            yield finding_note("findings", finding)


def _released(delta: Delta, name: str) -> Claim | None:
    """Return a claim as the latest release before the change that has it states it."""
    for release in reversed(delta.releases[0]):
        try:
            study = opened_release(release, delta.before.opener, delta.before.corpus.root)
        except CorpusError:  # `corpus check` reports it
            continue
        for claim in read_claims(study)[0].claims:
            if claim.id == name:
                return claim
    return None


def _stated(claim: Claim | None) -> object:
    """Return what a claim states: the sentence and what it expects of which rows."""
    return None if claim is None else (claim.statement, claim.tracked, *as_written(claim))


def claim_changes(delta: Delta) -> Iterator[ClaimChange]:
    """Yield the claims that the two states judge otherwise, each with the weightiest kind."""
    carried, after = _with_new_names(delta.counted, delta.rows.renamed), delta.judged
    old = decided(carried, read_claims(carried)[0].claims)
    new = decided(after, read_claims(after)[0].claims)
    for name in dict.fromkeys([*new, *old]):
        was, now = old.get(name), new.get(name)
        margins = (_edits(was, carried), _edits(now, after))
        kind = _kind(was, now, margins)
        if kind:
            moved = None
            if was is not None and now is not None and "moved" in (was.verdict, now.verdict):
                moved = moved_claim(was, now, carried, after)
            yield ClaimChange(kind, was, now, margins, moved)


def _with_new_names(study: Study, renamed: Renamed) -> Study:
    """Return a study with renamed keys, in which claims and acceptances have them as well."""
    if not renamed:
        return study
    carried = with_renamed_keys(study, renamed)
    names = renamed_rows(study, carried)
    carried = carried.with_rows(renamed_acceptances(study, names))
    if DOCUMENT not in study.documents:
        return carried
    document: Any = study.documents[DOCUMENT]
    for reference in named_references(study):
        new = names.get(reference.of, {}).get(reference.name)
        if new and (reference.kind, reference.file) == ("row", study.sources[DOCUMENT].file):
            document = with_name(document, reference.path, reference.is_key, new)
    return replace(carried, documents={**carried.documents, DOCUMENT: document})


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
    if as_written(old.claim) != as_written(new.claim):
        return "reworded"
    return "" if is_same else "moves"


def as_written(claim: Claim) -> list[object]:
    """Return a claim without what is accepted of it, and without how its columns are defined."""
    parts: list[object] = [replace(claim, accepted=(), reason="", selections=())]
    for selection in claim.selections:
        parts.append(replace(selection, filters=()))
        for filter_ in selection.filters:
            parts.append((filter_.column.name, *filter_[1:]))
    return parts
