"""Every `run:` step is executed in a temporary checkout, on good and on hostile pull requests."""

import re
import shutil
import subprocess
import sys

import pytest
from markdown_it import MarkdownIt

from corpus.curation.edit.form import form_fields
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook
from tests.conftest import REAL
from tests.support.conformance import needed
from tests.support.daily import paired, part

from .hub import failures
from .runner import ROOT, Runner

EVENT = {
    "github.event_name": "pull_request",
    "github.ref": "refs/pull/7/merge",
    "github.repository": "mires/corpus",
}
COMMENT = {
    "github.event.pull_request.number": "7",
    "github.event.pull_request.base.ref": "main",
    "github.repository": "mires/corpus",
}


@pytest.fixture
def pull_request(tmp_path):
    """A checkout with one commit, to which a test adds the commit of a pull request."""
    runner = Runner(tmp_path, dict(EVENT))
    runner.check_out()
    runner.contexts["github.event.pull_request.base.sha"] = runner.git("rev-parse", "HEAD")
    return runner


def retag(runner, old, new, file="data/pool.csv"):
    path = runner.folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    runner.commit("change")


def test_a_pull_request_that_retags_an_entry(pull_request):
    retag(
        pull_request,
        ",orchestration,role,hierarchical,general,supporting,",
        ",orchestration,orchestrator,hierarchical,general,supporting,",
    )
    steps = pull_request.run("check.yml", "corpus")
    assert steps["Canonical form"][0] == "success"
    assert (
        "::error file=data/claims.toml" in steps["Every rule and every claim"][1]
    )  # a guard: entries with credit to the orchestrator
    assert steps["Result"][0] == "failure"
    assert "halo" in pull_request.summary
    assert "orchestrator" in pull_request.summary


def test_a_pull_request_that_breaks_cells(pull_request):
    retag(pull_request, ",swarm,", ",swarn,")
    retag(pull_request, ",ICML 2018,", ",::error::boo @all <img src=x>,")
    steps = pull_request.run("check.yml", "corpus")
    lines = steps["Every rule and every claim"][1].splitlines()
    assert any(
        "title=C202" in line and line.startswith("::error file=data/pool.csv,line=")
        for line in lines
    )
    assert not any(
        line.startswith("::error::boo")
        for _, printed in steps.values()
        for line in printed.splitlines()
    )
    assert "<img" not in pull_request.summary
    assert not any(line.startswith("::") for line in pull_request.summary.splitlines())


def test_a_first_push_without_history(pull_request):
    pull_request.contexts |= {
        "github.event_name": "push",
        "github.event.pull_request.base.sha": "",
        "github.event.before": "0" * 40,
    }
    steps = pull_request.run("check.yml", "corpus")
    assert steps["What the change does"][0] == "success"
    assert "no earlier state" in pull_request.summary
    assert not list(pull_request.artifacts.iterdir())


def test_what_a_pull_request_accepts_itself_fails(pull_request):
    retag(pull_request, ",ICML 2018,", ",ICML \\emph{2018},")
    [row] = [
        line
        for line in (pull_request.folder / "data/pool.csv").read_text("utf-8").splitlines()
        if "emph" in line
    ]
    with (pull_request.folder / "data/accepted.csv").open("a", encoding="utf-8") as table:
        table.write(f"C216,pool.csv,{row.split(',')[0]},venue,ICML \\emph{{2018}},as printed\n")
    pull_request.commit("accepted")
    steps = pull_request.run("check.yml", "corpus")
    printed = steps["Every rule and every claim"][1]
    assert "title=C216" in printed
    assert "title=C442" in printed
    assert steps["Result"][0] == "failure"
    assert "accepted by the change itself" in pull_request.summary


