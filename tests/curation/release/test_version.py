"""The version in every file that states it: one line changes, in the files of this corpus only."""

import json

import pytest

from corpus.curation.release.version import (
    citation_text,
    codebook_text,
    metadata_text,
    next_version,
    package_text,
    parse_version,
    project_text,
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


def test_a_citation_file_gets_version_and_day_at_its_top_level():
    text = citation_text(CFF, "1.0.0", "1.1.0", "2026-02-03")
    expected = CFF.replace("version: 1.0.0  # of now", "version: 1.1.0", 1).replace(
        "2020-01-01", "2026-02-03"
    )
    assert text == expected
    without = "version: 1.0.0\ntitle: x\n"
    assert citation_text(without, "1.0.0", "1.1.0", "2026-02-03") == (
        'version: 1.1.0\ntitle: x\ndate-released: "2026-02-03"\n'
    )


@pytest.mark.parametrize("change", [citation_text, metadata_text, project_text, package_text])
def test_a_file_with_another_version_is_left_alone(change):
    texts = {
        citation_text: CFF,
        metadata_text: '{"version": "1.0.0"}',
        project_text: '[project]\nversion = "1.0.0"\n',
        package_text: '__version__ = "1.0.0"\n',
    }
    day = ("2026-02-03",) if change is citation_text else ()
    for old in ("", "1.0.1"):
        assert change(texts[change], old, "1.1.0", *day) == texts[change]
    changed = change(texts[change], "1.0.0", "1.1.0", *day)
    assert "1.1.0" in changed


@pytest.mark.parametrize("text", ["- 1\n", "a: [", "version: 1.0.0\nversion : 2.0.0\n"])
def test_a_citation_file_that_cannot_be_understood(text):
    with pytest.raises(UsageProblem):
        citation_text(
            text,
            "1.0.0" if text != "version: 1.0.0\nversion : 2.0.0\n" else "2.0.0",
            "1.1.0",
            "2026-02-03",
        )


def test_zenodo_changes_in_one_place_or_not_at_all():
    text = '{"notes": "1.0.0",\n "version" : "1.0.0", "related": [{"version": "1.0.0"}]}'
    assert metadata_text(text, "1.0.0", "1.1.0") == text.replace(': "1.0.0", "r', ': "1.1.0", "r')
    nested = '{"related": [{"version": "1.0.0"}], "version": "1.0.0"}'
    for wrong in (nested, "{"):
        with pytest.raises(UsageProblem):
            metadata_text(wrong, "1.0.0", "1.1.0")
    assert metadata_text("[]", "1.0.0", "1.1.0") == "[]"
    # A dot is a dot.
    other = '{"related": [{"version": "1x0.0"}], "version": "1.0.0"}'
    assert json.loads(metadata_text(other, "1.0.0", "1.1.0"))["version"] == "1.1.0"


def test_pyproject_and_package_change_in_one_line():
    text = '[project]\nversion = "1.0.0"  # now\n\n[tool.x]\nversion = "1.0.0"\n'
    assert project_text(text, "1.0.0", "1.1.0") == text.replace("1.0.0", "1.1.0", 1)
    with pytest.raises(UsageProblem):
        project_text("[", "1.0.0", "1.1.0")
    for line in ('__version__ = "{}"\n', "__version__: str = '{}'\n"):
        assert package_text(
            "x = 1\n" + line.format("1.0.0"), "1.0.0", "1.1.0"
        ) == "x = 1\n" + line.format("1.1.0")
    # A dot is a dot.
    assert package_text('__version__ = "1x0.0"\n', "1.0.0", "1.1.0") == '__version__ = "1x0.0"\n'


def test_a_codebook_keeps_everything_but_version_and_cutoff():
    text = '[corpus]  # x\nid = "a"\nversion = "1.0.0"\n'
    assert codebook_text(text, {"version": "1.1.0"}) == text.replace("1.0.0", "1.1.0")
    assert codebook_text(text, {"version": "1.0.0"}) is text
    moved = codebook_text('[corpus]\nid = "a"\ncutoff = "2026"\n', {"cutoff": "2026-11-23"})
    assert moved == '[corpus]\nid = "a"\ncutoff = "2026-11-23"\n'


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda text: citation_text(text, "1.0.0", "1.1.0", "2026-01-01"), "[" * 1_000),
        (lambda text: metadata_text(text, "1.0.0", "1.1.0"), "[" * 100_000),
        (lambda text: project_text(text, "1.0.0", "1.1.0"), "x = " + "[" * 100_000),
    ],
    ids=["citation", "zenodo", "project"],
)
def test_a_file_that_is_nested_too_deeply_is_not_understood(change, text):
    with pytest.raises(UsageProblem):
        change(text)


@pytest.mark.parametrize(
    "text", ["project = 7\n", "[[project]]\nversion = '1.0.0'\n", "project = []\n", ""]
)
def test_a_project_that_is_no_table_is_left_alone(text):
    assert project_text(text, "1.0.0", "1.1.0") == text
