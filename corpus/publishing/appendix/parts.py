"""The other parts of an appendix, from statistics and definitions to exclusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeGuard

from corpus.analysis.cards.card import Card
from corpus.analysis.claims.evaluate import all_outcomes
from corpus.analysis.counting.identification import identification
from corpus.analysis.counting.report import crosstab_grid
from corpus.analysis.evidence.plan import evidence_plans
from corpus.analysis.evidence.tables import evidence_tables, in_words
from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.model.table import Row, Table, picked
from corpus.printing.escape import web_address
from corpus.printing.grid import Grid, plural
from corpus.publishing.appendix.long_table import (
    FEW,
    AppendixPart,
    Block,
    LongTable,
    PrintedCell,
    PrintedColumn,
    em_width,
    printed_columns,
)
from corpus.publishing.appendix.plan import AppendixColumn, appendix_plan
from corpus.publishing.appendix.pool_table import Printer, grouped, printed_table
from corpus.tables.fast.tally import contingency_of

#: Roles of columns that an exclusion log does not print: the title links to the address, the stage
#: is the heading of a block, and the date interests only curators.
_NOT_PRINTED = {"url", "date", "stage"}


def tables_part(study: Study) -> AppendixPart:
    """Return every table of the corpus with its columns, and what is declared beside the axes.

    These are the groups of terms, and the vocabularies of no axis, such as stages and grades.
    """
    book = study.codebook
    heads = ("Column", "Type", "Required", "Meaning")
    sheets: list[LongTable] = []
    for spec in book.tables.values():
        rows = []
        for column in spec.columns:
            required = _printed(column.required)
            rows.append((column.name, column.type, required, column.definition))
        title = f"{spec.title} ({spec.file})"
        sheets.append(plain_table(spec.name, title, heads, rows, (spec.definition,)))
    axes = {column.vocabulary for column in book.pool.axes}
    for vocabulary in book.vocabularies.values():
        if vocabulary.id not in axes:
            terms = [(term.short, term.label, term.definition) for term in vocabulary.terms]
            notes = (vocabulary.definition,)
            heading = ("Short", "Term", "Meaning")
            sheets.append(plain_table(vocabulary.id, vocabulary.title, heading, terms, notes))
        if vocabulary.groups:
            sheets.append(_groups_table(vocabulary))
    return AppendixPart("tables", "Tables", (), tuple(sheets))


def _groups_table(vocabulary: Vocabulary) -> LongTable:
    labels = vocabulary.labels
    rows: list[tuple[str, ...]] = []
    for group in vocabulary.groups:
        members = ", ".join(labels[term] for term in group.terms)
        rows.append((group.id, group.label, members, group.definition))
    heads = ("Group", "Name", "Terms", "Meaning")
    return plain_table(f"{vocabulary.id}-groups", f"{vocabulary.title}: groups", heads, rows)


def definitions_part(study: Study) -> AppendixPart:
    """Return the meaning of every axis and term, with the number of entries that carry it."""
    heads = ("Term", "Entries", "Meaning")
    blocks: list[Block] = []
    everything: list[tuple[str, ...]] = []
    for margin in contingency_of(study).margins():
        rows: list[tuple[str, ...]] = []
        for term in margin.vocabulary.terms:
            rows.append((term.label, str(margin.of(term.id)), term.definition))
        everything += rows
        heading = f"{margin.column.label}. {margin.column.definition}"
        blocks.append(Block(heading, _plain_cells(rows)))
    title = "Definitions of the tags"
    sheet = LongTable("definitions", title, printed_columns(heads, everything), blocks)
    return AppendixPart("definitions", title, (), (sheet,))


def protocol_part(study: Study) -> AppendixPart:
    """Return the protocol document as tables, one for each list in it; its own texts come first."""
    document = study.documents.get("protocol", {})
    facts: list[str] = []
    remarks: list[str] = []
    sheets: list[LongTable] = []
    for key, content in protocol_items(document):
        if _is_records(content) and _are_stages(content, study):
            continue  # they are counted below, with label and definition
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


def protocol_items(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
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


def _stage_logs(study: Study) -> Iterator[tuple[Table, Column]]:
    """Yield the logs of exclusions with the column of their stages."""
    for table in study.by_role("exclusions"):
        stage = table.spec.by_role("stage")
        # Without a record, no screening was logged.
        if stage is not None and stage.type == "term" and table.rows:
            yield table, stage


def _are_stages(records: Sequence[Mapping[str, Any]], study: Study) -> bool:
    names = {record.get("id") for record in records}
    found = [study.codebook.vocabulary_of(stage).ids for _, stage in _stage_logs(study)]
    return any(names == set(ids) for ids in found)


def _stage_counts(study: Study) -> Iterator[LongTable]:
    """Yield how many records each stage excluded, for the first log that has stages."""
    for table, stage in _stage_logs(study):
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


def statistics_part(study: Study) -> AppendixPart:
    """Return the counts of the axes, each with what it shows, and the cross-tabulations."""
    counted = contingency_of(study)
    facets = appendix_plan(study.codebook).facets
    rows: list[tuple[str, ...]] = []
    for margin in counted.margins():
        labels = margin.vocabulary.labels
        found = [(row.entries, labels[row.term]) for row in margin.rows if row.entries]
        found.sort(key=lambda pair: -pair[0])
        counts = "; ".join(f"{entries} {label}" for entries, label in found)
        rows.append((margin.column.label, counts, facets.get(margin.column.name, "")))
    heads = ("Facet", "Entries", "Interpretation")
    sheets = [plain_table("coverage", "Coverage", heads, rows)]
    for crosstab in study.codebook.crosstabs:
        table = counted.crosstab(crosstab.rows, crosstab.columns)
        sheets.append(_grid_table(crosstab.id, crosstab_grid(table, crosstab.title, labels=True)))
    return AppendixPart("statistics", "Statistics", (), tuple(sheets))


def ledger_part(study: Study) -> AppendixPart:
    """Return the claims of the published ledger as they are today, with the declared evidence.

    Raises
    ------
    CorpusError
        Where the section `[evidence]` or the claims have a mistake.
    """
    plan = appendix_plan(study.codebook)
    rows: list[tuple[str, ...]] = []
    for outcome in all_outcomes(study) if study.documents.get("claims") else ():
        claim = outcome.claim
        if plan.claims in claim.made_in:
            verdict = "holds" if outcome.holds else "does not hold"
            check = f"{verdict}: {outcome.observed}"
            rows.append((claim.statement, check, claim.boundary))
    sheets: list[LongTable] = []
    if rows:
        heads = ("Claim", "Checked in the tables", "Boundary")
        sheets.append(plain_table("claims", "Claims and what they rest on", heads, rows))
    sheets += _evidence_sheets(study, plan.ledger)
    return AppendixPart("ledger", "Ledger of claims", (), tuple(sheets))


def evidence_part(study: Study) -> AppendixPart:
    """Return the evidence tables that the codebook declares for it.

    Raises
    ------
    CorpusError
        Where the section `[evidence]` or the claims have a mistake.
    """
    sheets = _evidence_sheets(study, appendix_plan(study.codebook).evidence)
    return AppendixPart("evidence", "Evidence", (), tuple(sheets))


def _evidence_sheets(study: Study, names: Sequence[str] | None) -> Iterator[LongTable]:
    plans = evidence_plans(study.codebook)
    if names is not None:
        plans = tuple(plan for plan in plans if plan.name in names)
    for table in evidence_tables(study, plans):
        grid = Grid(table.title, table.header, table.rows, wraps=table.texts)
        yield _grid_table(table.name, grid)._replace(notes=table.notes)


def _grid_table(name: str, grid: Grid) -> LongTable:
    notes = (grid.note,) if grid.note else ()
    sheet = plain_table(name, grid.title, grid.header, grid.rows, notes)
    if grid.wraps:
        return sheet
    # Without running text nothing should take the remaining width: the names do not.
    widest = max([em_width(row[0]) for row in grid.rows], default=0.0)
    first = PrintedColumn(grid.header[0], em=round(widest + 0.25, 2))
    fixed = [first, *[None] * (len(grid.header) - 1)]
    return sheet._replace(fields=printed_columns(grid.header, grid.rows, fixed))


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
    fixed = (None, None, None, *(PrintedColumn(label, below=True) for label in labels))
    cells = [
        (*map(PrintedCell, row[:3]), *(PrintedCell(text, below=True) for text in row[3:]))
        for row in rows
    ]
    blocks = [Block("", cells)]
    fields = printed_columns(heads, rows, fixed)
    return LongTable(spec.name, spec.title, fields, blocks, (spec.definition,))


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


def card_part(cards: Sequence[Card]) -> AppendixPart:
    """Return cards as a part of the appendix."""
    return AppendixPart("cards", "Cards", (), tuple(_card_tables(cards)))


def _card_tables(cards: Sequence[Card]) -> Iterator[LongTable]:
    for card in cards:
        rows: list[tuple[PrintedCell, ...]] = []
        if card.summary:
            rows.append((PrintedCell("Contribution"), PrintedCell(card.summary)))
        for line in card.lines:
            rows.append((PrintedCell(line.label), PrintedCell(line.text)))
        address = web_address(card.address)
        if address:
            rows.append((PrintedCell("Address"), PrintedCell(card.address, link=address)))
        widest = max(em_width(label.text) for label, _ in rows)
        # The key is the head of the column of labels, and may break into two lines.
        width = max(widest, em_width(card.key) / 1.6)
        people = ". ".join(filter(None, (card.people.rstrip("."), card.published)))
        fields = (
            PrintedColumn(card.key, em=round(width + 0.35, 2)),
            PrintedColumn(people, share=0.999),
        )
        yield LongTable(card.key, card.title, fields, [Block("", rows)], small=False)


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
    book, spec = study.codebook, table.spec
    printers: list[Printer] = []
    for column in columns:
        words = book.vocabulary_of(column).labels if column.type == "term" else {}
        # Running text at the end of a wide table needs the width of the page.
        below = column is columns[-1] and column.type == "text" and len(columns) > FEW
        shown = AppendixColumn(column.label, (column,), below=below)
        printers.append(Printer(shown, spec, words, links=column.role == "title"))
    groups = [("", list(table.rows))]
    if group:
        cells = zip(table.column(group.name), table.rows, strict=True)
        headed = grouped(cells, group, book)
        groups = [(f"{heading} ({len(rows)})", rows) for heading, rows in headed]
    return printed_table(spec.name, spec.title, printers, groups)


def plain_table(
    id_: str,
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: tuple[str, ...] = (),
) -> LongTable:
    """Return a table of plain text; addresses in it are linked."""
    blocks = [Block("", _plain_cells(rows))]
    return LongTable(id_, title, printed_columns(heads, rows), blocks, notes)


def _plain_cells(rows: Sequence[Sequence[str]]) -> list[tuple[PrintedCell, ...]]:
    return [tuple(PrintedCell(text, link=web_address(text)) for text in row) for row in rows]
