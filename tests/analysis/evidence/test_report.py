"""Evidence tables as grids and as JSON."""

import json

from corpus.analysis.evidence.tables import EvidenceTable, evidence_json

TABLE = EvidenceTable(
    "ranges", "Ränges", ("What", "Value"), (("reach", "3"), ("life", "40")), frozenset({1}),
    frozenset({0}), ("In metres.", "As sold."),
)  # fmt: skip
BARE = EvidenceTable("bare", "Bare", ("A",), (), frozenset(), frozenset(), ())


def test_json_has_every_table_with_its_cells_as_they_are_printed():
    text = evidence_json([TABLE, BARE])
    assert json.loads(text) == [
        {
            "name": "ranges", "title": "Ränges", "header": ["What", "Value"],
            "rows": [["reach", "3"], ["life", "40"]], "notes": ["In metres.", "As sold."],
        },
        {"name": "bare", "title": "Bare", "header": ["A"], "rows": [], "notes": []},
    ]  # fmt: skip
    assert "Ränges" in text
