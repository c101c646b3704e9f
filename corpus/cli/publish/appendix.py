"""`corpus render-appendix`."""

from itertools import chain

import click

from corpus.cli.options import (
    Texts,
    echo_bytes,
    flag,
    format_option,
    option,
    output_option,
    study_option,
    tell,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.publishing.appendix.appendix import PARTS, appendix_text, make_appendix
from corpus.publishing.export.folder import refuse_own_files
from corpus.tables.writing.atomic import write_atomic


@click.command("render-appendix")
@option(
    "--part",
    "Print this part; repeatable.",
    "parts",
    multiple=True,
    type=click.Choice([*PARTS, "all"]),
    default=("table",),
)
@format_option("latex", "markdown", "html")
@flag("--standalone", "Print LaTeX as a whole document.")
@where_option
@output_option("FILE", "Write to FILE, whole or not at all.")
@study_option
def render_appendix(
    parts: Texts, format_: str, standalone: bool, where: Texts, output: str | None, study: Study
) -> None:
    """Print the pool table and the other parts of an appendix.

    LaTeX is a fragment for \\input unless --standalone is given; its header names the packages it
    needs.
    """
    if output is not None:
        refuse_own_files(study, output)
    spec = study.codebook.pool
    filters = parse_filters(where, spec, study.codebook)
    appendix = make_appendix(study, parts, filters, ("Made by corpus render-appendix.",))
    for sheet in chain.from_iterable(part.sheets for part in appendix.parts):
        if sheet.moved:
            tell(
                f"{sheet.title}: the page is too narrow for {plural(len(sheet.moved), 'column')}, "
                f"which a line below each row has: {', '.join(sheet.moved)}"
            )
            if sheet.id == "pool":
                tell("  choose columns in [[appendix.columns]] of the codebook")
    pieces = appendix_text(appendix, format_, standalone and format_ == "latex")
    if output is not None:
        write_atomic(output, map(str.encode, pieces))
        return
    for piece in pieces:
        echo_bytes(piece.encode())
