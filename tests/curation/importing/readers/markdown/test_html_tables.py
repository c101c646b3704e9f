"""Tables in HTML within Markdown: lines, spans, styles and links."""

import pytest

from corpus.curation.importing.readers.markdown import html_tables
from corpus.curation.importing.readers.markdown.html_tables import cut_html_tables
from corpus.curation.importing.readers.markdown.markdown import read_markdown
from corpus.curation.importing.readers.markdown.markdown_text import HARD_BREAK, TextRun


def test_a_table_in_html_is_read_with_its_lines():
    text = (
        "## Maps\n\n<table>\n<tr><th>Paper</th><th>Year</th></tr>\n"
        "<tr><td><a href='https://a.example/1'>Bogs of the north</a></td><td rowspan=2>2019</td></tr>\n"
        "<tr><td>Bogs of the south</td></tr>\n</table>\n"
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


def words(text):
    """Return the rows of the only table of a text as words."""
    _, (table,) = cut_html_tables(text)
    found = [table.header]
    for _, row in table.rows:
        found.append([" ".join(run.text for run in cell) for cell in row])
    return found


def test_what_follows_a_cell_over_several_columns_is_in_its_own():
    text = (
        "<table><tr><th>Title</th><th colspan='2'>Note</th><th>Year</th></tr>"
        "<tr><td colspan=2>Peat</td><td>wet</td><td>2019</td></tr>"
        "<tr><td colspan=0>Bog</td><td colspan=x>a</td><td>b</td><td>2020</td></tr></table>"
    )
    assert words(text) == [
        ["Title", "Note", "", "Year"],
        ["Peat", "", "wet", "2019"],
        ["Bog", "a", "b", "2020"],
    ]


def test_a_cell_over_rows_and_columns_reaches_into_both():
    text = (
        "<table><tr><th>a</th><th>b</th><th>c</th></tr>"
        "<tr><td rowspan=3 colspan=2>x</td><td>1</td></tr><tr><td>2</td></tr>"
        "<tr><td>3</td></tr><tr><td>4</td><td>5</td><td>6</td></tr></table>"
    )
    assert words(text)[1:] == [["x", "", "1"], ["x", "", "2"], ["x", "", "3"], ["4", "5", "6"]]


def test_cells_know_their_styles_links_and_breaks():
    text = (
        "<table><tr><td>h</td></tr><tr><td><b>Peat</b> <a href='https://a.example'><i>x</i>"
        "<img alt='badge'></a><br>&amp; moss</td></tr></table>"
    )
    _, (table,) = cut_html_tables(text)
    ((_, (cell,)),) = table.rows
    address = "https://a.example"
    assert cell == [
        TextRun("Peat", bold=True),
        TextRun(" "),
        TextRun("x", address, italic=True),
        TextRun("badge", address, image=True),
        TextRun(HARD_BREAK),
        TextRun("& moss"),
    ]
    assert table.is_linked


def test_the_document_keeps_its_lines_and_an_open_table_is_text():
    text = "a\n<table>\n<tr><td>x</td></tr>\n</table>b\n<table><tr><td>y\n"
    rest, tables = cut_html_tables(text)
    assert rest == "a\n\n\nb\n<table><tr><td>y\n"
    assert [(table.line, table.header) for table in tables] == [(2, ["x"])]


@pytest.mark.parametrize("span", ["rowspan", "colspan"])
def test_a_table_that_repeats_its_cells_without_end_is_not_read(monkeypatch, span):
    rows = f"<tr>{f'<td {span}=9>x</td>' * 5}</tr><tr></tr>" * 20
    text = f"<table>{rows}<tr><td><a href='https://a.example'>y</a></td></tr></table>"
    (table,) = cut_html_tables(text)[1]
    assert table.rows
    monkeypatch.setattr(html_tables, "MAX_REPEATED", 30)
    (table,) = cut_html_tables(text)[1]
    assert (table.header, table.rows, table.is_linked) == ([], [], True)
    assert any("line 1" in remark for remark in read_markdown(text, "f").remarks)
