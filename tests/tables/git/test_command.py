"""git is run without a shell, without questions and not for ever."""

import subprocess

import pytest

from corpus.model.finding import UsageProblem
from corpus.tables.git import repository
from corpus.tables.git.repository import run_git


def test_git_runs_in_the_folder_and_a_failure_is_a_result(tmp_path):
    made = run_git(str(tmp_path), "init", "-q", ".")
    assert (made.returncode, made.stdout) == (0, b"")
    inside = run_git(str(tmp_path), "rev-parse", "--is-inside-work-tree")
    assert inside.stdout == b"true\n"
    failed = run_git(str(tmp_path), "rev-parse", "--verify", "nothing")
    assert failed.returncode != 0
    assert b"nothing" in failed.stderr or failed.stderr


def test_git_gets_a_list_no_input_and_an_environment_that_asks_nothing(monkeypatch):
    seen = {}

    def run(arguments, **options):
        seen.update(options, arguments=arguments)
        return subprocess.CompletedProcess(arguments, 0, b"", b"")

    monkeypatch.setattr(repository.subprocess, "run", run)
    monkeypatch.setenv("CORPUS_KEPT", "kept")
    run_git("folder", "log", "; rm -rf /")
    assert seen["arguments"] == ["git", "-C", "folder", "--no-pager", "log", "; rm -rf /"]
    assert not seen.get("shell")
    assert seen["input"] == b""
    kept = {name: seen["env"][name] for name in ("LC_ALL", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "CORPUS_KEPT")}  # fmt: skip
    assert kept == {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "CORPUS_KEPT": "kept"}  # fmt: skip
    assert 0 < seen["timeout"] <= 600


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(), "git is not installed"),
        (subprocess.TimeoutExpired("git", 1), "git took more than 120 s"),
    ],
)
def test_a_missing_or_endless_git_is_wrong_usage(monkeypatch, error, message):
    def run(*_, **__):
        raise error

    monkeypatch.setattr(repository.subprocess, "run", run)
    with pytest.raises(UsageProblem) as raised:
        run_git(".", "log")
    assert str(raised.value).startswith(message)


def test_a_nul_byte_cannot_be_passed_on():
    with pytest.raises(ValueError, match="null"):
        run_git(".", "log", "a\0b")