def test_a_pull_request_is_compared_with_what_it_is_merged_into(pull_request):
    """The event names the commit from which the branch was proposed; others were merged since."""
    head = pull_request.git("rev-parse", "HEAD")
    retag(pull_request, ",swarm,", ",centralized,")
    pull_request.git("checkout", "-q", "-b", "proposed", head)
    (pull_request.folder / "README.md").write_text("words\n")
    pull_request.contexts["github.event.pull_request.head.sha"] = pull_request.commit("words")
    pull_request.git("checkout", "-q", "main")
    pull_request.git("merge", "-q", "--no-ff", "-m", "merge", "proposed")
    pull_request.run("check.yml", "corpus")
    assert "README.md" in pull_request.summary
    assert "pool: " not in pull_request.summary


def commented(tmp_path, known=None, change=("", ""), more=None, programs=None):
    """A run of both jobs of the comment workflow for pull request 7, whose commit changes the pool.

    `known` is what GitHub answers.
    """
    runner = Runner(tmp_path, dict(COMMENT), known)
    runner.check_out()
    remote = tmp_path / "remote/mires/corpus.git"
    runner.git("init", "-q", "--bare", str(remote))
    path = runner.folder / "data/pool.csv"
    path.write_text(path.read_text("utf-8").replace(*change), "utf-8")
    if more is not None:
        more(runner.folder)
    runner.commit("change")
    runner.git("push", "-q", str(remote), "HEAD:refs/pull/7/head")
    runner.git("reset", "-q", "--hard", "HEAD~1")
    for name, script in (programs or {}).items():
        runner.replace_program(name, script)
    steps = runner.run("comment.yml", "report")
    asked = [one["asked"][0] for one in runner.gh]
    assert set(asked) <= {"auth"}, "the job that compares asks nothing else"
    return runner, steps | runner.run("comment.yml", "comment")


def test_the_comment_is_posted_once_and_then_updated(tmp_path):
    change = (",hierarchical,general,supporting,", ",swarm,general,supporting,")
    runner, steps = commented(tmp_path, change=change)
    assert failures(steps) == {}
    place = "repos/mires/corpus/issues/7/comments"
    assert runner.gh[-1]["asked"][:4] == ["api", "--method", "POST", place]
    body = runner.gh[-1]["body"]
    assert body.startswith("<!-- corpus change report -->\n")
    assert "halo" in body
    # Files are named as in the pull request, and nothing of the machine is.
    assert "data/pool.csv" in body
    assert not re.search(r"change/|after/|before/|checkout", body)
    mine = {"id": 55, "user": {"login": "github-actions[bot]"}, "body": body}
    forged = {"id": 44, "user": {"login": "mallory"}, "body": "<!-- corpus change report -->"}
    again, _ = commented(tmp_path / "again", {"issues/7/comments": [forged, mine]})
    assert again.gh[-1]["asked"][2:4] == ["PATCH", "repos/mires/corpus/issues/comments/55"]


def test_a_pull_request_to_another_branch_gets_no_comment(tmp_path):
    runner = Runner(tmp_path, {**COMMENT, "github.event.pull_request.base.ref": "older"})
    assert runner.run("comment.yml", "report") == {}


def test_a_link_in_place_of_a_table_is_not_followed(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("hunter2\n")

    def link(folder):
        (folder / "data/pool.csv").unlink()
        (folder / "data/pool.csv").symlink_to(secret)

    runner, _ = commented(tmp_path, more=link)
    assert "hunter2" not in runner.gh[-1]["body"]
    assert "C101" in runner.gh[-1]["body"]


HOSTILE = "@everyone ![x](https://evil.example/x.png) <img src=x onerror=y> ::error::boo [a](javascript:b) | x"


def test_hostile_cells_do_nothing_in_the_comment(tmp_path):
    runner, _ = commented(tmp_path, change=(",ICML 2018,", f",{HOSTILE},"))
    body = runner.gh[-1]["body"]
    shown = MarkdownIt("commonmark").enable("table").render(body)
    assert "evil.example" in shown
    assert "<a " not in shown
    assert not any(part in shown for part in ("<img", 'javascript:b"', "onerror=y>"))
    assert not any(part in body for part in ("@everyone", "::error", "://evil.example"))


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        (1, "Traceback (most recent call last):\n  File /home/secret.py\n"),
        (255, "::error::secret\n"),
        (137, "secret"),
    ],
)
def test_an_unforeseen_error_is_one_plain_line_in_the_comment(tmp_path, code, printed):
    script = f"#!/bin/bash\necho half a secret\nprintf '%s' '{printed}' >&2\nexit {code}\n"
    runner, _ = commented(tmp_path, programs={"corpus": script})
    assert len(runner.gh[-1]["body"].splitlines()) == 2  # the mark and the line
    assert "secret" not in runner.gh[-1]["body"]
    assert runner.obeyed == []


