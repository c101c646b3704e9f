"""`corpus trace label` from the command line."""

import csv
import io
import json

from tests.support.trace_commands import EXAMPLES, REPORT, trace


def test_labels_as_text_with_the_entries_that_train_each_decision():
    text = trace("label", REPORT).stdout
    assert "O1 (spawn); O2 (target)" in text
    anchors = text[text.index("by grade of evidence") :]
    found = next(line for line in anchors.splitlines() if line.startswith("O1"))
    assert "kimi-k2-5" in found
    assert len(max(anchors.splitlines(), key=len)) < 160
    assert "by grade of evidence" not in trace("label", REPORT, "--no-corpus").stdout


def test_labels_as_json_count_events_and_traces():
    document = json.loads(trace("label", EXAMPLES, "--format", "json").stdout)
    assert document["traces"] == 9
    assert document["stops"]["explicit"] == 1
    first = document["decisions"]["O1"]
    assert (
        first["events"]
        == sum(row["decision"] == "O1" for row in document["labels"])
        == sum(first["rules"].values())
    )
    assert document["decisions"]["O5"]["entries"]["dedicated_signal"] == ["marsrl", "puppeteer"]


def test_labels_as_csv_have_one_row_a_label():
    rows = list(csv.DictReader(io.StringIO(trace("label", REPORT, "--format", "csv").stdout)))
    assert [row["decision"] for row in rows if row["event"] == "heat-plan"] == ["O1", "O2", "O5"]
