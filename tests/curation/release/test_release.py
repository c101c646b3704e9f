"""A release is made whole or not at all, and afterwards every tracked claim is true again."""

import errno
import os
import re
import shutil
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import pytest
import tomli
import yaml
from click.testing import CliRunner

from corpus.analysis.claims.releases import read_releases
from corpus.cli.change import release as command
from corpus.cli.main import main
from corpus.curation.release import release
from corpus.tables.location import is_interrupted
from corpus.tables.writing import atomic, journal
from tests.corpora.full import add_sensor, declare_accepted_claims, write_full
from tests.support.changing import rewrite
from tests.support.repository import git

CLAIMS = """\
format = 1

# How many there are
[[claims]]
id = "size"
tracked = true
statement = "5 sensors are known."  # in the abstract
count = 5

[[claims]]
id = "kinds"
tracked = true
statement = "2 sensors are at the surface, 1 is shallow, 1 is deep and 1 has no depth: 5."
by = ["depth"]
counts = { surface = 2, shallow = 1, deep = 1, none = 1 }

[[claims]]
id = "salt"
statement = "One sensor senses salt."
where = { senses = "salt" }
keys = ["cy"]
"""
#: The same sentences with the numbers after a row more; their values are for the release to write.
REWRITTEN = (
    CLAIMS.replace("5 sensors are", "6 sensors are")
    .replace("2 sensors", "3 sensors")
    .replace("depth: 5.", "depth: 6.")
)
CITATION = """\
cff-version: 1.2.0
title: Soil sensors  # and bogs
version: 1.0.0
date-released: "2020-01-01"
references:
  - version: 7.0.0
"""
PROJECT = (
    '[project]\nname = "sensors"  # wet\nversion = "1.0.0"\n\n[tool.other]\nversion = "1.0.0"\n'
)
CHANGELOG = "# Changelog\n\nAll changes.\n\n## 1.0.0\n\n- First.\n"
STEPS = ("open", "fsync", "chmod", "link", "replace", "unlink")


def run(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)


def release_v2(data, *options):
    return run("release", "v2", "--data", data, *options)


def files(root):
    """Return every file of a repository, without git's own."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith(".git/"):
            found[name] = path.read_bytes()
    return found


def make(root):
    """Write a corpus with everything that a release changes, and no repository."""
    data = write_full(root)
    (data / "claims.toml").write_text(CLAIMS, "utf-8")
    codebook = data / "codebook.toml"
    text = codebook.read_text("utf-8")
    codebook.write_text(
        text.replace('title = "Soil sensors"', 'title = "Soil sensors"\nversion = "1.0.0"', 1)
    )
    (root / "CITATION.cff").write_text(CITATION, "utf-8")
    (root / "pyproject.toml").write_text(PROJECT, "utf-8")
    (root / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    (root / "codemeta.json").write_text('{"version": "1.0.0"}\n', "utf-8")
    package = root / "sensors"
    package.mkdir()
    (package / "__init__.py").write_text('__version__ = "1.0.0"\n', "utf-8")
    return data


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return the folder of a corpus with a first release, and a row that came after it."""
    data = make(tmp_path_factory.mktemp("released"))
    assert run("release", "v1", "--data", data).exit_code == 0
    add_sensor(data, "fern", name="Ferns under the bridge")
    (data / "claims.toml").write_text(REWRITTEN, "utf-8")
    return data.parent


@pytest.fixture
def data(released, tmp_path):
    return Path(shutil.copytree(released, tmp_path, dirs_exist_ok=True)) / "data"


def test_the_first_release_has_the_version_of_the_corpus_and_a_copy_of_its_files(tmp_path):
    data = make(tmp_path)
    before = files(data)
    result = run("release", "v1", "--data", data, "--text", "On soil", "--date", "2021-03-31")
    assert result.exit_code == 0
    assert result.stdout == "v1.0.0\n"
    (made,) = read_releases(data)
    assert astuple(made)[:-1] == ("v1", "1.0.0", "2021-03-31", "On soil", 5, 3, 3)
    copied = files(data / "releases" / "v1")
    assert copied == {name: before[name] for name in copied}
    assert {"codebook.toml", "claims.toml", "sensors.csv", "judged.csv"} <= copied.keys()
    assert run("stats", "--data", data / "releases" / "v1").exit_code == 0


def test_tracked_claims_get_the_values_of_today(data):
    assert run("check", "--strict", "--data", data).exit_code == 0
    assert release_v2(data).exit_code == 0
    expected = REWRITTEN.replace("count = 5", "count = 6").replace("surface = 2", "surface = 3")
    assert (data / "claims.toml").read_text("utf-8") == expected
    assert (data / "releases" / "v2" / "claims.toml").read_text("utf-8") == expected
    assert (data / "releases" / "v1" / "claims.toml").read_text("utf-8") == CLAIMS
    assert run("check", "--strict", "--data", data).exit_code == 0
    assert run("claims", "--since", "v2", "--data", data).stdout.startswith("0 of 3 claims moved")


