"""The other parts of an appendix: tables, definitions, protocol, exclusions, corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeGuard

from corpus.analysis.counting.entries import select_rows
from corpus.analysis.counting.identification import identification
from corpus.analysis.evidence.plan import evidence_plans
from corpus.analysis.evidence.tables import evidence_tables, in_words
from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.model.table import Row, Table, picked, row_picker
from corpus.printing.escape import web_address
from corpus.printing.grid import plural
from corpus.publishing.appendix.long_table import (
    AppendixPart,
    Block,
    LongTable,
    PrintedCell,
    PrintedColumn,
    em_width,
    printed_columns,
)
from corpus.publishing.appendix.pool_table import first_address, group_heading
from corpus.tables.fast.tally import contingency_of

#: Lines that a table needs on a page: a short one all of its rows with its head, a long one a few.
_WHOLE_TABLE, _HEAD_LINES, _FEW_LINES = 14, 7, 11

#: Roles of columns that an exclusion log does not print: the title links to the address, the stage
#: is the heading of a block, and the date interests only curators.
_NOT_PRINTED = {"url", "date", "stage"}


def tables_part(study: Study) -> AppendixPart:
    """Return every table of the corpus with its columns and what each of them holds."""
    heads = ("Column", "Type", "Required", "Meaning")
    sheets: list[LongTable] = []
    for spec in study.codebook.tables.values():
        rows = []
        for column in spec.columns:
            required = _printed(column.required)
            rows.append((column.name, column.type, required, column.definition))
        title = f"{spec.title} ({spec.file})"
        sheets.append(plain_table(spec.name, title, heads, rows, (spec.definition,)))
    return AppendixPart("tables", "Tables", (), tuple(sheets))


def definitions_part(study: Study) -> AppendixPart:
    """Return the meaning of every axis and term, with the number of entries that carry it."""
    sheets = [*_axis_tables(study), *_other_vocabularies(study.codebook)]
    return AppendixPart("definitions", "Definitions of the tags", (), tuple(sheets))


def _axis_tables(study: Study) -> Iterator[LongTable]:
    counted = contingency_of(study)
    heads = ("Short", "Term", "Meaning", "Entries")
    for margin in counted.margins():
        column = margin.column
        vocabulary = margin.vocabulary
        rows = []
        for term in vocabulary.terms:
            entries = str(margin.of(term.id))
            rows.append((term.short, term.label, term.definition, entries))
        yield plain_table(column.name, column.label, heads, rows, (column.definition,))
        if vocabulary.groups:
            yield _groups_table(vocabulary, column)


def _groups_table(vocabulary: Vocabulary, column: Column) -> LongTable:
    labels = vocabulary.labels
    rows: list[tuple[str, ...]] = []
    for group in vocabulary.groups:
        members = ", ".join(labels[term] for term in group.terms)
        rows.append((group.id, group.label, members, group.definition))
    heads = ("Group", "Name", "Terms", "Meaning")
    return plain_table(f"{column.name}-groups", f"{column.label}: groups", heads, rows)


def _other_vocabularies(book: Codebook) -> Iterator[LongTable]:
    """Yield the vocabularies that no axis of the pool uses, such as stages and grades."""
    used = {column.vocabulary for column in book.pool.axes}
    heads = ("Short", "Term", "Meaning")
    for vocabulary in book.vocabularies.values():
        if vocabulary.id not in used:
            rows = [(term.short, term.label, term.definition) for term in vocabulary.terms]
            notes = (vocabulary.definition,)
            yield plain_table(vocabulary.id, vocabulary.title, heads, rows, notes)


def protocol_part(study: Study) -> AppendixPart:
    """Return the protocol document as tables, one for each list in it; its own texts come first."""
    document = study.documents.get("protocol", {})
    facts: list[str] = []
    remarks: list[str] = []
    sheets: list[LongTable] = []
    for key, content in _protocol_items(document):
        if _is_records(content):
            sheets.append(_records_table(key, content))
        elif isinstance(content, list):
            remarks += map(str, content)
        elif key != "title" and not isinstance(content, Mapping):
            facts.append(f"{_heading(key)}: {_printed(content)}")
    sheets += _identified_works(study)
    sheets += _stage_counts(study)
    about = document.get("protocol", {})
    title = str(about.get("title", "")) if isinstance(about, Mapping) else ""
    paragraphs = ("; ".join(facts) + ".",) if facts else ()
    return AppendixPart(
        "protocol", title or "Search and screening", paragraphs, tuple(sheets), tuple(remarks)
    )


def _protocol_items(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what a protocol holds, by its keys; each survey divides it as it likes."""
    for name, value in document.items():
        section = value if isinstance(value, Mapping) else {name: value}
        yield from section.items()


