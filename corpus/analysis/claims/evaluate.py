"""Check the claims of a corpus against its tables: whether each holds, and what was observed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, product, starmap
from math import nan
from operator import eq, ge, le
from typing import Any

from corpus.analysis.claims.acknowledgements import accepted_difference, accepted_rows
from corpus.analysis.claims.claim import (
    DECLARED_KINDS,
    Claim,
    ClaimDifference,
    ClaimSet,
    Expectation,
    Selection,
    selected,
)
from corpus.analysis.claims.named import unknown_claims
from corpus.analysis.claims.parser import claim_lines, parse_claims
from corpus.analysis.claims.shares import bases, rounded_share, stated_shares
from corpus.analysis.claims.stated import Comparison, compare_statement
from corpus.model.codebook import Codebook, Group
from corpus.model.contingency import counts_by_values
from corpus.model.finding import WARNING, CorpusError, Finding, Rule
from corpus.model.study import Source, Study
from corpus.model.table import LocatedRow, Row, row_picker
from corpus.printing.grid import first_of, plural
from corpus.printing.numerals import decimals, numeral

CLAIM_FAILS = Rule(
    "C601",
    "{id}: expected {expected}, observed {observed}{difference}",
    "undo the change, correct the claim and its text, or: corpus claims --acknowledge REASON",
    title="Claim does not hold",
    reason="A claim is a sentence that the survey prints.",
)
WRONG_SENTENCE = Rule(
    "C470",
    "{id}: the sentence has {stated}, the claim expects {expected}",
    "correct the sentence, or what the claim expects",
    title="Sentence of a claim states another number",
    reason="A tracked sentence may have the number of its release or of today.",
)
STALE_ACKNOWLEDGEMENT = Rule(
    "C603",
    "{id}: {sign} {key} is accepted, but the claim does not differ by it",
    "remove such rows: corpus claims --acknowledge REASON",
    WARNING,
    title="Acknowledgement no longer needed",
    reason="It would hide the same failure later.",
)
NAMED_ROWS = Rule(
    "C607",
    "{id}: it selects rows by their keys, and expects that there are such rows",
    "select by the column that the sentence is about, or expect its value",
    WARNING,
    title="Claim that its own filter makes true",
    reason="Rows that are named are found with any cells in them, so nothing is tested.",
)


#: Name under which the codebook's [documents] declares the claims file.
DOCUMENT = "claims"
#: So many keys are listed; of more, their number is printed.
LISTED = 40
#: Expectations about which rows match, and about how many there are of each term.
ABOUT_KEYS = ("keys", "includes", "empty", "same_keys_as")
ABOUT_COUNTS = ("counts", "descending")
#: How the value of an expectation is printed, where not as it is.
_EXPECTED = {
    "share": "{} %",
    "includes": "at least {}",
    "at_least": "at least {}",
    "at_most": "at most {}",
    "empty": "none",
    "same_keys_as": "the same keys as {}",
}


@dataclass(frozen=True)
class ClaimOutcome:
    """What came of one claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    number : int or float
        The observed number: rows that match (summed over the selections), distinct values, columns,
        or the ratio.
    keys : tuple of str
        The rows that match, by their key, sorted; empty where the claim is not about rows.
    counts : mapping of tuple of str to int
        Observed counts by terms (`counts`) or by selection (`descending`); a declared term without
        rows has 0.
    wholes : sequence of int
        What the rows that match may be a share of, where the sentence states a share.
    """

    claim: Claim
    number: int | float
    keys: tuple[str, ...] = ()
    counts: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    wholes: Sequence[int] = ()

    @property
    def kind(self) -> str:
        """What the claim expects; see :data:`corpus.analysis.claims.claim.EXPECTATIONS`."""
        return self.claim.expectation.kind

    @property
    def holds(self) -> bool:
        """Whether what was observed is what the claim expects."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """``holds``, ``moved`` (tracked), ``fails`` or ``acknowledged`` (fails as recorded).

        A tracked claim that has another value than its release has moved. A guard fails, and is
        acknowledged where it differs only in ways that a maintainer accepts.
        """
        if self.holds:
            return "holds"
        if self.claim.tracked:
            return "moved"
        if self.claim.accepted and set(self.differences) <= set(self.claim.accepted):
            return "acknowledged"
        return "fails"

    @property
    def differences(self) -> tuple[ClaimDifference, ...]:
        """How the tables differ from what the claim expects, by key where it is about keys.

        The differences of two changes are those of both together, so that each can be accepted on
        its own line of a file. Only a number that is another one depends on both.
        """
        expected = self.claim.expectation
        compare = {"at_least": ge, "at_most": le}.get(self.kind, eq)
        found = []
        if self.kind in ABOUT_KEYS:
            wanted = set(expected.keys)
            found = [("missing", key) for key in sorted(wanted.difference(self.keys))]
            # Of a list of keys that must be included, others are none too many.
            if self.kind != "includes":
                found = [("extra", key) for key in self.keys if key not in wanted] + found
        elif self.kind == "counts":
            counts, _ = differing_counts(self.counts, expected.value)
            found = [("other", counts_text({cell: number})) for cell, number in counts.items()]
        elif self.kind == "descending":
            # Neighbours are enough: the order of all follows from them.
            for (first, more), (second, less) in pairwise(self.counts.items()):
                if more - less < expected.least_step:
                    found.append(("missing", f"{first[0]} {expected.relation} {second[0]}"))
        elif not compare(self.number, expected.value):
            found = [("other", self.observed)]
        return tuple(starmap(ClaimDifference, found))

    @property
    def stated(self) -> Comparison:
        """The numbers of the sentence beside those that the claim expects.

        The sentence of a tracked number that has moved may have the new one already.
        """
        # The wholes are those of today. A tracked sentence may have those of its release.
        wholes = self.wholes if self.holds and not self.claim.tracked else ()
        found = compare_statement(self.claim, None, self.number, wholes)
        if found.wrong and self.verdict == "moved":
            now = compare_statement(self.claim, observed_value(self), self.number, wholes)
            if not now.wrong:
                return now
        return found

    @property
    def difference_text(self) -> str:
        """Which keys are extra and which are missing; empty where the claim is not about keys."""
        parts = []
        for sign in ("extra", "missing"):
            keys = [found.key for found in self.differences if found.sign == sign]
            if keys:
                parts.append(f"{sign}: {_key_list(keys)}")
        return "; ".join(parts)

    @property
    def observed(self) -> str:
        """The observed value as text; for counts by term, the cells not as expected (or all)."""
        if self.kind in ABOUT_KEYS:
            nothing = "the same keys" if self.kind == "same_keys_as" else "none"
            return _key_list(self.keys) or nothing
        if self.kind == "counts":
            filled = {cell: number for cell, number in self.counts.items() if number}
            counts, _ = differing_counts(self.counts, self.claim.expectation.value)
            return counts_text(counts or filled)
        if self.kind == "descending":
            return counts_text(self.counts)
        return numeral(self.number) + " %" * (self.kind == "share")

    @property
    def expected(self) -> str:
        """What the claim expects, as text; see `observed`."""
        value = self.claim.expectation.value
        if self.kind in ("keys", "includes"):
            value = ", ".join(value) or "none"
        elif self.kind == "counts":
            _, expected = differing_counts(self.counts, value)
            value = counts_text(expected or value)
        elif self.kind == "descending":
            value = f" {self.claim.expectation.relation} ".join(value)
        return _EXPECTED.get(self.kind, "{}").format(value)


#: Numbers of rows by the terms that are counted.
Counts = Mapping[tuple[str, ...], int]


def differing_counts(one: Counts, other: Counts) -> tuple[Counts, Counts]:
    """Return the counts of the cells that two mappings count otherwise; a missing cell has 0.

    A value that a claim names need not occur, and a column of text declares none.
    """
    of_one, of_other = {}, {}
    for cell in {**one, **other}:
        counts = (one.get(cell, 0), other.get(cell, 0))
        if counts[0] != counts[1]:
            of_one[cell], of_other[cell] = counts
    return of_one, of_other


def observed_value(outcome: ClaimOutcome) -> Any:
    """Return what was observed, in the form of what the claim expects."""
    if outcome.kind == "counts":
        return outcome.counts
    if outcome.kind in ("keys", "includes"):
        return outcome.keys
    return outcome.number


def _key_list(keys: Sequence[str]) -> str:
    """List keys; of very many the first ones and their number."""
    return first_of(keys, LISTED)


def counts_text(counts: Counts) -> str:
    """Write counts by terms in a line.

    Examples
    --------
    >>> counts_text({("clay", "wet"): 3, ("sand", "dry"): 1})
    'clay/wet 3, sand/dry 1'
    """
    return ", ".join(f"{'/'.join(cell)} {number}" for cell, number in counts.items())


def read_claims(study: Study) -> tuple[ClaimSet, list[Finding]]:
    """Return the declared claims (none without a claims file) and the mistakes in them (C602).

    They are read once per study.
    """
    if "claims" not in study.derived:
        source, document = _source(study), study.documents.get(DOCUMENT, {"format": 1})
        claim_set, findings = parse_claims(document, study.codebook, source.file, source.text)
        # Each claim with what is accepted of it.
        accepted: dict[str, list[LocatedRow]] = defaultdict(list)
        for row in accepted_rows(study):
            accepted[row.by_role["claim"]].append(row)
        claims = []
        for claim in claim_set.claims:
            differences = tuple(map(accepted_difference, accepted[claim.id]))
            reasons = dict.fromkeys(row.by_role["reason"] for row in accepted[claim.id])
            claims.append(replace(claim, accepted=differences, reason="; ".join(reasons)))
        study.derived["claims"] = (replace(claim_set, claims=tuple(claims)), findings)
    claim_set, findings = study.derived["claims"]
    return claim_set, list(findings)


def load_claims(study: Study) -> ClaimSet:
    """Return the claims that a corpus declares.

    Raises
    ------
    CorpusError
        With every mistake in the claims file (C602).
    """
    claim_set, findings = read_claims(study)
    if findings:
        raise CorpusError(findings)
    return claim_set


def all_outcomes(study: Study, claims: Sequence[Claim] | None = None) -> list[ClaimOutcome]:
    """Evaluate claims (all of the corpus by default, once per study), in declared order.

    Raises
    ------
    CorpusError
        Where the claims are read from the corpus and one of them has a mistake.
    """
    if claims is None:
        claims = load_claims(study).claims
    # By identity, since a claim cannot be hashed; its outcome keeps it alive.
    known: dict[int, ClaimOutcome] = study.derived.setdefault("outcomes", {})
    for claim in claims:
        if id(claim) not in known:
            known[id(claim)] = evaluate(claim, study)
    return [known[id(claim)] for claim in claims]


def holding_claims(study: Study) -> dict[str, bool]:
    """Return for each claim of the corpus, by its name, whether it holds."""
    return {outcome.claim.id: outcome.holds for outcome in all_outcomes(study)}


def claim_findings(study: Study) -> list[Finding]:
    """Return what `corpus check` reports about claims: mistakes, failures, stale acknowledgements.

    Unknown claims that rows of other tables name are among them. A claim whose table could not be
    read is left out; the reader has reported why.
    """
    claim_set, findings = read_claims(study)
    if not findings:
        # A claim with a mistake is left out of the set and would seem not to exist.
        findings += unknown_claims(study, claim_set)
    source = _source(study)
    lines = claim_lines(source.text)
    outcomes = decided(study, claim_set.claims)
    for name, outcome in outcomes.items():
        place = (source.file, lines.get(name, 0))
        if outcome.verdict == "fails":
            difference = outcome.difference_text
            if difference:
                difference = f"; {difference}"
            found = CLAIM_FAILS.at(
                *place,
                "id",
                name,
                id=name,
                expected=outcome.expected,
                observed=outcome.observed,
                difference=difference,
            )
            findings.append(found)
        # A tracked claim is a number of a release, whatever it argues.
        if not outcome.claim.tracked and outcome.claim.names_its_rows(study.codebook.tables):
            findings.append(NAMED_ROWS.at(*place, "where", name, id=name))
        if outcome.stated.wrong:
            stated = ", ".join(outcome.stated.wrong)
            # All of the counts that it expects, not only those that differ.
            expected = replace(outcome, counts={}).expected
            if outcome.kind in ("keys", "includes"):
                expected = plural(len(outcome.claim.expectation.keys), "key")
            sentence = (*place, "statement", name)
            found = WRONG_SENTENCE.at(*sentence, id=name, stated=stated, expected=expected)
            findings.append(found)
    # Accepted differences that are none, or whose claim is gone.
    for row in accepted_rows(study):
        claim, accepted = row.by_role["claim"], accepted_difference(row)
        if claim not in outcomes or accepted not in outcomes[claim].differences:
            stale = (row.table.file, row.line, "key", accepted.key)
            findings.append(STALE_ACKNOWLEDGEMENT.at(*stale, id=claim, **accepted._asdict()))
    return findings


def decided(study: Study, claims: Iterable[Claim]) -> dict[str, ClaimOutcome]:
    """Evaluate the claims whose tables could be read, by their name."""
    tables = study.tables.keys()
    wanted = [claim for claim in claims if needed_tables(claim, study.codebook) <= tables]
    return {outcome.claim.id: outcome for outcome in all_outcomes(study, wanted)}


def needed_tables(claim: Claim, book: Codebook) -> set[str]:
    """Return the names of the tables that a claim looks at."""
    names = set()
    for part in claim.selections:
        names.add(part.table)
        if part.agrees:
            names.add(book.pool.name)
    if claim.expectation.kind == "same_keys_as":
        names.add(claim.expectation.value)
    return names


def evaluate(claim: Claim, study: Study) -> ClaimOutcome:
    """Check one claim against the corpus."""
    expected, book = claim.expectation, study.codebook
    kind = expected.kind
    spec = book.tables[claim.selections[0].table]
    # As the codebook declares them, whatever rows there are.
    if kind == "columns":
        return ClaimOutcome(claim, len(spec.columns))
    if kind in DECLARED_KINDS:
        vocabulary = book.vocabulary_of(spec.column(expected.by[0]))
        # That an axis does not apply is not one of the values that it may have.
        counted = {"groups": vocabulary.groups, "terms": vocabulary.applicable}[kind]
        return ClaimOutcome(claim, len(counted))
    parts = [(part, selected(part, study)) for part in claim.selections]
    number = sum(len(rows) for _, rows in parts)
    if kind == "descending":
        numbers: dict[tuple[str, ...], int] = {(part.label,): len(rows) for part, rows in parts}
        return ClaimOutcome(claim, len(parts), counts=numbers)
    if kind == "counts":
        # Declared terms first, in declared order, empty ones as 0.
        columns = list(map(spec.column, expected.by))
        cells = Counter(map(row_picker(spec.positions(expected.by)), parts[0][1]))
        counts = counts_by_values(cells, columns, product(*map(book.terms_of, columns)))
        return ClaimOutcome(claim, number, counts=counts)
    if kind == "share":
        whole = len(parts[1][1]) if parts[1:] else len(study.tables[spec.name].rows)
        share = rounded_share(len(parts[0][1]), whole, expected.value)
        return ClaimOutcome(claim, share)
    if kind == "ratio":
        sums = []
        ratio = nan
        # NaN where a cell is not a number, or the second sum is 0.
        with suppress(ValueError, ZeroDivisionError):
            for part, rows in parts:
                # The two tables may have the column in different places.
                position = book.tables[part.table].position(expected.value_of)
                sums.append(sum(float(row[position]) for row in rows))
            # A claim of 2.5 states one digit, and 2.46 is as good.
            ratio = round(sums[0] / sums[1], decimals(expected.value))
        return ClaimOutcome(claim, ratio)
    names: set[str] = set()
    for part, rows in parts:
        names.update(chain.from_iterable(names_counted(expected, part, rows, study)))
    if kind == "distinct":
        return ClaimOutcome(claim, len(names))
    if kind == "same_keys_as":
        names.symmetric_difference_update(study.tables[expected.value].names())
        number = len(names)
    wholes = bases(claim, study) if any(stated_shares(claim.statement)) else ()
    return ClaimOutcome(claim, number, tuple(sorted(names)), wholes=wholes)


def names_counted(
    expected: Expectation, part: Selection, rows: Sequence[Row], study: Study
) -> Iterator[Sequence[str]]:
    """Yield what a claim counts of each row: its name; of a claim about different values these.

    Where it counts groups, a term that belongs to none does not count.
    """
    spec = study.codebook.tables[part.table]
    if expected.kind != "distinct":
        yield from zip(spec.names_of(rows))
        return
    # The parser makes sure of one selection and one column.
    column, position = spec.column(expected.by[0]), spec.position(expected.by[0])
    declared: tuple[Group, ...] = ()
    if expected.groups and column.type == "term":
        declared = study.codebook.vocabulary_of(column).groups
    for row in rows:
        values = column.values(row[position])
        if expected.groups:
            yield [group.id for group in declared if not set(values).isdisjoint(group.terms)]
        else:
            yield values


def _source(study: Study) -> Source:
    return study.sources.get(DOCUMENT, Source("claims.toml"))
