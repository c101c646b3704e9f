"""A check of tables is a function with one rule; what the catalogue prints is its docstring.

The first line of the docstring is the title. Below are the reason and an example, which the tests
run: cells of a made-up corpus, and what is found with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import cleandoc
from types import ModuleType
from typing import Any

from corpus.model.codebook import Codebook
from corpus.model.finding import ERROR, Finding, Rule
from corpus.model.study import Study
from corpus.tables.git.snapshot import Opener, no_file
from corpus.tables.sheet import ColumnarTable, Sheets

#: Where a table breaks a rule: row, column, the text that is wrong, words for the message.
Place = tuple[int, str, str | None, dict[str, Any]]


def at(position: int, column: str, value: str | None = None, **words: Any) -> Place:
    """Return a place; the text that is wrong is the cell, where it is not given."""
    return position, column, value, words


@dataclass(frozen=True)
class Tables:
    """The tables that are checked together; `study` has the documents, `opener` other files."""

    sheets: Sheets
    study: Study
    opener: Opener = no_file

    @property
    def book(self) -> Codebook:
        """The codebook."""
        return self.study.codebook

    @property
    def pool(self) -> ColumnarTable | None:
        """The pool; None where it could not be read."""
        return self.sheets.get(self.book.pool.name)

    def by_role(self, role: str) -> Iterator[ColumnarTable]:
        """Yield the tables with a role."""
        for sheet in self.sheets.values():
            if sheet.spec.role == role:
                yield sheet


#: Yields where a table breaks a rule.
Find = Callable[[ColumnarTable, Tables], Iterator[Place]]


@dataclass(frozen=True)
class Check:
    """A rule, and the function that finds where a table breaks it."""

    rule: Rule
    find: Find

    def findings(self, tables: Tables) -> list[Finding]:
        """Check every table that has rows."""
        found = []
        for sheet in tables.sheets.values():
            # Many releases of Arrow crash when they look for the rows of a mask without any.
            for position, column, value, words in self.find(sheet, tables) if len(sheet) else ():
                found.append(sheet.finding(self.rule, position, column, value, **words))
        return found


def rule(code: str, message: str, *, hint: str, severity: str = ERROR) -> Callable[[Find], Check]:
    """Declare a check; :class:`corpus.model.finding.Rule` tells what the words are."""

    def declare(find: Find) -> Check:
        title, *parts = cleandoc(find.__doc__ or "").split("\n\n")
        reason = " ".join(" ".join(part for part in parts if part[:3] != ">>>").split())
        example = "\n".join(part for part in parts if part[:3] == ">>>")
        words = {"title": title.rstrip("."), "reason": reason, "example": example}
        return Check(Rule(code, message, hint, severity, **words), find)

    return declare


def checks_of(*modules: ModuleType) -> list[Check]:
    """Return the checks that modules declare."""
    return [one for module in modules for one in vars(module).values() if isinstance(one, Check)]
