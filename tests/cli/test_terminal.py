"""Progress appears on a terminal only."""

import io
from contextlib import redirect_stderr

from corpus.cli.options import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_silent_without_a_terminal():
    with redirect_stderr(io.StringIO()) as quiet, progress("reading", 2) as advance:
        advance(1)
        advance(1)
    assert quiet.getvalue() == ""


def test_progress_names_what_is_done_on_a_terminal():
    with redirect_stderr(Terminal()) as terminal, progress("reading", 2) as advance:
        advance(2)
    assert "reading" in terminal.getvalue()