def test_commands_in_a_pull_request_are_not_obeyed(pull_request):
    retag(pull_request, ",swarm,", ",##[error]owned,")
    retag(pull_request, ",ICML 2018,", ",##[error]boo ::warning::x,")
    claims = pull_request.folder / "data/claims.toml"
    claims.write_text(
        claims.read_text("utf-8").replace('text = "', 'text = "##[error]owned ::error::owned ', 1),
        "utf-8",
    )
    (pull_request.folder / "data/##[error]owned ::warning::x.csv").write_text("id\n")
    pull_request.commit("more")
    steps = pull_request.run("check.yml", "corpus")
    assert steps["Every rule and every claim"][0] == "failure"
    assert pull_request.obeyed != []
    for line in pull_request.obeyed:
        assert line.startswith(("::error file=data/", "::warning file=data/", "::warning title=+"))
        assert "##[" not in line
        assert line.count("::") == 2


def test_an_unreadable_change_is_still_reported(tmp_path):
    def spoil(folder):
        (folder / "data/codebook.toml").write_text("::error::boo @all\n")

    runner, _ = commented(tmp_path, more=spoil)
    assert "cannot be compared" in runner.gh[-1]["body"]
    assert len(runner.gh[-1]["body"]) < 65_000


def posted(runner):
    """Return what was last asked of `gh`, beside the checks that are started in the end."""
    return [asked for asked in runner.gh if asked["asked"][0] != "workflow"][-1]


def form(**cells):
    book = read_codebook(str(REAL))
    lines = (f"### {f.label}\n\n{cells.get(f.name, '_No response_')}\n" for f in form_fields(book))
    return "\n".join(lines)


FORM = {
    "github.event.label.name": "to pull request",
    "github.event.issue.number": "12",
    "github.repository": "mires/corpus",
}
CELLS = {
    "title": "Peat as $(touch owned) a `judge`",
    "first_author": "Ward, Ann",
    "affiliation": "Mire Institute",
    "year": "2026",
    "venue": "Blog",
    "url": "https://mire.example/peat",
    "category": "rl_method",
    "is_rl": "yes",
    "reward_type": "shared",
    "credit_granularity": "message",
    "orchestration_form": "centralized",
    "scenario": "general",
    "is_core": "core",
    "one_liner": "Gives every message a credit of its own",
    "verified": "yes",
    "authors": "Ward, Ann",
    "first_public": "2026-02",
    "evidence": "the page",
}


@pytest.fixture
def formed(tmp_path):
    """A run of the form workflow, with a repository to push to."""

    def run(body, change=None, answers=None):
        runner = Runner(tmp_path, {**FORM, "github.event.issue.body": body}, answers)
        runner.check_out()
        remote = tmp_path / "remote/mires/corpus.git"
        if not remote.exists():
            subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
        if change is not None:
            change(runner)
        return runner, runner.run("form-to-pr.yml", "pull-request")

    return run


def test_a_form_becomes_a_pull_request(formed, tmp_path):
    runner, steps = formed(form(**CELLS))
    assert {outcome for outcome, _ in steps.values()} == {"success"}, steps
    created = posted(runner)
    assert created["asked"][:2] == ["pr", "create"]
    assert "Add ward-peat-as2026" in created["asked"]
    assert "ward-peat-as2026" in created["body"]
    pushed = subprocess.run(
        ["git", "show", "form-12:data/pool.csv"],
        cwd=tmp_path / "remote/mires/corpus.git",
        capture_output=True,
        check=True,
    )
    assert b"\nward-peat-as2026," in pushed.stdout
    assert not list(tmp_path.rglob("owned"))
    assert ("ward-peat-as2026",) in load_corpus(str(runner.folder / "data")).pool.by_key()


