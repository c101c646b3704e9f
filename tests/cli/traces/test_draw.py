import json
from functools import partial

import pytest

from tests.support.made_traces import pair
from tests.support.trace_commands import trace


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(pair()))
    return path


call = partial(trace, "draw")


def test_text_is_what_a_terminal_gets(file):
    result = call(file)
    assert result.exit_code == 0
    assert "ann return -> lead" in result.stdout


@pytest.mark.parametrize(
    ("name", "start"), [("p.svg", b"<?xml"), ("p.PDF", b"%PDF"), ("p.png", b"\x89PNG")]
)
def test_the_ending_of_the_file_chooses_the_format(file, tmp_path, name, start):
    assert call(file, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_figures_go_to_a_pipe_as_bytes(file):
    assert call(file, "--format", "png").stdout_bytes.startswith(b"\x89PNG")


def test_an_ending_that_names_no_picture_is_wrong_usage(file, tmp_path):
    assert call(file, "-o", tmp_path / "p.jpg").exit_code == 2
    assert not (tmp_path / "p.jpg").exists()
    assert call(file, "-o", tmp_path / "p.jpg", "--format", "png").exit_code == 0
    assert call(file, "-o", tmp_path / "p.txt").exit_code == 0
