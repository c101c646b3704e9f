"""An author's own template: jinja2 in its sandbox; every error is a finding with its line."""

import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from corpus.analysis.cards.card import Card
from corpus.analysis.counting.cutoff import as_of_study
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.printing.templates import Printed, sandbox
from corpus.publishing.appendix.appendix import SINKS, Appendix, print_cells
from corpus.publishing.appendix.layout import TableChoice
from corpus.publishing.appendix.long_table import rows_of
from corpus.publishing.appendix.pool_table import grouped_rows
from corpus.tables.content import read_text
from corpus.tables.location import shown_path

TEMPLATE_SYNTAX = Rule(
    "R111",
    "{problem}",
    "fix the line; `corpus docs templates` has the delimiters of each format",
    title="Template cannot be read",
    reason="Nothing is printed from it.",
)
TEMPLATE_FAILED = Rule(
    "R112",
    "{problem}",
    "use the names in `corpus docs templates`",
    title="Template failed",
    reason="An unknown name is an error, never a gap in print; templates run in jinja2's sandbox.",
)


def fill_template(path: str, sink: str, names: Mapping[str, Any]) -> str:
    """Fill one template file.

    Parameters
    ----------
    path : str
        The template.
    sink : str
        ``tex``, ``md`` or ``html``: how values are escaped, and which marks the template uses.
    names : mapping
        What the template may use.

    Raises
    ------
    CorpusError
        R111, R112, or a file rule, with the line in the template.
    """
    shown = shown_path(path)
    text = read_text(path, shown)
    environment = sandbox(sink)
    try:
        # Compiled by hand: the name of the file is in the traceback, and with it the line.
        code = environment.compile(text, filename=shown)
        template = environment.template_class.from_code(environment, code, {}, None)
        return template.render(names)
    except TemplateSyntaxError as error:
        finding = TEMPLATE_SYNTAX.at(shown, error.lineno, problem=_problem(error))
    # A template may divide by zero, call a text, index a number: all are its author's errors.
    except Exception as error:
        line = 0
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == shown:
                line = frame.lineno or 0
        finding = TEMPLATE_FAILED.at(shown, line, problem=_problem(error))
    raise CorpusError([finding])


def _problem(error: Exception) -> str:
    kind = type(error).__name__
    if isinstance(error, TemplateError):
        return error.message or kind
    return f"{kind}: {error}"


def fill_appendix(
    path: str,
    format_: str,
    study: Study,
    appendix: Appendix,
    cards: Sequence[Card],
    choice: TableChoice,
) -> str:
    """Fill an author's template of an appendix.

    The names are `title`, `cutoff`, `as_of` (the cutoff in words, or how much is dated after it),
    `cards`, each with `key`, `title`, `summary`, `people`, `published`, `address` and `lines` of
    `label` and `items`, `parts` (as the package's own templates use them) and `cells`, which prints
    one row of a sheet, `entries` (mappings of column to cell) and `groups` (pairs of label and
    entries).
    """
    sink = SINKS[format_]
    groups = []
    for heading, rows in grouped_rows(study, choice):
        groups.append((heading, list(study.pool.with_rows(rows).records())))
    names = {
        "title": appendix.title,
        "cutoff": appendix.cutoff,
        "as_of": as_of_study(study),
        "cards": cards,
        "parts": appendix.parts,
        "cells": lambda row: Printed(print_cells(row, sink)),
        "entries": rows_of(groups),
        "groups": groups,
    }
    return fill_template(path, sink, names)
