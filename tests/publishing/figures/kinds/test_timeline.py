import pytest
from matplotlib.text import Text

from corpus.analysis.claims.evaluate import evaluate, load_claims
from corpus.canvas.style import PALETTE
from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import draw_figure, figure_plans
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.support.drawn import data_of, drawn, rectangles, shipped, texts

SEEN = {
    "kind": "timeline",
    "table": "dated",
    "date": "seen",
    "group": "depth",
    "window": ["2020-10", "2021-02"],
}


def by_month(found):
    return [
        len({m.key for m in found.marks if m.is_drawn and m.month == month})
        for month in found.months
    ]


def test_the_frame_has_every_entry_once_in_each_of_its_groups():
    found = data_of(**SEEN).frame()
    assert found.header == ("part", "month", "group", "key", "label")
    assert found.rows == [
        ("undated", "", "none", "eve", ""), ("before", "2019-05", "deep", "dot", "dot"),
        ("inside", "2020-11", "surface", "ada", "ada"), ("inside", "2020-11", "surface", "bob", "bob"),
        ("inside", "2021-01", "shallow", "cy", "cy"),
    ]  # fmt: skip
    several = data_of(**{**SEEN, "group": "senses"})
    assert [mark.group for mark in several.marks if mark.key == "ada"] == ["heat", "water"]
    assert sum(several.entries.values()) == 5


def test_a_date_that_cannot_be_read_is_a_finding_at_its_line():
    with pytest.raises(CorpusError) as caught:
        data_of({"dated": [("ada", "May 2020"), ("bob", "2020-13")]}, **SEEN)
    assert [(f.code, f.line, f.value) for f in caught.value.findings] == [
        ("C804", 2, "May 2020"), ("C804", 3, "2020-13"),
    ]  # fmt: skip


def test_a_year_inside_the_window_is_inside_it_without_a_month():
    dated = {"dated": [("ada", "2020"), ("bob", "2021"), ("cy", "2021-01"), ("dot", "2022")]}
    found = data_of(dated, **{**SEEN, "window": ["2020-10", "2022-02"]})
    assert found.entries == {"inside": 2, "undated": 3}
    assert sum(by_month(found)) == 1
    assert [mark.key for mark in found.marks if mark.part == "inside" and not mark.month] == ["bob"]


@pytest.mark.parametrize("date", ["2024", "2025", "2026", "2024-12", "2026-05-31", "2026-06", ""])
def test_the_claim_about_a_window_and_its_figure_count_the_same_entries(date):
    study = load_corpus(str(REAL))
    table = study.tables["bibliography"]
    position = table.spec.position("first_public")
    first, *others = table.rows
    changed = (*first[:position], date, *first[position + 1 :])
    study = study.with_tables({**study.tables, "bibliography": table.with_rows([changed, *others])})
    (claim,) = load_claims(study).named(["window"])
    drawn = figure_plans(study.codebook)["timeline"].data(study)
    assert evaluate(claim, study).number == drawn.entries["inside"]


def test_every_entry_inside_the_window_is_a_mark_of_its_row():
    _, data = shipped()["timeline"]
    figure = drawn("timeline")
    for position, group in enumerate(data.groups):
        marks = rectangles(figure, PALETTE[position])
        assert len(marks) == len(data.drawn(group.id))
        # They are in one row each: no mark of another group is between the highest and the lowest.
        assert all(mark.get_width() == pytest.approx(0.06) for mark in marks)


def test_the_timeline_names_what_lies_outside_and_its_empty_months():
    words = " ".join(texts(drawn("timeline")))
    assert "59 of 84 entries" in words
    assert "25 earlier" in words
    assert "2025-12" in words
    assert "2026-05" in words


def test_no_name_is_beyond_the_page():
    plan, data = shipped()["timeline"]
    for width in (2.5, 3.5, 7.16):
        figure = draw_figure(plan, data, width)
        assert all(
            text.get_position()[0] < width for text in figure.findobj(Text) if text.get_text()
        )
