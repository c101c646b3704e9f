"""How far readers agree, per field and pair, and what their tags would change; in print."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import Any, NamedTuple

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
from corpus.printing.escape import markdown, terminal
from corpus.printing.grid import Grid, grid_markdown, grid_text
from corpus.printing.json_document import as_plain, json_text

#: From this share of one category on, prevalence makes kappa misleading.
PREVALENT = 0.75
#: So does prevalence that puts kappa at least this far below AC1.
PARADOX = 0.15
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
        The most frequent category and its share of all ratings, from 0 to 1.
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


@dataclass(frozen=True)
class _Audit:
    """A table in which readers tag entries again; `link` is its reference to the pool."""

    study: Study
    table: Table
    link: Column

    @cached_property
    def keys(self) -> list[str]:
        """The entry that each row is about."""
        return self.table.column(self.link.name)

    @cached_property
    def readers(self) -> list[str]:
        """The reader of each row; the table itself where it names none."""
        column = self.table.spec.by_role("reader")
        if column is None:
            return [self.table.spec.name] * len(self.table.rows)
        return self.table.column(column.name)

    @property
    def fields(self) -> tuple[Column, ...]:
        """The columns with tags."""
        return self.table.spec.term_columns

    @cached_property
    def shared(self) -> tuple[Column, ...]:
        """The fields that the pool has, too: its tags count as those of one more reader."""
        return self.study.codebook.shared_with_pool(self.table.spec)


def agreement_reports(study: Study, claims: Sequence[Claim] = ()) -> list[AgreementReport]:
    """Compare every table of the role ``audit`` with the pool and its readers with each other.

    Tables of the role ``screening`` are reported as well: how far readers agree about candidates.

    The table's reference to the pool names the entry. Its column of the role ``reader`` names the
    reader; without one, the table itself is the reader. Its term columns are the fields. Where the
    pool has a field under the same name and vocabulary, the pool's tags count as one more reader.

    Parameters
    ----------
    study : Study
        The corpus.
    claims : sequence of Claim
        Claims whose verdict a reader's tag may change.

    Returns
    -------
    list of AgreementReport
        One per audit table that refers to the pool, in declared order.
    """
    reports: list[AgreementReport] = []
    for table in study.by_role("audit"):
        link = table.spec.reference_to(study.pool.spec)
        if link is not None:
            reports.append(_report(_Audit(study, table, link), claims))
    # Before the first decision there is nobody to agree.
    screened = [table for table in study.by_role("screening") if table.rows]
    reports += [_screening_report(study, table) for table in screened]
    return reports


def _screening_report(study: Study, table: Table) -> AgreementReport:
    """Compare the decisions of readers about candidates; a resolution belongs to no reader."""
    spec = table.spec
    reader = spec.by_role("reader")
    if reader is not None:
        position = spec.position(reader.name)
        table = table.kept([row[position] != RESOLUTION for row in table.rows])
    link = spec.by_role("candidate") or spec.columns[0]
    audit = _Audit(study, table, link)
    works: list[str] = []
    for candidates in study.by_role("candidates"):
        works += candidates.spec.names_of(candidates.rows)
    return _report_about(audit, works, len(set(audit.keys)))


def _report(audit: _Audit, claims: Sequence[Claim]) -> AgreementReport:
    entries = list(audit.study.pool.names())
    read = set(audit.keys)
    coverage = [_coverage(field, read, audit.study) for field in audit.shared]
    return _report_about(audit, entries, len(read.intersection(entries)))._replace(
        disagreements=tuple(_disagreements(audit, claims)),
        coverage=tuple(chain.from_iterable(coverage)),
    )


def _report_about(audit: _Audit, works: Sequence[str], covered: int) -> AgreementReport:
    """Return how far readers agree about some works; their tags are not compared with the pool."""
    spec = audit.table.spec
    read = set(audit.keys)
    return AgreementReport(
        table=spec.name,
        definition=spec.definition,
        title=spec.title,
        readers=tuple(sorted(set(audit.readers))),
        covered=covered,
        uncovered=tuple(key for key in works if key not in read),
        fields=tuple(_field_agreement(field, audit) for field in audit.fields),
        disagreements=(),
        coverage=(),
    )


def _ratings(field: Column, audit: _Audit) -> Ratings:
    """Return the tag of each reader for each entry that was read; an empty cell is not a rating."""
    found: dict[str, dict[str, str]] = {}
    tags = audit.table.column(field.name)
    for key, reader, tag in zip(audit.keys, audit.readers, tags, strict=True):
        if tag:
            found.setdefault(key, {})[reader] = _category(field, tag, audit)
    if field in audit.shared:
        own = audit.study.pool.spec.column(field.name)
        for key, given in found.items():
            entry = audit.study.entries.get(key)
            # An audit may outlive an entry; a key that the pool dropped has no rating there.
            if entry is not None and entry.cell(field.name):
                given[POOL] = _category(own, entry.cell(field.name), audit)
    return found


def _category(column: Column, cell: str, audit: _Audit) -> str:
    """Return what a cell rates: several terms are one category, in whichever order they are."""
    terms = column.values(cell)
    if len(terms) < 2:
        return cell
    declared = audit.study.codebook.vocabulary_of(column).ids
    return "; ".join(sorted(terms, key=declared.index))


def _field_agreement(field: Column, audit: _Audit) -> FieldAgreement:
    ratings = _ratings(field, audit)
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
    # The joined terms of a multi-valued cell are one category, which the vocabulary does not have.
    declared = audit.study.codebook.vocabulary_of(field).ids
    others = counts.keys() - set(declared)
    categories = (*declared, *sorted(others))
    readers = tuple(sorted(rated, key=lambda reader: (reader != POOL, reader)))
    found = FieldAgreement(
        field=field.name,
        readers=readers,
        units=units,
        agreed=agreed,
        raw=raw_agreement(agreed, units),
        ac1=gwets_ac1(ratings, categories),
        alpha=krippendorffs_alpha(ratings, categories),
        pairs=tuple(_pairs(ratings, readers, categories)),
        prevalent=(prevalent, counts[prevalent] / max(1, counts.total())),
        warnings=(),
    )
    return found._replace(warnings=tuple(_warnings(found)))


def _pairs(
    ratings: Ratings, readers: Sequence[str], categories: Sequence[str]
) -> Iterator[PairAgreement]:
    # Kappa is of two readers; how three agree is what AC1 and alpha are for.
    for first, second in combinations(readers, 2):
        tags: list[tuple[str, str]] = []
        for given in ratings.values():
            if first in given and second in given:
                tags.append((given[first], given[second]))
        if tags:
            agreed = sum(one == other for one, other in tags)
            kappa = cohens_kappa(tags, categories)
            yield PairAgreement((first, second), len(tags), agreed, kappa)


def _warnings(found: FieldAgreement) -> Iterator[str]:
    """Yield why a figure misleads: one reader, no variation, high prevalence, no disagreement."""
    if not found.units:
        yield "only one reader: there is nothing to compare"
        return
    term, share = found.prevalent
    if share == 1:
        yield f"every rating is {term}: kappa and alpha are not defined"
    elif share >= PREVALENT or _distance_to_kappa(found) >= PARADOX:
        advice = "which pulls kappa and alpha down: read AC1 and the raw agreement"
        yield f"{term} is {share:.0%} of all ratings, {advice}"
    if found.agreed == found.units and share < 1:
        yield "no disagreement: only the interval of the raw agreement is meaningful"


def _distance_to_kappa(found: FieldAgreement) -> float:
    """Return how far kappa is below AC1 at most: far, it is the paradox of high prevalence."""
    kappas = [pair.kappa.value for pair in found.pairs if pair.kappa.value is not None]
    if found.ac1.value is None or not kappas:
        return 0.0
    return found.ac1.value - min(kappas)


def _disagreements(audit: _Audit, claims: Sequence[Claim]) -> Iterator[Disagreement]:
    """Yield each tag that differs from the pool's, with the claims whose verdict it changes."""
    notes = audit.table.spec.by_role("notes")
    outcomes = [evaluate(claim, audit.study) for claim in claims]
    records = audit.table.records()
    for key, reader, record in zip(audit.keys, audit.readers, records, strict=True):
        entry = audit.study.entries.get(key)
        if entry is None:
            continue
        note = record[notes.name] if notes else ""
        for field in audit.shared:
            tag = record[field.name]
            own = entry.cell(field.name)
            if not entry.has_other_terms(field.name, tag):
                continue
            row = changed_row(audit.study.pool, entry.row, {field.name: tag})
            edit = Edit(entry.spec.name, entry.row, row)
            changed = apply_edits(audit.study, [edit])
            # The claims that hold only before or only after the change, as they are after it.
            moves: list[ClaimOutcome] = []
            for before in outcomes:
                after = evaluate(before.claim, changed)
                if after.holds != before.holds:
                    moves.append(after)
            yield Disagreement(key, field.name, reader, own, tag, note, tuple(moves))


