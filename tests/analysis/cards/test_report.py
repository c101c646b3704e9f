"""Cards as text for a terminal, and as JSON."""

import json

from corpus.analysis.cards.card import Card, CardLine, cards_json, cards_text

FEN = Card(
    key="fen",
    title="Light in the fen",
    summary="It measures light.",
    people="Bo Moor et al.",
    published="Fen 2021",
    address="https://fen.example/paper",
    lines=(CardLine("Depth", ("surface",)), CardLine("Open cells", ("deep", "rock with salt"))),
)
BARE = Card("bog", "bog", "", "", "", "", ())


def test_what_is_not_known_leaves_no_line_and_cards_are_apart():
    assert cards_text([BARE, BARE], 80) == "bog\nbog.\n\n\nbog\nbog.\n\n"
    assert cards_text([], 80) == ""


def test_long_items_go_on_below_themselves_and_addresses_stay_whole():
    long = FEN._replace(lines=(CardLine("Depth", ("https://fen.example/" + "a" * 40, "deep")),))
    text = cards_text([long], 30).splitlines()
    assert text[-2:] == ["       https://fen.example/" + "a" * 40, "       · deep"]


def test_control_characters_reach_no_terminal():
    hostile = "\x1b[31mred"
    card = FEN._replace(
        title=hostile, summary=hostile, people=hostile, lines=(CardLine(hostile, (hostile,)),)
    )
    assert "\x1b" not in cards_text([card], 80)


def test_json_has_every_field_and_each_item_on_its_own():
    (document,) = json.loads(cards_json([FEN]))
    assert document == {
        "key": "fen", "title": "Light in the fen", "summary": "It measures light.",
        "people": "Bo Moor et al.", "published": "Fen 2021", "address": "https://fen.example/paper",
        "lines": [
            {"label": "Depth", "items": ["surface"]},
            {"label": "Open cells", "items": ["deep", "rock with salt"]},
        ],
    }  # fmt: skip
    assert json.loads(cards_json([])) == []
