"""Findings of a corpus that is checked in a temporary folder, as the user is to see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corpus.model.finding import Finding


def relocated(finding: Finding, staged: str, shown: str) -> Finding:
    """Return a finding with the user's folder in place of the temporary one.

    Parameters
    ----------
    finding : Finding
        From the temporary folder.
    staged : str
        The temporary folder, as findings show it.
    shown : str
        The user's folder, as findings show it.
    """
    return finding._replace(
        file=finding.file.replace(staged, shown),
        message=finding.message.replace(staged, shown),
        hint=finding.hint.replace(staged, shown),
    )


def new_findings(found: Iterable[Finding], known: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are not among the known ones; equal ones are counted.

    Lines are not compared: an added row moves all below it.
    """
    unmatched = Counter(map(_without_line, known))
    new = []
    for finding in found:
        same = _without_line(finding)
        if unmatched[same]:
            unmatched[same] -= 1
        else:
            new.append(finding)
    return new


def _without_line(finding: Finding) -> tuple[str, ...]:
    return finding.file, finding.code, finding.column, finding.value