def test_the_version_changes_where_it_is_that_of_the_corpus(data):
    assert release_v2(data).stdout == "v1.1.0\n"
    root = data.parent
    citation = (root / "CITATION.cff").read_text("utf-8")
    before, after = yaml.safe_load(CITATION), yaml.safe_load(citation)
    assert after["version"] == "1.1.0"
    assert after["references"] == before["references"]
    assert "# and bogs" in citation
    assert (root / "pyproject.toml").read_text("utf-8") == PROJECT.replace("1.0.0", "1.1.0", 1)
    assert (root / "sensors" / "__init__.py").read_text("utf-8") == '__version__ = "1.1.0"\n'
    for folder in (data, data / "releases" / "v2"):
        assert tomli.loads((folder / "codebook.toml").read_text())["corpus"]["version"] == "1.1.0"
    log = (root / "CHANGELOG.md").read_text("utf-8")
    assert log.index("## 1.1.0") < log.index("## 1.0.0")
    assert "- Added: fern.\n" in log
    assert "- Moved: size, 5 before, now 6.\n" in log


def test_files_of_something_else_are_left_alone_and_metadata_gets_the_version(data):
    root = data.parent
    others = {
        "pyproject.toml": PROJECT.replace("1.0.0", "7.0.0"),
        "CITATION.cff": CITATION.replace("version: 1.0.0", "version: 3.0.0"),
    }
    zenodo = '{"title": "Soil sensors",\n  "version" : "1.0.0", "notes": ["1.0.0"]}'
    for name, text in {**others, ".zenodo.json": zenodo}.items():
        (root / name).write_text(text, "utf-8")
    assert release_v2(data).exit_code == 0
    assert {name: (root / name).read_text("utf-8") for name in others} == others
    expected = zenodo.replace('"1.0.0"', '"1.1.0"', 1)
    assert (root / ".zenodo.json").read_text("utf-8") == expected


def test_files_beside_a_folder_of_another_name_are_left_alone(tmp_path):
    data = make(tmp_path)
    moved = data.rename(tmp_path / "soil_data")
    before = files(tmp_path)
    assert run("release", "v1", "--data", moved).exit_code == 0
    after = files(tmp_path)
    changed = {name for name in after if before.get(name) != after[name]}
    assert all(name.startswith("soil_data/") for name in changed)


def test_a_release_in_a_new_corpus_without_citation_and_changelog(tmp_path):
    folder = tmp_path / "new"
    assert run("init", folder).exit_code == 0
    # A release is not made of texts that are still to be written (C002).
    for path in (folder / "data").glob("*.toml"):
        rewrite(path, "TODO", "Written")
    before = files(folder)
    result = run("release", "v1", "--data", folder)
    assert result.exit_code == 0, result.output
    after = files(folder)
    changed = {name for name in after if before.get(name) != after[name]}
    others = {name for name in changed if not name.startswith("data/releases/")}
    assert others <= {"data/releases.toml", "data/codebook.toml"}
    assert before.keys() <= after.keys()
    assert run("check", "--data", folder).exit_code == 0


def test_a_corpus_with_a_finding_or_a_failing_guard_is_refused(data):
    add_sensor(data, "gorse", name="Gorse and heather", senses="salt")
    before = files(data.parent)
    result = release_v2(data)
    assert result.exit_code == 1
    assert "C601" in result.stderr
    assert files(data.parent) == before
    result = release_v2(data, "--dry-run")
    assert result.exit_code == 1
    assert "C601" in result.stderr


def test_a_warning_about_an_excluded_record_stops_no_release(data):
    log = data / "dropped.csv"
    header, *lines = log.read_text("utf-8").splitlines(keepends=True)
    line = "x9,title,Peat \\emph{of} the moor,\n"
    log.write_text("".join([header, *lines, line]), "utf-8")
    assert "C216" in run("check", "--data", data).stdout
    result = release_v2(data)
    assert result.exit_code == 0, result.output + result.stderr


def listed(result, code):
    """Return the lines of the claims file that a refused release names."""
    found = [line for line in result.stderr.splitlines() if code in line]
    return [line.split(" ")[0].split(":")[-1] for line in found]


def test_every_sentence_of_a_claim_that_moved_is_listed_until_somebody_writes_it(data):
    (data / "claims.toml").write_text(CLAIMS, "utf-8")
    before = files(data.parent)
    for arguments in ((), ("--confirm",)):  # a number that contradicts the value never passes
        result = release_v2(data, *arguments)
        assert result.exit_code == 1
        assert listed(result, "V102") == ["5", "11"]
        assert "size is 6 now and was 5" in result.stderr
    assert files(data.parent) == before


