"""A stand-in for GitHub's runner: it works through the steps of a job in a temporary checkout.

Every `run:` step is executed by bash as on GitHub, with the runner's files. `actions/checkout` and
`setup-python` are done already, artifacts go through a folder. What a step prints is read as the
runner reads it, for commands. Programs that reach out are replaced: `gh` writes down what it is
asked and answers from a table, `pip` and `build` install and build nothing, what is fetched and
pushed goes to a repository on this machine.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.support import warm
from tests.support.published import write_published
from tests.support.shared import shared

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"

#: Named step -> its outcome and what it printed.
Done = dict[str, tuple[str, str]]

GH = """\
import json, os, sys
folder = os.environ["STAND_IN"]
asked = sys.argv[1:]
body = [a.split("@", 1)[1] for a in asked if a.startswith("body=@")]
body += [asked[i + 1] for i, a in enumerate(asked) if a == "--body-file"]
text = open(body[0], encoding="utf-8").read() if body else ""
with open(os.path.join(folder, "gh.jsonl"), "a") as log:
    log.write(json.dumps({"asked": asked, "body": text}) + "\\n")
answers = json.load(open(os.path.join(folder, "answers.json")))
for part, answer in answers.items():
    if part in " ".join(asked):
        if isinstance(answer, int):
            sys.exit(answer)
        print(json.dumps(answer))
"""
PYTHON = """\
#!/bin/bash
case "$1 $2" in
  "-m pip") exit 0 ;;
  "-m build") mkdir -p dist && echo wheel > dist/x-1-py3-none-any.whl && echo archive > dist/x-1.tar.gz ;;
  *) exec {python} "$@" ;;
