"""What may not be replaced is kept, and what a full disk stops leaves nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_faults import COMMANDS, prepare, tree
from tests.support import warm
from tests.support.stores import write_lines

ROOT = Path(__file__).parents[3]


def whole_tree(root):
    """Every file and folder but those of git itself."""
    paths = (path.relative_to(root) for path in root.rglob("*"))
    return {str(path) for path in paths if ".git" not in path.parts}


#: Commands that replace what is there, and the file; where none is named, the last of those that they made before.
REPLACING = {
    "edit": "data/sensors.csv",
    "add": "data/papers.csv",
    "render in place": "b.tex",
    "export": None,
    "site": None,
    "figures": None,
    "appendix": None,
    "build": None,
    "forms": None,
    "render": None,
    "trace draw": None,
    "trace convert": None,
    "trace stats": None,
}


def plain_files(root):
    return [
        path
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    ]


@pytest.mark.parametrize("command", REPLACING)
def test_a_write_protected_file_is_not_replaced(run, minimal, command):
    root = minimal.parent
    prepare(root, minimal)
    named = REPLACING[command]
    if named is None:
        before = set(plain_files(root))
        assert run(*COMMANDS[command], cwd=root).exit_code == 0
        protected = max(set(plain_files(root)) - before)
        protected.write_bytes(b"changed by hand\n")
    else:
        protected = root / named
    protected.chmod(0o444)
    before = tree(root)
    refused = run(*COMMANDS[command], cwd=root)
    assert refused.exit_code == 2, refused.output
    assert protected.name in refused.stderr
    assert tree(root) == before
    assert protected.stat().st_mode & 0o777 == 0o444
    protected.chmod(0o644)
    assert run(*COMMANDS[command], cwd=root).exit_code == 0


FULL_DISK = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n{warm.CORPUS}"


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize(
    "command",
    [
        "export",
        "export all",
        "site",
        "figures",
        "build",
        "forms",
        "render",
        "init",
        "init from",
        "ingest",
        "trace draw",
    ],
)
def test_a_full_disk_names_the_file_and_leaves_no_folder(minimal, command):
    """As where no file may grow: the system then fails in the first byte of each, and names none."""
    root = minimal.parent
    prepare(root, minimal)
    write_lines(root / "runs.jsonl", range(2))
    arguments = COMMANDS.get(command, ("trace", "ingest", "runs.jsonl", "-o", "deep/store"))
    before = whole_tree(root)
    program = root.parent / "limited"
    program.write_text(warm.program(FULL_DISK))
    limited = [sys.executable, program, *arguments]
    done = subprocess.run(limited, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(said) == 1
    # openpyxl writes each sheet of a workbook into a temporary file first.
    named = said[0].count(": ") >= 2 or "temporary directory" in said[0]
    assert named, said
    assert whole_tree(root) == before
