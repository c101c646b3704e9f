"""The frame that a figure draws: a small table of texts and numbers, written beside the figure as CSV."""

from __future__ import annotations

from typing import NamedTuple

Value = str | int | float


class Frame(NamedTuple):
    """Header and rows; a row is one mark of the figure."""

    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


#: How the group of the entries whose cell is empty is called in print.
NOT_GIVEN = "not given"


class TermLabel(NamedTuple):
    """A term with its label in print."""

    id: str
    label: str
