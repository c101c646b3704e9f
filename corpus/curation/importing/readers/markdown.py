"""Awesome lists: lists, tables and paragraphs under headings, in Markdown or HTML."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from corpus.curation.importing.names import field_by_name
from corpus.curation.importing.readers.markdown_entry import (
    add_address,
    add_line,
    entry_cells,
    is_quoted,
    is_title,
    labelled,
    link_column,
    trimmed,
)
from corpus.curation.importing.readers.markdown_tree import (
    HEADINGS,
    LISTS,
    Node,
    Runs,
    addresses_of,
    is_outward,
    lines_of,
    parsed,
    plain_text_of,
    runs_of,
)
from corpus.curation.importing.readers.records import (
    Cell,
    Cells,
    ImportedRecord,
    LeftOut,
    Records,
    column_names,
    filled_cells,
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
_BLOCKS = (*LISTS, *HEADINGS, "table", "p", "li", "pre")
#: Lines that a remark lists; there may be thousands.
_MOST_LINES = 10
_UNREAD = "links in running text are not read"
_NO_LIST = "left out, for the heading is of no list"
_NO_TABLE = "tables without works are not read"
_SPANS = "tables with cells over several rows or columns are not read"
_UNLINKED = "items and paragraphs without a link are not read"
_PEOPLE = "left out, for it links to people only"
_CODE = "code is not read"


def read_markdown(text: str, shown: str) -> Records:
    """Read every list item with a title, and every row of a table.

    The headings above become the columns ``section``, ``subsection`` and ``subsubsection``; nested
    items and paragraphs inside an item belong to it. What is passed over is in `left_out`.
    """
    document = parsed(_WIDE_NUMBER.sub(r"\1\2", _CLOSE_MARKER.sub(r"\1 ", text)))
    walk = _Walk(document)
    walk.read(document)
    kept, merged = merge_repeats(walk.records)
    records = Records("Markdown", shown, kept)
    records.left_out += [*walk.left_out, *merged]
    lines: dict[str, list[str]] = {}
    for each in records.left_out:
        lines.setdefault(each.reason, []).append(str(each.line))
    for why, found in lines.items():
        word = "lines" if len(found) > 1 else "line"
        records.remarks.append(f"{why}: {word} {first_of(found, _MOST_LINES)}")
    return records


def _paragraphs(item: Node) -> list[Runs]:
    """Return the paragraphs of a list item, without the items inside it; there may be none."""
    # The words of a tight item are in no paragraph.
    paragraphs = [runs_of(item, past=(*LISTS, "p"))]
    paragraphs += list(map(runs_of, item.inside(("p",), LISTS)))
    return list(filter(lines_of, paragraphs))


def _has_links(node: Node) -> bool:
    """Whether an element, or anything inside it, links to another site."""
    return bool(addresses_of(runs_of(node)))


class _Walk:
    """Goes through a document once and collects records, and what is passed over."""

    def __init__(self, document: Node) -> None:
        self.records: list[ImportedRecord] = []
        self.left_out: list[LeftOut] = []
        self._path: tuple[tuple[int, str], ...] = ()
        # One heading of the first level is the title of the document.
        self._title_level = int(len(list(document.inside(("h1",)))) == 1)

    def read(self, node: Node) -> None:
        """Read everything inside an element."""
        for child in node.nodes:
            if child.tag in HEADINGS:
                self._heading(child)
            elif child.tag in LISTS:
                for item in child.inside(("li",)):
                    self._item(item)
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
        self.left_out.append(LeftOut(reason, node.line, node.end))

    def _heading(self, node: Node) -> None:
        """Note a heading, without its number and its ornaments; those below its level end here."""
        runs = runs_of(node)
        if addresses_of(runs):
            self._leave(node, _UNREAD)
        # Beside the words may be a link to the top of the page.
        words = [run for run in runs if not run.address.startswith("#")]
        text = trimmed(plain_text_of(words)) or trimmed(plain_text_of(runs))
        text = re.sub(r"^[0-9][0-9.]*\)?\s+(?=[A-Z])", "", text)
        level = int(node.tag[1])
        above = [part for part in self._path if part[0] < level]
        self._path = (*above, (level, text))

    def _add(self, node: Node, cells: Cells) -> None:
        titles = [title for level, title in self._path if level != self._title_level]
        if any(_NOT_A_LIST.fullmatch(title.strip(" :")) for title in titles):
            self._leave(node, _NO_LIST)
        else:
            sections = dict(zip(_LEVELS, titles, strict=False))
            self.records.append(ImportedRecord(node.line, {**sections, **cells}))

    def _item(self, item: Node) -> None:
        """Make a record of an item, or look for records inside it."""
        children = list(item.inside(("li",)))
        nested = list(filter(_is_work, children))
        first, *others = _paragraphs(item) or [[]]
        cells = entry_cells(first)
        why_not = ""
        if addresses_of(first):
            if not cells:
                why_not = _PEOPLE
            elif not children and _is_part(first) and not _has_words(first):
                why_not = _UNREAD
        elif nested or not cells or not _is_work_without_link(item, first):
            why_not = _UNLINKED
        if why_not:
            end = children[0].line if children else item.end
            self.left_out.append(LeftOut(why_not, item.line, end))
            nested = children
        else:
            parts = [child for child in children if child not in nested]
            lines = chain(map(lines_of, others), map(_more_lines, parts))
            for line in chain.from_iterable(lines):
                add_line(cells, line)
            self._add(item, cells)
        for child in nested:
            self._item(child)

    def _paragraph(self, node: Node) -> None:
        """Make a record of a paragraph that begins with its only title."""
        runs = runs_of(node)
        words = [run for run in runs if run.text.strip()]
        titles = list(filter(is_title, words))
        cells = {}
        if titles and titles == words[:1]:
            cells = entry_cells(runs)
        if cells and addresses_of(runs):
            self._add(node, cells)
        elif addresses_of(runs):
            self._leave(node, _UNREAD)
        elif words and is_title(words[0]):
            self._leave(node, _UNLINKED)

    def _table(self, node: Node) -> None:
        lines = list(node.inside(("tr",), ("table",)))
        rows = [list(line.inside(("td", "th"), ("table",))) for line in lines]
        names = [plain_text_of(runs_of(cell)) for cell in next(iter(rows), ())]
        has_titles = "title" in map(field_by_name, names)
        has_links = _has_links(node)
        if not (has_titles or has_links):
            return
        before = len(self.records)
        cells = chain.from_iterable(rows)
        if any(cell.attributes.keys() & {"rowspan", "colspan"} for cell in cells):
            # What follows such a cell would be in the column of something else.
            self._leave(node, _SPANS)
            return
        # What is beyond the header has columns without a name.
        names = column_names([*names, *[""] * (max(map(len, rows)) - len(names))])
        if not has_titles:
            _name_titles(names, rows[1:])
        for line, row in zip(lines[1:], rows[1:], strict=True):
            found = _row(names, row)
            if found:
                self._add(line, found)
        if has_links and len(self.records) == before:
            self._leave(node, _NO_TABLE)


def _name_titles(names: list[str], rows: Sequence[Sequence[Node]]) -> None:
    """Call the first column with links in most rows "title", if these are titles by their form."""
    for place in range(len(names)):
        cells = [runs_of(row[place]) for row in rows if place < len(row)]
        linked = list(filter(addresses_of, cells))
        if 2 * len(linked) > len(rows):
            titled = [runs for runs in linked if any(map(is_title, runs)) or is_quoted(runs)]
            if 2 * len(titled) > len(linked):
                names[place] = "title"
            return


def _more_lines(item: Node) -> Iterator[Runs]:
    """Yield the lines of a nested item, and of everything inside it."""
    yield from chain.from_iterable(map(lines_of, _paragraphs(item)))
    for child in item.inside(("li",)):
        yield from _more_lines(child)


def _is_part(runs: Runs) -> bool:
    """Whether a line is called by what every list has: "Authors: ...", "Code: ..."."""
    label, _ = labelled(runs)
    column = link_column(label) if label else ""
    # "Paper: [Peat by light](...)" is a work of its own.
    is_work = column == "url" and any(map(is_title, runs))
    return not is_work and bool(column or field_by_name(label))


def _has_words(runs: Runs) -> bool:
    """Whether a line has words of its own behind its label: "Model: peat as a prior [paper]"."""
    label, _ = labelled(runs)
    words = plain_text_of(run for run in runs if not is_outward(run.address))
    own = re.findall(r"\w{2,}", words.partition(":")[2])
    return link_column(label) != "" and len(own) >= 3


def _is_work(item: Node) -> bool:
    """Return whether an item inside another one is a work of its own, not a part of that one."""
    runs = next(iter(_paragraphs(item)), [])
    return _has_links(item) and not _is_part(runs) and any(map(is_title, runs))


def _is_work_without_link(item: Node, runs: Runs) -> bool:
    """Whether an item without a link of its own is a work: by its title, or by what is inside."""
    words = [run for run in runs if run.text.strip()]
    is_bold_title = bool(words) and is_title(words[0])
    return is_bold_title or (len(plain_text_of(words).split()) >= 3 and _has_links(item))


def _row(names: Sequence[str], row: Sequence[Node]) -> Cells:
    """Return the cells of a row of a table."""
    cells = {}
    for name, cell in zip(names, row, strict=False):
        runs = runs_of(cell)
        links = [run for run in runs if is_outward(run.address)]
        words = plain_text_of(run for run in runs if not is_outward(run.address))
        if field_by_name(name) == "title":
            # Such as "[AAAI 2020] How peat grows", its authors in the next line.
            found = entry_cells(runs)
            cells[name] = found.pop("title", "")
            cells.update(found)
        elif links and not re.search(r"\w", words) and all(link_column(run.text) for run in links):
            # "[Paper](...) | [Code](...)": what a link leads to is its value.
            for run in links:
                label = name if link_column(name) or field_by_name(name) else link_column(run.text)
                add_address(cells, label, run.address)
        elif plain_text_of(runs).strip("-– "):  # else nothing is known
            cells[name] = plain_text_of(runs)
            for run in links:
                add_address(cells, "url", run.address, f"{name} links")
    return filled_cells(cells)


def merge_repeats(rows: Iterable[ImportedRecord]) -> tuple[list[ImportedRecord], list[LeftOut]]:
    """Return entries once that are the same in several sections, and the lines of the others.

    Their sections become several values.
    """
    entries: dict[frozenset[tuple[str, Cell]], ImportedRecord] = {}
    merged = []
    for row in rows:
        about = frozenset(item for item in row.cells.items() if item[0] not in _LEVELS)
        cells = entries.setdefault(about, row).cells
        if cells is row.cells:
            continue
        for name in _LEVELS:
            both = [*texts_of(cells.get(name, ())), *texts_of(row.cells.get(name, ()))]
            if both:
                cells[name] = tuple(dict.fromkeys(both))
        merged.append(LeftOut("merged with an earlier line", row.place, row.place + 1, 1))
    return list(entries.values()), merged
