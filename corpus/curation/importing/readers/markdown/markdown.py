"""Awesome lists: Markdown lists, tables and paragraphs under headings, parsed by markdown-it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers.markdown.html_tables import HtmlTable, cut_html_tables
from corpus.curation.importing.readers.markdown.markdown_entry import (
    add_line,
    are_names,
    entry_cells,
    has_bold_title,
    is_named_part,
    is_profile,
    labelled,
    link_column,
)
from corpus.curation.importing.readers.markdown.markdown_text import (
    HARD_BREAK,
    TextRun,
    addresses_of,
    is_outward,
    lines_of,
    plain_text_of,
    runs_of,
)
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    Records,
    column_names,
    gather,
)
from corpus.printing.grid import first_of

_LEVELS = ("section", "subsection", "subsubsection")
#: Parts of a README that have links, but no works.
_NOT_A_LIST = re.compile(
    r"(?:table of )?contents?|contribut\w*.*|license|licence|(?:how to )?cit(?:e|ation).*|contact.*"
    r"|star history|acknowledge?ments?|related (?:awesome )?(?:lists?|repos\w*)|news|updates?",
    re.IGNORECASE,
)
#: "-[Peat](...)": the space that makes it a list is missing.
_CLOSE_MARKER = re.compile(r"^([ \t]*[-+*])(?=\[[^\[\]\n]{3,300}\]\()", re.MULTILINE)
_DASHES = re.compile(r"[-–—\s]+")
_HEADING_NUMBER = re.compile(r"^(?:(?:[0-9]{1,2}\.)+[0-9]{0,2}\s+|[0-9]{1,2}\)?\s+(?=[A-Z]))")
#: A link to words, not to a picture.
_HTML_LINK = re.compile(r"<a\b[^<>]*\bhref\s*=\s*[\"']?https?:[^<>]*>\s*+[^\s<]", re.IGNORECASE)
_BIBTEX = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*\{", re.MULTILINE)
#: Lines that a remark lists; there may be thousands.
_MOST_LINES = 10
#: A paragraph of bold words alone is a heading below all others.
_BOLD_LEVEL = 9


def read_markdown(text: str, shown: str) -> Records:  # noqa: ARG001 — all readers share it
    """Read every list item with a title and a link or named parts, and every row of a table.

    The headings above become the columns ``section``, ``subsection`` and ``subsubsection``; nested
    items and the paragraph below an item belong to it.
    """
    text, tables = cut_html_tables(_CLOSE_MARKER.sub(r"\1 ", text))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    walk = _Walk(tokens)
    walk.run()
    for table in tables:
        walk.add_html_table(table)
    walk.records.sort(key=lambda record: record.place)
    return gather("Markdown", walk.records, remarks=walk.remarks())


class _Heading(NamedTuple):
    """A heading, and those that it is below: level and title, outermost first, itself included."""

    line: int
    path: tuple[tuple[int, str], ...]


class _Item:
    """A list item while it is read: its own paragraphs, and the items inside it."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.paragraphs: list[list[TextRun]] = []
        self.children: list[_Item] = []

    @property
    def runs(self) -> list[TextRun]:
        """The runs of its first paragraph."""
        if not self.paragraphs:
            return []
        return self.paragraphs[0]

    @property
    def last_line(self) -> int:
        """The line on which the last item inside it starts."""
        if not self.children:
            return self.line
        return self.children[-1].last_line

    def all_runs(self) -> list[TextRun]:
        """Return the runs of the item and of everything inside it."""
        found: list[TextRun] = []
        for paragraph in self.paragraphs:
            found += paragraph
        for child in self.children:
            found += child.all_runs()
        return found


