"""What did not fit at an import, in a form that a person can act on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import shorten
from typing import NamedTuple

from corpus.curation.importing.placing import Unplaced
from corpus.model.finding import Finding
from corpus.printing.findings import findings_text
from corpus.printing.grid import first_of

#: Examples of what did not fit.
_EXAMPLES = 3
#: Lines that are listed of one kind of problem; there may be thousands.
_MOST_LINES = 12
_MOST_CHARACTERS = 80
#: Findings of one file that are printed one by one; more are grouped.
_FEW = 20


class ImportProblem(NamedTuple):
    """Cells or lines with one problem: how many, where the first ones are, and some values."""

    column: str
    problem: str
    fate: str
    number: int
    places: str
    examples: tuple[str, ...]


def cell_problems(unplaced: Iterable[Unplaced]) -> list[ImportProblem]:
    """Group cells that did not fit by column and problem, the most frequent first."""
    groups: dict[tuple[str, str, str], list[Unplaced]] = {}
    for cell in unplaced:
        kind = (cell.column, _kind_of(cell.problem), _kind_of(cell.fate))
        groups.setdefault(kind, []).append(cell)
    problems = []
    for kind, cells in groups.items():
        values = dict.fromkeys(
            shorten(cell.value, _MOST_CHARACTERS, placeholder="…") for cell in cells if cell.value
        )
        places = first_of([str(cell.place) for cell in cells], _MOST_LINES)
        problems.append(ImportProblem(*kind, len(cells), places, tuple(values)[:_EXAMPLES]))
    return sorted(problems, key=lambda problem: -problem.number)


def line_problems(findings: Iterable[Finding]) -> list[ImportProblem]:
    """Group findings about lines of the source by code and message, the most frequent first."""
    return cell_problems(
        Unplaced(each.line, each.code, each.value, each.message, each.hint) for each in findings
    )


def finding_lines(findings: Sequence[Finding]) -> list[str]:
    """Return findings as lines of text: one for each kind, so that none hides the others."""
    if len(findings) <= _FEW:
        return findings_text(findings).splitlines()
    lines = []
    for problem in line_problems(findings):
        where = f"line {problem.places}"
        if problem.number > 1:
            where = f"{problem.number:,} times, lines {problem.places}"
        lines.append(f"{problem.column} {problem.problem}: {where}")
    return lines


def _kind_of(message: str) -> str:
    """Return a message without the value that it quotes, so that equal problems are one."""
    before, _, rest = message.partition("'")
    _, quote, after = rest.rpartition("'")
    if not quote:
        return message
    return f"{before}…{after}"
