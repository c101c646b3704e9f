"""Claims in print: a line for each, everything about some of them, the whole report, and JSON."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import Any

from corpus.analysis.claims.claim import Claim, ClaimSet
from corpus.analysis.claims.edits import Edit, describe
from corpus.analysis.claims.evaluate import ABOUT_KEYS, ClaimOutcome, all_outcomes
from corpus.analysis.claims.named import open_grids
from corpus.analysis.claims.robustness import breaking_edits
from corpus.analysis.claims.scenarios import Stress, stress
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import markdown
from corpus.printing.grid import Grid, cut, grid_text, plural
from corpus.printing.json_document import as_plain, json_text
from corpus.printing.sinks import grid_in

_OBSERVED_CELLS = 60
_MARGIN = "margin"


@dataclass(frozen=True)
class ReportedClaim:
    """One claim with what was found out about it.

    `edits` are the fewest that break it, None where none can; `stresses` has one item per scenario,
    or none.
    """

    outcome: ClaimOutcome
    edits: Sequence[Edit] | None
    stresses: Sequence[Stress] = ()

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return self.outcome.claim

    @property
    def margin(self) -> int | None:
        """The number of edits that break it; None where no row edit does."""
        if self.edits is None:
            return None
        return len(self.edits)

    @property
    def margin_text(self) -> str:
        """The same in print; ``none`` where no row edit does."""
        if self.edits is None:
            return "none"
        return str(len(self.edits))


@dataclass(frozen=True)
class ClaimReport:
    """What `corpus claims` prints; `left_out` counts claims that hold and are not shown."""

    claim_set: ClaimSet
    tables: Mapping[str, Table]
    claims: tuple[ReportedClaim, ...]
    left_out: int = 0

    @property
    def stressed(self) -> bool:
        """Whether the claims were evaluated under scenarios."""
        return any(map(attrgetter("stresses"), self.claims))

    def having(self, verdict: str) -> list[ReportedClaim]:
        """Return the shown claims with a verdict."""
        return [found for found in self.claims if found.outcome.verdict == verdict]


def claim_report(
    study: Study,
    claim_set: ClaimSet,
    claims: Sequence[Claim] | None = None,
    stressed: bool = False,
    failing: bool = False,
) -> ClaimReport:
    """Evaluate claims.

    Parameters
    ----------
    study : Study
        The corpus.
    claim_set : ClaimSet
        Its claims and scenarios.
    claims : sequence of Claim, optional
        Those of `claim_set` to evaluate; by default all.
    stressed : bool
        Whether to evaluate them under the scenarios too.
    failing : bool
        Whether to leave out those that hold.
    """
    if claims is None:
        claims = claim_set.claims
    outcomes = all_outcomes(study, claims)
    shown = [outcome for outcome in outcomes if not (failing and outcome.holds)]
    stresses: Iterable[Sequence[Stress]] = repeat(())
    if stressed:
        stresses = stress(study, claim_set.scenarios, shown)
    found = []
    for outcome, own in zip(shown, stresses, strict=False):
        found.append(ReportedClaim(outcome, breaking_edits(outcome, study), own))
    return ClaimReport(claim_set, study.tables, tuple(found), len(outcomes) - len(shown))


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


def claims_grid(report: ClaimReport) -> Grid:
    """Return one row per claim; what was observed is cut to fit beside it.

    Of a claim about keys that does not hold, the keys that are extra or missing are shown.
    """
    rows: list[tuple[str, ...]] = []
    for found in report.claims:
        observed = cut(found.outcome.observed, _OBSERVED_CELLS)
        if found.outcome.difference_text:
            # The keys that differ tell more than the beginnings of two long lists.
            observed = found.outcome.difference_text
        elif not found.outcome.holds:
            observed += f" (expected {cut(found.outcome.expected, _OBSERVED_CELLS)})"
        margin = (found.margin_text,) * report.stressed
        rows.append((found.claim.id, found.outcome.verdict, *margin, observed))
    header = ("claim", "result", *(_MARGIN,) * report.stressed, "observed")
    return _claims_table(report, header, rows, "row edits that break the claim.")


def _claims_table(
    report: ClaimReport, header: tuple[str, ...], rows: list[tuple[str, ...]], edits: str
) -> Grid:
    """Return a table of claims, whose margins are there where they come with scenarios."""
    numeric, notes = frozenset[int](), []
    if report.stressed:
        numeric = frozenset({header.index(_MARGIN)})
        notes.append(f"Margin: the smallest number of {edits}")
    without = [found.claim.id for found in report.claims if not found.outcome.stated.is_comparable]
    if without:
        number = plural(len(without), "sentence")
        notes.append(f"No number to compare with the claim: {number}, {', '.join(without)}.")
    return Grid("Claims", header, tuple(rows), numeric, " ".join(notes))


def stress_grid(report: ClaimReport, cells: int = 40) -> Grid:
    """Return the claims that some scenario breaks, with one column per scenario."""
    rows = []
    for found in report.claims:
        if any(item.breaks for item in found.stresses):
            texts = map(stress_text, found.stresses, repeat(cells))
            rows.append((found.claim.id, *texts))
    scenarios = report.claim_set.scenarios
    statements = "; ".join(f"{scenario.id}: {scenario.statement}" for scenario in scenarios)
    note = (
        f"What if: {statements}. A cell shows how many of a scenario's changes break the claim "
        f"when made alone, then what is observed after all of them; an empty cell: the claim "
        f"holds throughout. Left out: {len(report.claims) - len(rows)} claims that nothing here "
        f"breaks."
    )
    header = ("claim", *(scenario.id for scenario in scenarios))
    return Grid("Stress", header, tuple(rows), note=note)


def stress_text(found: Stress, cells: int) -> str:
    """Return what a scenario does to a claim, in a few words; empty where it holds throughout."""
    after = found.together
    if not found.breaks or after is None:
        return ""
    if after.holds:
        result = "holds"
    elif after.kind in ABOUT_KEYS and len(after.observed) > cells:
        result = f"{len(after.keys)} keys"
    else:
        result = cut(after.observed, cells)
    return f"{len(found.alone)} of {found.tried}: {result}"


def claims_text(report: ClaimReport, columns: int | None = None) -> str:
    """Write the table of claims for a terminal, the stress table after it where there is one."""
    grid = claims_grid(report)._replace(title="")
    parts = [summary(report) + "\n", grid_text(grid, columns)]
    if report.stressed:
        parts.append(grid_text(stress_grid(report, cells=16), columns))
    return "\n".join(parts)


def details_text(report: ClaimReport) -> str:
    """Write everything about each claim, a block each."""
    return "\n".join(map(_block, report.claims, repeat(report.tables)))


def _block(found: ReportedClaim, tables: Mapping[str, Table]) -> str:
    claim = found.claim
    name = claim.id
    if claim.source_id:
        name += f" ({claim.source_id})"
    margin = found.margin_text
    if found.edits is None:
        margin += ": no edit of a row breaks it"
    elif found.edits:
        margin += f", for instance: {describe(found.edits, tables)}"
    # Which numbers of the sentence were compared with the expectation.
    results = ("as expected", "not as expected", "not compared")
    compared = zip(vars(found.outcome.stated).values(), results, strict=True)
    stated = "; ".join(f"{', '.join(words)} {result}" for words, result in compared if words)
    facts = {
        "kind": {True: "tracked", False: "guard"}[claim.tracked],
        "expected": found.outcome.expected,
        "observed": found.outcome.observed,
        "difference": found.outcome.difference_text,
        "sentence": stated or "no number to compare with the claim",
        "margin": margin,
        "made in": ", ".join(claim.made_in),
        "boundary": claim.boundary,
        "acknowledged": claim.reason,
    }
    lines = [f"{name}: {found.outcome.verdict}", f"  {claim.statement}"]
    for label, text in facts.items():
        if text:
            lines.append(f"  {label + ':':<14}{text}")
    for item in found.stresses:
        result = "holds"
        if item.breaks and item.together is not None:
            result = "no single change breaks it"
            if item.alone:
                result = f"broken by {', '.join(item.alone)} alone"
            result += f"; after all {item.tried}: {item.together.observed}"
        lines.append(f"  if {item.scenario.statement}: {result}")
    return "\n".join(lines) + "\n"


def claims_markdown(report: ClaimReport) -> str:
    """Write the whole report: verdicts, boundaries, stress, open questions, what is not checked."""
    grids = [_statements_grid(report), _boundaries_grid(report)]
    if report.stressed:
        grids.append(stress_grid(report))
    holding = {found.claim.id: found.outcome.holds for found in report.claims}
    grids += open_grids(report.tables, holding)
    if report.claim_set.unchecked:
        rows = tuple(map(itemgetter("id", "statement", "reason"), report.claim_set.unchecked))
        grids.append(Grid("Not checked here", ("claim", "statement", "why not"), rows))
    return grids_document(summary(report), grids)


def grids_document(text: str, grids: Sequence[Grid]) -> str:
    """Write a summary of claims and the tables below it as Markdown."""
    return f"# Claims\n\n{markdown(text)}\n\n{grid_in('md', grids)}"


def _statements_grid(report: ClaimReport) -> Grid:
    rows: list[tuple[str, ...]] = []
    for found in report.claims:
        claim = found.claim
        observed = found.outcome.difference_text or cut(found.outcome.observed, 200)
        stated = (claim.id, claim.source_id, claim.statement, found.outcome.verdict, observed)
        rows.append((*stated, *(found.margin_text,) * report.stressed))
    header = ("claim", "list", "statement", "result", "observed")
    edits = "row edits (add, remove, change) that break the claim; none: no such edit does."
    return _claims_table(report, (*header, *(_MARGIN,) * report.stressed), rows, edits)


def _boundaries_grid(report: ClaimReport) -> Grid:
    rows = []
    for found in report.claims:
        edits = describe(found.edits or (), report.tables)
        made_in = ", ".join(found.claim.made_in)
        rows.append((found.claim.id, made_in, found.claim.boundary, edits))
    header = ("claim", "made in", "what it does not cover", "broken, for instance, by")
    return Grid("Boundaries", header, tuple(rows))


def claims_json(report: ClaimReport) -> str:
    """Write everything as one JSON document."""
    claims = []
    for found in report.claims:
        claim, outcome = found.claim, found.outcome
        document: dict[str, Any] = {
            "id": claim.id,
            "source_id": claim.source_id,
            "statement": claim.statement,
            "boundary": claim.boundary,
            "made_in": claim.made_in,
            "tracked": claim.tracked,
            "expects": claim.expectation.kind,
            "expected": outcome.expected,
            "result": outcome.verdict,
            "observed": outcome.observed,
            "differences": as_plain(outcome.differences),
            "stated": asdict(outcome.stated),
            # JSON has no NaN; a ratio has it where the second sum is 0.
            "number": None if math.isnan(outcome.number) else outcome.number,
            "keys": outcome.keys,
            "counts": {"/".join(cell): number for cell, number in outcome.counts.items()},
            "margin": found.margin,
            "broken_by": describe(found.edits or (), report.tables),
        }
        if report.stressed:
            document["stress"] = {}
        for item in found.stresses:
            after = item.together
            document["stress"][item.scenario.id] = {
                "changes": item.tried,
                "broken_alone_by": item.alone,
                "breaks_together": after is not None and not after.holds,
                "observed_together": after and after.observed,
            }
        claims.append(document)
    scenarios = as_plain(report.claim_set.scenarios)
    return json_text(
        {"claims": claims, "scenarios": scenarios, "unchecked": report.claim_set.unchecked}
    )