def test_the_pull_request_of_a_form_has_two_rows_and_passes_the_checks(formed, tmp_path):
    """What a workflow pushes starts no other workflow, so the form starts the checks by name."""
    runner, _ = formed(form(**{**CELLS, "credit_granularity": "agent"}))
    assert ["workflow", "run", "check.yml", "--repo", "mires/corpus", "--ref=form-12"] in [
        asked["asked"] for asked in runner.gh
    ]
    changed = runner.git("diff", "--name-only", "HEAD~1", "HEAD").splitlines()
    assert changed == ["data/bibliography.csv", "data/pool.csv"]
    runner.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    runner.contexts |= {
        "github.event_name": "workflow_dispatch",
        "github.event.pull_request.base.sha": "",
        "github.event.before": "",
    }
    steps = runner.run("check.yml", "corpus")
    assert failures(steps) == {}
    assert "ward-peat-as2026" in runner.summary


COMMANDS = "##[error]a ::warning::b\n::error::c\n  ::add-mask::e\n##[group]g\n::set-env name=PATH::/owned\n"


@pytest.mark.parametrize("body", part([
    form(**{**CELLS, "category": "nonsense"}),
    "", "### " * 20_000, "### Identifier\n\n$(touch owned)\n", COMMANDS, "a" * 200_000,
    form(**{**CELLS, "category": COMMANDS}),
    form(**{**CELLS, "title": "x\n\n### Category\n\nsurvey\n"}),
    form(**{**CELLS, "title": COMMANDS}),
    form(**{**CELLS, "reference": "##[error]x ::error::y"}),
    form(**{**CELLS, "url": "https://doi.org/10.1145/...##[error]x"}),
    form(**{**CELLS, "year": "9" * 5000}),
    form(**{**CELLS, "one_liner": "`$(touch owned)` `" + "a" * 200_000 + "`"}),
    form(**{**CELLS, "one_liner": "\u00e4" * 60_000}),
], 2))  # fmt: skip
def test_a_form_is_answered_and_nothing_of_it_is_obeyed(formed, tmp_path, body):
    runner, steps = formed(body)
    reply = posted(runner)
    assert runner.obeyed == []
    assert not list(tmp_path.rglob("owned"))
    assert "Traceback" not in reply["body"]
    assert str(ROOT) not in reply["body"]
    assert 0 < len(reply["body"]) < 65_000
    if steps["Read the form"][0] == "success":  # a heading inside a text is not read
        assert reply["asked"][:2] == ["pr", "create"]
        return
    assert reply["asked"][:3] == ["issue", "comment", "12"]
    assert all(line.startswith("    ") for line in reply["body"].splitlines()[2:])
    assert not (tmp_path / "remote/mires/corpus.git/refs/heads/form-12").exists()


def test_a_form_names_no_command_to_the_log_even_where_the_program_lets_one_through(formed):
    """The guard of the program is one line of defence, the pause of the runner's commands another."""

    def weaken(runner):
        runner.replace_program(
            "corpus", "#!/bin/bash\nprintf '::error::a\\n##[error]b' >&2\nexit 1\n"
        )

    runner, steps = formed(form(**CELLS), weaken)
    assert "::error::a" in steps["Read the form"][1]
    assert runner.obeyed == []