class _Walk:
    """Goes through the tokens of a document once and collects its records.

    Attributes
    ----------
    records : list of ImportedRecord
        What was read.
    unread : list of int
        Lines with links outside every entry.
    """

    def __init__(self, tokens: list[Any]) -> None:
        self.tokens = tokens
        self.records: list[ImportedRecord] = []
        self.unread: list[int] = []
        self.left_out: list[int] = []
        self.people: list[int] = []
        self.unread_tables: list[int] = []
        self.code: list[int] = []
        self.unlinked: list[int] = []
        self._headings: list[_Heading] = []
        self._last: dict[str, Cell] | None = None
        tops = [token for token in tokens if token.type == "heading_open" and token.tag == "h1"]
        # One heading of the first level is the title of the document.
        self._title_level = int(len(tops) == 1)

    def run(self) -> None:
        place = 0
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.type == "heading_open":
                self._heading(token, self.tokens[place + 1])
                place += 1  # its words are not a paragraph
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                items, place = self._items(place)
                for item in items:
                    self._item(item)
            elif token.type == "table_open":
                place = self._table(place)
            elif token.type == "inline":
                self._paragraph(token)
            elif token.type == "html_block" and _HTML_LINK.search(token.content):
                self.unread.append(token.map[0] + 1)
            elif token.type == "fence" and _BIBTEX.search(token.content):
                self.code.append(token.map[0] + 1)
            place += 1

    def remarks(self) -> list[str]:
        found = []
        if self.unread:
            found.append(f"links in running text are not read: {_lines(self.unread)}")
        if self.left_out:
            found.append(f"left out, for its heading is of no list: {_lines(self.left_out)}")
        if self.unread_tables:
            found.append(f"tables with links and without works: {_lines(self.unread_tables)}")
        if self.unlinked:
            found.append(f"list items without a link are not read: {_lines(self.unlinked)}")
        if self.code:
            found.append(f"BibTeX inside the document is not read: {_lines(self.code)}")
        if self.people:
            found.append(f"left out, for it links to people only: {_lines(self.people)}")
        return found

    def _heading(self, token: Any, inline: Any) -> None:
        runs = runs_of(inline.children)
        line = token.map[0] + 1
        cells: dict[str, Cell] = {}
        if addresses_of(runs):
            cells = entry_cells(runs)
        title = cells.get("title", "")
        # Headings of the first two levels are those of the list; below them, a heading with a title
        # and a link is a work.
        is_work = token.tag not in ("h1", "h2") and isinstance(title, str) and " " in title
        if cells and is_work and not str(title).startswith("http"):
            self._add(line, cells)
            return
        self._last = None
        self._enter(line, int(token.tag[1]), runs)

    def _enter(self, line: int, level: int, runs: list[TextRun]) -> None:
        """Note a heading; those of its level and below end here."""
        kept = tuple(part for part in self._path() if part[0] < level)
        self._headings.append(_Heading(line, (*kept, (level, _heading_text(runs)))))

    def _path(self) -> tuple[tuple[int, str], ...]:
        """Return the headings that what comes next is below."""
        if not self._headings:
            return ()
        return self._headings[-1].path

    def _sections(self, line: int) -> dict[str, Cell]:
        """Return the headings that a line is below, outermost first."""
        place = bisect_right(self._headings, line, key=lambda heading: heading.line)
        if place == 0:
            return {}
        path = self._headings[place - 1].path
        titles = [title for level, title in path if level != self._title_level]
        return dict(zip(_LEVELS, titles, strict=False))

    def _is_left_out(self, line: int) -> bool:
        for title in self._sections(line).values():
            if isinstance(title, str) and _NOT_A_LIST.fullmatch(title.strip(" :")):
                return True
        return False

    def _add(self, line: int, cells: dict[str, Cell]) -> None:
        sections = self._sections(line)
        if self._is_left_out(line):
            self.left_out.append(line)
            self._last = {}
            return
        record = {**sections, **cells}
        self.records.append(ImportedRecord(line, record))
        self._last = record

    def _items(self, place: int) -> tuple[list[_Item], int]:
        """Return the items of the list that opens at a place, and the place where it closes."""
        top: list[_Item] = []
        open_items: list[_Item] = []
        depth = 0
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.type in ("bullet_list_open", "ordered_list_open"):
                depth += 1
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                depth -= 1
                if depth == 0:
                    break
            elif token.type == "list_item_open":
                item = _Item(token.map[0] + 1)
                if open_items:
                    open_items[-1].children.append(item)
                else:
                    top.append(item)
                open_items.append(item)
            elif token.type == "list_item_close":
                open_items.pop()
            elif token.type == "inline" and open_items:
                open_items[-1].paragraphs.append(runs_of(token.children))
            place += 1
        return top, place

    def _item(self, item: _Item) -> None:
        """Make a record of an item, or look for records inside it."""
        addresses = addresses_of(item.runs)
        nested = [child for child in item.children if _is_work(child)]
        if is_named_part(item.runs) and self._last and not item.children:
            add_line(self._last, item.runs)  # a part of the heading or paragraph above
            return
        if not addresses and (nested or not _has_parts(item)):
            self._group(item)
            return
        cells = entry_cells(item.runs)
        if not cells:
            self._group(item)
            return
        if is_profile(item.all_runs()):
            self.people.append(item.line)
            return
        for paragraph in item.paragraphs[1:]:
            for line in lines_of(paragraph):
                add_line(cells, line)
        if not addresses:
            nested = []  # everything inside belongs to the work that the item names
        for child in item.children:
            if child not in nested:
                _add_part(cells, child)
        self._add(item.line, cells)
        for child in nested:
            self._item(child)

    def _group(self, item: _Item) -> None:
        """Read the items inside an item that only groups them; its words become their heading."""
        if not item.children:
            if not self._is_left_out(item.line):
                self.unlinked.append(item.line)
            return
        above = self._path()
        passed_over = item.paragraphs
        if item.runs and any(_is_work(child) for child in item.children):
            self._enter(item.line, _BOLD_LEVEL, item.runs)
            passed_over = item.paragraphs[1:]
        if any(map(plain_text_of, passed_over)):
            self.unlinked.append(item.line)
        for child in item.children:
            self._item(child)
        self._headings.append(_Heading(item.last_line + 1, above))

    def _paragraph(self, token: Any) -> None:
        runs = runs_of(token.children)
        line = (token.map or [0])[0] + 1
        addresses = addresses_of(runs)
        words = [run for run in runs if run.text.strip() and not run.is_break]
        if words and all(run.bold and not run.address for run in words) and not addresses:
            self._enter(line, _BOLD_LEVEL, runs)
            self._last = None
            return
        has_title = any(run.bold and len(run.text.split()) >= 3 for run in runs)
        if has_title and addresses:
            for entry in _entries(runs):
                cells = entry_cells(entry)
                if cells:
                    self._add(line, cells)
            return
        if self._last is not None and _is_part(runs):
            for part in lines_of(runs):
                add_line(self._last, part)
        elif addresses and not all(run.image for run in words if run.address):
            self.unread.append(line)

    def _table(self, place: int) -> int:
        """Read the rows of a Markdown table; return the place where it closes."""
        header: list[str] = []
        rows: list[tuple[int, list[list[TextRun]]]] = []
        kind = ""
        line = 0  # of the nearest token that knows its own; a cell does not
        while self.tokens[place].type != "table_close":
            token = self.tokens[place]
            if token.map:
                line = token.map[0] + 1
            if token.type in ("th_open", "td_open"):
                kind = token.type
            elif token.type == "tr_open":
                rows.append((line, []))
            elif token.type == "inline" and kind == "th_open":
                header.append(plain_text_of(runs_of(token.children)))
            elif token.type == "inline":
                rows[-1][1].append(runs_of(token.children))
            place += 1
        self._rows(header, [row for row in rows if row[1]])
        return place

    def add_html_table(self, table: HtmlTable) -> None:
        """Add the rows of a table that is written in HTML."""
        before = len(self.records)
        self._rows(table.header, table.rows)
        if table.is_linked and len(self.records) == before:
            self.unread_tables.append(table.line)

    def _rows(self, header: list[str], rows: list[tuple[int, list[list[TextRun]]]]) -> None:
        is_known = any(field_by_name(name) for name in header)
        if not is_known and not any(_has_link(row) for _, row in rows):
            return
        # What is beyond the header has columns without a name.
        width = max([len(header), *(len(row) for _, row in rows)])
        names = column_names([*header, *[""] * (width - len(header))])
        title = _title_column(names, [row for _, row in rows])
        for line, row in rows:
            cells = _row(names, row, title)
            if cells:
                self._add(line, cells)
        self._last = None


