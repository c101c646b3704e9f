"""What the rows of a session file tell, whatever version wrote them."""

from __future__ import annotations

from pathlib import Path

from tests.support.recorded_traces import (
    Recorder,
    Run,
    say,
)


def test_a_cycle_of_parents_ends(tmp_path: Path, recorder: Recorder, run: Run) -> None:
    for number in range(4):
        recorder.step("side", f"x{number}", say("round"))
        recorder.rows[-1]["parentUuid"] = f"u{(number + 1) % 4}"
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert {event["agent"] for event in found.trace["events"]} == {"agent-1"}
