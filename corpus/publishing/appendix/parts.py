"""The other parts of an appendix, from statistics and definitions to exclusions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from corpus.analysis.cards.card import Card
from corpus.analysis.claims.evaluate import all_outcomes
from corpus.analysis.counting.identification import identification
from corpus.analysis.counting.statistics import crosstab_grid
from corpus.analysis.evidence.tables import evidence_plans, evidence_tables
from corpus.analysis.history.versions import flow_by_version
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.printing.grid import Grid, plural
from corpus.printing.latex_grid import em_width
from corpus.publishing.appendix.layout import AppendixColumn, appendix_plan
from corpus.publishing.appendix.long_table import (
    FEW,
    AppendixPart,
    LongTable,
    PrintedColumn,
    long_table,
    printed_table,
)
from corpus.publishing.appendix.pool_table import grouped
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
    sheets = []
    for spec in book.tables.values():
        rows = []
        for column in spec.columns:
            required = _printed(column.required)
            rows.append((column.name, column.type, required, column.definition))
        title = f"{spec.title} ({spec.file})"
        sheets.append(plain_table(spec.name, title, heads, rows, (spec.definition,)))
    of_axes = book.axis_vocabularies.values()
    for vocabulary in book.vocabularies.values():
        if vocabulary not in of_axes:
            terms = [(term.short, term.label, term.definition) for term in vocabulary.terms]
            notes = (vocabulary.definition,)
            heading = ("Short", "Term", "Meaning")
            sheets.append(plain_table(vocabulary.id, vocabulary.title, heading, terms, notes))
        if vocabulary.groups:
            groups = []
            for group in vocabulary.groups:
                members = ", ".join(map(vocabulary.labels.__getitem__, group.terms))
                groups.append((group.id, group.label, members, group.definition))
            of_groups = ("Group", "Name", "Terms", "Meaning")
            name, title = f"{vocabulary.id}-groups", f"{vocabulary.title}: groups"
            sheets.append(plain_table(name, title, of_groups, groups))
    return AppendixPart("tables", "Tables", sheets)


def definitions_part(study: Study) -> AppendixPart:
    """Return the meaning of every axis and term, with the number of entries that carry it."""
    groups = []
    for margin in contingency_of(study).margins():
        rows = [(t.label, str(margin.of(t.id)), t.definition) for t in margin.vocabulary.terms]
        groups.append((f"{margin.column.label}. {margin.column.definition}", rows))
    title = "Definitions of the tags"
    sheet = long_table("definitions", title, ("Term", "Entries", "Meaning"), groups)
    return AppendixPart("definitions", title, [sheet])


def protocol_part(study: Study) -> AppendixPart:
    """Return the protocol document as tables, one for each list in it; its own texts come first."""
    document = study.documents.get("protocol", {})
    stages, counted = _stage_counts(study)
    facts = []
    remarks: list[str] = []
    sheets = []
    for key, content in protocol_items(document):
        if not isinstance(content, list | Mapping):
            if key != "title":
                facts.append(f"{_heading(key)}: {_printed(content)}")
        elif content and isinstance(content, list):
            if not all(isinstance(item, Mapping) for item in content):
                remarks += map(str, content)
            # The stages are counted below, with label and definition.
            elif {record.get("id") for record in content} != stages:
                sheets.append(_records_table(key, content))
    sheets += [*_identified_works(study), *counted]
    about = document.get("protocol", {})
    title = "Search and screening"
    if isinstance(about, Mapping):
        title = str(about.get("title", "")) or title
    paragraphs = []
    if facts:
        paragraphs.append(f"{'; '.join(facts)}.")
    return AppendixPart("protocol", title, sheets, paragraphs, remarks)


def protocol_items(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what a protocol holds, by its keys; each survey divides it as it likes."""
    for name, value in document.items():
        if isinstance(value, Mapping):
            yield from value.items()
        else:
            yield name, value


def _records_table(name: str, records: Sequence[Mapping[str, Any]]) -> LongTable:
    """Return a table with one row per record."""
    keys = list(dict.fromkeys(chain.from_iterable(records)))
    rows = [[_printed(record.get(key, "")) for key in keys] for record in records]
    return plain_table(name, _heading(name), list(map(_heading, keys)), rows)


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
    rows = [(box, meaning, f"{number}") for box, meaning, number in found.boxes()]
    works = found.audited + found.waiting
    note = f"{works} works found: {found.audited} audited and {found.waiting} not decided yet."
    yield plain_table("identified", "Works found", ("Found", "Meaning", "Number"), rows, (note,))
    versions = flow_by_version(study)
    if len(versions.header) > 2:
        yield _grid_table("versions", versions)


def _stage_counts(study: Study) -> tuple[set[str], list[LongTable]]:
    """Return the stages of the first log that has some, and how many records each excluded."""
    for table in study.by_role("exclusions"):
        stage = table.spec.by_role("stage")
        # Without a record, no screening was logged.
        if stage is None or stage.type != "term" or not table.rows:
            continue
        vocabulary = study.codebook.vocabulary_of(stage)
        cells = table.column(stage.name)
        rows = [(t.label, t.definition, str(cells.count(t.id))) for t in vocabulary.terms]
        kept, excluded = len(study.pool.rows), len(cells)
        note = f"{kept} records retained and {excluded} excluded: {kept + excluded} audited."
        heads = (stage.label, "Meaning", "Records")
        sheet = plain_table("screening", "Records excluded", heads, rows, (note,))
        return set(vocabulary.ids), [sheet]
    return set(), []


