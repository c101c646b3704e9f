"""What the codebook's section `[card]` declares: the lines of a card, one template for all."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.section import Section, raise_findings, read_settings


class CardLinePlan(NamedTuple):
    """One line: its heading, columns of the pool, and columns of a table about the entry.

    `table` and `show` are empty where the line has cells of the pool only.
    """

    label: str
    columns: tuple[str, ...]
    table: str
    show: tuple[str, ...]


class CardPlan(NamedTuple):
    """A card: its lines in order."""

    lines: tuple[CardLinePlan, ...]


def card_plan(book: Codebook, file: str = "codebook.toml") -> CardPlan:
    """Read ``[card]``; without the section, a card has a line for each axis.

    Parameters
    ----------
    book : Codebook
        The codebook.
    file : str
        The codebook as the user knows it.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    if "card" not in book.settings:
        axes = [CardLinePlan(axis.label, (axis.name,), "", ()) for axis in book.pool.axes]
        return CardPlan(tuple(axes))
    section, findings = read_settings(book.settings, "card", file)
    lines = tuple(_line(item, book) for item in section.sections("lines"))
    section.finish()
    raise_findings(findings)
    return CardPlan(lines)


def _line(section: Section, book: Codebook) -> CardLinePlan:
    label = section.text("label")
    columns = section.some_of("columns", book.pool.header, ())
    about = {name: spec for name, spec in book.tables.items() if _is_about_entries(spec, book)}
    table = section.one_of("table", about, "")
    show: tuple[str, ...]
    if table in about:
        show = section.some_of("show", about[table].header)
    else:
        show = section.strings("show", ())
    if not columns and not table:
        section.mistake("", "needs `columns` of the pool, or a `table` and what to `show` of it")
    section.finish()
    return CardLinePlan(label, columns, table, show)


def _is_about_entries(spec: TableSpec, book: Codebook) -> bool:
    return spec.reference_to(book.pool) is not None
