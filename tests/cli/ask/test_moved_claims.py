"""What `corpus claims` prints about tracked claims that have moved since a release."""

import json

import pytest

from corpus.analysis.claims.evaluate import load_claims
from corpus.cli.ask.claims import echo_moved, echo_movements
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import add_sensor, write_full

CLAIMS = """\
format = 1

[[claims]]
id = "all"
tracked = true
statement = "5 sensors are known."
count = 5

[[claims]]
id = "salt"
tracked = true
statement = "One sensor senses salt."
where = { senses = "salt" }
keys = ["cy"]
"""


@pytest.fixture
def data(tmp_path):
    data = write_full(tmp_path)
    (data / "claims.toml").write_text(CLAIMS, "utf-8")
    return data


@pytest.fixture
def grown(run, data):
    """The corpus with a release, and a sensor that came after it; its study and claims."""
    assert run("release", "v1", "--data", data).exit_code == 0
    add_sensor(data, "fay")
    study = load_corpus(str(data))
    return study, load_claims(study).claims


def test_a_corpus_without_a_release_has_nothing_to_compare_with(data, capsys):
    study = load_corpus(str(data))
    echo_moved(study, load_claims(study).claims)
    assert capsys.readouterr().out == ""


def test_since_a_release_every_format_has_the_claims_that_moved(grown, capsys):
    study, claims = grown
    echo_movements(study, claims, "v1", "json", True)
    found = json.loads(capsys.readouterr().out)
    assert '"all"' in json.dumps(found)
    assert '"salt"' not in json.dumps(found)
    echo_movements(study, claims, "v1", "markdown", True)
    markdown = capsys.readouterr().out
    echo_movements(study, claims, "v1", "text", True)
    text = capsys.readouterr().out
    assert markdown != text
    assert all("fay" in shown for shown in (markdown, text))


def test_an_unknown_release_and_annotations_are_wrong_usage(grown):
    study, claims = grown
    for since, format_ in (("v9", "text"), ("v1", "github")):
        with pytest.raises(UsageProblem):
            echo_movements(study, claims, since, format_, False)