def test_a_guard_that_fails_as_accepted_is_released_only_when_it_is_confirmed(data):
    declare_accepted_claims(data)
    with (data / "claims.toml").open("a") as claims:
        claims.write('\n[[claims]]\nid = "no-water"\nstatement = "No sensor senses water."\n')
        claims.write('where = { senses = "water" }\nempty = true\n')
    assert run("claims", "--acknowledge", "known", "--data", data).exit_code == 0
    refused = release_v2(data)
    assert (refused.exit_code, len(listed(refused, "V110"))) == (1, 1)
    made = release_v2(data, "--confirm")
    assert made.exit_code == 0


def test_a_working_tree_with_changes_and_a_tag_that_exists_are_refused(data):
    root = data.parent
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "All")
    (data / "new.txt").write_text("not committed", "utf-8")
    before = files(root)
    result = release_v2(data)
    assert result.exit_code == 2
    assert "new.txt" in result.stderr
    assert release_v2(data, "--dry-run").exit_code == 1
    assert files(root) == before
    (data / "new.txt").unlink()
    git(root, "tag", "v1.1.0")
    assert release_v2(data).exit_code == 2
    assert release_v2(data, "--version", "2.0.0").exit_code == 0


@pytest.mark.parametrize("text", ["version: [", "- a\n- b\n", 'version: "1.0.\\x30"\n'])
def test_a_citation_file_that_cannot_be_edited_stops_the_release(data, text):
    (data.parent / "CITATION.cff").write_text(text, "utf-8")
    before = files(data.parent)
    assert release_v2(data).exit_code == 2
    assert files(data.parent) == before


class Killed(BaseException):
    """The process is gone; what follows is what would not have happened."""


def stopped(data, plan, moment, kind):
    """Make a release that is worked out, and stop it at a call; return its exit code, and how many calls there were."""
    calls = 0
    saving = False

    def counted(real):
        def call(*arguments, **named):
            nonlocal calls
            caller = sys._getframe(1).f_code.co_filename
            if saving and caller in (atomic.__file__, journal.__file__):
                calls += 1
                if calls == moment or (calls > moment and kind == "kill"):
                    if kind == "kill":
                        raise Killed
                    raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(arguments[0]))
            return real(*arguments, **named)

        return call

    def save(*arguments, real=journal.replace_tables):
        nonlocal saving
        saving = True
        real(*arguments)
        saving = False

    with pytest.MonkeyPatch.context() as patched:
        # Working it out takes most of the time and writes nothing.
        patched.setattr(command, "plan_release", lambda *_: plan)
        for name in STEPS:
            patched.setattr(os, name, counted(getattr(os, name)))
        patched.setattr(release, "replace_tables", save)
        try:
            result = release_v2(data)
        except Killed:
            return None, calls
    return result.exit_code, calls


@pytest.mark.parametrize("kind", ["kill", "failure"])
def test_a_release_that_is_stopped_at_any_step_is_whole_or_not_there(released, tmp_path, kind):
    before = files(released)
    whole = Path(shutil.copytree(released, tmp_path / "whole")) / "data"
    plan = release.plan_release(str(whole), "v2")
    assert release_v2(whole).exit_code == 0
    after = files(whole.parent)
    outcomes = []
    for moment in range(1, 1000, 3):
        root = tmp_path / f"m{moment}"
        for name, content in before.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        code, calls = stopped(root / "data", plan, moment, kind)
        if calls < moment:
            break
        # The next command that writes undoes the release unless it is whole.
        assert run("fmt", "--data", root / "data").exit_code == 0
        left = files(root)
        assert not is_interrupted(str(root / "data"))
        found = {name: text for name, text in left.items() if not name.endswith(".tmp")}
        assert found in (before, after)
        if code == 0:
            assert found == after
        elif kind == "failure":
            assert left == before
        outcomes.append(found == after)
        if found == before and moment % 5 == 0:
            assert run("release", "v2", "--data", root / "data").exit_code == 0
            assert files(root) == after  # and nothing is left of the first try
    assert set(outcomes) == {True, False}


def test_the_tag_fits_the_workflow_that_publishes(tmp_path):
    """release.yml compares the tag with `corpus --version`, which is that of the package."""
    workflow = Path(__file__).parents[3] / ".github" / "workflows" / "release.yml"
    (step,) = re.findall(r'test "\$TAG" = "(.+?)\$version"', workflow.read_text("utf-8"))
    data = make(tmp_path)
    printed = run("release", "v1", "--data", data).stdout.strip()
    done = subprocess.run(
        [sys.executable, "-c", "import sensors; print(sensors.__version__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed == step + done.stdout.strip()
