"""The complete pool as one table: grouped, tags abbreviated; compact, or with all columns."""

from collections import defaultdict
from collections.abc import Iterable

from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.counting.entries import select_rows
from corpus.analysis.evidence.tables import in_words
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.publishing.appendix.layout import AppendixColumn, TableChoice, appendix_plan
from corpus.publishing.appendix.long_table import (
    TURNED,
    UPRIGHT,
    UPRIGHT_USUAL,
    AppendixPart,
    printed_table,
    rows_of,
)
from corpus.publishing.figures.figure_plan import NOT_GIVEN

#: The columns of the full layout unless others are chosen, by role; axes and summary follow.
_BEFORE_AXES = ("key", "title", "first_author", "year", "venue")


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
    page = TURNED if choice.turned else UPRIGHT
    if choice.is_compact:
        page = UPRIGHT_USUAL
    sheet = printed_table("pool", spec, columns, book, choice, headed, page)
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
