"""How far readers agree: per field, per pair, on which entries; what their tags would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from corpus.analysis.agreement.coefficients import (
    Coefficient,
    Ratings,
    cohens_kappa,
    gwets_ac1,
    krippendorffs_alpha,
    raw_agreement,
)
from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.edits import Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, evaluate
from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Table

#: From this share of one category on, or this distance of kappa below AC1, prevalence makes kappa
#: misleading.
PREVALENT, PARADOX = 0.75, 0.15
#: What the tags of the pool are called among the readers.
POOL = "pool"


class PairAgreement(NamedTuple):
    """Two readers on one field: the units that both rated, how many agree, and Cohen's kappa."""

    readers: tuple[str, str]
    units: int
    agreed: int
    kappa: Coefficient


class FieldAgreement(NamedTuple):
    """All readers on one field.

    Attributes
    ----------
    field : str
        Column of the audit table.
    readers : tuple of str
        Who rated it, the pool first where it has the field.
    units, agreed : int
        Units with two ratings or more, and those in which all ratings are the same.
    raw, ac1, alpha : Coefficient
        Share of agreed units, Gwet's AC1, Krippendorff's alpha.
    pairs : tuple of PairAgreement
        Every two readers who share a unit.
    prevalent : (str, float)
        The most frequent category and its share of all ratings.
    warnings : tuple of str
        Why a figure misleads or is missing.
    """

    field: str
    readers: tuple[str, ...]
    units: int
    agreed: int
    raw: Coefficient
    ac1: Coefficient
    alpha: Coefficient
    pairs: tuple[PairAgreement, ...]
    prevalent: tuple[str, float]
    warnings: tuple[str, ...]


class Disagreement(NamedTuple):
    """One entry and field on which a reader differs from the pool.

    `moves` are the claims as they would come out with the reader's tag, where that changes their
    verdict.
    """

    key: str
    field: str
    reader: str
    pool: str
    tag: str
    note: str
    moves: tuple[ClaimOutcome, ...]


class Coverage(NamedTuple):
    """How many of a term's entries were read again; `lacking` are the others."""

    field: str
    term: str
    entries: int
    lacking: tuple[str, ...]


