"""Records that a source excludes: recognised, asked for, and put into the exclusion log."""

import pytest

from corpus.curation.importing.decisions import (
    likely_wish,
    parse_excluded,
    settled_columns,
    split_excluded,
)
from corpus.curation.importing.foreign_file import LOG_COLUMNS, ForeignFile
from corpus.model.finding import UsageProblem
from tests.support.imported import recorded


def records(column, *cells):
    return recorded(*({"title": f"Bog {n}", column: cell} for n, cell in enumerate(cells, 2)))


def log_of(rows, *where, source="list.csv", **columns):
    """Return the records that stay, the exclusion log of the others, and its rows by column."""
    file = ForeignFile(recorded(*rows), parse_excluded(where, **columns))
    made = file.tables(source)
    return file.kept, made, [dict(zip(LOG_COLUMNS, row, strict=True)) for row in made.log]


@pytest.mark.parametrize(
    ("column", "cells", "excluded"),
    [
        ("decision", ["INCLUDED", "EXCLUDED", "EXCLUDED"], {"EXCLUDED": 2}),
        ("status", ["included", "excluded", "maybe"], {"excluded": 1}),
        ("label_included", ["1", "0", "0"], {"0": 2}),
        ("asreview_label", ["1", "0", ""], {"0": 1}),
        ("inclusion", [("Included",), ("Excluded", "Excluded")], {"Excluded": 1}),
        ("I/E", ["I", "E", "E"], {"E": 2}),
        ("Screening result", ["keep", "discard", "keep"], {"discard": 1}),
        ("Final", ["accepted", "rejected"], {"rejected": 1}),
        ("eligible", ["yes", "no"], {"no": 1}),
        ("exclusion reason", ["", "wrong setting", ""], {"*": 1}),
        ("exclusion reason", ["wrong setting", "too dry"], {"*": 2}),
        # Readers who differ have not excluded anything; others have.
        (
            "inclusion",
            [("Included", "Excluded"), ("Excluded",), ("Maybe", "Excluded")],
            {"Excluded": 1},
        ),
        (
            "status",
            ["Included", "excluded", "Excluded", "rejected"],
            {"excluded": 1, "Excluded": 1, "rejected": 1},
        ),
    ],
)
def test_decisions_are_recognised(column, cells, excluded):
    found = likely_wish(records(column, *cells))
    assert found.values == {column: list(excluded)}
    assert found.number == sum(excluded.values())


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("open access", ["yes", "no", "no"]),
        ("depth", ["1", "0", "1"]),
        ("decision", ["INCLUDED", "INCLUDED"]),
        ("decision", ["Excluded", "something else"]),
        ("inclusion", [("Included", "Excluded"), ("Maybe",)]),
        ("inclusion", [("Excluded", "wet"), ("Included",)]),
        ("status", ["1", "0", "0"]),
        ("blood type", ["i", "e", "e"]),
        ("inclusion", ["no", "no"]),
    ],
)
def test_other_columns_are_no_decisions(column, cells):
    assert likely_wish(records(column, *cells)) is None


def test_excluded_records_get_stage_reason_and_identifier():
    rows = [
        {"title": "Bog", "decision": "in"},
        {"title": "Fen", "decision": "OUT", "why": "off topic", "when": "Full text", "doi": "10.1234/x", "authors": "Ann Ward"},
        {"title": "Tin", "decision": "out"},
    ]  # fmt: skip
    kept, _, (first, second) = log_of(rows, "decision=out", reason="why", stage="when")
    assert [record.cells["title"] for record in kept] == ["Bog"]
    about = (first["record_id"], first["title"], first["stage"], first["reason"])
    assert about == ("E001", "Fen", "full_text", "off topic")
    unknown = (first["date_screened"], second["stage"], second["reason"])
    assert unknown == ("", "screening", "not recorded")


@pytest.mark.parametrize(
    "texts", [["decision"], ["=x"], ["decision="], ["nowhere=x"], ["decision=nothing"]]
)
def test_a_wrong_wish_is_wrong_usage(texts):
    with pytest.raises(UsageProblem):
        split_excluded(records("decision", "in", "out"), parse_excluded(texts))


def test_a_decision_that_still_tells_something_stays_a_column():
    wish = parse_excluded(["status=excluded"])
    kept, _ = split_excluded(records("status", "included", "maybe", "excluded"), wish)
    assert settled_columns(kept, wish) == []
    kept, _ = split_excluded(records("status", "included", "excluded"), wish)
    assert settled_columns(kept, wish) == ["status"]


def test_a_record_about_which_readers_differ_stays_where_others_are_excluded():
    given = records("inclusion", ("Included", "Excluded"), ("Excluded", "Excluded"), ("Included",))
    wish = likely_wish(given)
    assert wish.options == ["inclusion=Excluded"]
    kept, excluded = split_excluded(given, wish)
    assert [record.place for record in kept] == [2, 4]
    assert [record.place for record in excluded] == [3]
    assert settled_columns(kept, wish) == []


def test_wishes_for_one_column_add_up_and_a_name_may_have_an_equals_sign():
    wish = parse_excluded(["a=b=X, y", "a=b=z", "c=*"], "why", "when")
    assert wish.values == {"a=b": ["X", "y", "z"], "c": ["*"]}
    assert (wish.reason, wish.stage) == ("why", "when")


def test_the_log_starts_no_formula_and_a_reason_without_content_is_not_one():
    rows = [
        {"title": "=1+1", "why": '=HYPERLINK("https://a.example")', "status": "out"},
        {"title": "Fen", "why": "tbd", "status": "out"},
        {"title": "Bog", "why": "- off topic", "status": "out"},
        {"title": "Carr", "status": "in"},
    ]
    *_, table = log_of(rows, "status=out", reason="why", source="=list.csv")
    assert [row["reason"] for row in table] == [
        '“=HYPERLINK("https://a.example")”',
        "not recorded",
        "– off topic",
    ]
    assert [row["title"] for row in table] == ["“=1+1”", "Fen", "Bog"]
    assert {row["source"] for row in table} == {"“=list.csv”"}


def test_columns_of_excluded_records_that_the_log_lacks_are_named():
    rows = [
        {"title": "Fen", "status": "out", "when": "late", "abstract": "Wet.", "soil": "peat"},
        {"title": "Carr", "status": "in", "abstract": "Dry.", "soil": "peat", "only here": "x"},
    ]
    assert log_of(rows, "status=out", stage="when")[1].left_out == ("abstract", "soil")
