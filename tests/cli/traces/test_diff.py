"""`corpus trace diff` from the command line."""

import json

from tests.support.trace_commands import EXAMPLES, REPORT, trace


def test_diff_shows_where_two_traces_diverge(tmp_path):
    made = json.loads(REPORT.read_text())
    made["events"][4]["agent"] = "heat2"
    made["rewards"]["team"] = 0.1
    path = tmp_path / "b.json"
    path.write_text(json.dumps(made))
    document = json.loads(trace("diff", REPORT, path, "--format", "json").stdout)
    assert document["divergence"]["keys"] == {"agent": ["heat", "heat2"]}
    assert "rewards.team" in {change["name"] for change in document["changes"]}
    assert trace("diff", REPORT, path).stdout.startswith(
        f"{document['common_events']} events in common"
    )
    assert trace("diff", REPORT, path, "--exit-code").exit_code == 1
    assert trace("diff", REPORT, REPORT, "--exit-code").exit_code == 0


def test_diff_takes_traces_by_their_ids(tmp_path):
    path = tmp_path / "runs.jsonl"
    names = ("hierarchical_report", "swarm_refund")
    lines = [
        (EXAMPLES / f"{name}.json").read_text(encoding="utf-8").replace("\n", "") for name in names
    ]
    path.write_text("\n".join(lines) + "\n")
    assert trace("diff", path, REPORT).exit_code == 2
    assert (
        trace("diff", path, REPORT, "--trace", "example-hierarchical", "--exit-code").exit_code == 0
    )
    two = ("--trace", "example-hierarchical", "--trace", "example-swarm")
    assert trace("diff", path, path, *two, "--exit-code").exit_code == 1
    assert trace("diff", path, path, *two, "--trace", "x").exit_code == 2
