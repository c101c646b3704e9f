"""Rollouts: what the samples of the formats do not show."""

import json

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.support.recorded_rollouts import rllm_episode


@pytest.mark.parametrize(("given", "kept"), [(0.5, {"reward": 0.5}), (0.0, None), (None, None)])
def test_a_step_of_rllm_has_its_reward_unless_nobody_gave_one(tmp_path, given, kept):
    episode = rllm_episode()
    for step in episode["trajectories"][0]["steps"]:
        step["reward"] = given
    recorded, written = tmp_path / "episodes.jsonl", tmp_path / "run.json"
    recorded.write_text(json.dumps(episode) + "\n")
    command = ["trace", "convert", str(recorded), "-o", str(written)]
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    events = json.loads(written.read_text())["events"]
    found = [event["x_rewards"] for event in events if "x_rewards" in event]
    assert all(reward == kept for reward in found)
    assert bool(found) is (kept is not None)
