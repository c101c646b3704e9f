"""What git shows against a release."""

import pytest

from corpus.curation.release.release import repository_problems
from corpus.model.finding import UsageProblem
from corpus.tables.git.repository import is_repository
from tests.support.repository import commit_all, git


@pytest.fixture
def root(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", ".")
    (tmp_path / "a b.txt").write_text("peat\n" * 9, "utf-8")
    commit_all(tmp_path)
    return tmp_path


def problems(root, tag="v1.0.0"):
    return repository_problems(str(root), tag)


def test_a_folder_below_a_repository_is_in_it(root):
    inside = root / "data" / "deep"
    inside.mkdir(parents=True)
    assert is_repository(str(inside))
    (inside / "new.csv").write_text("x", "utf-8")
    (found,) = problems(inside)
    assert "data/deep/new.csv" in found


def test_every_kind_of_change_is_named_by_its_path(root):
    (root / "Öl.txt").write_text("new\n", "utf-8")
    (found,) = problems(root)
    assert found.endswith(": Öl.txt")
    git(root, "mv", "a b.txt", "c d.txt")
    git(root, "add", "-A")
    (found,) = problems(root)
    assert found.endswith(": a b.txt, c d.txt, Öl.txt")


def test_a_damaged_repository_is_not_taken_for_a_clean_one(tmp_path):
    (tmp_path / ".git").write_text("gitdir: nowhere\n", "utf-8")
    with pytest.raises(UsageProblem, match="git failed"):
        problems(tmp_path)
