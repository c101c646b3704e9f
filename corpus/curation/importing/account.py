"""The account of an import: the count of its source compared with what became of it.

What did not fit is listed in a form that a person can act on.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from textwrap import shorten
from typing import NamedTuple

from corpus.curation.importing.readers.records import SKIPPED, LeftOut, Records, texts_of
from corpus.curation.importing.source_count import Counted, identifiers_of
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.printing.grid import first_of

UNACCOUNTED = Rule(
    "I120",
    "this {what}, and is neither in a row nor reported; so are {lost} of {all}",
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
    works : int
        What looks like a work by the count of its own.
    rows : int
        Rows of the new tables.
    fates : dict of str to int
        Works by what became of them: "in rows", "merged", and reasons for which they are left out.
    identifiers, in_rows, reported : int
        Different identifiers in the source, those of them in rows, and those that are in what was
        left out for a stated reason.
    lost : list of Counted
        What looks like a work and is neither a row nor reported.
    lost_identifiers : list of Counted
        Identifiers that are nowhere.
    """

    def __init__(
        self,
        records: Records,
        kept: Collection[int],
        used: Iterable[str],
        beside: Iterable[str],
        left_out: Iterable[LeftOut] = (),
    ) -> None:
        works, identifiers = records.counted
        self.works, self.rows = len(works), len(kept)
        self.fates: Counter[str] = Counter()
        self.identifiers, self.in_rows, self.reported = len(identifiers), 0, 0
        self.lost: list[Counted] = []
        self.lost_identifiers: list[Counted] = []
        passed_over = [*records.left_out, *left_out]
        for finding in records.findings:
            if finding.code == SKIPPED.code:
                passed_over.append(LeftOut("skipped with a warning", finding.line, number=1))
        reasons: dict[int, str] = {}
        passed = "\n".join(beside)
        starts = sorted({*kept, *(each.line for each in passed_over)})
        for each in passed_over:
            passed += f"\n{each.text}"
            if each.line:
                # Without an end of its own, it ends where the next record begins.
                following = bisect_right(starts, each.line)
                end = each.end or next(islice(starts, following, None), each.line + 1)
                for line in range(each.line, end):
                    reasons.setdefault(line, each.reason)
        if works and works[0].place:
            for work in works:
                if work.place in kept:
                    self.fates[_IN_ROWS] += 1
                elif work.place in reasons:
                    self.fates[reasons[work.place]] += 1
                else:
                    self.lost.append(work)
        else:
            self.fates[_IN_ROWS] = min(self.rows, self.works)
            for each in passed_over:
                self.fates[each.reason] += min(each.number, self.works - self.fates.total())
            self.lost += works[self.fates.total() :]
        in_rows = "\n".join(used)
        known, told = identifiers_of(in_rows), identifiers_of(passed)
        # An identifier may be cut elsewhere than in the source, such as before a bracket.
        haystack = in_rows.casefold()
        for name, line in identifiers.items():
            if name in known:
                self.in_rows += 1
            elif name in told or line in reasons:
                self.reported += 1
            elif name in haystack:
                self.in_rows += 1
            else:
                self.lost_identifiers.append(Counted(line, name))

    @property
    def is_closed(self) -> bool:
        """Whether enough is accounted for: every identifier, and nearly all that are works."""
        return not self.lost_identifiers and len(self.lost) <= MOST_LOST * self.works

    def line(self) -> str:
        """Return the account in one line."""
        if not self.works and not self.identifiers:
            return f"account: {self.rows:,} records; there was nothing to count them by"
        fates = [f"{number:,} {fate}" for fate, number in self.fates.items() if number]
        fates.append(f"{len(self.lost):,} not accounted for")
        names = f"{self.in_rows:,} in rows"
        if self.reported:
            names += f", {self.reported:,} reported"
        return (
            f"account: {self.works:,} look like works: {', '.join(fates)}; "
            f"{self.identifiers:,} identifiers: {names}, "
            f"{len(self.lost_identifiers):,} not accounted for"
        )

    def details(self) -> list[str]:
        """Return a line for each work and identifier that is not accounted for."""
        lines = []
        for place, text in self.lost:
            lines.append(f"line {place}: looks like a work: {text}")
        for place, text in self.lost_identifiers:
            lines.append(f"line {place}: identifier {text}")
        return lines

    def refuse_open(self, shown: str, force: bool) -> None:
        """Refuse an import whose account does not close.

        Raises
        ------
        CorpusError
            I120 for the first places that are lost, unless `force`.
        """
        if self.is_closed or force:
            return
        findings = []
        for what, lost, all_ in (
            ("looks like a work", self.lost, self.works),
            ("is an identifier", self.lost_identifiers, self.identifiers),
        ):
            number, of = f"{len(lost):,}", f"{all_:,}"
            for place, text in lost[:SHOWN]:
                rule = UNACCOUNTED
                findings.append(rule.at(shown, place, value=text, what=what, lost=number, all=of))
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
    found.refuse_open(records.shown, force)
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
        places = first_of([str(cell.line) for cell in cells], _MOST_LINES)
        problems.append(ImportProblem(*kind, len(cells), places, tuple(values)[:_EXAMPLES]))
    return sorted(problems, key=lambda problem: -problem.number)


def _kind_of(message: str) -> str:
    """Return a message without the value that it quotes, so that equal problems are one."""
    before, _, rest = message.partition("'")
    _, quote, after = rest.rpartition("'")
    if not quote:
        return message
    return f"{before}…{after}"
