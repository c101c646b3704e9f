"""The appendix of a survey: the pool and what lies behind it, as LaTeX, Markdown or HTML, row by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from corpus.analysis.bibliography.works import CitedWork, PersonName, works
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing import escape
from corpus.printing.latex import latex_url
from corpus.printing.templates import environment
from corpus.publishing.appendix.long_table import AppendixPart, PrintedCell, PrintedColumn
from corpus.publishing.appendix.parts import (
    corrections_part,
    definitions_part,
    exclusions_part,
    protocol_part,
    tables_part,
)
from corpus.publishing.appendix.pool_table import TableChoice, chosen_rows, pool_part

#: The parts in print order; `all` stands for each of them but the columns of the tables, which only a codebook prints.
PARTS = ("table", "tables", "definitions", "protocol", "exclusions", "corrections")

_MAKERS: Mapping[str, Callable[[Study], AppendixPart]] = {
    "tables": tables_part,
    "definitions": definitions_part,
    "protocol": protocol_part,
    "exclusions": exclusions_part,
    "corrections": corrections_part,
}
#: A row of a LaTeX table cannot break over pages; longer cells are continued in a further row.
LONG = 600

_CITABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._+/-]*")


class Appendix(NamedTuple):
    """What is printed: the corpus' title, the parts, the works that are cited, and what the file says of itself."""

    title: str
    cutoff: str
    parts: tuple[AppendixPart, ...]
    works: tuple[CitedWork, ...] = ()
    origin: tuple[str, ...] = ()


def make_appendix(
    corpus: Study, parts: Iterable[str], choice: TableChoice, origin: tuple[str, ...] = (), references: bool = False
) -> Appendix:
    """Choose the parts of an appendix.

    Parameters
    ----------
    corpus : Study
        What is printed.
    parts : iterable of str
        Names of :data:`PARTS`, or ``all``.
    choice : TableChoice
        What the pool table shows.
    origin : tuple of str
        Lines that the file carries as a comment: its generator, the data's SHA-256.
    references : bool
        Whether it brings its own list of references, as a standalone document must.

    Raises
    ------
    UsageProblem
        For an unknown part or column.
    """
    asked = list(parts)
    for name in asked:
        if name not in (*PARTS, "all"):
            raise UsageProblem(f"there is no part {name!r}; the parts are {', '.join(PARTS)}, all")
    names = [name for name in PARTS if name in asked or ("all" in asked and name != "tables")]
    found = [pool_part(corpus, choice) if name == "table" else _MAKERS[name](corpus) for name in names]
    made = tuple(part for part in found if part.paragraphs or part.sheets or part.id in asked)
    about = corpus.codebook.corpus
    title = about.get("title", "Appendix")
    cited = _cited(corpus, choice) if references and "table" in names else ()
    return Appendix(title, about.get("cutoff", ""), made, cited, origin)


def _cited(corpus: Study, choice: TableChoice) -> tuple[CitedWork, ...]:
    """Return the works of the pool table in its order; keys that BibTeX cannot hold are not cited."""
    by_key = {work.key: work for work in works(corpus) if _CITABLE.fullmatch(work.key)}
    keys = ("-".join(corpus.pool.key_of(row)) for row in chosen_rows(corpus, choice))
    return tuple(by_key[key] for key in keys if key in by_key)


def appendix_latex(appendix: Appendix, standalone: bool = False) -> Iterator[str]:
    """Yield the appendix as LaTeX: a fragment to ``\\input``, or a document with its own list of references."""
    name = "appendix_document.tex.j2" if standalone else "appendix.tex.j2"
    context = {"cells": _latex_cells, "spec": _latex_spec, "rest": _latex_rest, "reference": _latex_reference}
    return environment("tex", "corpus.publishing.appendix").get_template(name).generate(appendix=appendix, **context)


def appendix_markdown(appendix: Appendix) -> Iterator[str]:
    """Yield the appendix as GitHub-flavoured Markdown."""
    return (
        environment("md", "corpus.publishing.appendix")
        .get_template("appendix.md.j2")
        .generate(appendix=appendix, cells=_markdown_cells)
    )


def appendix_html(appendix: Appendix) -> Iterator[str]:
    """Yield the appendix as one HTML page that asks nothing of the network."""
    return (
        environment("html", "corpus.publishing.appendix")
        .get_template("appendix.html.j2")
        .generate(appendix=appendix, cells=_html_cells)
    )


