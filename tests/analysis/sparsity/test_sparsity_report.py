import json

import pytest

from corpus.analysis.sparsity.sparsity_report import sparsity_grids, sparsity_json, sparsity_report
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from corpus.printing.grid import grid_text
from corpus.printing.sinks import grid_in
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full


def report(rows=None):
    return sparsity_report(full(rows))


def sparsity_text(found):
    return "\n".join(grid_text(grid, 80) for grid in sparsity_grids(found))


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
    assert "<b>" not in grid_in("md", sparsity_grids(hostile))
    assert "\\input" not in grid_in("tex", sparsity_grids(hostile))


@pytest.fixture(scope="module")
def shipped():
    return sparsity_report(load_corpus(str(REAL)))


def test_given_pairs_replace_the_declared_ones_and_unknown_axes_are_refused():
    corpus = full()
    report = sparsity_report(corpus, (("senses", "depth"),), threshold=3)
    assert [table.axes for table in report.pairs] == [("senses", "depth")]
    assert (report.plan.threshold, report.anchors) == (3, [])
    assert [found.axis for found in report.strictness] == ["depth"]
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, (("depth", "colour"),))
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, (("depth", "depth"),))


def test_the_numbers_of_the_survey(shipped):
    units = {unit.term: unit for found in shipped.strictness for unit in found.units}
    assert (len(units["message"].broad), len(units["message"].strict)) == (2, 1)
    assert (
        len(units["orchestrator"].broad),
        len(units["orchestrator"].strict + units["orchestrator"].near),
    ) == (8, 5)
    assert all(not units[term].broad for term in ("token", "tool", "team"))
    assert shipped.strictness[0].tagged == 48
    assert "O5" in shipped.anchors[0].without_top()
    assert shipped.anchors[0].nearest("O5")
    assert all(anchor.boundary for anchor in shipped.anchors[0].nearest("O5"))
    by_axes = {table.axes: table for table in shipped.pairs}
    reward_by_credit = by_axes["reward_type", "credit_granularity"]
    assert reward_by_credit.cells["shared", "message"].entries == 1
    assert sum(cell.entries for cell in reward_by_credit.cells.values()) == 84


def test_the_report_is_of_the_part_that_was_asked_for():
    corpus = full()
    part = corpus.where(parse_filters(["depth=surface"], corpus.pool.spec, corpus.codebook))
    found = sparsity_report(part)
    assert (found.entries, found.plan.threshold) == (2, 1)
    assert [table.axes for table in found.axes] == [("depth",), ("senses",)]
    assert [table.axes for table in found.pairs] == [("depth", "senses")]


def test_a_pair_is_ranked_where_all_of_its_axes_are_or_where_it_was_asked_for():
    corpus = full(sparsity={**codebook_data()["sparsity"], "axes": ["senses"]})
    declared = sparsity_report(corpus)
    assert [declared.is_ranked(table) for table in (*declared.axes, *declared.pairs)] == [
        False, True, False,
    ]  # fmt: skip
    asked = sparsity_report(corpus, (("senses", "depth"),))
    assert [table.axes for table in asked.axes] == [("senses",), ("depth",)]
    assert all(asked.is_ranked(table) for table in (*asked.axes, *asked.pairs))
    assert ("depth", "senses") not in [gap.axes for gap in asked.gaps]
