"""The codebook's section `[page]`: months of the timeline, and questions to start from."""

from typing import NamedTuple
from urllib.parse import urlencode

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.documents.section import Section, read_settings, settings_section

#: Names in the address of a view that mean something else than an axis.
RESERVED = frozenset({"q", "key", "sort", "view", "month", "rows", "columns", "colour", "cell"})

#: Months that the timeline shows where the codebook does not declare any.
MONTHS = 24

#: The longest timeline whose bars can still be distinguished.
_MOST_MONTHS = 120


class PageSettings(NamedTuple):
    """The months of the timeline, and the questions of a reader.

    A question is its text, and the address of the view that answers it.
    """

    months: int
    questions: tuple[tuple[str, str], ...]


def page_settings(book: Codebook) -> PageSettings:
    """Read ``[page]``.

    It has `months`, `leave_out` (see :func:`left_out`), and ``[[page.questions]]`` with `text` and
    `where` (filter -> term) or `section`, the id of a part of the page.

    Raises
    ------
    CorpusError
        C001, where the section names what the page does not have.
    """
    return read_settings(book, "page", read_page)


def read_page(section: Section) -> PageSettings:
    """Read ``[page]``; mistakes are in the findings of the section."""
    months = section.whole("months", MONTHS)
    for number, name in enumerate(section.strings("leave_out", ())):
        section.reference("table", name, "leave_out", number, known=section.book.tables)
    questions = tuple(map(_question, section.sections("questions")))
    if not 1 <= months <= _MOST_MONTHS:
        section.mistake("months", f"must be between 1 and {_MOST_MONTHS}")
    section.finish()
    return PageSettings(months, questions)


def left_out(book: Codebook) -> tuple[str, ...]:
    """Return the tables that the page leaves out, since they would make it slow to open.

    They are in the exports and in the files all the same.
    """
    return settings_section(book, "page").strings("leave_out", ())


def shown_tables(book: Codebook) -> list[TableSpec]:
    """Return the tables about entries that are on the page."""
    hidden = left_out(book)
    specs = book.tables.values()
    return [spec for spec in specs if spec.reference_to(book.pool) and spec.name not in hidden]


def facets(book: Codebook) -> dict[str, tuple[TableSpec, Column]]:
    """Return the filters by their names in addresses, each with the column whose terms it offers.

    They are the axes of the pool, then what tables of evidence add to them.
    """
    found = {facet_id(column.name): (book.pool, column) for column in book.pool.axes}
    covered = {column.vocabulary for column in book.pool.axes}
    for spec in shown_tables(book):
        for column in spec.term_columns:
            if spec.role == "evidence" and column.vocabulary not in covered:
                found[f"{spec.name}.{column.name}"] = (spec, column)
    return found


def facet_id(axis: str) -> str:
    """Return the name of an axis in the address of a view."""
    return f"axis.{axis}" if axis in RESERVED else axis


def _question(section: Section) -> tuple[str, str]:
    text = section.text("text")
    chosen = section.column_values("where", facets(section.book))
    part = section.text("section", "")
    for name, terms in chosen.items():
        if len(terms) != 1:
            section.mistake(f"where.{name}", "must be one term")
    if section.has("where") == bool(part):
        section.mistake("", "needs either `where` or `section`")
    section.finish()
    address = f"#{part}"
    if chosen:
        address = f"#entries?{urlencode(chosen, doseq=True)}"
    return text, address
