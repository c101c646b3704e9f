"""The rows of a study after an entry is added, edited, excluded or removed, or a record is numbered."""

import tomllib

import pytest

from corpus.curation.edit.row_edits import (
    added,
    coded_reasons,
    edited,
    exclusion_log,
    identifier,
    new_record,
    next_record,
    numbered,
    numbers,
)
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import codebook_data, full, write_full
from tests.corpora.making import with_cell

TABLES = tomllib.loads("""
[fixed]
file = "fixed.csv"
role = "corrections"
key = ["sensor", "column"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "S." },
  { name = "column", type = "column", references = "sensors", role = "column", definition = "C." },
  { name = "old", type = "verbatim", required = false, role = "before", definition = "Was." },
  { name = "new", type = "verbatim", required = false, role = "after", definition = "Is." },
  { name = "proof", type = "text", role = "evidence", definition = "Evidence." },
]
[why]
file = "why.csv"
role = "reasons"
key = ["record"]
columns = [
  { name = "record", type = "ref", references = "dropped", definition = "Record." },
  { name = "code", type = "key", role = "criterion", definition = "Criterion." },
  { name = "deep", type = "term", vocabulary = "depth", role = "depth", required = false, definition = "D." },
]
[later]
file = "later.csv"
role = "candidates"
key = ["nr"]
columns = [
  { name = "nr", type = "key", role = "key", definition = "Number." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." },
]
""")
FIXED, WHY, LATER = TABLES.values()


def study(rows=None, **tables):
    data = codebook_data()
    data["tables"].update(tables)
    return full(rows, **data)


def changed(make, before, *arguments, **named):
    """Return the rows of each table that a change makes."""
    after = make(before, *arguments, **named)
    return {table.spec.name: table.rows for table in after.changed_tables(before)}


CELLS = {"sensors": {"sensor": "fay", "name": "Fay", "depth": "deep", "senses": "gas", "arxiv": "2107.00007"},
         "dated": {"sensor": "fay", "seen": "2021"}}  # fmt: skip


def test_records_are_numbered_on():
    assert next_record(full().tables["dropped"].names()) == "x4"
    assert next_record(["E009", "odd"]) == "E010"
    assert next_record(["A0"]) == "A1"
    assert next_record([]) == "E001"


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (Work("", arxiv="2601.00010", doi="10.48550/arXiv.2601.00010"), "arXiv:2601.00010"),
        (Work("", url="https://openreview.net/forum?id=AbCdEf1234"), "OpenReview:AbCdEf1234"),
        (Work("", url="https://doi.org/10.5555/x", doi="10.5555/x"), "DOI:10.5555/x"),
        (Work("", url="https://mire.example/peat"), "https://mire.example/peat"),
    ],
)
def test_an_identifier_as_the_log_writes_it(candidate, expected):
    assert identifier(candidate) == expected


@pytest.mark.parametrize(
    ("candidate", "stays"),
    [(("c1", "Fay", ""), False), (("c1", "FAY!", ""), False), (("c1", "Other", "2107.00007"), False),
     (("c1", "Other", "2107.00008"), True), (("c1", "", ""), True)],
)  # fmt: skip
def test_the_work_is_no_candidate_any_more(candidate, stays):
    rows = changed(added, study({"later": [candidate]}, later=LATER), CELLS)
    assert ("later" not in rows) is stays
    assert rows.get("later", []) == []


def test_a_row_that_names_an_entry_twice_is_removed_once_and_by_either_name():
    data = codebook_data()
    data["tables"]["probes"]["columns"].append(
        {
            "name": "beside",
            "type": "ref",
            "references": "sensors",
            "required": False,
            "definition": "B.",
        }
    )
    rows = {"probes": [("ada", "1", "", "bob"), ("bob", "1", "", "cy"), ("cy", "1", "", "")]}
    assert changed(Study.without_entries, full(rows, **data), ["bob"])["probes"] == [
        ("cy", "1", "", "")
    ]


def fixed(rows, **cells):
    """Return the log of corrections after cells of bob have changed with evidence."""
    after = edited(study({"fixed": rows}, fixed=FIXED), "bob", {"sensors": cells}, "page 2")
    return after.tables["fixed"].rows


NAME = full().entry("bob").cell("name")