def _is_records(value: object) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, Mapping) for item in value)


def _records_table(name: str, records: Sequence[Mapping[str, Any]]) -> LongTable:
    """Return a table with one row per record; a yes or no that all of them share becomes a note."""
    heads: list[str] = []
    columns: list[list[str]] = []
    notes: list[str] = []
    for key in dict.fromkeys(chain.from_iterable(records)):
        heading = _heading(key)
        values = [record.get(key, "") for record in records]
        first = values[0]
        is_shared = len(values) > 1 and all(value is first for value in values)
        if is_shared and isinstance(first, bool):
            notes.append(f"{heading}: {_printed(first)} for all.")
        else:
            heads.append(heading)
            columns.append([_printed(value) for value in values])
    rows = list(zip(*columns, strict=True))
    return plain_table(name, _heading(name), heads, rows, tuple(notes))


def _printed(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value)


def _heading(name: str) -> str:
    if name in ("id", "url", "doi"):
        return name.upper()
    return name.replace("_", " ").capitalize()


def _identified_works(study: Study) -> Iterator[LongTable]:
    """Yield how the works were found; nothing where no search, list or candidate is recorded."""
    found = identification(study)
    if not found.is_recorded:
        return
    rows = [
        (
            f"Records from {source.source}",
            f"retrieved in {plural(source.runs, 'run')}",
            source.records,
        )
        for source in found.sources
    ]
    if found.sources:
        rows.append(
            ("Known or repeated", "records of works that were found before", found.duplicates)
        )
        rows.append(("Found by searches", "works that were new", found.new))
    rows += [
        ("Found in lists of others", "works that fit the inclusion rules", found.listed),
        ("Found in other ways", "before searches were logged, or by hand", found.otherwise),
        ("Not decided yet", "works that are candidates", found.waiting),
    ]
    cells = [(name, meaning, str(number)) for name, meaning, number in rows]
    works = found.audited + found.waiting
    note = f"{works} works found: {found.audited} audited and {found.waiting} not decided yet."
    yield plain_table("identified", "Works found", ("Found", "Meaning", "Number"), cells, (note,))


def _stage_counts(study: Study) -> Iterator[LongTable]:
    """Yield how many records each stage excluded, for the first log that has stages."""
    for table in study.by_role("exclusions"):
        stage = table.spec.by_role("stage")
        # Without a record, no screening was logged.
        if stage is None or stage.type != "term" or not table.rows:
            continue
        cells = table.column(stage.name)
        rows = []
        for term in study.codebook.vocabulary_of(stage).terms:
            records = str(cells.count(term.id))
            rows.append((term.label, term.definition, records))
        kept = len(study.pool.rows)
        excluded = len(cells)
        note = f"{kept} records retained and {excluded} excluded: {kept + excluded} audited."
        heads = (stage.label, "Meaning", "Records")
        yield plain_table("screening", "Records excluded", heads, rows, (note,))
        return


def evidence_part(study: Study) -> AppendixPart:
    """Return the evidence tables that the codebook declares.

    Raises
    ------
    CorpusError
        Where the section `[evidence]` or the claims have a mistake.
    """
    sheets: list[LongTable] = []
    for table in evidence_tables(study, evidence_plans(study.codebook)):
        sheet = plain_table(table.name, table.title, table.header, table.rows, table.notes)
        if not table.texts:
            # Without running text nothing should take the remaining width: the names do not.
            widest = max([em_width(row[0]) for row in table.rows], default=0.0)
            name = PrintedColumn(table.header[0], em=round(widest + 0.25, 2))
            sheet = sheet._replace(fields=(name, *sheet.fields[1:]))
        sheets.append(sheet)
    return AppendixPart("evidence", "Evidence", (), tuple(sheets))


def exclusions_part(study: Study) -> AppendixPart:
    """Return the exclusion log by stage, and the near misses with the tags they would carry."""
    logs = study.by_role("exclusions")
    sheets: list[LongTable] = []
    for table in logs:
        columns = [column for column in table.spec.columns if column.role not in _NOT_PRINTED]
        sheets.append(data_table(study, table, columns, table.spec.by_role("stage")))
    for table in study.by_role("near_misses"):
        sheets.append(_near_misses(study, table))
    return AppendixPart("exclusions", _title(logs, "Exclusions"), _sizes(logs), tuple(sheets))


def corrections_part(study: Study) -> AppendixPart:
    """Return every cell that differs from the published snapshot, with the evidence."""
    tables = study.by_role("corrections")
    sheets = [data_table(study, table, table.spec.columns, None) for table in tables]
    return AppendixPart("corrections", _title(tables, "Corrections"), _sizes(tables), tuple(sheets))


