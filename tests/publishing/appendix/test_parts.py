"""The parts of an appendix beside the pool: what each prints of the tables and the protocol."""

from dataclasses import replace

from corpus.publishing.appendix.parts import exclusions_part, ledger_part
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


def test_near_misses_have_the_tags_that_they_would_have():
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
    assert heads == ["Record", "Depth", "Senses", "Why"]
    assert rows_of(part, "near") == [
        ("x1", "none", "water, heat", "No field."),
        ("x3", "deep", "gas", "Too old."),
    ]


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
    assert ledger_part(full(appendix={"claims": "nowhere"})).sheets == []
