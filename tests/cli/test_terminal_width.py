"""Commands of the README and the guides in a terminal of 80 columns."""

import json
import os
import re
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REAL

pty = pytest.importorskip("pty", reason="a pseudo-terminal of POSIX")

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "data/traces/examples"

WIDTH = 80
#: Commands that only print, whatever they are asked.
PRINTING = ("stats", "sparsity", "list", "show", "search", "claims", "evidence", "agreement",
            "history", "check")  # fmt: skip

#: What the guides print with files that a reader makes, and the widest tables.
MORE = [
    "stats --by reward_type credit_granularity", "stats --by orchestration_form category",
    "list --columns all", "list --table exclusions", "evidence", "audit report",
    f"trace stats {TRACES}", f"trace stats {TRACES}/swarm_refund.json",
    f"trace label {TRACES}/swarm_refund.json", f"trace draw {TRACES}/swarm_refund.json",
    "trace formats", "export --list", "figures --list",
]  # fmt: skip


def documented():
    """The commands of README and guides that only print, without a pipe or a file."""
    found = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))):
        for line in page.read_text("utf-8").splitlines():
            match = re.match(
                r"(?:\$ )?corpus ((?:" + "|".join(PRINTING) + r")\b[^#|>&]*)(#.*)?$", line
            )
            if match and "--format" not in line:
                found.append(match[1].strip())
    return list(dict.fromkeys(found))


#: Runs every command in one process, whose output is a terminal.
CHILD = """
import json, sys
from corpus.cli.main import main
for command in json.load(sys.stdin):
    print("\\x01", *command, flush=True)
    try:
        main([*command], standalone_mode=False)
    except BaseException as error:
        print(type(error).__name__, file=sys.stderr)
    sys.stdout.flush()
"""


def in_terminal(commands, columns):
    """What each command prints in a terminal of so many columns."""
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    os.close(theirs)
    child.stdin.write(json.dumps(commands).encode())
    child.stdin.close()
    printed = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux: nobody has the other end open any more
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    child.wait()
    found = {}
    for part in printed.decode().replace("\r\n", "\n").split("\x01 ")[1:]:
        command, _, text = part.partition("\n")
        found[command] = text
    return found


def test_documented_commands_fit_the_terminal_and_cut_no_name():
    commands = [[*shlex.split(text), "--data", str(REAL)] for text in documented()]
    for text in MORE:
        of_corpus = [] if text.startswith(("trace", "export")) else ["--data", str(REAL)]
        commands.append([*shlex.split(text), *of_corpus])
    found = in_terminal(commands, WIDTH)
    assert len(found) == len({" ".join(command) for command in commands}) > 25
    keys = [line.split(",")[0] for line in (REAL / "pool.csv").read_text("utf-8").splitlines()[1:]]
    listed = found[f"list --columns all --data {REAL}"].split()
    assert set(keys) <= set(listed)
    for command, text in found.items():
        # An address is one word, which no line break may part.
        wide = [line for line in text.splitlines() if len(line) > WIDTH and " " in line.strip()]
        assert wide == [], command
        if not command.startswith("claims"):  # what a claim observed is a beginning of a list
            assert "…" not in text, command