@pytest.mark.parametrize(
    ("code", "printed"),
    [(1, "Traceback (most recent call last):\n  File /home/secret.py\n"), (255, "Error: secret\n"), (137, "secret\n"),
     (0, "")],
)  # fmt: skip
def test_an_unforeseen_error_is_answered_with_one_plain_line(formed, code, printed):
    def crash(runner):
        runner.replace_program("corpus", f"#!/bin/bash\nprintf '%s' '{printed}' >&2\nexit {code}\n")

    runner, steps = formed(form(**CELLS), crash)
    assert steps["Reply what is missing"][0] == "failure"
    assert len(posted(runner)["body"].splitlines()) == 1
    assert "secret" not in posted(runner)["body"]


def branch_of(tmp_path):
    command = ["git", "rev-parse", "form-12"]
    return subprocess.run(
        command, cwd=tmp_path / "remote/mires/corpus.git", capture_output=True, text=True
    ).stdout


def again(tmp_path, formed, body, change=None):
    """Give the label once more, in a new checkout."""
    for name in ("checkout", "temp", "stand-in"):
        shutil.rmtree(tmp_path / name)
    return formed(body, change)


def test_a_label_given_again_replaces_the_commit_of_the_workflow(formed, tmp_path):
    formed(form(**CELLS))
    first = branch_of(tmp_path)
    runner, steps = again(tmp_path, formed, form(**{**CELLS, "venue": "Letters"}))
    assert {outcome for outcome, _ in steps.values()} == {"success"}, steps
    assert branch_of(tmp_path) not in ("", first)
    assert posted(runner)["asked"][0] == "pr"


@pytest.mark.parametrize("amend", [(), ("--amend",)])
def test_commits_of_a_maintainer_on_the_branch_are_kept(formed, tmp_path, amend):
    formed(form(**CELLS))
    work = tmp_path / "work"
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@x.example"]
    subprocess.run(
        [*git, "clone", "-q", "-b", "form-12", tmp_path / "remote/mires/corpus.git", work],
        check=True,
    )
    (work / "data/note.txt").write_text("mine\n")
    subprocess.run([*git, "add", "-A"], cwd=work, check=True)
    subprocess.run(
        [*git, "commit", "-q", "--no-edit", *amend, *(["-m", "more"] * (not amend))],
        cwd=work,
        check=True,
    )
    subprocess.run([*git, "push", "-q", "--force", "origin", "form-12"], cwd=work, check=True)
    theirs = branch_of(tmp_path)
    runner, steps = again(tmp_path, formed, form(**{**CELLS, "venue": "Letters"}))
    assert list(steps) == ["Install", "Leave alone what others have put on the branch"]
    assert branch_of(tmp_path) == theirs
    assert posted(runner)["asked"][:3] == ["issue", "comment", "12"]
    assert posted(runner)["body"]


def test_a_commit_that_comes_while_the_workflow_runs_is_kept(formed, tmp_path):
    """Between the look at the branch and the push somebody else pushes."""
    formed(form(**CELLS))
    remote = tmp_path / "remote/mires/corpus.git"
    pushed = tmp_path / "pushed"

    def race(runner):
        make = f"git -C {remote} -c user.name=a -c user.email=a@x.example commit-tree form-12^{{tree}} -p form-12 -m more"
        runner.replace_program(
            "corpus",
            f'#!/bin/bash\nif [ "$1" = diff ]; then {make} > {pushed}; '
            f"git -C {remote} update-ref refs/heads/form-12 $(cat {pushed}); fi\n"
            f'exec {sys.executable} -m corpus "$@"\n',
        )

    runner, steps = again(tmp_path, formed, form(**{**CELLS, "venue": "Letters"}), race)
    assert steps["Open the pull request"][0] == "failure"
    assert branch_of(tmp_path) == pushed.read_text()
    assert posted(runner)["asked"][:3] == ["issue", "comment", "12"]


def test_a_form_that_names_an_excluded_record_leaves_it_in_the_log(formed, tmp_path):
    record = load_corpus(str(REAL)).by_role("exclusions")[0].rows[0][0]
    log = (REAL / "exclusions.csv").read_bytes()
    runner, steps = formed(form(**{**CELLS, "reference": record}))
    assert steps["Read the form"][0] == "failure"
    assert "C709" in posted(runner)["body"]
    assert (runner.folder / "data/exclusions.csv").read_bytes() == log
    assert branch_of(tmp_path).strip() in ("", "form-12")


