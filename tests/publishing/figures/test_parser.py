import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import figure_plans
from tests.corpora.full import ROWS, codebook_data, full

SEEN = {
    "kind": "timeline",
    "table": "dated",
    "date": "seen",
    "group": "depth",
    "window": ["2020-10", "2021-02"],
}
FAR = {"kind": "scatter", "x": "Days", "y": "Metres"}
ONE = {"label": "all", "table": "ranges", "value": "value"}


def places(name="it", **figure):
    with pytest.raises(CorpusError) as caught:
        figure_plans(full(figures={name: figure}).codebook)
    assert {finding.code for finding in caught.value.findings} == {"C001"}
    return {finding.column.removeprefix("figures.") for finding in caught.value.findings}


@pytest.mark.parametrize(
    ("figure", "place"),
    [
        ({"kind": "pie"}, "it.kind"),
        ({}, "it.kind"),
        ({"kind": "heatmap", "rows": "depth", "columns": "colour"}, "it.columns"),
        ({"kind": "heatmap", "rows": "depth", "columns": "depth"}, "it.columns"),
        ({"kind": "bars", "axis": "depth", "colour": "red"}, "it.colour"),
        ({"kind": "bars", "axis": "depth", "width": "wide"}, "it.width"),
        ({"kind": "bars", "axis": "depth", "title": 3}, "it.title"),
        ({"kind": "bars", "axis": "depth", "labels": {"ada": "Ada"}}, "it.labels"),
        ({**SEEN, "labels": ["ada"]}, "it.labels"),
        ({**SEEN, "window": ["2021-02", "2020-10"]}, "it.window"),
        ({**SEEN, "window": ["2020-1", "2021-02"]}, "it.window"),
        ({**SEEN, "window": ["1900-01", "2021-02"]}, "it.window"),
        ({**SEEN, "date": "sensor"}, "it.date"),
        ({**SEEN, "table": "dropped"}, "it.table"),
        ({**SEEN, "milestones": [{"axis": "depth", "terms": ["sky"]}]}, "it.milestones[1].terms"),
        (
            {
                **SEEN,
                "milestones": [
                    {"axis": "depth", "terms": ["rock"]},
                    {"axis": "senses", "terms": ["gas"]},
                ],
            },
            "it.milestones[2]",
        ),
        ({"kind": "bars", "axis": "depth", "split": "depth"}, "it.split"),
        ({"kind": "ladder", "axis": "senses"}, "it.axis"),
        ({"kind": "grid", "table": "uses", "rows": "use", "columns": "limit"}, "it.columns"),
        ({"kind": "flow", "group": "depth", "reasons": "uses", "reason": "proof"}, "it.reasons"),
        (FAR, "it.series"),
        ({**FAR, "series": [{**ONE, "value": "limit"}]}, "it.series[1].value"),
        ({**FAR, "series": [{**ONE, "table": "dropped"}]}, "it.series[1].table"),
        ({**FAR, "series": [{**ONE, "x": {"colour": ["red"]}}]}, "it.series[1].x.colour"),
        ({**FAR, "series": [{**ONE, "open": "yes"}]}, "it.series[1].open"),
    ],
)
def test_a_bad_declaration_is_a_finding_with_its_place(figure, place):
    assert place in places(**figure)


def test_a_name_that_would_leave_the_folder_is_refused():
    assert places("../x", kind="bars", axis="depth") == {"../x"}


def test_a_corpus_without_declared_figures_gets_figures_that_fit_it():
    plans = figure_plans(full().codebook)
    assert {name: plan.kind for name, plan in plans.items()} == {
        "depth": "bars", "year": "bars", "depth_by_senses": "heatmap", "screening": "flow",
    }  # fmt: skip


def test_the_boxes_of_a_flow_are_of_an_axis_with_one_term_a_cell():
    data = codebook_data()
    columns = data["tables"]["sensors"]["columns"]
    columns[2], columns[3] = columns[3], columns[2]
    study = full(
        {"sensors": [(a, b, d, c, *rest) for a, b, c, d, *rest in ROWS["sensors"]]}, **data
    )
    plans = figure_plans(study.codebook)
    assert plans["senses"].kind == "bars"
    groups = plans["screening"].data(study).groups
    assert [label for label, _ in groups] == ["surface", "shallow", "deep", "rock", "none"]
