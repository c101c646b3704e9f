"""The console script: how the program starts and how it ends.

A short command makes little garbage, and looking for it is a good part of the start. At the end nothing is torn down:
taking modules apart takes time as well, and Arrow's thread pools now and then abort a finished program meanwhile
(apache/arrow issue 34314).
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

# Fewer collections while modules are imported, and none over all of them when the program ends.
gc.set_threshold(50_000, 20, 20)

_code = 0


@atexit.register
def _leave() -> None:
    """End at once; this runs last, after every other function that was registered."""
    code = _code
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError):  # there is none, or it was closed on purpose
            continue
        except OSError:  # what was printed is lost
            code = code or 1
    os._exit(code)


def main() -> None:
    """Run the `corpus` command and keep its exit code for the end."""
    global _code
    from corpus.cli.main import main as run

    _code = 1  # of an error that nobody foresaw
    try:
        run()
        _code = 0
    except SystemExit as leaving:
        _code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        raise
