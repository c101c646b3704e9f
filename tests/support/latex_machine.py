"""The LaTeX engine of the machine: the tests that compile are skipped without one, but never where CI runs."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

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


def typeset(source):
    """Compile a document, given in pieces; return the log and the bytes of the PDF."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "document.tex")
        path.write_text("".join(source), encoding="utf-8")
        command = [
            "pdflatex",
            "-interaction=nonstopmode",
            "-halt-on-error",
            "-no-shell-escape",
            path.name,
        ]
        for _ in range(5):
            subprocess.run(
                command,
                cwd=folder,
                check=True,
                capture_output=True,
                env={**os.environ, "openin_any": "p"},
            )
            log = path.with_suffix(".log").read_text("utf-8", "replace")
            if not re.search("Rerun to get|Table widths have changed|undefined references", log):
                break
        return log, path.with_suffix(".pdf").read_bytes()
