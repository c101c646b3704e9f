"""Which entries a search finds, and in which order."""

import pytest

from corpus.analysis.counting.search import (
    CLAIM,
    ENTRY,
    EVIDENCE,
    EXCLUDED,
    TERM,
    Hit,
    search_grids,
    search_study,
)
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import codebook_data, declared, full
from tests.corpora.minimal import CODEBOOK

CORPUS = full()


def found(text, kind=ENTRY, corpus=CORPUS, limit=10):
    """The key, score, columns and other words of the hits of a kind, each hit as one text."""
    hits = []
    for hit in search_study(corpus, text, limit):
        if hit.kind == kind:
            taken_for = [f"{word}={other}" for word, other in hit.taken_for]
            hits.append(" ".join([hit.key, f"{hit.score:.0f}", *hit.columns, *taken_for]))
    return hits


@pytest.mark.parametrize(("text", "hits"), [
    ("ada", ["ada 100 sensor"]),  # a key counts three times, the title as much: the first column is named
    ("surface", ["ada 33 depth", "bob 33 depth"]),
    ("SURF", ["ada 27 depth surf=surface", "bob 27 depth surf=surface"]),
    ("surfase", ["ada 17 depth surfase=surface", "bob 17 depth surfase=surface"]),
    ("heet", ["ada 17 senses heet=heat", "dot 17 senses heet=heat"]),
    ("heat ada", ["ada 67 senses sensor"]),
    ("ada heat surface salt", ["ada 68 sensor senses depth"]),  # without salt, which one entry has
    ("bob water surface heat", ["bob 75 sensor senses depth", "ada 73 senses depth"]),
    ("ada ada", ["ada 100 sensor"]),
    ("surface salt", []), ("adb", []), ("slt", []), ("", []), ("!!", []), ("xyzzy", []),
    ("sur", []),  # three letters begin too many words
    ("dept", []), ("hear", ["ada 17 senses hear=heat", "dot 17 senses hear=heat"]),
    ("urface", ["ada 17 depth urface=surface", "bob 17 depth urface=surface"]),
    ("face", []),  # a part of another word
])  # fmt: skip
def test_every_word_must_be_found_and_places_have_weights(text, hits):
    assert found(text) == hits


def test_a_word_that_is_there_is_taken_for_no_other():
    corpus = full({"sensors": [("ada", "Ada heats", "deep", "gas"), ("bob", "Bob heat", "deep", "gas"), ("cy", "Cy heap", "deep", "gas")]})  # fmt: skip
    assert found("heat", corpus=corpus) == ["bob 100 name", "ada 80 name heat=heats"]


@pytest.mark.parametrize("text", ["méthode", "MÉTHODE", "drag_line", "line", "o'neil", "neil drag"])
def test_words_are_runs_of_letters_and_digits_in_any_letter_case(text):
    corpus = full({"sensors": [("ada", "Méthode d'O'Neil: Drag_line", "deep", "gas")]})
    assert [hit.partition(" ")[0] for hit in found(text, corpus=corpus)] == ["ada"]


def test_a_phrase_comes_before_its_scattered_words():
    corpus = full({"sensors": [("ada", "Water at rest, deep", "deep", "gas"), ("bob", "Deep water", "deep", "gas")]})  # fmt: skip
    assert [hit.partition(" ")[0] for hit in found("deep water", corpus=corpus)] == ["bob", "ada"]


def test_terms_are_found_by_their_labels_and_rows_by_the_labels_of_their_terms(real):
    study = load_corpus(str(real))
    hits = search_study(study, "when to stop")
    exact = [hit for hit in hits if not hit.is_approximate]
    assert ("term", "decision", "O5") in [hit[:3] for hit in exact]
    assert ("claim", "claims", "decision-stop-unrewarded") in [hit[:3] for hit in exact]
    rows = [hit.key for hit in exact if (hit.kind, hit.table) == ("evidence", "decisions")]
    assert rows == ["O5/learning-to-deliberate2025", "O5/paramanager", "O5/puppeteer", "O5/rema2025"]  # fmt: skip
    assert not [hit for hit in hits if hit.kind == ENTRY]


