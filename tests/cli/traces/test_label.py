"""`corpus trace label` from the command line."""

import csv
import io
import json
from pathlib import Path

from click.testing import CliRunner

from corpus.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "data/traces/examples"
REPORT = EXAMPLES / "hierarchical_report.json"


def run(*arguments):
    return CliRunner().invoke(main, ["trace", *map(str, arguments)], catch_exceptions=False)


def test_labels_as_text_with_the_entries_that_train_each_decision():
    text = run("label", REPORT).stdout
    assert "O1 (spawn); O2 (target)" in text
    anchors = text[text.index("by grade of evidence") :]
    found = next(line for line in anchors.splitlines() if line.startswith("O1"))
    assert "kimi-k2-5" in found
    assert len(max(anchors.splitlines(), key=len)) < 160
    assert "by grade of evidence" not in run("label", REPORT, "--no-corpus").stdout


def test_labels_as_json_count_events_and_traces():
    document = json.loads(run("label", EXAMPLES, "--format", "json").stdout)
    assert document["traces"] == 9
    assert document["stops"]["explicit"] == 1
    first = document["decisions"]["O1"]
    assert (
        first["events"]
        == sum(row["decision"] == "O1" for row in document["labels"])
        == sum(first["rules"].values())
    )
    assert document["decisions"]["O5"]["entries"]["dedicated_signal"] == []


def test_labels_as_csv_have_one_row_a_label():
    rows = list(csv.DictReader(io.StringIO(run("label", REPORT, "--format", "csv").stdout)))
    assert [row["decision"] for row in rows if row["event"] == "heat-plan"] == ["O1", "O2", "O5"]
