"""`corpus render-appendix`."""

import sys
from collections.abc import Iterable
from itertools import chain

import click

from corpus.cli.options import (
    Texts,
    completing,
    echo_bytes,
    flag,
    format_option,
    names_in,
    option,
    output_option,
    study_option,
    tell,
    template_option,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.printing.typeset import epoch_of, typeset
from corpus.publishing.appendix.appendix import PARTS, appendix_text, chosen_cards, make_appendix
from corpus.publishing.appendix.author_template import fill_appendix
from corpus.publishing.appendix.layout import TableChoice
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
@option(
    "--sort NAMES",
    "Sort within groups by these columns; -NAME reverses.",
    default="",
    shell_complete=completing("columns"),
)
@template_option("Fill this jinja2 template instead of the built-in one.")
@output_option("FILE", "Write to FILE, whole or not at all.")
@study_option
def render_appendix(
    parts: Texts,
    format_: str,
    standalone: bool,
    where: Texts,
    sort: str,
    template: str | None,
    output: str | None,
    study: Study,
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
    choice = TableChoice(parse_filters(where, spec, study.codebook), names_in(sort))
    origin = ("Made by corpus render-appendix.",)
    appendix = make_appendix(study, parts, choice, origin)
    for sheet in chain.from_iterable(part.sheets for part in appendix.parts):
        if sheet.moved:
            tell(
                f"{sheet.title}: the page is too narrow for {plural(len(sheet.moved), 'column')}, "
                f"which a line below each row has: {', '.join(sheet.moved)}"
            )
            if sheet.id == "pool":
                tell("  choose columns in [[appendix.columns]] of the codebook")
    pieces: Iterable[str]
    if template is not None:
        pieces = [
            fill_appendix(template, format_, study, appendix, chosen_cards(study, choice), choice)
        ]
    else:
        pieces = appendix_text(
            appendix, format_, format_ == "pdf" or (standalone and format_ == "latex")
        )
    contents: Iterable[bytes] = map(str.encode, pieces)
    if format_ == "pdf":
        contents = [typeset(pieces, epoch_of(appendix.cutoff)).pdf]
    if output is not None:
        write_atomic(output, contents)
    else:
        for content in contents:
            echo_bytes(content)
