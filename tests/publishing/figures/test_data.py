from corpus.publishing.figures.figure import figure_plans
from tests.corpora.full import codebook_data, full

SEEN = {
    "kind": "timeline",
    "table": "dated",
    "date": "seen",
    "group": "depth",
    "window": ["2020-10", "2021-02"],
}


def test_entries_of_no_group_are_drawn_as_such():
    pool = [("ada", "Ada", "deep", "water"), ("bob", "Bob", "", "heat"), ("cy", "Cy", "", "heat")]
    rows = {"sensors": pool, "dropped": [], "dated": [("bob", "2020-11"), ("ada", "2020-11")]}
    data = codebook_data(figures={"flow": {"kind": "flow", "group": "depth"}, "seen": SEEN})
    data["tables"]["sensors"]["columns"][2]["required"] = False
    study = full({**rows, "judged": [], "uses": [], "ranges": []}, **data)
    found, dated = [plan.data(study) for plan in figure_plans(study.codebook).values()]
    assert (found.retained, found.groups[-1]) == (3, ("not given", 2))
    assert [mark.key for mark in dated.drawn("")] == ["bob"]
    assert [mark.key for mark in dated.marks if mark.part == "undated"] == ["cy"]
    assert dated.groups[-1][:2] == ("", "not given")
