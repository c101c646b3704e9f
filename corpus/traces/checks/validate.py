"""Check a trace against every rule: first those of the schema, then those of a plausible run."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from corpus.model.finding import ERROR, Finding
from corpus.traces.checks import consistency, course
from corpus.traces.reading.decoding import with_lines
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.runs import MOST, valid_run
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

CHECKS: tuple[Callable[[Run], Iterator[Problem]], ...] = (
    course.order,
    course.ends,
    course.lifetimes,
    course.open_calls,
    course.returns,
    consistency.unchecked_flow,
    course.names,
    course.reach,
    consistency.edge_types,
    consistency.costs,
    consistency.negative_costs,
    consistency.token_kinds,
    course.wall_clock,
    course.after_end,
    consistency.topology,
)


class Policy(NamedTuple):
    """How to validate.

    Attributes
    ----------
    strict : bool
        Whether warnings are errors.
    ignored : frozenset of str
        Codes of rules to leave out.
    counted : frozenset of str
        Codes of warnings to count but not to list, since enough of them have been listed.
    """

    strict: bool = False
    ignored: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()


#: Every rule, as it is declared.
PLAIN = Policy()


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


def validate(document: TraceText, policy: Policy = PLAIN) -> Checked:
    """Decode and check one document.

    A trace with errors is not checked for warnings, since its graph is not defined.
    """
    run, findings = valid_run(document)
    found = []
    unlisted = 0
    for check in CHECKS:
        if run is None:
            break
        of_check = 0
        for problem in check(run):
            code = problem.rule.code
            if code in policy.ignored:
                continue
            # All of them are counted, so that the summary is true however few are listed.
            of_check += 1
            if of_check > MOST or code in policy.counted:
                unlisted += 1
            else:
                found.append(problem)
    if found:
        findings = findings + with_lines(document, found)
    findings = sorted(finding for finding in findings if finding.code not in policy.ignored)
    if policy.strict:
        findings = [finding._replace(severity=ERROR) for finding in findings]
    return Checked(run, findings, unlisted)


def check(item: TraceText | Finding, policy: Policy) -> Checked:
    """Validate one document without its run; a finding of the reader in its place is passed on."""
    if isinstance(item, TraceText):
        return validate(item, policy)._replace(run=None)
    if item.code in policy.ignored:
        return Checked(None, [], 0)
    return Checked(None, [item], 0)
