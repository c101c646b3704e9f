"""The issue form is valid YAML whatever the codebook holds, and has every term and definition."""

import pytest
import yaml

from corpus.curation.edit.form import form_yaml
from tests.corpora.full import codebook_data, full


def form(**about):
    data = codebook_data()
    data["corpus"].update(about)
    return yaml.safe_load(form_yaml(full(**data).codebook))


@pytest.mark.parametrize(
    "text", ["yes", "null", "2020", "a: b # c", '"', "'", "- x", "{", "é", "@all", "<b>"]
)
def test_no_text_of_the_codebook_changes_the_form(text):
    data = codebook_data()
    terms = data["vocabularies"]["senses"]["terms"]
    terms[0].update(label=text, definition=text)
    data["tables"]["sensors"]["columns"][1].update(label=text, definition=text)
    book = full(**data).codebook
    found = {item.get("id"): item["attributes"] for item in yaml.safe_load(form_yaml(book))["body"]}
    assert list(found) == [item.get("id") for item in form()["body"]]
    assert found["name"]["label"] == text
    assert found["senses"]["options"] == [f"water ({text})", "salt", "heat", "gas"]
    assert "@all" not in found["name"]["description"]
    assert "<b>" not in found["senses"]["description"]
