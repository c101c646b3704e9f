"""`corpus forms`: GitHub's issue form for a new entry, made from the codebook."""

import pytest

from corpus.curation.edit.form import PATH, form_yaml
from corpus.tables.documents import read_codebook


@pytest.fixture
def text(minimal):
    """The form of the minimal corpus."""
    return form_yaml(read_codebook(str(minimal)))


def test_the_form_is_written_beside_the_data_folder_and_then_current(run, minimal, text):
    path = minimal.parent / PATH
    assert run("forms", "--check", "--data", minimal).exit_code == 1
    assert not path.exists()
    written = run("forms", "--data", minimal)
    assert (written.exit_code, written.stdout) == (0, "")
    assert path.read_text("utf-8") == text
    for options in ((), ("--check",)):
        again = run("forms", *options, "--data", minimal)
        assert (again.exit_code, again.output) == (0, "")


def test_line_ends_that_git_changes_are_no_difference(run, minimal, text):
    path = minimal.parent / PATH
    path.parent.mkdir(parents=True)
    path.write_bytes(text.replace("\n", "\r\n").encode())
    before = path.read_bytes()
    assert run("forms", "--check", "--data", minimal).exit_code == 0
    assert run("forms", "--data", minimal).exit_code == 0
    assert path.read_bytes() == before


def test_a_check_writes_nothing(run, minimal):
    path = minimal.parent / PATH
    path.parent.mkdir(parents=True)
    path.write_text("another form\n", "utf-8")
    assert run("forms", "--check", "--data", minimal).exit_code == 1
    assert path.read_text("utf-8") == "another form\n"


def test_a_form_that_is_not_text_is_stale_and_written_again(real, run):
    run("forms", "--data", real)
    path = real.parent / PATH
    whole = path.read_bytes()
    path.write_bytes(b"\xff\xfe")
    assert run("forms", "--check", "--data", real).exit_code == 1
    assert run("forms", "--data", real).exit_code == 0
    assert path.read_bytes() == whole
