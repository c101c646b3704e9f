"""`corpus trace blame` and `score` as commands, and the table of a labelled folder."""

import json

import pytest

from benchmarks.blame import blame
from tests.support.recorded_samples import led_log
from tests.support.trace_commands import trace
from tests.traces.training.test_blame import failed_run
from tests.traces.training.test_rewards import written


@pytest.fixture
def lines(tmp_path):
    traces = [failed_run("run-1"), failed_run("run-2")]
    return written(tmp_path, "".join(json.dumps(one) + "\n" for one in traces), "runs.jsonl")


def test_the_rule_is_compared_with_labels(tmp_path, lines):
    out = tmp_path / "blame.jsonl"
    result = trace("blame", lines, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    labels = written(tmp_path, "trace,agent,step\nrun-1,bob,2\nrun-2,lead,1\n")
    result = trace("score", out, "--labels", labels)
    assert result.exit_code == 0
    table = [line.split() for line in result.stdout.splitlines()]
    # Wilson for 1 of 2 with z = 1.96: z² / n = 1.92, middle (0.5 + 0.96) / 2.92 = 0.5, half
    # 1.96 * sqrt(0.25 / 2 + 3.84 / 16) / 2.92 = 0.405.
    half, both = "50.0% [9.5%, 90.5%]", "100.0% [34.2%, 100.0%]"
    assert f"made-up most-active 2 2 {half} {half} {both}".split() in table


def test_a_store_gives_the_same_predictions(tmp_path, lines):
    store = tmp_path / "store"
    trace("ingest", lines, "-o", store)
    of_files, of_store = trace("blame", lines), trace("blame", store)
    assert of_files.stdout == of_store.stdout != ""


def test_labels_of_another_trace_fail_the_command_and_the_rest_is_counted(tmp_path, lines):
    out = tmp_path / "blame.jsonl"
    trace("blame", lines, "-o", out)
    labels = written(tmp_path, "trace,agent,step\nrun-1,bob,2\nrun-9,lead,1\nrun-2,cid,1\n")
    result = trace("score", out, "--labels", labels)
    assert result.exit_code == 1
    assert result.stderr.count("OT510") == 2
    # Wilson for 1 of 1: the lower bound is 1 / (1 + z²) = 1 / 4.84.
    assert "100.0% [20.7%, 100.0%]" in result.stdout


def test_a_folder_of_logs_gives_a_table_by_framework(tmp_path):
    for name in ("hand", "made"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, json.dumps(led_log()), "1.json")
    findings = []
    table = [line.split() for line in blame(tmp_path, 2, findings).splitlines()]
    assert findings == []
    # The label is WebSurfer at step 3, the first step the lead's at 1.
    one, two = "1 1 0.0% [0.0%, 79.3%]", "2 2 0.0% [0.0%, 65.8%]"
    assert f"hand first {one} 0.0% [0.0%, 79.3%] 100.0% [20.7%, 100.0%]".split() in table
    assert f"all first {two} 0.0% [0.0%, 65.8%] 100.0% [34.2%, 100.0%]".split() in table
    assert f"made most-active 1 1 {' '.join(['100.0% [20.7%, 100.0%]'] * 3)}".split() in table
