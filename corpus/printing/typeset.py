"""LaTeX to PDF with pdfLaTeX: no shell escape, no network, reproducible bytes."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from calendar import timegm
from collections.abc import Iterable
from pathlib import Path
from time import strptime
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding, Rule

NO_ENGINE = Rule(
    "R101",
    "no LaTeX engine is installed; looked for {engine}",
    "install one: `apt-get install texlive-latex-recommended lmodern`, MacTeX or MiKTeX;"
    " or use --format latex",
    title="No LaTeX engine",
    reason="A PDF is made by LaTeX, which does not come with this program.",
)
LATEX_FAILED = Rule(
    "R102",
    "{engine} stopped: {problem}",
    "use --format latex --standalone and compile the file by hand to see more",
    title="LaTeX failed",
    reason="Cells are escaped, so the LaTeX installation is incomplete, or this program has a bug.",
)


#: Seconds that one run of an engine may take.
LIMIT = 300
ENGINE = "pdflatex"
#: No questions, no programs.
OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
#: It is run so often at most.
PASSES = 5
#: How LaTeX and its packages ask for another run.
_RERUN = re.compile(
    "Rerun to get|Rerun LaTeX|Table widths have changed|undefined references|rerunfilecheck Warning"
)
_SOURCE = "document.tex"
_LOG = "document.log"
_PDF = "document.pdf"


class Typeset(NamedTuple):
    """A compiled document: the bytes of the PDF and the log of the engine."""

    pdf: bytes
    log: str


def typeset(source: Iterable[str], epoch: int) -> Typeset:
    """Compile a LaTeX document in a folder of its own.

    Parameters
    ----------
    source : iterable of str
        The document, in pieces.
    epoch : int
        The date of the PDF, in seconds since 1970; SOURCE_DATE_EPOCH in the environment overrides
        it.

    Raises
    ------
    CorpusError
        R101 without an engine, R102 where the engine fails or takes longer than :data:`LIMIT`
        seconds.
    """
    if shutil.which(ENGINE) is None:
        raise CorpusError([NO_ENGINE.at("LaTeX", engine=ENGINE)])
    with tempfile.TemporaryDirectory(prefix="corpus-latex-") as name:
        folder = Path(name)
        with (folder / _SOURCE).open("w", encoding="utf-8") as handle:
            handle.writelines(source)
        for _ in range(PASSES):
            problem = _run(folder, epoch)
            log = _content(folder / _LOG).decode("utf-8", "replace")
            pdf = _content(folder / _PDF)
            if problem or not pdf:
                raise CorpusError([_failure(log, problem)])
            if not _RERUN.search(log):
                break
        return Typeset(pdf, log)


def epoch_of(cutoff: str) -> int:
    """Return the first second of a YYYY-MM-DD date in UTC; 0 where the text is not one.

    Examples
    --------
    >>> epoch_of("2026-05-04"), epoch_of("")
    (1777852800, 0)
    """
    try:
        return timegm(strptime(cutoff, "%Y-%m-%d"))
    except ValueError:
        return 0


def _run(folder: Path, epoch: int) -> str:
    """Run the engine once; return what went wrong, or an empty string."""
    variables = {"SOURCE_DATE_EPOCH": str(epoch), **os.environ, "FORCE_SOURCE_DATE": "1"}
    # "p" is paranoid: TeX reads and writes files in its own folder only.
    variables |= {"openin_any": "p", "openout_any": "p", "shell_escape": "f"}
    with subprocess.Popen(  # noqa: S603 — a fixed program and fixed arguments
        [ENGINE, *OPTIONS, _SOURCE],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            _, printed = process.communicate(timeout=LIMIT)
        except BaseException as error:
            # An engine runs other programs: the whole session is ended, not its first process only.
            # It is not that of the terminal, whose Ctrl-C reaches none of them.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return f"it took longer than {LIMIT} s"
            raise
    if process.returncode == 0:
        return ""
    return printed.decode("utf-8", "replace").strip()[-300:] or f"exit code {process.returncode}"


def _failure(log: str, problem: str) -> Finding:
    """Return the finding for the first error in the log, with its line."""
    error = re.search(r"^! (.*?)$(?:.*?^l\.(\d+))?", log, re.MULTILINE | re.DOTALL)
    line = 0
    if error:
        problem, line = error[1], int(error[2] or 0)
    problem = problem or "no PDF was written"
    return LATEX_FAILED.at(_SOURCE, line, engine=ENGINE, problem=problem)


def _content(path: Path) -> bytes:
    if path.is_file():
        return path.read_bytes()
    return b""
