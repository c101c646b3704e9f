"""The complete pool as one table: grouped, tags abbreviated; compact, or with all columns."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.counting.entries import select_rows
from corpus.analysis.evidence.tables import in_words
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.filters import Filter
from corpus.model.identifiers import arxiv_page, split_addresses
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import web_address
from corpus.publishing.appendix.long_table import (
    SAMPLE,
    SHORT,
    AppendixPart,
    Legend,
    LongTable,
    PrintedCell,
    PrintedColumn,
    em_width,
    long_table,
    longest_word,
    rows_of,
    term_column,
)
from corpus.publishing.appendix.plan import AppendixColumn, appendix_plan
from corpus.publishing.figures.plan import NOT_GIVEN

#: The columns of the full layout unless others are chosen, by role; axes and summary follow.
_BEFORE_AXES = ("key", "title", "first_author", "year", "venue")

#: A longer key breaks, in em.
_WIDEST_KEY = 12.5

#: What a term that means "not applicable" is in the compact layout.
_DASH = "–"


class TableChoice(NamedTuple):
    """What a pool table shows: the columns, the entries, the order.

    `columns` is empty for the usual ones; entries must pass all `filters`. The `full` layout has a
    column of its own for everything, and its terms by their short forms where `abbreviated`; the
    compact one is declared in the codebook.
    """

    columns: Sequence[str] = ()
    filters: Sequence[Filter] = ()
    sort: Sequence[str] = ()
    abbreviated: bool = True
    full: bool = False

    @property
    def is_compact(self) -> bool:
        """Whether the table is the one that the codebook declares."""
        return not (self.full or self.columns)


def pool_part(study: Study, choice: TableChoice) -> AppendixPart:
    """Return the pool as a part of the appendix.

    Raises
    ------
    UsageProblem
        Where the pool has no such column.
    """
    book, spec = study.codebook, study.codebook.pool
    plan = appendix_plan(book)
    columns = list(plan.columns)
    if not choice.is_compact:
        chosen = list(map(spec.column, choice.columns)) or usual_columns(spec)
        columns = [AppendixColumn(column.label, (column,)) for column in chosen]
    many = book.corpus["entries"]
    nouns = {1: book.corpus.get("entry", many)}
    counts = []
    headed = []
    for heading, rows in grouped_rows(study, choice):
        number = len(rows)
        if heading:
            counts.append(f"{heading} ({number})")
            heading = f"{heading} ({number} {nouns.get(number, many)})"
        headed.append((heading, rows))
    sheet = printed_table("pool", spec, columns, book, choice, headed)
    if choice.is_compact:
        after = [plan.note] if plan.note else []
        if counts:
            after.insert(0, f"{many.capitalize()} by group: {', '.join(counts)}.")
        sheet = sheet._replace(small=False, after=after)
    # What a row is, how many are shown, and as of when.
    total, shown = len(study.pool.rows), len(rows_of(headed))
    size = f"{total} {many}"
    if shown != total:
        size = f"{shown} of {size}"
    about = ", ".join(filter(None, [size, as_of_study(study)]))
    return AppendixPart("table", spec.title, [sheet], (f"{spec.definition} {about}.".strip(),))


def grouped_rows(study: Study, choice: TableChoice) -> list[tuple[str, list[Row]]]:
    """Return the rows that pass the filters by the heading of their group, in printed order.

    Within a group they are sorted as chosen, else as declared. The compact layout is grouped as the
    codebook declares, the full one by the column of role ``group``; without one there is a single
    group without heading.
    """
    book, spec = study.codebook, study.codebook.pool
    plan = appendix_plan(book)
    rows = select_rows(study.pool, choice.filters, choice.sort or plan.sort, book)
    table, group = study.pool, spec.by_role("group")
    if choice.is_compact and plan.group:
        table = study.tables.get(plan.table, table)
        group = table.spec.column(plan.group)
    if group is None:
        return [("", rows)] if rows else []
    about = table.spec.reference_to(spec) or table.spec.column(table.spec.key[0])
    cells = zip(table.column(about.name), table.column(group.name), strict=True)
    cell_of: defaultdict[str, str] = defaultdict(str, cells)
    own = map(cell_of.__getitem__, spec.names_of(rows))
    return grouped(zip(own, rows, strict=True), group, book)


def grouped(
    rows: Iterable[tuple[str, Row]], group: Column, book: Codebook
) -> list[tuple[str, list[Row]]]:
    """Return rows, each given with its cell, by the heading of their group: in declared order."""
    found: dict[str, list[Row]] = {}
    for cell, row in rows:
        found.setdefault(cell, []).append(row)
    made = []
    # Cells without a label come last, and behind them the empty one.
    for cell in dict.fromkeys([*book.terms_of(group), *filter(None, sorted(found)), ""]):
        if cell in found:
            made.append((in_words(group, cell, book) or NOT_GIVEN, found[cell]))
    return made


def usual_columns(spec: TableSpec) -> list[Column]:
    """Return the columns of the full layout.

    They are key, title, first author, year, venue, the axes without the grouping one, the summary;
    all columns where the pool has fewer than two of them.
    """
    chosen = list(map(spec.by_role, _BEFORE_AXES))
    chosen += [column for column in spec.axes if column.role != "group"]
    chosen.append(spec.by_role("summary"))
    found = list(dict.fromkeys(filter(None, chosen)))
    return found if len(found) > 1 else list(spec.columns)


class Printer:
    """One printed column: its head, and what it prints of a row.

    Parameters
    ----------
    shown : AppendixColumn
        The column.
    spec : TableSpec
        Of the table.
    book : Codebook
        Gives the words for the terms.
    choice : TableChoice
        Whether terms have their short forms.
    links : bool
        Whether the cell leads to the address of its row.
    """

    def __init__(
        self,
        shown: AppendixColumn,
        spec: TableSpec,
        book: Codebook,
        choice: TableChoice,
        links: bool,
    ) -> None:
        self.shown = shown
        #: Whether LaTeX cites the cell.
        self.cites = spec is book.pool and shown.role == "key" and not choice.is_compact
        #: Term -> how it is printed, and what is printed otherwise than by its label.
        self.words: dict[str, str] = {}
        self.legend: list[tuple[str, str]] = []
        for column in shown.columns:
            if column.type != "term":
                continue
            vocabulary = book.vocabulary_of(column)
            for term in vocabulary.terms:
                word = term.label
                if choice.is_compact and term.id == vocabulary.not_applicable:
                    word = _DASH
                elif choice.is_compact or choice.abbreviated:
                    word = shown.short.get(term.id, term.short)
                self.words[term.id] = word
                if word != term.label:
                    self.legend.append((word, term.label))
        self.columns = [(spec.position(column.name), column) for column in shown.columns]
        url = spec.by_role("url")
        self.url = spec.position(url.name) if url and links else None

    def head(self, rows: Sequence[Row]) -> str | PrintedColumn:
        """Return the head, with a width where the cells of the rows do not decide on it alone."""
        heading = self.shown.heading
        if self.shown.below:
            return PrintedColumn(heading, below=True)
        if self.cites:
            # A citation such as [84]: brackets and the digits of the largest number.
            characters = max(4, len(str(len(rows))) + 2)
            return PrintedColumn("Ref.", em=0.6 + 0.53 * characters)
        if self.shown.role == "key":
            widest = max([em_width(self.cell(row).text) for row in rows[:SAMPLE]], default=0.0)
            # Heads are bold.
            width = max(min(widest, _WIDEST_KEY), 1.1 * longest_word(heading))
            return PrintedColumn(heading, em=round(width + 0.25, 2))
        if self.words and max(map(len, self.words.values())) <= SHORT // 2:
            return term_column(heading, self.words.values())
        return heading

    def cell(self, row: Row) -> PrintedCell:
        """Return the printed cell of a row."""
        texts: list[str] = []
        for position, column in self.columns:
            cell = row[position]
            if column.type == "term":
                cell = ", ".join(self.words.get(value, value) for value in column.values(cell))
            elif column.role == "first_author":
                cell = cell.partition(",")[0]
            elif texts:
                # A venue does not repeat its year.
                cell = " ".join(word for word in cell.split() if word not in texts)
            texts += filter(None, [cell])
        text = " / ".join(texts)
        if self.cites:
            return PrintedCell(text, cite=text)
        link = text
        if self.columns[0][1].type == "arxiv":
            link = text and arxiv_page(text)
        elif self.url is not None:
            link = split_addresses(row[self.url])[0]
        return PrintedCell(text, web_address(link) or web_address(text), below=self.shown.below)


def printed_table(
    id_: str,
    spec: TableSpec,
    columns: Sequence[AppendixColumn],
    book: Codebook,
    choice: TableChoice,
    groups: Sequence[tuple[str, list[Row]]],
) -> LongTable:
    """Return a table of some columns, its rows under the headings of their groups.

    The title of a row leads to its address, or its key where the table shows no titles.
    """
    linked = "title" if "title" in [shown.role for shown in columns] else "key"
    printers = [Printer(shown, spec, book, choice, shown.role == linked) for shown in columns]
    rows = rows_of(groups)

    def cells(row: Row) -> tuple[PrintedCell, ...]:
        return tuple([printer.cell(row) for printer in printers])

    legends = []
    for printer in printers:
        if printer.legend:
            legends.append(Legend(printer.shown.heading, printer.legend))
    heads = [printer.head(rows) for printer in printers]
    sheet = long_table(id_, spec.title, heads, groups, cells)
    return sheet._replace(legends=legends)
