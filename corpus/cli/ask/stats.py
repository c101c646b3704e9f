"""`corpus stats`."""

from contextlib import suppress
from functools import partial
from itertools import chain

import click

from corpus.analysis.counting.cutoff import as_of, dated_tables
from corpus.analysis.counting.statistics import (
    Statistics,
    overview,
    prospect_grid,
    statistics_grids,
    statistics_json,
    whole_statistics,
)
from corpus.cli.options import (
    Texts,
    axes_option,
    data_option,
    echo,
    echo_report,
    flag,
    format_option,
    option,
    tell,
    terminal_columns,
    where_option,
)
from corpus.model.codebook import TableSpec
from corpus.model.contingency import Contingency
from corpus.model.filters import parse_filters, unmatched
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.table import Table
from corpus.printing.json_document import json_text
from corpus.tables.documents import read_codebook
from corpus.tables.fast.tally import tally_pool
from corpus.tables.location import file_of, find_data, shown_path

#: The bibliography of more entries is not read for their dates: counting them reads no row either.
_MANY = 20_000


@click.command()
@axes_option("Cross-tabulate two axes, instead of the overview; repeatable.")
@option(
    "--count COLUMN",
    "Count the values of any column, such as year or venue, instead; repeatable.",
    "counted",
    multiple=True,
)
@where_option
@flag("--with-candidates", "Count as if every candidate became an entry.")
@format_option("text", "markdown", "latex", "csv", "json")
@data_option
def stats(
    by: tuple[tuple[str, str], ...],
    counted: Texts,
    where: Texts,
    with_candidates: bool,
    format_: str,
    data: str | None,
) -> None:
    """Count the taxonomy: every axis, shares, any cross-tabulation.

    Every term of the declared vocabulary has a row; terms without entries are shown as 0.
    Shares are of the entries to which an axis applies; the term for "not applicable" has none.
    Candidates are not entries and are counted only by --with-candidates. Of a column
    that is not an axis, --by takes the values that it has.
    """
    if with_candidates and (by or counted or where):
        raise UsageProblem("--with-candidates counts each axis alone; leave out other options")
    statistics = _statistics(data, by, counted, where)
    if with_candidates:
        specs = statistics.book.by_role("candidates")
        if not specs:
            raise UsageProblem("the codebook declares no table of candidates")
        grid = prospect_grid(statistics.margins, _table(find_data(data), specs[0]))
        document = {"with_candidates": grid.records()}
        echo_report(format_, lambda: [grid], json=lambda: json_text(document))
    elif format_ != "text" or by or counted:
        grids = partial(statistics_grids, statistics)
        echo_report(format_, grids, json=lambda: statistics_json(statistics))
    else:
        echo("\n".join(overview(statistics, min(80, terminal_columns() or 80))) + "\n")


def _statistics(
    data: str | None, by: tuple[tuple[str, str], ...], values: Texts, where: Texts
) -> Statistics:
    folder = find_data(data)
    book = read_codebook(folder)
    filters = parse_filters(where, book.pool, book)
    filtered = [one.column.name for one in filters]
    # By name or label; an unknown one is refused, with the nearest.
    asked = [book.pool.column(name).name for name in (*values, *chain.from_iterable(by))]
    columns = tuple(dict.fromkeys((*book.pool.axis_names, *filtered, *asked)))
    counted = Contingency(book, columns, tally_pool(folder, book, columns))
    kept = counted.where(filters)
    if not kept.entries:
        for sentence in unmatched(filters, counted.cells_of):
            tell(sentence)
    if asked:
        kept = kept.with_values(asked)
        tables = [kept.crosstab(*axes) for axes in by]
        return Statistics(book, list(map(kept.margin, values)), tables, None, kept.entries, where)
    if filters:
        # What was excluded has no tags that could be filtered by, and which of the filtered entries
        # are later is not asked.
        upto = as_of(book, (), "cutoff ")
        return Statistics(book, list(kept.margins()), (), None, kept.entries, where, upto)
    logs = [_table(folder, spec) for spec in book.by_role("exclusions")[:1]]
    dated = []
    for spec in dated_tables(book):
        if kept.entries <= _MANY or spec.role == "exclusions":
            with suppress(CorpusError):  # `corpus check` tells what is wrong with it
                dated.append(_table(folder, spec))
    return whole_statistics(kept, logs, as_of(book, dated, "cutoff "))


def _table(folder: str, spec: TableSpec) -> Table:
    # Only a corpus with such tables pays for the reader.
    from corpus.tables.reader import read_table

    path = file_of(folder, spec.file)
    return read_table(path, spec, shown_path(path))
