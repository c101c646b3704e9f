"""JSON Lines of one table: one typed object a line, for streams and document stores."""

from __future__ import annotations

import json

from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import typed_records


def export_table(corpus: Study, table: Table) -> bytes:  # noqa: ARG001 — all table formats share it
    """Return one line of JSON for each row; CorpusError (X102) where a cell is not of its column's type."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in typed_records(table)).encode()
