"""A gate that cannot see what it should judge is an error that tells what git said, never a pass."""

import pytest

from tests.corpora.full import add_sensor, repository
from tests.support.repository import commit_all, git

GATES = {
    "check": ("check",),
    "since": ("check", "--since", "HEAD~1"),
    "fmt": ("fmt", "--check"),
    "build": ("build", "--check", "--allow-stale"),
    "diff": ("diff", "HEAD~1"),
    "history": ("history",),
}


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("above", ["elsewhere", "moved"])
def test_no_corpus_in_this_folder(run, tmp_path, gate, above):
    """Neither where somebody stands in another folder nor where a change has moved data/ away."""
    (tmp_path / above).mkdir()
    if above == "moved":
        data = repository(tmp_path / "study")
        git(data.parent, "mv", "data", "tables")
        commit_all(data.parent, "move")
    result = run(*GATES[gate], cwd=tmp_path / ("study" if above == "moved" else above))
    assert result.exit_code == 2
    assert "no corpus here" in result.stderr


def remove_pool(data):
    """As in a clone without the contents of files, when there is no network."""
    blob = git(data.parent, "rev-parse", "HEAD~1:data/sensors.csv")
    (data.parent / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def break_index(data):
    (data.parent / ".git" / "index").write_bytes(b"no index")


def replace_by_a_clone_of_one_commit(data):
    root = data.parent
    git(root.parent, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
    (root / ".git").rename(root.parent / "whole")
    (root.parent / "shallow" / ".git").rename(root / ".git")


OWNER = ("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
CAUSES = {
    "another owner": (None, OWNER, "dubious ownership", ("since", "diff", "history")),
    "one commit": (replace_by_a_clone_of_one_commit, None, "shallow", ("since", "diff")),
    "no content": (remove_pool, None, "cannot read", ("since", "diff")),
    "no index": (break_index, None, "index", ("diff",)),
    "no base": (lambda data: git(data.parent, "update-ref", "HEAD", "HEAD~1"), None, "HEAD~1", ("since", "diff")),
}  # fmt: skip


@pytest.mark.parametrize(
    ("cause", "gate"), [(cause, gate) for cause, found in CAUSES.items() for gate in found[3]]
)
def test_a_state_that_git_cannot_read(run, tmp_path, monkeypatch, cause, gate):
    data = repository(tmp_path / "study")
    add_sensor(data, "fern", name="Ferns")
    commit_all(data.parent, "ferns")
    spoil, variable, words, _ = CAUSES[cause]
    if spoil:
        spoil(data)
    if variable:
        monkeypatch.setenv(*variable)
    result = run(*GATES[gate], cwd=data.parent)
    assert result.exit_code == 2, result.output
    assert words in result.stderr


def test_a_history_tells_where_the_data_were_before(run, tmp_path):
    data = repository(tmp_path / "study")
    git(data.parent, "mv", "data", "tables")
    commit_all(data.parent, "move")
    result = run("history", "--data", data.parent / "tables", "--format", "json")
    assert "The data were in data before" in result.stdout
