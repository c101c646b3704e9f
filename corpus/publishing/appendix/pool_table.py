"""The complete pool as one table: grouped, tags abbreviated."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.counting.entries import select_rows
from corpus.analysis.evidence.tables import in_words
from corpus.model.codebook import Codebook, Column
from corpus.model.filters import Filter
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.publishing.appendix.layout import appendix_plan
from corpus.publishing.appendix.long_table import USUAL, AppendixPart, printed_table, rows_of
from corpus.publishing.figures.figure_plan import NOT_GIVEN


def pool_part(study: Study, filters: Sequence[Filter] = ()) -> AppendixPart:
    """Return the pool as a part of the appendix."""
    book, spec = study.codebook, study.codebook.pool
    plan = appendix_plan(book)
    many = book.corpus["entries"]
    nouns = {1: book.corpus.get("entry", many)}
    counts = []
    headed = []
    for heading, rows in grouped_rows(study, filters):
        number = len(rows)
        if heading:
            counts.append(f"{heading} ({number})")
            heading = f"{heading} ({number} {nouns.get(number, many)})"
        headed.append((heading, rows))
    sheet = printed_table("pool", spec, plan.columns, book, headed, USUAL, is_short=True)
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


def grouped_rows(study: Study, filters: Sequence[Filter]) -> list[tuple[str, list[Row]]]:
    """Return the rows that pass the filters by the heading of their group, in printed order.

    Without a declared group there is a single one without heading.
    """
    book, spec = study.codebook, study.codebook.pool
    plan = appendix_plan(book)
    rows = select_rows(study.pool, filters, plan.sort, book)
    if not plan.group:
        return [("", rows)] if rows else []
    table = study.tables.get(plan.table, study.pool)
    about = table.spec.reference_to(spec) or table.spec.column(table.spec.key[0])
    cells = zip(table.column(about.name), table.column(plan.group), strict=True)
    cell_of: defaultdict[str, str] = defaultdict(str, cells)
    own = map(cell_of.__getitem__, spec.names_of(rows))
    return grouped(zip(own, rows, strict=True), table.spec.column(plan.group), book)


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
