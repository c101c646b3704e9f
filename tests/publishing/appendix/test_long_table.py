import pytest

from corpus.printing.latex_grid import em_width
from corpus.publishing.appendix.long_table import PrintedColumn, long_table


def columns_of(heads, *rows):
    return long_table("t", "Table", heads, [("", rows)]).fields


@pytest.mark.parametrize(("columns", "characters", "is_fixed"), [
    (4, 26, True), (4, 27, False), (5, 13, True), (5, 14, False),
])  # fmt: skip
def test_in_a_table_of_many_columns_fewer_characters_are_short(columns, characters, is_fixed):
    first, *_ = columns_of(["H"] * columns, ["x" * characters] * columns)
    assert (first.share == 0) is is_fixed


def test_a_column_is_never_narrower_than_the_words_of_its_head():
    (column,) = columns_of(["Contribution"], ["x"])
    assert column.em == round(1.1 * em_width("Contribution") + 0.25, 2)
    assert columns_of(["Head"]) == (
        PrintedColumn("Head", em=round(1.1 * em_width("Head") + 0.25, 2)),
    )
