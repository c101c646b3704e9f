"""Claims in print: a line each, everything about some of them, the whole report, and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import ClaimBook
from corpus.analysis.claims.edits import describe
from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.analysis.claims.named import open_grids
from corpus.analysis.claims.robustness import Robustness
from corpus.analysis.claims.scenarios import Stress
from corpus.model.table import Table
from corpus.printing.grid import Grid, cut, grid_text


class ClaimReport(NamedTuple):
    """What `corpus claims` prints; margins and stresses stand in the order of the outcomes, stresses may be empty.

    `left_out` is the number of claims that hold and are not among the outcomes.
    """

    book: ClaimBook
    tables: Mapping[str, Table]
    outcomes: tuple[ClaimOutcome, ...]
    margins: tuple[Robustness, ...]
    stresses: tuple[list[Stress], ...] = ()
    left_out: int = 0


def verdict(outcome: ClaimOutcome) -> str:
    """Return ``holds``, ``fails`` or ``acknowledged`` (fails as its acknowledgement says)."""
    return "holds" if outcome.holds else "acknowledged" if outcome.acknowledged else "fails"


def margin_text(margin: Robustness) -> str:
    """Return the margin as a number; ``none`` where no row edit breaks the claim."""
    return "none" if margin.edits is None else str(margin.edits)


def summary(report: ClaimReport) -> str:
    """Say how many claims hold, in a sentence; those that the report leaves out hold."""
    outcomes = report.outcomes
    verdicts = [verdict(outcome) for outcome in outcomes]
    text = f"{verdicts.count('holds') + report.left_out} of {len(verdicts) + report.left_out} claims hold"
    if "acknowledged" in verdicts:
        text += f", {verdicts.count('acknowledged')} fail as acknowledged"
    if "fails" in verdicts:
        failing = [outcome.claim.id for outcome in outcomes if verdict(outcome) == "fails"]
        text += f", {len(failing)} fail: {', '.join(failing)}"
    return text + "."


def claims_grid(report: ClaimReport, room: int = 60) -> Grid:
    """Return one row a claim: name, verdict, margin, what was observed (cut to `room` characters)."""
    rows = []
    for outcome, margin in zip(report.outcomes, report.margins, strict=True):
        observed = cut(outcome.observed, room)
        if not outcome.holds:
            observed += f" (expected {cut(outcome.expected, room)})"
        rows.append((outcome.claim.id, verdict(outcome), margin_text(margin), observed))
    note = "Margin: the smallest number of row edits that break the claim."
    return Grid("Claims", ("claim", "result", "margin", "observed"), tuple(rows), frozenset({2}), note)


def stress_grid(report: ClaimReport, room: int = 40) -> Grid:
    """Return one row a claim and one column a scenario; only claims that some scenario breaks."""
    scenarios = report.book.scenarios
    rows = []
    for outcome, stresses in zip(report.outcomes, report.stresses, strict=True):
        if any(stress.breaks for stress in stresses):
            rows.append((outcome.claim.id, *(stress_text(stress, room) for stress in stresses)))
    said = "; ".join(f"{scenario.id}: {scenario.statement}" for scenario in scenarios)
    note = (
        f"What if: {said}. A cell says how many of a scenario's changes break the claim when made alone, then what is "
        f"observed after all of them; an empty cell: the claim holds throughout. "
        f"Left out: {len(report.outcomes) - len(rows)} claims that nothing here breaks."
    )
    return Grid("Stress", ("claim", *(scenario.id for scenario in scenarios)), tuple(rows), note=note)


def stress_text(stress: Stress, room: int) -> str:
    """Say what a scenario does to a claim, in a few words; empty where it holds throughout."""
    if not stress.breaks or stress.together is None:
        return ""
    after = stress.together
    named = after.claim.expectation.kind in ("keys", "includes", "same_keys_as", "empty")
    seen = f"{len(after.keys)} keys" if named and len(after.observed) > room else cut(after.observed, room)
    return f"{len(stress.alone)} of {stress.tried}: {'holds' if after.holds else seen}"


def claims_text(report: ClaimReport, columns: int | None = None) -> str:
    """Write the table of claims for a terminal, the stress table after it where there is one."""
    parts = [summary(report) + "\n", grid_text(claims_grid(report)._replace(title=""), columns)]
    if report.stresses:
        parts.append(grid_text(stress_grid(report, room=16), columns))
    return "\n".join(parts)


def details_text(report: ClaimReport) -> str:
    """Write everything about each claim, a block each."""
    blocks = []
    for number, (outcome, margin) in enumerate(zip(report.outcomes, report.margins, strict=True)):
        claim = outcome.claim
        name = f"{claim.id} ({claim.source_id})" if claim.source_id else claim.id
        lines = [f"{name}: {verdict(outcome)}", f"  {claim.statement}"]
        facts = {
            "expected": outcome.expected,
            "observed": outcome.observed,
            "margin": _broken_by(margin, report.tables),
            "made in": ", ".join(claim.made_in),
            "boundary": claim.boundary,
            "acknowledged": claim.acknowledged.reason if claim.acknowledged else "",
        }
        lines += [f"  {label + ':':<14}{text}" for label, text in facts.items() if text]
        for stress in report.stresses[number] if report.stresses else ():
            lines.append(f"  if {stress.scenario.statement}: {_stressed(stress)}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _broken_by(margin: Robustness, tables: Mapping[str, Table]) -> str:
    if margin.edits is None:
        return "none: no edit of a row breaks it"
    if not margin.edits:
        return "0"
    return f"{margin.edits}, for instance: {describe(margin.witness, tables)}"


def _stressed(stress: Stress) -> str:
    if not stress.breaks or stress.together is None:
        return "holds"
    alone = f"broken by {', '.join(stress.alone)} alone" if stress.alone else "no single change breaks it"
    return f"{alone}; after all {stress.tried}: {stress.together.observed}"


def claims_markdown(report: ClaimReport) -> str:
    """Write the whole report: verdicts, boundaries, stress, open questions, what is not checked."""
    from corpus.printing.templates import environment

    grids = [_statements_grid(report), _boundaries_grid(report)]
    if report.stresses:
        grids.append(stress_grid(report))
    grids += open_grids(report.tables, {outcome.claim.id: outcome.holds for outcome in report.outcomes})
    if report.book.unchecked:
        rows = tuple((item.id, item.statement, item.reason) for item in report.book.unchecked)
        grids.append(Grid("Not checked here", ("claim", "statement", "why not"), rows))
    template = environment("md", "corpus.analysis.claims").get_template("claims.md.j2")
    return template.render(summary=summary(report), grids=grids, level=2)


def _statements_grid(report: ClaimReport) -> Grid:
    rows = tuple(
        (o.claim.id, o.claim.source_id, o.claim.statement, verdict(o), cut(o.observed, 200), margin_text(m))
        for o, m in zip(report.outcomes, report.margins, strict=True)
    )
    header = ("claim", "list", "statement", "result", "observed", "margin")
    note = (
        "Margin: the smallest number of row edits (add, remove, change) that break the claim; none: no such edit does."
    )
    return Grid("Claims", header, rows, frozenset({5}), note)


def _boundaries_grid(report: ClaimReport) -> Grid:
    rows = tuple(
        (o.claim.id, ", ".join(o.claim.made_in), o.claim.boundary, describe(m.witness, report.tables))
        for o, m in zip(report.outcomes, report.margins, strict=True)
    )
    return Grid("Boundaries", ("claim", "made in", "what it does not say", "broken, for instance, by"), rows)


def claims_json(report: ClaimReport) -> str:
    """Write everything as one JSON document."""
    found = []
    for number, (outcome, margin) in enumerate(zip(report.outcomes, report.margins, strict=True)):
        entry = outcome_dict(outcome, margin, report.tables)
        if report.stresses:
            entry["stress"] = {s.scenario.id: _stress_dict(s) for s in report.stresses[number]}
        found.append(entry)
    document = {
        "claims": found,
        "scenarios": [scenario._asdict() for scenario in report.book.scenarios],
        "unchecked": [item._asdict() for item in report.book.unchecked],
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def outcome_dict(outcome: ClaimOutcome, margin: Robustness, tables: Mapping[str, Table]) -> dict[str, Any]:
    """Return one claim as plain values."""
    claim = outcome.claim
    return {
        "id": claim.id,
        "source_id": claim.source_id,
        "statement": claim.statement,
        "boundary": claim.boundary,
        "made_in": list(claim.made_in),
        "expects": claim.expectation.kind,
        "expected": outcome.expected,
        "result": verdict(outcome),
        "observed": outcome.observed,
        "number": None if math.isnan(outcome.number) else outcome.number,
        "keys": list(outcome.keys),
        "counts": {"/".join(cell): number for cell, number in outcome.counts.items()},
        "margin": margin.edits,
        "broken_by": describe(margin.witness, tables),
    }


def _stress_dict(stress: Stress) -> dict[str, Any]:
    after = stress.together
    return {
        "changes": stress.tried,
        "broken_alone_by": list(stress.alone),
        "breaks_together": after is not None and not after.holds,
        "observed_together": after.observed if after else None,
    }
