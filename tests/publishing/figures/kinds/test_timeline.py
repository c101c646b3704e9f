import pytest

from corpus.analysis.claims.evaluate import evaluate, load_claims
from corpus.model.finding import CorpusError
from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.parser import figure_plans
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.support.drawn import data_of

SEEN = {
    "kind": "timeline",
    "table": "dated",
    "date": "seen",
    "group": "depth",
    "window": ["2020-10", "2021-02"],
}


def test_the_timeline_of_the_survey(shipped):
    found = shipped["timeline"]
    assert (len(found.months), found.months[0], found.months[-1]) == (18, "2024-12", "2026-05")
    assert found.entries == {"inside": 59, "before": 25, "after": 0, "undated": 0}
    assert found.empty() == ("2025-12", "2026-05")
    result = [found.of_month(month) for month in found.months]
    assert result == [2, 3, 4, 3, 3, 5, 1, 3, 3, 3, 6, 4, 0, 3, 7, 2, 7, 0]
    assert {group.id: found.of_group(group.id) for group in found.groups} == {
        "rl_method": 38, "benchmark": 7, "classical_marl": 0, "industry": 6, "survey": 5, "framework": 3,
    }  # fmt: skip
    assert len(found.milestones) == 6


def test_months_are_counted_and_so_is_the_rest():
    found = data_of(**SEEN)
    assert [found.of_month(month) for month in found.months] == [0, 2, 0, 1, 0]
    assert found.entries == {
        "inside": 3,
        "before": 1,
        "after": 0,
        "undated": 1,
    }  # 2020 alone overlaps the window
    assert found.total == 5


def test_a_year_outside_the_window_is_not_undated():
    early = data_of(
        {
            "dated": [
                ("ada", "1994"),
                ("bob", "2030"),
                ("cy", ""),
                ("dot", "2021-01"),
                ("eve", "2021-03"),
            ]
        },
        **SEEN,
    )
    assert early.entries == {"inside": 1, "before": 1, "after": 2, "undated": 1}


def test_entries_without_a_row_in_the_date_table_are_undated():
    assert data_of({"dated": []}, **SEEN).entries["undated"] == 5


def test_milestones_are_in_order_of_time_with_their_short_names():
    shown = {
        "labels": {"bob": "B."},
        "milestones": [{"axis": "depth", "terms": ["surface", "shallow", "deep"]}],
    }
    found = data_of(**SEEN, **shown)
    assert [(item.month, item.label) for item in found.milestones] == [
        ("2020-11", "ada"), ("2020-11", "B."), ("2021-01", "cy"),  # dot is of 2019, before the window
    ]  # fmt: skip
    assert data_of(**SEEN, milestones=[{"axis": "depth", "terms": ["shallow"]}]).milestones == (
        ("2021-01", "cy", "cy"),
    )


def test_the_frame_names_the_part_of_every_row():
    found = data_of(**SEEN, milestones=[{"axis": "depth", "terms": ["shallow"]}]).frame()
    assert found.header == ("part", "month", "item", "entries", "label")
    assert [row for row in found.rows if row[3]] == [
        ("month", "2020-11", "surface", 2, ""), ("month", "2021-01", "shallow", 1, ""),
        ("before", "", "deep", 1, ""), ("undated", "", "none", 1, ""), ("milestone", "2021-01", "cy", 1, "cy"),
    ]  # fmt: skip
    assert len(found.rows) == 5 * 5 + 3 * 5 + 1


def test_the_first_and_last_month_belong_to_the_window():
    dated = [
        ("ada", "2020-10"),
        ("bob", "2021-02"),
        ("cy", "2020-09"),
        ("dot", "2021-03"),
        ("eve", "2021"),
    ]
    found = data_of({"dated": dated}, **SEEN)
    assert found.entries == {"inside": 2, "before": 1, "after": 1, "undated": 1}
    assert [found.of_month(month) for month in found.months] == [1, 0, 0, 0, 1]
    assert found.empty() == ("2020-11", "2020-12", "2021-01")
    result = {group: n for (part, group), n in found.outside.items() if n}
    assert result == {"shallow": 1, "deep": 1, "none": 1}


def test_several_entries_may_lie_outside():
    found = data_of(
        {
            "dated": [
                ("ada", "2019-01"),
                ("bob", "2019-02"),
                ("cy", "2022"),
                ("dot", "2023"),
                ("eve", "2019"),
            ]
        },
        **SEEN,
    )
    assert {place: n for place, n in found.outside.items() if n} == {
        ("before", "surface"): 2, ("before", "none"): 1, ("after", "shallow"): 1, ("after", "deep"): 1,
    }  # fmt: skip


def test_a_date_that_cannot_be_read_is_a_finding_at_its_line():
    with pytest.raises(CorpusError) as caught:
        data_of({"dated": [("ada", "May 2020"), ("bob", "2020-13")]}, **SEEN)
    assert [(f.code, f.line, f.value) for f in caught.value.findings] == [
        ("C804", 2, "May 2020"), ("C804", 3, "2020-13"),
    ]  # fmt: skip


def test_a_year_inside_the_window_is_inside_it_without_a_month():
    dated = {"dated": [("ada", "2020"), ("bob", "2021"), ("cy", "2021-01"), ("dot", "2022")]}
    found = data_of(dated, **{**SEEN, "window": ["2020-10", "2022-02"]})
    assert found.entries == {"inside": 2, "before": 0, "after": 0, "undated": 3}
    assert found.without_month == 1
    assert sum(found.of_month(month) for month in found.months) == 1
    assert sum(row[3] for row in found.frame().rows if row[0] == "inside") == 1


@pytest.mark.parametrize("date", ["2024", "2025", "2026", "2024-12", "2026-05-31", "2026-06", ""])
def test_the_claim_about_a_window_and_its_figure_count_the_same_entries(date):
    study = load_corpus(str(REAL))
    table = study.tables["bibliography"]
    position = table.spec.position("first_public")
    first, *others = table.rows
    changed = (*first[:position], date, *first[position + 1 :])
    study = study.with_tables({**study.tables, "bibliography": table.with_rows([changed, *others])})
    (claim,) = load_claims(study).named(["window"])
    drawn = figure_data(study, figure_plans(study.codebook)["timeline"])
    assert evaluate(claim, study).number == drawn.entries["inside"]
