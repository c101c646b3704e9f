from corpus.analysis.cards.card import Card, CardLine
from corpus.publishing.appendix.card_part import card_part
from corpus.publishing.appendix.long_table import em_width

FULL = Card(
    key="ada",
    title="Rain",
    summary="It listens to rain.",
    people="A. Ward et al.",
    published="Soil, 2020",
    address="https://a.example/(x)",
    lines=(CardLine("Boundary", ("one farm", "on sand")),),
)
BARE = Card("bob", "Birches", "", "", "", "", (CardLine("Neighbours", ("none",)),))


def rows(sheet):
    (block,) = sheet.blocks
    return [(label.text, cell.text) for label, cell in block.rows]


def test_a_card_is_a_table_of_labels_and_texts():
    part = card_part([FULL, BARE])
    assert [(sheet.id, sheet.title) for sheet in part.sheets] == [
        ("ada", "Rain"),
        ("bob", "Birches"),
    ]
    assert rows(part.sheets[0]) == [
        ("Contribution", "It listens to rain."),
        ("Boundary", "one farm · on sand"),
        ("Address", "https://a.example/(x)"),
    ]
    (block,) = part.sheets[0].blocks
    assert block.rows[-1][1].link == "https://a.example/%28x%29"
    assert rows(part.sheets[1]) == [("Neighbours", "none")]
    assert card_part([]).sheets == ()


def test_an_address_that_no_browser_opens_is_not_printed():
    (sheet,) = card_part([FULL._replace(address="javascript:alert(1)")]).sheets
    assert [label for label, _ in rows(sheet)] == ["Contribution", "Boundary"]


def test_key_people_and_venue_are_the_head():
    heads = [[field.head for field in sheet.fields] for sheet in card_part([FULL, BARE]).sheets]
    assert heads == [["ada", "A. Ward et al. Soil, 2020"], ["bob", ""]]


def test_the_column_of_labels_has_place_for_the_widest_label_and_half_the_key():
    (labels, _) = card_part([FULL]).sheets[0].fields
    assert labels.em == round(em_width("Contribution") + 0.35, 2)
    (labels, _) = card_part([FULL._replace(key="k" * 60)]).sheets[0].fields
    assert labels.em == round(em_width("k" * 60) / 1.6 + 0.35, 2)
