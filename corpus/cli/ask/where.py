"""`corpus where`."""

from __future__ import annotations

import click

from corpus.cli.options import completing, echo_report, format_option, study_option
from corpus.curation.edit.named_places import NamedPlace, places_of
from corpus.model.study import Study
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text


@click.command()
@click.argument("name", shell_complete=completing("records"))
@format_option("text", "json")
@study_option
def where(name: str, format_: str, study: Study) -> None:
    """Show every place that names a term, a key or a column, with its line.

    NAME is looked for in codebook, documents and tables, where their readers resolve it as a name,
    and in texts beside the data that print a number about it.
    """
    places = places_of(study, name)
    echo_report(
        format_,
        lambda: [_grid(places)],
        json=lambda: json_text({"name": name, "places": [place._asdict() for place in places]}),
    )


def _grid(places: list[NamedPlace]) -> Grid:
    rows = tuple((f"{place.file}:{place.line}", place.where) for place in places)
    return Grid("", ("place", "what"), rows)