def statistics_part(study: Study) -> AppendixPart:
    """Return the counts of the axes, each with what it shows, and the cross-tabulations."""
    counted = contingency_of(study)
    facets = appendix_plan(study.codebook).facets
    rows = []
    for margin in counted.margins():
        labels = margin.vocabulary.labels
        found = sorted(margin.rows, key=lambda row: -row.entries)
        counts = "; ".join(f"{row.entries} {labels[row.term]}" for row in found if row.entries)
        rows.append((margin.column.label, counts, facets.get(margin.column.name, "")))
    heads = ("Facet", "Entries", "Interpretation")
    sheets = [plain_table("coverage", "Coverage", heads, rows)]
    for crosstab in study.codebook.crosstabs:
        table = counted.crosstab(crosstab.rows, crosstab.columns)
        sheets.append(_grid_table(crosstab.id, crosstab_grid(table, crosstab.title, labels=True)))
    return AppendixPart("statistics", "Statistics", sheets)


def ledger_part(study: Study) -> AppendixPart:
    """Return the claims of the published ledger as they are today, with the declared evidence.

    Raises
    ------
    CorpusError
        Where the section `[evidence]` or the claims have a mistake.
    """
    plan = appendix_plan(study.codebook)
    rows = []
    outcomes = all_outcomes(study) if study.documents.get("claims") else ()
    for outcome in outcomes:
        claim = outcome.claim
        if plan.claims in claim.made_in:
            verdict = "holds" if outcome.holds else "does not hold"
            rows.append((claim.statement, f"{verdict}: {outcome.observed}", claim.boundary))
    sheets = []
    if rows:
        heads = ("Claim", "Checked in the tables", "Boundary")
        sheets.append(plain_table("claims", "Claims and what they rest on", heads, rows))
    sheets += _evidence_sheets(study, plan.ledger)
    return AppendixPart("ledger", "Ledger of claims", sheets)


def evidence_part(study: Study) -> AppendixPart:
    """Return the evidence tables that the codebook declares for it.

    Raises
    ------
    CorpusError
        Where the section `[evidence]` or the claims have a mistake.
    """
    sheets = _evidence_sheets(study, appendix_plan(study.codebook).evidence)
    return AppendixPart("evidence", "Evidence", list(sheets))


def _evidence_sheets(study: Study, names: Sequence[str] | None) -> Iterator[LongTable]:
    plans = evidence_plans(study.codebook)
    for table in evidence_tables(study, plans):
        if names is None or table.name in names:
            yield _grid_table(table.name, table.grid)._replace(notes=table.notes)


def _grid_table(name: str, grid: Grid) -> LongTable:
    heads: list[str | PrintedColumn] = [*grid.header]
    if not grid.wraps:
        # Without running text nothing should take the remaining width: the names do not.
        widest = max([em_width(row[0]) for row in grid.rows], default=0.0)
        heads[0] = PrintedColumn(grid.header[0], em=round(widest + 0.25, 2))
    return plain_table(name, grid.title, heads, grid.rows, list(filter(None, [grid.note])))


def exclusions_part(study: Study) -> AppendixPart:
    """Return the exclusion log by stage, and the near misses with the tags they would carry."""
    book, title = study.codebook, "Exclusions"
    about = []
    sheets: list[LongTable] = []
    for table in (*study.by_role("exclusions"), *study.by_role("near_misses")):
        spec = table.spec
        about.append(f"{spec.definition} {plural(len(table.rows), 'row')}.".strip())
        if not sheets:
            title = spec.title
        columns = [column for column in spec.columns if column.role not in _NOT_PRINTED]
        shown = [AppendixColumn(column.label, (column,)) for column in columns]
        # Running text at the end of a wide table needs the width of the page.
        if columns[-1].type == "text" and len(columns) > FEW:
            shown[-1] = shown[-1]._replace(below=True)
        groups = [("", list(table.rows))]
        if stage := spec.by_role("stage"):
            cells = zip(table.column(stage.name), table.rows, strict=True)
            headed = grouped(cells, stage, book)
            groups = [(f"{heading} ({len(rows)})", rows) for heading, rows in headed]
        sheets.append(printed_table(spec.name, spec, shown, book, groups))
    return AppendixPart("exclusions", title, sheets, about)


def card_part(cards: Sequence[Card]) -> AppendixPart:
    """Return cards as a part of the appendix."""
    return AppendixPart("cards", "Cards", list(map(_card_table, cards)))


def _card_table(card: Card) -> LongTable:
    rows = [(line.label, line.text) for line in card.lines]
    if card.summary:
        rows.insert(0, ("Contribution", card.summary))
    if web_address(card.address):
        rows.append(("Address", card.address))
    widest = max(em_width(label) for label, _ in rows)
    # The key is the head of the column of labels, and may break into two lines.
    width = max(widest, em_width(card.key) / 1.6)
    people = ". ".join(filter(None, (card.people.rstrip("."), card.published)))
    labels = PrintedColumn(card.key, em=round(width + 0.35, 2))
    heads = (labels, PrintedColumn(people, share=0.999))
    return plain_table(card.key, card.title, heads, rows)._replace(small=False)


def plain_table(
    id_: str,
    title: str,
    heads: Sequence[str | PrintedColumn],
    rows: Sequence[Sequence[str]],
    notes: Sequence[str] = (),
) -> LongTable:
    """Return a table of plain text; addresses in it are linked."""
    return long_table(id_, title, heads, [("", rows)], notes=notes)


#: What makes each part but the pool table and the cards, which take a choice; in print order.
MAKERS: Mapping[str, Callable[[Study], AppendixPart]] = {
    "tables": tables_part,
    "statistics": statistics_part,
    "definitions": definitions_part,
    "protocol": protocol_part,
    "ledger": ledger_part,
    "evidence": evidence_part,
    "exclusions": exclusions_part,
}