def _latex_cells(row: tuple[PrintedCell, ...]) -> Markup:
    """Return one row; where a cell is longer than :data:`LONG`, the row goes on in further rows, which can break."""
    if max(len(cell.text) for cell in row) > LONG:
        return Markup(" \\\\\n").join(map(_latex_line, _split(row)))
    return _latex_line(row)


def _latex_line(row: Iterable[PrintedCell]) -> Markup:
    return Markup(" & ".join(map(_latex_cell, row)))  # noqa: S704 — every cell is escaped


def _split(row: tuple[PrintedCell, ...]) -> Iterator[tuple[PrintedCell, ...]]:
    for start in range(0, max(len(cell.text) for cell in row), LONG):
        yield tuple(PrintedCell(cell.text[start : start + LONG], cell.link, "" if start else cell.cite) for cell in row)


def _latex_cell(cell: PrintedCell) -> str:
    if cell.cite and _CITABLE.fullmatch(cell.cite):
        return f"\\cite{{{cell.cite}}}"
    text = escape.latex(cell.text)
    return f"\\href{{{latex_url(cell.link)}}}{{{text}}}" if cell.link and text else text


def _latex_spec(fields: Iterable[PrintedColumn]) -> Markup:
    """Return the column declarations: each a paragraph, fixed in em or a share of ``\\corpusrest``."""
    widths = (f"{field.share}\\corpusrest" if field.share else f"{field.em:.2f}em" for field in fields)
    columns = "".join(f">{{\\corpuscell}}p{{{width}}}" for width in widths)
    return Markup(f"@{{}}{columns}@{{}}")  # noqa: S704 — numbers only


def _latex_rest(fields: tuple[PrintedColumn, ...]) -> Markup:
    """Return what the fixed columns leave of the line."""
    used = sum(field.em for field in fields if not field.share)
    gaps = 2 * (len(fields) - 1)
    return Markup(f"\\dimexpr\\linewidth-{used:.2f}em-{gaps}\\tabcolsep\\relax")  # noqa: S704 — numbers only


def _latex_reference(work: CitedWork) -> Markup:
    """Return one entry of the list of references."""
    title = escape.latex(work.title)
    if work.urls and escape.web_address(work.urls[0]):
        title = f"\\href{{{latex_url(escape.web_address(work.urls[0]))}}}{{{title}}}"
    names = escape.latex(_authors(work.authors))
    arxiv = f" arXiv:{escape.latex(work.arxiv)}." if work.arxiv else ""
    year = "" if work.year in work.venue else work.year
    where = ", ".join(escape.latex(part) for part in (work.venue, year) if part)
    return Markup(f"\\bibitem{{{work.key}}} {names}. \\emph{{{title}}}. {where}.{arxiv}")  # noqa: S704 — escaped


def _authors(names: tuple[PersonName, ...]) -> str:
    """Return up to three authors, given names first.

    Examples
    --------
    >>> _authors((PersonName("Poe", "Edgar A."), PersonName("Bog Trust")))
    'Edgar A. Poe and Bog Trust'
    """
    said = [f"{name.given} {name.family}".strip() for name in names]
    if len(said) > 3:
        return f"{said[0]} et al"
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said).rstrip(".")


def _markdown_cells(row: Iterable[PrintedCell]) -> Markup:
    return Markup(" | ".join(map(_markdown_cell, row)))  # noqa: S704 — every cell is escaped


def _markdown_cell(cell: PrintedCell) -> str:
    text = escape.markdown(cell.text)
    return f"[{text}]({cell.link})" if cell.link else text


def _html_cells(row: Iterable[PrintedCell]) -> Markup:
    return Markup("".join(f"<td>{_html_cell(cell)}</td>" for cell in row))  # noqa: S704 — every cell is escaped


def _html_cell(cell: PrintedCell) -> str:
    text = escape.html(cell.text)
    return f'<a href="{escape.html(cell.link)}">{text}</a>' if cell.link else text


WRITERS: Mapping[str, Callable[[Appendix], Iterator[str]]] = {
    "latex": appendix_latex,
    "markdown": appendix_markdown,
    "html": appendix_html,
}

#: How a row of cells is printed, by format.
CELLS: Mapping[str, Callable[[tuple[PrintedCell, ...]], Markup]] = {
    "latex": _latex_cells,
    "markdown": _markdown_cells,
    "html": _html_cells,
}
