import pytest

from corpus.printing.latex_grid import em_width
from corpus.publishing.appendix.long_table import PrintedCell, PrintedColumn, long_table


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


def test_columns_that_the_page_has_no_room_for_are_named_in_a_line_below():
    heads = ["Key", *(f"Column{number}" for number in range(15)), "Year"]
    row = ["a-work", *["capacitive probes of clay"] * 14, "", "2020"]
    sheet = long_table("t", "Table", heads, [("", [row])])
    beside = [field for field in sheet.fields if not field.below]
    assert [field.head for field in (*beside, sheet.fields[-1])] == [
        *heads[: len(beside) - 1], "Year", "Other columns"
    ]  # fmt: skip
    # A narrow column behind a wide one still fits, and nothing is lost.
    assert list(sheet.moved) == heads[len(beside) - 1 : -1]
    ((cells,),) = [list(block.rows) for block in sheet.blocks]
    rest = "; ".join(f"{head}: capacitive probes of clay" for head in sheet.moved[:-1])
    assert cells[-1] == PrintedCell(rest, below=True)


@pytest.mark.parametrize(("rows", "kept"), [(12, 12), (13, 0)])
def test_a_short_table_stays_on_one_page(rows, kept):
    assert long_table("t", "T", ("a",), [("", [("x",)] * rows)]).short == kept
