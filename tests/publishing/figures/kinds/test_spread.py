import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full
from tests.support.drawn import FIGURES, data_of, made_up


def panel(**series):
    return {"title": "Reach", "series": [{"label": "all", "table": "ranges", **series}]}


def test_the_shipped_scale_has_both_sides_and_what_is_unknown(shipped):
    agents = shipped["scale"].panels[0]
    academic, industrial = agents.series
    assert (len(academic.marks), len(academic.unknown)) == (23, 15)
    assert academic.marks[-1].name == "Puppeteer"
    assert industrial.marks[-1].value > academic.marks[-1].value


def test_series_take_the_rows_that_they_declare_in_order_of_their_numbers():
    data = data_of(**FIGURES["far"])
    everything, clay = data.panels[0].series
    assert [(mark.key, mark.value) for mark in everything.marks] == [("ada", 3.0), ("dot", 40.0)]
    assert [mark.name for mark in clay.marks] == ["Dot the last"]
    assert data.panels[1].series[0].marks == ()


def test_an_empty_cell_is_unknown_and_no_number():
    tables = codebook_data()["tables"]
    tables["ranges"]["columns"][3]["required"] = False
    rows = {"ranges": [("r1", "ada", "reach", "", "m", ""), ("r2", "dot", "reach", "9", "m", "")]}
    figures = {"it": {"kind": "spread", "panels": [panel(value="value")]}}
    study = full(rows, tables=tables, figures=figures)
    data = figure_data(study, figure_plans(study.codebook)["it"])
    (series,) = data.panels[0].series
    assert (series.unknown, [mark.value for mark in series.marks]) == (("ada",), [9.0])
    assert ("Reach", "all", "ada", "") in data.frame().rows


def test_a_number_that_is_not_above_zero_is_a_finding_with_its_line():
    with pytest.raises(CorpusError) as caught:
        data_of(
            {"ranges": [("r1", "ada", "reach", "-3", "m", "")]},
            kind="spread",
            panels=[panel(value="value")],
        )
    assert [(found.code, found.line) for found in caught.value.findings] == [("C802", 2)]


@pytest.mark.parametrize(
    ("panels", "place"),
    [
        ([], "panels"),
        ([{"title": "Reach", "series": []}], "panels[1].series"),
        ([panel(value="unit")], "panels[1].series[1].value"),
        ([panel(value="value", where={"units": ["m"]})], "panels[1].series[1].where.units"),
        ([panel(value="value", were={})], "panels[1].series[1].were"),
        (
            [{"title": "T", "series": [{"label": "a", "table": "dropped", "value": "step"}]}],
            "panels[1].series[1].table",
        ),
    ],
)
def test_each_mistake_is_a_finding_at_its_place(panels, place):
    with pytest.raises(CorpusError) as caught:
        made_up(None, it={"kind": "spread", "panels": panels})
    assert f"figures.it.{place}" in [found.column for found in caught.value.findings]
