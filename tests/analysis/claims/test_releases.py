"""Releases are read from their list, and their copies are compared with it."""

import json
from dataclasses import asdict, replace

import pytest

from corpus.analysis.claims.releases import (
    Release,
    digest_of,
    is_release_id,
    opened_findings,
    parse_releases,
    read_releases,
    release_named,
)
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.git.snapshot import disk_opener
from corpus.tables.location import shown_path
from tests.corpora.full import FILES, write_full
from tests.corpora.making import write_files


def release_findings(data):
    return opened_findings(disk_opener(str(data)), shown_path(str(data)))


DIGEST = digest_of({name: text.encode() for name, text in FILES.items()})
FIRST = Release("first", "1.0.0", "2026-01-02", "On moors", 5, 3, 3, DIGEST)
SECOND = replace(FIRST, id="second", version="1.1.0")


def toml(*releases):
    lines = ["format = 1"]
    for release in releases:
        lines.append("[[releases]]")
        for name, value in asdict(release).items():
            lines.append(f"{name} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def data(tmp_path):
    """A corpus with one release of what it has."""
    data = write_full(tmp_path)
    write_files(data / "releases" / "first", FILES)
    (data / "releases.toml").write_text(toml(FIRST), "utf-8")
    return data


def test_a_corpus_without_the_list_has_no_release(tmp_path):
    assert read_releases(tmp_path) == ()
    assert release_findings(tmp_path) == []
    with pytest.raises(UsageProblem, match="no release yet"):
        release_named("first", ())


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("v1", True), ("2026.1", True), ("a", True), ("a" * 64, True), ("a" * 65, False), ("v1_", True),
        ("../..", False), ("/etc", False), ("", False), ("a/b", False), ("first\n", False), (".", False),
        ("v1.", False), ("CON", False), ("con.txt", False), ("lpt1", False), ("console", True), ("vé", False),
    ],
)  # fmt: skip
def test_a_release_cannot_lead_out_of_its_folder(name, is_one):
    """And every system can make the folder."""
    assert is_release_id(name) is is_one
    document = {**asdict(FIRST), "id": name}
    _, findings = parse_releases({"format": 1, "releases": [document]})
    expected = [] if is_one else [("C605", "releases[1].id")]
    assert [(f.code, f.column) for f in findings] == expected


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"entries": "5"}, "entries"), ({"version": 1}, "version"), ({"claims": None}, "claims"),
        ({"note": "x"}, "note"), ({"id": 3}, "id"),
    ],
)  # fmt: skip
def test_each_mistake_is_a_finding_at_its_key(changes, place):
    document = {**asdict(FIRST), **changes}
    _, findings = parse_releases({"format": 1, "releases": [document]}, "r.toml")
    assert [(f.code, f.file, f.column) for f in findings] == [
        ("C605", "r.toml", f"releases[1].{place}")
    ]


def test_two_releases_of_one_name_and_another_format_are_mistakes():
    document = {"format": 2, "releases": [asdict(FIRST), asdict(FIRST)]}
    _, findings = parse_releases(document)
    assert [f.column for f in findings] == ["format", "releases[2].id"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "C104", 0), ("format = [", "C119", 1), ("format = 1\nreleases = 3", "C605", 2),
        ("\0", "C107", 1),
    ],
)  # fmt: skip
def test_a_broken_list_is_findings_with_their_line(data, text, code, line):
    (data / "releases.toml").write_text(text, "utf-8")
    with pytest.raises(CorpusError) as raised:
        read_releases(data)
    first = raised.value.findings[0]
    assert (first.code, first.line) == (code, line)
    assert first.file == shown_path(str(data / "releases.toml"))
    assert release_findings(data) == raised.value.findings


@pytest.mark.parametrize(("releases", "found"), [
    ([replace(FIRST, entries=6, excluded=2)], [("C606", "entries"), ("C606", "excluded")]),
    ([replace(FIRST, digest="")], [("C606", "digest")]),
    # A copy is missing, and the other one is compared all the same.
    ([SECOND, replace(FIRST, entries=4)], [("C101", ""), ("C606", "entries")]),
])  # fmt: skip
def test_a_copy_that_is_not_as_the_list_has_it_is_found(data, releases, found):
    (data / "releases.toml").write_text(toml(*releases), "utf-8")
    assert [(f.code, f.column) for f in release_findings(data)] == found


@pytest.mark.parametrize(("name", "old", "new"), [
    ("sensors.csv", "2011.00002", "2011.00003"),
    ("codebook.toml", "[documents]", "# Files.\n[documents]"),
    ("claims.toml", "format = 1", "format = 1 "),
])  # fmt: skip
def test_a_copy_that_was_changed_is_found_by_its_digest(data, name, old, new):
    path = data / "releases" / "first" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    found = [(f.code, f.column, f.value) for f in release_findings(data)]
    assert found == [("C606", "digest", "first")]
