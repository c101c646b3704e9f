"""A new corpus is a repository whose own workflows pass, and catch what they are there for."""

import csv
import shutil
import subprocess

import pytest
import yaml
from click.testing import CliRunner

from corpus.cli.main import main
from corpus.curation.edit.form import PATH
from corpus.tables.writing.writer import csv_text
from tests.support.conformance import needed_tool

from .runner import ROOT, Runner

EVENT = {
    "github.event_name": "pull_request",
    "github.repository": "mires/bog",
    "github.event.before": "",
}


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    """The folder that `corpus init` writes."""
    folder = tmp_path_factory.mktemp("new") / "bog"
    done = CliRunner().invoke(main, ["init", str(folder), "--toolkit", "mas-rl-corpus==1.0"])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def pull_request(new, tmp_path):
    """A checkout of the new corpus, to which a test adds the commit of a pull request."""
    runner = Runner(tmp_path / "run", dict(EVENT))
    shutil.copytree(new, runner.folder)
    runner.source = runner.folder
    runner.git("init", "-q")
    runner.contexts["github.event.pull_request.base.sha"] = runner.commit("start")
    return runner


def test_its_own_check_passes_and_reports_a_change(pull_request):
    table = pull_request.folder / "data/pool.csv"
    table.write_text(table.read_text("utf-8").replace("2023", "2024", 1), "utf-8")
    pull_request.commit("change")
    steps = pull_request.run("check.yml", "check")
    failed = {name: printed for name, (outcome, printed) in steps.items() if outcome == "failure"}
    assert failed == {}
    assert "doe-2023-first" in pull_request.summary


def test_its_own_check_fails_on_an_unknown_term(pull_request):
    table = pull_request.folder / "data/pool.csv"
    rows = list(csv.reader(table.read_text("utf-8").splitlines()))
    rows[1][rows[0].index("topic")] = "klingon"
    table.write_text(csv_text(rows), "utf-8")
    pull_request.commit("change")
    steps = pull_request.run("check.yml", "check")
    assert "title=C202" in steps["Every rule and every claim"][1]
    assert steps["Result"][0] == "failure"


@pytest.mark.parametrize(("workflow", "job"), [("rebuild.yml", "rebuild"), ("pages.yml", "build")])
def test_its_figures_and_its_page_are_made(pull_request, workflow, job):
    steps = pull_request.run(workflow, job)
    made = [name for name, (outcome, _) in steps.items() if outcome == "success"]
    assert {"rebuild": "Build", "build": "Make the page"}[job] in made


def test_its_files_are_valid_and_safe(new):
    workflows = sorted(map(str, (new / ".github/workflows").glob("*.yml")))
    for schema, files in {
        "github-workflows": workflows,
        "github-actions": [str(new / ".github/actions/corpus/action.yml")],
        "github-issue-forms": [str(new / PATH)],
    }.items():
        tool = [needed_tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *files]
        subprocess.run(tool, check=True, capture_output=True)
    audit = [needed_tool("zizmor"), "--offline", "--persona=auditor", "--no-progress", str(new)]
    found = subprocess.run(audit, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    for path in workflows:
        with open(path, encoding="utf-8") as text:
            installed = [line for line in text if "mas-rl-corpus" in line]
        assert installed, "a named release of the toolkit"
        assert all("mas-rl-corpus[figures]==" in line for line in installed)


def test_the_action_of_this_repository_is_the_one_that_a_new_corpus_gets(new):
    ours = (ROOT / "action.yml").read_text("utf-8")
    assert (new / ".github/actions/corpus/action.yml").read_text("utf-8") == ours
    document = yaml.safe_load(ours)
    scripts = [step.get("run", "") for step in document["runs"]["steps"]]
    assert not [script for script in scripts if "${{" in script]
