"""The exit codes of the command line, as docs/cli.md lists them; click itself uses 0, 1 and 2 alike."""

from __future__ import annotations

from typing import Final

FINE: Final = 0

FINDINGS: Final = 1
"""Also where a file cannot be read or written, or output was lost."""

WRONG_USAGE: Final = 2

FAILED: Final = 255
"""The program did not start, or an error that nobody foresaw stopped it: there is no result.

Above 128, so that `git bisect run corpus check` stops instead of calling a commit bad, and git's merge takes a driver
that failed for what it is, not for a conflict.
"""

INTERRUPTED: Final = 130
"""As a shell reports a program that was ended by an interrupt (128 + SIGINT)."""

INTERRUPTION: Final = "Interrupted: the command did not finish."
"""What a command shows then."""

CLOSED_PIPE: Final = 141
"""As a shell reports a program whose reader went away (128 + SIGPIPE): part of the output is lost."""
