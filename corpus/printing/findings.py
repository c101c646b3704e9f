"""Findings as text, JSON and GitHub annotations; one list, three sinks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from corpus.model.finding import Finding
from corpus.printing.escape import github_message, github_property, terminal

#: GitHub shows at most this many annotations of one kind for a step.
ANNOTATIONS = 10


def findings_text(findings: Sequence[Finding]) -> str:
    """One finding a paragraph: place, code, message, hint; sorted by place. A hint for several in a row stands once."""
    ordered = sorted(findings)
    lines = []
    for number, finding in enumerate(ordered, start=1):
        lines.append(f"{_place(finding)}: {finding.severity} {finding.code} {terminal(finding.message)}")
        same = number < len(ordered) and ordered[number].code == finding.code and ordered[number].hint == finding.hint
        if finding.hint and not same:
            lines.append(f"    {terminal(finding.hint)}")
    return "".join(line + "\n" for line in lines)


def _place(finding: Finding) -> str:
    place = terminal(finding.file)
    if finding.line:
        place += f":{finding.line}"
        if finding.char:
            place += f":{finding.char}"
    return place + (f" [{terminal(finding.column)}]" if finding.column else "")


def findings_json(findings: Sequence[Finding]) -> str:
    """All findings as one JSON document with counts."""
    document = {
        "errors": sum(finding.is_error for finding in findings),
        "warnings": sum(not finding.is_error for finding in findings),
        "findings": [finding.as_dict() for finding in sorted(findings)],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def findings_github(findings: Sequence[Finding], limit: int = ANNOTATIONS) -> str:
    """Workflow commands that GitHub shows on the lines of a pull request; errors first, then "+N more".

    No code takes all the places: its fourth finding and those after it stand behind the first ones of other codes.
    """
    ordered = _varied(sorted(findings, key=lambda finding: (not finding.is_error, finding)))
    lines = [_annotation(finding) for finding in ordered[:limit]]
    if len(ordered) > limit:
        more = len(ordered) - limit
        lines.append(f"::warning title=+{more} more::+{more} more findings; the log and the job summary list them all")
    return "".join(line + "\n" for line in lines)


def _varied(findings: Sequence[Finding], first: int = 3) -> list[Finding]:
    """Put what is beyond the first few of a code behind everything else of its severity."""
    seen: Counter[str] = Counter()
    ranked = []
    for place, finding in enumerate(findings):
        seen[finding.code] += 1
        ranked.append((not finding.is_error, seen[finding.code] > first, place, finding))
    return [finding for *_, finding in sorted(ranked)]


def _annotation(finding: Finding) -> str:
    places = [f"file={github_property(finding.file)}"]
    if finding.line:
        places.append(f"line={finding.line}")
        if finding.char:
            places.append(f"col={finding.char}")
    column = f" [{finding.column}]" if finding.column else ""
    places.append(f"title={github_property(finding.code + column)}")
    hint = f" — {finding.hint}" if finding.hint else ""
    kind = "error" if finding.is_error else "warning"
    return f"::{kind} {','.join(places)}::{github_message(finding.message + hint)}"


RENDERERS = {"text": findings_text, "json": findings_json, "github": findings_github}
