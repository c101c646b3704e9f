"""The workflow that merges a pull request by rows and cells has rights, so it trusts nothing in it."""

import pytest

from tests.support.daily import part

from .hub import add_paper, failures, insert_row


def replied(runner):
    """Return what was written under the pull request, once."""
    [reply] = [asked for asked in runner.gh if asked["asked"][:2] == ["pr", "comment"]]
    return reply["body"]


def put(folder, path, text):
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")


@pytest.fixture
def grown(hub):
    """A repository whose main got a paper, beside which the pull requests put theirs."""

    def grow(edit, branch="paper"):
        hub.pull_request(7, branch, edit)
        folder = hub.clone()
        add_paper(folder, "fenland2026")
        hub.commit(folder, "fenland", "refs/heads/main")
        return hub

    return grow


def test_a_neighbouring_row_is_merged_pushed_and_checked(grown):
    hub = grown(lambda folder: add_paper(folder, "fens2026"))
    before = hub.head("paper")
    assert not hub.merge("paper")
    runner, steps = hub.label(7, "paper")
    assert failures(steps) == {}
    parents = hub.git(hub.repository, "log", "-1", "--format=%P", "paper").split()
    assert parents == [before, hub.head("main")]
    assert hub.changed("main", "paper") == ["data/papers.csv", "data/sensors.csv"]
    assert "no findings" in replied(runner)
    asked = [" ".join(one["asked"]) for one in runner.gh]
    assert any(line.startswith("workflow run check.yml") for line in asked)
    assert any("DELETE" in line and line.endswith("labels/merge-rows") for line in asked)
    assert hub.merge("paper")


def test_generated_files_in_a_pull_request_are_no_conflict_and_those_of_main_are_kept(grown):
    def edit(folder):
        add_paper(folder, "fens2026")
        for path in ("reports/papers.md", "figures/probes.csv", "figures/probes.svg"):
            (folder / path).write_text("mine\n", "utf-8")

    hub = grown(edit)
    folder = hub.clone()
    for path in ("reports/papers.md", "figures/probes.csv", "figures/probes.svg"):
        (folder / path).write_text("rebuilt\n", "utf-8")
    hub.commit(folder, "Rebuild", "refs/heads/main")
    assert failures(hub.label(7, "paper")[1]) == {}
    assert hub.changed("main", "paper") == ["data/papers.csv", "data/sensors.csv"]


def test_a_cell_that_both_sides_changed_is_reported_and_nothing_is_pushed(hub):
    def retag(term):
        def edit(folder):
            path = folder / "data/sensors.csv"
            path.write_text(path.read_text("utf-8").replace(",optical,", f",{term},"), "utf-8")

        return edit

    hub.pull_request(7, "paper", retag("dielectric"))
    folder = hub.clone()
    retag("none")(folder)
    hub.commit(folder, "retag", "refs/heads/main")
    before = hub.head("paper")
    runner, steps = hub.label(7, "paper")
    assert list(failures(steps)) == ["Merge"]
    assert hub.head("paper") == before
    assert "    data/sensors.csv\n" in replied(runner)
    assert "fen [probe]" in replied(runner)


HOSTILE_ATTRIBUTES = """\
* merge=owned filter=owned diff=owned
*.csv merge=owned filter=owned text eol=crlf
"""
HOSTILE_MODULE = "import pathlib; pathlib.Path(__file__).with_name('owned').touch()\n"


