"""Sentences that two rows share: what is left behind when a row is copied and edited."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.curation.check.shared_sentences import MOST_ROWS, shared_sentences
from corpus.model.codebook import Column
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable

#: Roles of columns in which every row is described in words of its own.
_OWN_WORDS = ("summary", "notes", "reason")
#: Tables whose rows are decided by few rules, so that many have the same reason.
_BY_RULE = ("coverage", "screening", "accepted", "accepted_claims")


def copied_findings(sheet: ColumnarTable) -> list[Finding]:
    """Find each text that an earlier row of a table has in the same column."""
    found: list[Finding] = []
    if sheet.spec.role in _BY_RULE:
        return found
    for column in sheet.spec.columns:
        if column.role in _OWN_WORDS and column.type == "text":
            found += _copied(sheet, column)
    return found


def _copied(sheet: ColumnarTable, column: Column) -> Iterator[Finding]:
    cells = sheet.columns[column.name]
    if len(sheet) > MOST_ROWS and pc.count_distinct(cells).as_py() == len(sheet):
        return
    for position, holder, text in shared_sentences(cells.to_pylist()):
        other, line = sheet.key(holder), sheet.line(position)
        cell = cells[position].as_py()
        yield rules.COPIED.at(sheet.file, line, column.name, cell, other=other, advice=repr(text))
