"""Check a trace against every rule: first those of the schema, then those of a plausible run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import Final, NamedTuple

from corpus.model.finding import ERROR, Finding
from corpus.traces.checks import consistency, lifecycle, ordering, untrusted_content
from corpus.traces.reading.decoding import with_lines
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.runs import MOST, valid_run
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

CHECKS: Final[tuple[Callable[[Run], Iterator[Problem]], ...]] = (
    ordering.order,
    ordering.ends,
    lifecycle.lifetimes,
    lifecycle.open_calls,
    lifecycle.returns,
    untrusted_content.unchecked_flow,
    lifecycle.names,
    ordering.reach,
    consistency.edge_types,
    consistency.costs,
    consistency.negative_costs,
    consistency.token_kinds,
    ordering.wall_clock,
    ordering.after_end,
    consistency.topology,
)


class Checked(NamedTuple):
    """The result of validation.

    Attributes
    ----------
    run : Run or None
        The run; None where there is an error.
    findings : list of Finding
        Sorted by place.
    unlisted : int
        Further findings of checks that found more than ``MOST``, and those only counted.
    """

    run: Run | None
    findings: list[Finding]
    unlisted: int


def validate(
    document: TraceText,
    *,
    strict: bool = False,
    ignored: Set[str] = frozenset(),
    counted: Set[str] = frozenset(),
) -> Checked:
    """Decode and check one document.

    A trace with errors is not checked for warnings, since its graph is not defined.

    Parameters
    ----------
    document
        What to check.
    strict
        Make warnings errors.
    ignored
        Codes of rules to leave out.
    counted
        Codes of warnings to count but not to list, since enough of them have been listed.
    """
    run, findings = valid_run(document)
    if run is None:
        findings = [finding for finding in findings if finding.code not in ignored]
        return Checked(None, sorted(findings), 0)
    found: list[Problem] = []
    unlisted = 0
    for check in CHECKS:
        of_check = 0
        for problem in check(run):
            code = problem.rule.code
            if code in ignored:
                continue
            # All of them are counted, so that the summary is true however few are listed.
            of_check += 1
            if of_check > MOST or code in counted:
                unlisted += 1
            else:
                found.append(problem)
    if found:
        findings = findings + with_lines(document, found)
    findings = sorted(finding for finding in findings if finding.code not in ignored)
    if strict:
        findings = [finding._replace(severity=ERROR) for finding in findings]
    return Checked(run, findings, unlisted)


class Policy(NamedTuple):
    """How to validate: see :func:`validate`."""

    strict: bool = False
    ignored: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()


class Found(NamedTuple):
    """The findings of one document, and how many more there are."""

    findings: list[Finding]
    unlisted: int


def check(item: TraceText | Finding, policy: Policy) -> Found:
    """Validate one document; a finding of the reader in its place is passed on."""
    if isinstance(item, TraceText):
        checked = validate(
            item, strict=policy.strict, ignored=policy.ignored, counted=policy.counted
        )
        return Found(checked.findings, checked.unlisted)
    if item.code in policy.ignored:
        return Found([], 0)
    return Found([item], 0)
