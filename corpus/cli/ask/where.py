"""`corpus where`."""

from __future__ import annotations

import click

from corpus.cli.options import completing, data_option, echo_report, format_option
from corpus.curation.edit.named_places import NamedPlace, places_of
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data


@click.command()
@click.argument("name", shell_complete=completing("records"))
@format_option("text", "json")
@data_option
def where(name: str, format_: str, data: str | None) -> None:
    """Show every place that names a term, a key or a column, with its line.

    NAME is looked for in codebook, documents and tables, where their readers resolve it as a name,
    and in texts beside the data that print a number about it.
    """
    places = places_of(load_corpus(find_data(data)), name)
    echo_report(
        format_,
        lambda: [_grid(places)],
        json=lambda: json_text({"name": name, "places": [place._asdict() for place in places]}),
    )


def _grid(places: list[NamedPlace]) -> Grid:
    rows = tuple((f"{place.file}:{place.line}", place.where) for place in places)
    return Grid("", ("place", "what"), rows)
