"""Candidates are counted beside the pool by the terms that they carry, the others as untagged."""

from collections import Counter

from corpus.analysis.counting.report import UNTAGGED, prospect_grid
from corpus.model.contingency import Contingency
from tests.corpora.full import codebook_data, full


def grid(*tags):
    data = codebook_data()
    data["tables"]["found"] = {
        "file": "found.csv",
        "role": "candidates",
        "key": ["work"],
        "columns": [
            {"name": "work", "type": "key", "role": "key", "definition": "Work."},
            {
                "name": "depth", "type": "term", "vocabulary": "depth", "required": False,
                "definition": "Depth.",
            },
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
