"""`corpus list`, `corpus show` and `corpus search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corpus.cli.options import (
    data_option,
    echo,
    echo_plain,
    format_option,
    terminal_columns,
    where_option,
)

if TYPE_CHECKING:
    from corpus.model.codebook import TableSpec


@click.command("list")
@where_option
@click.option("--columns", metavar="A,B,...", help="Columns to show, in order; all of them with 'all'.")
@click.option("--sort", metavar="A,-B,...", default="", help="Columns to sort by; a minus sign turns the order round.")
@click.option("--table", "name", metavar="TABLE", help="Another table than the pool, such as the exclusion log.")
@format_option("text", "markdown", "latex", "csv", "json")
@data_option
def list_entries(
    where: tuple[str, ...], columns: str | None, sort: str, name: str | None, format_: str, data: str | None
) -> None:
    """List entries: filters, columns, sort."""
    from corpus.analysis.counting.entries import select_rows
    from corpus.analysis.counting.entry_report import entries_grid, entries_json
    from corpus.model.filters import parse_filters
    from corpus.model.finding import UsageProblem
    from corpus.printing import grid
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    corpus = load_corpus(find_data(data))
    if name is not None and name not in corpus.tables:
        raise UsageProblem(f"there is no table {name!r}; the tables are {', '.join(corpus.tables)}")
    table = corpus.tables[name] if name else corpus.pool
    spec, book = table.spec, corpus.codebook
    wanted = list(spec.header) if columns == "all" else columns.split(",") if columns else _usual_columns(spec)
    filters = parse_filters(where, spec, book)
    rows = select_rows(table, filters, [part for part in sort.split(",") if part], book)
    if format_ == "json":
        echo(entries_json(spec, rows, wanted), format_)
        return
    result = entries_grid(spec, rows, wanted)
    if format_ == "text":
        echo_plain(grid.grid_text(result, terminal_columns()))
        click.echo(f"{len(rows)} of {len(table.rows)}", err=True)
    else:
        write = {"markdown": grid.grid_markdown, "latex": grid.grid_latex, "csv": grid.grid_csv}[format_]
        echo(write([result]), format_)


def _usual_columns(spec: TableSpec) -> list[str]:
    roles = [column.name for column in spec.columns if column.role in ("key", "year", "group", "title")]
    return roles if spec.role == "pool" and roles else [column.name for column in spec.columns[:5]]


@click.command()
@click.argument("key")
@format_option("text", "json")
@data_option
def show(key: str, format_: str, data: str | None) -> None:
    """Show one entry with everything known about it: tags with their meaning, evidence, corrections, neighbours."""
    from corpus.analysis.counting.entry_report import entry_json, entry_text
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    corpus = load_corpus(find_data(data))
    entry = corpus.entry(key)
    if format_ == "json":
        echo(entry_json(corpus, entry), format_)
    else:
        echo_plain(entry_text(corpus, entry, terminal_columns() or 80))


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="How many entries at most.")
@format_option("text", "json")
@data_option
def search(text: tuple[str, ...], limit: int, format_: str, data: str | None) -> None:
    """Search keys, titles, authors, contributions, notes and identifiers; tolerates typing errors."""
    import json

    from corpus.analysis.counting.search import search_entries
    from corpus.printing.grid import Grid, grid_text
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    corpus = load_corpus(find_data(data))
    hits = search_entries(corpus, " ".join(text), limit)
    if format_ == "json":
        echo(json.dumps([hit._asdict() for hit in hits], ensure_ascii=False, indent=2), format_)
        return
    if not hits:
        click.echo("no entry matches; fewer or other words may", err=True)
        raise SystemExit(1)
    rows = tuple((hit.key, corpus.entry(hit.key).by_role("title"), ", ".join(hit.columns)) for hit in hits)
    echo_plain(grid_text(Grid("", ("key", "title", "found in"), rows), terminal_columns()))
