"""The schemas that editors use: they are those of the readers, and every corpus of the tests is valid."""

import json
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))
from schemas import DOCUMENTS, made_up, schemas  # noqa: E402


def validator(name):
    schema = json.loads((ROOT / f"data/schemas/{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def decoded(text):
    """Return a document as an editor's validator sees it: dates are strings."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def test_the_schemas_are_those_of_the_readers(tmp_path):
    made = schemas([ROOT / "data", *made_up(tmp_path)])
    for name, text in made.items():
        assert (ROOT / "data/schemas" / name).read_text("utf-8") == text, "python docs/generate.py"


def test_every_document_is_valid_and_names_its_schema(tmp_path, run):
    run("init", tmp_path / "new", "--living")
    folders = [ROOT / "data", tmp_path / "new/data", *made_up(tmp_path)]
    checked = 0
    for folder in folders:
        for name in DOCUMENTS:
            path = Path(folder, f"{name}.toml")
            if path.is_file():
                problems = [
                    error.message
                    for error in validator(name).iter_errors(decoded(path.read_text("utf-8")))
                ]
                assert problems == [], path
                checked += 1
    assert checked > 10
    for folder in folders[:2]:
        for path in Path(folder).glob("*.toml"):
            first = path.read_text("utf-8").partition("\n")[0]
            assert (path.parent / first.removeprefix("#:schema ")).is_file(), path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("codebook", "[corpus]\nid = 'a'\ntitle = 'b'\ncutof = '2020-01-01'\n[tables]\n"),
        ("codebook", "[tables]\n[[crosstabs]]\nid = 'a'\nrows = 'b'\n"),
        ("claims", "format = 1\n[[claims]]\nid = 'a'\nempty = true\nwere = {}\n"),
        ("releases", "format = 1\n[[releases]]\nid = 'v1'\nentries = 'many'\n"),
    ],
)
def test_a_slip_is_found(name, text):
    assert list(validator(name).iter_errors(decoded(text)))


def test_keys_that_the_formats_explain_have_the_explanation():
    codebook = json.loads((ROOT / "data/schemas/codebook.schema.json").read_text("utf-8"))
    columns = codebook["properties"]["tables"]["additionalProperties"]["properties"]["columns"]
    assert "every" not in columns["items"]["properties"]["axis"]["description"]
    assert all("description" in value for value in columns["items"]["properties"].values())
