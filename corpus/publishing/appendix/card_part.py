"""Cards as a part of the appendix: each is a table of two columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.analysis.cards.card import Card
from corpus.printing.escape import web_address
from corpus.publishing.appendix.long_table import (
    AppendixPart,
    Block,
    LongTable,
    PrintedCell,
    PrintedColumn,
    em_width,
)


def card_part(cards: Sequence[Card]) -> AppendixPart:
    """Return cards as a part of the appendix."""
    return AppendixPart("cards", "Cards", (), tuple(_sheets(cards)))


def _sheets(cards: Sequence[Card]) -> Iterator[LongTable]:
    for card in cards:
        rows: list[tuple[PrintedCell, ...]] = []
        if card.summary:
            rows.append((PrintedCell("Contribution"), PrintedCell(card.summary)))
        for line in card.lines:
            rows.append((PrintedCell(line.label), PrintedCell(line.text)))
        address = web_address(card.address)
        if address:
            rows.append((PrintedCell("Address"), PrintedCell(card.address, link=address)))
        widest = max(em_width(label.text) for label, _ in rows)
        # The key is the head of the column of labels, and may break into two lines.
        width = max(widest, em_width(card.key) / 1.6)
        people = ". ".join(filter(None, (card.people.rstrip("."), card.published)))
        fields = (
            PrintedColumn(card.key, em=round(width + 0.35, 2)),
            PrintedColumn(people, share=0.999),
        )
        yield LongTable(card.key, card.title, fields, [Block("", rows)], small=False)
