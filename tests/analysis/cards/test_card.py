"""A card sums an entry up under the template that the codebook declares, or under its axes."""

import pytest

from corpus.analysis.cards.card import LONGEST, MOST, cards, keys_with_parts
from corpus.model.finding import UsageProblem
from tests.corpora.full import full

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
    assert lines["Depth"] == ("surface", "surface, well")
    assert lines["Range"] == ("life, 1500 days", "reach, 3 m")
    assert lines["Boundary"] == ("one farm", "as sold", "on sand")


def test_every_card_has_the_same_lines_also_where_nothing_is_known():
    first, last = made("ada", "eve")
    assert list(lines_of(first)) == list(lines_of(last))
    assert lines_of(last)["Range"] == ("nothing recorded",)


def test_neighbours_name_the_axes_that_differ():
    (ada,) = made("ada")
    assert lines_of(ada)["Neighbours"][0] == "bob"
    assert "dot (differs in depth)" in lines_of(ada)["Neighbours"]


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
    assert lines_of(bob) == {"Use": ("farm",), "Proof": ("lab",)}
    assert [line.label for line in cy.lines][:3] == ["Depth", "Use", "Range"]


def test_an_unknown_key_is_refused():
    with pytest.raises(UsageProblem):
        made("adda")
