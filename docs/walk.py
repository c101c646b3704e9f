"""Follow a guide in a fresh copy of the repository and put what its commands print into the page.

The copy holds the corpus as it is now, so that a page shows what a fresh clone prints. The workflow
that makes the generated files after a merge writes the pages again.

What a block of a guide means:

- ``sh``: every command is run and must succeed; what it prints is not shown.
- ``console``: the same, and the lines below ``$ command`` are what it prints. A line ``...`` means
  that lines are left out; as many lines as there are before and after it are kept.
- ``python``: the block is run as a program.
- any language followed by a file name, as in ``latex paper.tex``: the reader saves the block in it.
- everything else is only shown.

A guide is one session: the working directory and all files carry over from block to block.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

#: Commands that are shown and not run, with the reason.
NOT_RUN = {
    "make": "installs from the network",
    "make setup": "installs from the network",
    "make test": "installs from the network, and runs every test",
    ". .venv/bin/activate": "the environment is already there",
    "corpus add 2304.03442": "asks arXiv",
    "corpus trace convert run.jsonl -o run.json": "needs a log of the reader",
}

#: Commands that are run where a program is installed: how they begin, and the program.
OPTIONAL = {"pdflatex ": "pdflatex", "corpus render-appendix --format pdf": "pdflatex"}

_PYTHON = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
_CORPUS = _PYTHON.replace(' "$@"', ' -m corpus "$@"')
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: The abbreviated id of a commit, as in "main (1a2b3c4)". It changes with every byte of the data,
#: which a reader of a guide need not see, so pages show the same id at all times.
_COMMIT_ID = re.compile(r"(?<=\()[0-9a-f]{7,12}(?=\))")
_ANY_COMMIT_ID = "1a2b3c4"


class Stumble(Exception):
    """Raised where a command of a guide does not succeed."""


def walk(page: str, home: Path, corpus: str = _CORPUS) -> str:
    """Return the text of a guide with the outputs of its commands as they are now.

    Parameters
    ----------
    page : str
        Text of the guide.
    home : Path
        Empty folder for the copy of the repository.
    corpus : str
        Text of the program `corpus`.

    Raises
    ------
    Stumble
        Where a command does not exit with 0.
    """
    session = Session(home, corpus)

    def follow(block: re.Match[str]) -> str:
        language, name, body = block.groups()
        if name:
            (session.folder / name).write_text(body, encoding="utf-8")
        elif language == "sh":
            for command in _commands(body):
                session.run(command)
        elif language == "python":
            session.run(f"python - <<'END'\n{body}END")
        elif language == "console":
            body = "".join(
                _shown(session, part)
                for part in re.split(r"^(?=\$ )", body, flags=re.MULTILINE)
                if part
            )
            return f"```console\n{body}```"
        return block[0]

    return _BLOCK.sub(follow, page)


class Session:
    """A shell in a fresh copy of the repository.

    Attributes
    ----------
    folder : Path
        Where the next command runs.
    """

    def __init__(self, home: Path, corpus: str = _CORPUS) -> None:
        self.home = home
        self.folder = home / "mas-rl-corpus"
        shutil.copytree(_fresh_clone(), self.folder)
        programs = home / "programs"
        programs.mkdir()
        for name, program in (("corpus", corpus), ("python", _PYTHON)):
            (programs / name).write_text(program)
            (programs / name).chmod(0o755)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT", "CORPUS"))
        }
        self.environment = (
            kept
            | _somebody()
            | {
                "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "GIT_CONFIG_GLOBAL": os.devnull,
                "LC_ALL": "C.UTF-8",
            }
        )
        for command in ("git init -q -b main", "git add -A", "git commit -qm Start"):
            self.run(command)

    def run(self, command: str) -> str:
        """Run one command, follow its `cd`, and return what it prints on both streams."""
        plain = command.partition("  #")[0].strip()
        if plain in NOT_RUN or any(
            plain.startswith(c) and not shutil.which(p) for c, p in OPTIONAL.items()
        ):
            return ""
        place = self.home / "place"
        script = f'{command}\nstatus=$?; pwd > "{place}"; exit $status'
        done = subprocess.run(  # noqa: S603
            ["bash", "-c", script],  # noqa: S607
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise Stumble(f"{command}\n{done.stdout}exit code {done.returncode}")
        self.folder = Path(place.read_text(encoding="utf-8").rstrip("\n"))
        return done.stdout


@cache
def _fresh_clone() -> Path:
    """Return a folder with the corpus as it is now and what `corpus build` makes of it."""
    folder = Path(tempfile.mkdtemp(prefix="walk-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make_clone(folder)
    return folder


def make_clone(folder: Path) -> None:
    """Copy the corpus into a folder and make its generated files current."""
    for name in ("data", "figures", "reports"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / ".gitignore", folder)
    # Most often these are current already, and nothing is drawn.
    subprocess.run(
        [sys.executable, "-m", "corpus", "build"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def _somebody() -> dict[str, str]:
    """Return who commits in a guide, and when."""
    parts = {"NAME": "Guide", "EMAIL": "guide@example.org", "DATE": "2026-01-01T00:00:00Z"}
    return {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in parts.items()
    }


def _commands(body: str) -> list[str]:
    """Return the commands of a block; a line that ends in a backslash goes on."""
    lines = re.sub(r"\\\n", "\\\\\0", body).splitlines()
    return [
        line.replace("\\\0", "\\\n") for line in lines if line.strip() and not line.startswith("#")
    ]


def _shown(session: Session, part: str) -> str:
    """Return a command and what it prints now, shortened where the page shortens it."""
    lines = part.removeprefix("$ ").splitlines()
    last = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
    command, before = lines[: last + 1], lines[last + 1 :]
    output = _COMMIT_ID.sub(_ANY_COMMIT_ID, session.run("\n".join(command)))
    printed = [line.rstrip() for line in output.rstrip().splitlines()]
    if "..." in before:
        head = before.index("...")
        tail = len(before) - head - 1
        if len(printed) > head + tail:
            printed = [*printed[:head], "...", *printed[len(printed) - tail :]]
    return "".join(f"{line}\n" for line in ["$ " + command[0], *command[1:], *printed])


def execute(notebook: Path, home: Path) -> str:
    """Return the text of a notebook with the outputs of its cells, run in a fresh clone.

    The outputs that depend on the release of a library, pictures and HTML, are left as they are
    where the plain text beside them is the same.

    Parameters
    ----------
    notebook : Path
        The file.
    home : Path
        Empty folder for the copy of the repository.

    Raises
    ------
    Stumble
        Where a cell fails.
    """
    import nbformat  # part of the extra `notebooks`
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    before = nbformat.read(notebook, as_version=4)
    book = nbformat.read(notebook, as_version=4)
    session = Session(home)
    place = {"metadata": {"path": str(session.folder)}}
    try:
        NotebookClient(book, timeout=300, resources=place).execute(env=session.environment)
    except CellExecutionError as error:
        raise Stumble(str(error)) from None
    for cell, known in zip(book.cells, before.cells, strict=True):
        cell.metadata.pop("execution", None)  # the times
        if cell.cell_type == "code" and plain(cell) == plain(known):
            cell.outputs = known.outputs
    return nbformat.writes(book) + "\n"


def plain(cell: Any) -> list[str]:
    """Return what a cell shows without pictures and markup."""
    shown = []
    for output in cell.get("outputs", []):
        shown.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return shown
