"""Absolute words in prose: they speak of everything, so a claim has to test them.

The optional section ``[prose]`` of codebook.toml declares the words and the columns::

    [prose]
    absolute = ["only", "nobody", "the one"]
    columns = { directions = ["gap"] }

A row that names a claim, in a column with the role ``claim`` or ``open_while``, is tested by it.
"""

import re
from collections.abc import Iterator, Mapping

from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.documents.section import Section, valid_settings
from corpus.model.finding import WARNING
from corpus.tables.sheet import ColumnarTable

_CLAIM_ROLES = ("claim", "open_while")


def read_prose(section: Section) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """Read ``[prose]``: the words, and the columns by table. Mistakes are in its findings."""
    words = section.strings("absolute", ())
    columns = section.lists("columns")
    tables = section.book.tables if section.book is not None else {}
    for table, names in columns.items():
        known = {column.name for column in tables[table].columns} if table in tables else set()
        for name in names:
            if name not in known:
                section.mistake("columns", f"{table}.{name} is not a column")
    section.finish()
    return words, columns


@rule(
    "C430",
    "{column} contains {advice}, and the row names no claim that tests it",
    hint="write what was examined, or name the claim",
    severity=WARNING,
)
def absolute_word(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Absolute word without a claim.

    "Nobody", "the one" or "none" in a summary speak of everything, and nothing fails when a new
    row makes them wrong. The codebook declares words and columns under `[prose]`.

    >>> broken("sensors", {"notes": "The only one in peat."})
    sensors.csv: notes contains 'only', and the row names no claim that tests it
    """
    # The check of the codebook reports a mistake there.
    words, columns = valid_settings(tables.book, "prose", read_prose) or ((), {})
    if not words:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    claims = [column.name for role in _CLAIM_ROLES if (column := sheet.spec.by_role(role))]
    for name in columns.get(sheet.spec.name, ()):
        for position, cell in enumerate(sheet.cells(name)):
            word = pattern.search(cell)
            if word and not any(sheet.cell(claim, position) for claim in claims):
                yield at(position, name, advice=repr(word[0]))
