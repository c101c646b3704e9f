import json

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.support.made_traces import pair


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(pair()))
    return path


def call(*arguments):
    return CliRunner().invoke(main, ["trace", "draw", *map(str, arguments)])


def test_text_is_what_a_terminal_gets(trace):
    result = call(trace)
    assert result.exit_code == 0
    assert "ann return -> lead" in result.stdout


@pytest.mark.parametrize(
    ("name", "start"),
    [("p.svg", b"<?xml"), ("p.PDF", b"%PDF"), ("p.png", b"\x89PNG"), ("p.mmd", b"---")],
)
def test_the_ending_of_the_file_chooses_the_format(trace, tmp_path, name, start):
    assert call(trace, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_figures_go_to_a_pipe_as_bytes(trace):
    assert call(trace, "--format", "png").stdout_bytes.startswith(b"\x89PNG")


def test_one_of_several_traces_is_chosen_by_number(tmp_path):
    second = pair()
    second["trace_id"] = "second"
    path = tmp_path / "two.jsonl"
    path.write_text(json.dumps(pair()) + "\n" + json.dumps(second) + "\n")
    assert "second:" in call(path, "--number", 2).stdout
    assert call(path, "--number", 3).exit_code == 2


def test_a_broken_trace_is_a_finding_and_leaves_no_file(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('{"trace_id": "x"}')
    result = call(path, "-o", tmp_path / "p.svg")
    assert (result.exit_code, "OT001" in result.stderr) == (1, True)
    assert not (tmp_path / "p.svg").exists()


def test_of_several_traces_none_is_drawn_unless_it_is_named(tmp_path):
    second = pair()
    second["trace_id"] = "second"
    path = tmp_path / "two.jsonl"
    path.write_text(json.dumps(pair()) + "\n" + json.dumps(second) + "\n")
    result = call(path, "-o", tmp_path / "p.svg")
    assert (result.exit_code, "--trace" in result.stderr) == (2, True)
    assert not (tmp_path / "p.svg").exists()
    assert "second:" in call(path, "--trace", "second").stdout


def test_an_ending_that_names_no_picture_is_wrong_usage(trace, tmp_path):
    assert call(trace, "-o", tmp_path / "p.jpg").exit_code == 2
    assert not (tmp_path / "p.jpg").exists()
    assert call(trace, "-o", tmp_path / "p.jpg", "--format", "png").exit_code == 0
    assert call(trace, "-o", tmp_path / "p.txt").exit_code == 0


def test_letters_that_a_figure_shows_as_codes_are_named(trace, tmp_path):
    trace.write_text(trace.read_text().replace('"ann"', '"\\u6a5f"'))
    assert "U+6A5F" in call(trace, "-o", tmp_path / "p.svg").stderr
    assert call(trace, "-o", tmp_path / "p.txt").stderr == ""
