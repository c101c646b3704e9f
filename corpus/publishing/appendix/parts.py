"""The other parts of an appendix: definitions, protocol, exclusions, corrections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corpus.analysis.counting.entries import select_rows
from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.contingency import Contingency
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.escape import web_address
from corpus.publishing.appendix.long_table import (
    AppendixPart,
    Block,
    LongTable,
    PrintedCell,
    text_fields,
)
from corpus.tables.fast.tally import tally_table


def tables_part(corpus: Study) -> AppendixPart:
    """Return every table of the corpus with its columns: what each holds, and whether it may be empty."""
    heads = ("Column", "Type", "Required", "Meaning")
    sheets = []
    for spec in corpus.codebook.tables.values():
        rows = [(c.name, c.type, "yes" if c.required else "no", c.definition) for c in spec.columns]
        sheets.append(plain_sheet(spec.name, f"{spec.title} ({spec.file})", heads, rows, (spec.definition,)))
    return AppendixPart("tables", "Tables", (), tuple(sheets))


def definitions_part(corpus: Study) -> AppendixPart:
    """Return the meaning of every axis and term, with the number of entries that carry it."""
    book = corpus.codebook
    names = tuple(column.name for column in book.pool.axes)
    counted = Contingency(book, names, tally_table(corpus.pool, book, names))
    sheets = []
    for margin in counted.margins():
        vocabulary = margin.vocabulary
        rows = [(t.short, t.label, t.definition, str(margin.of(t.id))) for t in vocabulary.terms]
        heads = ("Short", "Term", "Meaning", "Entries")
        sheets.append(plain_sheet(margin.column.name, margin.column.label, heads, rows, (margin.column.definition,)))
        if vocabulary.groups:
            sheets.append(_groups_sheet(vocabulary, margin.column))
    used = {column.vocabulary for column in book.pool.axes}
    for vocabulary in book.vocabularies.values():
        if vocabulary.id not in used:
            terms = [(t.short, t.label, t.definition) for t in vocabulary.terms]
            sheets.append(
                plain_sheet(
                    vocabulary.id, vocabulary.title, ("Short", "Term", "Meaning"), terms, (vocabulary.definition,)
                )
            )
    return AppendixPart("definitions", "Definitions of the tags", (), tuple(sheets))


def _groups_sheet(vocabulary: Vocabulary, column: Column) -> LongTable:
    label = {term.id: term.label for term in vocabulary.terms}
    rows = [(g.id, g.label, ", ".join(label[term] for term in g.terms), g.definition) for g in vocabulary.groups]
    heads = ("Group", "Name", "Terms", "Meaning")
    return plain_sheet(f"{column.name}-groups", f"{column.label}: groups", heads, rows)


def protocol_part(corpus: Study) -> AppendixPart:
    """Return the protocol document as tables, one for each list in it; its own texts come first."""
    document = corpus.documents.get("protocol", {})
    facts: list[str] = []
    remarks: list[str] = []
    sheets = []
    for name, value in document.items():
        if isinstance(value, Mapping):
            facts += [f"{_heading(key)}: {said}" for key, said in value.items() if _is_fact(key, said)]
            remarks += [str(item) for said in value.values() if isinstance(said, list) for item in said]
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            sheets.append(_records_sheet(name, value))
    screened = _stage_counts(corpus)
    if screened:
        sheets.append(screened)
    title = document.get("protocol", {})
    heading = str(title.get("title", "")) if isinstance(title, Mapping) else ""
    paragraphs = ("; ".join(facts) + ".",) if facts else ()
    return AppendixPart("protocol", heading or "Search and screening", paragraphs, tuple(sheets), tuple(remarks))


def _is_fact(name: str, value: object) -> bool:
    return name != "title" and not isinstance(value, list | Mapping)


def _records_sheet(name: str, records: Sequence[Mapping[str, Any]]) -> LongTable:
    """One row a record; a field that says the same of all of them becomes a note."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    notes = []
    for key in list(keys):
        values = {str(record.get(key)) for record in records}
        if len(records) > 1 and len(values) == 1 and isinstance(records[0].get(key), bool):
            keys.remove(key)
            notes.append(f"{_heading(key)}: {_said(records[0][key])} for all.")
    rows = [tuple(_said(record.get(key, "")) for key in keys) for record in records]
    return plain_sheet(name, _heading(name), [_heading(key) for key in keys], rows, tuple(notes))


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _heading(name: str) -> str:
    words = name.replace("_", " ")
    return words.upper() if words in ("id", "url", "doi") else words.capitalize()


def _stage_counts(corpus: Study) -> LongTable | None:
    for table in corpus.by_role("exclusions"):
        column = table.spec.by_role("stage")
        if column is None or column.type != "term":
            continue
        cells = table.column(column.name)
        terms = corpus.codebook.vocabulary_of(column).terms
        rows = [(term.label, term.definition, str(cells.count(term.id))) for term in terms]
        kept = len(corpus.pool.rows)
        note = f"{kept} records retained and {len(cells)} excluded: {kept + len(cells)} audited."
        return plain_sheet("screening", "Records excluded", (column.label, "Meaning", "Records"), rows, (note,))
    return None


