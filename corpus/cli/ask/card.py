"""`corpus card`."""

from __future__ import annotations

import os

import click

from corpus.analysis.cards.card import cards
from corpus.analysis.cards.plan import card_plan
from corpus.analysis.cards.report import cards_json, cards_text
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.cli.options import (
    data_option,
    echo,
    echo_plain,
    format_option,
    template_option,
    terminal_columns,
)
from corpus.model.finding import UsageProblem
from corpus.publishing.appendix.appendix import WRITERS, Appendix
from corpus.publishing.appendix.author_template import fill_cards
from corpus.publishing.appendix.parts import card_part
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import CODEBOOK_FILE, find_data, shown_path


@click.command()
@click.argument("keys", metavar="KEY...", nargs=-1, required=True)
@format_option("text", "latex", "markdown", "html", "json")
@template_option(
    "Fill this jinja2 template of LaTeX, Markdown or HTML instead of the built-in one."
)
@data_option
def card(keys: tuple[str, ...], format_: str, template: str | None, data: str | None) -> None:
    """Print entries as cards: what is trained, by which signal, and what stays open.

    The codebook declares the lines in its section [card]; without one there is a line for each
    axis. `corpus render-appendix --part cards --where FILTER` prints the cards of a selection.
    """
    if template is not None and format_ not in WRITERS:
        raise UsageProblem("--template needs --format latex, markdown or html")
    folder = find_data(data)
    study = load_corpus(folder)
    codebook = shown_path(os.path.join(folder, CODEBOOK_FILE))
    book = study.codebook
    chosen = tuple(dict.fromkeys(keys))
    of_cards = card_plan(book, codebook)
    of_cells = sparsity_plan(book, codebook)
    made = cards(study, chosen, of_cards, of_cells)
    if format_ == "text":
        echo_plain(cards_text(made, terminal_columns() or 80))
        return
    if format_ == "json":
        echo(cards_json(made), format_)
        return
    about = book.corpus
    title = about.get("title", "Cards")
    cutoff = about.get("cutoff", "")
    parts = (card_part(made),)
    appendix = Appendix(title, cutoff, parts, (), ("Made by corpus card.",))
    if template is not None:
        echo(fill_cards(template, format_, study, appendix, made), format_)
        return
    echo("".join(WRITERS[format_](appendix)), format_)
