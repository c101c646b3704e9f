"""`corpus list`, `corpus show` and `corpus search`."""

from __future__ import annotations

import json

import click

from corpus.analysis.counting.entries import select_rows
from corpus.analysis.counting.entry_report import (
    entries_grid,
    entries_json,
    entry_json,
    entry_text,
)
from corpus.cli.options import (
    data_option,
    echo,
    echo_plain,
    format_option,
    terminal_columns,
    where_option,
)
from corpus.model.codebook import TableSpec
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from corpus.model.suggestions import unknown
from corpus.printing.grid import Grid, grid_csv, grid_latex, grid_markdown, grid_text
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data


@click.command("list")
@where_option
@click.option(
    "--columns", metavar="A,B,...", help="Show these columns, in this order; 'all' for all of them."
)
@click.option(
    "--sort",
    metavar="A,-B,...",
    default="",
    help="Sort by these columns; a minus sign reverses the order.",
)
@click.option(
    "--table",
    "name",
    metavar="TABLE",
    help="List another table than the pool, such as the exclusion log.",
)
@format_option("text", "markdown", "latex", "csv", "json")
@data_option
def list_entries(
    where: tuple[str, ...],
    columns: str | None,
    sort: str,
    name: str | None,
    format_: str,
    data: str | None,
) -> None:
    """List entries, filtered and sorted."""
    study = load_corpus(find_data(data))
    if name is not None and name not in study.tables:
        raise UsageProblem(unknown("table", name, study.tables))
    table = study.tables[name] if name else study.pool
    spec, book = table.spec, study.codebook
    if columns == "all":
        wanted = list(spec.header)
    elif columns:
        wanted = columns.split(",")
    else:
        wanted = _usual_columns(spec)
    filters = parse_filters(where, spec, book)
    rows = select_rows(table, filters, [part for part in sort.split(",") if part], book)
    if format_ == "json":
        echo(entries_json(spec, rows, wanted), format_)
        return
    result = entries_grid(spec, rows, wanted)
    if format_ == "text":
        echo_plain(grid_text(result, terminal_columns()))
        click.echo(f"{len(rows)} of {len(table.rows)}", err=True)
    else:
        write = {"markdown": grid_markdown, "latex": grid_latex, "csv": grid_csv}[format_]
        echo(write([result]), format_)


def _usual_columns(spec: TableSpec) -> list[str]:
    if spec.role == "pool":
        roles = ("key", "year", "group", "title")
        named = [column.name for column in spec.columns if column.role in roles]
        if named:
            return named
    return list(spec.header[:5])


@click.command()
@click.argument("key")
@format_option("text", "json")
@data_option
def show(key: str, format_: str, data: str | None) -> None:
    """Show one entry with everything known about it.

    That is its tags with their meaning, evidence, corrections and neighbours.
    """
    study = load_corpus(find_data(data))
    entry = study.entry(key)
    if format_ == "json":
        echo(entry_json(study, entry), format_)
    else:
        echo_plain(entry_text(study, entry, terminal_columns() or 80))


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--limit",
    default=10,
    show_default=True,
    type=click.IntRange(1),
    help="Show at most this many entries.",
)
@format_option("text", "json")
@data_option
def search(text: tuple[str, ...], limit: int, format_: str, data: str | None) -> None:
    """Search entries; tolerates typing errors.

    Keys, titles, authors, contributions, notes and identifiers are searched.
    """
    # rapidfuzz is slow to load, and `corpus list` and `corpus show` do without.
    from corpus.analysis.counting.search import search_entries

    study = load_corpus(find_data(data))
    hits = search_entries(study, " ".join(text), limit)
    if format_ == "json":
        echo(json.dumps([hit._asdict() for hit in hits], ensure_ascii=False, indent=2), format_)
        return
    if not hits:
        click.echo("no entry matches; fewer or other words may", err=True)
        raise SystemExit(1)
    rows = tuple(
        (hit.key, study.entry(hit.key).by_role("title"), ", ".join(hit.columns)) for hit in hits
    )
    echo_plain(grid_text(Grid("", ("key", "title", "found in"), rows), terminal_columns()))
