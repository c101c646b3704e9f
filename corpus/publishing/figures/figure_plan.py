"""What `[figures]` of the codebook declares for one figure, whatever its kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from corpus.canvas.paper import MARGIN, Paper, widest, wrap
from corpus.canvas.style import TEXT
from corpus.model.codebook import Column, TableSpec, Term
from corpus.model.documents.section import Section
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.printing.escape import latex
from corpus.printing.grid import safe_csv

#: What ``width`` may name, in inches: one column or both of a page.
WIDTHS: Mapping[str, float] = {"one": 3.5, "two": 7.16}

#: A title's beginning is a name up to so many characters: "MALT" of "MALT: Improving ...".
_LONGEST_NAME = 20

#: The label in print of the entries whose cell is empty.
NOT_GIVEN = "not given"

Value = str | int | float


class Frame(NamedTuple):
    """The table that a figure draws, written beside it as CSV; a row is one mark."""

    header: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]

    def csv(self) -> str:
        """Write it as CSV; cells that a spreadsheet would run are neutralised."""
        return safe_csv([self.header, *self.rows])


class FigureData(Protocol):
    """What a figure draws."""

    def frame(self) -> Frame:
        """Return the numbers as a table."""

    def draw(self, width: float, title: str) -> Paper:
        """Draw them on a page of a width in inches."""


#: What reading the section of a figure gives: it counts or reads what is drawn.
Counting = Callable[[Study], FigureData]


class FigurePlan(NamedTuple):
    """One figure.

    Attributes
    ----------
    name : str
        Also the name of its files.
    kind, title, caption : str
        What it is and how it is described.
    width : float
        In inches.
    data : callable
        Study -> what it draws. CorpusError with C801 to C804 findings where the data cannot be
        drawn as declared.
    """

    name: str
    kind: str
    title: str
    caption: str
    width: float
    data: Counting

    def latex(self) -> str:
        """Return the caption for LaTeX, for a `figure`; its label is `fig:` and the name."""
        title = self.title or self.name
        text = self.caption
        if not text.startswith(title):
            text = f"{title}. {text}".rstrip()
        return f"\\caption[{latex(title)}]{{{latex(text)}}}\n\\label{{fig:{self.name}}}\n"


def row_names(
    terms: Iterable[Term], width: float, size: float = TEXT
) -> tuple[dict[str, list[str]], float]:
    """Return the lines of the names of rows, at most so wide, and where the widest of them ends."""
    names = {term.id: wrap(term.label, width, size) for term in terms}
    return names, MARGIN + widest(chain(*names.values()), size)


def short_names(section: Section) -> Callable[[LocatedRow], str]:
    """Read `labels`: the short names of entries in the figure, by key; other figures' count too.

    An entry without one has what its title has before a colon, if that is short, else the family
    name of its first author and the year, else its key.
    """
    labels = section.texts("labels")
    for key in labels:
        section.reference("row", key, "labels", key, of=section.book.pool.name, is_key=True)

    named: dict[str, str] = {}
    for figure in section.book.settings.get("figures", {}).values():
        # What is not a table of texts has a finding where that figure is read.
        if isinstance(figure, Mapping) and isinstance(figure.get("labels"), Mapping):
            named.update(figure["labels"])
    named.update(labels)

    def name(entry: LocatedRow) -> str:
        if entry.key in named:
            return named[entry.key]
        cells = entry.by_role
        start, colon, _ = cells.get("title", "").partition(":")
        if colon and len(start) <= _LONGEST_NAME:
            return start
        author = cells.get("first_author", "").partition(",")[0]
        return f"{author} {cells.get('year', '')}".strip() if author else entry.key

    return name


def of_type(table: TableSpec | None, *types: str) -> list[Column]:
    """Return the columns of a table that have one of these types."""
    return [column for column in table.columns if column.type in types] if table else []


def group_of(section: Section) -> Column | None:
    """Read `group`: by default the column that the codebook gives this role."""
    declared = section.book.pool.by_role("group")
    if declared and not section.has("group"):
        return declared
    return section.axis("group")
