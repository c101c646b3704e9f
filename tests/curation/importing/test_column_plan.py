import re

import pytest

from corpus.curation.importing.column_plan import parse_map, plan_columns
from corpus.model.finding import UsageProblem
from tests.support.imported import recorded

ROWS = [
    {"Paper": "Peat and moss", "Pub. Year": "2019", "Where": "field", "What": "a; b", "id": "1", "Web": "https://a.example"},
    {"Paper": "Bogs by light", "Pub. Year": "2020", "Where": "lab", "What": "b", "id": "2", "Web": "https://b.example"},
    {"Paper": "Mires in May", "Pub. Year": "2021", "Where": "field", "What": "a; b", "id": "3", "Web": "https://c.example"},
    {"Paper": "Fens at night", "Pub. Year": "2021", "Where": "Lab", "What": "c; a", "id": "4", "Web": "https://d.example"},
]  # fmt: skip


def planned(*maps, rows=ROWS, columns=()):
    """Return the plan of each column, given those of the rows and any others."""
    records = recorded(*rows)
    plans = plan_columns(dict.fromkeys([*columns, *records.columns]), records.rows, parse_map(maps))
    return {plan.source: plan for plan in plans}


def test_names_and_cells_tell_what_columns_are():
    plans = planned(columns=["Nothing"])
    assert {source: plan.role for source, plan in plans.items() if plan.role} == {
        "Paper": "title",
        "Pub. Year": "year",
        "Web": "url",
    }
    assert {source: plan.kind.name for source, plan in plans.items() if not plan.role} == {
        "Where": "term",
        "What": "tags",
        "id": "integer",
        "Nothing": "empty",
    }
    assert plans["id"].name == "source_key"
    assert plans["Nothing"].name == ""


def test_a_plan_shows_terms_and_what_divides_them():
    plans = planned()
    assert plans["Where"].why.endswith("cells: field; Lab")
    assert plans["What"].why.endswith("split at ';': a; b; c")
    rows = [{**row, "Where": "wet, dry" if number else "x"} for number, row in enumerate(ROWS)]
    assert planned(rows=rows)["Where"].why.endswith("wet, dry; x; not split at ',': wet, dry")
    many = [{**ROWS[0], "Where": f"t{number % 8}"} for number in range(16)]
    assert planned(rows=many)["Where"].why.endswith("t4; …")


def test_the_user_has_the_last_word():
    plans = planned(
        "Where=title", "Paper=", "What=measures:term", "Pub. Year=seen:text", "Web=page"
    )
    assert plans["Where"].role == "title"
    assert plans["Paper"].role == "notes"
    assert (plans["What"].name, plans["What"].kind.name) == ("measures", "term")
    assert (plans["Pub. Year"].name, plans["Pub. Year"].kind.name) == ("seen", "text")
    assert plans["Web"].name == "page"


@pytest.mark.parametrize(("text", "said"), [
    ("Paper", "'Paper'"), ("=title", "'=title'"), (" =title", "SOURCE=COLUMN"), ("Paper=title:poem", "term, tags, text"),
    ("Nowhere=title", "'Nowhere'"),
])  # fmt: skip
def test_a_wrong_map_is_wrong_usage(text, said):
    with pytest.raises(UsageProblem, match=re.escape(said)):
        planned(text)


def test_columns_that_are_never_filled_together_are_one_field():
    rows = [
        {"t": "A b", "journal": "J"},
        {"t": "C d", "booktitle": "B"},
        {"t": "E f", "journal": "K", "venue": "V"},
    ]
    plans = planned(rows=rows)
    assert [plans[name].role for name in ("journal", "booktitle", "venue")] == [
        "venue",
        "venue",
        "",
    ]


def test_a_column_never_takes_the_name_of_a_field():
    rows = [
        {
            "Title": f"Title {n}",
            "Keys": "a",
            "Paper": f"Other {n} words",
            "url": "https://a.example",
            "x": "b",
        }
        for n in range(3)
    ]
    plans = planned("Keys=key:text", "x=notes:text", "Paper=title:text", rows=rows)
    assert plans["Title"].role == "title"
    assert [plans[name].name for name in ("Keys", "x", "Paper", "url")] == [
        "key_2",
        "notes_2",
        "title_2",
        "url",
    ]
    rows = [{"Title": f"A work {n}", "A b": "x", "a_b": "y", "A-B": "z"} for n in range(3)]
    plans = planned(rows=rows)
    assert [plans[name].name for name in ("A b", "a_b", "A-B")] == ["a_b", "a_b_2", "a_b_3"]


@pytest.mark.parametrize(("cells", "separator"), [
    (["wet, cold", "dry"], ","), (["wet/cold", "dry/very"], "/"), (["CI/CD, x", "a/b"], ","), (["N/A", "N/A", "a, b"], ","), (["wet|cold", "a"], "|"), (["a b", "c d"], ";"), (["x; y", "a, b"], ";"),
    ([("a", "b"), "c|d"], "|"),
])  # fmt: skip
def test_requested_tags_are_divided_at_the_surest_separator(cells, separator):
    rows = [{"t": f"Title {n}", "k": cell} for n, cell in enumerate(cells)]
    plan = planned("k=k:tags", rows=rows)["k"]
    assert (plan.kind.name, plan.kind.separator) == ("tags", separator)
    assert plan.separator == "; "


@pytest.mark.parametrize(("keys", "usable"), [
    (["ward1", "fen2", "mire3"], True), (["ward1", "ward1", "mire3"], False), (["Ward 1", "ward-1", "mire3"], False),
    (["ward1", "2", "3"], False), (["ward1", "fen2", "3"], True), (["WARD1", "FEN2", "MIRE3"], True), (["ward1", "fen2"], False),
    (["x" * 60, "fen2", "mire3"], True), (["x" * 61, "fen2", "mire3"], False), (["a1b", "ab2", "c3"], False),
])  # fmt: skip
def test_keys_are_short_different_and_mostly_words(keys, usable):
    rows = [{"id": key, "title": f"T {n}"} for n, key in enumerate([*keys, ""][:3])]
    assert (planned(rows=rows)["id"].role == "key") is usable