def _has_link(row: list[list[TextRun]]) -> bool:
    return any(addresses_of(cell) for cell in row)


def _has_parts(item: _Item) -> bool:
    """Return whether an item without a link of its own has what belongs to a work inside it."""
    if any(labelled(child.runs) is not None for child in item.children):
        return True
    is_bold = any(run.bold for run in item.runs)
    is_title = len(plain_text_of(item.runs).split()) >= 3
    if is_title and any(_is_label(child.runs) for child in item.children):
        return True
    return is_bold and bool(addresses_of(item.all_runs()))


def _is_label(runs: list[TextRun]) -> bool:
    """Return whether a text is nothing but links that are called by what they lead to."""
    words = [run for run in runs if run.text.strip(" []()|,\n\v")]
    return bool(words) and all(is_outward(run.address) and link_column(run.text) for run in words)


def _is_work(item: _Item) -> bool:
    """Return whether an item inside another one is a work of its own, not a part of that one."""
    if is_named_part(item.runs):
        return False
    for run in item.runs:
        is_title = len(run.text.split()) >= 3 and not link_column(run.text)
        if is_title and (run.bold or is_outward(run.address)) and not run.text.startswith("http"):
            return bool(addresses_of(item.all_runs()))
    # "Peat by light. Ann Ward. [[paper]](...)": words, then links that are labels.
    words = plain_text_of(run for run in item.runs if not run.address)
    labels = [run for run in item.runs if is_outward(run.address) and link_column(run.text)]
    return bool(labels) and len(words.split()) >= 5


