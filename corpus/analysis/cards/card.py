"""Cards: one entry under one template, short enough that two fit on a page.

The section `[card]` of the codebook declares the lines.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import NamedTuple

from corpus.analysis.bibliography.works import works
from corpus.analysis.counting.entries import neighbours, wrapped_line
from corpus.analysis.evidence.tables import in_words
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.documents.section import Section, name_of, read_settings
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row
from corpus.printing.escape import terminal


class CardLinePlan(NamedTuple):
    """One line: its heading, columns of the pool, and columns of a table about the entry.

    `table` and `show` are empty where the line has cells of the pool only.
    """

    label: str
    columns: tuple[str, ...]
    table: str
    show: tuple[str, ...]


#: The lines of a card in order. An entry with a row in the table of the second plan has a card with
#: one line for each of its columns instead; it is None where no such table is declared.
CardPlan = tuple[tuple[CardLinePlan, ...], CardLinePlan | None]


def card_plan(book: Codebook) -> CardPlan:
    """Read ``[card]``; without the section, a card has a line for each axis.

    Parameters
    ----------
    book : Codebook
        The codebook.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    if "card" not in book.settings:
        axes = [CardLinePlan(axis.label, (axis.name,), "", ()) for axis in book.pool.axes]
        return tuple(axes), None
    return read_settings(book, "card", read_card)


def read_card(section: Section) -> CardPlan:
    """Read ``[card]``; mistakes are in the findings of the section."""
    lines = []
    for item in section.sections("lines"):
        columns = item.columns("columns", section.book.pool, default=())
        lines.append(_line_plan(item, item.text("label"), columns))
    parts = _line_plan(section.section("parts"), "", ()) if section.has("parts") else None
    section.finish()
    return tuple(lines), parts


def _line_plan(section: Section, label: str, columns: tuple[str, ...]) -> CardLinePlan:
    plan = CardLinePlan(label, columns, "", ())
    if section.has("table") or section.has("show"):
        table = section.evidence_table("table")
        show = section.columns("show", table) if table else section.strings("show")
        plan = CardLinePlan(label, columns, name_of(table), show)
    elif not columns:
        section.mistake("", "needs a `table` and what to `show` of it, or `columns` of the pool")
    section.finish()
    return plan


#: So many rows of a table, neighbours and boundaries are on a card; more are counted.
MOST = 5
#: A longer text is cut: a card is a summary, and `corpus show` prints everything.
LONGEST = 240

#: Headings of the lines that every card has; a corpus that declares one of them has its own.
BOUNDARY, NEIGHBOURS = "Boundary", "Neighbours"


class CardLine(NamedTuple):
    """One line of a card. Templates of authors use these names.

    Attributes
    ----------
    label : str
        Its heading.
    items : sequence of str
        What it holds; never empty, where nothing is known it has one item that tells so.
    """

    label: str
    items: Sequence[str]

    @property
    def text(self) -> str:
        """All items as one text."""
        return " · ".join(self.items)


@dataclass(frozen=True)
class Card:
    """One entry. Templates of authors use these names.

    Attributes
    ----------
    key, title, summary : str
        Of the entry.
    people, published : str
        Its authors, at most three of them by name; its venue with the year.
    address : str
        Where it is; empty where none is known.
    lines : sequence of CardLine
        The declared lines, then boundary and neighbours; or the parts that an evidence table has
        for the entry.
    """

    key: str
    title: str
    summary: str
    people: str
    published: str
    address: str
    lines: Sequence[CardLine]


def cards(study: Study, keys: Sequence[str]) -> list[Card]:
    """Return the cards of some entries, in the given order.

    Parameters
    ----------
    study : Study
        The whole corpus: neighbours are those among all entries.
    keys : sequence of str
        The entries.

    Raises
    ------
    UsageProblem
        For an unknown key.
    CorpusError
        Where the section `[card]` of the codebook has a mistake.
    """
    book = study.codebook
    entries = list(map(study.entry, keys))
    cited = {work.key: work for work in works(study)}
    plans, of_parts = card_plan(book)
    parts = _lines_of_parts(study, of_parts)
    found = []
    for entry in entries:
        work = cited[entry.key]
        people = ", ".join(name.full_name for name in work.authors)
        if len(work.authors) > 3:
            people = f"{work.authors[0].full_name} et al."
        card = Card(
            key=entry.key,
            title=work.title or entry.key,
            summary=_cut(work.summary),
            people=people,
            published=", ".join(filter(None, (work.venue, work.year_beside_venue))),
            address=work.address,
            lines=parts.get(entry.key) or _tag_lines(study, entry, plans),
        )
        found.append(card)
    return found


def keys_with_parts(study: Study) -> list[str]:
    """Return the entries that have a card of their own in an evidence table, in its order."""
    _, of_parts = card_plan(study.codebook)
    return list(_lines_of_parts(study, of_parts))


