"""Awesome lists: lists, tables and paragraphs under headings, in Markdown or HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers.markdown.markdown_entry import (
    add_line,
    are_names,
    describe,
    entry_cells,
    is_title,
    labelled,
    link_column,
)
from corpus.curation.importing.readers.markdown.repeats import merge_repeats
from corpus.curation.importing.readers.markdown.tree import (
    SOFT_BREAK,
    Node,
    TextRun,
    addresses_of,
    is_outward,
    lines_of,
    parsed,
    plain_text_of,
    runs_of,
)
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    LeftOut,
    Records,
    column_names,
    gather,
    texts_of,
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
#: Below "10." a paragraph has to be indented by four spaces; people go on with three.
_WIDE_NUMBER = re.compile(r"^([ \t]*)[0-9]+([0-9][.)] )", re.MULTILINE)
_DASHES = re.compile(r"[-–—\s]+")
_HEADING_NUMBER = re.compile(r"^(?:(?:[0-9]{1,2}\.)+[0-9]{0,2}\s+|[0-9]{1,2}\)?\s+(?=[A-Z]))")
_BIBTEX = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*\{", re.MULTILINE)
#: A paragraph of bold words alone is a heading below all others.
_BOLD_LEVEL = 9
#: Cells that a table has because another one is over several rows or columns; more is an attack.
MAX_REPEATED = 1_000_000
#: Words that name a part of so few entries are part of a text: "We show: ...".
_FEWEST_LABELS = 3
_LISTS = ("ul", "ol")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (*_LISTS, *_HEADINGS, "table", "p", "li", "pre")
#: Lines that a remark lists; there may be thousands.
_MOST_LINES = 10
_UNREAD = "links in running text are not read"
_NO_LIST = "left out, for the heading is of no list"
_NO_TABLE = "tables without works are not read"
_UNLINKED = "list items without a link are not read"
_PEOPLE = "left out, for it links to people only"
_CODE = "code is not read"
Grid = list[tuple[Node, list[list[TextRun]]]]


def read_markdown(text: str, shown: str) -> Records:  # noqa: ARG001 — all readers share it
    """Read every list item with a title, and every row of a table.

    The headings above become the columns ``section``, ``subsection`` and ``subsubsection``; nested
    items and the paragraph below an item belong to it. What is passed over is in `left_out`.
    """
    document = parsed(_WIDE_NUMBER.sub(r"\1\2", _CLOSE_MARKER.sub(r"\1 ", text)))
    walk = _Walk(document)
    walk.read(document)
    rows = [ImportedRecord(line, cells) for line, cells in walk.records]
    kept, merged = merge_repeats(_with_common_labels(rows, walk.labels))
    left_out = (*walk.left_out, *merged)
    lines: dict[str, list[str]] = {}
    for each in left_out:
        lines.setdefault(each.reason, []).append(str(each.line))
    remarks = []
    for why, found in lines.items():
        word = "line" if len(found) == 1 else "lines"
        remarks.append(f"{why}: {word} {first_of(found, _MOST_LINES)}")
    return gather("Markdown", kept, remarks=remarks)._replace(left_out=left_out)


def _with_common_labels(rows: Sequence[ImportedRecord], labels: set[str]) -> list[ImportedRecord]:
    """Return records in which words that name a part of a few entries only are text again."""
    uses = Counter(name for row in rows for name in row.cells)
    rare = {name for name in labels if uses[name] < _FEWEST_LABELS < len(rows)}
    found = []
    for row in rows:
        cells = {name: cell for name, cell in row.cells.items() if name not in rare}
        for name in rare.intersection(row.cells):
            describe(cells, f"{name}: {', '.join(texts_of(row.cells[name]))}")
        found.append(ImportedRecord(row.place, cells))
    return found


class _Item(NamedTuple):
    """A list item: its own paragraphs, and the items inside it."""

    node: Node
    paragraphs: list[list[TextRun]]
    children: list[_Item]

    @property
    def runs(self) -> list[TextRun]:
        """The runs of its first paragraph."""
        return self.paragraphs[0] if self.paragraphs else []

    def all_runs(self) -> list[TextRun]:
        """Return the runs of the item and of everything inside it."""
        return runs_of(self.node)


def _item_of(node: Node) -> _Item:
    own = runs_of(node, past=(*_LISTS, "p"))
    # The words of a tight item are in no paragraph.
    paragraphs = [own] if any(run.text.strip() or run.image for run in own) else []
    paragraphs += [runs_of(part) for part in node.inside(("p",), _LISTS)]
    return _Item(node, paragraphs, [_item_of(part) for part in node.inside(("li",))])


class _Walk:
    """Goes through a document once and collects records, and what is passed over."""

    def __init__(self, document: Node) -> None:
        self.records: list[tuple[int, dict[str, Cell]]] = []
        self.left_out: list[LeftOut] = []
        self.labels: set[str] = set()
        self._path: tuple[tuple[int, str], ...] = ()
        #: The work that a following paragraph may belong to.
        self._last: dict[str, Cell] | None = None
        self._last_tag = ""
        # One heading of the first level is the title of the document.
        self._title_level = int(sum(1 for _ in document.inside(("h1",))) == 1)

    def read(self, node: Node) -> None:
        """Read everything inside an element."""
        for child in node.nodes:
            if child.tag in _HEADINGS:
                self._heading(child)
            elif child.tag in _LISTS:
                for item in child.inside(("li",)):
                    self._item(_item_of(item))
            elif child.tag == "table":
                self._table(child)
            elif child.tag == "pre":
                self._leave(child, _CODE)
            elif child.tag == "p" and not any(part.tag in _BLOCKS for part in child.nodes):
                self._paragraph(child)
            else:
                self.read(child)
                # Words in HTML that are in no paragraph.
                if child.tag not in _BLOCKS and addresses_of(runs_of(child, past=_BLOCKS)):
                    self._leave(child, _UNREAD)

    def _leave(self, node: Node, reason: str) -> None:
        self.left_out.append(LeftOut(node.line, node.end, reason))

    def _heading(self, node: Node) -> None:
        runs = runs_of(node)
        level = int(node.tag[1])
        # Headings of the first two levels are those of the list; below them, a heading with a title
        # and a link is a work.
        cells = entry_cells(runs) if level > 2 and addresses_of(runs) else {}
        if " " in str(cells.get("title", "")):
            self._add(node, cells)
            return
        self._last = None
        self._enter(level, runs)

    def _enter(self, level: int, runs: list[TextRun]) -> None:
        """Note a heading; those of its level and below end here."""
        kept = tuple(part for part in self._path if part[0] < level)
        self._path = (*kept, (level, _heading_text(runs)))

    def _add(self, node: Node, cells: dict[str, Cell], line: int = 0) -> None:
        titles = [title for level, title in self._path if level != self._title_level]
        if any(_NOT_A_LIST.fullmatch(title.strip(" :")) for title in titles):
            self._leave(node, _NO_LIST)
            self._last = {}
            return
        record: dict[str, Cell] = {**dict(zip(_LEVELS, titles, strict=False)), **cells}
        self.records.append((line or node.line, record))
        self._last, self._last_tag = record, node.tag

    def _item(self, item: _Item) -> None:
        """Make a record of an item, or look for records inside it."""
        addresses = addresses_of(item.runs)
        nested = [child for child in item.children if _is_work(child)]
        # Below a work that is a heading or a paragraph, any named part is of it.
        is_named = self._last_tag != "li" and not addresses and labelled(item.runs) is not None
        is_part = is_named or _is_known_part(item.runs)
        if self._last is not None and not item.children and is_part:
            self._part(self._last, item.runs)
            return
        is_group = not addresses and (nested or not _is_work_without_link(item))
        cells = {} if is_group else entry_cells(item.runs)
        if not cells and not item.children and addresses:
            self._leave(item.node, _PEOPLE)
            return
        if not cells:
            self._group(item)
            return
        for paragraph in item.paragraphs[1:]:
            self._part(cells, paragraph)
        if not addresses:
            nested = []  # everything inside belongs to the work that the item names
        for child in item.children:
            if child not in nested:
                self._part_item(cells, child)
        self._add(item.node, cells)
        for child in nested:
            self._item(child)

    def _part(self, cells: dict[str, Cell], runs: list[TextRun]) -> None:
        """Add further lines of an entry to it."""
        for line in lines_of(runs):
            self.labels.update(add_line(cells, line))

    def _part_item(self, cells: dict[str, Cell], item: _Item) -> None:
        """Add a nested item, and everything inside it, to its entry."""
        for paragraph in item.paragraphs:
            self._part(cells, paragraph)
        for child in item.children:
            self._part_item(cells, child)

    def _group(self, item: _Item) -> None:
        """Read the items inside an item that only groups them; its words become their heading."""
        if not item.children:
            self._leave(item.node, _UNLINKED)
            return
        above = self._path
        if item.runs:
            self._enter(_BOLD_LEVEL, item.runs)
        if any(map(plain_text_of, item.paragraphs[1:])):
            self.left_out.append(LeftOut(item.node.line, item.children[0].node.line, _UNLINKED))
        for child in item.children:
            self._item(child)
        self._path = above

    def _paragraph(self, node: Node) -> None:
        runs = runs_of(node)
        words = [run for run in runs if run.text.strip()]
        links = addresses_of(words)
        if words and not links and all(run.bold for run in words):
            self._enter(_BOLD_LEVEL, runs)
            self._last = None
            return
        if links and words and is_title(words[0]):
            for line, entry in _entries(node.line, runs):
                self._add(node, entry_cells(entry), line)
        elif self._last is not None and _is_part(words, self._last):
            self._part(self._last, runs)
        elif links:
            self._leave(node, _UNREAD)

    def _table(self, node: Node) -> None:
        rows = _grid(node)
        header = [plain_text_of(cell) for cell in rows[0][1]] if rows else []
        has_titles = any(field_by_name(name) == "title" for name in header)
        has_links = bool(addresses_of(runs_of(node)))
        if not rows or not (has_titles or has_links):
            if has_links:
                self._leave(node, _NO_TABLE)
            return
        # What is beyond the header has columns without a name.
        width = max(len(row) for _, row in rows)
        names = column_names([*header, *[""] * (width - len(header))])
        body = rows[1:]
        title = _title_column(names, [row for _, row in body])
        before = len(self.records)
        for line, row in body:
            cells = _row(names, row, title)
            if cells:
                self._add(line, cells)
        if len(self.records) == before:
            self._leave(node, _NO_TABLE)
        self._last = None


def _entries(line: int, runs: list[TextRun]) -> list[tuple[int, list[TextRun]]]:
    """Split a paragraph into its entries, with their lines: a line with a title begins one."""
    entries: list[tuple[int, list[TextRun]]] = [(line, [])]
    is_start = True
    for run in runs:
        if run.text.strip():
            if is_start and is_title(run) and any(map(is_title, entries[-1][1])):
                entries.append((line, []))
            is_start = False
        if not run.image and run.text.isspace() and run.text.strip(" ") != "":
            is_start = True
            line += run.text == SOFT_BREAK
        entries[-1][1].append(run)
    return entries


def _grid(table: Node) -> Grid:
    """Return the filled rows of a table.

    A cell over several rows is repeated in each. A cell over several columns is in the first of
    them, and the others are empty, so that what follows is in its own column.
    """
    rows: Grid = []
    # Column -> how many rows a cell from above still reaches into, and the cell.
    above: dict[int, tuple[int, list[TextRun]]] = {}
    repeated = 0
    for line in table.inside(("tr",), ("table",)):
        row: list[list[TextRun]] = []
        due, above = above, {}
        for node in [*line.inside(("td", "th"), ("table",)), None]:
            while len(row) in due:
                left, cell = due.pop(len(row))
                if left > 1:
                    above[len(row)] = (left - 1, cell)
                row.append(cell)
                repeated += 1
            if node is None:
                break
            down, across = _span(node, "rowspan"), _span(node, "colspan")
            for cell in (runs_of(node), *([] for _ in range(across - 1))):
                if down > 1:
                    above[len(row)] = (down - 1, cell)
                row.append(cell)
            repeated += across - 1
            if repeated > MAX_REPEATED:
                return []
        if any(row):
            rows.append((line, row))
    return rows


def _span(node: Node, name: str) -> int:
    """Return over how many rows or columns a cell is; browsers take 0 and nonsense for 1."""
    text = node.attributes.get(name, "")
    return max(int(text), 1) if re.fullmatch(r"[0-9]{1,3}", text) else 1


def _is_known_part(runs: list[TextRun]) -> bool:
    """Whether a line is called by what every list has: "Authors: ...", "Code: ..."."""
    named = labelled(runs)
    if named is None or (link_column(named.label) == "url" and any(map(is_title, runs))):
        return False  # "Paper: [Peat by light](...)" is a work of its own
    return bool(link_column(named.label) or field_by_name(named.label))


def _is_work_without_link(item: _Item) -> bool:
    """Whether an item without a link of its own is a work: by its title, or by what is inside."""
    words = [run for run in item.runs if run.text.strip()]
    if not words:
        return False
    if words[0].bold:
        return is_title(words[0]) or bool(addresses_of(item.all_runs()))
    has_parts = any(
        labelled(child.runs) or _is_label(child.runs) or _are_people(child.runs)
        for child in item.children
    )
    has_paragraph = any(map(addresses_of, item.paragraphs[1:]))
    return len(plain_text_of(words).split()) >= 3 and (has_parts or has_paragraph)


def _is_label(runs: list[TextRun]) -> bool:
    """Return whether a text is nothing but links that are called by what they lead to."""
    words = [run for run in runs if run.text.strip(" []()|,\n\v")]
    return bool(words) and all(is_outward(run.address) and link_column(run.text) for run in words)


def _are_people(runs: list[TextRun]) -> bool:
    """Whether what would be the title of an entry is a list of its authors."""
    return are_names(str(entry_cells(runs).get("title", "")))


def _is_work(item: _Item) -> bool:
    """Return whether an item inside another one is a work of its own, not a part of that one."""
    if _is_known_part(item.runs) or not addresses_of(item.all_runs()):
        return False
    if any(map(is_title, item.runs)):
        return True
    # "Peat by light. Ann Ward. [[paper]](...)": words, then links that are labels.
    words = plain_text_of(run for run in item.runs if not run.address)
    labels = [run for run in item.runs if is_outward(run.address) and link_column(run.text)]
    return bool(labels) and len(words.split()) >= 5 and not _are_people(item.runs)


def _is_part(words: list[TextRun], last: dict[str, Cell]) -> bool:
    """Return whether a paragraph belongs to the entry above: named parts, names, links, tags."""
    if not words or not last:
        return False
    if labelled(words) is not None or words[0].italic or words[0].code:
        return True
    return are_names(plain_text_of(words)) or all(r.image or link_column(r.text) for r in words)


def _title_column(names: list[str], rows: list[list[list[TextRun]]]) -> str:
    """Return the column of a table that has titles without being called so, or "".

    It is the first one with linked words in most rows; single ones are names of methods.
    """
    if any(field_by_name(name) == "title" for name in names):
        return ""
    for place, name in enumerate(names):
        cells = [row[place] for row in rows if place < len(row)]
        linked = [plain_text_of(runs) for runs in cells if addresses_of(runs)]
        wordy = sum(len(text.split()) >= 2 and not link_column(text) for text in linked)
        if 2 * len(linked) > len(rows) and wordy:
            return name if 2 * wordy > len(linked) else ""
    return ""


def _row(names: list[str], row: list[list[TextRun]], title: str) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, runs in zip(names, row, strict=False):
        # The link of words comes before that of a badge.
        addresses = addresses_of(sorted(runs, key=lambda run: run.image))
        text = plain_text_of(runs)
        if _DASHES.fullmatch(text) and not addresses:
            continue  # nothing is known
        is_title_cell = name == title or field_by_name(name) == "title"
        if is_title_cell and any(map(is_title, runs)):
            # Such as "[AAAI 2020] How peat grows", its authors in the next line.
            found = entry_cells(runs)
            found["title" if name == title else name] = found.pop("title", "")
            cells.update(found)
            continue
        is_named = link_column(name) or field_by_name(name)
        links = [(link_column(run.text), run.address) for run in runs if is_outward(run.address)]
        words = plain_text_of(run for run in runs if not is_outward(run.address))
        if not is_named and all(column for column, _ in links) and not re.search(r"\w", words):
            # "[Paper](...) | [Code](...)": each where its label tells.
            for column, address in links:
                earlier = texts_of(cells.get(column, ()))
                cells[column] = tuple(dict.fromkeys((*earlier, address)))
            continue
        if addresses and (not text or link_column(text)):
            # The cell is a label; what it links to is its value. An address is not a title.
            cells["url" if is_title_cell else name] = addresses.pop(0)
        else:
            cells["title" if name == title else name] = text
        if addresses and "url" not in cells:
            cells["url"] = addresses.pop(0)
        if addresses:
            cells[f"{name} links"] = tuple(addresses)
    filled = {name: cell for name, cell in cells.items() if cell}
    for name, cell in filled.items():
        if isinstance(cell, tuple) and len(cell) == 1:
            filled[name] = cell[0]
    return filled


def _heading_text(runs: list[TextRun]) -> str:
    """Return the words of a heading without its number and its ornaments."""
    # A longer heading is a paragraph, and searching it from its end would take too long.
    text = re.sub(r"^[^\w(\[]+", "", plain_text_of(runs)[:300])
    text = re.sub(r" \([0-9]+(?: [a-z]+)?\)$", "", text)  # "(40 papers)"
    return _HEADING_NUMBER.sub("", re.sub(r"[^\w)\]?!.]+$", "", text)).strip()
