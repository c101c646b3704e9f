"""Findings as text, as JSON and as GitHub annotations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from corpus.model.finding import ERROR, TO_DO, WARNING, Finding
from corpus.printing.escape import github_message, github_property, terminal
from corpus.printing.json_document import json_text

#: GitHub shows at most this many annotations of one kind for a step.
ANNOTATIONS = 10


def findings_text(findings: Iterable[Finding]) -> str:
    """Return a paragraph per finding, sorted by place: place, code, message, hint.

    A hint that several findings in a row share is printed once, after the last of them.
    """
    lines = []
    for (code, hint), row in groupby(sorted(findings), attrgetter("code", "hint")):
        for finding in row:
            message = terminal(finding.message)
            lines.append(f"{_place(finding)}: {finding.severity} {code} {message}\n")
        if hint:
            lines.append(f"    {terminal(hint)}\n")
    return "".join(lines)


def _place(finding: Finding) -> str:
    place = terminal(finding.file)
    if finding.line:
        place += f":{finding.line}"
        if finding.char:
            place += f":{finding.char}"
    if finding.column:
        place += f" [{terminal(finding.column)}]"
    return place


def findings_json(findings: Sequence[Finding], **more: Any) -> str:
    """Return all findings as one JSON document with counts and `more`."""
    listed = [finding._asdict() for finding in sorted(findings)]
    return json_text({**counts(findings), "findings": listed, **more})


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many of the findings are errors, warnings and to-dos."""
    found = Counter(map(attrgetter("severity"), findings))
    return {"errors": found[ERROR], "warnings": found[WARNING], "todos": found[TO_DO]}


def findings_github(findings: Iterable[Finding], limit: int = ANNOTATIONS) -> str:
    """Return workflow commands that GitHub shows on the lines of a pull request.

    Parameters
    ----------
    findings : iterable of Finding
        In any order; errors are annotated first.
    limit : int
        How many are annotated. Where there are more, one more command gives the number of the
        others.
    """
    ordered = sorted(sorted(findings), key=lambda one: (not one.is_error, one.is_todo))
    lines = list(map(_annotation, ordered[:limit]))
    if len(ordered) > limit:
        more = len(ordered) - limit
        message = f"+{more} more findings; the log and the job summary list them all"
        lines.append(f"::warning title=+{more} more::{message}\n")
    return "".join(lines)


def _annotation(finding: Finding) -> str:
    properties = [f"file={github_property(finding.file)}"]
    if finding.line:
        properties.append(f"line={finding.line}")
        if finding.char:
            properties.append(f"col={finding.char}")
    title = finding.code
    if finding.column:
        title += f" [{finding.column}]"
    properties.append(f"title={github_property(title)}")
    message = finding.message
    if finding.hint:
        message += f" — {finding.hint}"
    kind = "notice" if finding.is_todo else finding.severity
    return f"::{kind} {','.join(properties)}::{github_message(message)}\n"
