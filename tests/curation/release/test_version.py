"""The version in every file that states it changes in one line; the changelog gets a section."""

import pytest

from corpus.analysis.claims.releases import Release
from corpus.curation.release.release import section_of, with_section
from corpus.curation.release.version import (
    codebook_text,
    next_version,
    parse_version,
    versioned_text,
)
from corpus.model.finding import UsageProblem
from tests.corpora.full import full_of, sensor
from tests.corpora.making import with_claims

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


NEW = "## 1.1.0 — 2026-02-03\n\n- New.\n"
OLD = "## 1.0.0 — 2020-01-01\n\n- First.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", NEW),
        ("# Changes\n", f"# Changes\n\n{NEW}"),
        (f"# Changes\n\n{OLD}", f"# Changes\n\n{NEW}\n{OLD}"),
        (
            f"# Changes\n\n## Unreleased\n\n- Fixed.\n\n{OLD}",
            f"# Changes\n\n{NEW}- Fixed.\n\n{OLD}",
        ),
        # What is indented stays so.
        (f"## Unreleased\n\n    make all\n\n{OLD}", f"{NEW}    make all\n\n{OLD}"),
        (f"## [Unreleased] (next)\n- Fixed.\n{OLD}", f"{NEW}- Fixed.\n{OLD}"),
        (f"{OLD}\n## Unreleased\n", f"{NEW}\n{OLD}\n## Unreleased\n"),
    ],
)
def test_a_section_is_put_on_top_or_takes_the_open_one(before, after):
    assert with_section(before, "## 1.1.0 — 2026-02-03", "- New.\n") == after


CLAIMS = """\
format = 1
[[claims]]
id = "size"
tracked = true
statement = "2 sensors."
count = 2
[[claims]]
id = "some"
statement = "There are some."
at_least = 1
"""


def test_the_section_of_a_release_has_sizes_keys_and_numbers_as_text():
    release = Release("v2", "1.1.0", "2026-02-03", "On *soil*", 1, 2, 3)
    sizes = "- Release v2 of the corpus (On \\*soil\\*): entries 1, excluded 2, claims 3.\n"
    before = with_claims(full_of(sensor("ada"), sensor("bob")), CLAIMS)
    assert section_of(release, before, None) == sizes
    after = full_of(sensor("ada", depth="deep"), sensor("bob"), sensor("a*b"))
    assert section_of(release, with_claims(after, CLAIMS), before) == (
        f"{sizes}- Added: a\\*b.\n- Changed: ada.\n- Moved: size, 2 before, now 3.\n"
    )
