"""`corpus trace replay` from the command line."""

import json

from tests.support.trace_commands import REPORT, trace


def test_replay_writes_states_and_the_same_digest_in_both_forms():
    text = trace("replay", REPORT).stdout.splitlines()
    states = [json.loads(line) for line in trace("replay", REPORT, "--json").stdout.splitlines()]
    assert len(text) - 3 == len(states) - 1 == 28
    assert text[-1] == f"digest {states[-1]['digest']}"
    until = trace("replay", REPORT, "--until", "hire-wood").stdout.splitlines()
    assert until[-2].split()[2] == "hire-wood"


def test_replay_without_an_agent_claims_nothing_about_the_outcome():
    result = trace("replay", REPORT, "--without", "heat")
    assert result.exit_code == 0
    assert not {"tokens", "rewards", "duration_s"} & {
        line.split(" ")[0] for line in result.stdout.splitlines()
    }
    document = json.loads(trace("replay", REPORT, "--without", "heat", "--json").stdout)
    assert document["agents"] == ["heat", "gas", "wood"]
    assert document["structure"]["wasted_events"] == [4, 0]
    assert not {"tokens", "rewards", "duration_s"} & document["structure"].keys()
    assert trace("replay", REPORT, "--without", "nobody").exit_code == 2


def test_text_for_people_cuts_names_of_a_million_letters(tmp_path):
    path = tmp_path / "long.json"
    path.write_text(
        REPORT.read_text(encoding="utf-8").replace('"director"', json.dumps("d" * 1_000_000))
    )
    assert "d" * 1_000_000 in trace("replay", path, "--json").stdout
    for command in ("replay", "label", "stats", "validate"):
        assert len(trace(command, path).output) < 30_000
