"""Hold the claims of a corpus against its tables: whether each holds, and what was observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise, product
from operator import itemgetter
from typing import NamedTuple

from corpus.analysis.claims.claim import Claim, ClaimBook
from corpus.analysis.claims.claim_rules import CLAIM_FAILS, STALE_ACKNOWLEDGEMENT
from corpus.analysis.claims.named import unknown_claims
from corpus.analysis.claims.parser import claim_line, parse_claims
from corpus.analysis.claims.selections import RowIndex
from corpus.model.codebook import TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Source, Study
from corpus.model.table import Row

#: Name under which the codebook's [documents] declares the claims file.
DOCUMENT = "claims"
#: So many keys are listed in full.
LISTED = 40


class ClaimOutcome(NamedTuple):
    """What came of one claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    holds : bool
        Whether the observed value is the expected one.
    number : int or float
        The observed number: rows that match (summed over the selections), distinct values, columns, or the ratio.
    keys : tuple of str
        The rows that match, by their key, sorted; empty where the claim is not about rows.
    counts : mapping of tuple of str to int
        Observed counts by terms (`counts`) or by selection (`descending`); a declared term without rows has 0.
    """

    claim: Claim
    holds: bool
    number: int | float
    keys: tuple[str, ...] = ()
    counts: Mapping[tuple[str, ...], int] = {}

    @property
    def acknowledged(self) -> bool:
        """Whether the claim fails just as its acknowledgement says."""
        known = self.claim.acknowledged
        return not self.holds and known is not None and known.observed == self.observed

    @property
    def observed(self) -> str:
        """The observed value as text; for counts by term, the cells that are not as expected (or all)."""
        kind, expected = self.claim.expectation.kind, self.claim.expectation.value
        if kind in ("keys", "includes", "same_keys_as", "empty"):
            return _named(self.keys) or ("the same keys" if kind == "same_keys_as" else "none")
        if kind == "counts":
            wrong = {cell: n for cell, n in self.counts.items() if n != expected.get(cell, 0)}
            return counts_text(wrong or {cell: n for cell, n in self.counts.items() if n})
        if kind == "descending":
            return counts_text(self.counts)
        return f"{self.number:g}" if isinstance(self.number, float) else str(self.number)

    @property
    def expected(self) -> str:
        """What the claim expects, as text; see `observed`."""
        kind, value = self.claim.expectation.kind, self.claim.expectation.value
        if kind in ("keys", "includes"):
            return ("at least " if kind == "includes" else "") + (", ".join(value) or "none")
        if kind == "counts":
            wrong = [cell for cell, n in self.counts.items() if n != value.get(cell, 0)]
            return counts_text({cell: value.get(cell, 0) for cell in wrong} or value)
        if kind == "descending":
            return (" >= " if self.claim.expectation.or_equal else " > ").join(value)
        if kind == "same_keys_as":
            return f"the same keys as {value}"
        words = {"at_least": f"at least {value}", "at_most": f"at most {value}", "empty": "none"}
        return words.get(kind, str(value))


def _named(keys: tuple[str, ...]) -> str:
    """List keys; very many of them as their number and a checksum, by which an acknowledgement still knows them."""
    if len(keys) <= LISTED:
        return ", ".join(keys)
    return f"{len(keys)} keys, SHA-256 {sha256(', '.join(keys).encode()).hexdigest()[:12]}"


def counts_text(counts: Mapping[tuple[str, ...], int]) -> str:
    """Write counts by terms in a line.

    Examples
    --------
    >>> counts_text({("clay", "wet"): 3, ("sand", "dry"): 1})
    'clay/wet 3, sand/dry 1'
    """
    return ", ".join(f"{'/'.join(cell)} {number}" for cell, number in counts.items())


def read_claims(corpus: Study) -> tuple[ClaimBook, list[Finding]]:
    """Return the claims that the corpus declares (none where it has no claims file) and the mistakes in them (C602)."""
    if DOCUMENT not in corpus.documents:
        return ClaimBook(), []
    source = _source(corpus)
    return parse_claims(corpus.documents[DOCUMENT], corpus.codebook, source.file, source.text)


def load_claims(corpus: Study) -> ClaimBook:
    """Return the claims; CorpusError where one of them cannot be understood."""
    book, findings = read_claims(corpus)
    if findings:
        raise CorpusError(findings)
    return book


def all_outcomes(corpus: Study, claims: Sequence[Claim] | None = None) -> list[ClaimOutcome]:
    """Evaluate claims (all of the corpus by default), in declared order.

    Raises
    ------
    CorpusError
        Where the claims are read from the corpus and one of them cannot be understood.
    """
    wanted = load_claims(corpus).claims if claims is None else claims
    index = RowIndex(corpus)
    return [evaluate(claim, corpus, index) for claim in wanted]


def claim_findings(corpus: Study) -> list[Finding]:
    """Return what `corpus check` says about the claims: mistakes, failures, stale acknowledgements, unknown names.

    A claim whose table could not be read is left out; the reader's own findings say why. Names are looked up only
    where the claims file has no mistake: a claim with one is left out of the book and would seem not to exist.
    """
    book, findings = read_claims(corpus)
    if not findings:
        findings += unknown_claims(corpus, book)
    source, index = _source(corpus), RowIndex(corpus)
    for claim in book.claims:
        if not needed_tables(claim, corpus) <= corpus.tables.keys():
            continue
        outcome = evaluate(claim, corpus, index)
        line = claim_line(source.text, claim.id)
        if not outcome.holds and not outcome.acknowledged:
            findings.append(
                CLAIM_FAILS.at(
                    source.file, line, "id", claim.id, id=claim.id, expected=outcome.expected, observed=outcome.observed
                )
            )
        elif outcome.holds and claim.acknowledged is not None:
            findings.append(STALE_ACKNOWLEDGEMENT.at(source.file, line, "acknowledged", claim.id, id=claim.id))
    return findings


def needed_tables(claim: Claim, corpus: Study) -> set[str]:
    """Return the names of the tables that a claim looks at."""
    names = {part.table for part in claim.selections}
    if any(part.agrees_on or part.differs_on for part in claim.selections):
        names.add(corpus.codebook.pool.name)
    if claim.expectation.kind == "same_keys_as":
        names.add(claim.expectation.value)
    return names


def evaluate(claim: Claim, corpus: Study, index: RowIndex | None = None) -> ClaimOutcome:
    """Hold one claim against the corpus; several claims share an `index` of it."""
    expected = claim.expectation
    spec = corpus.codebook.tables[claim.selections[0].table]
    if expected.kind == "columns":
        return ClaimOutcome(claim, len(spec.columns) == expected.value, len(spec.columns))
    rows_of = index or RowIndex(corpus)
    parts = [rows_of.selected(part) for part in claim.selections]
    rows = parts[0]
    if expected.kind == "descending":
        return _ordering(claim, [len(part) for part in parts])
    if expected.kind == "counts":
        counts = _counted(rows, spec, expected.by, corpus)
        known = {cell: n for cell, n in expected.value.items() if n}
        return ClaimOutcome(claim, {cell: n for cell, n in counts.items() if n} == known, len(rows), counts=counts)
    if expected.kind == "distinct":
        number = len(distinct_values(rows, spec, expected.by[0], corpus, expected.groups))
        return ClaimOutcome(claim, number == expected.value, number)
    if expected.kind == "ratio":
        return _ratio(claim, parts, spec)
    if expected.kind == "same_keys_as":
        other = corpus.tables[expected.value]
        odd = set(spec.names_of(rows)) ^ set(other.spec.names_of(other.rows))
        return ClaimOutcome(claim, not odd, len(odd), tuple(sorted(odd)))
    return _membership(claim, parts, corpus)


def _membership(claim: Claim, parts: list[list[Row]], corpus: Study) -> ClaimOutcome:
    """Decide the claims about which rows, or how many, match."""
    kind, value = claim.expectation.kind, claim.expectation.value
    number = sum(map(len, parts))
    named: set[str] = set()
    for part, rows in zip(claim.selections, parts, strict=True):
        spec = corpus.codebook.tables[part.table]
        named.update(spec.names_of(rows))
    holds = {
        "count": number == value,
        "at_least": kind == "at_least" and number >= value,
        "at_most": kind == "at_most" and number <= value,
        "empty": number == 0,
        "keys": kind == "keys" and named == set(value),
        "includes": kind == "includes" and named >= set(value),
    }[kind]
    return ClaimOutcome(claim, holds, number, tuple(sorted(named)))


def _ordering(claim: Claim, numbers: list[int]) -> ClaimOutcome:
    labels = [(part.label,) for part in claim.selections]
    least = 0 if claim.expectation.or_equal else 1
    holds = all(first - second >= least for first, second in pairwise(numbers))
    return ClaimOutcome(claim, holds, len(numbers), counts=dict(zip(labels, numbers, strict=True)))


def _ratio(claim: Claim, parts: list[list[Row]], spec: TableSpec) -> ClaimOutcome:
    position = spec.position(claim.expectation.value_of)
    try:
        above, below = (sum(float(row[position]) for row in rows) for rows in parts)
        found = above / below
    except (ValueError, ZeroDivisionError):
        return ClaimOutcome(claim, False, float("nan"))
    digits = len(str(claim.expectation.value).partition(".")[2])
    return ClaimOutcome(claim, round(found, digits) == claim.expectation.value, round(found, digits))


def _counted(rows: Sequence[Row], spec: TableSpec, by: tuple[str, ...], corpus: Study) -> dict[tuple[str, ...], int]:
    """Count rows by terms: declared terms first, in declared order, empty ones as 0; then what else occurs."""
    columns = [spec.column(name) for name in by]
    declared = [corpus.codebook.vocabulary_of(c).ids if c.type == "term" else () for c in columns]
    counts = Counter(dict.fromkeys(product(*declared), 0))
    positions = [spec.position(name) for name in by]
    single = len(positions) == 1
    cells_of = (lambda row: (row[positions[0]],)) if single else itemgetter(*positions)
    for cells, number in Counter(map(cells_of, rows)).items():
        for terms in set(product(*(column.values(cell) for column, cell in zip(columns, cells, strict=True)))):
            counts[terms] += number
    return dict(counts)


def distinct_values(rows: Sequence[Row], spec: TableSpec, by: str, corpus: Study, groups: bool) -> dict[str, set[int]]:
    """Return the values that occur in a column (or the groups of its vocabulary), each with the positions of its rows.

    A term that belongs to no group counts for nothing where `groups` is asked for.
    """
    column, position = spec.column(by), spec.position(by)
    group_of: dict[str, list[str]] = {}
    if groups and column.type == "term":
        for group in corpus.codebook.vocabulary_of(column).groups:
            for term in group.terms:
                group_of.setdefault(term, []).append(group.id)
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for value in column.values(row[position]):
            for name in group_of.get(value, []) if groups else [value]:
                found.setdefault(name, set()).add(number)
    return found


def _source(corpus: Study) -> Source:
    return corpus.sources.get(DOCUMENT, Source("claims.toml"))
