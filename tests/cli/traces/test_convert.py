import json
import os
import re
from functools import partial
from pathlib import Path

import pytest

from corpus.traces.convert import FORMATS
from corpus.traces.emit import TARGETS
from corpus.traces.training.trainers import TRAINERS
from tests.support.trace_commands import trace

ROWS = [
    {"type": "user", "uuid": "a", "message": {"content": "go"}},
    {"type": "assistant", "uuid": "b", "message": {"content": [{"type": "text", "text": "done"}]}},
]


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "s.jsonl"
    common = {"sessionId": "s", "isSidechain": False, "timestamp": "2026-01-01T00:00:00Z"}
    path.write_text("".join(json.dumps({**common, **row}) + "\n" for row in ROWS))
    return path


@pytest.fixture
def other(session):
    """The same session under another id."""
    path = session.with_name("o.jsonl")
    path.write_text(session.read_text().replace('"sessionId": "s"', '"sessionId": "o"'))
    return path


call = partial(trace, "convert")


def test_the_trace_alone_goes_to_stdout(session):
    result = call(session)
    assert result.exit_code == 0
    found = [event["type"] for event in json.loads(result.stdout)["events"]]
    assert found == ["human_intervention", "return"]
    assert "1 trace, 2 events" in result.stderr


def test_output_and_loss_files_are_written(session, tmp_path):
    with session.open("a") as file:
        file.write(json.dumps({"type": "summary", "sessionId": "s", "uuid": "c"}) + "\n{")
    result = call(session, "-o", tmp_path / "t.json", "--loss", tmp_path / "l.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "OT201" in result.stderr
    report = json.loads((tmp_path / "l.json").read_text())
    assert report[0]["trace_id"] == json.loads((tmp_path / "t.json").read_text())["trace_id"]
    assert [(loss["kind"], Path(loss["place"]).name) for loss in report[1]["losses"]] == [
        ("dropped", "s.jsonl:4")
    ]
    assert ("dropped", "rows of type summary") in [
        (loss["kind"], loss["what"]) for loss in report[0]["losses"]
    ]


def test_content_appears_only_when_asked_for(session, tmp_path):
    made = call(session).stdout
    assert "done" not in made
    kept = call(session, "--contents", tmp_path / "c.jsonl")
    assert kept.stdout == made
    contents = [json.loads(line) for line in (tmp_path / "c.jsonl").read_text().splitlines()]
    assert [(one["role"], one["text"]) for one in contents] == [
        ("user", "go"),
        ("assistant", "done"),
    ]
    events = json.loads(made)["events"]
    assert [one["content_ref"] for one in events] == [one["hash"] for one in contents]


def test_a_run_with_its_contents_is_written_for_trainers_a_row_on_each_line(session, tmp_path):
    made, contents = tmp_path / "t.json", tmp_path / "c.jsonl"
    call(session, "-o", made, "--contents", contents)
    for given in ([made], [session]):
        found = call(*given, "--to", "trl", "--contents", contents)
        (line,) = found.stdout.splitlines()
        assert [one["content"] for one in json.loads(line)["messages"]] == ["go", "done"]
        assert found.stderr.count("inferred") == 1


@pytest.mark.parametrize(
    "given",
    [
        ["--to", "trl"],
        ["--to", "rllm", "--contents", "c.jsonl", "--for", "sft"],
        ["--to", "trl", "--contents", "c.jsonl", "--credit", "grpo"],
        ["--to", "verifiers", "--contents", "c.jsonl", "--credit", "shapley"],
        ["--to", "verifiers", "--contents", "c.jsonl", "--channel", "team"],
    ],
)
def test_what_a_trainer_cannot_read_is_refused(session, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call(session, "-o", "t.json", "--contents", "c.jsonl")
    assert call("t.json", *given, "-o", "rows.jsonl").exit_code == 2
    assert not (tmp_path / "rows.jsonl").exists()


def test_contents_of_another_hash_are_refused_and_nothing_is_written(session, tmp_path):
    made, contents = tmp_path / "t.json", tmp_path / "c.jsonl"
    call(session, "-o", made, "--contents", contents)
    contents.write_text(contents.read_text().replace('"done"', '"well done"'))
    found = call(made, "--to", "atif", "--contents", contents, "-o", tmp_path / "a.json")
    assert (found.exit_code, "OT006" in found.stderr) == (1, True)
    assert f"{contents}:2" in found.stderr
    assert not (tmp_path / "a.json").exists()


def test_no_half_written_contents_stay_behind(session, other, tmp_path):
    before = set(tmp_path.iterdir())
    found = call(session, other, "-o", tmp_path / "t.json", "--contents", tmp_path / "c.jsonl")
    assert (found.exit_code, set(tmp_path.iterdir())) == (2, before)
    assert call(session, "-o", tmp_path / "t", "--contents", tmp_path / "t").exit_code == 2
    assert call(session, "--contents", session).exit_code == 2


def test_an_unknown_format_name_is_wrong_usage(session):
    assert call(session, "--from", "nothing").exit_code == 2


def test_a_format_that_is_gone_names_the_way_that_remains(session):
    found = call(session, "--from", "swe-agent")
    assert (found.exit_code, "ATIF" in found.stderr) == (2, True)


def test_formats_are_listed_within_eighty_columns():
    lines = trace("formats").stdout.splitlines()
    listed = {line.split("  ")[0] for line in lines}
    assert {one.name for one in FORMATS} <= listed
    assert {f"--to {name}" for name in TARGETS} <= listed
    assert max(map(len, lines)) <= 80


def test_the_page_of_formats_has_a_section_for_each():
    page = (Path(__file__).parents[3] / "docs" / "trace-formats.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (.+)$", page, re.MULTILINE)) - {
        "Recorder versions",
        "Witnesses",
    }
    read = {one.name for one in FORMATS}
    written = {*TARGETS, *TRAINERS}
    assert sections == read | {f"--to {name}" for name in written}


@pytest.mark.parametrize("ending", ["json", "JSON"])
def test_the_name_of_the_output_and_what_is_written_agree(session, other, tmp_path, ending):
    both, lines = tmp_path / f"two.{ending}", tmp_path / f"one.{ending}L"
    assert call(session, other, "-o", both).exit_code == 2
    assert not both.exists()
    assert call(session, "-o", lines).exit_code == 0
    assert len(lines.read_text().splitlines()) == 1


def test_no_command_writes_over_the_run_that_it_reads(session, tmp_path):
    before = session.read_bytes()
    assert call(session, "-o", session).exit_code == 2
    assert call(session, "--loss", session).exit_code == 2
    assert session.read_bytes() == before
    made = tmp_path / "t.json"
    assert call(session, "-o", made).exit_code == 0
    before = made.read_bytes()
    for command in (["stats"], ["draw", "--format", "svg"], ["view"]):
        assert trace(*command, made, "-o", made).exit_code == 2
    assert made.read_bytes() == before


@pytest.mark.parametrize("name", TARGETS)
def test_a_recorded_run_and_a_trace_are_written_in_another_format(session, tmp_path, name):
    direct = call(session, "--to", name)
    assert direct.exit_code == 0
    call(session, "-o", tmp_path / "t.json")
    by_trace = call(tmp_path / "t.json", "--to", name, "--loss", tmp_path / "l.json")
    assert by_trace.stdout == direct.stdout
    (report,) = json.loads((tmp_path / "l.json").read_text())
    assert {"kind", "place", "what", "count"} == report["losses"][0].keys()
    assert report["trace_id"] == "s"


@pytest.mark.parametrize("force", [False, True])
def test_what_is_in_no_count_ends_with_an_error_unless_that_is_accepted(session, tmp_path, force):
    called = {"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "look"}}
    back = {"type": "tool_result", "tool_use_id": "t", "content": "seen"}
    rows = [
        ROWS[0],
        {"type": "assistant", "uuid": "b", "message": {"content": [called]}},
        {"type": "user", "uuid": "c", "message": {"content": [back]}},
    ]
    common = {"sessionId": "s", "isSidechain": False, "timestamp": "2026-01-01T00:00:00Z"}
    session.write_text("".join(json.dumps({**common, **row}) + "\n" for row in rows))
    given = [session, "-o", tmp_path / "t.json", *(["--force"] if force else [])]
    result = call(*given)
    assert result.exit_code == (0 if force else 1)
    assert ("s.jsonl:3: in no count" in result.stderr) is not force
    # What there is is written in any case.
    assert json.loads((tmp_path / "t.json").read_text())["trace_id"] == "s"


def test_a_folder_with_other_files_names_each_and_ends_with_an_error(session, tmp_path):
    (tmp_path / "notes.json").write_text("{}")
    result = call(tmp_path, "-o", tmp_path.parent / "t.jsonl")
    assert (result.exit_code, "notes.json: warning OT205" in result.stderr) == (1, True)
    assert call(tmp_path, "-o", tmp_path.parent / "t.jsonl", "--force").exit_code == 0


def test_the_report_lists_what_a_format_does_not_record_at_all(session, tmp_path):
    call(session, "-o", tmp_path / "t.json", "--loss", tmp_path / "l.json")
    (listed,) = json.loads((tmp_path / "l.json").read_text())[-1]["not_recorded"].items()
    assert listed == ("claude-code", list(FORMATS[0].row["not_recorded"]))
    assert all(one.row["not_recorded"] for one in FORMATS)


def test_several_traces_are_one_document_where_the_format_holds_them(session, other, tmp_path):
    assert call(session, other, "--to", "chrome", "-o", tmp_path / "x.json").exit_code == 0
    events = json.loads((tmp_path / "x.json").read_text())["traceEvents"]
    assert {one["pid"] for one in events} == {1, 2}
    refused = call(session, other, "--to", "atif", "-o", tmp_path / "y.json")
    assert (refused.exit_code, (tmp_path / "y.json").exists()) == (2, False)
    lines = call(session, other, "--to", "atif").stdout.splitlines()
    assert [json.loads(line)["session_id"] for line in lines] == ["o", "s"]


def test_traces_are_an_input_only_where_another_format_is_written(session, tmp_path):
    call(session, "-o", tmp_path / "t.json")
    assert call(tmp_path / "t.json", "--from", "trace").exit_code == 2
    assert call(tmp_path / "t.json", "--from", "trace", "--to", "atif").exit_code == 0


@pytest.mark.parametrize("change", [{"events": 3}, {"edges": None}, {"task_id": ""}])
def test_a_trace_with_an_error_is_not_written_elsewhere(session, tmp_path, change):
    call(session, "-o", tmp_path / "t.json")
    broken = {**json.loads((tmp_path / "t.json").read_text()), **change}
    (tmp_path / "t.json").write_text(json.dumps(broken))
    result = call(tmp_path / "t.json", "--to", "atif", "-o", tmp_path / "c.json")
    assert (result.exit_code, "OT001" in result.stderr) == (1, True)
    assert not (tmp_path / "c.json").exists()


def test_a_document_without_events_stops_the_traces_beside_it(session, tmp_path):
    call(session, "-o", tmp_path / "t.jsonl")
    with (tmp_path / "t.jsonl").open("a") as file:
        file.write('{"task_id": "x"}\n')
    result = call(tmp_path / "t.jsonl", "--to", "atif", "-o", tmp_path / "a.jsonl")
    assert (result.exit_code, "t.jsonl:2 [/events]: error OT001" in result.stderr) == (1, True)


def test_a_loss_report_names_a_file_whatever_bytes_are_in_its_name(session, tmp_path):
    name = os.fsencode(session.parent) + b"/odd\xff\xe2\x80\xae.jsonl"
    Path(os.fsdecode(name)).write_bytes(session.read_bytes() + b"{")
    report = tmp_path / "l.json"
    result = call(os.fsdecode(name), "-o", tmp_path / "t.json", "--loss", report)
    assert result.exit_code == 1
    text = report.read_bytes()
    assert text.isascii()
    (loss,) = json.loads(text)[-1]["losses"]
    assert os.fsencode(loss["place"]) == name + b":3"
