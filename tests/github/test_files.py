"""The files under .github are valid, safe by the rules of zizmor, and current."""

import re
import shutil
import subprocess
from importlib.metadata import requires
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from corpus.curation.edit.form import PATH
from corpus.tables.documents import read_codebook
from tests.support.conformance import needed_tool

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BOOK = read_codebook(str(ROOT / "data"))


def tool(*command):
    result = subprocess.run([needed_tool(command[0]), *command[1:]], cwd=ROOT, capture_output=True)
    assert result.returncode == 0, (result.stdout + result.stderr).decode()


def test_schemas():
    tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS))
    tool("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    tool("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", PATH)
    tool(
        "check-jsonschema",
        "--builtin-schema",
        "vendor.github-issue-config",
        ".github/ISSUE_TEMPLATE/config.yml",
    )
    tool("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")
    tool("pre-commit", "validate-config", ".pre-commit-config.yaml")
    tool("pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")


def test_zizmor_finds_nothing():
    tool("zizmor", "--offline", "--persona=auditor", "--no-progress", ".github", "action.yml")


def events(document):
    return document[True]  # YAML reads the key `on` as a truth value


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_and_no_script_has_an_expression(path):
    text = path.read_text("utf-8")
    document = yaml.safe_load(text)
    # A workflow with rights beside a pull request never has a file of it; see merge-rows.yml.
    assert ("pull_request_target" in events(document)) <= (path.name == "merge-rows.yml")
    assert document["permissions"] in ({}, {"contents": "read"})
    for used in re.findall(r"uses: *(.+)", text):
        pinned = re.fullmatch(r"(\S+)/[a-z-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+", used)
        assert used.startswith("./ # ") or (pinned and pinned[1] in ("actions", "pypa"))
    for job in document["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_a_job_that_runs_code_of_a_pull_request_may_only_read():
    document = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))
    assert document["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in document["jobs"].values())


def test_a_workflow_with_rights_beside_a_pull_request_never_has_a_file_of_it():
    """It starts by a label alone, checks out the default branch, and merges without a work tree."""
    document = yaml.safe_load((ROOT / ".github/workflows/merge-rows.yml").read_text("utf-8"))
    assert events(document) == {"pull_request_target": {"types": ["labeled"]}}
    [job] = document["jobs"].values()
    assert job["if"] == "github.event.label.name == 'merge-rows'"
    [checkout] = [step for step in job["steps"] if "checkout@" in step.get("uses", "")]
    assert checkout["with"]["ref"] == "${{ github.event.repository.default_branch }}"
    scripts = "\n".join(step.get("run", "") for step in job["steps"])
    assert " -e " not in scripts
    run = [line for line in scripts.splitlines() if not line.strip().startswith("echo ")]
    commands = set(re.findall(r"\bgit ([a-z-]+)", "\n".join(run)))
    assert "merge-tree" in commands
    assert not commands & {"checkout", "switch", "restore", "reset", "merge", "pull", "worktree"}


def test_only_the_default_branch_is_rebuilt_and_nothing_untrusted_starts_it():
    document = yaml.safe_load((ROOT / ".github/workflows/rebuild.yml").read_text("utf-8"))
    assert events(document) == {"push": {"branches": ["main"]}, "workflow_dispatch": None}
    [job] = document["jobs"].values()
    assert job["if"] == "github.ref == 'refs/heads/main'"
    assert job["permissions"] == {"contents": "write"}
    assert "github.event" not in str(job)


def test_every_table_and_generated_file_has_its_merge_driver(tmp_path, run):
    """What `init-git` writes is committed, so that a clone gets it without a change."""
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert run("init-git", cwd=tmp_path).exit_code == 0
    assert (tmp_path / ".gitattributes").read_text() == (ROOT / ".gitattributes").read_text()


def test_owners_and_template_are_there():
    assert "/data/" in (ROOT / ".github/CODEOWNERS").read_text("utf-8")
    assert "corpus check" in (ROOT / ".github/pull_request_template.md").read_text("utf-8")


def test_what_builds_a_release_is_pinned_by_hash():
    """The build backend and everything that runs with it; nothing is fetched while the packages are built."""
    text = (ROOT / ".github/release/requirements.txt").read_text("utf-8")
    pins = dict(
        re.findall(r"^([a-z-]+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}$", text, re.MULTILINE)
    )
    assert len(pins) == len(re.findall(r"^[^#\n]*==", text, re.MULTILINE))
    pending = ["build", "hatchling"]
    needed = set()
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        for line in requires(name) or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                pending.append(canonicalize_name(requirement.name))
    assert set(pins) == needed
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    scripts = "\n".join(step.get("run", "") for step in release["jobs"]["build"]["steps"])
    assert "--require-hashes -r .github/release/requirements.txt" in scripts
    for line in scripts.splitlines():
        assert ("-m build " in line) <= ("--no-isolation" in line)
        assert ("pip install" in line and line.endswith(".")) <= ("--no-build-isolation" in line)


def test_the_build_tools_of_a_release_are_those_of_the_tests():
    tested = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    for pin in re.findall(
        r"^(?:build|hatchling)==\S+",
        (ROOT / ".github/release/requirements.txt").read_text("utf-8"),
        re.M,
    ):
        assert pin in tested


def test_updates_of_every_pinned_dependency_are_watched():
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    watched = {
        (update["package-ecosystem"], folder)
        for update in updates
        for folder in update.get("directories", [update.get("directory")])
    }
    assert watched == {("github-actions", "/"), ("pip", "/"), ("pip", "/.github/release")}
