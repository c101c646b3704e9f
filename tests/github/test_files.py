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
def test_a_workflow_beside_a_pull_request_has_no_file_of_it_and_installs_nothing_with_rights(path):
    document = yaml.safe_load(path.read_text("utf-8"))
    if "pull_request_target" not in document[True]:  # YAML reads the key `on` as a truth value
        return
    for job in document["jobs"].values():
        for step in job["steps"]:
            if "checkout@" in step.get("uses", ""):
                assert step["with"]["ref"] == "${{ github.event.repository.default_branch }}"
            if job["permissions"].get("pull-requests") == "write" and path.name == "comment.yml":
                assert step.get("with", {}).get("task", "comment") == "comment"
                assert "install" not in step.get("run", "")


def test_every_table_and_generated_file_has_its_merge_driver(tmp_path, run):
    """What `init-git` writes is committed, so that a clone gets it without a change."""
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert run("init-git", cwd=tmp_path).exit_code == 0
    assert (tmp_path / ".gitattributes").read_text() == (ROOT / ".gitattributes").read_text()


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
