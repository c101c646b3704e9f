"""What a change takes away from the checks is named, and stays an error until it is accepted."""

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import checks, releases
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import ROWS, codebook_data, full

#: The corpus of today: source records and declared years are younger than the first release.
TODAY = Path(__file__).parents[3] / "data"


def copied_data(folder):
    ignored = shutil.ignore_patterns("releases", "traces")
    return Path(shutil.copytree(TODAY, folder / "data", ignore=ignored))


@pytest.fixture(scope="module")
def real():
    return load_corpus(str(TODAY))


def changed(folder, file, old, new):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def weaker_check_notes(before, after):
    return list(checks.weaker_checks(Delta.between(before, after)))


def weaker(before, after):
    """What is checked less: file, place, words and state of each."""
    return [tuple(note.record.values()) for note in weaker_check_notes(before, after)]


def found(real, data):
    return weaker(real, load_corpus(str(data)))


def test_a_weakening_is_accepted_by_a_row_with_its_place(real, tmp_path):
    """A row that a maintainer has merged, before; its own counts for nothing."""
    data = copied_data(tmp_path)
    accepted = data / "accepted.csv"
    accepted.write_text(
        accepted.read_text("utf-8")
        + 'C431,codebook.toml,"corpus, cutoff",,,The refresh of November\n',
        "utf-8",
    )
    merged = load_corpus(str(data))
    changed(data, "codebook.toml", 'cutoff = "2026-05-04"', 'cutoff = "2026-11-01"')
    after = load_corpus(str(data))
    for before, state in ((real, "to acknowledge"), (merged, "acknowledged")):
        (note,) = weaker_check_notes(before, after)
        assert note.record["state"] == state
        assert (note.finding is None) is (before is merged)


def test_a_removed_source_record_is_named_unless_its_entry_goes(real, tmp_path):
    data = copied_data(tmp_path)
    records = data / "source_records.csv"
    kept = [line for line in records.read_text("utf-8").splitlines() if "agentspawn" not in line]
    records.write_text("\n".join(kept) + "\n", "utf-8")
    ((_, *weak, _),) = found(real, data)
    assert tuple(weak) == ("source record agentspawn/arXiv:2602.07072", "is removed")
    after = load_corpus(str(data)).without_entries({"agentspawn"})
    assert weaker(real, after) == []


def test_a_record_that_was_read_again_is_no_weakening(real, tmp_path):
    """`corpus verify` dates every record that it asked for."""
    data = copied_data(tmp_path)
    records = data / "source_records.csv"
    header, *rows = records.read_text("utf-8").splitlines()
    assert header.endswith(",read_on")
    dated = [row if row[-1].isdigit() else f"{row}2026-11-05" for row in rows]
    records.write_text("\n".join([header, *dated]) + "\n", "utf-8")
    assert found(real, data) == []


def unlogged(real, data):
    notes = releases.unlogged(Delta.between(real, load_corpus(str(data))))
    found = [note.finding for note in notes]
    return [(one.code, one.column, one.value) for one in found]


def test_a_tag_of_a_released_entry_changes_with_a_correction(real, tmp_path):
    data = copied_data(tmp_path)
    changed(
        data, "pool.csv", ",no,NA,NA,NA,tool_use,supporting,Ext", ",no,NA,NA,NA,web,supporting,Ext"
    )
    assert unlogged(real, data) == [("C432", "scenario", "web")]
    changed(
        data,
        "corrections.csv",
        "\nagents-under",
        "\nagentdojo2024,scenario,tool_use,web,Read again\nagents-under",
    )
    assert unlogged(real, data) == []


def test_a_correction_is_removed_only_with_its_difference(real, tmp_path):
    data = copied_data(tmp_path)
    row = "agents-under-siege2025,arxiv_id,,2504.00218,arXiv daily listing of 2025-04-02 and a page that pairs the id with ACL 2025 long paper 476\n"
    changed(data, "corrections.csv", row, "")
    assert unlogged(real, data) == [("C433", "arxiv_id", "2504.00218")]
    changed(data, "pool.csv", ",2504.00218,ACL", ",,ACL")
    assert unlogged(real, data) == []


def test_entries_that_no_release_has_are_tagged_freely(real, tmp_path):
    data = copied_data(tmp_path)
    changed(
        data, "pool.csv", ",no,NA,NA,NA,tool_use,supporting,Ext", ",no,NA,NA,NA,web,supporting,Ext"
    )
    (tmp_path / "older").mkdir()
    assert unlogged(load_corpus(str(copied_data(tmp_path / "older"))), data) == []


RULE = {
    "id": "wet",
    "when": {"depth": ["surface"]},
    "then": {"senses": ["water", "heat"]},
    "reason": "it is wet",
}


def lost(before, after):
    """Places of what is checked less between two codebooks."""
    return [place for _, place, _, _ in weaker(before, after)]


