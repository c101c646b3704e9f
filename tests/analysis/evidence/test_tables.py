"""Evidence tables count or show judgements over the declared vocabulary, and name what lacks."""

import json

import pytest

from corpus.analysis.evidence.tables import (
    NO_ROW,
    EvidenceTable,
    evidence_json,
    evidence_plans,
    evidence_tables,
)
from corpus.printing.grid import Grid
from tests.corpora.full import codebook_data, declared, full
from tests.corpora.making import with_claims
from tests.support.declared import declaration_findings

#: The proof of each use by each sensor, and a second table with the same.
PROOFS = {"table": "uses", "rows": "sensor", "columns": "use", "cell": "proof"}
AGAIN = {"table": "again", "columns": "use", "cell": "proof"}


def made(rows=None, claims="", **section):
    """Make the printed tables of a corpus with one evidence section."""
    tables = section.pop("tables", codebook_data()["tables"])
    study = full(rows, tables=tables, evidence=section)
    if claims:
        study = with_claims(study, claims)
    return evidence_tables(study, evidence_plans(study.codebook))


def test_rows_are_counted_over_all_declared_terms_with_totals():
    (table,) = made(proofs={"table": "uses", "rows": "proof", "columns": "use", "lacking": ["dam"]})
    assert table.grid.header == ("", "farm", "dam", "all")
    assert table.grid.rows == (
        ("field", "1", "0", "1"),
        ("lab", "1", "1", "2"),
        ("all", "2", "1", "3"),
    )
    assert table.notes == ("Proof without any dam: field.",)


def test_cells_show_a_column_and_lacking_terms_are_named_by_column():
    (table,) = made(proofs={**PROOFS, "lacking": ["field"]})
    assert table.grid.rows == (
        ("dot", NO_ROW, "lab"),
        ("ada", "field", NO_ROW),
        ("bob", "lab", NO_ROW),
    )
    assert table.notes == ("Use without any field: dam.",)


def several(name):
    """The tables, with several terms in a column of `uses`."""
    tables = codebook_data()["tables"]
    for column in tables["uses"]["columns"]:
        if column["name"] == name:
            column["separator"] = "; "
            column["required"] = False
    return tables


def test_a_row_of_several_terms_is_one_row_of_the_totals():
    rows = {"uses": [("farm", "ada", "field; lab", ""), ("farm", "bob", "lab", "")]}
    section = {"table": "uses", "rows": "use", "columns": "proof"}
    (table,) = made(rows, tables=several("proof"), proofs=section)
    assert table.grid.rows == (
        ("farm", "1", "2", "2"),
        ("dam", "0", "0", "0"),
        ("all", "1", "2", "2"),
    )


def test_each_of_several_terms_in_a_cell_counts_and_an_empty_one_is_no_row():
    rows = {"uses": [("farm", "ada", "field; lab", ""), ("dam", "ada", "", "")]}
    (table,) = made(rows, tables=several("proof"), proofs={**PROOFS, "lacking": ["field"]})
    assert table.grid.rows == (("ada", "field, lab", NO_ROW),)
    assert table.notes == ("Use without any field: dam.",)


def test_a_list_sets_numbers_to_the_right_and_texts_as_paragraphs():
    (table,) = made(far={"table": "ranges", "list": ["of", "sensor", "value", "limit"]})
    assert (table.grid.header, table.grid.numeric, table.grid.wraps) == (("Of", "Sensor", "Value", "Limit"), {2}, {0, 3})  # fmt: skip
    assert table.grid.rows[0] == ("life", "ada", "1500", "as sold")


def test_a_table_without_rows_has_its_heads_alone():
    counted = {"table": "uses", "rows": "sensor", "columns": "proof"}
    (table,) = made({"uses": []}, proofs=counted)
    assert table.grid.rows == (("all", "0", "0", "0"),)
    (listed,) = made({"uses": []}, limits={"table": "uses", "list": ["sensor", "limit"]})
    assert (listed.grid.header, listed.grid.rows) == (("Sensor", "Limit"), ())


def test_a_wide_table_explains_its_short_forms():
    data = codebook_data()
    terms = [
        {"id": f"t{n}", "label": f"term {n}", "short": f"{n}", "definition": "A term."}
        for n in range(8)
    ]
    data["vocabularies"]["use"] = {"terms": terms}
    study = full(
        {"uses": [("t0", "ada", "lab", "")]},
        vocabularies=data["vocabularies"],
        evidence={"u": PROOFS},
    )
    (table,) = evidence_tables(study, evidence_plans(study.codebook))
    assert table.grid.header[1:3] == ("0", "1")
    assert "0 = term 0" in table.notes[0]


def test_open_questions_carry_their_grounds_and_whether_somebody_has_started():
    tables = codebook_data()["tables"]
    tables["questions"] = {
        "file": "questions.csv",
        "key": ["question"],
        "columns": [declared("question", "key", role="key"), declared("claim", role="open_while")],
    }
    tables["grounds"] = {
        "file": "grounds.csv",
        "key": ["ground"],
        "columns": [
            declared("ground", "key", role="key"),
            declared("question", "ref", references="questions"),
            declared("claim", role="claim"),
        ],
    }
    claims = """format = 1
[[claims]]
id = "no-rock"
statement = "No sensor is in rock."
where = { depth = "rock" }
empty = true
[[claims]]
id = "no-deep"
statement = "No sensor is deep."
where = { depth = "deep" }
empty = true
"""
    rows = {
        "questions": [("in-depth", "no-deep"), ("in-rock", "no-rock")],
        "grounds": [("g1", "in-rock", "no-rock"), ("g2", "in-rock", "no-deep")],
    }
    (table,) = made(rows, claims, tables=tables, open={"table": "questions", "list": ["question"]})
    assert table.grid.rows == (("in-depth", "", "started"), ("in-rock", "no-rock, no-deep", "open"))


