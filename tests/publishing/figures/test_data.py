from tests.support.drawn import data_of

SEEN = {
    "kind": "timeline",
    "table": "dated",
    "date": "seen",
    "group": "depth",
    "window": ["2020-10", "2021-02"],
}


def test_entries_of_no_group_are_drawn_as_such():
    rows = [("ada", "Ada", "deep", "water"), ("bob", "Bob", "", "heat"), ("cy", "Cy", "", "heat")]
    others = {"judged": [], "uses": [], "ranges": []}
    found = data_of({"sensors": rows, "dropped": [], **others}, kind="flow", group="depth")
    assert (found.retained, found.groups[-1]) == (3, ("not given", 2))
    dated = data_of(
        {"sensors": rows, "dated": [("bob", "2020-11"), ("ada", "2020-11")], **others}, **SEEN
    )
    assert [mark.key for mark in dated.drawn("")] == ["bob"]
    assert [mark.key for mark in dated.marks if mark.part == "undated"] == ["cy"]
    assert dated.groups[-1][:2] == ("", "not given")
