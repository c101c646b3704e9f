"""How far readers agree, per field and pair, and where they differ; in print."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
from corpus.model.codebook import Column, Texts
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid
from corpus.printing.json_document import as_plain, json_text

#: From this share of one category on, prevalence makes kappa misleading.
PREVALENT = 0.75
#: The reader under whom screening conflicts are resolved.
RESOLUTION = "resolved"
#: The name of the pool among the readers.
POOL = "pool"


class PairAgreement(NamedTuple):
    """Two readers on one field: the units that both rated, how many agree, and Cohen's kappa."""

    readers: tuple[str, str]
    units: int
    agreed: int
    kappa: Coefficient


@dataclass(frozen=True)
class FieldAgreement:
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
        The most frequent category and its share of all ratings, from 0 to 1.
    warnings : tuple of str
        Why a figure misleads or is missing.
    """

    field: str
    readers: Texts
    units: int
    agreed: int
    raw: Coefficient
    ac1: Coefficient
    alpha: Coefficient
    pairs: tuple[PairAgreement, ...]
    prevalent: tuple[str, float]
    warnings: Texts


@dataclass(frozen=True)
class Disagreement:
    """One entry and field on which a reader differs from the pool."""

    key: str
    field: str
    reader: str
    pool: str
    tag: str
    note: str


@dataclass(frozen=True)
class AgreementReport:
    """Everything about one audit table; `uncovered` are the entries that no reader read again."""

    table: str
    definition: str
    title: str
    readers: Texts
    covered: int
    uncovered: Texts
    fields: tuple[FieldAgreement, ...]
    disagreements: tuple[Disagreement, ...] = ()


def agreement_reports(study: Study) -> list[AgreementReport]:
    """Compare every table of the role ``audit`` with the pool and its readers with each other.

    Tables of the role ``screening`` are reported as well: how far readers agree about candidates.

    The table's reference to the pool names the entry. Its column of the role ``reader`` names the
    reader; without one, the table itself is the reader. Its term columns are the fields. Where the
    pool has a field under the same name and vocabulary, the pool's tags count as one more reader.

    Parameters
    ----------
    study : Study
        The corpus.

    Returns
    -------
    list of AgreementReport
        One per audit table that refers to the pool, in declared order.
    """
    reports = []
    entries = list(study.pool.names())
    for table in study.by_role("audit"):
        link = table.spec.reference_to(study.pool.spec)
        if link is None:
            continue
        report = _report_of(study, table, link, entries)
        differing = tuple(_disagreements(study, table))
        reports.append(replace(report, disagreements=differing))
    works: list[str] = []
    for candidates in study.by_role("candidates"):
        works += candidates.names()
    for table in study.by_role("screening"):
        # Before the first decision there is nobody to agree.
        if table.rows:
            # A resolution belongs to no reader.
            decided = table.kept([who != RESOLUTION for who in table.role_column("reader")])
            link = table.spec.by_role("candidate") or table.spec.columns[0]
            reports.append(_report_of(study, decided, link, works))
    return reports


def _report_of(study: Study, table: Table, link: Column, works: Sequence[str]) -> AgreementReport:
    """Return how far readers agree about some works; their tags are not compared with the pool."""
    spec = table.spec
    keys = table.column(link.name)
    read = set(keys)
    fields = []
    for field in spec.term_columns:
        fields.append(_field_agreement(study, field, _ratings(study, table, field, keys)))
    return AgreementReport(
        table=spec.name,
        definition=spec.definition,
        title=spec.title,
        readers=tuple(sorted(set(_readers(table)))),
        covered=len(read.intersection(works)),
        uncovered=tuple(key for key in works if key not in read),
        fields=tuple(fields),
    )


def _readers(table: Table) -> list[str]:
    """Return the reader of each row; the table itself where it names none."""
    if table.spec.by_role("reader") is None:
        return [table.spec.name] * len(table.rows)
    return table.role_column("reader")


def _ratings(study: Study, table: Table, field: Column, keys: Sequence[str]) -> Ratings:
    """Return the tag of each reader for each entry that was read; an empty cell is not a rating."""
    declared = study.codebook.terms_of(field)

    found: dict[str, dict[str, str]] = {}

    def rate(column: Column, key: str, reader: str, cell: str) -> None:
        # Several terms are one category, in whichever order they are.
        terms = sorted(column.values(cell), key=declared.index)
        if terms:
            found.setdefault(key, {})[reader] = "; ".join(terms)

    for key, reader, tag in zip(keys, _readers(table), table.column(field.name), strict=True):
        rate(field, key, reader, tag)
    if field in study.codebook.shared_with_pool(table.spec):
        own = study.pool.spec.column(field.name)
        for key in found:
            entry = study.entries.get(key)
            # An audit may outlive an entry; a key that the pool dropped has no rating there.
            if entry is not None:
                rate(own, key, POOL, entry.cell(field.name))
    return found


def _field_agreement(study: Study, field: Column, ratings: Ratings) -> FieldAgreement:
    counts: Counter[str] = Counter()
    rated: set[str] = set()
    units = 0
    agreed = 0
    for given in ratings.values():
        rated.update(given)
        counts.update(given.values())
        if len(given) >= 2:
            units += 1
            agreed += len(set(given.values())) == 1
    # Of equally frequent categories, the one that occurs first.
    prevalent = max(counts, key=counts.__getitem__, default="")
    share = counts[prevalent] / max(1, counts.total())
    # The joined terms of a multi-valued cell are one category, which the vocabulary does not have.
    declared = study.codebook.terms_of(field)
    categories = (*declared, *sorted(counts.keys() - set(declared)))
    readers = tuple(sorted(rated, key=lambda reader: (reader != POOL, reader)))
    warnings = []
    if not units:
        warnings.append("only one reader: there is nothing to compare")
    elif share == 1:
        warnings.append(f"every rating is {prevalent}: kappa and alpha are not defined")
    elif share >= PREVALENT:
        advice = "which pulls kappa and alpha down: read AC1 and the raw agreement"
        warnings.append(f"{prevalent} is {share:.0%} of all ratings, {advice}")
    if units and agreed == units and share < 1:
        warnings.append("no disagreement: only the interval of the raw agreement is meaningful")
    return FieldAgreement(
        field=field.name,
        readers=readers,
        units=units,
        agreed=agreed,
        raw=raw_agreement(agreed, units),
        ac1=gwets_ac1(ratings, categories),
        alpha=krippendorffs_alpha(ratings, categories),
        pairs=tuple(_pairs(ratings, readers, categories)),
        prevalent=(prevalent, share),
        warnings=tuple(warnings),
    )


def _pairs(
    ratings: Ratings, readers: Sequence[str], categories: Sequence[str]
) -> Iterator[PairAgreement]:
    # Kappa is of two readers; how three agree is what AC1 and alpha are for.
    for first, second in combinations(readers, 2):
        tags = []
        for given in ratings.values():
            if first in given and second in given:
                tags.append((given[first], given[second]))
        if tags:
            agreed = sum(one == other for one, other in tags)
            yield PairAgreement((first, second), len(tags), agreed, cohens_kappa(tags, categories))


def _disagreements(study: Study, table: Table) -> Iterator[Disagreement]:
    """Yield each tag that differs from the pool's."""
    rows = zip(study.second_tags(table), _readers(table), table.role_column("notes"), strict=True)
    for (key, tags), reader, note in rows:
        entry = study.entries.get(key)
        for field, pool, tag in entry.other_tags(tags) if entry else ():
            yield Disagreement(key, field, reader, pool, tag, note)