def _coverage(field: Column, read: set[str], study: Study) -> Iterator[Coverage]:
    """Yield the terms of which some entries, but not all, were read again."""
    for term, keys in study.keys_by_term(field.name).items():
        lacking = tuple(key for key in keys if key not in read)
        # Only where some entries were read again is it worth naming the others.
        if lacking and len(lacking) < len(keys):
            yield Coverage(field.name, term, len(keys), lacking)


#: Terms of which at most so many entries were not read again are shown with their keys.
FEW = 3


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


def fields_grid(report: AgreementReport) -> Grid:
    """Return one row per field: agreement and coefficients with 95 % intervals."""
    header = ("field", "agree", "raw", "Cohen's kappa", "Gwet's AC1", "Krippendorff's alpha")
    rows: list[tuple[str, ...]] = []
    for field in report.fields:
        numbers = ["", "", "", ""]
        if field.units:
            # Cohen's kappa is of two readers; several pairs have a table of their own.
            kappa = "see pairs"
            if len(field.pairs) == 1:
                kappa = number(field.pairs[0].kappa)
            numbers = [number(field.raw), kappa, number(field.ac1), number(field.alpha)]
        rows.append((field.field, f"{field.agreed}/{field.units}", *numbers))
    note = "95 % intervals: Wilson for raw, linearised errors with t for the others."
    return Grid("Agreement", header, tuple(rows), note=note)


