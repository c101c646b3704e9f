"""What became of the claims since a release: which numbers moved, and by which entries."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from corpus.analysis.claims.claim import Claim, selected
from corpus.analysis.claims.evaluate import (
    ABOUT_COUNTS,
    ABOUT_KEYS,
    DOCUMENT,
    ClaimOutcome,
    all_outcomes,
    counts_text,
    decided,
    differing_counts,
    read_claims,
)
from corpus.analysis.claims.parser import parse_claims
from corpus.analysis.claims.releases import Release
from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import row_picker
from corpus.printing.grid import first_of, plural
from corpus.printing.numerals import numeral

#: So many keys are listed in a sentence; JSON has all of them.
_LISTED = 12


def signed_keys(added: Sequence[str], removed: Sequence[str], changed: Sequence[str] = ()) -> str:
    """Return the first keys with a character that tells what became of each.

    Examples
    --------
    >>> signed_keys(["fen"], ["bog"], ["mire"])
    '+fen, -bog, ~mire'
    """
    signed = [*map("+{}".format, added), *map("-{}".format, removed), *map("~{}".format, changed)]
    return first_of(signed, _LISTED)


@dataclass(frozen=True)
class MovedClaim:
    """A claim whose value is another one than at a release.

    Attributes
    ----------
    before, after : ClaimOutcome
        The claim, as it is written today, on the release and on the tables of today.
    added, removed : tuple of str
        Keys of the rows that it counts now and did not count then, and the other way round.
    changed : tuple of str
        Keys of the rows that it counts elsewhere now, such as under another term.
    """

    before: ClaimOutcome
    after: ClaimOutcome
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def claim(self) -> Claim:
        """The claim."""
        return self.after.claim

    @property
    def keys_text(self) -> str:
        """The first keys by which the value differs, such as ``+fen-2026, -bog, ~mire``."""
        return signed_keys(self.added, self.removed, self.changed)

    def values_text(self, when: str) -> str:
        """Return the two values, such as ``84 in v1, now 85``; of counts only those that differ."""
        before, after = (
            numeral(outcome.number) + " %" * (outcome.kind == "share")
            for outcome in (self.before, self.after)
        )
        if self.after.kind in ABOUT_COUNTS:
            counts = differing_counts(self.before.counts, self.after.counts)
            before, after = map(counts_text, counts)
        return f"{before} {when}, now {after}"


def movements(
    now: Study, then: Study, claims: Sequence[Claim]
) -> tuple[list[MovedClaim], list[str]]:
    """Return which claims of today have another value than in an older state, and by which rows.

    With them the names of the claims that the older state cannot be asked about.
    """
    # Today's claims are read with the older codebook: one that names a table, column or term which
    # did not exist then is a mistake there, and has no value to compare with.
    parsed, _ = parse_claims(now.documents.get(DOCUMENT, {}), then.codebook)
    olds = decided(then, parsed.claims)
    moved, missing = [], []
    for new in all_outcomes(now, claims):
        old = olds.get(new.claim.id)
        if old is None:
            missing.append(new.claim.id)
        elif _value(old) != _value(new):
            moved.append(moved_claim(old, new, then, now))
    return moved, missing


def _value(outcome: ClaimOutcome) -> object:
    """Return what a claim states: keys, counts or a number."""
    if outcome.kind in ABOUT_KEYS:
        return outcome.keys
    if outcome.kind in ABOUT_COUNTS:
        # A term that was declared later has no count in the release, which is none: a counter
        # ignores what is 0.
        return Counter(outcome.counts)
    # As text: a ratio that cannot be computed is NaN, which is not equal to itself.
    return numeral(outcome.number)


def moved_claim(old: ClaimOutcome, new: ClaimOutcome, then: Study, now: Study) -> MovedClaim:
    """Return by which rows a claim has another value in one state than in another."""
    before, after = members(old, then), members(new, now)
    added = after.keys() - before.keys()
    removed = before.keys() - after.keys()
    changed = [key for key in before.keys() & after.keys() if before[key] != after[key]]
    return MovedClaim(
        old, new, tuple(sorted(added)), tuple(sorted(removed)), tuple(sorted(changed))
    )


def members(outcome: ClaimOutcome, study: Study) -> dict[str, set[tuple[str, ...]]]:
    """Return the rows that a claim counts by their name, each with where it is counted.

    A place is the label of the selection and the values in the columns that the claim counts by.
    """
    if outcome.kind == "same_keys_as":
        # Its keys are those that only one of two tables has; they are not counted anywhere.
        return {key: set() for key in outcome.keys}
    found: dict[str, set[tuple[str, ...]]] = {}
    expected = outcome.claim.expectation
    names = [*expected.by, *filter(None, [expected.value_of])]
    for part in outcome.claim.selections:
        spec = study.codebook.tables[part.table]
        columns, cells_of = list(map(spec.column, names)), row_picker(spec.positions(names))
        rows = selected(part, study)
        for name, cells in zip(spec.names_of(rows), map(cells_of, rows), strict=True):
            values = map(Column.values, columns, cells)
            found.setdefault(name, set()).update(product([part.label], *values))
    return found


def movements_text(now: Study, then: Study, release: Release, claims: Sequence[Claim]) -> str:
    """Write which claims moved since a release, each with its sentence that is to be revised."""
    moved, missing = movements(now, then, claims)
    compared = plural(len(claims) - len(missing), "claim")
    text = f"{len(moved)} of {compared} moved since {release.id} ({release.text}, {release.date})."
    if missing:
        text += f" Not in {release.id}: {', '.join(missing)}."
    lines = [text]
    # As the text of the release states them.
    sentences = {claim.id: claim.statement for claim in read_claims(then)[0].claims}
    for item in moved:
        claim = item.claim
        values = item.values_text(f"in {release.id}")
        by = f": {item.keys_text}" * bool(item.keys_text)
        lines.append(f"\n{claim.id}: {item.after.verdict}, {values}{by}")
        lines.append(f"  {sentences.get(claim.id, claim.statement)}")
        lines.append(f"  made in: {', '.join(claim.made_in) or 'no place is named'}")
    return "\n".join(lines) + "\n"
