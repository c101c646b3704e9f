"""The account of an import: the count of its source compared with what became of it.

What did not fit is listed in a form that a person can act on.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable
from itertools import islice
from textwrap import shorten
from typing import NamedTuple

from corpus.curation.importing.readers.records import SKIPPED, LeftOut, Records, texts_of
from corpus.curation.importing.source_count import identifiers_of
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.printing.grid import first_of

UNACCOUNTED = Rule(
    "I120",
    "this {what}, neither in a row nor reported: {lost} of {all}",
    "compare the line with the format; where what is lost may be lost, use --force",
    title="Source is not accounted for",
    reason="More than one in twenty works, or an identifier, did not arrive anywhere, "
    "by a count that shares no code with the reader.",
)


#: Above this share of works that are not accounted for, an import is refused.
MOST_LOST = 0.05
#: Lines that a refusal names.
SHOWN = 8
_IN_ROWS = "in rows"


class Account:
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
    fates : dict of str to int
        Records by what became of them: "in rows", and reasons for which they are left out.
    lost : int
        Counted records that are neither a row nor reported.
    identifiers, in_rows, reported : int
        Different identifiers in the source, those of them in rows, and those that are in what was
        left out for a stated reason.
    lost_identifiers : list of (int, str)
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
        self.sheet = records.sheet
        self.rows = len(kept)
        self.identifiers, self.in_rows, self.reported = len(identifiers), 0, 0
        self.fates = {_IN_ROWS: min(self.rows, self.works)}
        passed_over = [*records.left_out, *left_out]
        for finding in records.findings:
            if finding.code == SKIPPED.code:
                passed_over.append(LeftOut("skipped with a warning", finding.line, number=1))
        lines: set[int] = set()
        starts = sorted({*kept, *(each.line for each in passed_over)})
        for each in passed_over:
            number = min(each.number, self.works - sum(self.fates.values()))
            self.fates[each.reason] = self.fates.get(each.reason, 0) + number
            if each.line:
                # Without an end of its own, it ends where the next record begins.
                following = bisect_right(starts, each.line)
                end = each.end or next(islice(starts, following, None), each.line + 1)
                lines.update(range(each.line, end))
        self.lost = self.works - sum(self.fates.values())
        passed = "\n".join([*beside, *(each.text for each in passed_over)])
        in_rows = "\n".join(used)
        known, told = identifiers_of(in_rows), identifiers_of(passed)
        # An identifier may be cut elsewhere than in the source, such as before a bracket.
        haystack = in_rows.casefold()
        self.lost_identifiers: list[tuple[int, str]] = []
        for name, line in identifiers.items():
            is_reported = name in told or line in lines
            if name in known or (name in haystack and not is_reported):
                self.in_rows += 1
            elif is_reported:
                self.reported += 1
            else:
                self.lost_identifiers.append((line, name))

    @property
    def is_closed(self) -> bool:
        """Whether enough is accounted for: every identifier, and nearly all records."""
        return not self.lost_identifiers and self.lost <= MOST_LOST * self.works

    def line(self) -> str:
        """Return the account in one line."""
        told = " of ".join(filter(None, ("account", self.sheet)))
        told += f": {self.works or self.rows:,} records"
        if self.works:
            fates = [f"{number:,} {fate}" for fate, number in self.fates.items() if number]
            told += f": {', '.join(fates) or 'none in rows'}"
            told += f", {self.lost:,} not accounted for"
        names = f"{self.in_rows:,} in rows"
        if self.reported:
            names += f", {self.reported:,} reported"
        lost = len(self.lost_identifiers)
        return f"{told}; {self.identifiers:,} identifiers: {names}, {lost:,} not accounted for"

    def details(self) -> list[str]:
        """Return a line for each identifier that is not accounted for."""
        return [f"line {line}: identifier {name}" for line, name in self.lost_identifiers]

    def refuse_open(self, records: Records, force: bool) -> None:
        """Refuse an import whose account does not close.

        Raises
        ------
        CorpusError
            I120 for the first identifiers that are lost, and for records, unless `force`.
        """
        if self.is_closed or force:
            return
        findings = []
        if self.lost:
            lost, of = f"{self.lost:,}", f"{self.works:,}"
            what = "file has records"
            findings.append(records.at(UNACCOUNTED, 0, what=what, lost=lost, all=of))
        number, of = f"{len(self.lost_identifiers):,}", f"{self.identifiers:,}"
        for line, name in self.lost_identifiers[:SHOWN]:
            what = "is an identifier"
            places = {"what": what, "lost": number, "all": of}
            findings.append(records.at(UNACCOUNTED, line, "", name, **places))
        raise CorpusError(findings)


def list_account(
    records: Records, kept: Collection[int], why_not: str, columns: Collection[str], force: bool
) -> Account:
    """Return the account of a list whose records are recognised, not imported.

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
        I120 where the account does not close, unless `force`.
    """
    used: list[str] = []
    beside: list[str] = []
    left_out = []
    for row in records.rows:
        is_kept = row.place in kept
        if not is_kept:
            left_out.append(LeftOut(why_not, row.place, row.place + 1, 1))
        for name, cell in row.cells.items():
            if is_kept and name in columns:
                used += texts_of(cell)
            else:
                beside += texts_of(cell)
    found = Account(records, kept, used, beside, left_out)
    found.refuse_open(records, force)
    return found


#: Examples of what did not fit.
_EXAMPLES = 3
#: Lines that are listed of one kind of problem; there may be thousands.
_MOST_LINES = 12
_MOST_CHARACTERS = 80


class ImportProblem(NamedTuple):
    """Cells or lines with one problem: how many, where the first ones are, and some values.

    `column` is the code of the rule for lines that were not understood.
    """

    column: str
    problem: str
    fate: str
    number: int
    places: str
    examples: tuple[str, ...]


def import_problems(findings: Iterable[Finding]) -> list[ImportProblem]:
    """Group findings of a rule, or of a column, by what is wrong, the most frequent first."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for cell in findings:
        kind = (cell.code or cell.column, _kind_of(cell.message), _kind_of(cell.hint))
        groups.setdefault(kind, []).append(cell)
    problems = []
    for kind, cells in groups.items():
        values = dict.fromkeys(
            shorten(cell.value, _MOST_CHARACTERS, placeholder="…") for cell in cells if cell.value
        )
        # Of a workbook: sheet and cell, behind the name of the file.
        where = [str(cell.line) if cell.line else cell.file.rpartition(":")[2] for cell in cells]
        places = first_of(where, _MOST_LINES)
        problems.append(ImportProblem(*kind, len(cells), places, tuple(values)[:_EXAMPLES]))
    return sorted(problems, key=lambda problem: -problem.number)


def _kind_of(message: str) -> str:
    """Return a message without the value that it quotes, so that equal problems are one."""
    before, _, rest = message.partition("'")
    _, quote, after = rest.rpartition("'")
    if not quote:
        return message
    return f"{before}…{after}"