def test_nothing_of_the_branch_is_run_checked_out_or_obeyed(grown, tmp_path):
    def edit(folder):
        add_paper(folder, "fens2026", "##[error]owned ::error::owned $(touch owned)")
        put(folder, ".gitattributes", HOSTILE_ATTRIBUTES)
        put(folder, ".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ext::touch owned\n')
        put(folder, "corpus/__init__.py", HOSTILE_MODULE)
        put(folder, "corpus/__main__.py", HOSTILE_MODULE)
        put(folder, "sitecustomize.py", HOSTILE_MODULE)
        put(folder, ".github/workflows/merge-rows.yml", "touch owned\n")
        put(folder, "data/##[error]owned `touch owned`.csv", "id\n")

    hub = grown(edit)
    runner, steps = hub.label(7, "paper")
    assert failures(steps) == {}
    assert runner.obeyed == []
    assert "##[error]" not in replied(runner)
    assert not list(tmp_path.rglob("owned"))
    assert not (runner.folder / "corpus").exists()
    assert runner.git("status", "--porcelain", "--untracked-files=no") == ""
    merged = hub.git(hub.repository, "show", "paper:data/sensors.csv")
    assert "fenland2026," in merged
    assert "fens2026," in merged


@pytest.mark.parametrize(
    "branch", part(["$(id>owned)", "`id>owned`;x", "a'b\"c", "x&touch|owned"], 3)
)
def test_the_name_of_a_branch_is_never_run(grown, tmp_path, branch):
    hub = grown(lambda folder: add_paper(folder, "fens2026"), branch)
    assert failures(hub.label(7, branch)[1]) == {}
    assert "fenland2026" in hub.git(hub.repository, "show", f"refs/heads/{branch}:data/papers.csv")
    assert not list(tmp_path.rglob("owned"))


def test_commits_that_came_after_the_label_are_not_merged(grown):
    hub = grown(lambda folder: add_paper(folder, "fens2026"))
    labelled = hub.head("paper")
    folder = hub.clone("paper")
    add_paper(folder, "fern2026")
    hub.commit(folder, "more", "refs/heads/paper", "refs/pull/7/head")
    newer = hub.head("paper")
    runner, steps = hub.label(7, "paper", sha=labelled)
    assert list(failures(steps)) == ["Merge"]
    assert hub.head("paper") == newer
    assert "new commits" in replied(runner)


def test_a_push_while_the_workflow_runs_is_kept(grown):
    """The merge is no descendant of what came meanwhile, so the push is refused."""
    hub = grown(lambda folder: add_paper(folder, "fens2026"))
    folder = hub.clone("paper")
    add_paper(folder, "fern2026")
    hub.commit(folder, "more", "refs/heads/paper")  # the reference of the pull request lags behind
    newer = hub.head("paper")
    runner, steps = hub.label(7, "paper")
    assert list(failures(steps)) == ["Push the merge"]
    assert hub.head("paper") == newer
    assert "could not be pushed" in replied(runner)


def test_a_fork_gets_the_commands_and_no_push(grown):
    hub = grown(lambda folder: add_paper(folder, "fens2026"))
    before = hub.head("paper")
    runner, steps = hub.label(7, "paper", repository="ann/corpus")
    assert failures(steps) == {}
    assert hub.head("paper") == before
    assert "    corpus init-git\n" in replied(runner)


def test_a_branch_of_a_fork_that_is_called_like_ours_is_not_pushed_to(grown):
    hub = grown(lambda folder: add_paper(folder, "fens2026"))
    before = hub.head("main")
    hub.git(hub.repository, "update-ref", "refs/pull/7/head", hub.head("paper"))
    _, steps = hub.label(7, "main", repository="ann/corpus", sha=hub.head("paper"))
    assert failures(steps) == {}
    assert hub.head("main") == before


def test_findings_of_the_merged_data_are_in_the_reply(grown):
    def edit(folder):
        insert_row(
            folder / "data/sensors.csv",
            'fens2026,##[error]x,"Moor, Bo",2026,,https://x.example/p,sonar,moisture,',
        )

    hub = grown(edit)
    runner, steps = hub.label(7, "paper")
    assert failures(steps) == {}
    assert "C202" in replied(runner)
    assert runner.obeyed == []


def test_a_link_in_the_data_is_refused(grown):
    def edit(folder):
        add_paper(folder, "fens2026")
        (folder / "data/more.csv").symlink_to("/etc/passwd")

    hub = grown(edit)
    before = hub.head("paper")
    runner, steps = hub.label(7, "paper")
    assert list(failures(steps)) == ["Check the merged data"]
    assert hub.head("paper") == before
    assert "root:" not in replied(runner)


@pytest.mark.parametrize("event", [{"base": "other"}, {}])
def test_another_base_or_a_branch_with_everything_is_left_alone(hub, event):
    hub.pull_request(7, "paper", lambda folder: add_paper(folder, "fens2026"))
    before = hub.head("paper")
    runner, steps = hub.label(7, "paper", **event)
    assert list(failures(steps)) == ["Merge"]
    assert hub.head("paper") == before
    assert replied(runner)
