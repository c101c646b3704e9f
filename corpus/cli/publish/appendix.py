"""`corpus render-appendix`."""

import sys
from collections.abc import Iterable
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
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.printing.typeset import epoch_of, typeset
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
@format_option("latex", "markdown", "html", "pdf")
@flag("--standalone", "Print LaTeX as a whole document.")
@where_option
@output_option("FILE", "Write to FILE, whole or not at all.")
@study_option
def render_appendix(
    parts: Texts, format_: str, standalone: bool, where: Texts, output: str | None, study: Study
) -> None:
    """Print the pool table and the other parts of an appendix.

    LaTeX is a fragment for \\input unless --standalone is given; its header names the packages it
    needs. PDF is made with the LaTeX engine that is installed.
    """
    if format_ == "pdf" and output is None and sys.stdout.isatty():
        raise UsageProblem("a PDF does not go to a terminal; name a file with -o FILE")
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
    is_document = format_ == "pdf" or (standalone and format_ == "latex")
    pieces = appendix_text(appendix, format_, is_document)
    contents: Iterable[bytes] = map(str.encode, pieces)
    if format_ == "pdf":
        contents = [typeset(pieces, epoch_of(appendix.cutoff)).pdf]
    if output is not None:
        write_atomic(output, contents)
    else:
        for content in contents:
            echo_bytes(content)
