"""Tables written in HTML within Markdown, as READMEs of paper lists often have them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

from corpus.curation.importing.readers.markdown.markdown_text import HARD_BREAK, TextRun

_START = re.compile(r"<table\b", re.IGNORECASE)
_END = re.compile(r"</table *>", re.IGNORECASE)
_LINK = re.compile(r"<a\b[^<>]*\bhref\s*=\s*[\"']?https?:", re.IGNORECASE)
_SPAN = re.compile(r"[0-9]{1,3}")
#: Tags that set a style, and which.
_STYLES = {"b": "bold", "strong": "bold", "i": "italic", "em": "italic"}
#: A README has some hundred kilobytes; the parser's time on broken markup grows faster than that.
MAX_CHARACTERS = 5_000_000
#: Cells that a table has because another one is over several rows or columns. More is an attack:
#: such a table is not read.
MAX_REPEATED = 1_000_000


class HtmlTable(NamedTuple):
    """A table: the words of its header, and its rows with the line on which each starts.

    `line` is that of the table, `is_linked` tells whether there is a link in it.
    """

    header: list[str]
    rows: list[tuple[int, list[list[TextRun]]]]
    line: int
    is_linked: bool


def cut_html_tables(text: str) -> tuple[str, list[HtmlTable]]:
    """Return a document without its HTML tables, every other line where it was, and the tables."""
    if len(text) > MAX_CHARACTERS or not _START.search(text):
        return text, []
    tables: list[HtmlTable] = []
    parts: list[str] = []
    end = 0
    line = 1
    while True:
        start = _START.search(text, end)
        if start is None:
            break
        close = _END.search(text, start.end())
        if close is None:
            break  # a table that never ends is text
        before = text[end : start.start()]
        markup = text[start.start() : close.end()]
        line += before.count("\n")
        table = _parsed(markup, line)
        if table is not None:
            tables.append(table)
        breaks = markup.count("\n")
        parts += [before, "\n" * breaks]
        line += breaks
        end = close.end()
    return "".join(parts) + text[end:], tables


def _parsed(text: str, line: int) -> HtmlTable | None:
    parser = _TableParser(line)
    parser.feed(text)
    parser.close()
    is_linked = _LINK.search(text) is not None
    if parser.repeated > MAX_REPEATED:
        return HtmlTable([], [], line, is_linked)
    rows = [row for row in parser.rows if any(row[1])]
    if not rows:
        return None
    header = [_words(cell) for cell in rows[0][1]]
    return HtmlTable(header, rows[1:], line, is_linked)


def _words(cell: list[TextRun]) -> str:
    return " ".join("".join(run.text for run in cell).split())


class _TableParser(HTMLParser):
    """Collects the cells of a table as runs.

    A cell over several rows is repeated in each. A cell over several columns is in the first of
    them, and the others are empty, so that what follows is in its own column.
    """

    def __init__(self, line: int) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[tuple[int, list[list[TextRun]]]] = []
        self.repeated = 0
        self._first_line = line
        self._cell: list[TextRun] | None = None
        self._style = {"bold": 0, "italic": 0}
        self._address = ""
        self._rowspan = 1
        self._colspan = 1
        # Column -> how many rows a cell from above still reaches into, and the cell.
        self._spans: dict[int, tuple[int, list[TextRun]]] = {}
        self._due: dict[int, list[TextRun]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self._close_cell()
            self._open_row()
        elif tag in ("td", "th"):
            self._close_cell()
            self._cell = []
            self._rowspan = _span(values.get("rowspan", ""))
            self._colspan = _span(values.get("colspan", ""))
        elif tag == "br" and self._cell is not None:
            self._cell.append(TextRun(HARD_BREAK))
        elif tag == "a":
            self._address = values.get("href", "")
        elif tag == "img" and self._cell is not None:
            self._cell.append(TextRun(values.get("alt", ""), self._address, image=True))
        elif tag in _STYLES:
            self._style[_STYLES[tag]] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close_cell()
        elif tag == "a":
            self._address = ""
        elif tag in _STYLES:
            style = _STYLES[tag]
            self._style[style] = max(self._style[style] - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._cell is None or not data:
            return
        bold, italic = self._style["bold"] > 0, self._style["italic"] > 0
        self._cell.append(TextRun(data, self._address, bold, italic))

    def _open_row(self) -> None:
        self.rows.append((self._first_line + self.getpos()[0] - 1, []))
        self._due = {}
        left: dict[int, tuple[int, list[TextRun]]] = {}
        for column, (number, cell) in self._spans.items():
            self._due[column] = cell
            if number > 1:
                left[column] = (number - 1, cell)
        self._spans = left
        self._repeat()

    def _close_cell(self) -> None:
        if self._cell is None or not self.rows:
            self._cell = None
            return
        cells: list[list[TextRun]] = [self._cell]
        while len(cells) < self._colspan and self.repeated <= MAX_REPEATED:
            cells.append([])
            self.repeated += 1
        for cell in cells:
            row = self.rows[-1][1]
            if self._rowspan > 1:
                self._spans[len(row)] = (self._rowspan - 1, cell)
            row.append(cell)
            self._repeat()
        self._cell = None

    def _repeat(self) -> None:
        """Add the cells from above that reach into this row at its present end."""
        row = self.rows[-1][1]
        while len(row) in self._due and self.repeated <= MAX_REPEATED:
            row.append(self._due.pop(len(row)))
            self.repeated += 1


def _span(text: str) -> int:
    """Return over how many rows or columns a cell is; browsers take 0 and nonsense for 1."""
    if _SPAN.fullmatch(text):
        return max(int(text), 1)
    return 1
