"""Hold a trace against every rule: first what makes it a trace, then what makes it a plausible run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import islice
from typing import Final, NamedTuple

from corpus.model.finding import ERROR, Finding
from corpus.traces import trace_rules as rules
from corpus.traces.checks import consistency, lifecycle, ordering
from corpus.traces.measures import untrusted_flow as taint
from corpus.traces.model import Trace
from corpus.traces.reading.decoding import decode, placed
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

MOST: Final = 100
"""Findings that are listed for one check of one trace; a million events can break one rule a million times."""

EACH: Final = 10
"""Findings that are shown of one broken trace by those who only leave it out."""

CHECKS: Final[tuple[Callable[[Run], Iterator[Problem]], ...]] = (
    ordering.order,
    ordering.ends,
    lifecycle.lifetimes,
    lifecycle.open_calls,
    lifecycle.returns,
    taint.spread,
    lifecycle.names,
    ordering.reach,
    consistency.edge_types,
    consistency.costs,
    ordering.wall_clock,
    ordering.after_end,
    consistency.topology,
)


class Checked(NamedTuple):
    """What validation found.

    Attributes
    ----------
    run : Run or None
        The run, for whatever comes next; None where there is an error.
    findings : list of Finding
        Sorted by place.
    unlisted : int
        Further findings of checks that found more than :data:`MOST`.
    """

    run: Run | None
    findings: list[Finding]
    unlisted: int


def validate(
    document: TraceText, *, strict: bool = False, ignored: Set[str] = frozenset(), counted: Set[str] = frozenset()
) -> Checked:
    """Decode and check one document.

    Warnings are looked for only in a trace without errors, since the graph is not defined otherwise.

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
    run, findings = sound_run(document)
    if run is None:
        return Checked(None, sorted(f for f in findings if f.code not in ignored), 0)
    found: list[Problem] = []
    unlisted = 0
    for check in CHECKS:
        listed = 0
        for problem in check(run):
            code = problem.rule.code
            if code not in ignored:
                listed += 1
                if listed > MOST or code in counted:
                    unlisted += 1
                else:
                    found.append(problem)
    if found:
        findings = findings + placed(document, found)
    if findings:
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
    """What was found in one document: its findings, and how many more there are."""

    findings: list[Finding]
    unlisted: int


def check(item: TraceText | Finding, policy: Policy) -> Found:
    """Validate one document; a finding in its place is what the reader had to say."""
    if isinstance(item, TraceText):
        checked = validate(item, strict=policy.strict, ignored=policy.ignored, counted=policy.counted)
        return Found(checked.findings, checked.unlisted)
    return Found([] if item.code in policy.ignored else [item], 0)


def sound_run(document: TraceText) -> tuple[Run | None, list[Finding]]:
    """Decode one document into a run, or into None with the errors OT001 to OT005 that forbid it."""
    trace, findings = decode(document)
    if trace is None:
        return None, findings
    try:
        run = Run(trace)
        if len(run.index) == len(run.events):
            return run, findings
    except KeyError:
        pass
    return None, findings + placed(document, list(islice(identities(trace), MOST)))


def identities(trace: Trace) -> Iterator[Problem]:
    """OT002 and OT003: ids used twice, edges to no event."""
    first: dict[str, int] = {}
    for place, event in enumerate(trace.events):
        known = first.setdefault(event.id, place)
        if known != place:
            yield Problem(rules.DUPLICATE_ID, f"/events/{place}/id", event.id, {"first": f"/events/{known}"})
    for place, edge in enumerate(trace.edges):
        for end, name in (("src", edge.src), ("dst", edge.dst)):
            if name not in first:
                yield Problem(rules.DANGLING_EDGE, f"/edges/{place}/{end}", name, {"end": end})
