"""The guides, the README and the pages on the data: a stranger who follows them arrives."""

import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.cli.main import main
from corpus.publishing.export.formats import export_bytes
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.support import warm
from tests.support.shared import shared

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
import walk as walking  # noqa: E402
from walk import GUIDES, NOT_RUN, Stumble, walk  # noqa: E402

needs_bash = pytest.mark.skipif(
    not shutil.which("bash"), reason="guides are written for a POSIX shell"
)


@pytest.fixture(autouse=True)
def one_clone(monkeypatch):
    """All walks start from one copy of the corpus."""
    monkeypatch.setattr(walking, "_fresh_clone", lambda: shared("clone", walking.make_clone))


def blocks(page, language):
    return re.findall(
        rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL
    )


@needs_bash
@pytest.mark.slow
@pytest.mark.parametrize(
    "guide", [*GUIDES, ROOT / "README.md", DOCS / "README.md"], ids=lambda guide: guide.name
)
def test_a_stranger_can_follow_the_page_and_sees_what_it_shows(guide, tmp_path):
    page = guide.read_text(encoding="utf-8")
    assert walk(page, tmp_path, warm.program()) == page, "run: python docs/generate.py --guides"


@needs_bash
def test_a_command_that_fails_stops_the_walk(tmp_path):
    with pytest.raises(Stumble, match="exit code 2"):
        walk("```sh\ncorpus stats --by nothing\n```\n", tmp_path)


@needs_bash
def test_the_walk_writes_what_commands_print_and_keeps_what_is_left_out(tmp_path):
    page = "```text a.txt\none\n```\n```console\n$ cd data\n$ cat ../a.txt pool.csv\nx\ny\n...\n$ echo \\\n  end\n```\n"
    header = (ROOT / "data/pool.csv").read_text(encoding="utf-8").splitlines()[0]
    shown = f"$ cd data\n$ cat ../a.txt pool.csv\none\n{header}\n...\n$ echo \\\n  end\nend\n"
    assert walk(page, tmp_path).endswith(f"```console\n{shown}```\n")


def test_what_is_not_run_is_shown_and_exists():
    shown = "\n".join(
        page.read_text(encoding="utf-8")
        for page in [*GUIDES, ROOT / "README.md", DOCS / "README.md"]
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in NOT_RUN:
        assert re.search(rf"^{re.escape(command)}(?:  |$)", shown, re.MULTILINE), command
        program, *arguments = command.split()
        if program == "make":
            assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in arguments)
        elif program == "corpus":
            assert arguments[0] in main.callable


def test_every_guide_is_in_the_index_and_names_the_files_to_save():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for guide in GUIDES:
        assert f"(guides/{guide.name})" in index
        page = guide.read_text(encoding="utf-8")
        for name in re.findall(r"^```\w+ (\S+)$", page, re.MULTILINE):
            assert f"`{name}`" in page


def test_the_python_block_reads_the_pool_as_it_is(monkeypatch):
    monkeypatch.chdir(REAL.parent)
    (block,) = blocks("exports.md", "python")
    names: dict[str, object] = {}
    exec(block, names)
    pool = names["pool"]
    assert list(pool["key"]) == load_corpus(str(REAL)).pool.column("key")
    assert (pool["reward_type"] == "NA").sum() == 33


@pytest.mark.skipif(not shutil.which("Rscript"), reason="needs R (apt: r-base-core)")
def test_the_r_block_reads_the_pool_as_it_is():
    (block,) = blocks("exports.md", "r")
    script = block + 'cat(nrow(pool), sum(pool$reward_type == "NA"), pool$arxiv_id[1])\n'
    folder = REAL.parent
    done = subprocess.run(
        ["Rscript", "-e", script], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["84", "33", "2508.03680"]


def test_the_sql_block_finds_entries():
    (block,) = blocks("exports.md", "sql")
    database = sqlite3.connect(":memory:")
    database.deserialize(export_bytes("sqlite", load_corpus(str(REAL))))
    assert ("debate-as-reward",) in [row[:1] for row in database.execute(block)]
    database.close()
