"""What a change does to guards and to the numbers of a release, in the first sentences; what a long report shows."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import CLAIMS, add_sensor, repository
from tests.support.repository import commit_all


def run(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)


def summary(data, *revisions):
    result = run("diff", *revisions, "--data", data, "--format", "json")
    return "\n".join(json.loads(result.stdout)["summary"])


def add(data, *keys):
    for key in keys:
        add_sensor(data, key, name=f"{key} of the far hills", depth="shallow", senses="salt")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return a repository with a release, whose number of sensors is tracked."""
    folder = tmp_path_factory.mktemp("released")
    data = repository(folder)
    tracked = CLAIMS.replace('id = "size"\n', 'id = "size"\ntracked = true\n')
    (data / "claims.toml").write_text(tracked, "utf-8")
    commit_all(folder, "track")
    assert run("release", "v1", "--data", data).exit_code == 0
    commit_all(folder, "release")
    return folder


@pytest.fixture
def data(released, tmp_path):
    return Path(shutil.copytree(released, tmp_path, dirs_exist_ok=True)) / "data"


def test_a_tracked_number_is_shown_with_the_release_and_the_key(data):
    add(data, "fir")
    text = summary(data)
    assert "5 in v1, now 6" in text
    assert "+fir" in text
    assert "breaks" not in text


def test_a_number_that_another_change_has_moved_is_not_that_of_the_release(data):
    add(data, "fir")
    commit_all(data.parent, "first")
    add(data, "gorse")
    text = summary(data, "HEAD")
    assert "5 before, now" not in text
    assert "6 before, now 7" in text
    assert "+gorse" in text
    assert "+fir" not in text
