"""Evidence tables as grids for every output, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.analysis.evidence.tables import EvidenceTable
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text


def evidence_grids(tables: Sequence[EvidenceTable]) -> list[Grid]:
    """Return each table as a grid, its notes joined below it."""
    grids: list[Grid] = []
    for table in tables:
        note = " ".join(table.notes)
        grids.append(Grid(table.title, table.header, table.rows, table.numeric, note, table.texts))
    return grids


def evidence_json(tables: Sequence[EvidenceTable]) -> str:
    """Write the tables as one JSON document; every cell is the text in print."""
    document = []
    for table in tables:
        document.append(
            {
                "name": table.name,
                "title": table.title,
                "header": list(table.header),
                "rows": [list(row) for row in table.rows],
                "notes": list(table.notes),
            }
        )
    return json_text(document)