def test_the_page_and_the_documentation_are_made(tmp_path):
    needed("mkdocs")
    runner = Runner(tmp_path, {})
    runner.check_out()
    steps = runner.run("pages.yml", "build")
    assert {outcome for outcome, _ in steps.values()} == {"success"}, steps
    assert (runner.folder / "build/page/index.html").stat().st_size > 10_000
    assert (runner.folder / "build/page/docs/guides/reader/index.html").exists()


def test_a_release_has_packages_corpus_and_checksums(tmp_path):
    runner = Runner(tmp_path, {"github.ref_name": "v0.1.0", "github.repository": "mires/corpus"})
    runner.check_out()
    steps = runner.run("release.yml", "build")
    assert {outcome for outcome, _ in steps.values()} == {"success"}, steps
    shutil.rmtree(runner.folder / "dist")
    assert runner.run("release.yml", "publish")["Release"][0] == "success"
    assert {"SHA256SUMS", "corpus-data.tar.gz", "x-1.tar.gz"} <= set(runner.gh[-1]["asked"])
    attested = [
        given
        for action, given in runner.used
        if action.startswith("actions/attest-build-provenance@")
    ]
    assert attested == [{"subject-path": "dist/*"}]


def test_files_that_are_not_those_that_were_built_are_not_released(tmp_path):
    runner = Runner(tmp_path, {"github.ref_name": "v0.1.0", "github.repository": "mires/corpus"})
    runner.check_out()
    runner.run("release.yml", "build")
    shutil.rmtree(runner.folder / "dist")
    (runner.artifacts / "dist/x-1.tar.gz").write_text("another")
    runner.used.clear()
    assert list(runner.run("release.yml", "publish")) == ["The files are those that were built"]
    assert runner.gh == []
    assert not any(action.startswith("actions/attest") for action, _ in runner.used)


def test_a_release_with_another_version_stops(tmp_path):
    runner = Runner(tmp_path, {"github.ref_name": "v9.9.9"})
    runner.check_out()
    steps = runner.run("release.yml", "build")
    assert list(steps)[-1] == "The tag is the version"
    assert steps["The tag is the version"][0] == "failure"


def test_data_that_changed_after_the_release_are_not_published(tmp_path):
    runner = Runner(tmp_path, {"github.ref_name": "v0.1.0"})
    runner.check_out()
    with (runner.folder / "data/exclusions.csv").open("a", encoding="utf-8") as table:
        table.write("E999,arXiv,A record,arXiv:2601.00001,,2026-01-01,abstract_screen,no\n")
    steps = runner.run("release.yml", "build")
    assert list(steps)[-1] == "The data are those of the latest release"
    assert steps["The data are those of the latest release"][0] == "failure"


@pytest.mark.parametrize(("event", "cause"), paired(
    ["pull_request", "workflow_dispatch", "push", "merge_group"], ["unknown", "another owner"],
))  # fmt: skip
def test_without_the_base_commit_a_pull_request_fails(pull_request, event, cause):
    """The default clone of actions/checkout has one commit, and that of a container job another owner."""
    retag(pull_request, ",swarm,", ",centralized,")
    pull_request.contexts["github.event_name"] = event
    pull_request.contexts["github.event.before"] = ""
    if cause == "unknown":
        pull_request.contexts["github.event.pull_request.base.sha"] = "5" * 40
    else:
        foreign = "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1"
        pull_request.replace_program(
            "git", f'#!/bin/bash\n{foreign}\nexec {shutil.which("git")} "$@"\n'
        )
    steps = pull_request.run("check.yml", "corpus")
    outcome, printed = steps["Where the change starts"]
    assert outcome == ("success" if event == "push" else "failure")
    assert ("dubious ownership" if cause == "another owner" else "5" * 40) in printed
    assert event == "push" or "Result" not in steps
