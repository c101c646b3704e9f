"""LaTeX to PDF with the engine that the machine has; no shell escape, no network, the same bytes twice."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding
from corpus.printing.template_rules import LATEX_FAILED, NO_ENGINE

#: Seconds that one run of an engine may take.
LIMIT = 300
_QUIET = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
_RERUN = re.compile(r"Rerun to get|Rerun LaTeX|Table widths have changed|undefined references|rerunfilecheck Warning")


class Engine(NamedTuple):
    """A program that makes a PDF; `passes` says how often it is run at most."""

    program: str
    options: tuple[str, ...]
    passes: int


#: In order of preference.
ENGINES = (
    Engine("pdflatex", _QUIET, 5),
    Engine("latexmk", ("-norc", "-pdf", *_QUIET), 1),
    Engine("tectonic", ("--untrusted", "--chatter", "minimal"), 1),
    Engine("lualatex", _QUIET, 5),
    Engine("xelatex", _QUIET, 5),
)


class Typeset(NamedTuple):
    """What came out: the PDF's bytes and the engine's log."""

    pdf: bytes
    log: str


def installed() -> Engine | None:
    """Return the first engine that is installed, or None."""
    return next((engine for engine in ENGINES if shutil.which(engine.program)), None)


def find_engine() -> Engine:
    """Return the first engine that is installed; CorpusError (R101) with the way to get one where there is none."""
    engine = installed()
    if engine is None:
        raise CorpusError([NO_ENGINE.at("LaTeX", engines=", ".join(engine.program for engine in ENGINES))])
    return engine


def typeset(source: Iterable[str], epoch: int, engine: Engine | None = None) -> Typeset:
    """Compile a LaTeX document in a folder of its own.

    Parameters
    ----------
    source : iterable of str
        The document, in pieces.
    epoch : int
        The date that the PDF carries, in seconds since 1970; SOURCE_DATE_EPOCH in the environment wins.
    engine : Engine, optional
        The first one installed, where not given.

    Raises
    ------
    CorpusError
        R101 without an engine, R102 where the engine fails or takes longer than :data:`LIMIT` seconds.
    """
    chosen = engine or find_engine()
    with tempfile.TemporaryDirectory(prefix="corpus-latex-") as folder:
        with (Path(folder) / "document.tex").open("w", encoding="utf-8") as handle:
            handle.writelines(source)
        for _ in range(chosen.passes):
            problem = _run(chosen, folder, epoch)
            log = _read(folder, "document.log")
            if problem or not _read_bytes(folder, "document.pdf"):
                raise CorpusError([_failure(chosen, log, problem)])
            if not _RERUN.search(log):
                break
        return Typeset(_read_bytes(folder, "document.pdf"), log)


def epoch_of(cutoff: str) -> int:
    """Return the first second of a YYYY-MM-DD date in UTC; 0 where it is none.

    Examples
    --------
    >>> epoch_of("2026-05-04"), epoch_of("")
    (1777852800, 0)
    """
    try:
        return int(datetime.strptime(cutoff, "%Y-%m-%d").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return 0


def _run(engine: Engine, folder: str, epoch: int) -> str:
    """Run the engine once; return what went wrong, or an empty string."""
    surroundings = {"SOURCE_DATE_EPOCH": str(epoch), **os.environ}
    surroundings |= {"FORCE_SOURCE_DATE": "1", "openin_any": "p", "openout_any": "p", "shell_escape": "f"}
    command = [engine.program, *engine.options, "document.tex"]
    with subprocess.Popen(  # noqa: S603 — a fixed program and fixed arguments
        command,
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            _, said = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"it took longer than {LIMIT} s"
    if process.returncode == 0:
        return ""
    return said.decode("utf-8", "replace").strip()[-300:] or f"exit code {process.returncode}"


def _failure(engine: Engine, log: str, problem: str) -> Finding:
    """Name the first error in the log, with its line."""
    error = re.search(r"^! (.*?)$(?:.*?^l\.(\d+))?", log, re.MULTILINE | re.DOTALL)
    line = int(error[2]) if error and error[2] else 0
    said = error[1] if error else problem or "no PDF was written"
    return LATEX_FAILED.at("document.tex", line, engine=engine.program, problem=said)


def _read(folder: str, name: str) -> str:
    return _read_bytes(folder, name).decode("utf-8", "replace")


def _read_bytes(folder: str, name: str) -> bytes:
    path = Path(folder) / name
    return path.read_bytes() if path.is_file() else b""