def exclusions_part(corpus: Study) -> AppendixPart:
    """Return the exclusion log by stage, and the borderline records with the tags that they would carry."""
    sheets = []
    for table in corpus.by_role("exclusions"):
        group = table.spec.by_role("stage")
        hidden = {"url", "date", "stage"}
        columns = [column for column in table.spec.columns if column.role not in hidden]
        sheets.append(table_sheet(corpus, table, columns, group))
    for table in corpus.by_role("near_misses"):
        sheets.append(_near_misses(corpus, table))
    titles = [table.spec.title for table in corpus.by_role("exclusions")]
    texts = tuple(f"{table.spec.definition} {len(table.rows)} rows." for table in corpus.by_role("exclusions"))
    return AppendixPart("exclusions", titles[0] if titles else "Exclusions", texts, tuple(sheets))


def _near_misses(corpus: Study, table: Table) -> LongTable:
    """Join the borderline records with their titles; the tags they would carry stand in one cell."""
    book, spec = corpus.codebook, table.spec
    terms = [(position, column, vocabulary) for position, column, vocabulary in book.term_columns(spec)]
    texts = [i for i, column in enumerate(spec.columns) if column.type == "text"]
    titles = _titles(corpus, spec)
    rows = []
    for row in table.rows:
        tags = [
            f"{column.label}: {', '.join(vocabulary.term(v).label for v in column.values(row[position]))}"
            for position, column, vocabulary in terms
            if row[position] != vocabulary.not_applicable
        ]
        key = row[spec.position(spec.key[0])]
        rows.append((key, titles.get(key, ""), "; ".join(tags), *(row[i] for i in texts)))
    heads = (spec.column(spec.key[0]).label, "Title", "Would be", *(spec.columns[i].label for i in texts))
    return plain_sheet(spec.name, spec.title, heads, rows, (spec.definition,))


def _titles(corpus: Study, spec: TableSpec) -> dict[str, str]:
    """Return the titles of the records that the key column of `spec` refers to."""
    target = corpus.tables.get(spec.column(spec.key[0]).references)
    title = target.spec.by_role("title") if target else None
    if target is None or title is None:
        return {}
    position = target.spec.position(title.name)
    return {target.key_of(row)[0]: row[position] for row in target.rows}


def corrections_part(corpus: Study) -> AppendixPart:
    """Return every cell that differs from the published snapshot, with the evidence."""
    tables = corpus.by_role("corrections")
    sheets = tuple(table_sheet(corpus, table, table.spec.columns, None) for table in tables)
    title = tables[0].spec.title if tables else "Corrections"
    texts = tuple(f"{table.spec.definition} {len(table.rows)} rows." for table in tables)
    return AppendixPart("corrections", title, texts, sheets)


def table_sheet(corpus: Study, table: Table, columns: Sequence[Column], group: Column | None) -> LongTable:
    """Return any table in print: the given columns, its titles linked, grouped by a column where one is given."""
    book, spec = corpus.codebook, table.spec
    rows = select_rows(table, (), [group.name], book) if group else table.rows
    printed = [[_text(column, row[spec.position(column.name)], book) for column in columns] for row in rows]
    fields = text_fields([column.label for column in columns], printed, [None] * len(columns))
    cells = [
        tuple(
            PrintedCell(text, link=_address(spec, row) if column.role == "title" else "")
            for column, text in zip(columns, texts, strict=True)
        )
        for row, texts in zip(rows, printed, strict=True)
    ]
    blocks = _grouped(rows, cells, spec, group, book)
    return LongTable(spec.name, spec.title, tuple(fields), blocks)


def _grouped(
    rows: Sequence[Row], cells: Sequence[tuple[PrintedCell, ...]], spec: TableSpec, group: Column | None, book: Codebook
) -> list[Block]:
    if group is None:
        return [Block("", cells)]
    position = spec.position(group.name)
    parts: dict[str, list[tuple[PrintedCell, ...]]] = {}
    for row, line in zip(rows, cells, strict=True):
        parts.setdefault(_text(group, row[position], book), []).append(line)
    return [Block(f"{name} ({len(lines)})", lines) for name, lines in parts.items()]


def _text(column: Column, cell: str, book: Codebook) -> str:
    if column.type != "term":
        return cell
    vocabulary = book.vocabulary_of(column)
    return ", ".join(vocabulary.term(value).label for value in column.values(cell))


def _address(spec: TableSpec, row: Row) -> str:
    column = spec.by_role("url")
    return web_address(row[spec.position(column.name)].partition(" ; ")[0]) if column else ""


def plain_sheet(
    id_: str, title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], notes: tuple[str, ...] = ()
) -> LongTable:
    """Return a table of plain text; addresses in it are linked."""
    held = [tuple(row) for row in rows]
    fields = text_fields(heads, held, [None] * len(heads))
    cells = [tuple(PrintedCell(text, link=web_address(text)) for text in row) for row in held]
    room = len(held) + 7 if len(held) <= 14 else 11
    return LongTable(id_, title, tuple(fields), [Block("", cells)], notes, room=room)
