"""`corpus trace validate`: exit codes, formats, options."""

import json
from functools import partial
from pathlib import Path

import msgspec
import pytest

from corpus.traces.contents import Content
from tests.support.made_traces import event, pair
from tests.support.trace_commands import EXAMPLES, trace

TAINTED = str(EXAMPLES / "centralized_injection.json")
CLEAN = str(EXAMPLES / "swarm_refund.json")


run = partial(trace, "validate")


def test_examples_pass_and_warnings_alone_do_not_fail():
    result = run(EXAMPLES)
    assert result.exit_code == 0
    assert "9 traces, 0 with errors" in result.stderr


def test_strict_fails_on_a_warning():
    assert run(TAINTED, "--strict").exit_code == 1


def test_json_is_one_document_also_with_nothing_found(tmp_path):
    (tmp_path / "a.jsonl").write_text("{}\n[\n")
    document = json.loads(run(tmp_path, "--format", "json").stdout)
    assert [(f["code"], f["line"]) for f in document["findings"]] == [("OT001", 1), ("OT005", 2)]
    assert (document["errors"], document["traces"]) == (2, 2)
    clean = json.loads(run(CLEAN, "--format", "json").stdout)
    assert clean == {"findings": [], "errors": 0, "warnings": 0, "traces": 1}


def test_standard_input_and_one_bad_trace_among_good_ones():
    good = json.dumps(json.loads((EXAMPLES / "swarm_refund.json").read_text()))
    result = run("-", input=f"{good}\n{good[:-2]}\n{good}\n")
    assert result.exit_code == 1
    assert "3 traces, 1 with errors" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["nowhere.json"], [TAINTED, "--max-mb", "0"]])
def test_wrong_usage_exits_2(arguments):
    assert run(*arguments).exit_code == 2


def test_a_folder_without_traces_is_wrong_usage(tmp_path):
    assert run(tmp_path).exit_code == 2


def test_control_characters_of_a_trace_do_not_reach_the_terminal(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"trace_id": "t", "\x1b[31mred": 1}))
    assert "\x1b" not in run(path).stdout


def test_a_text_over_several_lines_in_a_file_named_as_lines_is_one_trace(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(json.loads(Path(TAINTED).read_text()), indent=2))
    assert "1 trace, 0 with errors" in run(path).stderr


def test_a_session_that_was_not_converted_gives_one_finding(tmp_path):
    session = tmp_path / "session.jsonl"
    session.write_text('{"type": "user"}\n' * 40)
    result = run(session, "--format", "json")
    found = json.loads(result.stdout)
    assert [(one["code"], one["line"]) for one in found["findings"]] == [("OT001", 1)]
    assert found["errors"] == 40
    assert result.exit_code == 1


def test_contents_are_checked_against_their_hashes_and_the_events(tmp_path):
    contents, path = tmp_path / "c.jsonl", tmp_path / "t.json"
    tea, stray = Content.of("user", "tea"), Content.of("user", "stray")
    rows = [tea, stray, msgspec.structs.replace(tea, text="milk")]
    contents.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    made = pair()
    event(made, "plan")["content_ref"] = tea.hash
    path.write_text(json.dumps(made))
    result = run(path, "--contents", contents, "--format", "json")
    found = [(one["code"], one["line"]) for one in json.loads(result.stdout)["findings"]]
    assert (result.exit_code, found) == (1, [("OT006", 3), ("OT121", 2)])
    contents.write_bytes(b"\n".join(map(msgspec.json.encode, rows[:2])))
    given = (path, "--contents", contents)
    assert [run(*given, *more).exit_code for more in ((), ("--strict",))] == [0, 1]
