"""Tables in HTML within Markdown: lines, spans, styles and links."""

import pytest

from corpus.curation.importing.readers.markdown import read_markdown


def test_a_table_in_html_is_read_with_its_lines():
    text = (
        "## Maps\n\n<table>\n<tr><th>Paper</th><th>Year</th></tr>\n"
        "<tr><td><a href='https://a.example/1'>Bogs of the north</a></td><td>2019</td></tr>\n"
        "<tr><td>Bogs of the south</td><td>2019</td></tr>\n</table>\n"
    )  # fmt: skip
    records = read_markdown(text, "f").rows
    assert [(r.place, r.cells["section"], r.cells["Paper"], r.cells["Year"]) for r in records] == [
        (5, "Maps", "Bogs of the north", "2019"),
        (6, "Maps", "Bogs of the south", "2019"),
    ]
    assert records[0].cells["url"] == "https://a.example/1"


def test_a_table_for_the_layout_is_named():
    records = read_markdown(
        "# A\n\n- [Peat by light](https://a.example)\n\n"
        "<table><tr><td><a href='https://b.example'>Salt</a></td></tr></table>\n",
        "f",
    )
    assert len(records.rows) == 1
    assert any("line 5" in remark for remark in records.remarks)


@pytest.mark.parametrize("span", ["rowspan=2", "colspan='3'"])
def test_a_table_whose_cells_are_over_several_rows_or_columns_is_left_out(span):
    text = (
        f"<table><tr><th>title</th><th>b</th></tr>\n<tr><td {span}>x</td><td>1</td></tr></table>\n"
    )
    records = read_markdown(text, "f")
    assert records.rows == []
    assert [(each.line, each.end) for each in records.left_out] == [(1, 3)]


def test_what_follows_a_table_has_its_line_and_an_open_table_ends_with_the_document():
    text = (
        "a\n<table>\n<tr><td>title</td></tr>\n<tr><td>x</td></tr>\n</table>\n\n"
        "- [b c d](https://a.example)\n\n<table><tr><th>title</th></tr><tr><td>y\n"
    )
    rows = read_markdown(text, "f").rows
    assert [(row.place, row.cells["title"]) for row in rows] == [(4, "x"), (7, "b c d"), (9, "y")]
