"""The guard on the output streams: nothing that a runner obeys gets through it, and nothing is lost."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.cli.runner_log import GuardedStream, guarded, may_be_logged
from corpus.printing.escape import has_command, json_without_commands, without_commands

PIECES = st.lists(st.text("#[:]ae \n\r\t\\\u00a0-"), max_size=8)


def obeyed(line):
    """Tell as a runner does: `##[` or `##vso[` anywhere, `::` after white space."""
    return re.search(r"##[A-Za-z]{0,12}\[", line) or line.lstrip().startswith("::")


def plain(text):
    return text.replace("\\x5b", "[").replace("\\x3a", ":")


@example(["a##", "[x"])
@example(["a#", "#", "[x"])
@example([":", ":error::x"])
@example(["  :", ":", "error::x"])
@example(["a\r:", ":x"])
@given(PIECES)
def test_no_line_is_obeyed_however_the_text_is_cut(pieces):
    beneath = io.StringIO(newline="")
    guard = GuardedStream(beneath)
    guard.writelines(pieces)
    lines = re.split(r"[\r\n]", beneath.getvalue())
    assert not any(map(obeyed, lines))
    assert plain(beneath.getvalue()) == plain("".join(pieces))


@given(st.text("#[:]ae \n\\-"))
def test_what_was_made_inert_is_inert_and_stays_as_it_is(text):
    inert = without_commands(text)
    assert not has_command(inert)
    assert without_commands(inert) == inert
    if not has_command(text):
        assert inert == text


@given(
    st.recursive(
        st.text('#[:]a\\"\n'), lambda inner: st.dictionaries(st.text("#[:a"), inner, max_size=3)
    )
)
def test_json_means_the_same(value):
    import json

    text = json_without_commands(json.dumps(value, indent=1))
    assert not has_command(text)
    assert json.loads(text) == value


def test_long_lines_take_no_long_time():
    """A pattern that looks at each place of a line again would not end here."""
    for text in (
        " " * 2_000_000,
        ":" * 500_000,
        "::a" * 300_000,
        "::" + "a" * 2_000_000,
        "\n" * 2_000_000 + "::",
    ):
        assert not has_command(without_commands(text))


def test_streams_are_given_back_and_an_ascii_stream_is_guarded_too(monkeypatch):
    import sys

    import click

    beneath = io.BytesIO()
    stream = io.TextIOWrapper(beneath, encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", stream)
    with guarded():
        click.echo("##[error]x")
        click.echo("  ::error::x")
    assert sys.stdout is stream
    stream.flush()
    assert beneath.getvalue() == b"##\\x5berror]x\n  :\\x3aerror::x\n"


@pytest.mark.parametrize(
    "variable", ["GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "TF_BUILD"]
)
def test_a_pipe_may_be_a_log_and_a_file_is_not(monkeypatch, tmp_path, variable):
    with open(tmp_path / "out", "w") as file:
        assert not may_be_logged(io.StringIO())
        monkeypatch.setenv(variable, "true")
        assert may_be_logged(io.StringIO())
        assert not may_be_logged(file)


def test_nothing_goes_past_the_guard_but_through_one_module():
    """A command that wrote to the stream beneath, or to file descriptors, would not be guarded."""
    past = re.compile(r"sys\.__std|\.beneath|stdout\.buffer|stderr\.buffer|os\.write\(|unguarded\(")
    package = Path(__file__).parents[2] / "corpus"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if past.search(path.read_text("utf-8"))
    }
    assert found <= {"cli/options.py", "cli/runner_log.py"}
