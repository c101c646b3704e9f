"""`corpus trace label`, `replay` and `diff` from the command line."""

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
    assert next(line for line in anchors.splitlines() if line.startswith("O1")).split()[1] == "kimi-k2-5"
    assert "by grade of evidence" not in run("label", REPORT, "--no-corpus").stdout


def test_labels_as_json_count_events_and_traces():
    document = json.loads(run("label", EXAMPLES, "--format", "json").stdout)
    assert document["traces"] == 9
    assert document["stops"]["explicit"] == 1
    first = document["decisions"]["O1"]
    assert first["events"] == sum(row["decision"] == "O1" for row in document["labels"]) == sum(first["rules"].values())
    assert document["decisions"]["O5"]["entries"]["dedicated_signal"] == []


def test_labels_as_csv_have_one_row_a_label():
    rows = list(csv.DictReader(io.StringIO(run("label", REPORT, "--format", "csv").stdout)))
    assert [row["decision"] for row in rows if row["event"] == "heat-plan"] == ["O1", "O2", "O5"]


def test_replay_writes_states_and_the_same_digest_in_both_forms():
    text = run("replay", REPORT).stdout.splitlines()
    states = [json.loads(line) for line in run("replay", REPORT, "--json").stdout.splitlines()]
    assert len(text) - 2 == len(states) - 1 == 28
    assert text[-1] == f"digest {states[-1]['digest']}"
    assert run("replay", REPORT, "--until", "hire-wood", "--step").stdout.splitlines()[-2].split()[2] == "hire-wood"


def test_replay_without_an_agent_claims_nothing_about_the_outcome():
    result = run("replay", REPORT, "--without", "heat")
    assert result.exit_code == 0
    assert "says nothing about how the run would have ended" in result.stdout
    document = json.loads(run("replay", REPORT, "--without", "heat", "--json").stdout)
    assert document["agents"] == ["heat", "gas", "wood"]
    assert document["structure"]["wasted_events"] == [4, 0]
    assert not {"tokens", "rewards", "duration_s"} & document["structure"].keys()
    assert run("replay", REPORT, "--without", "nobody").exit_code == 2


def test_replay_of_a_file_with_several_traces_needs_a_name(tmp_path):
    path = tmp_path / "two.jsonl"
    trace = json.loads(REPORT.read_text())
    path.write_text("\n".join(json.dumps(trace | {"trace_id": name}) for name in ("a", "b")))
    assert run("replay", path).exit_code == 2
    assert run("replay", path, "--trace", "b").exit_code == 0
    assert run("replay", path, "--trace", "c").exit_code == 2


def test_replay_of_a_broken_trace_is_a_finding(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("{")
    result = run("replay", path)
    assert result.exit_code == 1
    assert "OT005" in result.stderr


def test_diff_says_where_two_traces_part(tmp_path):
    trace = json.loads(REPORT.read_text())
    trace["events"][4]["agent"] = "heat2"
    trace["rewards"]["team"] = 0.1
    path = tmp_path / "b.json"
    path.write_text(json.dumps(trace))
    document = json.loads(run("diff", REPORT, path, "--format", "json").stdout)
    assert document["divergence"]["keys"] == {"agent": ["heat", "heat2"]}
    assert "rewards.team" in {change["name"] for change in document["changes"]}
    assert run("diff", REPORT, path).stdout.startswith(f"{document['common_events']} events in common")
    assert run("diff", REPORT, path, "--exit-code").exit_code == 1
    assert run("diff", REPORT, REPORT, "--exit-code").exit_code == 0


def test_diff_takes_traces_by_their_ids(tmp_path):
    path = tmp_path / "runs.jsonl"
    names = ("hierarchical_report", "swarm_refund")
    lines = [(EXAMPLES / f"{name}.json").read_text(encoding="utf-8").replace("\n", "") for name in names]
    path.write_text("\n".join(lines) + "\n")
    assert run("diff", path, REPORT).exit_code == 2
    assert run("diff", path, REPORT, "--trace", "example-hierarchical", "--exit-code").exit_code == 0
    two = ("--trace", "example-hierarchical", "--trace", "example-swarm")
    assert run("diff", path, path, *two, "--exit-code").exit_code == 1
    assert run("diff", path, path, *two, "--trace", "x").exit_code == 2


def test_text_for_people_cuts_names_of_a_million_letters(tmp_path):
    path = tmp_path / "long.json"
    path.write_text(REPORT.read_text(encoding="utf-8").replace('"director"', json.dumps("d" * 1_000_000)))
    assert "d" * 1_000_000 in run("replay", path, "--json").stdout
    for command in ("replay", "label", "stats", "validate"):
        assert len(run(command, path).output) < 30_000