def _add_part(cells: dict[str, Cell], item: _Item) -> None:
    """Add a nested item, and everything inside it, to its entry."""
    for paragraph in item.paragraphs:
        for line in lines_of(paragraph):
            add_line(cells, line)
    for child in item.children:
        _add_part(cells, child)


def _entries(runs: list[TextRun]) -> list[list[TextRun]]:
    """Split a paragraph into its entries: each line with a bold title begins one."""
    entries: list[list[TextRun]] = [[]]
    for line in lines_of(runs):
        is_next = has_bold_title(line) and any(map(has_bold_title, lines_of(entries[-1])))
        if is_next:
            entries.append([])
        entries[-1] += [*line, TextRun(HARD_BREAK)]
    return entries


def _is_part(runs: list[TextRun]) -> bool:
    """Return whether a paragraph belongs to the entry above: named parts, names, links, tags."""
    words = [run for run in runs if not run.is_break and run.text.strip()]
    if not words:
        return False
    if labelled(runs) is not None or words[0].italic or words[0].code:
        return True
    if are_names(plain_text_of(words)):
        return True
    return all(run.image or link_column(run.text) for run in words)


def _title_column(names: list[str], rows: list[list[list[TextRun]]]) -> str:
    """Return the column of a table that has titles without being called so, or "".

    It is the first one with words that are links in most rows, such as "Repository".
    """
    if any(field_by_name(name) == "title" for name in names):
        return ""
    for place, name in enumerate(names):
        cells = [row[place] for row in rows if place < len(row)]
        linked = 0
        for runs in cells:
            text = plain_text_of(runs)
            is_title = bool(text) and not text.startswith("http") and not link_column(text)
            linked += is_title and bool(addresses_of(runs))
        if 2 * linked > len(rows):
            return name
    return ""


def _row(names: list[str], row: list[list[TextRun]], title: str) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, runs in zip(names, row, strict=False):
        # The link of words comes before that of a badge.
        addresses = addresses_of(sorted(runs, key=lambda run: run.image))
        text = plain_text_of(runs)
        if _DASHES.fullmatch(text) and not addresses:
            continue  # nothing is known
        if not (link_column(name) or field_by_name(name)) and _labelled_links(runs, cells):
            continue
        if addresses and (not text or link_column(text)):
            # The cell is a label; what it links to is its value.
            cells[name] = addresses[0]
            addresses = addresses[1:]
        elif name == title:
            cells["title"] = text
        else:
            cells[name] = text
        if addresses and "url" not in cells:
            cells["url"] = addresses.pop(0)
        if addresses:
            cells[f"{name} links"] = tuple(addresses)
    return {name: cell for name, cell in cells.items() if cell}


def _labelled_links(runs: list[TextRun], cells: dict[str, Cell]) -> bool:
    """Add the links of a cell such as ``[Paper](...) | [Code](...)`` by what they lead to.

    Returns whether the cell is nothing but such links.
    """
    links = [run for run in runs if is_outward(run.address)]
    columns = [link_column(run.text) for run in links]
    words = plain_text_of(run for run in runs if not is_outward(run.address))
    is_labels = bool(links) and all(columns) and "links" not in columns
    if not is_labels or any(run.image for run in links) or re.search(r"\w", words):
        return False
    for run, column in zip(links, columns, strict=True):
        cells.setdefault(column, run.address)
    return True


def _heading_text(runs: list[TextRun]) -> str:
    """Return the words of a heading without its number and its ornaments."""
    text = re.sub(r"^[^\w(\[]+", "", plain_text_of(runs))
    text = re.sub(r" \([0-9]+(?: [a-z]+)?\)$", "", text)  # "(40 papers)"
    end = len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] in ")]?!."):
        end -= 1
    return _HEADING_NUMBER.sub("", text[:end]).strip()


def _lines(lines: list[int]) -> str:
    """Return the first lines of a list of them, and how many more there are."""
    word = "line" if len(lines) == 1 else "lines"
    return f"{word} {first_of(list(map(str, lines)), _MOST_LINES)}"
