"""CSV, TSV and their relatives, as spreadsheets, Covidence, Rayyan and Zotero write them."""

import csv
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, starmap, zip_longest

from corpus.curation.importing.kinds import are_tags, recur
from corpus.curation.importing.names import ascii_words, field_by_name, filled
from corpus.curation.importing.readers.records import (
    NOT_THE_FORMAT,
    Cell,
    LeftOut,
    Records,
    column_names,
    refuse_wide,
)
from corpus.curation.importing.readers.structured import item_text
from corpus.curation.importing.readers.tagged import WEB_OF_SCIENCE
from corpus.model.finding import WARNING, CorpusError, Rule
from corpus.printing.escape import without_apostrophe

UNEVEN = Rule(
    "I107",
    "the row has {found} cells where the header has {expected}; {consequence}",
    "compare the row with the source",
    WARNING,
    title="Row of another length",
    reason="Most often a separator is inside a text without quotation marks.",
)


#: In the header of a table that Web of Science exports.
_WOS_TAGS = frozenset(("PT", "AU", "TI", "SO"))
_SEPARATORS = ",;\t|"
#: How a printed list of texts or objects begins.
_PRINTED = re.compile(r"\[\s*(?:['\"]|\{['\"])")
#: Longer lines of a cell are a text, not a list.
_LONGEST_LINE = 60
#: The name of the cells of a row beyond its header.
SURPLUS = "unnamed cells"

_Rows = list[tuple[int, list[str]]]


def read_delimited(text: str, shown: str, separator: str | None = None) -> Records:
    """Read a table with a header; the separator is the one that splits the first lines most evenly.

    Raises
    ------
    CorpusError
        I104 where a quoted cell never ends, with the line on which its row starts.
    """
    separator = separator or _separator(text)
    remarks = []
    if separator != ",":
        remarks.append(f"cells are separated by {separator!r}")
    try:
        rows = list(_split_rows(text, separator, shown))
    except CorpusError:
        lines = enumerate(text.split("\n"), 1)
        rows = [(number, line.split("\t")) for number, line in lines if line.strip()]
        # Web of Science puts no quotation marks around cells, so those that are there belong to
        # them. Then each row has the same length.
        if separator != "\t" or len({len(cells) for _, cells in rows}) > 1:
            raise
        remarks.append("quotation marks are part of the cells")
    # Texts may have an apostrophe before them, so that no spreadsheet computes them.
    texts = [(line, list(map(without_apostrophe, cells))) for line, cells in rows]
    return read_table("CSV", texts, shown, remarks)


read_tab_delimited = partial(read_delimited, separator="\t")


def read_table(name: str, rows: _Rows, shown: str, remarks: list[str], sheet: str = "") -> Records:
    """Return the records below the header of a table, which may have two lines.

    Raises
    ------
    CorpusError
        I108 where the header is wider than a table may be.
    """
    if not rows:
        return Records(name, shown)
    place = header_place(rows)
    start, first = rows[place]
    below = rows[place + 1 :]
    refuse_wide(len(first), shown, start)
    if place:
        remarks.append(f"the header is line {start}; what is above it is left out")
    # Groups repeat where their cells are merged, or leave the cells beside them empty.
    has_groups = len({*first} - {""}) < len(first)
    if below and has_groups and known_names(below[0][1]) >= max(known_names(first), 2):
        pairs = zip_longest(first, below.pop(0)[1], fillvalue="")
        first = list(starmap(_joined_lines, pairs))
        remarks.append("the header has two lines; both are in the names of the columns")
    header = column_names(first)
    if set(header) >= _WOS_TAGS:
        header = column_names(WEB_OF_SCIENCE.names.get(tag, tag) for tag in header)
        remarks.append("the header has the tags of Web of Science")
    if not known_names(header):
        remarks.append(f"no column has a known name; line {start} is taken for the header")
    unnamed = column_names([*header, SURPLUS])[-1]
    records = Records(name, shown)
    records.sheet = sheet
    records.columns.update(dict.fromkeys(header))
    lists = list(map(_lists, header, zip_longest(*(cells for _, cells in below), fillvalue="")))
    for line, cells in below:
        if not any(map(str.strip, cells)):
            continue
        placed = zip(header, cells, lists, strict=False)
        record = {name: _cell(cell, is_list) for name, cell, is_list in placed}
        surplus = tuple(filter(str.strip, cells[len(header) :]))
        consequence = "the missing ones are taken as empty"
        if surplus:
            record[unnamed] = surplus
            consequence = f"the rest is kept as '{unnamed}'"
        if surplus or len(cells) < len(header):
            size, expected = len(cells), len(header)
            uneven = UNEVEN.at(shown, line, found=size, expected=expected, consequence=consequence)
            records.findings.append(uneven)
        records.add(line, record)
    records.remarks += remarks
    records.left_out.append(LeftOut("above the header", 1, start + 1, place))
    return records


