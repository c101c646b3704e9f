"""`corpus list`, `corpus show` and `corpus search`."""

import click

from corpus.analysis.cards.card import card_text, cards
from corpus.analysis.counting.entries import (
    brief_text,
    entries_grid,
    record_json,
    record_text,
    select_rows,
    usual_columns,
)
from corpus.analysis.counting.records import find_record
from corpus.analysis.counting.search import search_grids, search_json, search_lines, search_study
from corpus.cli.options import (
    Texts,
    completing,
    echo,
    echo_grids,
    echo_report,
    flag,
    format_option,
    names_in,
    option,
    study_option,
    tell,
    terminal_columns,
    where_option,
)
from corpus.model.filters import parse_filters, unmatched
from corpus.model.finding import refuse_unknown
from corpus.model.study import Study
from corpus.printing.escape import terminal
from corpus.printing.grid import wrapped
from corpus.printing.json_document import json_text


@click.command("list")
@where_option
@option(
    "--columns A,B,...",
    "Show these columns, in this order; 'all' for all of them.",
    shell_complete=completing("columns"),
)
@option(
    "--sort A,-B,...",
    "Sort by these columns; a minus sign reverses the order.",
    default="",
    shell_complete=completing("columns"),
)
@option("--table TABLE", "List another table than the pool, such as the exclusion log.", "name")
@format_option("text", "markdown", "latex", "csv", "json")
@study_option
def list_entries(
    where: Texts, columns: str | None, sort: str, name: str | None, format_: str, study: Study
) -> None:
    """List entries, filtered and sorted.

    Where the columns do not fit the terminal, each entry is a block of lines.
    """
    name = study.pool.spec.name if name is None else name
    refuse_unknown("table", [name], study.tables)
    table = study.tables[name]
    spec = table.spec
    book = study.codebook
    if columns == "all":
        wanted = list(spec.header)
    elif columns:
        wanted = names_in(columns)
    else:
        wanted = usual_columns(spec)
    filters = parse_filters(where, spec, book)
    rows = select_rows(table, filters, names_in(sort), book)
    result = entries_grid(spec, rows, wanted)
    echo_report(format_, lambda: [result], json=lambda: json_text(result.records()))
    if format_ == "text":
        # To stderr: a list that is piped on has entries alone.
        tell(f"{len(rows)} of {len(table.rows)}")
        if not rows:
            for sentence in unmatched(filters, table.column):
                tell(sentence)


@click.command()
@click.argument("name", metavar="NAME", shell_complete=completing("keys"))
@flag("--all", "Show what every table has about the entry.", "all_")
@format_option("text", "json")
@study_option
def show(name: str, all_: bool, format_: str, study: Study) -> None:
    """Show one entry or excluded record with everything known about it.

    NAME is its key or number, its title, or an identifier in any form: an arXiv id, a DOI, an
    address. Of an entry that is its card and tags, and with --all the meaning of its tags,
    evidence, corrections and neighbours; of an excluded record the stage, the reason and what it
    would have been. JSON has everything.
    """
    record = find_record(study, name)
    width = terminal_columns() or 80
    if format_ == "json":
        echo(record_json(study, record), format_)
        return
    parts = []
    if not record.is_excluded:
        (card,) = cards(study, (record.key,))
        parts.append(card_text(card, width))
    if record.is_excluded or all_:
        parts.append(record_text(study, record, width))
    else:
        parts.append(brief_text(record, width))
    echo("\n".join(parts))


@click.command()
@click.argument("text", nargs=-1, required=True)
@option("--limit", "Show at most this many of each kind.", default=5, type=click.IntRange(1))
@flag("--all", "Search candidates and other people's lists, too.", "everything")
@format_option("text", "json")
@study_option
def search(text: Texts, limit: int, everything: bool, format_: str, study: Study) -> None:
    """Answer a question in words.

    Claims that answer it come first, then terms with their entries, entries, excluded records and
    evidence. Of a venue, year, institution or author, entries come first. Words such as "which" and
    "the" are ignored, and any two of the others suffice, in any ending. Words that are nowhere are
    named with the nearest terms. An arXiv id, DOI or address in any form finds its work.
    """
    found = search_study(study, " ".join(text), limit, everything)
    if format_ == "json":
        echo(search_json(found), format_)
        return
    width = terminal_columns() or 80
    lines = search_lines(found, study)
    for head, line in lines:
        for part in wrapped(terminal(line), width - 9):
            echo(f"{head:9}{part}\n")
            head = ""
    if not found.hits:
        tell("nothing matches")
        raise SystemExit(1)
    echo("\n" * bool(lines))
    echo_grids(search_grids(found.hits, study), width)
