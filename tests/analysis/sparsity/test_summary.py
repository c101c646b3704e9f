"""Everything that `corpus sparsity` reports, for the declared pairs or for given ones."""

import pytest

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full


@pytest.fixture(scope="module")
def shipped():
    corpus = load_corpus(str(REAL))
    return sparsity_report(corpus, sparsity_plan(corpus.codebook))


def test_given_pairs_replace_the_declared_ones_and_unknown_axes_are_refused():
    corpus = full()
    plan = sparsity_plan(corpus.codebook)
    report = sparsity_report(corpus, plan, (("senses", "depth"),), threshold=3)
    assert [table.axes for table in report.pairs] == [("senses", "depth")]
    assert (report.threshold, report.anchors) == (3, ())
    assert [found.axis for found in report.strictness] == ["depth"]
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, plan, (("depth", "colour"),))
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, plan, (("depth", "depth"),))


def test_the_numbers_of_the_survey(shipped):
    units = {unit.term: unit for found in shipped.strictness for unit in found.units}
    assert (len(units["message"].broad), len(units["message"].strict)) == (2, 1)
    assert (
        len(units["orchestrator"].broad),
        len(units["orchestrator"].strict + units["orchestrator"].near),
    ) == (8, 5)
    assert all(not units[term].broad for term in ("token", "tool", "team"))
    assert (shipped.strictness[0].tagged, shipped.strictness[0].misplaced) == (48, ())
    assert "O5" in shipped.anchors[0].without_top()
    assert shipped.anchors[0].nearest("O5")
    assert all(anchor.boundary for anchor in shipped.anchors[0].nearest("O5"))
    by_axes = {table.axes: table for table in shipped.pairs}
    reward_by_credit = by_axes["reward_type", "credit_granularity"]
    assert reward_by_credit.cells["shared", "message"].entries == 1
    assert sum(cell.entries for cell in reward_by_credit.cells.values()) == 84


def test_the_report_is_of_the_part_that_was_asked_for():
    corpus = full()
    plan = sparsity_plan(corpus.codebook)
    part = corpus.where(parse_filters(["depth=surface"], corpus.pool.spec, corpus.codebook))
    found = sparsity_report(part, plan)
    assert (found.entries, found.threshold) == (2, 1)
    assert [table.axes for table in found.axes] == [("depth",), ("senses",)]
    assert [table.axes for table in found.pairs] == [("depth", "senses")]


def test_a_pair_is_ranked_where_all_of_its_axes_are_or_where_it_was_asked_for():
    corpus = full(sparsity={**codebook_data()["sparsity"], "axes": ["senses"]})
    plan = sparsity_plan(corpus.codebook)
    declared = sparsity_report(corpus, plan)
    assert [declared.is_ranked(table) for table in (*declared.axes, *declared.pairs)] == [
        False, True, False,
    ]  # fmt: skip
    asked = sparsity_report(corpus, plan, (("senses", "depth"),))
    assert [table.axes for table in asked.axes] == [("senses",), ("depth",)]
    assert all(asked.is_ranked(table) for table in (*asked.axes, *asked.pairs))
    assert ("depth", "senses") not in [gap.axes for gap in asked.gaps]
