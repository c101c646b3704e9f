"""Questions that every state of a corpus can be asked, with the rows that each number counts."""

import tomllib
from dataclasses import replace

import pytest

from corpus.analysis.history.timeline import (
    claim_values,
    entries_by_term,
    matching_entries,
    subject_of,
)
from corpus.model.finding import UsageProblem
from corpus.model.study import Source
from tests.corpora.full import full

CLAIMS = """\
format = 1
[[claims]]
id = "size"
source_id = "C01"
statement = "Five."
count = 5
[[claims]]
id = "cells"
statement = "By depth and sense."
by = ["depth", "senses"]
[claims.counts]
surface = { water = 2, heat = 1 }
[[claims]]
id = "water-lead"
statement = "Water first."
by = ["senses"]
descending = ["water", "salt"]
[[claims]]
id = "tables"
statement = "More are kept."
descending = true
of = [{ table = "sensors", label = "kept" }, { table = "dropped", label = "left out" }]
[[claims]]
id = "dates"
statement = "All have dates."
same_keys_as = "dated"
[[claims]]
id = "kinds"
statement = "Three senses."
by = ["senses"]
distinct = 3
where = { depth = ["surface", "deep"] }
"""


def study(rows=None):
    made = full(rows)
    documents = {"claims": tomllib.loads(CLAIMS)}
    return replace(made, documents=documents, sources={"claims": Source("claims.toml", CLAIMS)})


STUDY = study()


def answers(*words, of=STUDY):
    found = subject_of(words, STUDY).values(of)
    return {name: (value.number, " ".join(sorted(value.keys))) for name, value in found.items()}


def test_a_column_is_asked_for_every_declared_term():
    assert answers("senses") == {
        "water": (3, "ada bob eve"), "salt": (1, "cy"), "heat": (2, "ada dot"), "gas": (0, ""),
    }  # fmt: skip
    assert entries_by_term("senses").tables(STUDY.codebook) == ["sensors"]


def test_filters_are_one_series_that_passes_all_of_them():
    assert answers("depth=surface", "senses!=heat") == {"depth=surface, senses!=heat": (1, "bob")}
    assert matching_entries(["year>=2020"]).values(STUDY)["year>=2020"].number == 2


def test_a_claim_is_found_by_either_name():
    assert answers("size") == answers("C01") == {"size": (5, "ada bob cy dot eve")}


def test_an_ordering_is_a_series_for_each_of_its_parts():
    assert answers("water-lead") == {"water": (3, "ada bob eve"), "salt": (1, "cy")}
    assert answers("tables") == {
        "kept": (5, "ada bob cy dot eve"), "left out": (3, "x1 x2 x3"),
    }  # fmt: skip


def test_two_tables_are_asked_for_the_keys_that_one_of_them_has():
    other = study({"dated": [("ada", "2020"), ("zoe", "2020")]})
    assert answers("dates", of=other) == {"dates": (5, "bob cy dot eve zoe")}


def test_distinct_values_come_with_the_rows_that_have_them():
    assert answers("kinds") == {"kinds": (2, "ada bob dot")}


def test_a_claim_needs_the_tables_that_it_looks_at():
    tables = {word: list(subject_of([word], STUDY).tables(STUDY.codebook)) for word in ("tables", "dates")}  # fmt: skip
    assert tables == {"tables": ["sensors", "dropped"], "dates": ["sensors", "dated"]}


def test_a_claim_about_what_was_declared_later_has_no_value():
    document = tomllib.loads(CLAIMS)
    document["claims"] = [{"id": "x", "statement": "s", "where": {"depth": "abyss"}, "count": 1}]
    subject = claim_values("x", document)
    with pytest.raises(UsageProblem, match="'x'"):
        subject.values(STUDY)
    with pytest.raises(UsageProblem, match="'x'"):
        subject.tables(STUDY.codebook)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["sizes"], "did you mean size"), (["senes"], "did you mean senses"), (["qqqq"], "columns: depth, senses"),
        (["size", "depth"], "one claim, one column, or filters"), (["size", "depth=deep"], "one claim"),
    ],
)  # fmt: skip
def test_a_word_that_is_no_question_is_refused_with_advice(words, advice):
    with pytest.raises(UsageProblem, match=advice):
        subject_of(words, STUDY)


def test_a_column_without_a_vocabulary_is_asked_for_a_value():
    with pytest.raises(UsageProblem, match="name=VALUE"):
        entries_by_term("name").values(STUDY)
