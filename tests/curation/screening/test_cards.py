"""What a card shows of a candidate, and which known works are like it."""

import pytest

from corpus.curation.screening.cards import card_text, known_titles, like_titles
from corpus.model.work import Work
from tests.corpora.full import full

WORK = Work(
    "wet",
    "The adder mire",
    ("Ward, Ann", "Li, Bo", "Poe, Cy"),
    "2025",
    "Mires",
    arxiv="2501.00001",
    abstract="It is wet.",
)


def test_a_card_has_everything_in_its_order():
    text = card_text(WORK, "3 of 40", ["pool x (90 % like it)"], {"X1": "It is dry."}, 80)
    assert text.splitlines() == [
        "--- 3 of 40 " + "-" * 68,
        "The adder mire",
        "Ward, Ann and 2 others, 2025, Mires, arXiv:2501.00001",
        "",
        "It is wet.",
        "",
        "Found in: wet",
        "Like: pool x (90 % like it)",
        "X1: It is dry.",
    ]


def test_no_line_is_wider_than_the_terminal_and_nothing_is_interpreted():
    text = card_text(
        WORK._replace(title="wet \x1b[31m " * 30), "1 of 1", [], {"X1": "dry " * 30}, 40
    )
    assert max(map(len, text.splitlines())) <= 40
    assert "\x1b" not in text
    assert "    dry" in text


@pytest.mark.parametrize(
    ("title", "like"),
    [
        ("RAIN above Ada's antenna", ["pool ada (100 % like it)"]),
        ("The antenna of the rain", []),
        ("Fern wood", ["candidate b (100 % like it)"]),
        ("Something else", []),
    ],
)
def test_a_work_is_shown_beside_those_with_a_title_like_its_own(title, like):
    work = WORK._replace(title=title)
    known = known_titles(full(), {"a": work, "b": WORK._replace(title="Fern wood")})
    assert like_titles(known, "a") == like
