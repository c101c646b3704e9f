"""`corpus trace replay` from the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from corpus.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "data/traces/examples"
REPORT = EXAMPLES / "hierarchical_report.json"


def run(*arguments):
    return CliRunner().invoke(main, ["trace", *map(str, arguments)], catch_exceptions=False)


def test_replay_writes_states_and_the_same_digest_in_both_forms():
    text = run("replay", REPORT).stdout.splitlines()
    states = [json.loads(line) for line in run("replay", REPORT, "--json").stdout.splitlines()]
    assert len(text) - 2 == len(states) - 1 == 28
    assert text[-1] == f"digest {states[-1]['digest']}"
    assert (
        run("replay", REPORT, "--until", "hire-wood", "--step").stdout.splitlines()[-2].split()[2]
        == "hire-wood"
    )


def test_replay_without_an_agent_claims_nothing_about_the_outcome():
    result = run("replay", REPORT, "--without", "heat")
    assert result.exit_code == 0
    assert not {"tokens", "rewards", "duration_s"} & {
        line.split(" ")[0] for line in result.stdout.splitlines()
    }
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


def test_text_for_people_cuts_names_of_a_million_letters(tmp_path):
    path = tmp_path / "long.json"
    path.write_text(
        REPORT.read_text(encoding="utf-8").replace('"director"', json.dumps("d" * 1_000_000))
    )
    assert "d" * 1_000_000 in run("replay", path, "--json").stdout
    for command in ("replay", "label", "stats", "validate"):
        assert len(run(command, path).output) < 30_000
