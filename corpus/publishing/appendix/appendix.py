"""The appendix of a survey as LaTeX, Markdown or HTML, made row by row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from markupsafe import Markup

from corpus.analysis.bibliography.works import works
from corpus.analysis.cards.card import Card, cards, keys_with_parts
from corpus.analysis.counting.entries import select_rows
from corpus.analysis.evidence.tables import in_words
from corpus.model.filters import Filter
from corpus.model.study import Study
from corpus.printing import escape
from corpus.printing.latex import latex_url
from corpus.printing.templates import ESCAPES, environment
from corpus.publishing.appendix.layout import appendix_plan
from corpus.publishing.appendix.long_table import AppendixPart, PrintedCell, rows_of
from corpus.publishing.appendix.parts import MAKERS, card_part
from corpus.publishing.appendix.pool_table import grouped, grouped_rows, pool_part

#: The parts in print order.
PARTS = ("table", *MAKERS, "cards")

#: What `all` leaves out: tables are of the data, not of a text, and cards are for chosen entries.
_ON_REQUEST = ("tables", "cards")

#: A row of a LaTeX table cannot break over pages; longer cells are continued in further rows.
LONG = 600

#: The sink of each format; a PDF is typeset from LaTeX.
SINKS = {"latex": "tex", "pdf": "tex", "markdown": "md", "html": "html"}

#: How each sink writes a link.
_LINKS = {
    "tex": "\\href{{{address}}}{{{text}}}",
    "md": "[{text}]({address})",
    "html": '<a href="{address}">{text}</a>',
}


@dataclass(frozen=True)
class Appendix:
    """What is printed.

    Attributes
    ----------
    title, cutoff : str
        Of the corpus.
    parts : sequence of AppendixPart
        In print order.
    origin : sequence of str
        Comment lines about the file itself.
    """

    title: str
    cutoff: str
    parts: Sequence[AppendixPart]
    origin: Sequence[str] = ()


def make_appendix(
    study: Study, parts: Iterable[str], filters: Sequence[Filter] = (), origin: tuple[str, ...] = ()
) -> Appendix:
    """Choose the parts of an appendix; a part without content is left out unless it is named.

    Parameters
    ----------
    study : Study
        What is printed.
    parts : iterable of str
        Names of :data:`PARTS`, or ``all``.
    filters : sequence of Filter
        What entries of the pool table and of the cards pass.
    origin : tuple of str
        Lines that the file carries as a comment, such as its generator.
    """
    named = set(parts)
    plan = appendix_plan(study.codebook)
    made = []
    for name in PARTS:
        if name not in named and ("all" not in named or name in _ON_REQUEST):
            continue
        if name == "table":
            part = pool_part(study, filters)
        elif name == "cards":
            part = card_part(chosen_cards(study, filters))
        else:
            part = MAKERS[name](study)
        if name not in named:
            sheets = [sheet for sheet in part.sheets if sheet.id not in plan.leave_out]
            part = part._replace(sheets=sheets)
        if name in named or part.paragraphs or part.sheets:
            made.append(part)
    about = study.codebook.corpus
    return Appendix(about["title"] or "Appendix", about["cutoff"], made, origin)


def chosen_cards(study: Study, filters: Sequence[Filter] = ()) -> list[Card]:
    """Return the cards of the entries that the pool table would show, in its order.

    Without a filter, these are the entries that have a card in an evidence table, in its order.

    Raises
    ------
    CorpusError
        Where the section `[card]` or `[sparsity]` of the codebook has a mistake.
    """
    keys = []
    if not filters:
        keys = keys_with_parts(study)
    if not keys:
        keys = list(study.pool.spec.names_of(rows_of(grouped_rows(study, filters))))
    return cards(study, keys)


def appendix_text(appendix: Appendix, format_: str, standalone: bool = False) -> Iterator[str]:
    r"""Yield the appendix in a format of :data:`SINKS`.

    LaTeX is a fragment to ``\\input`` unless it is `standalone`: then it is a document. Markdown is
    that of GitHub, HTML one page that makes no request.
    """
    sink = SINKS[format_]
    name = "appendix_document.tex.j2" if standalone else f"appendix.{sink}.j2"
    return (
        environment(sink, "corpus.publishing.appendix")
        .get_template(name)
        .generate(appendix=appendix, cells=partial(print_cells, sink=sink))
    )


def print_cells(row: tuple[PrintedCell, ...], sink: str) -> Markup:
    """Return one row in the language of a sink: ``tex``, ``md`` or ``html``."""
    if sink == "tex":
        return _latex_cells(row)
    printed = [_cell(cell, sink) for cell in row]
    if sink == "html":
        return Markup("".join(map("<td>{}</td>".format, printed)))  # noqa: S704 — escaped
    return Markup(" | ".join(printed))  # noqa: S704 — every cell is escaped


def _cell(cell: PrintedCell, sink: str) -> str:
    text = ESCAPES[sink](cell.text)
    if not cell.link or not text:
        return text
    address = latex_url(cell.link) if sink == "tex" else escape.html(cell.link)
    return _LINKS[sink].format(address=address, text=text)


def _latex_cells(row: tuple[PrintedCell, ...]) -> Markup:
    """Return one row; after :data:`LONG` characters of a cell it goes on in further rows."""
    lines = []
    longest = max(len(cell.text) for cell in row)
    for start in range(0, max(longest, 1), LONG):
        beside = []
        below = []
        for cell in row:
            part = cell._replace(text=cell.text[start : start + LONG])
            text = _cell(part, "tex")
            if not cell.below:
                beside.append(text)
            elif text:
                below.append(text)
        line = " & ".join(beside)
        for text in below:
            # The star forbids a new page between the cells of a row and what is below them.
            line += f" \\\\*\n\\corpusbelow{{{len(beside)}}}{{{text}}}"
        lines.append(line)
    return Markup(" \\\\\n".join(lines))  # noqa: S704 — every cell is escaped


def paper_list(study: Study) -> str:
    """Return all entries by group as Markdown, a list to read.

    Each group has a heading and its definition, each entry a line with its tags below.
    """
    book, spec = study.codebook, study.codebook.pool
    group = spec.by_role("group")
    rows = select_rows(study.pool, (), appendix_plan(book).sort, book)
    groups = [("", rows)]
    if group:
        cells = map(itemgetter(spec.position(group.name)), rows)
        groups = grouped(zip(cells, rows, strict=True), group, book)
    template = environment("md", "corpus.publishing.appendix").get_template("papers.md.j2")
    made = template.render(
        study=study,
        book=book,
        spec=spec,
        group=group,
        groups=groups,
        works={work.key: work for work in works(study)},
        in_words=in_words,
        safe=escape.web_address,
    )
    return made.rstrip("\n") + "\n"
