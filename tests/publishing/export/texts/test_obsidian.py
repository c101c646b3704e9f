import pytest
import yaml

from corpus.model.finding import CorpusError
from corpus.publishing.export.texts.obsidian import files
from tests.corpora.bogs import bogs, site


def _properties(content):
    head = content.decode().split("---\n")[1]
    return yaml.safe_load(head)


def test_a_note_has_properties_and_tags():
    made = files(bogs())
    assert set(made) == {"index.md", "entries/adder.md", "entries/black.md", "entries/crane.md"}
    properties = _properties(made["entries/adder.md"])
    assert properties["title"] == "The adder's mire"
    assert properties["authors"] == ["Ward, Ann", "Bog Trust"]
    assert properties["year"] == 2019
    assert properties["peat"] == "moss"
    assert properties["plants"] == ["heath", "birch"]
    assert properties["tags"] == ["peat/moss", "plants/heath", "plants/birch"]


def test_evidence_is_in_the_note_of_its_entry():
    made = files(bogs())
    assert b"2019-05" in made["entries/adder.md"]
    assert b"2021-01-31" in made["entries/crane.md"]
    assert b"2019-05" not in made["entries/crane.md"]


def test_a_title_cannot_end_the_properties_or_hide_text():
    made = files(bogs([site("a", name="x\n---\nevil: 1 %%hidden [[note]] <script>")], []))
    properties = _properties(made["entries/a.md"])
    assert "evil" not in properties
    body = made["entries/a.md"].decode().split("---\n", 2)[2]
    assert "%%" not in body
    assert "[[" not in body
    assert "<script" not in body


@pytest.mark.parametrize(
    "key", ["../up", "a/b", "a\\b", "con", "NUL.txt", "", ".hidden", "a.", "x" * 200, "a:b"]
)
def test_a_key_that_is_no_file_name_is_refused(key):
    with pytest.raises(CorpusError) as error:
        files(bogs([site("fine"), site(key)], []))
    found = [(finding.code, finding.column, finding.value) for finding in error.value.findings]
    assert found == [("X107", "site", key)]


@pytest.mark.parametrize("other", ["bog", "BOg", "BOG"])
def test_keys_that_differ_in_case_only_are_refused(other):
    with pytest.raises(CorpusError) as error:
        files(bogs([site(other), site("Bog")], []))
    assert [finding.code for finding in error.value.findings] == ["X107"]
