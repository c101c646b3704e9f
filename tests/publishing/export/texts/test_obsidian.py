import pytest
import yaml

from corpus.model.finding import CorpusError
from corpus.publishing.export.texts.obsidian import files
from tests.corpora.full import ROWS, full, full_of, sensor


def _properties(content):
    head = content.decode().split("---\n")[1]
    return yaml.safe_load(head)


def test_a_note_has_properties_and_tags():
    made = files(full())
    assert set(made) == {"index.md", *(f"entries/{row[0]}.md" for row in ROWS["sensors"])}
    properties = _properties(made["entries/ada.md"])
    assert properties["title"] == "Rain above Ada's antenna"
    assert properties["authors"] == ["Ward, Ann", "Soil Trust"]
    assert properties["year"] == 2020
    assert properties["depth"] == "surface"
    assert properties["senses"] == ["water", "heat"]
    assert properties["tags"] == ["depth/surface", "senses/water", "senses/heat"]


def test_a_title_cannot_end_the_properties_or_hide_text():
    made = files(full_of(sensor("a", name="x\n---\nevil: 1 %%hidden [[note]] <script>")))
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
        files(full_of(sensor("fine"), sensor(key)))
    found = [(finding.code, finding.column, finding.value) for finding in error.value.findings]
    assert found == [("X107", "sensor", key)]


@pytest.mark.parametrize("other", ["bog", "BOg", "BOG"])
def test_keys_that_differ_in_case_only_are_refused(other):
    with pytest.raises(CorpusError) as error:
        files(full_of(sensor(other), sensor("Bog")))
    assert [finding.code for finding in error.value.findings] == ["X107"]
