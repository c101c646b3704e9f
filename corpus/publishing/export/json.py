"""JSON of the whole corpus, for any program: description, codebook and typed rows in one document."""

from __future__ import annotations

import json
from typing import Any

from corpus.model.study import Study
from corpus.publishing.export.cells import typed_records
from corpus.publishing.export.description import describe


def export(corpus: Study) -> bytes:
    """Return one JSON document: ``corpus``, ``codebook``, ``documents`` and ``tables`` (name -> list of rows).

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    content = {
        "corpus": dict(corpus.codebook.corpus),
        "codebook": describe(corpus.codebook),
        "documents": {name: dict(document) for name, document in corpus.documents.items()},
        "tables": {name: list(typed_records(table)) for name, table in corpus.tables.items()},
    }
    return json_bytes(content)


def json_bytes(content: Any) -> bytes:
    """Write JSON values the way all exports do: indented, text as it is, dates as text, a line feed at the end."""
    return (json.dumps(content, indent=2, ensure_ascii=False, default=str, allow_nan=False) + "\n").encode()