@pytest.mark.parametrize(
    ("rows", "cells", "logged"),
    [
        ([], {"name": "Birches"}, [("bob", "name", NAME, "Birches", "page 2")]),
        ([], {"year": "2021"}, [("bob", "year", "", "2021", "page 2")]),
        ([], {"name": NAME}, []),
        # What was published stays the older value, and a cell that is back at it leaves the log.
        (
            [("bob", "name", "Oaks", NAME, "p. 1")],
            {"name": "Birches"},
            [("bob", "name", "Oaks", "Birches", "page 2")],
        ),
        ([("bob", "name", "Oaks", NAME, "p. 1")], {"name": "Oaks"}, []),
        (
            [("ada", "name", "Oaks", "Elms", "p. 1")],
            {"name": NAME},
            [("ada", "name", "Oaks", "Elms", "p. 1")],
        ),
    ],
)
def test_evidence_logs_what_was_published_and_what_is_right(rows, cells, logged):
    assert fixed(rows, **cells) == logged


def test_evidence_needs_a_log():
    with pytest.raises(UsageProblem):
        edited(full(), "bob", {"sensors": {"name": "Birches"}}, "page 2")


@pytest.mark.parametrize("number", range(4))
def test_a_log_that_cannot_hold_a_correction_is_refused(number):
    columns = [dict(column) for column in FIXED["columns"]]
    columns[number].pop("role")
    before = study({"fixed": []}, fixed={**FIXED, "columns": columns})
    with pytest.raises(UsageProblem):
        edited(before, "bob", {"sensors": {"name": "Birches"}}, "page 2")


def test_a_log_without_a_column_for_evidence_has_the_values_alone():
    columns = [dict(column) for column in FIXED["columns"][:4]]
    before = study({"fixed": []}, fixed={**FIXED, "columns": columns})
    after = edited(before, "bob", {"sensors": {"name": "Birches"}}, "page 2")
    assert after.tables["fixed"].rows == [("bob", "name", NAME, "Birches")]


def test_a_new_key_is_carried_into_every_table(tmp_path):
    before = load_corpus(str(write_full(tmp_path)))
    rows = changed(edited, before, "ada", {"sensors": {"sensor": "aspen"}})
    assert set(rows) == {"sensors", "dated", "judged", "uses", "ranges", "probes", "second"}
    for table, found in rows.items():
        assert found == with_cell(full().tables[table].rows, "ada", "aspen")


def test_without_a_number_a_record_is_named_by_its_work():
    log = full().tables["dropped"]
    cells = {"label": "Peat", "found": "arXiv:2601.00010"}
    assert new_record(log, cells, numbered=True) == "x4"
    assert new_record(log, cells, numbered=False) == "new-arxiv-2601-00010"
    assert new_record(log, {"label": "A Fen"}, numbered=False) == "new-a-fen"
    assert new_record(log, {}, numbered=False) == "new-record"


def test_a_corpus_without_a_log_cannot_exclude():
    data = codebook_data()
    data["tables"]["dropped"]["role"] = "evidence"
    with pytest.raises(UsageProblem):
        exclusion_log(full(**data).codebook)
    assert coded_reasons(full().codebook) is None
    assert coded_reasons(study({"why": []}, why=WHY).codebook).name == "why"


CLAIM = """
[[claims]]
id = "new-records"
statement = "Two records are new."
table = "dropped"
includes = ["new-fen", "new-bog"]
"""


def with_new(tmp_path):
    data = write_full(tmp_path)
    with (data / "dropped.csv").open("a", encoding="utf-8") as log:
        log.write("new-bog,title,A bog,\nnew-fen,text,A fen,\n")
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(CLAIM)
    return load_corpus(str(data))


def test_each_takes_the_next_number_and_what_names_it_follows(tmp_path):
    study = with_new(tmp_path)
    assert numbers(study)["dropped"] == {"new-bog": "x4", "new-fen": "x5"}
    after = numbered(study)
    assert list(after.tables["dropped"].names()) == ["x1", "x2", "x3", "x4", "x5"]
    assert 'includes = ["x5", "x4"]' in after.sources["claims"].text
    again = numbered(after)
    assert (again.changed_tables(after), again.changed_texts(after)) == ([], {})
