"""The version in every file that states it: one line changes, in the files of this corpus only."""

import pytest

from corpus.curation.release.version import (
    codebook_text,
    next_version,
    parse_version,
    versioned_text,
)
from corpus.model.finding import UsageProblem

CFF = 'version: 1.0.0  # of now\ntitle: x\nreferences:\n  - version: 1.0.0\ndate-released: "2020-01-01"\n'


@pytest.mark.parametrize(
    ("current", "released", "version"),
    [
        ("", [], "0.1.0"),
        ("1.2.3", [], "1.2.3"),
        ("1.2.3", ["1.2.3"], "1.3.0"),
        ("1.2.3", ["1.2.3", "1.3.0", "1.4.0"], "1.5.0"),
        ("2.0.0", ["1.2.3"], "2.0.0"),
        ("0.1.0", ["0.1.0"], "0.2.0"),
    ],
)
def test_the_next_version(current, released, version):
    assert next_version(current, released) == version


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "1.0.0-rc1", "1.0.1234567", "", "1.0.0\n"])
def test_what_is_no_version(text):
    with pytest.raises(UsageProblem):
        parse_version(text)
    assert parse_version("10.2.30") == (10, 2, 30)


def changed(name, text, old="1.0.0"):
    return versioned_text(name, text, old, "1.1.0", "2026-02-03")


def test_a_citation_file_gets_version_and_day_at_its_top_level():
    expected = CFF.replace("1.0.0", "1.1.0", 1).replace("2020-01-01", "2026-02-03")
    assert changed("CITATION.cff", CFF) == expected
    assert changed("CITATION.cff", "version: 1.0.0\ntitle: x\n") == (
        'version: 1.1.0\ntitle: x\ndate-released: "2026-02-03"\n'
    )


@pytest.mark.parametrize(("name", "text"), [
    ("CITATION.cff", CFF), ("codemeta.json", '{"version": "1.0.0"}'),
    ("pyproject.toml", '[project]\nversion = "1.0.0"\n'), ("corpus/__init__.py", '__version__ = "1.0.0"\n'),
])  # fmt: skip
def test_a_file_with_another_version_is_left_alone(name, text):
    for old in ("", "1.0.1"):
        assert changed(name, text, old) == text
    assert "1.1.0" in changed(name, text)


@pytest.mark.parametrize(("name", "text", "place"), [
    (".zenodo.json", '{"notes": "1.0.0",\n "version" : "1.0.0", "related": [{"version": "1.0.0"}]}', 1),
    (".zenodo.json", '{"related": [{"version": "1.0.0"}], "version": "1.0.0"}', 1),
    (".zenodo.json", '{"related": [{"version": "1x0.0"}], "version": "1.0.0"}', 0),  # a dot is a dot
    ("pyproject.toml", '[project]\nversion = "1.0.0"  # now\n\n[tool.x]\nversion = "1.0.0"\n', 0),
    ("pyproject.toml", '# 1.0.0\n[tool.x]\nversion = "11.0.0"\n[project]\nversion = "1.0.0"\n', 2),
    ("peat/__init__.py", 'x = 1\n__version__ = "1.0.0"\n', 0),
    ("peat/__init__.py", "__version__: str = '1.0.0'\n", 0),
])  # fmt: skip
def test_the_version_changes_in_one_place(name, text, place):
    parts = text.split("1.0.0")
    expected = "1.0.0".join(parts[: place + 1]) + "1.1.0" + "1.0.0".join(parts[place + 1 :])
    assert changed(name, text) == expected


@pytest.mark.parametrize(("name", "text"), [
    ("peat/__init__.py", '__version__ = "1x0.0"\n'), (".zenodo.json", "[]"),
    *(("pyproject.toml", text) for text in ("project = 7\n", "[[project]]\nversion = '1.0.0'\n", "project = []\n", "")),
])  # fmt: skip
def test_a_file_that_states_no_version_is_left_alone(name, text):
    assert changed(name, text) == text


@pytest.mark.parametrize(("name", "text"), [
    ("CITATION.cff", "- 1\n"), ("CITATION.cff", "a: ["), ("CITATION.cff", "[" * 1_000), (".zenodo.json", "{"), (".zenodo.json", "[" * 100_000),
    ("pyproject.toml", "["), ("pyproject.toml", "x = " + "[" * 100_000), (".zenodo.json", '{"version": "1.0.\\u0030"}'),
])  # fmt: skip
def test_a_file_that_cannot_be_understood(name, text):
    with pytest.raises(UsageProblem):
        changed(name, text)


def test_a_codebook_keeps_everything_but_version_and_cutoff():
    text = '[corpus]  # x\nid = "a"\nversion = "1.0.0"\n'
    assert codebook_text(text, {"version": "1.1.0"}) == text.replace("1.0.0", "1.1.0")
    assert codebook_text(text, {"version": "1.0.0"}) is text
    moved = codebook_text('[corpus]\nid = "a"\ncutoff = "2026"\n', {"cutoff": "2026-11-23"})
    assert moved == '[corpus]\nid = "a"\ncutoff = "2026-11-23"\n'
