"""What openpyxl does not tell while it streams a sheet: merged cells, links, open formulas."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from html import unescape
from typing import NamedTuple

from defusedxml.ElementTree import fromstring
from openpyxl.utils import column_index_from_string

#: Cells of one merged range, and of all of them: more is the layout of a page, or an attack.
_MOST_OF_A_RANGE = 20_000
_MOST_MERGED = 1_000_000
# The parts of a sheet are searched, not parsed: they are behind rows that may have 200 MB.
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_LINK = re.compile(rb"<hyperlink\b([^<>]*)>")
_LINK_CELL = re.compile(rb'\bref="([A-Z]{1,3})([0-9]{1,7})"')
_LINK_ID = re.compile(rb':id="([^"<>]{1,200})"')
_FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"([^<>]*)><f[^<>]*>([^<>]*)</f>(<v/>|<v />|<v></v>|</c>)?'
)
_HYPERLINK = re.compile(r'=?HYPERLINK\("(https?://[^"]{1,2000})"', re.IGNORECASE)
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


class MergedRange(NamedTuple):
    """Merged cells, rows and columns counted from 1."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int

    @property
    def size(self) -> int:
        """The number of cells."""
        columns = self.last_column - self.first_column + 1
        return columns * (self.last_row - self.first_row + 1)


class SheetParts(NamedTuple):
    """What a sheet has beside its values.

    Attributes
    ----------
    merged : tuple of MergedRange
        Merged cells; those of whole columns are left out.
    links : mapping of (int, int) to str
        Row and column, counted from 1 -> the web address that the words of the cell link to.
    open_formulas : tuple of (str, int)
        Cell, such as ``C2``, and row of each formula without a stored result.
    """

    merged: tuple[MergedRange, ...]
    links: Mapping[tuple[int, int], str]
    open_formulas: tuple[tuple[str, int], ...]


NO_PARTS = SheetParts((), {}, ())


def read_sheet_parts(data: bytes, most: int) -> dict[str, SheetParts]:
    """Return the parts of each sheet of a workbook by its name.

    Parameters
    ----------
    data : bytes
        The workbook.
    most : int
        Bytes of a sheet, unpacked, from which on it is left out.

    Raises
    ------
    ValueError, SyntaxError
        Where the XML has entities or is damaged.
    """
    found: dict[str, SheetParts] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name, path in _sheet_paths(archive).items():
            if archive.getinfo(path).file_size > most:
                continue
            content = archive.read(path)
            formulas = list(_FORMULA.finditer(content))
            links = dict(_linked(content, _targets(archive, path)))
            links.update(_formula_links(formulas))
            found[name] = SheetParts(tuple(_merged(content)), links, tuple(_open(formulas)))
    return found


def _sheet_paths(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the part of the archive that holds each sheet."""
    names = set(archive.namelist())
    if "xl/workbook.xml" not in names:
        return {}
    targets = _targets(archive, "xl/workbook.xml")
    paths = {}
    for node in fromstring(archive.read("xl/workbook.xml")).iter():
        if node.tag.endswith("}sheet"):
            target = targets.get(str(node.get(_RELATION_ID, "")), "")
            path = f"xl/{target.removeprefix('/').removeprefix('xl/')}"
            if path in names:
                paths[str(node.get("name", ""))] = path
    return paths


def _targets(archive: zipfile.ZipFile, path: str) -> dict[str, str]:
    """Return what a part of the archive refers to, by the number that it has there."""
    folder, _, name = path.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return {}
    targets = {}
    for relation in fromstring(archive.read(relations)):
        targets[str(relation.get("Id", ""))] = str(relation.get("Target", ""))
    return targets


def _merged(content: bytes) -> Iterator[MergedRange]:
    left = _MOST_MERGED
    for match in _MERGED.finditer(content):
        first, last = _column(match[1]), _column(match[3])
        box = MergedRange(first, int(match[2]), last, int(match[4]))
        if 1 < box.size <= min(left, _MOST_OF_A_RANGE):
            left -= box.size
            yield box


def _linked(content: bytes, targets: Mapping[str, str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the cells that link to web addresses."""
    for match in _LINK.finditer(content):
        cell = _LINK_CELL.search(match[1])
        number = _LINK_ID.search(match[1])
        if cell is None or number is None:
            continue
        address = targets.get(number[1].decode("utf-8", "replace"), "")
        if address.startswith(("https://", "http://")):
            yield (int(cell[2]), _column(cell[1])), address


def _formula_links(formulas: list[re.Match[bytes]]) -> Iterator[tuple[tuple[int, int], str]]:
    for match in formulas:
        text = unescape(match[4].decode("utf-8", "replace"))
        link = _HYPERLINK.match(text)
        if link is not None:
            yield (int(match[2]), _column(match[1])), link[1]


def _open(formulas: list[re.Match[bytes]]) -> Iterator[tuple[str, int]]:
    for match in formulas:
        # The result of a formula may be an empty text, which has a type.
        if match[5] is not None and b't="str"' not in match[3]:
            yield f"{match[1].decode()}{match[2].decode()}", int(match[2])


def _column(letters: bytes) -> int:
    return int(column_index_from_string(letters.decode()))
