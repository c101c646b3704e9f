import csv
import io
import json

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.report import sparsity_csv, sparsity_grids, sparsity_json
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.printing.grid import grid_latex, grid_markdown, grid_text, width
from tests.corpora.full import full


def report(rows=None):
    corpus = full(rows)
    return sparsity_report(corpus, sparsity_plan(corpus.codebook))


def sparsity_text(found):
    return "\n".join(grid_text(grid, 80) for grid in sparsity_grids(found))


def test_no_line_of_the_text_is_wider_than_a_terminal():
    assert max(width(line) for line in sparsity_text(report()).splitlines()) <= 80


def test_the_pair_shows_zeros_impossible_cells_and_the_absent_term_last():
    grid = next(
        grid for grid in sparsity_grids(report()) if grid.header[0] == "" and "water" in grid.header
    )
    body = {row[0]: row[1:] for row in grid.rows}
    assert body["rock"] == ("×", "0", "0", "0")
    assert list(body)[-1] == "none"
    assert "rock holds no water" in grid.note


def test_top_limits_the_list_and_the_title_has_the_total():
    gaps = sparsity_grids(report(), top=2)[-1]
    assert [row[0] for row in gaps.rows] == ["1", "2"]
    assert str(len(report().gaps)) in gaps.title


def test_csv_has_every_cell_once_with_its_rank():
    rows = list(csv.DictReader(io.StringIO(sparsity_csv(report()))))
    pair = [row for row in rows if row["table"] == "depth by senses"]
    assert len(pair) == 20
    (rock,) = [row for row in rows if row["table"] == "depth" and row["row"] == "rock"]
    assert (rock["status"], rock["nearest"].split()[0]) == ("empty", "dot")
    ranks = [int(row["rank"]) for row in rows if row["rank"]]
    assert sorted(ranks) == list(range(1, len(report().gaps) + 1))


def test_json_counts_and_boundaries_survive():
    document = json.loads(sparsity_json(report()))
    assert document["pairs"][0]["impossible"] == 1
    assert document["anchors"][0]["without_top"] == ["dam"]
    assert document["gaps"][0]["nearest"][0]["boundary"] == "one dam only"


def test_hostile_boundaries_stay_plain_text():
    hostile = report(
        {
            "uses": [
                ("dam", "dot", "lab", "\x1b[31m| \\input{x} <b> =1"),
                ("farm", "ada", "field", ""),
            ]
        }
    )
    assert "\x1b" not in sparsity_text(hostile)
    assert "<b>" not in grid_markdown(sparsity_grids(hostile))
    assert "\\input" not in grid_latex(sparsity_grids(hostile))
