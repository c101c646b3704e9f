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
    """What a row says about which work it is."""

    identities: frozenset[str]
    title: str


def work(table: Table, row: Row) -> WorkView:
    """Return the identifiers and the normal title in a row."""
    columns = list(zip(table.spec.columns, row, strict=True))
    cells = [
        cell for c, cell in columns if c.type in ("arxiv", "doi", "url") or c.role == "identifier"
    ]
    return WorkView(identities(*cells), normal_title(title_of(table, row)))


def title_of(table: Table, row: Row) -> str:
    """Return the cell in the column with the role `title`, or an empty string."""
    column = table.spec.by_role("title")
    return row[table.spec.position(column.name)] if column else ""


class WorkIndex:
    """Works by name, to be asked which of them a row is.

    Parameters
    ----------
    views : mapping of str to WorkView
        The works.
    asked : int
        How often :meth:`find` will be called; it looks for no near titles where that would take too
        long.
    """

    def __init__(self, views: Mapping[str, WorkView], asked: int) -> None:
        self.by_identity = {
            identity: name for name, view in views.items() for identity in view.identities
        }
        self.by_title: dict[str, str] = {}
        for name, view in views.items():
            if view.title:
                self.by_title.setdefault(view.title, name)
        self.near = asked * len(views) <= TRIED

    def find(self, view: WorkView) -> tuple[str, str] | None:
        """Return the name of the same work and what shows it: the identifier, or ``title``."""
        for identity in sorted(view.identities):
            if identity in self.by_identity:
                return self.by_identity[identity], identity
        if not view.title:
            return None
        if view.title in self.by_title:
            return self.by_title[view.title], "title"
        if self.near:
            found = process.extractOne(
                view.title, self.by_title.keys(), scorer=fuzz.ratio, score_cutoff=NEAR
            )
            return (self.by_title[found[0]], "title") if found else None
        return None