@pytest.mark.parametrize(("text", "key", "kind"), [
    ("arXiv:2505.13516v2", "halo", "entry"), ("https://doi.org/10.48550/arXiv.2308.08155", "E003", "excluded"),
])  # fmt: skip
def test_an_identifier_in_any_form_finds_its_work_alone(real, text, key, kind):
    hits = search_study(load_corpus(str(real)), text)
    assert [(hit.kind, hit.key, hit.is_approximate) for hit in hits] == [(kind, key, False)]


@pytest.mark.parametrize("text", ["E003", "autogen", "Conversation programmed agents autogen"])
def test_excluded_records_are_found_by_number_title_and_reason(real, text):
    hits = search_study(load_corpus(str(real)), text)
    assert "E003" in [hit.key for hit in hits if hit.kind == "excluded"]


@pytest.mark.parametrize(
    ("roles", "shown"),
    [
        ({}, "a cave"), ({"seen": "title"}, "p. 7"), ({"seen": "evidence"}, "p. 7"), ({"limit": "boundary"}, "dry"),
        ({"seen": "title", "limit": "evidence"}, "p. 7"), ({"where": "notes", "limit": "notes", "seen": "notes"}, "p. 7"),
    ],
)  # fmt: skip
def test_a_row_is_shown_by_the_column_that_tells_most(roles, shown):
    """Its title, else its evidence, else its boundary, else the first text, else the last column."""
    columns = [
        declared("nr", "key"),
        declared("sensor", "ref", references="sensors"),
        declared("where"),
        declared("limit"),
        declared("seen", "verbatim"),
    ]
    for column in columns:
        if column["name"] in roles:
            column["role"] = roles[column["name"]]
    tables = {**codebook_data()["tables"], "caves": {"file": "caves.csv", "key": ["nr"], "columns": columns}}  # fmt: skip
    study = full({"caves": [("n1", "ada", "a cave", "dry", "p. 7")]}, tables=tables)
    assert [hit.text for hit in search_study(study, "cave") if hit.table == "caves"] == [shown]


STUDY = full()
CLAY = Hit(ENTRY, "sensors", "clay", "A probe", 98.76, ("name", "probe"))
TILL = Hit(ENTRY, "sensors", "till", "Heat", 50.0, ("name",), (("heet", "heat"), ("ti", "till")))
MUD = Hit(EXCLUDED, "rejected", "X1", "Mud", 33.34, ("label",))
DEEP = Hit(TERM, "depth", "deep", "deep: To 10 m.", 20.0, ("term",))
SIZE = Hit(CLAIM, "claims", "size", "Five sensors.", 10.0, ("statement",))
USED = Hit(EVIDENCE, "uses", "farm/ada", "one farm", 10.0, ("limit",))


def test_each_kind_is_a_table_in_a_fixed_order():
    grids = search_grids([USED, SIZE, DEEP, MUD, CLAY], STUDY)
    assert [(grid.title, grid.rows) for grid in grids] == [
        ("Entries", (("clay", "A probe", "name, probe"),)),
        ("Excluded records", (("X1", "Mud", "no"),)),
        ("Terms of the codebook", (("depth", "deep", "deep: To 10 m."),)),
        ("Claims", (("size", "Five sensors."),)),
        ("Evidence", (("uses", "farm/ada", "one farm"),)),
    ]
    assert search_grids([], STUDY) == []


def test_entries_are_called_as_the_corpus_calls_them():
    assert 'entries = "sensors"' in CODEBOOK
    study = full(corpus={"id": "soil", "title": "Soil", "entries": "sensors"})
    assert search_grids([CLAY], study)[0].title == "Sensors"


def test_a_word_that_was_taken_for_another_is_shown_beside_its_hit():
    (grid,) = search_grids([CLAY, TILL], STUDY)
    assert grid.header == ("key", "title", "found in", "approximate")
    assert [row[-1] for row in grid.rows] == ["", "heet ≈ heat, ti ≈ till"]
