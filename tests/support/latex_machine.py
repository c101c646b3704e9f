"""The LaTeX engine of the machine: the tests that compile are skipped without one, but never where CI runs."""

import os
import re
import shutil

import pytest


def need_latex():
    """Skip the test where LaTeX is missing; fail it in CI, where a missing engine would hide everything."""
    if shutil.which("pdflatex"):
        return
    if os.environ.get("CI"):
        pytest.fail("pdflatex is missing in CI; .ci/run installs it")
    pytest.skip("no pdflatex on this machine")


def widest_overfull(log):
    """Return the largest overfull box of a log, in points."""
    return max(
        (float(found) for found in re.findall(r"Overfull \\[hv]box \(([0-9.]+)pt too", log)),
        default=0.0,
    )
