"""The claims that a change breaks or moves, and the tracked numbers that it states."""

from collections.abc import Iterator
from dataclasses import replace

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import (
    ABOUT_KEYS,
    DOCUMENT,
    ClaimOutcome,
    counts_text,
    decided,
    differing_counts,
    read_claims,
)
from corpus.analysis.claims.parser import claim_lines
from corpus.analysis.claims.releases import opened_release
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.note import Note
from corpus.curation.changes.sentence import arrow, shown
from corpus.curation.changes.terms import with_new_names
from corpus.model.finding import CorpusError, Rule
from corpus.printing.grid import first_of

#: The kinds of changes of claims, the most urgent first. `fails` means that the claim failed before
#: and yields something else now, `moves` that the observed value differs, `recovers` that the
#: claim holds again.
CLAIM_KINDS = ("breaks", "fails", "gone", "moves", "recovers", "reworded", "new")
#: So many keys by which a claim moves are listed in a sentence.
_LISTED = 12
UNPROVED = Rule(
    "C434",
    "the tracked claim {value} states {expected}, the tables give {observed}, and the latest "
    "release that has it states something else",
    "correct the number, or keep that of the latest release",
    title="New number that nothing proves",
    reason="`corpus diff` reports it. A tracked claim may differ from the tables of today because "
    "they have grown since the release that it is from; a new or edited one has no such release.",
)


def claims(delta: Delta) -> Iterator[Note]:
    """Yield the claims that the two states judge otherwise, guards before numbers of a release."""
    if not delta.is_countable:
        return
    carried, after = delta.carried, delta.without_new_waivers
    old = decided(carried, read_claims(carried)[0].claims)
    new = decided(after, read_claims(after)[0].claims)
    notes = []
    for name in dict.fromkeys([*new, *old]):
        was, now = old.get(name), new.get(name)
        kind, claim = _kind(was, now), (new.get(name) or old[name]).claim
        if not kind:
            continue
        is_known = now is not None and now.verdict == "acknowledged"
        record = {
            "id": name,
            "kind": kind,
            "statement": claim.statement,
            "tracked": claim.tracked,
            "before": was and was.observed,
            "after": now and now.observed,
            "expected": now and now.expected,
            "acknowledged": is_known,
        }
        text = f"claim {name} {kind}" + " (acknowledged)" * is_known
        if was and now and kind not in ("reworded", "new"):
            # Another change may have moved a number already; then the release has another value.
            if claim.tracked and was.holds and delta.releases[1]:
                text += f" since {delta.releases[1][-1].id}"
            keys = [f"+{key}" for key in now.keys if key not in was.keys]
            keys += [f"-{key}" for key in was.keys if key not in now.keys]
            values = was.observed, now.observed
            if was.counts and now.counts:
                counts = differing_counts(was.counts, now.counts)
                values = counts_text(counts[0]), counts_text(counts[1])
            text += f": {arrow(*values)}" if not keys or now.kind not in ABOUT_KEYS else ""
            text += f" ({first_of(keys, _LISTED)})" if keys else ""
        if not claim.tracked:
            text += f"; expected {shown(now.expected)}" if now and not now.holds else ""
            text += f": “{shown(claim.statement)}”"
        # A tracked claim states numbers of a release: only that it moves is news.
        urgent = ("moves",) if claim.tracked else ("breaks", "fails", "gone", "recovers")
        group = "tracked" if claim.tracked else "guards"
        notes.append(Note("claims", text, record, group, is_detail=kind not in urgent))
    yield from sorted(
        notes, key=lambda note: (CLAIM_KINDS.index(note.record["kind"]), note.record["tracked"])
    )


def tracked(delta: Delta) -> Iterator[Note]:
    """Yield each new or edited tracked claim that neither holds nor is what a release states."""
    if not delta.is_countable or DOCUMENT not in delta.documents:
        return
    after = delta.after.corpus
    before = with_new_names(delta.old, delta.rows.renamed)
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
    """Return a claim without what is accepted of it, and without how its columns are defined."""
    if claim is None:
        return None
    parts: list[object] = [replace(claim, accepted=(), reason="", selections=())]
    for selection in claim.selections:
        parts.append(replace(selection, filters=()))
        for filter_ in selection.filters:
            parts.append((filter_.column.name, *filter_[1:]))
    return parts


def _kind(old: ClaimOutcome | None, new: ClaimOutcome | None) -> str:
    """Return the weightiest kind of change; nothing where the claim is judged the same."""
    if new is None:
        return "gone"
    if old is None:
        return "breaks" if new.verdict == "fails" else "new"
    # Of many keys, what is observed lists the first ones alone.
    is_same = (old.observed, old.number, old.differences) == (
        new.observed,
        new.number,
        new.differences,
    )
    if new.verdict == "moved":
        # A tracked claim that growth moves is not a damage, whatever it was before.
        return "" if is_same else "moves"
    if new.holds != old.holds:
        return "recovers" if new.holds else "breaks"
    if new.verdict == "fails" and (old.verdict == "acknowledged" or not is_same):
        return "fails"
    if _stated(old.claim) != _stated(new.claim):
        return "reworded"
    return "" if is_same else "moves"
