"""Tables in print: what is cut, what is wrapped, and what no cell can do to its output."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len

from corpus.printing.grid import Grid, cut, grid_csv, grid_text, pad, width, wrapped
from corpus.printing.sinks import grid_in

MIRES = Grid(
    "Mires",
    ("mire", "depth"),
    (("Adder bog", "2.5"), ("Black moss", "11")),
    numeric=frozenset({1}),
    note="depth in metres",
)


@pytest.mark.parametrize("columns", [28, 40, 80])
def test_no_line_is_wider_than_the_terminal(columns):
    row = ("a long name of a mire in the north", "text " * 20, "漢字" * 30)
    grid = Grid("", ("name", "remark", "sign"), (row,), note="note " * 30, wraps=frozenset({1}))
    assert max(map(width, grid_text(grid, columns).splitlines())) <= columns


def test_wide_and_combining_characters_are_measured_in_cells():
    assert (width("漢字"), width("e\u0301"), width("ab")) == (4, 1, 2)
    assert cut("漢字漢字", 5) == "漢字…"
    assert cut("short", 5) == "short"
    assert pad("漢", 4) == "漢  "
    assert pad("漢", 4, right=True) == "  漢"


def test_a_cell_cannot_move_the_cursor_of_the_terminal():
    assert "\x1b" not in grid_text(Grid("\x1b[1m", ("\x1b",), (("\x1b[2J",),), note="\x1b"))


def test_a_spreadsheet_runs_no_cell_and_reads_every_row():
    grid = Grid("", ("mire", "depth"), (('=HYPERLINK("x")', "a,b\nc"),))
    rows = list(csv.reader(io.StringIO(grid_csv([grid, MIRES]))))
    assert rows[1] == ['\'=HYPERLINK("x")', "a,b\nc"]
    assert [len(row) for row in rows] == [2, 2, 0, 2, 2, 2]


def test_a_cell_cannot_add_a_column_in_markdown_or_a_tag_in_html():
    grid = Grid("A | *title*", ("a|b",), (("x | y\nz",), ("<script>",)))
    page = MarkdownIt("commonmark").enable("table").render(grid_in("md", [grid]))
    assert (page.count("<th>"), page.count("<td>")) == (1, 2)
    assert "<em>" not in page
    assert "<script>" not in grid_in("html", [grid])


@given(st.lists(st.text("ab漢é\u0301", min_size=1, max_size=12), max_size=8), st.integers(2, 12))
def test_a_wrapped_text_keeps_every_character_and_fits(words, cells):
    text = " ".join(words)
    lines = wrapped(text, cells)
    assert "".join(lines).replace(" ", "") == "".join(words)
    assert all(width(line) <= cells for line in lines)


@pytest.mark.parametrize(
    "text", ["กำแพง", "हिन्दी", "1️⃣ one", "é", "e\u0301", "漢字", "👩‍👩‍👧", "a–b…"]
)
def test_columns_are_in_line_behind_any_script(text):
    shown = grid_text(Grid("", ("name", "n"), ((text, "1"), ("plain", "2"))))
    lines = shown.splitlines()[2:]
    assert {cell_len(line) for line in lines} == {cell_len(lines[1])}
    assert cell_len(cut(text * 9, 7)) <= 7


def test_running_text_of_wide_characters_is_wrapped_and_not_cut():
    text = "漢字" * 15
    shown = grid_text(Grid("", ("note",), ((text,),)), 20)
    assert "".join(shown.split()) == f"note{text}"
    assert "…" not in shown
    assert max(map(width, shown.splitlines())) <= 20


TAGS = Grid(
    "", ("mire_type", "a_very_long_head"), (("raised_bog_of_the_north", "1"), ("raised_bog_of_the_south", "2"))
)  # fmt: skip


def test_names_stay_whole_while_a_table_fits_and_break_where_parts_are_joined():
    assert "raised_bog_of_the_north  1" in grid_text(TAGS, 40)
    narrow = grid_text(TAGS, 24)
    assert max(map(width, narrow.splitlines())) <= 24
    assert narrow.split().count("raised_bog_") == narrow.split().count("of_the_") == 2
    assert "…" not in narrow


def test_a_table_that_cannot_fit_is_a_block_per_row():
    row = tuple(f"https://mires.example/{number}" for number in range(4))
    grid = Grid("Mires", ("a", "b", "c", "d"), (row, row), note="four addresses")
    first, second = grid_text(grid, 40).split("\n\n")[1:3]
    assert first.splitlines() == second.splitlines()
    assert first.splitlines()[1] == "b  https://mires.example/1"
