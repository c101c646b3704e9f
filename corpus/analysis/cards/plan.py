"""What the codebook's section `[card]` declares: the lines of a card, one template for all."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, read_settings


class CardLinePlan(NamedTuple):
    """One line: its heading, columns of the pool, and columns of a table about the entry.

    `table` and `show` are empty where the line has cells of the pool only.
    """

    label: str
    columns: tuple[str, ...]
    table: str
    show: tuple[str, ...]


class CardPlan(NamedTuple):
    """A card: its lines in order.

    An entry with a row in the table of `parts` has a card with one line for each of its columns
    instead; `parts` is None where no such table is declared.
    """

    lines: tuple[CardLinePlan, ...]
    parts: CardLinePlan | None = None


def card_plan(book: Codebook) -> CardPlan:
    """Read ``[card]``; without the section, a card has a line for each axis.

    Parameters
    ----------
    book : Codebook
        The codebook.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    if "card" not in book.settings:
        axes = [CardLinePlan(axis.label, (axis.name,), "", ()) for axis in book.pool.axes]
        return CardPlan(tuple(axes))
    return read_settings(book, "card", read_card)


def read_card(section: Section) -> CardPlan:
    """Read ``[card]``; mistakes are in the findings of the section."""
    lines = tuple(_line(item) for item in section.sections("lines"))
    parts = None
    if section.has("parts"):
        declared = section.section("parts")
        table = declared.evidence_table("table")
        show = declared.columns("show", table) if table else declared.strings("show")
        parts = CardLinePlan("", (), table.name if table else "", show)
        declared.finish()
    section.finish()
    return CardPlan(lines, parts)


def _line(section: Section) -> CardLinePlan:
    label = section.text("label")
    columns = section.columns("columns", section.book.pool, default=())
    has_table = section.has("table") or section.has("show")
    table = section.evidence_table("table") if has_table else None
    show = section.columns("show", table) if table else section.strings("show", ())
    if not columns and not has_table:
        section.mistake("", "needs `columns` of the pool, or a `table` and what to `show` of it")
    section.allow(["table"])
    section.finish()
    return CardLinePlan(label, columns, table.name if table else "", show)
