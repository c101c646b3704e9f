"""Keep parts of an author's file current: the text between two markers is replaced, nothing else.

Markdown and HTML: ``<!-- corpus: NAME -->84<!-- /corpus -->``, in a line or around whole lines.
LaTeX: a line ``% corpus: NAME``, the generated lines, a line ``% /corpus``. Markers in fenced code
of Markdown are left alone.
"""

import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

from corpus.analysis.counting.report import crosstab_grid, margin_grid
from corpus.analysis.numbers.main_finding import main_finding
from corpus.analysis.numbers.number_rules import OPEN_MARKER, STALE_MARKER, UNKNOWN_NAME
from corpus.analysis.numbers.published import published_numbers
from corpus.model.finding import CorpusError, Finding, UsageProblem, closest
from corpus.model.study import Study
from corpus.printing.grid import grid_in
from corpus.printing.templates import ESCAPES
from corpus.publishing.appendix.appendix import paper_list
from corpus.tables.fast.tally import contingency_of

#: The sink of a file by its ending.
SINKS = {
    ".md": "md",
    ".markdown": "md",
    ".tex": "tex",
    ".ltx": "tex",
    ".html": "html",
    ".htm": "html",
}

_COMMENT = re.compile(
    r"<!--[ \t]*corpus:[ \t]*(?P<name>[^\s<>]+)[ \t]*-->|<!--[ \t]*/corpus[ \t]*-->"
)
_LINE = re.compile(
    r"^[ \t]*%[ \t]*corpus:[ \t]*(?P<name>\S+)[ \t]*\n|^[ \t]*%[ \t]*/corpus[ \t]*$", re.MULTILINE
)
_FENCE = re.compile(
    r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)


def sink_of(path: str) -> str:
    """Return the sink of a file by its ending; UsageProblem where it is none of :data:`SINKS`."""
    ending = Path(path).suffix.lower()
    if ending not in SINKS:
        raise UsageProblem(
            f"{path}: the ending must tell the language; known endings: {', '.join(SINKS)}"
        )
    return SINKS[ending]


def printed_names(study: Study, sink: str) -> dict[str, str]:
    """Return what an author's file may name, in the language of a sink (``md``, ``tex``, ``html``).

    Every published number has its name. ``table-AXIS`` and ``table-CROSSTAB`` are the tables of
    `corpus stats`; ``finding`` is the main finding where the codebook declares one; ``papers`` is
    the list of entries (Markdown only).
    """
    print_text = ESCAPES[sink]
    book, counted = study.codebook, contingency_of(study)
    names = {name: print_text(number.text) for name, number in published_numbers(study).items()}
    grids = {margin.column.name: margin_grid(margin, labels=True) for margin in counted.margins()}
    for declared in book.crosstabs:
        crossed = counted.crosstab(declared.rows, declared.columns)
        grids[declared.id] = crosstab_grid(crossed, declared.title, labels=True)
    for name, grid in grids.items():
        if sink == "md":
            # The author's own text has the heading.
            grid = grid._replace(title="")
        names[f"table-{name}"] = grid_in(sink, [grid])
    if "finding" in book.settings:
        names["finding"] = print_text(main_finding(study))
    if sink == "md":
        names["papers"] = paper_list(study)
    return names


def renew(text: str, sink: str, names: Mapping[str, str], shown: str) -> tuple[str, list[Finding]]:
    """Replace the text between markers.

    Returns
    -------
    text : str
        The file with every marked text as it is now.
    stale : list of Finding
        One R123 for each marked text that has changed.

    Raises
    ------
    CorpusError
        R121 for unknown names, R122 for a marker without its end; nothing is replaced then.
    """
    pattern, ending = _COMMENT, "<!-- /corpus -->"
    if sink == "tex":
        pattern, ending = _LINE, "% /corpus"
    fences = []
    if sink == "md":
        fences = [match.span() for match in _FENCE.finditer(text)]
    markers = []
    for marker in pattern.finditer(text):
        # A marker in a block of code is an example.
        if not any(start <= marker.start() < end for start, end in fences):
            markers.append(marker)
    pieces = []
    stale = []
    findings = []
    done = 0
    for marker, closing in zip_longest(markers, markers[1:]):
        name = marker["name"]
        place = (shown, text.count("\n", 0, marker.start()) + 1)
        if name is None:
            # An end without a beginning closes nothing and does no harm.
            continue
        if closing is None or closing["name"]:
            findings.append(OPEN_MARKER.at(*place, value=name, end=ending))
        elif name not in names:
            advice = "check the spelling"
            for nearest in closest(name, names):
                advice = f"did you mean {nearest}?"
            findings.append(UNKNOWN_NAME.at(*place, value=name, advice=advice))
        else:
            old = text[marker.end() : closing.start()]
            # The line breaks between a text and its markers stay.
            new = names[name].rstrip("\n")
            if sink == "tex":
                new += "\n"
            elif old.startswith("\n") or "\n" in new:
                new = f"\n{new}\n"
            if old != new:
                now = repr(new.strip()) if len(new) < 40 else "another text"
                stale.append(STALE_MARKER.at(*place, value=old.strip()[:80], name=name, now=now))
            pieces += [text[done : marker.end()], new]
            done = closing.start()
    if findings:
        raise CorpusError(findings)
    return "".join(pieces) + text[done:], stale
