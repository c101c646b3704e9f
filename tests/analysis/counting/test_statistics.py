"""Statistics in print: shares of what an axis applies to, totals, and an overview that fits."""

import json
from collections import Counter

import pytest

from corpus.analysis.counting.statistics import (
    EMPTY,
    UNTAGGED,
    Screening,
    Statistics,
    crosstab_grid,
    margin_grid,
    overview,
    prospect_grid,
    screening,
    share_of,
    statistics_grids,
    statistics_json,
)
from corpus.model.contingency import Contingency
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import tally_table
from tests.conftest import REAL
from tests.corpora.full import codebook_data, declared, full, full_of, sensor

AXES = ("depth", "senses")
SCREENED = Screening(5, 3, {"title": 2, "text": 1}, {"arXiv": 3}, {})


def counted(study):
    return Contingency(study.codebook, AXES, tally_table(study.pool, study.codebook, AXES))


def statistics(study, screened=None, filters=()):
    table = counted(study)
    crosstab = table.crosstab(*AXES)
    margins = tuple(table.margins())
    return Statistics(study.codebook, margins, (crosstab,), screened, table.entries, filters)


def optional_senses(*rows):
    """The full corpus, with an axis that may be empty."""
    data = codebook_data()
    data["tables"]["sensors"]["columns"][3]["required"] = False
    return full_of(*rows, **data)


@pytest.mark.parametrize(("deep", "share"), [(115, "58%"), (5, "2%"), (7, "4%"), (29, "14%")])
def test_a_share_that_is_exactly_half_is_rounded_to_the_even_percentage(deep, share):
    """As the published number is; times a hundred, the fraction 0.575 is a little below 57.5."""
    cells = {("deep", "water"): deep, ("surface", "water"): 200 - deep}
    margin = Contingency(full().codebook, AXES, cells).margin("depth")
    assert share_of(margin, "deep") == share


def test_entries_without_a_term_are_in_the_note():
    study = optional_senses(sensor("ada"), sensor("bob", senses=""))
    note = margin_grid(counted(study).margin("senses")).note
    assert note == "Share of 2 entries; 1 of them without any term; 1 tags, an entry may carry several."  # fmt: skip


def test_labels_replace_names_where_they_are_asked_for(minimal):
    data = codebook_data()
    data["vocabularies"]["depth"]["terms"][0]["label"] = "at the surface"
    table = counted(full(**data))
    assert margin_grid(table.margin("depth"), labels=True).rows[0][0] == "at the surface"
    crossed = crosstab_grid(table.crosstab("senses", "depth"), labels=True)
    assert crossed.header[:2] == ("Senses", "at the surface")
    assert crosstab_grid(table.crosstab("senses", "depth")).header[:2] == ("senses", "surface")


def test_why_cells_do_not_add_up_is_told_for_each_axis():
    study = optional_senses(sensor("ada"), sensor("bob", senses=""))
    note = crosstab_grid(counted(study).crosstab("senses", "depth")).note
    assert note == (
        "Totals count entries; an entry may carry several terms of senses; "
        "some have no term of senses."
    )


def test_stages_without_a_vocabulary_keep_their_names():
    data = codebook_data()
    data["tables"]["dropped"]["columns"][1] = declared("step", role="stage")  # fmt: skip
    grids = statistics_grids(statistics(full(**data), SCREENED))
    assert grids[-3].rows == (("title", "2"), ("text", "1"))


def test_all_tables_are_those_of_the_axes_the_pairs_and_the_screening():
    found = statistics_grids(statistics(full(), SCREENED))
    assert [grid.title for grid in found] == [
        "Depth", "Senses", "Depth by what is sensed", "Screening", "Excluded by stage",
        "Excluded by source", "Excluded by query family",
    ]  # fmt: skip
    assert len(statistics_grids(statistics(full()))) == 3


