"""Absolute words in prose: they speak of everything, so a claim has to test them.

The optional section ``[prose]`` of codebook.toml declares the words and the columns::

    [prose]
    absolute = ["only", "nobody", "the one"]
    columns = { directions = ["gap"] }

A row that names a claim, in a column with the role ``claim`` or ``open_while``, is tested by it.
"""

import re
from collections.abc import Iterator, Mapping

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, read_settings
from corpus.model.finding import CorpusError, Finding
from corpus.tables.sheet import ColumnarTable, Sheets

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


def prose_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Find absolute words in the declared columns, in rows that name no claim."""
    found: list[Finding] = []
    if "prose" not in book.settings:
        return found
    try:
        words, columns = read_settings(book, "prose", read_prose)
    except CorpusError:  # the check of the codebook reports it
        return found
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    for table, names in columns.items():
        for name in names if words and table in sheets else ():
            found += _absolute_words(sheets[table], name, pattern)
    return found


def _absolute_words(sheet: ColumnarTable, name: str, pattern: re.Pattern[str]) -> Iterator[Finding]:
    claims = [column.name for role in _CLAIM_ROLES if (column := sheet.spec.by_role(role))]
    for position, cell in enumerate(sheet.cells(name)):
        word = pattern.search(cell)
        if word and not any(sheet.cell(claim, position) for claim in claims):
            yield sheet.finding(rules.ABSOLUTE_WORD, position, name, advice=repr(word[0]))
