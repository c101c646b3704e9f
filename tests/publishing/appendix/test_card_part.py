from dataclasses import replace

from corpus.analysis.cards.card import Card, CardLine
from corpus.publishing.appendix.parts import card_part

FULL = Card(
    key="ada",
    title="Rain",
    summary="It listens to rain.",
    people="A. Ward et al.",
    published="Soil, 2020",
    address="https://a.example/(x)",
    lines=(CardLine("Boundary", ("one farm", "on sand")),),
)


def rows(sheet):
    (block,) = sheet.blocks
    return [(label.text, cell.text) for label, cell in block.rows]


def test_an_address_that_no_browser_opens_is_not_printed():
    (sheet,) = card_part([replace(FULL, address="javascript:alert(1)")]).sheets
    assert [label for label, _ in rows(sheet)] == ["Contribution", "Boundary"]
