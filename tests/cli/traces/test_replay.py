"""`corpus trace replay` from the command line."""

import json

from tests.support.trace_commands import REPORT, trace


def test_replay_writes_a_state_for_each_event_and_the_digest():
    states = [json.loads(line) for line in trace("replay", REPORT).stdout.splitlines()]
    assert len(states) - 1 == states[-1]["events"] == 28
    assert states[0]["event"]
    assert len(states[-1]["digest"]) == 64


def test_text_for_people_cuts_names_of_a_million_letters(tmp_path):
    path = tmp_path / "long.json"
    path.write_text(
        REPORT.read_text(encoding="utf-8").replace('"director"', json.dumps("d" * 1_000_000))
    )
    assert "d" * 1_000_000 in trace("replay", path).stdout
    for command in ("label", "stats", "validate"):
        assert len(trace(command, path).output) < 30_000