def second_opinion():
    """The tables, with a second one that judges the proof of a use."""
    tables = codebook_data()["tables"]
    uses = tables["uses"]
    tables["again"] = {**uses, "file": "again.csv", "title": "Second opinion"}
    return tables


def test_a_second_table_is_shown_where_it_differs():
    rows = {
        "uses": [("farm", "ada", "field", ""), ("dam", "ada", "lab", ""), ("farm", "bob", "lab", "")],
        "again": [("farm", "ada", "lab", ""), ("dam", "ada", "lab", "")],
    }  # fmt: skip
    (table,) = made(rows, tables=second_opinion(), proofs={**PROOFS, "beside": AGAIN})
    assert table.grid.rows == (("ada", "field (lab)", "lab"), ("bob", "lab", NO_ROW))
    assert table.notes == (
        "In parentheses what the table 'Second opinion' has instead, in 1 of 2 cells.",
    )


def test_terms_that_nobody_wants_do_not_differ_and_a_group_is_judged_by_its_best_term():
    data = codebook_data()
    data["vocabularies"]["use"]["groups"] = [
        {"id": "soil", "label": "Soil", "terms": ["farm", "dam"]}
    ]
    tables = second_opinion()
    columns = tables["uses"]["columns"]
    tables["uses"] = {**tables["uses"], "columns": [{**columns[0], "type": "key"}, *columns[1:]]}
    rows = {
        "uses": [("soil", "ada", "lab", ""), ("soil", "bob", "lab", "")],
        "again": [("farm", "ada", "lab", ""), ("dam", "ada", "field", ""), ("dam", "bob", "lab", "")],
    }  # fmt: skip
    study = full(
        rows,
        tables=tables,
        vocabularies=data["vocabularies"],
        evidence={"proofs": {**PROOFS, "lacking": ["field"], "beside": AGAIN}},
    )
    (table,) = evidence_tables(study, evidence_plans(study.codebook))
    assert table.grid.rows == (("ada", "lab (field)"), ("bob", "lab"))


def test_a_list_has_the_rows_that_refer_to_it_and_counts_entries_in_the_order_of_numbers():
    tables = codebook_data()["tables"]
    axis = next(c for c in tables["sensors"]["columns"] if c.get("axis"))
    vocabulary = axis.get("vocabulary", axis["name"])
    tables["kinds"] = {
        "file": "kinds.csv",
        "key": ["kind"],
        "columns": [
            declared("kind", "key", role="key"),
            {"name": "term", "type": "term", "vocabulary": vocabulary, "definition": "Term."},
        ],
    }
    tables["named"] = {
        "file": "named.csv",
        "key": ["kind", "sensor"],
        "columns": [
            declared("kind", "ref", references="kinds"),
            declared("sensor", "ref", references="sensors"),
        ],
    }
    study = full()
    of_axis = [entry.cell(axis["name"]) for entry in study.entries.values()]
    rows = {
        "kinds": [("K10", of_axis[0]), ("K2", of_axis[0])],
        "named": [("K2", "ada"), ("K2", "bob")],
    }
    (table,) = made(rows, tables=tables, kinds={"table": "kinds", "list": ["kind"], "also": [{"table": "named", "show": "sensor"}], "counts": "term"})  # fmt: skip
    number = str(of_axis.count(of_axis[0]))
    assert table.grid.header == ("Kind", "Sensor", "In the pool")
    assert table.grid.rows == (("K2", "ada, bob", number), ("K10", NO_ROW, number))
    assert table.grid.numeric == {2}


@pytest.mark.parametrize(
    ("section", "place"),
    [
        ({"table": "usage"}, "table"),
        ({"table": "uses"}, ""),
        ({"table": "uses", "list": ["use"], "rows": "use", "columns": "proof"}, ""),
        ({"table": "uses", "list": ["usage"]}, "list"),
        ({"table": "uses", "rows": "limit", "columns": "proof"}, "rows"),
        ({"table": "uses", "rows": "use", "columns": "use"}, "columns"),
        ({**PROOFS, "cell": "prof"}, "cell"),
        ({**PROOFS, "lacking": ["fild"]}, "lacking"),
        ({**PROOFS, "nota": ""}, "nota"),
        ({"table": "uses", "list": ["use"], "also": [{"table": "ranges", "show": "of"}]}, "also[1].table"),
        ({"table": "uses", "list": ["use"], "counts": "proof"}, "counts"),
        ({**PROOFS, "beside": {**AGAIN, "table": "range"}}, "beside.table"),
        ({**PROOFS, "beside": {**AGAIN, "table": "uses", "cell": "us"}}, "beside.cell"),
    ],
)  # fmt: skip
def test_each_mistake_is_a_finding_of_the_check(section, place):
    book = full(evidence={"broken": section}).codebook
    found = declaration_findings(book)
    expected = ".".join(filter(None, ["evidence.broken", place]))
    assert [(finding.code, finding.column) for finding in found] == [("C001", expected)]


def test_json_has_every_table_with_its_cells_as_they_are_printed():
    table = EvidenceTable("ranges", Grid("Ränges", ("What", "Value"), (("reach", "3"),)), ("In metres.",))  # fmt: skip
    assert json.loads(evidence_json([table])) == [
        {"name": "ranges", "title": "Ränges", "header": ["What", "Value"], "rows": [["reach", "3"]], "notes": ["In metres."]},
    ]  # fmt: skip