class AgreementReport(NamedTuple):
    """Everything about one audit table; `uncovered` are the entries that no reader read again."""

    table: str
    definition: str
    title: str
    readers: tuple[str, ...]
    covered: int
    uncovered: tuple[str, ...]
    fields: tuple[FieldAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    coverage: tuple[Coverage, ...]


def agreement_reports(study: Study, claims: Sequence[Claim] = ()) -> list[AgreementReport]:
    """Compare every table of the role ``audit`` with the pool and its readers with each other.

    The table's reference to the pool names the entry, its column of the role ``reader`` (or,
    without one, the table itself) the reader; its term columns are the fields. A field that the
    pool has under the same name and vocabulary counts the pool's tags as one more reader.
    """
    return [
        _report(table, study, claims)
        for table in study.by_role("audit")
        if _link(table, study) is not None
    ]


def _link(table: Table, study: Study) -> Column | None:
    return table.spec.reference_to(study.pool.spec)


def _report(table: Table, study: Study, claims: Sequence[Claim]) -> AgreementReport:
    pool = study.pool
    link = _link(table, study)
    assert link is not None
    keys = [pool.spec.name_of(row) for row in pool.rows]
    read = set(table.column(link.name))
    fields = [column for column in table.spec.columns if column.type == "term"]
    shared = [column for column in fields if in_pool(column, study)]
    return AgreementReport(
        table=table.spec.name,
        definition=table.spec.definition,
        title=table.spec.title,
        readers=tuple(sorted(set(_readers(table)))),
        covered=len(read.intersection(keys)),
        uncovered=tuple(key for key in keys if key not in read),
        fields=tuple(_field(column, table, study) for column in fields),
        disagreements=tuple(_disagreements(table, shared, study, claims)),
        coverage=tuple(item for column in shared for item in _coverage(column, read, study)),
    )


def in_pool(column: Column, study: Study) -> bool:
    """Return whether the pool has a column of the same name and vocabulary."""
    return any(
        c.name == column.name and c.vocabulary == column.vocabulary for c in study.pool.spec.columns
    )


def _readers(table: Table) -> list[str]:
    column = table.spec.by_role("reader")
    return table.column(column.name) if column else [table.spec.name] * len(table.rows)


def ratings_of(column: Column, table: Table, study: Study) -> Ratings:
    """Return the tag of each reader for each entry that was read; an empty cell is no rating."""
    link = _link(table, study)
    assert link is not None
    found: dict[str, dict[str, str]] = {}
    for key, reader, tag in zip(
        table.column(link.name), _readers(table), table.column(column.name), strict=True
    ):
        if tag:
            found.setdefault(key, {})[reader] = tag
    if in_pool(column, study):
        pool = study.pool
        tags = dict(
            zip(
                [pool.spec.name_of(row) for row in pool.rows], pool.column(column.name), strict=True
            )
        )
        for key, given in found.items():
            if tags.get(key):
                given[POOL] = tags[key]
    return found


def _field(column: Column, table: Table, study: Study) -> FieldAgreement:
    ratings = ratings_of(column, table, study)
    declared = study.codebook.vocabulary_of(column).ids
    used = {tag for given in ratings.values() for tag in given.values()}
    categories = (
        *declared,
        *sorted(used - set(declared)),
    )  # joined terms of a multi-valued cell are one category
    several = [tuple(given.values()) for given in ratings.values() if len(given) >= 2]
    agreed = sum(len(set(tags)) == 1 for tags in several)
    counts = Counter(tag for given in ratings.values() for tag in given.values())
    prevalent = max(counts.items(), key=lambda item: item[1], default=("", 0))
    readers = tuple(
        sorted(
            {reader for given in ratings.values() for reader in given}, key=lambda r: (r != POOL, r)
        )
    )
    found = FieldAgreement(
        field=column.name,
        readers=readers,
        units=len(several),
        agreed=agreed,
        raw=raw_agreement(agreed, len(several)),
        ac1=gwets_ac1(ratings, categories),
        alpha=krippendorffs_alpha(ratings, categories),
        pairs=tuple(_pairs(ratings, readers, categories)),
        prevalent=(prevalent[0], prevalent[1] / max(1, counts.total())),
        warnings=(),
    )
    return found._replace(warnings=tuple(_warnings(found)))


def _pairs(
    ratings: Ratings, readers: Sequence[str], categories: Sequence[str]
) -> Iterator[PairAgreement]:
    for first, second in combinations(readers, 2):
        both = [
            (given[first], given[second])
            for given in ratings.values()
            if first in given and second in given
        ]
        if both:
            agreed = sum(a == b for a, b in both)
            yield PairAgreement((first, second), len(both), agreed, cohens_kappa(both, categories))


def _warnings(found: FieldAgreement) -> Iterator[str]:
    """Yield why a figure misleads: one reader, no variation, high prevalence, no disagreement."""
    if not found.units:
        yield "only one reader: there is nothing to compare"
        return
    term, share = found.prevalent
    if share == 1:
        yield f"every rating is {term}: kappa and alpha are not defined"
    elif share >= PREVALENT or any(_paradox(pair, found.ac1) for pair in found.pairs):
        advice = "which pulls kappa and alpha down: read AC1 and the raw agreement"
        yield f"{term} is {share:.0%} of all ratings, {advice}"
    if found.agreed == found.units and share < 1:
        yield "no disagreement, so only the raw agreement has an interval that says something"


def _paradox(pair: PairAgreement, ac1: Coefficient) -> bool:
    return (
        pair.kappa.value is not None
        and ac1.value is not None
        and ac1.value - pair.kappa.value >= PARADOX
    )


def _disagreements(
    table: Table, shared: Sequence[Column], study: Study, claims: Sequence[Claim]
) -> Iterator[Disagreement]:
    """Yield each tag that differs from the pool's, with the claims whose verdict it changes."""
    pool = study.pool
    link = _link(table, study)
    assert link is not None
    note = table.spec.by_role("notes")
    rows = {pool.spec.name_of(row): row for row in pool.rows}
    before = {claim.id: evaluate(claim, study) for claim in claims}
    for record, reader in zip(table.records(), _readers(table), strict=True):
        row = rows.get(record[link.name])
        for column in shared if row is not None else ():
            assert row is not None
            tag, own = record[column.name], row[pool.spec.position(column.name)]
            if not tag or tag == own:
                continue
            edit = Edit(pool.spec.name, row, changed_row(pool, row, {column.name: tag}))
            after = [evaluate(claim, apply_edits(study, [edit])) for claim in claims]
            moves = tuple(
                outcome for outcome in after if outcome.holds != before[outcome.claim.id].holds
            )
            said = record[note.name] if note else ""
            yield Disagreement(record[link.name], column.name, reader, own, tag, said, moves)


def _coverage(column: Column, read: set[str], study: Study) -> Iterator[Coverage]:
    """Yield the terms of which some entries, but not all, were read again."""
    pool = study.pool
    by_term: Mapping[str, list[str]] = {
        term: [] for term in study.codebook.vocabulary_of(column).ids
    }
    for row in pool.rows:
        for term in column.values(row[pool.spec.position(column.name)]):
            by_term[term].append(pool.spec.name_of(row))
    for term, keys in by_term.items():
        lacking = tuple(key for key in keys if key not in read)
        if lacking and len(lacking) < len(keys):
            yield Coverage(column.name, term, len(keys), lacking)
