"""Which rows are one work: by a shared identifier, by the same title, by nearly the same title."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rapidfuzz import fuzz, process

from corpus.model.identifiers import identities, normal_title
from corpus.model.table import Row, Table

#: From this similarity of normal titles on (percent), two rows are taken for one work.
NEAR = 90.0
#: At most so many pairs of titles are compared for nearness; `corpus check` finds near titles at
#: any size.
TRIED = 5_000_000


class WorkView(NamedTuple):
    """What identifies the work of a row: its identifiers and its normal title."""

    identities: frozenset[str]
    title: str


def work(table: Table, row: Row) -> WorkView:
    """Return the identifiers and the normal title in a row."""
    cells: list[str] = []
    for column, cell in zip(table.spec.columns, row, strict=True):
        if column.type in ("arxiv", "doi", "url") or column.role == "identifier":
            cells.append(cell)
    return WorkView(identities(*cells), normal_title(title_of(table, row)))


def title_of(table: Table, row: Row) -> str:
    """Return the cell in the column with the role `title`, or an empty string."""
    column = table.spec.by_role("title")
    if column is None:
        return ""
    return row[table.spec.position(column.name)]


class WorkIndex:
    """Works by name, to find out whether a row is one of them.

    Parameters
    ----------
    views : mapping of str to WorkView
        The works.
    asked : int
        How often :meth:`find` will be called; it looks for no near titles where that would take too
        long.
    """

    def __init__(self, views: Mapping[str, WorkView], asked: int) -> None:
        self.by_identity: dict[str, str] = {}
        self.by_title: dict[str, str] = {}
        for name, view in views.items():
            for identity in view.identities:
                self.by_identity.setdefault(identity, name)
            if view.title:
                self.by_title.setdefault(view.title, name)
        self.finds_near = asked * len(views) <= TRIED

    def find(self, view: WorkView) -> tuple[str, str] | None:
        """Return the name of the same work and what shows it: the identifier, or ``title``."""
        # Sorted, so that the answer does not depend on the order of a set.
        for identity in sorted(view.identities):
            if identity in self.by_identity:
                return self.by_identity[identity], identity
        title = self._same_or_near(view.title) if view.title else None
        if title is None:
            return None
        return self.by_title[title], "title"

    def _same_or_near(self, title: str) -> str | None:
        if title in self.by_title:
            return title
        if not self.finds_near:
            return None
        titles = self.by_title.keys()
        found = process.extractOne(title, titles, scorer=fuzz.ratio, score_cutoff=NEAR)
        if found is None:
            return None
        return found[0]