@pytest.mark.parametrize(
    ("change", "is_weaker"),
    [
        ({}, False),
        ({"reason": "because"}, False),
        ({"then": {"senses": ["water"]}}, False),
        ({"then": {"senses": ["water", "heat"], "depth": ["surface"]}}, False),
        ({"when": {"depth": ["surface", "deep"]}}, False),
        ({"then": {"depth": ["surface"]}}, True),
        ({"when": {"depth": ["deep"]}}, True),
        ({"when": {"depth": ["surface"], "senses": ["water"]}}, True),
    ],
)
def test_a_rule_is_relaxed_where_a_row_may_pass_that_did_not(change, is_weaker):
    before, after = full(rules=[RULE]), full(rules=[{**RULE, **change}])
    assert any(place.startswith("rule wet, ") for place in lost(before, after)) is is_weaker
    two_terms = {**RULE, "when": {"depth": ["surface", "deep"]}}
    assert lost(full(rules=[two_terms]), before) == ["rule wet, when, depth"]
    assert lost(before, full()) == ["rule wet"]
    assert lost(full(), before) == []


@pytest.mark.parametrize(
    ("column", "change"),
    [("name", {"required": False}), ("depth", {"axis": False}), ("depth", {"separator": "; "})],
)
def test_a_column_that_demands_less_is_named_and_one_that_demands_more_is_not(column, change):
    tables = codebook_data()["tables"]
    (declared,) = [item for item in tables["sensors"]["columns"] if item["name"] == column]
    declared.update(change)
    bare = {"crosstabs": [], "impossible": [], "sparsity": {}}
    loose, strict = full(tables=tables, **bare), full(**bare)
    assert f"table sensors, column {column}, {next(iter(change))}" in lost(strict, loose)
    assert lost(loose, strict) == []


RECORDS = tomllib.loads("""
file = "stated.csv"
role = "source_records"
key = ["sensor", "identifier"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "S." },
  { name = "identifier", type = "verbatim", role = "identifier", definition = "I." },
  { name = "name", type = "text", role = "title", definition = "T." },
  { name = "people", type = "names", required = false, role = "authors", definition = "A." },
  { name = "read", type = "date", required = false, role = "read_on", definition = "D." },
]
""")
STATED = ("ada", "arXiv:2011.00010", "Rain above Ada's antenna", "Ward, Ann", "2021-01-01")


def recorded(*rows, **others):
    tables = {**codebook_data()["tables"], "stated": RECORDS}
    return full({"stated": list(rows), **others}, tables=tables)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((*STATED[:3], "Nobody, X", STATED[4]), "changes: people"),
        ((*STATED[:3], "", STATED[4]), "changes: people"),
        ((*STATED[:4], "2022-02-02"), ""),
        # The same title under another identifier: what was stated before is gone.
        (("ada", "DOI:10.1234/x", *STATED[2:]), "is now ada/DOI:10.1234/x"),
        (
            ("ada", "DOI:10.1234/x", STATED[2], "Nobody, X", ""),
            "is now ada/DOI:10.1234/x, and changes: people",
        ),
        (("ada", "DOI:10.1234/x", "Other", "Nobody, X", ""), "is removed"),
    ],
)
def test_a_source_record_that_states_something_else_is_named(row, words):
    before, after = recorded(STATED), recorded(row)
    weak = weaker(before, after)
    assert [item[:3] for item in weak] == [
        ("stated.csv", "source record ada/arXiv:2011.00010", words)
    ] * bool(words)


def test_a_source_record_follows_the_new_key_of_its_entry():
    sensors = full().pool.rows
    renamed = [("aspen", *sensors[0][1:]), *sensors[1:]]
    others = {**dict.fromkeys(ROWS, ()), "dropped": full().tables["dropped"].rows}
    before = recorded(STATED, **{**others, "sensors": sensors})
    others["sensors"] = renamed
    assert lost(before, recorded(("aspen", *STATED[1:]), **others)) == []
    tampered = ("aspen", "DOI:10.1234/x", *STATED[2:])
    assert lost(before, recorded(tampered, **others)) != []


def protocols(old, new):
    before = replace(full(), documents={"protocol": old})
    after = replace(full(), documents={"protocol": new})
    return [(place, words) for _, place, words, _ in weaker(before, after)]


def staged(stages):
    return {"exclusion": [{"id": "E1", "stages": stages}]}


@pytest.mark.parametrize(
    ("old", "new", "is_weaker"),
    [
        (["text"], ["text"], False),
        (["title", "text"], ["text"], False),
        (["text"], ["title", "text"], True),
        (["text"], [], True),
        (["text"], 5, True),
    ],
)
def test_a_criterion_that_may_decide_at_more_stages_is_named(old, new, is_weaker):
    assert [place for place, _ in protocols(staged(old), staged(new))] == [
        "exclusion, E1, stages"
    ] * is_weaker


@pytest.mark.parametrize(
    "section", ["sources", "query_families", "stages", "inclusion", "exclusion"]
)
def test_what_a_protocol_lists_is_removed_in_sight(section):
    listed = {section: [{"id": "a"}, {"id": "b"}]}
    ((place, words),) = protocols(listed, {section: [{"id": "b"}]})
    assert (place[-2:], words) == (" a", "is removed")
    assert protocols(listed, {section: "none"})
    assert protocols(listed, {}) == [(section, "is removed")]


@pytest.mark.parametrize("section", [3, [], "x"])
def test_limits_of_years_that_are_none_are_compared_as_none(section):
    odd, right = full(years=section), full(years={"in_keys": True})
    assert lost(right, odd) == ["years"]