def pairs_grid(fields: Sequence[FieldAgreement]) -> Grid:
    """Return one row per field and pair of readers."""
    header = ("field", "reader", "reader", "agree", "Cohen's kappa")
    rows: list[tuple[str, ...]] = []
    for field in fields:
        for pair in field.pairs:
            agreed = f"{pair.agreed}/{pair.units}"
            rows.append((field.field, *pair.readers, agreed, number(pair.kappa)))
    return Grid("Pairs of readers", header, tuple(rows))


def disagreements_grid(report: AgreementReport) -> Grid:
    """Return one row per disagreement, with the claims that the reader's tag would change."""
    header = ("entry", "field", "pool", "reader's tag", "reader", "claims that change", "note")
    rows: list[tuple[str, ...]] = []
    for odd in report.disagreements:
        tags = (odd.pool, odd.tag)
        rows.append((odd.key, odd.field, *tags, odd.reader, _moved(odd), odd.note))
    return Grid("Disagreements", header, tuple(rows))


def _moved(found: Disagreement) -> str:
    return ", ".join(outcome.claim.id for outcome in found.moves)


def coverage_grid(report: AgreementReport) -> Grid:
    """Return the terms of which nearly all entries were read again, with those that were not."""
    header = ("field", "term", "read again", "not read again")
    rows: list[tuple[str, ...]] = []
    for item in report.coverage:
        lacking = len(item.lacking)
        if lacking <= FEW and 2 * lacking <= item.entries:
            share = f"{item.entries - lacking}/{item.entries}"
            rows.append((item.field, item.term, share, ", ".join(item.lacking)))
    return Grid("Terms read nearly in full", header, tuple(rows))


