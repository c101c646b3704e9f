"""Agreement between readers in print."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.analysis.agreement.agreement import (
    AgreementReport,
    Disagreement,
    FieldAgreement,
    PairAgreement,
)
from corpus.analysis.agreement.coefficients import Coefficient
from corpus.printing.escape import markdown, terminal
from corpus.printing.grid import Grid, grid_markdown, grid_text

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
    interval = (
        ""
        if coefficient.low is None or coefficient.low == coefficient.high
        else f" [{coefficient.low:.3f}, {coefficient.high:.3f}]"
    )
    return f"{coefficient.value:.3f}{interval}"


def fields_grid(report: AgreementReport) -> Grid:
    """Return one row per field: agreement and coefficients with 95 % intervals."""
    rows = []
    for field in report.fields:
        if not field.units:
            rows.append((field.field, f"{field.agreed}/{field.units}", "", "", "", ""))
            continue
        kappa = number(field.pairs[0].kappa) if len(field.pairs) == 1 else "see pairs"
        agreed = f"{field.agreed}/{field.units}"
        rows.append(
            (field.field, agreed, number(field.raw), kappa, number(field.ac1), number(field.alpha))
        )
    header = ("field", "agree", "raw", "Cohen's kappa", "Gwet's AC1", "Krippendorff's alpha")
    return Grid(
        "Agreement",
        header,
        tuple(rows),
        note="95 % intervals: Wilson for raw, linearised errors with t else.",
    )


def pairs_grid(fields: Sequence[FieldAgreement]) -> Grid:
    """Return one row a field and pair of readers."""

    def row(field: FieldAgreement, pair: PairAgreement) -> tuple[str, ...]:
        return (field.field, *pair.readers, f"{pair.agreed}/{pair.units}", number(pair.kappa))

    rows = tuple(row(field, pair) for field in fields for pair in field.pairs)
    return Grid("Pairs of readers", ("field", "reader", "reader", "agree", "Cohen's kappa"), rows)


def disagreements_grid(report: AgreementReport) -> Grid:
    """Return one row a disagreement, with the claims that the reader's tag would move."""
    rows = tuple(
        (d.key, d.field, d.pool, d.tag, d.reader, _moved(d), d.note) for d in report.disagreements
    )
    header = ("entry", "field", "pool", "reader's tag", "reader", "claims that would move", "note")
    return Grid("Disagreements", header, rows)


def _moved(found: Disagreement) -> str:
    return ", ".join(outcome.claim.id for outcome in found.moves)


def coverage_grid(report: AgreementReport) -> Grid:
    """Return the terms of which nearly all entries were read again, with those that were not."""
    near = [c for c in report.coverage if len(c.lacking) <= FEW and 2 * len(c.lacking) <= c.entries]
    rows = tuple(
        (c.field, c.term, f"{c.entries - len(c.lacking)}/{c.entries}", ", ".join(c.lacking))
        for c in near
    )
    return Grid(
        "Terms read nearly in full", ("field", "term", "read again", "not read again"), rows
    )


def report_grids(report: AgreementReport) -> list[Grid]:
    """Return all tables of a report that have rows."""
    several = any(len(field.pairs) > 1 for field in report.fields)
    pairs = [pairs_grid(report.fields)] if several else []
    grids = [fields_grid(report), *pairs, disagreements_grid(report), coverage_grid(report)]
    return [grid for grid in grids if grid.rows]


def sentences(report: AgreementReport) -> Iterator[str]:
    """Say what was read, what was not, and where a figure misleads; plain text."""
    total = report.covered + len(report.uncovered)
    said = f" {report.definition}" if report.definition else ""
    who = ", ".join(report.readers)
    yield f"{report.title}: {report.covered} of {total} entries, read by {who}.{said}"
    warned: dict[str, list[str]] = {}
    for field in report.fields:
        for warning in field.warnings:
            warned.setdefault(warning, []).append(field.field)
    for warning, fields in warned.items():
        yield f"{', '.join(fields)}: {warning}."
    if report.uncovered:
        yield f"Not read again ({len(report.uncovered)}): {', '.join(report.uncovered)}."


def agreement_text(reports: Sequence[AgreementReport], columns: int | None = None) -> str:
    """Write the reports for a terminal."""
    parts = []
    for report in reports:
        first, *rest = sentences(report)
        parts.append(_wrapped(first, columns))
        grids = [grid for grid in report_grids(report) if grid.title != "Disagreements"]
        parts += [grid_text(grid, columns) for grid in grids]
        parts.append("".join(_wrapped(line, columns) for line in _disagreements(report)))
        parts.append("".join(_wrapped(line, columns) for line in rest))
    return "\n".join(part for part in parts if part)


def _disagreements(report: AgreementReport) -> Iterator[str]:
    for found in report.disagreements:
        text = f"{found.key}, {found.field}: the pool has {found.pool}, "
        text += f"{found.reader} has {found.tag}."
        text += f" {found.note}." if found.note else ""
        yield text + (
            f" Taking that tag would move {_moved(found)}."
            if found.moves
            else " No claim would move."
        )


def _wrapped(line: str, columns: int | None) -> str:
    wrapped = textwrap.wrap(
        terminal(line), columns or 100, subsequent_indent="  ", break_on_hyphens=False
    )
    return "\n".join(wrapped) + "\n"


def agreement_markdown(reports: Sequence[AgreementReport]) -> str:
    """Write the reports as Markdown."""
    parts = ["# Agreement of readers\n"]
    for report in reports:
        first, *rest = sentences(report)
        parts += [markdown(first) + "\n", grid_markdown(report_grids(report), level=2)]
        parts.append("".join(f"- {markdown(line)}\n" for line in rest))
    return "\n".join(part for part in parts if part)


def agreement_json(reports: Sequence[AgreementReport]) -> str:
    """Write the reports as one JSON document."""
    document = [_document(report) for report in reports]
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _document(report: AgreementReport) -> dict[str, Any]:
    return {
        "table": report.table,
        "readers": list(report.readers),
        "covered": report.covered,
        "uncovered": list(report.uncovered),
        "fields": [
            {
                **field._asdict(),
                "raw": field.raw._asdict(),
                "ac1": field.ac1._asdict(),
                "alpha": field.alpha._asdict(),
                "pairs": [
                    {**pair._asdict(), "kappa": pair.kappa._asdict()} for pair in field.pairs
                ],
            }
            for field in report.fields
        ],
        "disagreements": [
            {**d._asdict(), "moves": [{"id": o.claim.id, "observed": o.observed} for o in d.moves]}
            for d in report.disagreements
        ],
        "coverage": [item._asdict() for item in report.coverage],
    }
