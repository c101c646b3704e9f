"""A release is worked out before the first file is touched: its name, its files and what prevents it."""

from dataclasses import astuple

import pytest

from corpus.curation.release import release as module
from corpus.curation.release.release import plan_release
from corpus.model.finding import CorpusError, UsageProblem
from tests.corpora.full import CLAIMS, FILES, write_full

#: The first release, as a list that somebody has remarked on.
LIST = """\
# Two of them.
format = 1

[[releases]]
id = "v1"
version = "0.1.0"
date = "2021-01-01"
text = "On soil"
entries = 4
excluded = 3
claims = 3  # then
"""


@pytest.fixture
def unchecked(monkeypatch):
    """Checking the corpus takes most of the time, and these cases are not about it."""
    monkeypatch.setattr(module, "check_corpus", lambda *_, **__: [])


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


@pytest.fixture
def released(data):
    """Return a corpus with a first release: that of today."""
    (data / "releases.toml").write_text(LIST, "utf-8")
    folder = data / "releases" / "v1"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return data


def plan(data, name="v2", **asked):
    return plan_release(str(data), name, **asked)


@pytest.mark.parametrize(
    "name",
    ["v1", "V1", "../v2", "a/b", "", ".", "..", "-v2", "v2.", "nul", "a b", "v\n2", "x" * 65],
)
def test_a_name_that_is_taken_or_unsafe_is_refused(released, name):
    with pytest.raises(UsageProblem):
        plan(released, name)


@pytest.mark.parametrize(
    ("inside", "is_refused"), [("notes.txt", True), ("deep/notes.txt", True), ("", False)]
)
def test_a_folder_of_that_name_has_to_be_empty(data, unchecked, inside, is_refused):
    folder = data / "releases" / "v1" / "deep"
    folder.mkdir(parents=True)
    if inside:
        (folder.parent / inside).write_text("x", "utf-8")
        with pytest.raises(UsageProblem):
            plan(data, "v1")
    else:
        assert plan(data, "v1").release.id == "v1"


@pytest.mark.parametrize(
    "asked",
    [{"version": "0.1.0"}, {"version": "1.1"}, {"version": "v2.0.0"}, {"day": "2026-02-30"}, {"day": "May"},
     {"text": "two\nlines"}, {"text": "  "}],
)  # fmt: skip
def test_a_version_day_or_text_that_cannot_be_is_refused(released, unchecked, asked):
    with pytest.raises(UsageProblem):
        plan(released, **asked)


def test_what_is_not_asked_for_is_that_of_the_corpus(data, unchecked):
    assert astuple(plan(data, "v1").release)[:-1] == (
        "v1",
        "0.1.0",
        "2021-03-31",
        "Soil sensors",
        5,
        3,
        3,
    )
    found = plan(data, "v1", version="2.0.0", text="On soil, arXiv:1", day="2022-02-02").release
    assert astuple(found)[:-1] == ("v1", "2.0.0", "2022-02-02", "On soil, arXiv:1", 5, 3, 3)


@pytest.mark.parametrize("text", ["format = 1\nreleases = []\n", "format = 1\nreleases = [\n]\n"])
def test_a_list_that_cannot_be_added_to_is_refused(data, unchecked, text):
    (data / "releases.toml").write_text(text, "utf-8")
    with pytest.raises(UsageProblem):
        plan(data, "v1")


def claimed(data, *pairs):
    text = CLAIMS
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (data / "claims.toml").write_text(text, "utf-8")
    return data


SIZE = ('id = "size"\nstatement = "Five sensors are known."\ncount = 5', 'id = "size"\ntracked = true\nstatement = "Five sensors are known."\ncount = 4')  # fmt: skip


ORDER = ('id = "water-lead"\n', 'id = "water-lead"\ntracked = true\n')
FEW = (SIZE[0], SIZE[1].replace("Five", "A few"))


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        ([FEW], ("V102", 4, "statement", "A few sensors are known.")),
        ([ORDER, ('["water", "salt"]', '["salt", "water"]')], ("V101", 15, "id", "water-lead")),
    ],
)
def test_what_only_a_person_can_correct_is_a_finding_at_its_claim(data, unchecked, pairs, code):
    with pytest.raises(CorpusError) as raised:
        plan(claimed(data, *pairs), "v1")
    (one,) = raised.value.findings
    assert (one.code, one.line, one.column, one.value) == code


def test_a_sentence_without_a_number_is_for_a_person_to_confirm(data, unchecked):
    assert plan(claimed(data, FEW), "v1", confirm=True).release.id == "v1"
