"""What a table of a command looks like in a paper: LaTeX itself sets it, and its log tells what does not fit."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.printing.grid import Grid
from corpus.printing.latex_grid import printed_grids
from corpus.printing.typeset import typeset
from tests.conftest import REAL
from tests.support.latex_machine import need_latex, widest_overfull

COMMANDS = [
    ("list",),
    ("list", "--columns", "all", "--where", "year=2024"),
    ("list", "--table", "exclusions"),
    ("stats",),
    ("stats", "--by", "reward_type", "category", "--by", "venue", "year"),
    ("sparsity",),
    ("evidence",),
]


def compiled(body, options):
    head = rf"\documentclass{options}\usepackage[T1]{{fontenc}}\usepackage{{lmodern,booktabs,graphicx,longtable,array}}"
    return typeset([head, "\\begin{document}\n", *body, "\n\\end{document}"], 0).log


@pytest.mark.parametrize("options", ["{article}", "[twocolumn]{article}"])
def test_tables_of_every_command_fit_the_column(run, options):
    need_latex()
    body = []
    for command in COMMANDS:
        printed = run(*command, "--format", "latex", "--data", REAL)
        assert printed.exit_code == 0, printed.stderr
        body += [printed.stdout, r"\clearpage"]
    log = compiled(body, options)
    assert widest_overfull(log) == 0
    assert "Float too large" not in log


@pytest.mark.parametrize("options", ["{article}", "[twocolumn]{article}"])
def test_a_marked_table_of_a_paper_fits_its_column_or_both(run, tmp_path, options):
    need_latex()
    paper = tmp_path / "paper.tex"
    paper.write_text(
        "% corpus: table-form_by_credit\n% /corpus\n% corpus: table-reward_by_credit*\n% /corpus\n"
    )
    assert run("render", paper, "--data", REAL).exit_code == 0
    text = paper.read_text()
    assert text.count(r"\begin{table}") == text.count(r"\begin{table*}") == 1
    assert widest_overfull(compiled([text], options)) == 0


@pytest.mark.parametrize("options", ["{article}", "[twocolumn]{article}"])
def test_the_appendix_can_be_put_into_a_paper_of_two_columns(run, options):
    need_latex()
    part = run("render-appendix", "--format", "latex", "--data", REAL).stdout
    log = compiled(["Text.\n", part, "\nMore."], options)
    assert widest_overfull(log) <= 2


texts = st.text("abc é_/:-mW ", max_size=60)


@given(st.lists(st.tuples(texts, texts, texts, st.integers(0, 9999).map(str)), max_size=80))
def test_nothing_of_a_table_is_lost_however_it_is_laid_out(rows):
    grid = Grid(
        "Mires", ("name", "place", "note", "area of the mire in hectares"), tuple(rows), {3}
    )
    parts = printed_grids([grid])
    cells = [cell for part in parts for row in part.rows for cell in row]
    assert [cell for cell in cells if cell] == [cell for row in rows for cell in row if cell]
    assert all(re.fullmatch(r"Mires(, continued)?", part.title) for part in parts)