def _lines_of_parts(study: Study, plan: CardLinePlan | None) -> dict[str, list[CardLine]]:
    """Return the lines of the cards that an evidence table has, by entry; an empty cell is none."""
    if plan is None or plan.table not in study.tables:
        return {}
    table = study.tables[plan.table]
    found: dict[str, list[CardLine]] = {}
    for key, row in zip(study.keys_about(table), table.rows, strict=True):
        found[key] = []
        for column, text in _printed_cells(study, table.spec, plan.show, row):
            if text:
                found[key].append(CardLine(column.label, [text]))
    return found


def _printed_cells(
    study: Study, spec: TableSpec, names: Sequence[str], row: Row
) -> Iterator[tuple[Column, str]]:
    """Yield some columns of a table, each with the cell of a row in print."""
    for name in names:
        column = spec.column(name)
        yield column, in_words(column, row[spec.position(name)], study.codebook)


def _tag_lines(study: Study, entry: LocatedRow, plans: Sequence[CardLinePlan]) -> list[CardLine]:
    """Return the lines of a card that is made of tags and evidence."""
    # Declared lines with the same heading are one line.
    lines: dict[str, list[str]] = {}
    for line in plans:
        lines.setdefault(line.label, []).extend(_items(study, entry, line))
    for label, items in lines.items():
        lines[label] = items or ["nothing recorded"]
    # What the rows about the entry do not show, each text once, then its own notes.
    boundaries: dict[str, None] = {}
    for row in study.references(entry.table.spec, entry.key):
        boundary = row.by_role.get("boundary", "")
        if boundary:
            boundaries[f"{boundary} ({row.table.spec.title.lower()})"] = None
    boundaries[entry.by_role.get("notes", "")] = None
    boundaries.pop("", None)
    lines.setdefault(BOUNDARY, _first(list(map(_cut, boundaries))) or ["none recorded"])
    # One with no tag in common is the nearest of a small pool, but no neighbour.
    near = [key for key, shared in neighbours(study, entry, MOST) if shared]
    lines.setdefault(NEIGHBOURS, near or ["none"])
    return list(starmap(CardLine, lines.items()))


def _items(study: Study, entry: LocatedRow, plan: CardLinePlan) -> list[str]:
    items = []
    for column, text in _printed_cells(study, entry.table.spec, plan.columns, entry.row):
        # The name of the column, unless the line is already headed by it.
        if text and column.type == "term" and column.label != plan.label:
            items.append(f"{column.label}: {text}")
        elif text:
            items.append(_cut(text))
    table = study.tables.get(plan.table)
    if table is None:
        return items
    # Rows of a table about the entry. A dict, since two rows may have the same text.
    about: dict[str, None] = {}
    for key, row in zip(study.keys_about(table), table.rows, strict=True):
        if key == entry.key:
            about[_cut(_joined_cells(_printed_cells(study, table.spec, plan.show, row)))] = None
    about.pop("", None)
    return [*items, *_first(list(about))]


def _joined_cells(cells: Iterable[tuple[Column, str]]) -> str:
    """Join cells by commas; a number is joined to its unit, a colon comes before the evidence."""
    text = ""
    between = ""
    without_number = False
    for column, part in cells:
        is_number = column.type in ("number", "integer")
        is_its_unit, without_number = without_number, is_number and not part
        if not part or is_its_unit:
            continue
        if text and column.role == "evidence":
            between = ": "
        text += f"{between}{part}"
        between = " " if is_number else ", "
    return text


def _first(items: list[str]) -> list[str]:
    """Return the first few items, and how many more there are."""
    more = len(items) - MOST
    if more <= 0:
        return items
    return [*items[:MOST], f"and {more} more"]


def _cut(text: str) -> str:
    """Shorten a long text at a space."""
    if len(text) <= LONGEST:
        return text
    whole_words = text[:LONGEST].rsplit(" ", 1)[0]
    return whole_words.rstrip(" ,;:") + " …"


def card_text(card: Card, columns: int) -> str:
    """Write a card for a terminal of so many columns."""
    head = ". ".join(filter(None, (card.people.rstrip("."), card.published)))
    lines = textwrap.wrap(terminal(card.title), columns)
    for text in (f"{card.key}. {head}", card.address, card.summary):
        if text:
            lines += textwrap.wrap(terminal(text), columns, break_on_hyphens=False)
    lines.append("")
    wide = max((len(terminal(line.label)) for line in card.lines), default=0)
    for line in card.lines:
        text = f"{terminal(line.label):<{wide}}  {terminal(line.text)}"
        lines += wrapped_line(text, columns, wide + 2)
    return "\n".join(lines) + "\n"