def report_grids(report: AgreementReport) -> list[Grid]:
    """Return all tables of a report that have rows."""
    grids = [fields_grid(report)]
    if any(len(field.pairs) > 1 for field in report.fields):
        grids.append(pairs_grid(report.fields))
    grids += [disagreements_grid(report), coverage_grid(report)]
    return [grid for grid in grids if grid.rows]


def sentences(report: AgreementReport) -> Iterator[str]:
    """Yield what was read, where a figure misleads, and what was not read again; plain text."""
    total = report.covered + len(report.uncovered)
    who = ", ".join(report.readers)
    summary = f"{report.title}: {report.covered} of {total} entries, read by {who}."
    if report.definition:
        summary += f" {report.definition}"
    yield summary
    fields_by_warning: dict[str, list[str]] = {}
    for field in report.fields:
        for warning in field.warnings:
            fields_by_warning.setdefault(warning, []).append(field.field)
    for warning, fields in fields_by_warning.items():
        yield f"{', '.join(fields)}: {warning}."
    if report.uncovered:
        yield f"Not read again ({len(report.uncovered)}): {', '.join(report.uncovered)}."


def agreement_text(reports: Sequence[AgreementReport], columns: int | None = None) -> str:
    """Write the reports for a terminal of so many columns."""
    parts: list[str] = []
    for report in reports:
        summary, *remarks = sentences(report)
        parts.append(_wrapped(summary, columns))
        for grid in report_grids(report):
            # Notes are too long for a column of a terminal: disagreements are sentences there.
            if grid.title != "Disagreements":
                parts.append(grid_text(grid, columns))
        parts.append("".join(_wrapped(_sentence(odd), columns) for odd in report.disagreements))
        parts.append("".join(_wrapped(remark, columns) for remark in remarks))
    return "\n".join(part for part in parts if part)


def _sentence(odd: Disagreement) -> str:
    text = f"{odd.key}, {odd.field}: the pool has {odd.pool}, {odd.reader} has {odd.tag}."
    if odd.note:
        text += f" {odd.note}."
    if odd.moves:
        return f"{text} With that tag the verdict changes of {_moved(odd)}."
    return f"{text} No verdict on a claim would change."


def _wrapped(line: str, columns: int | None) -> str:
    wrapped = textwrap.wrap(
        terminal(line), columns or 100, subsequent_indent="  ", break_on_hyphens=False
    )
    return "\n".join(wrapped) + "\n"


def agreement_markdown(reports: Sequence[AgreementReport]) -> str:
    """Write the reports as Markdown."""
    parts = ["# Agreement of readers\n"]
    for report in reports:
        summary, *remarks = sentences(report)
        parts += [markdown(summary) + "\n", grid_markdown(report_grids(report), level=2)]
        parts.append("".join(f"- {markdown(remark)}\n" for remark in remarks))
    return "\n".join(part for part in parts if part)


def agreement_json(reports: Sequence[AgreementReport]) -> str:
    """Write the reports as one JSON document."""
    return json_text([_document(report) for report in reports])


def _document(report: AgreementReport) -> dict[str, Any]:
    document: dict[str, Any] = as_plain(report)
    # They are text for people.
    del document["definition"], document["title"]
    for odd, own in zip(report.disagreements, document["disagreements"], strict=True):
        own["moves"] = [{"id": move.claim.id, "observed": move.observed} for move in odd.moves]
    return document
