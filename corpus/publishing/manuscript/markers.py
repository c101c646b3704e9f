"""Keep parts of an author's file current: the text between two markers is replaced, nothing else.

Markdown and HTML: ``<!-- corpus: NAME -->84<!-- /corpus -->``, in a line or around whole lines.
LaTeX: a line ``% corpus: NAME``, the generated lines, a line ``% /corpus``. Markers in fenced code
of Markdown are left alone.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from corpus.analysis.counting.statistics import crosstab_grid, margin_grid
from corpus.analysis.numbers.main_finding import main_finding
from corpus.analysis.numbers.published import published_numbers
from corpus.model.finding import WARNING, CorpusError, Finding, Rule, UsageProblem
from corpus.model.study import Study
from corpus.printing.sinks import grid_in
from corpus.printing.templates import ESCAPES
from corpus.publishing.appendix.appendix import paper_list
from corpus.tables.fast.tally import contingency_of

UNKNOWN_NAME = Rule(
    "R121",
    "no number, table or list is called {value}",
    "reports/numbers.md lists all numbers",
    title="Unknown name in a marker",
    reason="The text would stay as it is forever.",
)
OPEN_MARKER = Rule(
    "R122",
    "the marker for {value} has no end",
    "write {end} where the generated text is to end",
    title="Marker without an end",
    reason="The rest of the file would be replaced.",
)
STALE_MARKER = Rule(
    "R123",
    "{name} is now {now}",
    "run `corpus render {file}`",
    title="Marked text is stale",
    reason="The text no longer follows from the data.",
)
HTML_LINE = Rule(
    "R124",
    "the marker of {value} begins a line, so that Markdown reads the rest of the line as HTML",
    "write a word before it, or put it on its own line",
    WARNING,
    title="Marker at the beginning of a line of Markdown",
    reason="GitHub ends the paragraph there, and prints links and bold type literally.",
)
NEAR_MARKER = Rule(
    "R125",
    "{value} looks like a marker and is not one",
    "write corpus: NAME in small letters, and {end} at its end",
    WARNING,
    title="Nearly a marker",
    reason="Its text would never be renewed, and nothing would tell.",
)


#: The sink of a file by its ending.
SINKS = {
    ".md": "md",
    ".markdown": "md",
    ".tex": "tex",
    ".ltx": "tex",
    ".html": "html",
    ".htm": "html",
}

_FENCE = r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
_COMMENT = r"<!--[ \t]*corpus:[ \t]*%s[^\s<>]+)[ \t]*-->"
_LINE = r"^[ \t]*%%[ \t]*corpus:[ \t]*%s\S+)[ \t]*\n"


def _marked(marker: str, end: str) -> str:
    """Match a marked text; without its end it is up to the next marker, or to the end of the file.

    The name in the marker is a group, where ``%s`` opens it.
    """
    until = rf"(?P<end>{end})|(?={marker % '(?:'})|\Z"
    return rf"(?P<marker>{marker % '(?P<name>'})(?P<old>.*?)(?:{until})"


_IN_COMMENTS = _marked(_COMMENT, r"<!--[ \t]*/corpus[ \t]*-->")
#: What is renewed in each language, and what a marked text ends with.
_MARKED = {
    # A marker in a block of code is an example.
    "md": (re.compile(f"(?ms){_FENCE}|{_IN_COMMENTS}"), "<!-- /corpus -->"),
    "html": (re.compile(f"(?ms){_IN_COMMENTS}"), "<!-- /corpus -->"),
    "tex": (re.compile("(?ms)" + _marked(_LINE, r"^[ \t]*%[ \t]*/corpus[ \t]*$")), "% /corpus"),
}


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
    `corpus stats`, in LaTeX with an asterisk across both columns; ``finding`` is the main finding
    where the codebook declares one; ``papers`` is the list of entries (Markdown only).
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
        if sink == "tex":
            names[f"table-{name}*"] = grid_in(sink, [grid], wide=True)
    if "finding" in book.settings:
        names["finding"] = print_text(main_finding(study))
    if sink == "md":
        names["papers"] = paper_list(study)
    return names


#: What can be before an HTML block of Markdown on its line: quotes, items of lists, indentation.
_LINE_START = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*")
#: A comment that was to be a marker.
_MISSPELT = {
    "md": re.compile(r"(?i)<!--[ \t/]*corpus\b[^>]*>?"),
    "html": re.compile(r"(?i)<!--[ \t/]*corpus\b[^>]*>?"),
    "tex": re.compile(r"(?im)^[ \t]*%[% \t/]*corpus[ \t]*(?::.*)?$"),
}


def renew(text: str, sink: str, names: Mapping[str, str], shown: str) -> tuple[str, list[Finding]]:
    """Replace the text between markers.

    Returns
    -------
    text : str
        The file with every marked text as it is now.
    found : list of Finding
        One R123 for each marked text that has changed, and warnings: R124 where a marker turns a
        line of Markdown into HTML, R125 for what is nearly a marker.

    Raises
    ------
    CorpusError
        R121 for unknown names, R122 for a marker without its end; nothing is replaced then.
    """
    pattern, ending = _MARKED[sink]
    found = []
    findings = []

    def renewed(block: re.Match[str]) -> str:
        name = block["name"]
        place = (shown, text.count("\n", 0, block.start()) + 1)
        if name is None:
            return block[0]
        if block["end"] is None:
            findings.append(OPEN_MARKER.at(*place, value=name, end=ending))
        elif name not in names:
            findings.append(UNKNOWN_NAME.at(*place, value=name))
        else:
            old = block["old"]
            # The line breaks between a text and its markers stay.
            new = names[name].rstrip("\n")
            if sink == "tex":
                new += "\n"
            elif old.startswith("\n") or "\n" in new:
                new = f"\n{new}\n"
            before = text[text.rfind("\n", 0, block.start()) + 1 : block.start()]
            if sink == "md" and "\n" not in new and _LINE_START.fullmatch(before):
                found.append(HTML_LINE.at(*place, value=name))
            if old != new:
                now = repr(new.strip()) if len(new) < 40 else "another text"
                found.append(STALE_MARKER.at(*place, value=old.strip()[:80], name=name, now=now))
            return block["marker"] + new + block["end"]
        return block[0]

    new_text = pattern.sub(renewed, text)
    if findings:
        raise CorpusError(findings)
    others = pattern.sub(lambda block: "\n" * block[0].count("\n"), text)
    for near in _MISSPELT[sink].finditer(others):
        line = others.count("\n", 0, near.start()) + 1
        found.append(NEAR_MARKER.at(shown, line, value=near[0].strip(), end=ending))
    return new_text, found
