"""Cells that hold a list: of several lines, as in spreadsheets, or as Python prints one."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Sequence

from corpus.curation.importing.kinds import TAGS, infer_kind
from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.readers.records import Cell, ImportedRecord

_TEXT = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
#: Texts only: what is evaluated has no names, no numbers and no nesting.
_PRINTED = re.compile(rf"\[{_TEXT}(?:, ?{_TEXT})*+\]")


def lists_of_lines(rows: Sequence[ImportedRecord]) -> list[ImportedRecord]:
    """Turn line breaks in a cell into semicolons where a column holds authors or repeating tags."""
    broken: dict[str, None] = {}
    for row in rows:
        for name, cell in row.cells.items():
            if isinstance(cell, str) and "\n" in cell:
                broken[name] = None
    listed = [name for name in broken if _is_listed(name, rows)]
    found = []
    for row in rows:
        cells = dict(row.cells)
        for name in listed:
            text = cells.get(name)
            if isinstance(text, str):
                cells[name] = _semicolons(text)
        found.append(ImportedRecord(row.place, cells))
    return found


def printed_list(cell: str) -> Cell:
    """Return the texts of a list as Python or JSON prints it; any other cell as it is.

    pandas writes a column of lists so.

    Examples
    --------
    >>> printed_list("['Ward, Ann', 'Moor, Bo']"), printed_list("[1] Peat"), printed_list("[]")
    (('Ward, Ann', 'Moor, Bo'), '[1] Peat', '')
    """
    if cell == "[]":
        return ""
    if not _PRINTED.fullmatch(cell):
        return cell
    try:
        texts = literal_eval(cell)
    except (ValueError, SyntaxError):  # an escape that is none
        return cell
    return tuple(str(text) for text in texts)


def _is_listed(name: str, rows: Sequence[ImportedRecord]) -> bool:
    cells = []
    for row in rows:
        cell = row.cells.get(name)
        if isinstance(cell, str) and cell.strip():
            cells.append(cell)
    if field_by_name(name) == "authors":
        return not any(";" in cell for cell in cells)
    kind = infer_kind([_semicolons(cell) for cell in cells], ascii_words(name))
    return kind.name == TAGS and ";" in kind.separators


def _semicolons(cell: str) -> str:
    lines = [line.strip(" ;") for line in cell.splitlines()]
    return "; ".join(filter(None, lines))
