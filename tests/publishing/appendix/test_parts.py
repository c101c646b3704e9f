"""The parts of an appendix beside the pool: what each prints of the tables and the protocol."""

import datetime
from dataclasses import replace

import pytest

from corpus.publishing.appendix.parts import (
    corrections_part,
    exclusions_part,
    ledger_part,
    protocol_part,
    tables_part,
)
from tests.corpora.full import codebook_data, full


def printed(table):
    """Return the blocks of a table: heading, and the texts of its rows."""
    blocks = []
    for block in table.blocks:
        rows = [tuple(cell.text for cell in row) for row in block.rows]
        blocks.append((block.heading, rows))
    return blocks


def rows_of(part, name):
    (table,) = [sheet for sheet in part.sheets if sheet.id == name]
    ((_, rows),) = printed(table)
    return rows


def with_protocol(document, rows=None):
    return protocol_part(replace(full(rows), documents={"protocol": document}))


def test_every_table_is_listed_with_its_columns():
    part = tables_part(full())
    assert [sheet.title for sheet in part.sheets][:2] == [
        "sensors (sensors.csv)",
        "dated (dated.csv)",
    ]
    assert rows_of(part, "probes") == [
        ("sensor", "ref", "yes", "Sensor."),
        ("nr", "integer", "yes", "Number."),
        ("taken", "date", "no", "Day."),
    ]


def test_what_is_declared_beside_the_axes_is_listed_with_the_tables():
    part = tables_part(full())
    assert rows_of(part, "senses-groups") == [("wet", "Wet", "water, salt", "")]
    assert rows_of(part, "proof")[0] == ("field", "field", "Seen in the field.")
    assert [sheet.id for sheet in part.sheets][-5:] == [
        "senses-groups", "how", "use", "proof", "step",
    ]  # fmt: skip


def test_the_lists_of_a_protocol_are_tables_and_remarks_wherever_they_are():
    part = with_protocol(
        {
            "cutoff": datetime.date(2021, 3, 31),
            "limits": ["One lab."],
            "protocol": {"title": "How we searched", "blind": True, "passes": 2},
            "queries": [{"id": "Q1", "text": "soil"}, {"id": "Q2", "words": ["a", "b"]}],
            "more": {
                "notes": ["Two."],
                "sources": [{"url": "https://a.example/"}],
                "deep": {"x": 1},
            },
        }
    )
    assert part.title == "How we searched"
    assert part.paragraphs == ("Cutoff: 2021-03-31; Blind: yes; Passes: 2.",)
    assert part.remarks == ("One lab.", "Two.")
    assert rows_of(part, "queries") == [("Q1", "soil", ""), ("Q2", "", "a; b")]
    (sources,) = [sheet for sheet in part.sheets if sheet.id == "sources"]
    assert [field.head for field in sources.fields] == ["URL"]
    ((cell,),) = next(iter(sources.blocks)).rows
    assert cell.link == "https://a.example/"


@pytest.mark.parametrize(("records", "heads", "notes"), [
    ([{"id": "a", "kept": True}, {"id": "b", "kept": True}], ["ID"], ("Kept: yes for all.",)),
    ([{"id": "a", "kept": True}, {"id": "b", "kept": False}], ["ID", "Kept"], ()),
    ([{"id": "a", "kept": True}, {"id": "b"}], ["ID", "Kept"], ()),
    ([{"id": "a", "kept": False}], ["ID", "Kept"], ()),  # one record: there is nothing to share
    ([{"n": 1}, {"n": 1}], ["N"], ()),  # a number is no answer
])  # fmt: skip
def test_an_answer_that_all_records_share_is_a_note(records, heads, notes):
    (table, _) = with_protocol({"stages": records}).sheets
    assert [field.head for field in table.fields] == heads
    assert table.notes == notes


def test_a_corpus_without_protocol_still_counts_its_exclusions():
    part = protocol_part(full())
    assert (part.title, part.paragraphs, part.remarks) == ("Search and screening", (), ())
    (screening,) = part.sheets
    assert rows_of(part, "screening") == [("title", "Title.", "2"), ("text", "Text.", "1")]
    assert screening.notes == ("5 records retained and 3 excluded: 8 audited.",)
    assert protocol_part(full({"dropped": []})).sheets == ()


def test_records_without_a_stage_have_a_heading():
    data = codebook_data()
    data["tables"]["dropped"]["columns"][1]["required"] = False
    (log,) = exclusions_part(full({"dropped": [("x1", "")]}, **data)).sheets
    assert printed(log) == [("not given (1)", [("x1", "", "")])]


def test_near_misses_have_their_title_and_the_tags_that_they_would_have():
    data = codebook_data()
    data["tables"]["near"] = {
        "file": "near.csv",
        "role": "near_misses",
        "key": ["record"],
        "columns": [
            {"name": "record", "type": "ref", "references": "dropped", "definition": "Record."},
            {"name": "depth", "type": "term", "required": False, "definition": "Depth."},
            {"name": "senses", "type": "term", "separator": "; ", "definition": "What it senses."},
            {"name": "why", "type": "text", "definition": "Reason."},
        ],
    }
    near = [("x1", "none", "water; heat", "No field."), ("x3", "deep", "gas", "Too old.")]
    part = exclusions_part(full({"near": near}, **data))
    heads = [field.head for field in part.sheets[1].fields]
    assert heads == ["Record", "Title", "Would be", "Why"]
    assert rows_of(part, "near") == [
        ("x1", "A meadow without a sensor", "Senses: water, heat", "No field."),
        ("x3", "", "Depth: deep; Senses: gas", "Too old."),
    ]


def test_a_correction_is_printed_in_full():
    data = codebook_data()
    data["tables"]["fixed"] = {
        "file": "fixed.csv",
        "title": "Corrected cells",
        "definition": "Since the first release.",
        "role": "corrections",
        "key": ["row"],
        "columns": [
            {"name": "row", "type": "key", "definition": "Row."},
            {"name": "old", "type": "text", "definition": "Before."},
        ],
    }
    part = corrections_part(full({"fixed": [("ada", "2019")]}, **data))
    assert (part.title, part.paragraphs) == (
        "Corrected cells",
        ("Since the first release. 1 row.",),
    )
    assert rows_of(part, "fixed") == [("ada", "2019")]
    none = corrections_part(full())
    assert (none.title, none.sheets, none.paragraphs) == ("Corrections", (), ())


def test_the_ledger_has_the_claims_of_its_place_and_the_declared_evidence():
    claims = [
        {"id": "a", "statement": "Five.", "count": 5, "made_in": ["here"], "boundary": "Of them."},
        {"id": "b", "statement": "Six.", "count": 6, "made_in": ["here", "there"]},
        {"id": "c", "statement": "Seven.", "count": 7, "made_in": ["there"]},
    ]
    evidence = {
        "uses": {"table": "uses", "list": ["use"]},
        "more": {"table": "uses", "list": ["use"]},
    }
    study = full(appendix={"claims": "here", "ledger": ["uses"]}, evidence=evidence)
    study = replace(study, documents={"claims": {"format": 1, "claims": claims}})
    part = ledger_part(study)
    assert [row[:2] for row in rows_of(part, "claims")] == [
        ("Five.", "holds: 5"), ("Six.", "does not hold: 5"),
    ]  # fmt: skip
    assert [sheet.id for sheet in part.sheets] == ["claims", "uses"]
    assert ledger_part(full(appendix={"claims": "nowhere"})).sheets == ()
