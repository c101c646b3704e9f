"""`corpus render-appendix`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from corpus.cli.options import data_option, echo_bytes, format_option, output_option, where_option

if TYPE_CHECKING:
    from corpus.model.study import Study
    from corpus.publishing.appendix.pool_table import TableChoice

_PARTS = ("table", "tables", "definitions", "protocol", "exclusions", "corrections", "all")


@click.command("render-appendix")
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(_PARTS),
    default=("table",),
    show_default=True,
    help="What to print; repeatable.",
)
@format_option("latex", "markdown", "html", "pdf")
@click.option("--standalone", is_flag=True, help="LaTeX: a whole document instead of a fragment to \\input.")
@click.option("--columns", metavar="NAMES", help="Columns of the pool table, separated by commas.")
@where_option
@click.option("--sort", metavar="NAMES", help="Sort within groups by these columns; -NAME sorts downwards.")
@click.option("--template", metavar="FILE", type=click.Path(), help="Fill an own jinja2 template instead.")
@output_option(metavar="FILE", help="Write to FILE, whole or not at all.")
@data_option
def render_appendix(
    parts: tuple[str, ...],
    format_: str,
    standalone: bool,
    template: str | None,
    output: str | None,
    data: str | None,
    **table: Any,
) -> None:
    """Print the complete pool table and the other parts of an appendix.

    LaTeX is a fragment for \\input unless --standalone is given; its header names the packages it needs. PDF is made
    with the LaTeX engine that is installed.
    """
    from corpus.publishing.appendix.appendix import WRITERS, appendix_latex, make_appendix
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    if format_ == "pdf" and output is None and sys.stdout.isatty():
        raise click.UsageError("a PDF does not go to a terminal; name a file with -o FILE")
    corpus = load_corpus(find_data(data))
    choice = _choice(corpus, **table)._replace(abbreviated=format_ in ("latex", "pdf"))
    whole = standalone or format_ == "pdf"
    appendix = make_appendix(corpus, parts, choice, ("Made by corpus render-appendix.",), references=whole)
    pieces: Iterable[str]
    if template is not None:
        from corpus.publishing.appendix.author_template import fill_appendix

        pieces = (fill_appendix(template, format_, corpus, appendix, choice),)
    elif format_ in ("latex", "pdf"):
        pieces = appendix_latex(appendix, whole)
    else:
        pieces = WRITERS[format_](appendix)
    lacking: set[str] = set()
    if format_ in ("latex", "pdf"):
        pieces = _noting(pieces, lacking)
    if format_ == "pdf":
        from corpus.printing.typeset import epoch_of, typeset

        _write(typeset(pieces, epoch_of(appendix.cutoff)).pdf, output)
    else:
        _write(pieces, output)
    if lacking:
        _say_codes(sorted(lacking))


def _noting(pieces: Iterable[str], lacking: set[str]) -> Iterator[str]:
    """Hand LaTeX on, and note the letters that it prints as codes."""
    from corpus.printing.latex import coded

    for piece in pieces:
        lacking |= coded(piece)
        yield piece


def _say_codes(characters: list[str]) -> None:
    from corpus.printing.escape import terminal

    shown = ", ".join(f"{terminal(character)} (U+{ord(character):04X})" for character in characters[:8])
    more = f" and {len(characters) - 8} more" if len(characters) > 8 else ""
    click.echo(f"printed as codes, since LaTeX's fonts lack them: {shown}{more}; --format html prints them", err=True)


def _choice(corpus: Study, columns: str | None, where: tuple[str, ...], sort: str | None) -> TableChoice:
    from corpus.model.filters import parse_filter
    from corpus.publishing.appendix.pool_table import TableChoice

    spec = corpus.codebook.pool
    filters = tuple(parse_filter(text, spec, corpus.codebook) for text in where)
    named, by = (tuple(part.strip() for part in text.split(",")) if text else () for text in (columns, sort))
    return TableChoice(named, filters, by)


def _write(pieces: Iterable[str] | bytes, output: str | None) -> None:
    """Write to a file atomically, or to stdout as it comes."""
    if output is not None:
        from corpus.tables.atomic import write_atomic

        write_atomic(output, pieces)
    elif isinstance(pieces, bytes):
        echo_bytes(pieces)
    else:
        for piece in pieces:
            echo_bytes(piece.encode("utf-8"))
