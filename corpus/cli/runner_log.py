"""What may reach the log of a workflow runner, and what a runner would take for a command there.

Runners of GitHub, Gitea and Azure read the output of every step and obey ``::command::`` and ``##[command]`` in it.
So nothing leaves the program as it is unless it is told to: while a command runs, both output streams are guarded, and
only :func:`corpus.cli.options.echo` goes past the guard, with data in a format for programs or with annotations.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

#: Variables that runners set which obey commands in their logs.
RUNNERS = ("GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "TF_BUILD")


class GuardedStream:
    """A text stream in which no runner finds a command.

    Parameters
    ----------
    beneath : text stream
        Where the text goes; everything but writing is left to it.
    """

    def __init__(self, beneath: IO[str]) -> None:
        self.beneath = beneath
        # The line so far, as much of it as decides what a runner makes of the next characters.
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.beneath)

    def write(self, text: str) -> int:
        """Write a text, each command in it made visible and inert, whole or in pieces."""
        before = self._line
        whole = before + text
        # Most text has neither, and the start of a command is not slowed down by the patterns.
        if "::" in whole or "##[" in whole:
            from corpus.printing.escape import without_commands

            whole = without_commands(whole, len(before))
        self.beneath.write(whole[len(before) :])
        self._line = _decisive(whole)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)


def _decisive(text: str) -> str:
    """Return what an unfinished line begins or ends with, as far as a command could go on from there."""
    line = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
    opened = line.lstrip()
    if len(opened) <= 2:
        return line
    return "x" + line[-2:]


@contextmanager
def guarded() -> Iterator[None]:
    """Guard standard output and standard error; afterwards the streams are those of before."""
    before = sys.stdout, sys.stderr
    guards = tuple(_guard(stream) for stream in before)
    sys.stdout, sys.stderr = guards
    try:
        yield
    finally:
        # click puts its own stream in place where a pipe is closed; that one stays.
        if sys.stdout is guards[0]:
            sys.stdout = before[0]
        if sys.stderr is guards[1]:
            sys.stderr = before[1]


def _guard(stream: Any) -> Any:
    """Return a guard before a stream; a stream that is missing or closed stays as it is."""
    if stream is None or isinstance(stream, GuardedStream) or getattr(stream, "closed", False):
        return stream
    # click writes past a stream whose encoding is ASCII, straight to the bytes beneath.
    if (getattr(stream, "encoding", "") or "").lower() in ("ascii", "ansi_x3.4-1968", "646", "us-ascii"):
        stream.reconfigure(encoding="utf-8", errors=stream.errors)
    return GuardedStream(stream)


def unguarded(stream: Any) -> Any:
    """Return the stream behind a guard."""
    return getattr(stream, "beneath", stream)


def may_be_logged(stream: Any) -> bool:
    """Return whether a stream may end in the log of a runner: on a runner, whatever is not a plain file."""
    if not any(os.environ.get(name) for name in RUNNERS):
        return False
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # a stream without a file, or one that was closed
        return True
    return not stat.S_ISREG(mode)
