import pytest

from corpus.analysis.numbers.quantities import COUNT, SHARE, quantity_at, sentences


def quantities(text):
    """Return kind, value, bound and slack of the quantities of a text, as its reader finds them."""
    found = []
    for tokens in sentences(text):
        place = 0
        while place < len(tokens):
            quantity = quantity_at(tokens, place)
            place += 1
            if quantity is not None:
                value, slack = round(quantity.value, 2), round(quantity.slack, 4)
                found.append((quantity.kind, value, quantity.bound, slack))
                place = quantity.after
    return found


@pytest.mark.parametrize(("text", "found"), [
    ("29%", (SHARE, 29.0, "=", 0.5)),
    ("29 \\%", (SHARE, 29.0, "=", 0.5)),
    ("29.25 per cent", (SHARE, 29.25, "=", 0.005)),
    ("thirty percent", (SHARE, 30.0, "=", 0.5)),
    ("about 30%", (SHARE, 30.0, "=", 5.0)),
    ("roughly 80 works", (COUNT, 80, "=", 8.0)),
    ("some 1,200 works", (COUNT, 1200, "=", 120.0)),
    ("a third of them", (SHARE, 33.33, "=", 2.5)),
    ("more than two-thirds", (SHARE, 66.67, ">", 2.5)),
    ("two fifths of them", (SHARE, 40.0, "=", 2.5)),
    ("four fifths", (SHARE, 80.0, "=", 2.5)),
    ("a majority of them", (SHARE, 50.0, ">", 2.5)),
    ("half", (SHARE, 50.0, "=", 2.5)),
    ("no entries", (COUNT, 0.0, "=", 0.0)),
    ("none of the papers", (COUNT, 0.0, "=", 0.0)),
])  # fmt: skip
def test_a_number_has_its_kind_and_how_far_a_right_one_may_be_from_it(text, found):
    assert quantities(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "the third stage",
        "a majority vote",
        "a quarter",
        "no reward",
        "none",
        "one entry",
        "12.5 works",
        "",
    ],
)
def test_other_words_state_no_quantity(text):
    assert quantities(text) == []


@pytest.mark.parametrize(("text", "agree", "contradict"), [
    ("29%", [28.5, 29.5], [28.49, 29.51]),
    ("29.2%", [29.15, 29.25], [29.1, 29.3]),
    ("84 entries", [84], [83, 85]),
    ("more than 84 entries", [85], [84]),
    ("at least 84 entries", [84], [83]),
    ("fewer than 84 entries", [83], [84]),
    ("at most 84 entries", [84], [85]),
    ("about 100 entries", [90, 110], [89, 111]),
])  # fmt: skip
def test_the_boundary_of_what_agrees(text, agree, contradict):
    (tokens,) = sentences(text)
    found = (quantity_at(tokens, place) for place in range(len(tokens)))
    (quantity, *_) = [quantity for quantity in found if quantity is not None]
    assert [right for right in (*agree, *contradict) if quantity.agrees(right)] == agree


def test_what_has_no_end_is_read_in_parts():
    assert [len(tokens) for tokens in sentences("word " * 450)] == [200, 200, 50]
