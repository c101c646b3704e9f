"""Claims in print: a line for each, everything about some of them, the whole report, and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from corpus.analysis.claims.claim import Claim, ClaimSet
from corpus.analysis.claims.edits import Edit, describe
from corpus.analysis.claims.evaluate import ClaimOutcome, all_outcomes
from corpus.analysis.claims.robustness import breaking_edits
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import markdown
from corpus.printing.grid import Grid, cut, grid_text, plural
from corpus.printing.json_document import json_text
from corpus.printing.sinks import grid_in

#: What was observed is cut at so many characters in a terminal, and in the whole report.
_SHORT, _LONG = 60, 200


@dataclass(frozen=True)
class ReportedClaim:
    """One claim with what was found out; `edits` are the fewest that break it, None without any."""

    outcome: ClaimOutcome
    edits: Sequence[Edit] | None

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return self.outcome.claim

    @property
    def margin(self) -> int | None:
        """The number of edits that break it; None where no row edit does."""
        return None if self.edits is None else len(self.edits)


@dataclass(frozen=True)
class ClaimReport:
    """What `corpus claims` prints; `left_out` counts claims that hold and are not shown."""

    claim_set: ClaimSet
    tables: Mapping[str, Table]
    claims: tuple[ReportedClaim, ...]
    left_out: int = 0

    def having(self, verdict: str) -> list[ReportedClaim]:
        """Return the shown claims with a verdict."""
        return [found for found in self.claims if found.outcome.verdict == verdict]


def claim_report(
    study: Study, claim_set: ClaimSet, claims: Sequence[Claim] | None = None, failing: bool = False
) -> ClaimReport:
    """Evaluate claims.

    Parameters
    ----------
    study : Study
        The corpus.
    claim_set : ClaimSet
        Its claims.
    claims : sequence of Claim, optional
        Those of `claim_set` to evaluate; by default all.
    failing : bool
        Whether to leave out those that hold.
    """
    outcomes = all_outcomes(study, claim_set.claims if claims is None else claims)
    shown = [outcome for outcome in outcomes if not (failing and outcome.holds)]
    found = tuple(ReportedClaim(outcome, breaking_edits(outcome, study)) for outcome in shown)
    return ClaimReport(claim_set, study.tables, found, len(outcomes) - len(shown))


def summary(report: ClaimReport) -> str:
    """Return how many claims hold, as a sentence; those that the report leaves out hold."""
    holding = len(report.having("holds")) + report.left_out
    text = f"{holding} of {len(report.claims) + report.left_out} claims hold"
    others = {"moved": "state other numbers (tracked)", "acknowledged": "fail as acknowledged"}
    for verdict, words in others.items():
        number = len(report.having(verdict))
        if number:
            text += f", {number} {words}"
    failing = report.having("fails")
    if failing:
        text += f", {len(failing)} fail: {', '.join(found.claim.id for found in failing)}"
    return text + "."


def claims_grid(report: ClaimReport, longest: int = _SHORT) -> Grid:
    """Return one row per claim, with so many characters of what was observed.

    Of a claim about keys that does not hold, the keys that are extra or missing are shown.
    """
    rows = []
    for found in report.claims:
        outcome = found.outcome
        # The keys that differ tell more than the beginnings of two long lists.
        observed = outcome.difference_text or cut(outcome.observed, longest)
        if not (outcome.holds or outcome.difference_text):
            observed += f" (expected {cut(outcome.expected, _SHORT)})"
        rows.append((found.claim.id, outcome.verdict, observed))
    without = [found.claim.id for found in report.claims if not found.outcome.stated.is_comparable]
    note = ""
    if without:
        number = plural(len(without), "sentence")
        note = f"No number to compare with the claim: {number}, {', '.join(without)}."
    return Grid("Claims", ("claim", "result", "observed"), tuple(rows), note=note)


def claims_text(report: ClaimReport, columns: int | None = None) -> str:
    """Write the table of claims for a terminal."""
    grid = claims_grid(report)._replace(title="")
    return f"{summary(report)}\n\n{grid_text(grid, columns)}"


def details_text(report: ClaimReport) -> str:
    """Write everything about each claim, a block each."""
    blocks = []
    for found in report.claims:
        facts = _facts(found, report.tables)
        name = facts.pop("id")
        source = facts.pop("source_id")
        name += f" ({source})" if source else ""
        lines = [f"{name}: {facts.pop('result')}\n", f"  {facts.pop('statement')}\n"]
        for label, fact in facts.items():
            text = ", ".join(fact) if isinstance(fact, tuple) else fact
            if text != "":
                label = label.replace("_", " ")
                lines.append(f"  {label + ':':<14}{'none' if text is None else text}\n")
        blocks.append("".join(lines))
    return "\n".join(blocks)


def _facts(found: ReportedClaim, tables: Mapping[str, Table]) -> dict[str, Any]:
    """Return everything that is printed about a claim, by name."""
    claim, outcome = found.claim, found.outcome
    # Which numbers of the sentence were compared with the expectation.
    results = ("as expected", "not as expected", "not compared")
    compared = zip(vars(outcome.stated).values(), results, strict=True)
    stated = "; ".join(f"{', '.join(words)} {result}" for words, result in compared if words)
    return {
        "id": claim.id,
        "source_id": claim.source_id,
        "result": outcome.verdict,
        "statement": claim.statement,
        "kind": "tracked" if claim.tracked else "guard",
        "expected": outcome.expected,
        "observed": outcome.observed,
        "difference": outcome.difference_text,
        "sentence": stated or "no number to compare with the claim",
        "margin": found.margin,
        "broken_by": describe(found.edits or (), tables),
        "made_in": claim.made_in,
        "boundary": claim.boundary,
        "acknowledged": claim.reason,
    }


def claims_markdown(report: ClaimReport) -> str:
    """Write the whole report: verdicts, margins, boundaries, what is not checked."""
    verdicts = claims_grid(report, _LONG)
    rows, boundaries = [], []
    for found, (name, *result) in zip(report.claims, verdicts.rows, strict=True):
        claim = found.claim
        margin = "none" if found.margin is None else str(found.margin)
        rows.append((name, claim.source_id, claim.statement, *result, margin))
        broken_by = describe(found.edits or (), report.tables)
        boundaries.append((name, ", ".join(claim.made_in), claim.boundary, broken_by))
    note = (
        "Margin: the smallest number of row edits (add, remove, change) that break the claim; "
        f"none: no such edit does. {verdicts.note}"
    )
    columns = ("claim", "list", "statement", "result", "observed", "margin")
    limits = ("claim", "made in", "what it does not cover", "broken, for instance, by")
    grids = [
        Grid("Claims", columns, tuple(rows), frozenset({5}), note),
        Grid("Boundaries", limits, tuple(boundaries)),
    ]
    if report.claim_set.unchecked:
        unchecked = map(itemgetter("id", "statement", "reason"), report.claim_set.unchecked)
        reasons = ("claim", "statement", "why not")
        grids.append(Grid("Not checked here", reasons, tuple(unchecked)))
    return f"# Claims\n\n{markdown(summary(report))}\n\n{grid_in('md', grids)}"


def claims_json(report: ClaimReport) -> str:
    """Write everything as one JSON document."""
    claims = []
    for found in report.claims:
        outcome = found.outcome
        counts = {"/".join(cell): number for cell, number in outcome.counts.items()}
        claims.append({**_facts(found, report.tables), "keys": outcome.keys, "counts": counts})
    return json_text({"claims": claims, "unchecked": report.claim_set.unchecked})
