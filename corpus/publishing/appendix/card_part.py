"""Cards as a part of the appendix: each is a table of two columns, and two fit on a page."""

from __future__ import annotations

import math
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

#: Characters on a line of the second column, and how high such a line and the heading of a card
#: are in lines of running text: measured on a landscape page, on the safe side.
_LINE, _HEIGHT, _HEADING = 150, 0.85, 5


#: A card with more lines starts a page of its own; TeX has no length for very many.
_PAGE = 45


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
        height = sum(math.ceil(len(cell.text) / _LINE) * _HEIGHT for _, cell in rows)
        needed_lines = min(_HEADING + math.ceil(height), _PAGE)
        blocks = [Block("", rows)]
        yield LongTable(card.key, card.title, fields, blocks, needed_lines=needed_lines)
