"""Colour and progress appear on a terminal only."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from corpus.cli.options import print_styled, progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


LINES = [[("probe ", "head"), ("0", "zero")], [("[bold]x[/bold]", "plain")]]


@pytest.fixture(autouse=True)
def _colours(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_pieces_are_coloured_and_their_markup_is_text():
    with redirect_stdout(Terminal()) as terminal:
        print_styled(LINES)
    first, second = terminal.getvalue().splitlines()
    assert first == "\x1b[1;36mprobe \x1b[0m\x1b[2m0\x1b[0m"
    assert second == "[bold]x[/bold]"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_are_left_out_where_they_are_not_wanted(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with redirect_stdout(Terminal()) as terminal:
        print_styled(LINES)
    assert "\x1b[1;36m" not in terminal.getvalue()
    assert "probe " in terminal.getvalue()


def test_progress_is_silent_without_a_terminal():
    with redirect_stderr(io.StringIO()) as quiet, progress("reading", 2) as advance:
        advance(1)
        advance(1)
    assert quiet.getvalue() == ""


def test_progress_names_what_is_done_on_a_terminal():
    with redirect_stderr(Terminal()) as terminal, progress("reading", 2) as advance:
        advance(2)
    assert "reading" in terminal.getvalue()
