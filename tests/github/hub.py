"""A stand-in for GitHub's side of a repository: branches, pull requests and the merge button."""

import os
import shutil
import subprocess

from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.minimal import write_minimal

from .runner import ROOT, Runner

NAME = "mires/corpus"

FIGURE = """
[figures.probes]
kind = "bars"
axis = "probe"
title = "Sensors by probe"
"""
CLAIMS = """\
format = 1

[[claims]]
id = "size"
tracked = true
statement = "There are three sensors."
made_in = ["here"]
count = 3
boundary = "Made up."

[[claims]]
id = "no-acoustic"
statement = "Nobody has built an acoustic probe."
made_in = ["here"]
where = { probe = ["acoustic"] }
count = 0
boundary = "Made up."
"""
README = "# Soil\n\n<!-- corpus: PoolSize -->3<!-- /corpus --> sensors.\n"

Steps = dict[str, tuple[str, str]]


class Hub:
    """A bare repository on this machine, and runs of the workflows on its branches.

    Parameters
    ----------
    folder : Path
        An empty folder. Every clone and every run of a workflow gets a folder of its own in it.
    start : Path
        The files of the first commit of main.
    """

    def __init__(self, folder, start):
        self.folder = folder
        self.repository = folder / f"{NAME}.git"
        self._made = 0
        self.env = {
            **os.environ,
            # As on GitHub: no driver is registered, and nothing of this machine's settings counts.
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        for who in ("AUTHOR", "COMMITTER"):
            self.env |= {f"GIT_{who}_NAME": "Ann Ward", f"GIT_{who}_EMAIL": "ann@mire.example"}
        self.git(folder, "init", "-q", "--bare", "-b", "main", str(self.repository))
        self.git(start, "init", "-q", "-b", "main")
        self.git(start, "remote", "add", "origin", str(self.repository))
        self.commit(start, "start", "refs/heads/main")

    def attempt(self, folder, *arguments):
        """Run git, whatever its exit code."""
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, env=self.env, capture_output=True, text=True, check=False)

    def git(self, folder, *arguments):
        """Run git and return what it printed."""
        done = self.attempt(folder, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _new_folder(self, kind):
        self._made += 1
        return self.folder / f"{kind}-{self._made}"

    def clone(self, branch="main"):
        """Return a new clone in which a branch is checked out."""
        folder = self._new_folder("clone")
        self.git(self.folder, "clone", "-q", "-b", branch, str(self.repository), str(folder))
        return folder

    def commit(self, folder, message, *references):
        """Commit everything in a clone and push it to the references."""
        self.git(folder, "add", "-A")
        self.git(folder, "commit", "-q", "-m", message)
        for reference in references:
            self.git(folder, "push", "-q", "origin", f"HEAD:{reference}")

    def head(self, branch):
        """Return the newest commit of a branch."""
        return self.git(self.repository, "rev-parse", f"refs/heads/{branch}")

    def changed(self, old, new):
        """Return the paths that differ between two commits."""
        listed = self.git(self.repository, "diff", "--name-only", "--no-renames", old, new)
        return listed.splitlines()

    def pull_request(self, number, branch, edit, base="main"):
        """Open a pull request: a branch off `base` with one commit, which `edit` makes."""
        folder = self.clone(base)
        edit(folder)
        self.commit(folder, branch, f"refs/heads/{branch}", f"refs/pull/{number}/head")

    def merge(self, branch):
        """Press the merge button; return whether there was no conflict."""
        folder = self.clone()
        done = self.attempt(folder, "merge", "-q", "--no-ff", "-m", branch, f"origin/{branch}")
        if done.returncode == 0:
            self.git(folder, "push", "-q", "origin", "main")
        return done.returncode == 0

    def run(self, workflow, job, branch, contexts, commit="", programs=None):
        """Run a job in a checkout of a branch, or of an older commit of it.

        `programs` replace those that the steps call, name -> script.
        """
        commit = commit or self.head(branch)
        given = {
            "github.repository": NAME,
            "github.ref": f"refs/heads/{branch}",
            "github.sha": commit,
            **contexts,
        }
        runner = Runner(self._new_folder("run"), given, remotes=self.folder)
        for name, script in (programs or {}).items():
            runner.replace_program(name, script)
        runner.clone(self.repository, branch)
        runner.git("reset", "-q", "--hard", commit)
        return runner, runner.run(workflow, job)

    def check(self, branch):
        """Run the checks of a pull request, or those of a push to main."""
        contexts = {"github.event_name": "push", "github.event.before": self.head("main")}
        if branch != "main":
            contexts["github.event_name"] = "pull_request"
            contexts["github.event.pull_request.base.sha"] = self.head("main")
        return self.run("check.yml", "corpus", branch, contexts)

    def rebuild(self, commit=""):
        """Run what follows a push to main, for its newest commit or an older one."""
        return self.run("rebuild.yml", "rebuild", "main", {}, commit)

    def label(self, number, branch, **event):
        """Give a pull request the label that merges by rows.

        `event` replaces what GitHub tells of the pull request: `sha`, `repository`, `base`.
        """
        head = f"refs/pull/{number}/head"
        sha = self.git(self.repository, "rev-parse", head)
        pull = "github.event.pull_request"
        contexts = {
            "github.event.label.name": "merge-rows",
            f"{pull}.number": str(number),
            f"{pull}.head.sha": event.get("sha", sha),
            f"{pull}.head.ref": branch,
            f"{pull}.head.repo.full_name": event.get("repository", NAME),
            f"{pull}.base.ref": event.get("base", "main"),
        }
        done = self.run("merge-rows.yml", "merge", "main", contexts)
        if self.attempt(self.repository, "rev-parse", f"refs/heads/{branch}").returncode == 0:
            self.git(self.repository, "update-ref", head, self.head(branch))
        return done


def failures(steps):
    """Return what the failed steps printed, by their names."""
    return {name: printed for name, (outcome, printed) in steps.items() if outcome == "failure"}


def make_start(root):
    """Make the minimal corpus as a repository has it, generated files included.

    It has a figure, a guard, a tracked claim and a number in its README.
    """
    data = write_minimal(root)
    codebook = data / "codebook.toml"
    declared = '[documents]\nclaims = "claims.toml"\n'
    text = codebook.read_text("utf-8").replace("[documents]\n", declared)
    codebook.write_text(text + FIGURE, "utf-8")
    (data / "claims.toml").write_text(CLAIMS, "utf-8")
    (root / "README.md").write_text(README, "utf-8")
    shutil.copytree(ROOT / ".github/workflows", root / ".github/workflows")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for command in (["build"], ["forms"], ["render", str(root / "README.md")], ["init-git"]):
        done = CliRunner().invoke(main, [*command, "--data", str(data)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    shutil.rmtree(root / ".git")


def insert_row(path, row):
    """Put a row where its key belongs."""
    header, *rows = path.read_text("utf-8").splitlines()
    rows.append(row)
    rows.sort(key=lambda line: line.split(",")[0])
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")


def add_paper(folder, key, title=""):
    """Add a paper to the made-up corpus as a person does who edits two files."""
    title = title or f"What {key} found"
    link = f"https://{key}.example/paper"
    row = f'{key},{title},"Moor, Bo",2026,,{link},dielectric,moisture,'
    insert_row(folder / "data/sensors.csv", row)
    insert_row(folder / "data/papers.csv", f'{key},"Moor, Bo; Ried, Eva",,2026-02-03')
