"""`corpus search`."""

from __future__ import annotations

import click

from corpus.analysis.counting.search import missing_words, search_study
from corpus.analysis.counting.search_report import search_grids, search_json
from corpus.cli.options import data_option, echo_report, format_option
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--limit",
    default=10,
    show_default=True,
    type=click.IntRange(1),
    help="Show at most this many of each kind.",
)
@format_option("text", "json")
@data_option
def search(text: tuple[str, ...], limit: int, format_: str, data: str | None) -> None:
    """Search entries, excluded records, evidence, claims and terms.

    Every word must be found. A word that is nowhere is taken for one that differs by a typing
    error; such hits are marked. An arXiv id, DOI or address in any form finds its work.
    """
    study = load_corpus(find_data(data))
    query = " ".join(text)
    hits = search_study(study, query, limit)
    if not hits and format_ == "text":
        missing = missing_words(study, query)
        if missing:
            click.echo(f"nothing matches: no text has {', '.join(map(repr, missing))}", err=True)
        else:
            click.echo("nothing has all of these words; fewer or other words may", err=True)
        raise SystemExit(1)
    echo_report(format_, lambda: search_grids(hits, study), json=lambda: search_json(hits))
