"""The claims that a change breaks, narrows or moves, and the tracked numbers that it states."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

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
from corpus.curation.changes.sentence import LENGTH, Sentence, code
from corpus.curation.changes.terms import with_new_names
from corpus.model.finding import CorpusError, Rule
from corpus.printing.grid import cut, plural

#: The kinds of changes of claims, the most urgent first. `fails` means that the claim failed before
#: and yields something else now, `narrows` and `widens` are about the margin, `moves` about the
#: observed value, `recovers` means that the claim holds again.
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
    "correct the number, or keep that of the latest release",
    title="New number that nothing proves",
    reason="`corpus diff` reports it. A tracked claim may differ from the tables of today because "
    "they have grown since the release that it is from; a new or edited one has no such release.",
)


#: Row edits that break a claim, before and after; None where none does.
Margins = tuple[int | None, int | None]


def claims(delta: Delta) -> Iterator[Note]:
    """Yield the claims that the two states judge otherwise; sentences about guards alone."""
    if not delta.is_countable:
        return
    recovered = []
    numbers = []
    for record, moved in sorted(claim_changes(delta), key=_urgency):
        if moved:
            numbers.append(moved)
        lead, name = _LEADS.get(record["kind"], ""), record["id"]
        text: Sentence = ()
        # A tracked claim states numbers of a release, which growth moves: it is not a guard.
        if lead and not record["tracked"]:
            statement = f"“{cut(record['statement'], LENGTH)}” ("
            known = " It is acknowledged." if record["acknowledged"] else ""
            text = (lead, statement, code(name), f": {cut(record['observed'], LENGTH)})", known)
        elif record["kind"] == "recovers" and not record["tracked"]:
            recovered.append(name)
        yield Note("claims", text, (record,))
    if recovered:
        yield Note("claims", (f"Claims that hold again: {', '.join(recovered)}.",))
    if numbers:
        yield Note("claims", (_numbers(delta, numbers),))


def _urgency(change: tuple[Mapping[str, Any], object]) -> tuple[int, bool]:
    record, _ = change
    return CLAIM_KINDS.index(record["kind"]), record["tracked"]  # guards before tracked claims


def _numbers(delta: Delta, moved: list[MovedClaim]) -> str:
    """Return one sentence about all tracked numbers that the change moves."""
    releases = delta.releases[1]
    keys = {movement.keys_text for movement in moved}
    named = []
    for movement in moved[:SHOWN]:
        # Another change may have moved it already; then the release has a third value.
        is_released = releases and movement.before.holds
        when = f"in {releases[-1].id}" if is_released else "before"
        text = f"{movement.claim.id} {movement.values_text(when)}"
        # A share has no keys: it moves with its whole as well.
        if len(keys) > 1 and movement.keys_text:
            text += f" ({movement.keys_text})"
        named.append(text)
    if len(moved) > SHOWN:
        named.append(f"{len(moved) - SHOWN} more")
    by = f", by {min(keys)}" if len(keys) == 1 and any(keys) else ""
    verb = "moves" if len(moved) == 1 else "move"
    return f"{plural(len(moved), 'tracked number')} {verb}{by}: {'; '.join(named)}."


def tracked(delta: Delta) -> Iterator[Note]:
    """Yield each new or edited tracked claim that neither holds nor is what a release states."""
    if not delta.is_countable or DOCUMENT not in delta.documents:
        return
    after = delta.after.corpus
    before = with_new_names(delta.old, delta.new, delta.rows.renamed)
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


def claim_changes(delta: Delta) -> Iterator[tuple[dict[str, Any], MovedClaim | None]]:
    """Yield the row of each claim that the two states judge otherwise, with the weightiest kind.

    With it is by which rows a tracked claim has moved, or is back at what it states.
    """
    carried, after = delta.carried, delta.without_new_waivers
    old = decided(carried, read_claims(carried)[0].claims)
    new = decided(after, read_claims(after)[0].claims)
    for name in dict.fromkeys([*new, *old]):
        was, now = old.get(name), new.get(name)
        margins = (margin(was, carried) if was else None, margin(now, after) if now else None)
        kind = _kind(was, now, margins)
        if kind:
            moved = None
            if was is not None and now is not None and "moved" in (was.verdict, now.verdict):
                moved = moved_claim(was, now, carried, after)
            yield _record(kind, was, now, margins), moved


def _record(
    kind: str, was: ClaimOutcome | None, now: ClaimOutcome | None, margins: Margins
) -> dict[str, Any]:
    one = now or was
    assert one is not None, "a claim of one of the states"
    known = now is not None and now.verdict == "acknowledged"
    return {
        "id": one.claim.id,
        "kind": kind,
        "change": f"{kind} (acknowledged)" if known else kind,
        "observed": _observed(was, now) if was and now else one.observed,
        "statement": one.claim.statement,
        "tracked": one.claim.tracked,
        "before": was and was.observed,
        "after": now and now.observed,
        "expected": now and now.expected,
        "acknowledged": known,
        "margin_before": margins[0],
        "margin_after": margins[1],
    }


def _observed(before: ClaimOutcome, after: ClaimOutcome) -> str:
    """Return the keys that came and went, the counts that differ, or both values."""
    kind = after.claim.expectation.kind
    if before.claim.expectation.kind != kind:
        return f"{before.observed} -> {after.observed}"
    if kind in ABOUT_KEYS:
        moved = [f"+{key}" for key in after.keys if key not in before.keys]
        moved += [f"-{key}" for key in before.keys if key not in after.keys]
        observed = after.observed
        # A claim that has the old form of a renamed key fails although no row came or went.
        if not after.holds and kind in ("keys", "includes"):
            observed += f"; expected {after.expected}"
        return ", ".join(moved) or observed
    old, new = differing_counts(before.counts, after.counts)
    if old:
        return ", ".join(f"{'/'.join(cell)} {old[cell]} -> {new[cell]}" for cell in old)
    return " -> ".join(dict.fromkeys((before.observed, after.observed)))


def _kind(old: ClaimOutcome | None, new: ClaimOutcome | None, margins: Margins) -> str:
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
