"""The appendix of a survey as LaTeX, Markdown or HTML, made row by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from corpus.analysis.bibliography.works import CitedWork, PersonName, works
from corpus.analysis.cards.card import Card, cards
from corpus.analysis.cards.plan import card_plan
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.suggestions import unknown
from corpus.printing import escape
from corpus.printing.latex import latex_url
from corpus.printing.templates import environment
from corpus.publishing.appendix.card_part import card_part
from corpus.publishing.appendix.long_table import AppendixPart, PrintedCell, PrintedColumn
from corpus.publishing.appendix.parts import (
    corrections_part,
    definitions_part,
    evidence_part,
    exclusions_part,
    protocol_part,
    tables_part,
)
from corpus.publishing.appendix.pool_table import TableChoice, chosen_rows, pool_part

#: What makes each part but the pool table, which takes a choice.
_MAKERS: Mapping[str, Callable[[Study], AppendixPart]] = {
    "tables": tables_part,
    "definitions": definitions_part,
    "protocol": protocol_part,
    "evidence": evidence_part,
    "exclusions": exclusions_part,
    "corrections": corrections_part,
}

#: The parts in print order.
PARTS = ("table", *_MAKERS, "cards")

#: What `all` leaves out: the columns of the tables belong to a codebook, and cards to chosen
#: entries.
_ON_REQUEST = ("tables", "cards")

#: A row of a LaTeX table cannot break over pages; longer cells are continued in further rows.
LONG = 600

#: Keys that BibTeX can read.
_CITABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._+/-]*")


class Appendix(NamedTuple):
    """What is printed. Templates of authors use these names.

    Attributes
    ----------
    title, cutoff : str
        Of the corpus.
    parts : tuple of AppendixPart
        In print order.
    works : tuple of CitedWork
        The list of references; empty where another document has it.
    origin : tuple of str
        Comment lines about the file itself.
    """

    title: str
    cutoff: str
    parts: tuple[AppendixPart, ...]
    works: tuple[CitedWork, ...] = ()
    origin: tuple[str, ...] = ()


def make_appendix(
    study: Study,
    parts: Iterable[str],
    choice: TableChoice,
    origin: tuple[str, ...] = (),
    references: bool = False,
) -> Appendix:
    """Choose the parts of an appendix; a part without content is left out unless it is named.

    Parameters
    ----------
    study : Study
        What is printed.
    parts : iterable of str
        Names of :data:`PARTS`, or ``all``.
    choice : TableChoice
        What the pool table shows.
    origin : tuple of str
        Lines that the file carries as a comment, such as its generator.
    references : bool
        Whether it brings its own list of references, as a standalone document must.

    Raises
    ------
    UsageProblem
        For an unknown part or column.
    """
    named = set(parts)
    wanted = set(named)
    if "all" in named:
        wanted.update(name for name in PARTS if name not in _ON_REQUEST)
        wanted.discard("all")
    for name in wanted:
        if name not in PARTS:
            raise UsageProblem(unknown("part", name, [*PARTS, "all"]))
    made: list[AppendixPart] = []
    for name in PARTS:
        if name not in wanted:
            continue
        part = _part(name, study, choice)
        if part.paragraphs or part.sheets or part.id in named:
            made.append(part)
    about = study.codebook.corpus
    cited = _cited(study, choice) if references and "table" in wanted else ()
    return Appendix(
        about.get("title", "Appendix"), about.get("cutoff", ""), tuple(made), cited, origin
    )


def _part(name: str, study: Study, choice: TableChoice) -> AppendixPart:
    if name == "table":
        return pool_part(study, choice)
    if name == "cards":
        return card_part(chosen_cards(study, choice))
    return _MAKERS[name](study)


def chosen_cards(study: Study, choice: TableChoice) -> tuple[Card, ...]:
    """Return the cards of the entries that the pool table would show, in its order.

    Raises
    ------
    CorpusError
        Where the section `[card]` or `[sparsity]` of the codebook has a mistake.
    """
    keys = list(study.pool.spec.names_of(chosen_rows(study, choice)))
    return cards(study, keys, card_plan(study.codebook), sparsity_plan(study.codebook))


def _cited(study: Study, choice: TableChoice) -> tuple[CitedWork, ...]:
    """Return the works of the pool table in its order, without keys that BibTeX cannot hold."""
    by_key = {work.key: work for work in works(study) if _CITABLE.fullmatch(work.key)}
    key = study.pool.spec.position(study.pool.spec.key[0])
    chosen = [row[key] for row in chosen_rows(study, choice)]
    return tuple(by_key[name] for name in chosen if name in by_key)


def appendix_latex(appendix: Appendix, standalone: bool = False) -> Iterator[str]:
    """Yield the appendix as LaTeX.

    It is a fragment to ``\\input``, or a document with its own list of references.
    """
    name = "appendix_document.tex.j2" if standalone else "appendix.tex.j2"
    template = environment("tex", "corpus.publishing.appendix").get_template(name)
    return template.generate(
        appendix=appendix,
        cells=_latex_cells,
        spec=_latex_spec,
        rest=_latex_rest,
        reference=_latex_reference,
    )


def appendix_markdown(appendix: Appendix) -> Iterator[str]:
    """Yield the appendix as GitHub-flavoured Markdown."""
    template = environment("md", "corpus.publishing.appendix").get_template("appendix.md.j2")
    return template.generate(appendix=appendix, cells=_markdown_cells)


def appendix_html(appendix: Appendix) -> Iterator[str]:
    """Yield the appendix as one HTML page that makes no request."""
    template = environment("html", "corpus.publishing.appendix").get_template("appendix.html.j2")
    return template.generate(appendix=appendix, cells=_html_cells)


def _latex_cells(row: tuple[PrintedCell, ...]) -> Markup:
    """Return one row; after :data:`LONG` characters of a cell it goes on in further rows."""
    lines = [" & ".join(map(_latex_cell, part)) for part in _split(row)]
    return Markup(" \\\\\n".join(lines))  # noqa: S704 — every cell is escaped


def _split(row: tuple[PrintedCell, ...]) -> Iterator[tuple[PrintedCell, ...]]:
    longest = max(len(cell.text) for cell in row)
    if longest <= LONG:
        yield row
        return
    for start in range(0, longest, LONG):
        part: list[PrintedCell] = []
        for cell in row:
            # A citation is printed once, in the first of the rows.
            cite = cell.cite if start == 0 else ""
            part.append(PrintedCell(cell.text[start : start + LONG], cell.link, cite))
        yield tuple(part)


def _latex_cell(cell: PrintedCell) -> str:
    if cell.cite and _CITABLE.fullmatch(cell.cite):
        return f"\\cite{{{cell.cite}}}"
    text = escape.latex(cell.text)
    return _latex_link(cell.link, text) if cell.link and text else text


def _latex_link(address: str, text: str) -> str:
    return f"\\href{{{latex_url(address)}}}{{{text}}}"


def _latex_spec(fields: Iterable[PrintedColumn]) -> Markup:
    """Return the column declarations.

    Each is a paragraph, as wide as a number of em or a share of ``\\corpusrest``.
    """
    columns: list[str] = []
    for field in fields:
        width = f"{field.share}\\corpusrest" if field.share else f"{field.em:.2f}em"
        columns.append(f">{{\\corpuscell}}p{{{width}}}")
    return Markup(f"@{{}}{''.join(columns)}@{{}}")  # noqa: S704 — numbers only


def _latex_rest(fields: tuple[PrintedColumn, ...]) -> Markup:
    """Return what the fixed columns leave of the line."""
    used = sum(field.em for field in fields if not field.share)
    gaps = 2 * (len(fields) - 1)
    return Markup(f"\\dimexpr\\linewidth-{used:.2f}em-{gaps}\\tabcolsep\\relax")  # noqa: S704 — numbers only


def _latex_reference(work: CitedWork) -> Markup:
    """Return one entry of the list of references."""
    title = escape.latex(work.title)
    address = escape.web_address(work.address)
    if address:
        title = _latex_link(address, title)
    names = escape.latex(_authors(work.authors))
    parts = filter(None, (work.venue, work.year_beside_venue))
    where = ", ".join(map(escape.latex, parts))
    arxiv = f" arXiv:{escape.latex(work.arxiv)}." if work.arxiv else ""
    return Markup(f"\\bibitem{{{work.key}}} {names}. \\emph{{{title}}}. {where}.{arxiv}")  # noqa: S704 — escaped


def _authors(names: tuple[PersonName, ...]) -> str:
    """Return up to three authors, given names first.

    Examples
    --------
    >>> _authors((PersonName("Poe", "Edgar A."), PersonName("Bog Trust")))
    'Edgar A. Poe and Bog Trust'
    """
    printed = [f"{name.given} {name.family}".strip() for name in names]
    if len(printed) > 3:
        return f"{printed[0]} et al"
    if len(printed) > 1:
        printed = [", ".join(printed[:-1]), printed[-1]]
    # The template writes the full stop after the names.
    return " and ".join(printed).rstrip(".")


def _markdown_cells(row: Iterable[PrintedCell]) -> Markup:
    return Markup(" | ".join(map(_markdown_cell, row)))  # noqa: S704 — every cell is escaped


def _markdown_cell(cell: PrintedCell) -> str:
    text = escape.markdown(cell.text)
    return f"[{text}]({cell.link})" if cell.link else text


def _html_cells(row: Iterable[PrintedCell]) -> Markup:
    cells = [f"<td>{_html_cell(cell)}</td>" for cell in row]
    return Markup("".join(cells))  # noqa: S704 — every cell is escaped


def _html_cell(cell: PrintedCell) -> str:
    text = escape.html(cell.text)
    return f'<a href="{escape.html(cell.link)}">{text}</a>' if cell.link else text


#: What writes an appendix, by format.
WRITERS: Mapping[str, Callable[[Appendix], Iterator[str]]] = {
    "latex": appendix_latex,
    "markdown": appendix_markdown,
    "html": appendix_html,
}

#: What prints one row of cells, by format.
CELLS: Mapping[str, Callable[[tuple[PrintedCell, ...]], Markup]] = {
    "latex": _latex_cells,
    "markdown": _markdown_cells,
    "html": _html_cells,
}
