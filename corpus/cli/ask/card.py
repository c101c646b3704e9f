"""`corpus card`."""

from __future__ import annotations

import click

from corpus.analysis.cards.card import cards, cards_json, cards_text
from corpus.cli.options import (
    echo,
    echo_plain,
    format_option,
    study_option,
    template_option,
    terminal_columns,
)
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.publishing.appendix.appendix import WRITERS, Appendix
from corpus.publishing.appendix.author_template import fill_cards
from corpus.publishing.appendix.parts import card_part


@click.command()
@click.argument("keys", metavar="KEY...", nargs=-1, required=True)
@format_option("text", "latex", "markdown", "html", "json")
@template_option(
    "Fill this jinja2 template of LaTeX, Markdown or HTML instead of the built-in one."
)
@study_option
def card(keys: tuple[str, ...], format_: str, template: str | None, study: Study) -> None:
    """Print entries as cards: what is trained, by which signal, and what stays open.

    The codebook declares the lines in its section [card]; without one there is a line for each
    axis. `corpus render-appendix --part cards --where FILTER` prints the cards of a selection.
    """
    if template is not None and format_ not in WRITERS:
        raise UsageProblem("--template needs --format latex, markdown or html")
    made = cards(study, tuple(dict.fromkeys(keys)))
    if format_ == "text":
        echo_plain(cards_text(made, terminal_columns() or 80))
        return
    if format_ == "json":
        echo(cards_json(made), format_)
        return
    about = study.codebook.corpus
    title, cutoff = about.get("title", "Cards"), about.get("cutoff", "")
    appendix = Appendix(title, cutoff, (card_part(made),), (), ("Made by corpus card.",))
    if template is not None:
        echo(fill_cards(template, format_, study, appendix, made), format_)
        return
    echo("".join(WRITERS[format_](appendix)), format_)