def test_json_has_every_count_and_the_filters():
    document = json.loads(statistics_json(statistics(full(), SCREENED, ("depth!=rock",))))
    assert (document["corpus"], document["where"], document["entries"]) == ("soils", ["depth!=rock"], 5)  # fmt: skip
    assert document["axes"]["depth"] == {
        "entries": 5, "tags": 5, "applicable": 4,
        "counts": {"surface": 2, "shallow": 1, "deep": 1, "rock": 0, "none": 1},
    }  # fmt: skip
    (crosstab,) = document["crosstabs"]
    assert crosstab["cells"]["surface"] == {"water": 2, "salt": 0, "heat": 1, "gas": 0}
    assert document["screening"]["audited"] == 8
    assert "screening" not in json.loads(statistics_json(statistics(full())))


def test_the_overview_sets_each_axis_under_what_its_shares_are_of():
    shown = overview(statistics(full(), SCREENED), 40)
    assert shown[0] == "Soil sensors"
    start = shown.index("depth                             4 of 5")
    assert shown[start + 1 : start + 6] == [
        "  surface                         2  50%",
        "  shallow                         1  25%",
        "  deep                            1  25%",
        "  rock                            0   0%",
        "  none                            1",
    ]
    assert "senses                 5 entries, 6 tags" in shown
    assert "  by stage   title 2, text 1" in shown


def test_entries_without_a_term_are_a_line_of_the_overview():
    study = optional_senses(sensor("ada"), sensor("bob", senses=""))
    shown = overview(statistics(study), 40)
    assert f"  {EMPTY:<29}   1" in shown


def test_a_narrow_terminal_gets_one_column():
    study = load_corpus(str(REAL))
    axes = study.codebook.pool.axis_names
    table = Contingency(study.codebook, axes, tally_table(study.pool, study.codebook, axes))
    found = Statistics(study.codebook, tuple(table.margins()), (), None, 84)
    for columns in (40, 63, 64, 80):
        assert max(map(len, overview(found, columns))) <= columns
    assert len(overview(found, 40)) > 1.5 * len(overview(found, 80))


def grid(*tags):
    data = codebook_data()
    data["tables"]["found"] = {
        "file": "found.csv",
        "role": "candidates",
        "key": ["work"],
        "columns": [
            declared("work", "key", role="key"),
            declared("depth", "term", vocabulary="depth", required=False),
        ],
    }  # fmt: skip
    rows = [(f"c{number}", tag) for number, tag in enumerate(tags)]
    study = full({"found": rows}, **data)
    axes = [column.name for column in study.pool.spec.columns if column.axis]
    cells = Counter(zip(*(study.pool.column(name) for name in axes), strict=True))
    margins = tuple(Contingency(study.codebook, tuple(axes), cells).margins())
    return prospect_grid(margins, study.tables["found"]).rows


def test_tags_and_missing_tags_add_up_to_the_candidates():
    rows = grid("deep", "deep", "")
    depth = {row[1]: row[2:] for row in rows if row[0] == "depth"}
    assert depth["deep"] == ("1", "2", "3")
    assert depth[UNTAGGED] == ("", "1", "")
    assert sum(int(cells[1]) for cells in depth.values()) == 3
    assert rows[-1] == ("all", "", "5", "3", "8")


def test_an_axis_that_no_candidate_carries_is_untagged():
    others = [row for row in grid("deep") if row[0] not in ("depth", "all")]
    assert {row[1:] for row in others} == {(UNTAGGED, "", "1", "")}


def test_every_stage_is_counted_and_the_rest_by_number(minimal):
    log = minimal / "rejected.csv"
    log.write_text(
        "nr,source,label,found,stage\nX1,zoo,A,LIB-1,abstract\nX2,arXiv,B,LIB-2,abstract\n"
        "X3,zoo,C,LIB-3,abstract\nX4,library,D,LIB-4,abstract\n", "utf-8",
    )  # fmt: skip
    study = load_corpus(str(minimal))
    found = screening(3, study.tables["rejected"], study.codebook)
    assert (found.retained, found.excluded, found.audited) == (3, 4, 7)
    assert found.stages == {"abstract": 4, "full_text": 0}
    assert list(found.sources.items()) == [("zoo", 2), ("arXiv", 1), ("library", 1)]
    assert found.query_families == {}