def _title(tables: Sequence[Table], usual: str) -> str:
    return tables[0].spec.title if tables else usual


def _sizes(tables: Sequence[Table]) -> tuple[str, ...]:
    sizes: list[str] = []
    for table in tables:
        rows = plural(len(table.rows), "row")
        sizes.append(f"{table.spec.definition} {rows}.".strip())
    return tuple(sizes)


def _near_misses(study: Study, table: Table) -> LongTable:
    """Join the near misses with their titles; the tags they would carry share one cell."""
    spec = table.spec
    key_column = spec.column(spec.key[0])
    texts = [column for column in spec.columns if column.type == "text"]
    positions = [spec.position(column.name) for column in texts]
    titles = _titles(study, spec)
    rows: list[tuple[str, ...]] = []
    for key, row in zip(table.column(key_column.name), table.rows, strict=True):
        tags = "; ".join(_tags(row, spec, study.codebook))
        rows.append((key, titles.get(key, ""), tags, *picked(row, positions)))
    labels = [column.label for column in texts]
    heads = (key_column.label, "Title", "Would be", *labels)
    return plain_table(spec.name, spec.title, heads, rows, (spec.definition,))


def _tags(row: Row, spec: TableSpec, book: Codebook) -> Iterator[str]:
    for position, column, vocabulary in book.term_columns(spec):
        cell = row[position]
        if cell not in ("", vocabulary.not_applicable):
            yield f"{column.label}: {in_words(column, cell, book)}"


def _titles(study: Study, spec: TableSpec) -> dict[str, str]:
    """Return the titles of the records that the key column of `spec` refers to, by their keys."""
    target = study.tables.get(spec.column(spec.key[0]).references)
    title = target.spec.by_role("title") if target else None
    if target is None or title is None:
        return {}
    keys = target.column(target.spec.key[0])
    titles = target.column(title.name)
    return dict(zip(keys, titles, strict=True))


def data_table(
    study: Study, table: Table, columns: Sequence[Column], group: Column | None
) -> LongTable:
    """Return any table in print: the given columns, titles linked, grouped where asked for.

    Parameters
    ----------
    study : Study
        Gives the vocabularies.
    table : Table
        The rows.
    columns : sequence of Column
        What to print of each row.
    group : Column, optional
        The rows of each value of this column get a heading of their own.
    """
    book = study.codebook
    spec = table.spec
    rows = table.rows
    if group:
        rows = select_rows(table, (), [group.name], book)
    url = spec.by_role("url")
    pick = row_picker([spec.position(column.name) for column in columns])
    lines: list[tuple[PrintedCell, ...]] = []
    for row in rows:
        address = ""
        if url is not None:
            address = first_address(row[spec.position(url.name)])
        cells: list[PrintedCell] = []
        for column, cell in zip(columns, pick(row), strict=True):
            link = address if column.role == "title" else ""
            cells.append(PrintedCell(in_words(column, cell, book), link))
        lines.append(tuple(cells))
    heads = [column.label for column in columns]
    fields = printed_columns(heads, _texts(lines))
    return LongTable(spec.name, spec.title, fields, _blocks(rows, lines, spec, group, book))


def _blocks(
    rows: Sequence[Row],
    lines: Sequence[tuple[PrintedCell, ...]],
    spec: TableSpec,
    group: Column | None,
    book: Codebook,
) -> list[Block]:
    if group is None:
        return [Block("", lines)]
    position = spec.position(group.name)
    grouped: dict[str, list[tuple[PrintedCell, ...]]] = {}
    for row, line in zip(rows, lines, strict=True):
        heading = group_heading(group, row[position], book)
        grouped.setdefault(heading, []).append(line)
    return [Block(f"{name} ({len(members)})", members) for name, members in grouped.items()]


def _texts(lines: Iterable[Sequence[PrintedCell]]) -> Iterator[list[str]]:
    for line in lines:
        yield [cell.text for cell in line]


def plain_table(
    id_: str,
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: tuple[str, ...] = (),
) -> LongTable:
    """Return a table of plain text; addresses in it are linked."""
    lines: list[tuple[PrintedCell, ...]] = []
    for row in rows:
        lines.append(tuple(PrintedCell(text, link=web_address(text)) for text in row))
    needed_lines = _FEW_LINES
    if len(rows) <= _WHOLE_TABLE:
        needed_lines = len(rows) + _HEAD_LINES
    columns = printed_columns(heads, rows)
    blocks = [Block("", lines)]
    return LongTable(id_, title, columns, blocks, notes, needed_lines=needed_lines)