def header_place(rows: _Rows) -> int:
    """Return how many rows precede the header: a title, ``sep=;`` and the like.

    A title has one cell, or is the same in each cell of a merged range.
    """
    if known_names(rows[0][1]):
        return 0
    usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    for place, (_, cells) in enumerate(rows):
        if len({*map(str.strip, cells)} - {""}) > 1:
            # A row of another length is not the header of what is below it.
            if len(cells) == usual:
                return place
            break
    return 0


def known_names(cells: Iterable[str]) -> int:
    """Return how many of the cells of a header are known names of fields."""
    return sum(map(bool, map(field_by_name, {*cells})))


def _joined_lines(group: str, name: str) -> str:
    """Return the name of a column: what both lines tell, a known field without its group."""
    if not name or not group or group == name or field_by_name(name):
        return name or group
    return f"{group} {name}"


def _lists(column: str, cells: Iterable[str]) -> bool:
    """Whether the lines in cells of a column are people, or short texts that recur in others."""
    role, distinct = field_by_name(column), {*cells}
    if role or not any("\n" in cell for cell in distinct):
        return role == "authors"
    found = [filled(cell.split("\n")) for cell in distinct]
    is_short = max(map(len, chain.from_iterable(found))) <= _LONGEST_LINE
    return is_short and (recur(found) or are_tags(ascii_words(column)))


def _cell(cell: str, is_list: bool) -> Cell:
    """Return the lines of a cell as texts of their own, where the lines of its column are."""
    lines = filled(cell.split("\n"))
    if is_list and len(lines) > 1 and ";" not in cell:
        return tuple(lines)
    return printed_list(cell)


def printed_list(cell: str) -> Cell:
    """Return the texts of a list as Python or JSON prints it; any other cell as it is.

    pandas writes a column of lists so.

    Examples
    --------
    >>> printed_list("['Ward, Ann', 'Moor, Bo']"), printed_list("[1] Peat"), printed_list("[]")
    (('Ward, Ann', 'Moor, Bo'), '[1] Peat', '')
    >>> printed_list("[{'first': 'Ann', 'last': 'Ward'}]")
    ('Ward, Ann',)
    """
    if cell == "[]":
        return ""
    if _PRINTED.match(cell) and cell.endswith("]"):
        # What is no literal is a text.
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            items = literal_eval(cell)
            if all(isinstance(item, (str, dict)) for item in items):
                return tuple(item_text(item, is_author=True) for item in items)
    return cell


def _split_rows(text: str, separator: str, shown: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line on which it starts."""
    csv.field_size_limit(2**31 - 1)
    lines = (line + "\n" for line in text.removesuffix("\n").split("\n"))
    reader = csv.reader(lines, delimiter=separator, strict=True)
    start = 1
    try:
        for row in reader:
            yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        problem = str(error)
        if "end of data" in problem:
            problem = "a quoted cell never ends"
        raise NOT_THE_FORMAT.error(shown, start, format="CSV", problem=problem) from None


def _separator(text: str) -> str:
    """Return the character that gives the most columns of the same number on the first rows."""
    lines = text[:100_000].split("\n")[:50]
    best, most = ",", 0
    for separator in _SEPARATORS:
        widths = Counter(map(len, filter(None, csv.reader(lines, delimiter=separator))))
        for width, rows in widths.most_common(1):
            if width > 1 and rows * width > most:
                best, most = separator, rows * width
    return best