esac
"""


@cache
def generated():
    """Return a folder with the published corpus and its current figures/ and reports/."""
    return shared("generated", _build)


def _build(folder):
    folder.mkdir()
    write_published(folder / "data")
    assert warm.run(warm.CORPUS, folder, ["build"]) == 0


def commands(printed):
    """Return the lines of a log that the runner takes for commands, with the pauses that `stop-commands` makes."""
    found = []
    token = ""
    for line in re.split(r"\r\n|\r|\n", printed):
        line = line.lstrip()
        if token:
            if line.startswith(f"::{token}::"):
                token = ""
            continue
        if stop := re.match("::stop-commands::(.*)", line, re.IGNORECASE):
            token = stop[1]
        elif re.match("::.*::", line) or re.search(r"##\[[^]]*\]", line):
            found.append(line)
    assert not token, "the runner was left without commands"
    return found


class Runner:
    """One run of one job.

    Parameters
    ----------
    folder : Path
        An empty folder: the checkout, the runner's files and the artifacts lie in it.
    contexts : dict
        What `${{ ... }}` expressions mean, by their dotted name; `steps.*` is filled while the job runs.
    answers : dict
        What `gh` answers: a part of its command line -> JSON, or an exit code.
    remotes : Path
        A folder that stands for https://github.com/.

    Attributes
    ----------
    obeyed : list of str
        Lines of the log that the runner took for commands so far.
    source : Path
        Folder of the repository whose workflows are run; this one, where nothing else is set.
    used : list of tuple of (str, dict)
        Actions that were called, with what they were given.
    """

    def __init__(self, folder, contexts, answers=None, remotes=None):
        self.folder, self.temp, self.stand_in = (
            folder / "checkout",
            folder / "temp",
            folder / "stand-in",
        )
        self.artifacts = folder / "artifacts"
        self.source = ROOT
        for path in (self.temp, self.stand_in, self.artifacts):
            path.mkdir(parents=True, exist_ok=True)
        self.contexts = {
            "runner.temp": str(self.temp),
            "github.token": "token",
            "github.event.repository.default_branch": "main",
            "github.event.pull_request.head.sha": "",
            **contexts,
        }
        self.obeyed: list[str] = []
        self.used: list[tuple[str, dict[str, Any]]] = []
        (self.temp / "event.json").write_text(json.dumps(self._event()), encoding="utf-8")
        (self.stand_in / "answers.json").write_text(json.dumps(answers or {}))
        self.replace_program("corpus", warm.program())
        self.replace_program("python", PYTHON.format(python=sys.executable))
        (self.stand_in / "gh.py").write_text(GH)
        self.replace_program(
            "gh", f'#!/bin/bash\nexec {sys.executable} {self.stand_in / "gh.py"} "$@"\n'
        )
        (self.stand_in / "gitconfig").write_text(
            f'[url "{remotes or folder / "remote"}/"]\n\tinsteadOf = https://github.com/\n[user]\n\tname = x\n\temail = x@x.example\n'
            "[init]\n\tdefaultBranch = main\n[core]\n\tcompression = 0\n[pack]\n\twindow = 0\n"
        )

    def _event(self):
        """Make the event from the contexts that begin with `github.event`."""
        event: dict[str, Any] = {}
        for name, value in self.contexts.items():
            if name.startswith("github.event."):
                *path, last = name.split(".")[2:]
                place = event
                for part in path:
                    place = place.setdefault(part, {})
                place[last] = value
        return event

    def replace_program(self, name, text):
        """Put a program before the one of this name that the machine has."""
        path = self.stand_in / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def clone(self, remote, branch="main"):
        """Check out a branch of a repository on this machine, in place of :meth:`check_out`."""
        self.folder.mkdir()
        self.git("clone", "-q", "--branch", branch, str(remote), ".")

    def check_out(self):
        """Make a checkout with one commit: what the steps need, and a `.ci/run` that only says what it was asked."""
        shutil.copytree(generated() / "data", self.folder / "data")
        shutil.copytree(ROOT / ".github", self.folder / ".github")
        shutil.copytree(ROOT / "docs", self.folder / "docs", ignore=shutil.ignore_patterns("*.pyc"))
        for name in ("mkdocs.yml", "README.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, self.folder)
        for name in ("figures", "reports"):
            (generated() / name).mkdir(exist_ok=True)  # not every corpus declares figures
            shutil.copytree(generated() / name, self.folder / name, dirs_exist_ok=True)
        (self.folder / ".ci").mkdir()
        (self.folder / ".ci" / "run").write_text('#!/bin/bash\necho "make $* LOWEST=$LOWEST"\n')
        (self.folder / ".ci" / "run").chmod(0o755)
        self.git("init", "-q")
        self.commit("start")

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments):
        command = ["git", *arguments]
        # The same state is the same commit in every checkout, as it is in clones of one repository.
        dates = {
            "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        }
        result = subprocess.run(
            command, cwd=self.folder, env=self.environment(dates), capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    def environment(self, more):
        files = {
            name: str(self.temp / name.lower())
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")
        }
        return {
            "PATH": f"{self.stand_in / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.temp),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "GIT_CONFIG_GLOBAL": str(self.stand_in / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "STAND_IN": str(self.stand_in),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_EVENT_PATH": str(self.temp / "event.json"),
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            **files,
            **more,
        }

    @property
    def summary(self):
        path = self.temp / "github_step_summary"
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def gh(self):
        path = self.stand_in / "gh.jsonl"
        return (
            [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            if path.exists()
            else []
        )

    def run(self, workflow, job):
        """Run a job; return for each named step that ran its outcome and what it printed, and stop as GitHub does."""
        place = self.source / ".github/workflows" / workflow
        document = yaml.safe_load(place.read_text("utf-8"))
        body = document["jobs"][job]
        done: Done = {}
        if "if" in body and not self.holds(body["if"]):
            return done
        self._work_through(body["steps"], {**document.get("env", {}), **body.get("env", {})}, done)
        return done

    def _work_through(self, steps, env, done):
        """Run steps one after the other into `done`; return whether one failed."""
        failed = False
        for step in steps:
            condition = step.get("if", "success()")
            if failed and "failure()" not in condition and condition != "always()":
                continue
            self.contexts["failure()"] = str(failed).lower()
            if not self.holds(condition):
                continue
            if step.get("uses", "").startswith("./"):
                failed = self._act(step, env, done)
                continue
            if "uses" in step:
                self._use(step["uses"], step.get("with", {}))
                continue
            outcome, printed = self._execute(step["run"], {**env, **step.get("env", {})})
            done[step["name"]] = outcome, printed
            self.obeyed += commands(printed)
            if "id" in step:
                self.contexts[f"steps.{step['id']}.outcome"] = outcome
                self._read_output(step["id"])
            failed = failed or (outcome == "failure" and not step.get("continue-on-error", False))
        return failed

    def _act(self, step, env, done):
        """Run the steps of an action of the checkout; return whether it failed."""
        place = self.source / step["uses"] / "action.yml"
        action = yaml.safe_load(place.read_text("utf-8"))
        given = step.get("with", {})
        assert set(given) <= set(action["inputs"]), "an unknown input"
        for name, declared in action["inputs"].items():
            self.contexts[f"inputs.{name}"] = self.fill(given.get(name, declared["default"]))
        assert all(step["shell"] == "bash" for step in action["runs"]["steps"] if "run" in step)
        return self._work_through(action["runs"]["steps"], env, done)

    def _execute(self, script, env):
        assert "${{" not in script, "no expression inside a script"
        filled = self.environment({name: self.fill(value) for name, value in env.items()})
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        result = subprocess.run(
            command, cwd=self.folder, env=filled, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return "failure" if result.returncode else "success", result.stdout.decode()

    def _read_output(self, step):
        path = self.temp / "github_output"
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            name, _, value = line.partition("=")
            self.contexts.setdefault(f"steps.{step}.outputs.{name}", value)

    def _use(self, action, given):
        self.used.append((action, given))
        path = Path(self.fill(str(given.get("path", ""))))
        place = path if path.is_absolute() else self.folder / path
        if action.startswith("actions/upload-artifact@"):
            shutil.copytree(place, self.artifacts / given["name"], dirs_exist_ok=True)
        elif action.startswith("actions/download-artifact@"):
            shutil.copytree(self.artifacts / given["name"], place, dirs_exist_ok=True)

    def fill(self, text):
        """Replace expressions by their values."""
        return re.sub(r"\$\{\{\s*(.+?)\s*\}\}", lambda match: self.value(match[1]), str(text))

    def value(self, expression):
        for part in expression.split("||"):
            if found := self.contexts.get(part.strip(), ""):
                return found
        # A secret that a repository does not have is empty.
        known = (*self.contexts, "secrets.")
        assert any(part.strip().startswith(known) for part in expression.split("||")), (
            f"unknown: {expression}"
        )
        return ""

    def holds(self, condition):
        """Decide a condition of comparisons with a text, `failure()` and `always()`, joined by &&."""
        for part in condition.split("&&"):
            if part.strip() in ("success()", "always()"):
                continue
            if part.strip() == "failure()":
                if self.contexts["failure()"] != "true":
                    return False
                continue
            pattern = r"\s*(\S+)\s*(==|!=)\s*('[^']*'|\S+)\s*"
            left, sign, right = re.fullmatch(pattern, part).groups()
            right = right.strip("'") if right[0] == "'" else self.contexts[right]
            if (self.contexts.get(left, "") == right) is not (sign == "=="):
                return False
        return True
