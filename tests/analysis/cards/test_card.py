"""A card sums an entry up under the template that the codebook declares, or under its axes."""

from dataclasses import replace

import pytest

from corpus.analysis.cards.card import (
    LONGEST,
    MOST,
    Card,
    CardLine,
    card_plan,
    card_text,
    cards,
    keys_with_parts,
)
from tests.corpora.full import full
from tests.support.declared import declaration_findings

LINES = {
    "lines": [
        {"label": "Depth", "columns": ["depth"], "table": "judged", "show": ["at", "how"]},
        {"label": "Use", "columns": ["senses"], "table": "uses", "show": ["use", "proof"]},
        {"label": "Range", "table": "ranges", "show": ["of", "value", "unit"]},
    ]
}


def made(*keys, study=None):
    study = study or full(card=LINES)
    return cards(study, keys)


def lines_of(card):
    return {line.label: line.items for line in card.lines}


def test_declared_lines_hold_cells_of_the_pool_and_rows_about_the_entry():
    (ada,) = made("ada")
    lines = lines_of(ada)
    assert ada.title == "Rain above Ada's antenna"
    assert lines["Depth"] == ["surface", "surface, well"]
    assert lines["Range"] == ["life, 1500 days", "reach, 3 m"]
    assert lines["Boundary"] == ["one farm (uses)", "as sold (ranges)", "on sand (ranges)"]


def test_every_card_has_the_same_lines_also_where_nothing_is_known():
    first, last = made("ada", "eve")
    assert list(lines_of(first)) == list(lines_of(last))
    assert lines_of(last)["Range"] == ["nothing recorded"]


def test_many_rows_and_long_texts_are_cut():
    rows = [(f"r{n}", "ada", f"of {n}", "3", "m", "so " * 200) for n in range(9)]
    (ada,) = made("ada", study=full({"ranges": rows}, card=LINES))
    ranges = lines_of(ada)["Range"]
    assert (len(ranges), ranges[-1]) == (MOST + 1, f"and {9 - MOST} more")
    assert max(map(len, lines_of(ada)["Boundary"])) <= LONGEST + 2


def test_an_entry_with_parts_in_a_table_has_these_and_the_others_have_lines():
    card = {**LINES, "parts": {"table": "uses", "show": ["use", "proof", "limit"]}}
    study = full(card=card)
    assert keys_with_parts(study) == ["dot", "ada", "bob"]
    bob, cy = made("bob", "cy", study=study)
    # An empty cell is no line.
    assert lines_of(bob) == {"Use": ["farm"], "Proof": ["lab"]}
    assert [line.label for line in cy.lines][:3] == ["Depth", "Use", "Range"]


def plan(*lines):
    return card_plan(full(card={"lines": list(lines)}).codebook)


MISTAKES = [
    ({"label": "A"}, ""),
    ({"columns": ["depth"]}, "label"),
    ({"label": "A", "columns": ["dept"]}, "columns"),
    ({"label": "A", "table": "dropped", "show": ["step"]}, "table"),
    ({"label": "A", "table": "uses"}, "show"),
    ({"label": "A", "table": "uses", "show": ["usage"]}, "show"),
    ({"label": "A", "columns": ["depth"], "shows": []}, "shows"),
]


@pytest.mark.parametrize(("line", "place"), MISTAKES)
def test_each_mistake_is_a_finding_of_the_check(line, place):
    found = declaration_findings(full(card={"lines": [line]}).codebook)
    expected = ".".join(filter(None, ["card.lines[1]", place]))
    assert [(finding.code, finding.column) for finding in found] == [("C001", expected)]


@pytest.mark.parametrize(("parts", "place"), [
    ({"table": "dropped", "show": ["step"]}, "card.parts.table"),
    ({"table": "uses", "show": ["usage"]}, "card.parts.show"),
    ({"table": "uses"}, "card.parts.show"),
])  # fmt: skip
def test_a_mistake_in_the_parts_is_a_finding(parts, place):
    found = declaration_findings(full(card={"lines": [], "parts": parts}).codebook)
    assert [finding.column for finding in found] == [place]


FEN = Card(
    key="fen",
    title="Light in the fen",
    summary="It measures light.",
    people="Bo Moor et al.",
    published="Fen 2021",
    address="https://fen.example/paper",
    lines=(CardLine("Depth", ("surface",)), CardLine("Neighbours", ("deep", "rock with salt"))),
)
BARE = Card("bog", "bog", "", "", "", "", ())


def test_what_is_not_known_leaves_no_line():
    assert card_text(BARE, 80) == "bog\nbog.\n\n"


def test_long_items_go_on_below_themselves_and_addresses_stay_whole():
    long = replace(FEN, lines=(CardLine("Depth", ("https://fen.example/" + "a" * 40, "deep")),))
    text = card_text(long, 30).splitlines()
    assert text[-2:] == ["       https://fen.example/" + "a" * 40, "       · deep"]


def test_control_characters_reach_no_terminal():
    hostile = "\x1b[31mred"
    card = replace(
        FEN, title=hostile, summary=hostile, people=hostile, lines=(CardLine(hostile, (hostile,)),)
    )
    assert "\x1b" not in card_text(card, 80)
