"""Writers and merges that the system kills at a random step: nothing is lost, and the command can be repeated.

`KILLS=150 MERGES=20 python -m pytest tests/cli/test_random_kills.py` tries more of them than a run of all tests does.
"""

import os
import random
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.change.test_git import Clone, after, paper
from tests.cli.test_faults import commit_what_can_be_released, is_temporary, prepare, tree
from tests.cli.test_no_row_lost import COMMANDS
from tests.conftest import REAL
from tests.corpora.minimal import write_minimal
from tests.support.warm import killed, program
from tests.support.warm import run as run_warm

SEED = int(os.environ.get("SEED", "1"))
KILLS = int(os.environ.get("KILLS", "8"))
MERGES = int(os.environ.get("MERGES", "2"))
WRITERS = {
    **{name: COMMANDS[name] for name in ("add", "exclude", "edit", "edit key")},
    "codebook": ("codebook", "--change", "probe:optical=visual", "--yes"),
    "release": ("release", "first"),
    "acknowledge": ("claims", "--acknowledge", "known"),
}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


def whole_files(root):
    return {name: text for name, text in tree(root).items() if not is_temporary(name)}


@pytest.fixture(scope="module")
def states(tmp_path_factory, request):
    """Return the folder in which a writer begins, with the files before and after it."""
    made = {}

    def of(writer, run):
        if writer not in made:
            root = write_minimal(tmp_path_factory.mktemp("states") / "whole").parent
            prepare(root, root / "data")
            if writer == "release":
                commit_what_can_be_released(root, root / "data")
            start = Path(shutil.copytree(root, root.parent / "start"))
            again = run(*WRITERS[writer], cwd=root)
            assert again.exit_code == 0, again.output
            made[writer] = start, whole_files(start), whole_files(root)
        return made[writer]

    return of


@pytest.mark.parametrize("number", range(KILLS))
def test_a_writer_killed_anywhere_leaves_the_state_before_or_after(run, tmp_path, states, number):
    chance = random.Random(f"{SEED} {number}")
    writer = list(WRITERS)[number % len(WRITERS)]
    start, before, wanted = states(writer, run)
    root = Path(shutil.copytree(start, tmp_path / "soil"))
    code = run_warm(killed(chance.randrange(1, 70), "all"), root, WRITERS[writer])
    assert code in (0, -signal.SIGKILL)
    left = tree(root)
    run("list", cwd=root)
    assert tree(root) == left  # what only reads does not write
    assert run("fmt", cwd=root).exit_code == 0  # any writer undoes it, unless it is whole
    found = whole_files(root)
    assert found in (before, wanted)
    if found == before:
        again = run(*WRITERS[writer], cwd=root)
        assert again.exit_code == 0, again.output
        assert whole_files(root) == wanted


@pytest.mark.parametrize("number", range(MERGES))
def test_a_merge_whose_driver_is_killed_can_be_repeated(tmp_path, number):
    clone = Clone(tmp_path / "clone")
    shutil.copytree(REAL, clone.folder / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    clone.git("init", "-q", "-b", "main")
    assert clone.corpus("init-git").returncode == 0
    clone.git("add", ".")
    clone.git("commit", "-qm", "corpus")
    clone.branch("one", after("halo", paper("haikus", "Haikus")))
    clone.branch("two", after("halo", paper("halls", "Halls")))
    dying = tmp_path / "dying"
    dying.write_text(program(killed(random.Random(f"{SEED} {number}").randrange(1, 9), "all")))
    dying.chmod(0o755)
    clone.git("config", "merge.corpus.driver", f"'{dying}' merge-driver %O %A %B %P")
    first = clone.run("git", "merge", "-q", "-m", "merge", "one")
    clone.git("config", "merge.corpus.driver", f"'{clone.program}' merge-driver %O %A %B %P")
    if first.returncode:
        clone.git("reset", "-q", "--hard")
        clone.git("merge", "-q", "-m", "merge", "one")
    text = clone.text()
    assert "\nhaikus,Haikus," in text
    assert "\nhalls,Halls," in text
    assert "<<<<<<<" not in text
    assert not clone.git("status", "--porcelain", "--untracked-files=no")
