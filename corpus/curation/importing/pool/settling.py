"""Cells of a new row as the checks want them: fixed where that is safe, else sent to the notes.

The rules are those of `corpus check`, so what an import writes passes its own check.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from corpus.curation.check import check_rules as rules
from corpus.curation.check.cells import cell_trouble
from corpus.curation.importing.readers.bibtex.latex_text import formula_text, plain_text
from corpus.curation.importing.readers.records import plain
from corpus.model.codebook import Column
from corpus.model.finding import Rule

#: A cell of these types has a form; what has not is not a value of them.
_FORMED = frozenset(("arxiv", "doi", "url", "year", "date", "integer", "number", "key"))
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]{1,2}")


class Settled(NamedTuple):
    """A cell that passes the checks, and what had to be done: an empty problem where nothing was.

    Attributes
    ----------
    cell : str
        Empty where the value goes elsewhere.
    problem : str
        What was wrong with it.
    is_lost : bool
        Whether the value has to be kept in the notes.
    """

    cell: str
    problem: str = ""
    is_lost: bool = False


def settled_cell(cell: str, type_: str, today: date) -> Settled:
    """Return a cell as its type wants it.

    Examples
    --------
    >>> from datetime import date
    >>> settled_cell("=1+1", "text", date(2026, 1, 1)).cell
    '“=1+1”'
    >>> settled_cell("2099", "year", date(2026, 1, 1))
    Settled(cell='', problem='year out of range', is_lost=True)
    """
    column = Column("", type_, "", "", "", False, "", "", "", False)
    broken = _broken(cell, column, today)
    if not broken:
        return Settled(cell)
    if rules.PLACEHOLDER in broken:
        return Settled("", "it is a placeholder")
    if type_ in _FORMED:
        return Settled("", _described(broken[0]), is_lost=True)
    fixed = cell
    if rules.MOJIBAKE in broken:
        fixed = _decoded(fixed)
    if rules.MARKUP in broken:
        fixed = plain_text(fixed)
        for formula in re.findall(r"\$[^$]*\$", fixed):
            fixed = fixed.replace(formula, formula_text(formula.strip("$")))
        fixed = fixed.replace("\\", "∖")
    if rules.NAMES_FORM in broken:
        names = filter(None, map(str.strip, fixed.split(";")))
        fixed = "; ".join(dict.fromkeys(names))
    fixed = plain(fixed)
    if rules.FORMULA in _broken(fixed, column, today):
        # A spreadsheet computes neither a dash nor words in quotation marks.
        if fixed.startswith("-"):
            fixed = f"– {fixed[1:].lstrip()}".strip()
        else:
            fixed = f"“{fixed}”"
    left = _broken(fixed, column, today)
    if rules.PLACEHOLDER in left or not fixed:
        return Settled("", "it has no content")
    if not left:
        return Settled(fixed, _described(broken[0]))
    return Settled("", _described(left[0]), is_lost=True)


def _broken(cell: str, column: Column, today: date) -> list[Rule]:
    return [rule for rule, _ in cell_trouble(cell, column, today)]


def _described(rule: Rule) -> str:
    return rule.title[:1].lower() + rule.title[1:]


def _decoded(text: str) -> str:
    """Return a text whose UTF-8 was read as Latin-1 as it was, where that can be told."""

    def again(match: re.Match[str]) -> str:
        try:
            return match[0].encode("cp1252").decode("utf-8")
        except UnicodeError:
            return re.sub("[ÂÃâ]", "", match[0])

    return _MOJIBAKE.sub(again, text)
