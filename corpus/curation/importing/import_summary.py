"""The summary of an import: a count of its source compared with what became of it.

The count reads the text with regular expressions. It shares no code with the readers, so that what
a reader does not understand is still counted: records where a format has a beginning of its own
for them, and identifiers everywhere.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from textwrap import shorten
from typing import Any

from corpus.curation.importing.readers.records import SKIPPED, LeftOut, Records, texts_of
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.printing.grid import first_of

UNACCOUNTED = Rule(
    "I120",
    "this {what}, neither in a row nor reported: {unmatched} of {all}",
    "compare the line with the format; to lose what is unmatched, use --force",
    title="Source is not accounted for",
    reason="More than one in twenty works, or an identifier, did not arrive anywhere, "
    "by a count that shares no code with the reader.",
)


#: Of arXiv (twice), DOI, OpenReview, ACL Anthology and DBLP.
_KINDS = (
    r"arxiv\.org/(?:abs|pdf|html|format|ps)/((?:[a-z-]+(?:\.[a-z]{2})?/)?[0-9.]{7,10})",
    r"arxiv:\s?([0-9]{4}\.[0-9]{4,5})",
    r"\b(10\.[0-9]{4,9}/[^\s\"'<>(){}\[\]|`*,;\\^]+)",
    r"openreview\.net/(?:forum|pdf)\?id=([\w-]{6,})",
    r"aclanthology\.org/((?:[0-9]{4}\.[a-z0-9_-]+\.[0-9]+|[a-z][0-9]{2}-[0-9]{4}))",
    r"dblp\.(?:org|uni-trier\.de)/rec/(?:html/)?((?:conf|journals|books|phd)/[\w./-]+)",
)
_IDENTIFIER = re.compile("|".join(_KINDS), re.IGNORECASE)
#: How formats protect characters of an identifier.
_ESCAPES = ((r"{\_}", "_"), (r"\_", "_"), (r"\/", "/"), ("&amp;", "&"), ("%2F", "/"), ("%2f", "/"))
_VERSION = re.compile(r"(?<=[0-9]{4})v[0-9]+$|\.pdf$|\.full$|[./]+$")
#: How a record of a format begins; of several ways the first that occurs. Nothing is lost by the
#: readers of CSV and JSON, which are those of Python.
_BEGINNINGS = {
    "bibtex": (r"^[ \t]*@[ \t]*(?!(?:comment|preamble|string|xdata|set)\b)[a-z]+\s*[{(]",),
    "ris": (r"^TY {0,2}-",),
    "wos": (r"^PT ",),
    "nbib": (r"^PMID *- *[0-9]", r"^OWN *-"),
    "xml": (r"<record(?: [^>]*)?>(?!\s*</)",),
    "jsonl": (r"^[ \t]*\{",),
}


def count_source(text: str, format_: str) -> tuple[int, Mapping[str, int]]:
    """Count the records of a source, and find every identifier.

    Parameters
    ----------
    text : str
        The text of the file; empty for workbooks, which only their readers can open.
    format_ : str
        The key of the format.

    Returns
    -------
    records : int
        0 where the format has no beginning of a record.
    identifiers : mapping of str to int
        Every different identifier, with the line where it is first.
    """
    number = 0
    for pattern in _BEGINNINGS.get(format_, ()):
        number = number or len(re.findall(pattern, text, re.MULTILINE | re.IGNORECASE))
    found: dict[str, int] = {}
    for line, words in enumerate(text.split("\n"), 1):
        for name in sorted(identifiers_of(words)):
            found.setdefault(name, line)
    return number, found


def identifiers_of(text: str) -> set[str]:
    """Return the identifiers in a text, in the form in which they are compared."""
    for written, meant in _ESCAPES:
        text = text.replace(written, meant)
    names = set()
    for match in _IDENTIFIER.finditer(text):
        name = match[match.lastindex or 0].casefold().rstrip(".:&?!")
        names.add(_VERSION.sub("", name.removeprefix("10.48550/arxiv.")))
    return {name for name in names if len(name) > 5}


#: Above this share of works that are not accounted for, an import is refused.
MOST_UNMATCHED = 0.05
#: Lines that a refusal names.
SHOWN = 8


class ImportSummary:
    """What became of a source: its own count compared with what was made of it.

    Parameters
    ----------
    records : Records
        What was left out, and the count of the source.
    kept : collection of int
        Places of the records that became rows.
    used, beside : iterable of str
        The texts of the rows, and of what was left out as the report tells.
    left_out : iterable of LeftOut
        What was left out besides.

    Attributes
    ----------
    sheet : str
        The sheet of a workbook.
    works : int
        Records by the count of its own; 0 where the format has nothing to count them by.
    rows : int
        Rows of the new tables.
    outcomes : dict of str to int
        Records by what became of them: "in rows", and reasons for which they are left out.
    unmatched : int
        Counted records that are neither a row nor reported.
    identifiers, in_rows, reported : int
        Different identifiers in the source, those of them in rows, and those that are in what was
        left out for a stated reason.
    unmatched_names : list of (int, str)
        Identifiers that are nowhere, with their lines.
    """

    def __init__(
        self,
        records: Records,
        kept: Collection[int],
        used: Iterable[str],
        beside: Iterable[str],
        left_out: Iterable[LeftOut] = (),
    ) -> None:
        self.works, identifiers = records.counted
        self.sheet, self.rows = records.sheet, len(kept)
        self.outcomes = Counter({"in rows": min(self.rows, self.works)})
        passed_over = [*records.left_out, *left_out]
        for finding in records.findings:
            if finding.code == SKIPPED.code:
                passed_over.append(LeftOut("skipped with a warning", finding.line, number=1))
        lines: set[int] = set()
        starts = sorted({*kept, *(each.line for each in passed_over)})
        for each in passed_over:
            self.outcomes[each.reason] += min(each.number, self.works - self.outcomes.total())
            if each.line:
                # Without an end of its own, it ends where the next record begins.
                following = bisect_right(starts, each.line)
                end = each.end or max(starts[following : following + 1], default=each.line + 1)
                lines.update(range(each.line, end))
        self.unmatched = self.works - self.outcomes.total()
        told = identifiers_of("\n".join([*beside, *(each.text for each in passed_over)]))
        # An identifier may be cut elsewhere than in the source, such as before a bracket.
        haystack = "\n".join(used).casefold()
        known = identifiers_of(haystack)
        reported = {name for name, line in identifiers.items() if name in told or line in lines}
        in_rows = {name for name in identifiers if name in known}
        in_rows |= {name for name in identifiers.keys() - reported if name in haystack}
        self.identifiers = len(identifiers)
        self.in_rows, self.reported = len(in_rows), len(reported - in_rows)
        accounted = in_rows | reported
        self.unmatched_names = [
            (line, name) for name, line in identifiers.items() if name not in accounted
        ]

    @property
    def is_closed(self) -> bool:
        """Whether enough is accounted for: every identifier, and nearly all records."""
        return not self.unmatched_names and self.unmatched <= MOST_UNMATCHED * self.works

    def line(self) -> str:
        """Return the summary in one line."""
        told = " of ".join(filter(None, ("import summary", self.sheet)))
        told += f": {self.works or self.rows:,} records"
        if self.works:
            parts = [f"{number:,} {name}" for name, number in self.outcomes.items() if number]
            told += f": {', '.join(parts) or 'none in rows'}, {self.unmatched:,} not accounted for"
        reported = f"{self.reported:,} reported, " if self.reported else ""
        return (
            f"{told}; {self.identifiers:,} identifiers: {self.in_rows:,} in rows, {reported}"
            f"{len(self.unmatched_names):,} not accounted for"
        )

    def details(self) -> list[str]:
        """Return a line for each identifier that is not accounted for."""
        return [f"line {line}: identifier {name}" for line, name in self.unmatched_names]

    def refuse_open(self, records: Records, force: bool) -> None:
        """Refuse an import whose summary does not add up.

        Raises
        ------
        CorpusError
            I120 for the first identifiers that are unmatched, and for records, unless `force`.
        """
        if self.is_closed or force:
            return
        findings = []
        if self.unmatched:
            numbers = {"unmatched": f"{self.unmatched:,}", "all": f"{self.works:,}"}
            findings.append(records.at(UNACCOUNTED, 0, what="file has records", **numbers))
        numbers = {"unmatched": f"{len(self.unmatched_names):,}", "all": f"{self.identifiers:,}"}
        for line, name in self.unmatched_names[:SHOWN]:
            about = {"what": "is an identifier", **numbers}
            findings.append(records.at(UNACCOUNTED, line, "", name, **about))
        raise CorpusError(findings)


def list_summary(
    records: Records, kept: Collection[int], why_not: str, columns: Collection[str], force: bool
) -> ImportSummary:
    """Return the summary of a list whose records are recognised, not imported.

    Parameters
    ----------
    records : Records
        What was read.
    kept : collection of int
        Places of the records that are used; the others are left out for the reason `why_not`.
    columns : collection of str
        The columns by which a work is recognised; identifiers elsewhere are of other works.

    Raises
    ------
    CorpusError
        I120 where the summary does not add up, unless `force`.
    """
    used: list[str] = []
    beside: list[str] = []
    left_out = []
    for row in records.rows:
        is_kept = row.place in kept
        if not is_kept:
            left_out.append(LeftOut(why_not, row.place, row.place + 1, 1))
        for name, cell in row.cells.items():
            texts = used if is_kept and name in columns else beside
            texts += texts_of(cell)
    found = ImportSummary(records, kept, used, beside, left_out)
    found.refuse_open(records, force)
    return found


#: Examples of what did not fit.
_EXAMPLES = 3
#: Lines that are listed of one kind of problem; there may be thousands.
_MOST_LINES = 12
_MOST_CHARACTERS = 80


def import_problems(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Group findings by what is wrong, the most frequent first: how many, where, some values.

    ``column`` is the code of the rule for lines that were not understood.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for cell in findings:
        kind = (cell.code or cell.column, _kind_of(cell.message), _kind_of(cell.hint))
        groups.setdefault(kind, []).append(cell)
    problems = []
    for (column, problem, outcome), cells in groups.items():
        values = [shorten(cell.value, _MOST_CHARACTERS, placeholder="…") for cell in cells]
        # Of a workbook: sheet and cell, behind the name of the file.
        where = [str(cell.line) if cell.line else cell.file.rpartition(":")[2] for cell in cells]
        about = {"column": column, "problem": problem, "outcome": outcome, "number": len(cells)}
        about["places"] = first_of(where, _MOST_LINES)
        problems.append({**about, "examples": [*dict.fromkeys(filter(None, values))][:_EXAMPLES]})
    return sorted(problems, key=lambda problem: -problem["number"])


def _kind_of(message: str) -> str:
    """Return a message without the value that it quotes, so that equal problems are one."""
    return re.sub("'.*'", "…", message, flags=re.DOTALL)
