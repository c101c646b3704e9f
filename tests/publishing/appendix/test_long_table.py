import pytest

from corpus.publishing.appendix.long_table import (
    SAMPLE,
    PrintedColumn,
    em_width,
    longest_word,
    printed_columns,
    term_column,
)

LONG = "a cell with so many words that it takes the remaining width"


def test_wide_characters_count_more():
    assert em_width("mw—") == 3.0
    assert em_width("AB") == pytest.approx(1.56)
    assert em_width("é中") == pytest.approx(1.56)
    assert em_width("ab 1") == pytest.approx(2.24)
    assert em_width("") == 0


def test_a_word_ends_at_spaces_and_hyphens():
    assert longest_word("role-reward of") == em_width("reward")
    assert longest_word("well-") == em_width("well-")  # the hyphen stays on its line
    assert longest_word("") == 0.0


def test_short_text_has_its_own_width_and_the_rest_is_shared():
    key, text, more = printed_columns(("Key", "Text", "More"), [("ada", LONG, LONG + LONG)])
    assert (key.share, text.em, more.em) == (0.0, 0.0, 0.0)
    assert key.em == round(1.1 * em_width("Key") + 0.25, 2)  # heads are bold
    assert more.share > text.share > 0
    assert 0.99 < text.share + more.share < 1  # never more than there is


@pytest.mark.parametrize(("columns", "characters", "is_fixed"), [
    (4, 26, True), (4, 27, False), (5, 13, True), (5, 14, False),
])  # fmt: skip
def test_in_a_table_of_many_columns_fewer_characters_are_short(columns, characters, is_fixed):
    first, *_ = printed_columns(["H"] * columns, [["x" * characters] * columns])
    assert (first.share == 0) is is_fixed


def test_a_column_is_never_narrower_than_the_words_of_its_head():
    (column,) = printed_columns(("Contribution",), [("x",)])
    assert column.em == round(1.1 * em_width("Contribution") + 0.25, 2)
    assert printed_columns(("Head",), []) == (
        PrintedColumn("Head", em=round(1.1 * em_width("Head") + 0.25, 2)),
    )


def test_settled_columns_are_left_as_they_are():
    settled = PrintedColumn("Ref.", em=3)
    assert printed_columns(("A", "B"), [("x" * 99, "y")], [settled, None])[0] == settled


def test_only_the_first_rows_are_measured():
    """A pool of a million rows is not read twice."""
    taken = []

    def rows():
        for number in range(SAMPLE + 10):
            taken.append(number)
            yield ("x",)

    printed_columns(("A",), rows())
    assert len(taken) == SAMPLE


def test_a_column_of_terms_is_as_wide_as_its_widest_word():
    assert term_column("Senses", ["x", "salinity!"]).em == round(em_width("salinity!") + 0.35, 2)
    # A head of two words may break, one of a single word may not.
    assert term_column("depth measured", ["x" * 9]).em == round(em_width("x" * 9) + 0.35, 2)
    single = "conductivities"
    assert term_column(single, ["x"]).em == round(em_width(single) + 0.35, 2)
