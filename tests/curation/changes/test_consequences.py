"""What a change of the corpus moves."""

import re
import tomllib
from dataclasses import replace

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import claims, counts
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import CLAIMS, FILES, ROWS, codebook_data, full, sensor_line, write_full

AFTER = full(
    {
        "sensors": [
            *ROWS["sensors"][:3],
            ("dot", "Dot", "rock", "heat"),
            ("fay", "Fay", "rock", "water"),
        ]
    }
)


def consequences(before, after):
    """The numbers that move: subject -> records."""
    found = {"counts": [], "cells": [], "numbers": []}
    for note in counts.counts(Delta.between(before, after)):
        found[note.subject].append(note.record)
    return found


def claim_changes(before, after):
    """What happens to the claims: claim -> kind."""
    notes = claims.claims(Delta.between(before, after))
    return {note.record["id"]: note.record["kind"] for note in notes}


MOVED = consequences(full(), AFTER)


def cells(moved, *names):
    return [tuple(move[name] for name in names) for move in moved["cells"]]


def test_cells_that_fill_or_empty_are_shown_with_why_they_should_not_be_filled():
    assert cells(MOVED, "row", "column", "before", "after", "reason") == [
        ("deep", "heat", 1, 0, ""), ("rock", "water", 0, 1, "rock holds no water"),
        ("rock", "heat", 0, 1, ""), ("none", "water", 1, 0, ""),
    ]  # fmt: skip
    assert {move["table"] for move in MOVED["cells"]} == {"Depth by what is sensed"}
    assert set(cells(consequences(AFTER, full()), "reason")) == {("",)}
    fuller = [*ROWS["sensors"], ("fay", "Fay", "deep", "heat"), ("gus", "Gus", "rock", "gas")]
    grown = consequences(full(), full({"sensors": fuller}))
    assert sorted(cells(grown, "row", "before", "after")) == [("deep", 1, 2), ("rock", 0, 1)]


def test_a_term_missing_in_one_state_has_no_entries_there():
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["terms"].append({"id": "bed", "definition": "The bed."})
    more = full(
        {"sensors": [*ROWS["sensors"], ("fay", "Fay", "bed", "gas")]}, vocabularies=vocabularies
    )
    there, back = consequences(full(), more), consequences(more, full())
    found = [(row["of"], row["name"], row["before"], row["after"]) for row in there["counts"]]
    assert found == [("rows", "sensors", 5, 6), ("depth", "bed", 0, 1), ("senses", "gas", 0, 1)]
    assert len(back["counts"]) == 3
    assert cells(there, "row", "column", "after") == [("bed", "gas", 1)]
    assert cells(back, "row", "column", "after") == [("bed", "gas", 0)]


def test_published_numbers():
    numbers = {row["name"]: (row["before"], row["after"]) for row in MOVED["numbers"]}
    assert numbers["DepthDeep"] == ("1", "0")
    assert numbers["DepthApplicable"] == ("4", "5")
    assert "SensesWater" not in numbers


def changed(folder, name, **files):
    """What happens to the claims when files change: claim -> kind."""
    old = load_corpus(str(write_full(folder / f"{name}-old")))
    data = write_full(folder / f"{name}-new")
    for file, text in files.items():
        (data / file.replace("_", ".")).write_text(text, "utf-8")
    return claim_changes(old, load_corpus(str(data)))


def test_claims_break_recover_and_move(tmp_path):
    pool = FILES["sensors.csv"]
    more = pool + sensor_line("fir", name="Firs on the wet slope", depth="shallow", senses="salt")
    assert changed(tmp_path, "add", sensors_csv=more) == {"size": "breaks", "water-lead": "moves"}
    assert changed(tmp_path, "none") == {}
    fewer = "".join(line for line in pool.splitlines(True) if not line.startswith("cy"))
    result = changed(tmp_path, "remove", sensors_csv=fewer)
    assert result == {"size": "breaks", "water-lead": "moves"}
    back = claim_changes(
        load_corpus(str(tmp_path / "remove-new" / "data")),
        load_corpus(str(tmp_path / "remove-old" / "data")),
    )
    assert back == {"size": "recovers", "water-lead": "moves"}
    found = changed(
        tmp_path, "retag", sensors_csv=pool.replace("antenna,surface,", "antenna,shallow,")
    )
    assert found == {"surface": "breaks"}


def test_a_claim_that_fails_all_along_breaks_anew_only_where_it_yields_something_else(tmp_path):
    failing = CLAIMS.replace("count = 5", "count = 9")
    old = load_corpus(str(write_full(tmp_path / "a")))
    old = replace(old, documents={**old.documents, "claims": tomllib.loads(failing)})
    assert claim_changes(old, old) == {}
    data = write_full(tmp_path / "b")
    (data / "claims.toml").write_text(failing, "utf-8")
    (data / "sensors.csv").write_text(
        FILES["sensors.csv"] + sensor_line("fir", name="Firs on the wet slope", depth="none"),
        "utf-8",
    )
    assert claim_changes(old, load_corpus(str(data)))["size"] == "fails"


def renamed_on_disk(folder, names):
    data = write_full(folder)
    for name in names:
        text = (data / name).read_text("utf-8")
        text = re.sub(r'\bada(?=[,"])', "ada2", text)
        (data / name).write_text(text, "utf-8")
    return load_corpus(str(data))


def test_a_renamed_key_changes_no_claim(tmp_path):
    before = load_corpus(str(write_full(tmp_path / "a")))
    tables = [f"{name}.csv" for name in ROWS]
    after = renamed_on_disk(tmp_path / "b", [*tables, "claims.toml"])
    assert Delta.between(before, after).rows.renamed == {"sensors": {"ada": "ada2"}}
    assert claim_changes(before, after) == {}
    forgotten = renamed_on_disk(tmp_path / "c", tables)
    found = claim_changes(before, forgotten)
    assert found == {"surface": "breaks"}


def test_claims_that_are_new_gone_or_reworded(tmp_path):
    found = changed(tmp_path, "gone", claims_toml=CLAIMS.replace('id = "size"', 'id = "number"'))
    assert found == {"number": "new", "size": "gone"}
    found = changed(
        tmp_path, "words", claims_toml=CLAIMS.replace("Five sensors", "All five sensors")
    )
    assert found == {"size": "reworded"}
    wrong = changed(
        tmp_path,
        "wrong",
        claims_toml=CLAIMS.replace("count = 5", "count = 6").replace('"size"', '"six"'),
    )
    assert wrong == {"size": "gone", "six": "breaks"}
