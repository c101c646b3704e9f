"""What the environment may say to a command, held in bounds before the command runs."""

from __future__ import annotations

import os
import re

from corpus.model.finding import UsageProblem

#: How the names of variables begin by which libraries of ours change what they do. With a value that they do not know,
#: some fail while they are imported: PANDERA_VALIDATION_DEPTH, RAPIDFUZZ_IMPLEMENTATION.
SWITCHES = ("PANDERA_", "PANDAS_", "RAPIDFUZZ_")


def settle() -> None:
    """Refuse or take back what would make a library fail half way, or work otherwise.

    ``SOURCE_DATE_EPOCH`` must be a number of seconds that a date can hold, and ``MPLBACKEND`` is for windows, which no
    command opens. Variables that begin as in `SWITCHES` are removed, since libraries read them when they are imported.

    Raises
    ------
    UsageProblem
        Where ``SOURCE_DATE_EPOCH`` is anything else.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not re.fullmatch(r"[0-9]{1,11}", epoch):
        raise UsageProblem("SOURCE_DATE_EPOCH in the environment must be whole seconds since 1970, or unset")
    if "MPLBACKEND" in os.environ:
        os.environ["MPLBACKEND"] = "agg"
    for name in list(os.environ):
        if name.startswith(SWITCHES):
            del os.environ[name]
