"""`corpus trace diff` from the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from corpus.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "data/traces/examples"
REPORT = EXAMPLES / "hierarchical_report.json"


def run(*arguments):
    return CliRunner().invoke(main, ["trace", *map(str, arguments)], catch_exceptions=False)


def test_diff_shows_where_two_traces_diverge(tmp_path):
    trace = json.loads(REPORT.read_text())
    trace["events"][4]["agent"] = "heat2"
    trace["rewards"]["team"] = 0.1
    path = tmp_path / "b.json"
    path.write_text(json.dumps(trace))
    document = json.loads(run("diff", REPORT, path, "--format", "json").stdout)
    assert document["divergence"]["keys"] == {"agent": ["heat", "heat2"]}
    assert "rewards.team" in {change["name"] for change in document["changes"]}
    assert run("diff", REPORT, path).stdout.startswith(
        f"{document['common_events']} events in common"
    )
    assert run("diff", REPORT, path, "--exit-code").exit_code == 1
    assert run("diff", REPORT, REPORT, "--exit-code").exit_code == 0


def test_diff_takes_traces_by_their_ids(tmp_path):
    path = tmp_path / "runs.jsonl"
    names = ("hierarchical_report", "swarm_refund")
    lines = [
        (EXAMPLES / f"{name}.json").read_text(encoding="utf-8").replace("\n", "") for name in names
    ]
    path.write_text("\n".join(lines) + "\n")
    assert run("diff", path, REPORT).exit_code == 2
    assert (
        run("diff", path, REPORT, "--trace", "example-hierarchical", "--exit-code").exit_code == 0
    )
    two = ("--trace", "example-hierarchical", "--trace", "example-swarm")
    assert run("diff", path, path, *two, "--exit-code").exit_code == 1
    assert run("diff", path, path, *two, "--trace", "x").exit_code == 2
