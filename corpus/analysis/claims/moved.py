"""What became of the claims since a release: which numbers moved, and by which entries."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, product

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
from corpus.printing.json_document import json_text
from corpus.printing.numerals import numeral

#: So many keys are listed in a sentence; JSON has all of them.
_LISTED = 12


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
    sentence : str
        How the text of the release states it, which is to be revised.
    """

    before: ClaimOutcome
    after: ClaimOutcome
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    sentence: str = ""

    @property
    def claim(self) -> Claim:
        """The claim."""
        return self.after.claim

    @property
    def result(self) -> str:
        """``holds`` (its sentence is still true), ``moved`` (tracked) or ``fails`` (a guard)."""
        if self.after.verdict == "acknowledged":
            return "fails"
        return self.after.verdict

    def text(self, release: str) -> str:
        """Return the two values and the keys, such as ``84 in v1, now 85: +fen-2026``."""
        text = self.values_text(f"in {release}")
        if self.keys_text:
            text += f": {self.keys_text}"
        return text

    def values_text(self, when: str) -> str:
        """Return the two values without the keys, such as ``84 in v1, now 85``.

        Of counts only those that differ.
        """
        before, after = self.before.figure, self.after.figure
        if self.after.kind in ABOUT_COUNTS:
            counts = differing_counts(self.before.counts, self.after.counts)
            before, after = map(counts_text, counts)
        return f"{before} {when}, now {after}"

    @property
    def keys_text(self) -> str:
        """The keys by which the value differs, such as ``+fen-2026, -bog``; the first ones."""
        return first_of(signed_keys(self.added, self.removed, self.changed), _LISTED)


def signed_keys(
    added: Iterable[str], removed: Iterable[str], changed: Iterable[str] = ()
) -> list[str]:
    """Return keys with a character that tells what became of each: ``+fen``, ``-bog``, ``~mire``.

    Examples
    --------
    >>> signed_keys(["fen"], ["bog"], ["mire"])
    ['+fen', '-bog', '~mire']
    """
    signed = []
    for sign, keys in (("+", added), ("-", removed), ("~", changed)):
        signed += [f"{sign}{key}" for key in keys]
    return signed


@dataclass(frozen=True)
class Movements:
    """The claims that moved since a release, and those that it cannot be asked about."""

    release: Release
    moved: tuple[MovedClaim, ...]
    compared: int
    not_comparable: tuple[str, ...] = ()


def movements(now: Study, then: Study, release: Release, claims: Sequence[Claim]) -> Movements:
    """Compare claims with a release.

    Parameters
    ----------
    now, then : Study
        The corpus of today and that of the release.
    release : Release
        The release that `then` was read from.
    claims : sequence of Claim
        Which claims of today to compare.
    """
    # Today's claims are read with the codebook of the release: one that names a table, column or
    # term which did not exist then is a mistake there, and has no value to compare with.
    document = now.documents.get(DOCUMENT, {})
    parsed, _ = parse_claims(document, then.codebook, "claims.toml")
    olds = decided(then, parsed.claims)
    comparable = [claim for claim in claims if claim.id in olds]
    sentences = {claim.id: claim.statement for claim in read_claims(then)[0].claims}
    moved = []
    for new in all_outcomes(now, comparable):
        old = olds[new.claim.id]
        if _value(old) != _value(new):
            sentence = sentences.get(new.claim.id, new.claim.statement)
            moved.append(replace(moved_claim(old, new, then, now), sentence=sentence))
    missing = tuple(claim.id for claim in claims if claim.id not in olds)
    return Movements(release, tuple(moved), len(comparable), missing)


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


def movements_summary(found: Movements) -> str:
    """Return in a sentence how much has moved, and where the text prints it."""
    release = found.release
    text = f"{len(found.moved)} of {plural(found.compared, 'claim')} moved since {release.id}"
    text += f" ({release.text}, {release.date})."
    places = dict.fromkeys(chain.from_iterable(item.claim.made_in for item in found.moved))
    if places:
        text += f" Places to revise: {', '.join(places)}."
    if found.not_comparable:
        text += f" Not in {release.id}: {', '.join(found.not_comparable)}."
    return text


def moved_lines(found: Movements) -> str:
    """Write a line for each claim that moved: its name, both values and the keys."""
    return "".join(f"{item.claim.id}: {item.text(found.release.id)}\n" for item in found.moved)


def movements_text(found: Movements) -> str:
    """Write each claim that moved as a block, with the sentence to be revised."""
    lines = [movements_summary(found)]
    for item in found.moved:
        lines.append(f"\n{item.claim.id}: {item.result}, {item.text(found.release.id)}")
        lines.append(f"  {item.sentence}")
        if item.claim.made_in:
            lines.append(f"  made in: {', '.join(item.claim.made_in)}")
    return "\n".join(lines) + "\n"


def movements_json(found: Movements) -> str:
    """Write the claims that moved as JSON."""
    moved = []
    for item in found.moved:
        claim = item.claim
        moved.append(
            {
                "id": claim.id,
                "statement": claim.statement,
                "sentence": item.sentence,
                "made_in": claim.made_in,
                "tracked": claim.tracked,
                "result": item.result,
                "before": item.before.observed,
                "after": item.after.observed,
                "added": item.added,
                "removed": item.removed,
                "changed": item.changed,
            }
        )
    document = {
        "release": asdict(found.release),
        "compared": found.compared,
        "not_comparable": found.not_comparable,
        "moved": moved,
    }
    return json_text(document)
