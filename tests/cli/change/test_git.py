"""The merge driver under real git: two branches that each add a paper merge without a conflict."""

import csv
import os
import shutil
import subprocess

import pytest

from corpus.tables.writing.writer import csv_text
from tests.conftest import REAL
from tests.support import warm


class Clone:
    """A repository with the corpus, in which commands run as a user types them."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.program = folder.parent / "corpus"
        self.program.write_text(warm.program())
        self.program.chmod(0o755)
        self.env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for who in ("AUTHOR", "COMMITTER"):
            self.env |= {f"GIT_{who}_NAME": "Ann Ward", f"GIT_{who}_EMAIL": "ann@mire.example"}

    def run(self, *command):
        return subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, text=True, encoding="utf-8"
        )

    def git(self, *arguments):
        result = self.run("git", *arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def corpus(self, *arguments):
        return self.run(self.program, *arguments)

    def branch(self, name, *edits):
        """Make a branch off main on which some texts of a file are replaced."""
        self.git("config", "merge.corpus.driver", f"'{self.program}' merge-driver %O %A %B %P")
        self.git("checkout", "-q", "-b", name, "main")
        for file, old, new in edits:
            path = self.folder / file
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new, 1), "utf-8")
        self.git("commit", "-qam", name)

    def text(self, file="data/pool.csv"):
        return (self.folder / file).read_text("utf-8")


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The folder of a clone, to copy."""
    found = Clone(tmp_path_factory.mktemp("git") / "clone")
    shutil.copytree(REAL, found.folder / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    found.git("init", "-q", "-b", "main")
    assert found.corpus("init-git").returncode == 0
    found.git("add", ".")
    found.git("commit", "-qm", "corpus")
    return found.folder


@pytest.fixture
def clone(repository, tmp_path):
    return Clone(shutil.copytree(repository, tmp_path / "clone"))


def paper(key, title):
    return (f"{key},{title},\"Ward, Ann\",unknown,2026,,Blog,https://x.example/{key},rl_method,yes,NA,NA,NA,general,core,"
            "One line,yes,\n")  # fmt: skip


def after(key, new, file="data/pool.csv"):
    """The edit that puts a new row before the row of a key."""
    return (file, f"\n{key},", f"\n{new}{key},")


def test_two_branches_that_each_add_a_paper(clone):
    """Both new rows stand at the same place, which git alone cannot merge."""
    clone.branch("one", after("halo", paper("haikus", "Haikus")))
    clone.branch("two", after("halo", paper("hail", "Hail")))
    clone.git("merge", "-q", "one", "-m", "both")
    lines = [line.split(",")[0] for line in clone.text().splitlines()]
    assert lines[lines.index("haikus") : lines.index("haikus") + 3] == ["haikus", "hail", "halo"]
    assert clone.corpus("fmt", "--check").returncode == 0


LOG, CRITERIA = "data/exclusions.csv", "data/evidence/exclusion_criteria.csv"


def exclusion(clone, branch, record, number, criterion):
    """Make a branch off main that excludes one more record."""
    identifier = f"2601.{number}"
    row = (f"{record},arXiv,orchestration,A {branch},arXiv:{identifier},"
           f"https://arxiv.org/abs/{identifier},2026-04-26,abstract_screen,Nothing is trained.\n")  # fmt: skip
    coded = after("E032", f"{record},{criterion}\n", CRITERIA)
    clone.branch(branch, after("E032", row, LOG), coded)


def records(clone, file=LOG):
    lines = [line.split(",") for line in clone.text(file).splitlines()]
    return {line[0]: line[1] if file == CRITERIA else line[3] for line in lines[33:]}


def test_two_branches_that_each_exclude_a_record(clone):
    exclusion(clone, "fen", "new-arxiv-2601-00001", "00001", "X3")
    exclusion(clone, "bog", "new-arxiv-2601-00002", "00002", "X2")
    clone.git("checkout", "-q", "main")
    clone.git("merge", "-q", "fen")
    clone.git("merge", "-q", "bog", "-m", "both")
    checked = clone.corpus("check", "--strict")
    assert (checked.returncode, checked.stdout.count("to-do C419")) == (0, 2)
    assert clone.corpus("number").returncode == 0
    assert records(clone) == {"E033": "A fen", "E034": "A bog"}
    assert records(clone, CRITERIA) == {"E033": "X3", "E034": "X2"}
    assert clone.corpus("check", "--strict").returncode == 0


def test_a_number_that_both_took_is_left_to_a_person(clone):
    exclusion(clone, "fen", "E033", "00001", "X3")
    exclusion(clone, "bog", "E033", "00002", "X3")
    result = clone.run("git", "merge", "fen")
    assert result.returncode == 1
    assert "E033 [screening_label]: ours 'A bog', theirs 'A fen'" in result.stderr
    assert "running number" in result.stderr
    mended = []
    for line in clone.text(LOG).splitlines():
        if not line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
            mended.append(line.replace("E033,", "E034,") if "A fen" in line else line)
    (clone.folder / LOG).write_text("\n".join(mended) + "\n", "utf-8")
    with (clone.folder / CRITERIA).open("a", encoding="utf-8") as coded:
        coded.write("E034,X3\n")
    assert clone.corpus("fmt").returncode == 0
    assert clone.corpus("check").returncode == 0
    assert records(clone) == {"E033": "A bog", "E034": "A fen"}


@pytest.mark.parametrize("breakage", [("\ngaia2023,", "\ngaia2023,,"), ("key,title", "key,titel")])
def test_a_broken_table_is_merged_line_by_line(clone, breakage):
    clone.branch("one", ("data/pool.csv", *breakage))
    clone.branch("two", after("webarena2024", paper("wax", "Wax")))
    clone.git("merge", "-q", "one", "-m", "both")
    assert breakage[1] in clone.text()
    assert "\nwax,Wax," in clone.text()


def test_a_failed_write_leaves_the_file_unmerged_and_can_be_repeated(clone):
    clone.branch("one", after("halo", paper("haikus", "Haikus")))
    clone.branch("two", after("webarena2024", paper("wax", "Wax")))
    assert clone.corpus("init-git").returncode == 0
    driver = clone.git("config", "merge.corpus.driver").strip()
    # A file of 512 bytes at most.
    clone.git("config", "merge.corpus.driver", f"ulimit -f 1; {driver}")
    assert clone.run("git", "merge", "one").returncode != 0
    clone.git("config", "merge.corpus.driver", driver)
    clone.run("git", "checkout", "--merge", "--", "data/pool.csv")
    clone.run("git", "merge", "one")
    assert "\nwax,Wax," in clone.text()
    assert "\nhaikus,Haikus," in clone.text()


def test_init_git_twice_changes_nothing(clone):
    before = clone.text(".gitattributes"), clone.text(".git/config")
    result = clone.corpus("init-git")
    assert (result.returncode, result.stderr) == (0, "everything was set up already\n")
    assert (clone.text(".gitattributes"), clone.text(".git/config")) == before
    assert "data/evidence/credit.csv text eol=lf merge=corpus" in before[0].splitlines()


def test_a_side_with_line_ends_of_windows_is_merged_as_any_other(clone):
    clone.branch("one", after("halo", paper("haikus", "Haikus")))
    pool = clone.folder / "data" / "pool.csv"
    pool.write_bytes(pool.read_bytes().replace(b"\n", b"\r\n"))
    (clone.folder / ".gitattributes").write_text("data/pool.csv -text merge=corpus\n")
    clone.git("commit", "-qam", "windows")
    clone.branch("two", after("webarena2024", paper("wax", "Wax")))
    clone.git("merge", "-q", "-X", "ours", "one")
    assert "\nhaikus,Haikus," in clone.text()
    assert "\nwax,Wax," in clone.text()
    assert "\r" not in clone.text()


@pytest.mark.parametrize("ours", ["column", "row"])
def test_a_column_of_one_branch_and_a_row_of_the_other(clone, ours):
    """Each side is read with the columns that it has; the codebook is that of one of them."""
    declared = '[[tables.pool.columns]]\nname = "notes"'
    rating = '[[tables.pool.columns]]\nname = "rating"\ntype = "text"\nrequired = false\ndefinition = "How good."\n\n'
    clone.branch("column", ("data/codebook.toml", declared, rating + declared))
    head, *rows = clone.text().splitlines()
    assert head.endswith(",notes")
    with_column = [head.replace(",notes", ",rating,notes")]
    with (clone.folder / "data" / "pool.csv").open(encoding="utf-8", newline="") as table:
        for row in list(csv.reader(table))[1:]:
            with_column.append(
                csv_text([[*row[:-1], "good" if row[0] == "halo" else "", row[-1]]])[:-1]
            )
    (clone.folder / "data" / "pool.csv").write_text("\n".join([*with_column, ""]), "utf-8")
    clone.git("commit", "-qam", "a column")
    clone.branch("row", after("halo", paper("haikus", "Haikus")))
    clone.git("checkout", "-q", ours)
    clone.git("merge", "-q", "-m", "merge", {"column": "row", "row": "column"}[ours])
    with (clone.folder / "data" / "pool.csv").open(encoding="utf-8", newline="") as table:
        found = {row["key"]: row for row in csv.DictReader(table)}
    assert found["haikus"]["rating"] == ""
    assert found["halo"]["rating"] == "good"
    assert len(found) == len(rows) + 1