def number(coefficient: Coefficient) -> str:
    """Write a coefficient with its 95 % interval.

    Examples
    --------
    >>> number(Coefficient(0.9, 0.02, 0.86, 0.94)), number(Coefficient(None))
    ('0.900 [0.860, 0.940]', 'undefined')
    """
    if coefficient.value is None:
        return "undefined"
    value = f"{coefficient.value:.3f}"
    if coefficient.low is None or coefficient.low == coefficient.high:
        return value
    return f"{value} [{coefficient.low:.3f}, {coefficient.high:.3f}]"


def agreement_grids(reports: Sequence[AgreementReport]) -> list[Grid]:
    """Return the tables of the reports.

    They are the fields with their coefficients, the pairs of readers where a field has several, and
    the disagreements. Below the first is what was read, where a figure misleads, and what was not
    read again.
    """
    grids = []
    for report in reports:
        fields = []
        pairs = []
        warned: dict[str, list[str]] = {}
        for field in report.fields:
            numbers = ["", "", "", ""]
            if field.units:
                # Cohen's kappa is of two readers; several pairs have a table of their own.
                kappa = number(field.pairs[0].kappa) if len(field.pairs) == 1 else "see pairs"
                numbers = [number(field.raw), kappa, number(field.ac1), number(field.alpha)]
            fields.append((field.field, f"{field.agreed}/{field.units}", *numbers))
            for pair in field.pairs:
                agreed = f"{pair.agreed}/{pair.units}"
                pairs.append((field.field, *pair.readers, agreed, number(pair.kappa)))
            for warning in field.warnings:
                warned.setdefault(warning, []).append(field.field)
        total = report.covered + len(report.uncovered)
        who = ", ".join(report.readers)
        notes = [f"{report.covered} of {total} entries, read by {who}.", report.definition]
        notes.append("95 % intervals: Wilson for raw, linearised errors with t for the others.")
        notes += [f"{', '.join(names)}: {warning}." for warning, names in warned.items()]
        if report.uncovered:
            notes.append(
                f"Not read again ({total - report.covered}): {', '.join(report.uncovered)}."
            )
        heads = ("field", "agree", "raw", "Cohen's kappa", "Gwet's AC1", "Krippendorff's alpha")
        note = " ".join(filter(None, notes))
        grids.append(Grid(report.title, heads, tuple(fields), note=note))
        if any(len(field.pairs) > 1 for field in report.fields):
            of_pairs = ("field", "reader", "reader", "agree", "Cohen's kappa")
            grids.append(Grid("Pairs of readers", of_pairs, tuple(pairs)))
        if report.disagreements:
            of_odds = ("entry", "field", "reader", "pool", "reader's tag", "note")
            rows = [tuple(vars(odd).values()) for odd in report.disagreements]
            grids.append(Grid("Disagreements", of_odds, tuple(rows)))
    return grids


def agreement_json(reports: Sequence[AgreementReport]) -> str:
    """Write the reports as one JSON document."""
    return json_text(as_plain(reports))
