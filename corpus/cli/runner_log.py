"""What may reach the log of a workflow runner, and what a runner would obey there.

Runners of GitHub, Gitea and Azure read the output of every step and obey ``::command::`` and
``##[command]`` in it. So both output streams are guarded while a command runs, and only
:func:`corpus.cli.options.echo` goes past the guard, with data in a format for programs or with
annotations.
"""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from corpus.printing.escape import without_commands

#: Variables that runners set which obey commands in their logs.
RUNNERS = ("GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "TF_BUILD")
#: The longest end of a line that a later bracket makes a command: ``##`` and the name of a runner.
_PREFIX = 14


class GuardedStream:
    """A text stream in which no runner finds a command.

    Parameters
    ----------
    beneath : text stream
        Where the text goes; everything but writing is left to it.
    """

    def __init__(self, beneath: IO[str]) -> None:
        self.beneath = beneath
        # The part of the line so far with which the next characters could form a command.
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)

    def write(self, text: str) -> int:
        """Write a text, each command in it made visible and inert, whole or in pieces."""
        before = self._line
        whole = before + text
        # Most text has neither, and the patterns would slow down long output.
        if "::" in whole or "##" in whole:
            whole = without_commands(whole, len(before))
        self.beneath.write(whole[len(before) :])
        self._line = _decisive(whole)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)


def _decisive(text: str) -> str:
    """Return the part of an unfinished line with which a command could begin.

    That is all of a line with at most two characters after its whitespace (``::``), else what a
    command with ``##`` may have at most before its bracket, after one character in place of the
    rest.
    """
    last_break = max(text.rfind("\n"), text.rfind("\r"))
    line = text[last_break + 1 :]
    if len(line.lstrip()) <= 2:
        return line
    return "x" + line[-_PREFIX:]


@contextmanager
def guarded() -> Iterator[None]:
    """Guard standard output and standard error; afterwards the streams are those of before."""
    before = sys.stdout, sys.stderr
    guards = tuple(map(_guard, before))
    sys.stdout, sys.stderr = guards
    try:
        yield
    finally:
        # Where a pipe is closed, click installs a stream of its own; that one stays.
        if sys.stdout is guards[0]:
            sys.stdout = before[0]
        if sys.stderr is guards[1]:
            sys.stderr = before[1]


def _guard(stream: Any) -> Any:
    """Return a guard before a stream; a stream that is missing or closed stays as it is."""
    if stream is None or isinstance(stream, GuardedStream):
        return stream
    if getattr(stream, "closed", False):
        return stream
    # click writes past a stream whose encoding is ASCII, straight to the bytes beneath.
    encoding = (getattr(stream, "encoding", "") or "").lower()
    if encoding in ("ascii", "ansi_x3.4-1968", "646", "us-ascii"):
        stream.reconfigure(encoding="utf-8", errors=stream.errors)
    return GuardedStream(stream)


def unguarded(stream: Any) -> Any:
    """Return the stream behind a guard."""
    return getattr(stream, "beneath", stream)


def may_be_logged(stream: Any) -> bool:
    """Return whether a stream may end in the log of a runner.

    On a runner that is every stream but a plain file.
    """
    if not any(map(os.environ.get, RUNNERS)):
        return False
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        # A stream without a file, or one that was closed.
        return True
    return not stat.S_ISREG(mode)
