"""What git is told, line by line, and what becomes of lines that are there already."""

import pytest

from corpus.model.finding import UsageProblem
from corpus.tables.documents import read_codebook
from corpus.tables.git.merge import leave_unmerged, merge_lines, set_up_git
from tests.corpora.full import ROWS, write_full
from tests.support.repository import git

LINES = [
    *(f"data/{name}.csv merge=corpus" for name in ROWS),
    "data/releases/** -text",
    "reports/** linguist-generated merge=corpus-generated",
]


@pytest.mark.parametrize(
    "before", ["", "*.png binary\n", "*.png binary", "data/judged.csv merge=corpus\n"]
)
def test_each_table_has_a_driver_and_nothing_that_was_there_is_lost(tmp_path, before):
    git(tmp_path, "init", "-q", ".")
    data = write_full(tmp_path)
    attributes = tmp_path / ".gitattributes"
    if before:
        attributes.write_text(before, "utf-8")
    book = read_codebook(str(data))
    done = set_up_git(str(data), book, ["reports/**"])
    assert done[-1] == ".gitattributes"
    kept = before.splitlines()
    assert attributes.read_text("utf-8").splitlines() == kept + [
        line for line in LINES if line not in kept
    ]
    driver = git(tmp_path, "config", "--local", "--get", "merge.corpus.driver")
    assert driver.endswith("-m corpus merge-driver %O %A %B %P")
    assert git(tmp_path, "config", "--local", "--get", "merge.corpus-generated.driver") == "true"
    content = attributes.read_bytes()
    assert set_up_git(str(data), book, ["reports/**"]) == []
    assert attributes.read_bytes() == content


def test_git_finds_the_driver_in_a_folder_with_a_space(tmp_path):
    git(tmp_path, "init", "-q", ".")
    root = tmp_path / "my survey"
    data = write_full(root)
    set_up_git(str(data), read_codebook(str(data)), ["reports/**"])
    asked = ("my survey/data/sensors.csv", "my survey/reports/a b.md", "data/sensors.csv")
    found = git(tmp_path, "check-attr", "-z", "merge", "--", *asked).split("\0")
    assert found[2::3] == ["corpus", "corpus-generated", "unspecified"]


def test_a_corpus_at_the_root_has_nothing_generated_above_it(tmp_path):
    data = write_full(tmp_path)
    git(data, "init", "-q", ".")
    set_up_git(str(data), read_codebook(str(data)), ["reports/**"])
    lines = (data / ".gitattributes").read_text("utf-8").splitlines()
    assert lines == [line.removeprefix("data/") for line in LINES[:-1]]


def test_without_a_repository_nothing_is_written(tmp_path):
    data = write_full(tmp_path)
    with pytest.raises(UsageProblem):
        set_up_git(str(data), read_codebook(str(data)))
    assert not (tmp_path / ".gitattributes").exists()


@pytest.mark.parametrize(
    ("theirs", "code", "marks"), [("a\nb\nC\n", 0, False), ("X\nb\nc\n", 1, True)]
)
def test_lines_are_merged_as_git_does(tmp_path, theirs, code, marks):
    base, ours, other = (str(tmp_path / name) for name in ("base", "ours", "theirs"))
    for path, text in ((base, "a\nb\nc\n"), (ours, "A\nb\nc\n"), (other, theirs)):
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
    assert merge_lines(base, ours, other) == code
    with open(ours, encoding="utf-8") as handle:
        text = handle.read()
    assert ("<<<<<<< ours" in text and ">>>>>>> theirs" in text) is marks
    assert marks or text == "A\nb\nC\n"


def test_files_that_git_cannot_merge_are_a_failure(tmp_path):
    missing = str(tmp_path / "missing")
    assert merge_lines(missing, missing, missing) == 2


def test_a_file_that_is_not_merged_tells_how_to_go_on(tmp_path):
    path = tmp_path / "ours"
    path.write_text("x" * 500, "utf-8")
    assert leave_unmerged(str(path), "data/a.csv") == 255
    assert path.read_text("utf-8").endswith("git checkout --merge -- data/a.csv\n")
    assert "x" not in path.read_text("utf-8").replace("can be", "").replace("checkout", "")
