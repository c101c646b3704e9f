from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full


def test_a_corpus_without_declared_figures_gets_figures_that_fit_it():
    plans = figure_plans(full().codebook)
    assert {name: plan.kind for name, plan in plans.items()} == {
        "depth": "bars", "depth_by_senses": "heatmap", "screening": "flow",
    }  # fmt: skip


def test_the_boxes_of_a_flow_are_of_an_axis_with_one_term_a_cell():
    data = codebook_data()
    columns = data["tables"]["sensors"]["columns"]
    columns[2], columns[3] = columns[3], columns[2]
    plans = figure_plans(full(**data).codebook)
    assert (plans["senses"].kind, plans["screening"].of.group) == ("bars", "depth")
