"""Cards as text for a terminal, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from corpus.analysis.cards.card import Card
from corpus.printing.escape import terminal
from corpus.printing.json_document import json_text


def cards_text(cards: Sequence[Card], columns: int = 80) -> str:
    """Write cards for a terminal of so many columns, an empty line between two."""
    return "\n".join(_text(card, columns) for card in cards)


def _text(card: Card, columns: int) -> str:
    head = ". ".join(filter(None, (card.people.rstrip("."), card.published)))
    lines = textwrap.wrap(terminal(card.title), columns)
    for text in (f"{card.key}. {head}", card.address, card.summary):
        if text:
            lines += textwrap.wrap(terminal(text), columns, break_on_hyphens=False)
    wide = max((len(terminal(line.label)) for line in card.lines), default=0)
    lines.append("")
    for line in card.lines:
        text = f"{terminal(line.label):<{wide}}  {terminal(line.text)}"
        lines += textwrap.wrap(
            text,
            columns,
            subsequent_indent=" " * (wide + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "".join(f"{line}\n" for line in lines)


def cards_json(cards: Sequence[Card]) -> str:
    """Write cards as one JSON document."""
    document = []
    for card in cards:
        lines = [{"label": line.label, "items": list(line.items)} for line in card.lines]
        document.append({**card._asdict(), "lines": lines})
    return json_text(document)
