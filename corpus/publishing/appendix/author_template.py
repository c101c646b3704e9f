"""An author's own template: jinja2 in its sandbox, unknown names are errors, errors are findings with their line."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.printing.template_rules import TEMPLATE_FAILED, TEMPLATE_SYNTAX
from corpus.printing.templates import Printed, sandbox
from corpus.publishing.appendix.appendix import CELLS, Appendix
from corpus.publishing.appendix.pool_table import TableChoice, chosen_rows
from corpus.tables.content import decode, read_bytes
from corpus.tables.location import shown_path

_SINKS = {"latex": "tex", "pdf": "tex", "markdown": "md", "html": "html"}


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
    data, findings = read_bytes(path, shown)
    if not findings:
        text, findings = decode(data, shown)
    if findings:
        raise CorpusError(findings)
    return fill_text(text, shown, sink, names)


def fill_text(text: str, shown: str, sink: str, names: Mapping[str, Any]) -> str:
    """Fill a template given as text; see :func:`fill_template`."""
    try:
        code = sandbox(sink).compile(text, filename=shown)
        template = sandbox(sink).template_class.from_code(sandbox(sink), code, {}, None)
        return template.render(names)
    except TemplateSyntaxError as error:
        raise CorpusError([TEMPLATE_SYNTAX.at(shown, error.lineno, problem=_said(error))]) from None
    except RecursionError:
        raise CorpusError([TEMPLATE_FAILED.at(shown, problem="it calls itself without end")]) from None
    except Exception as error:  # a template may divide by zero, call a text, index a number: all are its author's
        raise CorpusError([TEMPLATE_FAILED.at(shown, _line(error, shown), problem=_said(error))]) from None


def _line(error: Exception, shown: str) -> int:
    """Return the line of the template in which an error arose; jinja2 writes it into the traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == shown]
    return (frames[-1].lineno or 0) if frames else 0


def _said(error: Exception) -> str:
    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"


def fill_appendix(path: str, format_: str, corpus: Study, appendix: Appendix, choice: TableChoice) -> str:
    """Fill an author's appendix template.

    The names are `title`, `cutoff`, `entries` (mappings of column to cell), `groups` (pairs of label and entries),
    `parts` (as the own templates use them) and `cells`, which prints one row of a sheet.
    """
    return fill_template(path, _SINKS[format_], _names(format_, corpus, appendix, choice))


def _names(format_: str, corpus: Study, appendix: Appendix, choice: TableChoice) -> dict[str, Any]:
    spec, book = corpus.codebook.pool, corpus.codebook
    entries = [dict(zip(spec.header, row, strict=True)) for row in chosen_rows(corpus, choice)]
    group = spec.by_role("group")
    groups: dict[str, list[dict[str, str]]] = {}
    for entry in entries:
        groups.setdefault(entry[group.name] if group else "", []).append(entry)
    labels = {t.id: t.label for t in book.vocabulary_of(group).terms} if group and group.type == "term" else {}
    printed = CELLS["latex" if format_ == "pdf" else format_]
    return {
        "title": appendix.title,
        "cutoff": appendix.cutoff,
        "entries": entries,
        "groups": [(labels.get(name, name), held) for name, held in groups.items()],
        "parts": appendix.parts,
        "cells": lambda row: Printed(printed(row)),
    }
