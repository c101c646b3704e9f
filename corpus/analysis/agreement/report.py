"""Agreement between readers in print."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.analysis.agreement.agreement import AgreementReport, Disagreement, FieldAgreement
from corpus.analysis.agreement.coefficients import Coefficient
from corpus.printing.escape import markdown, terminal
from corpus.printing.grid import Grid, grid_markdown, grid_text
from corpus.printing.json_document import as_plain, json_text

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
    rows = tuple(_field_row(field) for field in report.fields)
    note = "95 % intervals: Wilson for raw, linearised errors with t for the others."
    return Grid("Agreement", header, rows, note=note)


def _field_row(field: FieldAgreement) -> tuple[str, ...]:
    agreed = f"{field.agreed}/{field.units}"
    if not field.units:
        return (field.field, agreed, "", "", "", "")
    # Cohen's kappa is of two readers; several pairs have a table of their own.
    kappa = number(field.pairs[0].kappa) if len(field.pairs) == 1 else "see pairs"
    raw = number(field.raw)
    return (field.field, agreed, raw, kappa, number(field.ac1), number(field.alpha))


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
