"""Keep parts of an author's file current: what stands between two markers is replaced, nothing else is touched.

Markdown and HTML: ``<!-- corpus: NAME -->84<!-- /corpus -->``, in a line or around whole lines. LaTeX: a line
``% corpus: NAME``, the generated lines, a line ``% /corpus``. Markers in fenced code of Markdown are left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from corpus.analysis.numbers.number_rules import OPEN_MARKER, STALE_MARKER, UNKNOWN_NAME
from corpus.model.finding import CorpusError, Finding, UsageProblem

SINKS = {".md": "md", ".markdown": "md", ".tex": "tex", ".ltx": "tex", ".html": "html", ".htm": "html"}

_COMMENT = re.compile(r"<!--[ \t]*corpus:[ \t]*(?P<name>[^\s<>]+)[ \t]*-->|(?P<end><!--[ \t]*/corpus[ \t]*-->)")
_LINE = re.compile(
    r"^[ \t]*%[ \t]*corpus:[ \t]*(?P<name>\S+)[ \t]*\n|^(?P<end>[ \t]*%[ \t]*/corpus[ \t]*)$", re.MULTILINE
)
_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def sink_of(path: str) -> str:
    """Return the sink of a file by its ending; UsageProblem where it is none of :data:`SINKS`."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in SINKS:
        raise UsageProblem(f"{path}: the ending must say the language; known are {', '.join(SINKS)}")
    return SINKS[ending]


class Region(NamedTuple):
    """The text between two markers: where it starts and ends, on which line, and what it is to hold."""

    name: str
    start: int
    end: int
    line: int


def renew(text: str, sink: str, names: Mapping[str, str], shown: str) -> tuple[str, list[Finding]]:
    """Replace what stands between markers.

    Returns
    -------
    text : str
        The file with every region as it is now.
    stale : list of Finding
        One R123 for each region whose text has changed.

    Raises
    ------
    CorpusError
        R121 for unknown names, R122 for a marker without its end; nothing is replaced then.
    """
    regions, findings = _regions(text, sink, shown)
    findings += [_unknown(region, names, shown) for region in regions if region.name not in names]
    if findings:
        raise CorpusError(findings)
    pieces, stale, done = [], [], 0
    for region in regions:
        held = text[region.start : region.end]
        wanted = _framed(names[region.name], held, sink)
        if held != wanted:
            now = repr(wanted.strip()) if len(wanted) < 40 else "another text"
            stale.append(STALE_MARKER.at(shown, region.line, value=held.strip()[:80], name=region.name, now=now))
        pieces += [text[done : region.start], wanted]
        done = region.end
    return "".join([*pieces, text[done:]]), stale


def _framed(wanted: str, held: str, sink: str) -> str:
    """Return the new text of a region with the line breaks that its markers stand in."""
    whole = wanted.rstrip("\n")
    if sink == "tex":
        return whole + "\n"
    return f"\n{whole}\n" if held.startswith("\n") or "\n" in whole else whole


def _regions(text: str, sink: str, shown: str) -> tuple[list[Region], list[Finding]]:
    fences = [match.span() for match in _FENCE.finditer(text)] if sink == "md" else []
    marks = (_LINE if sink == "tex" else _COMMENT).finditer(text)
    regions, findings = [], []
    opened: tuple[str, int, int] | None = None
    ending = "% /corpus" if sink == "tex" else "<!-- /corpus -->"
    for mark in marks:
        if any(start <= mark.start() < end for start, end in fences):
            continue
        line = text.count("\n", 0, mark.start()) + 1
        if mark["end"]:
            if opened:
                regions.append(Region(opened[0], opened[1], mark.start(), opened[2]))
            opened = None
            continue
        if opened:
            findings.append(OPEN_MARKER.at(shown, opened[2], value=opened[0], end=ending))
        opened = (mark["name"], mark.end(), line)
    if opened:
        findings.append(OPEN_MARKER.at(shown, opened[2], value=opened[0], end=ending))
    return regions, findings


def _unknown(region: Region, names: Mapping[str, str], shown: str) -> Finding:
    close = get_close_matches(region.name, list(names), 1)
    advice = f"did you mean {close[0]}?" if close else "check the spelling"
    return UNKNOWN_NAME.at(shown, region.line, value=region.name, advice=advice)
