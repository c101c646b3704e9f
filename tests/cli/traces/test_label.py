"""`corpus trace label` from the command line."""

import json

from tests.support.trace_commands import EXAMPLES, REPORT, trace


def test_labels_as_text_are_listed_by_event_of_each_trace():
    text = trace("label", REPORT).stdout
    assert text.startswith("example-hierarchical\n")
    assert "O1 (spawn); O2 (target)" in text
    assert trace("label", EXAMPLES).stdout.count("decisions (rule)") == 9


def test_labels_as_json_are_one_object_a_label():
    rows = json.loads(trace("label", EXAMPLES, "--format", "json").stdout)
    assert len({(row["file"], row["trace_id"]) for row in rows}) == 9
    assert [row["decision"] for row in rows if row["event"] == "heat-plan"] == ["O1", "O2", "O5"]
    assert [row["stop"] for row in rows].count("explicit") == 1
