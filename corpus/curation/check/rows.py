"""Rules about rows: unique keys, cells that belong together, order and canonical form."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook, ConsistencyRule
from corpus.model.finding import Finding
from corpus.model.identifiers import arxiv_month, begun_doi, find_arxiv, parse_arxiv
from corpus.tables import table_rules as file_rules
from corpus.tables.sheet import ColumnarTable

_DELIMITERS = (b",", b'"', b"\n")  # a carriage return is in no file that can be read
_SPECIAL = bytes(bytes([sign]) in _DELIMITERS for sign in range(256))
#: A prefix of a DOI and behind it, up to a blank, nothing, an ellipsis or what `find_doi` leaves out at the end.
_MAY_BREAK_OFF = r"10\.[0-9]{4,9}/(?:\s|$|[.,;)]|[^\s]*(?:\.\.|[^!-~\s]))"


def row_findings(sheet: ColumnarTable, book: Codebook) -> list[Finding]:
    """Hold the rows of one table against each other and against the codebook's rules."""
    found = [*_unique(sheet), *_order(sheet), *_form(sheet)]
    if not len(sheet):  # many releases of Arrow crash when they look for the rows of a mask without any
        return found
    found += _arxiv(sheet)
    found += _incomplete_dois(sheet)
    for agreement in book.consistency_rules:
        if (agreement.table or book.pool.name) == sheet.spec.name:
            found += _agreement(sheet, agreement)
    return found


def _keys(sheet: ColumnarTable) -> Any:
    columns = [sheet.columns[name] for name in sheet.spec.key]
    return columns[0] if len(columns) == 1 else pc.binary_join_element_wise(*columns, "\x1f")


def _unique(sheet: ColumnarTable) -> list[Finding]:
    keys = _keys(sheet)
    if _rise(keys, pc.less) or pc.count_distinct(keys).as_py() == len(keys):
        return []
    first: dict[str, int] = {}
    found = []
    column = ", ".join(sheet.spec.key)
    for position, key in enumerate(keys.to_pylist()):
        if key in first:
            at = sheet.line(first[key])
            value = sheet.key(position)
            found.append(file_rules.DUPLICATE_KEY.at(sheet.file, sheet.line(position), column, value, first=at))
        first.setdefault(key, position)
    return found


def _order(sheet: ColumnarTable) -> list[Finding]:
    """Say the first row that stands before its place; `corpus fmt` mends all of them."""
    if len(sheet) < 2:
        return []
    columns = [sheet.columns[name] for name in sheet.spec.key]
    if len(columns) == 1 and _rise(columns[0], pc.less_equal):
        return []
    keys = list(zip(*(column.to_pylist() for column in columns), strict=True))
    for position in range(1, len(keys)):
        if keys[position - 1] > keys[position]:
            value, other = ", ".join(keys[position]), ", ".join(keys[position - 1])
            column = sheet.spec.key[0]
            return [file_rules.ROW_ORDER.at(sheet.file, sheet.line(position), column, value, other=other)]
    return []


def _rise(keys: Any, compare: Callable[[Any, Any], Any]) -> bool:
    return len(keys) < 2 or bool(pc.all(compare(keys.slice(0, len(keys) - 1), keys.slice(1))).as_py())


def _form(sheet: ColumnarTable) -> list[Finding]:
    """Compare the file's size with that of its canonical form; unneeded quoting makes a sound file longer."""
    if sheet.size is None:
        return []
    size = len(",".join(sheet.spec.header)) + 1 + len(sheet) * len(sheet.spec.columns)
    for column in sheet.columns.columns:
        size += pc.sum(pc.binary_length(column)).as_py() or 0
        size += sum(_quoting(chunk) for chunk in column.chunks)
    if len(sheet.spec.columns) == 1:
        size += 2 * (pc.sum(pc.equal(sheet.columns.column(0), "")).as_py() or 0)
    what = "quotation marks that are not needed"
    return [] if size == sheet.size else [file_rules.NOT_CANONICAL.at(sheet.file, what=what)]


def _quoting(chunk: Any) -> int:
    """Count the quotation marks that the cells of a column need: two around each that holds a sign, one more a mark."""
    text = chunk.buffers()[2]
    signs = text.to_pybytes() if text else b""
    if not any(sign in signs for sign in _DELIMITERS):
        return 0
    offsets = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, chunk.offset * 4)
    special = np.frombuffer(_SPECIAL, np.bool_)[np.frombuffer(signs, np.uint8)]
    places = np.flatnonzero(special[offsets[0] : offsets[-1]]) + offsets[0]
    cells = np.searchsorted(offsets, places, "right")
    return 2 * len(np.unique(cells)) + signs.count(b'"', int(offsets[0]), int(offsets[-1]))


def _agreement(sheet: ColumnarTable, agreement: ConsistencyRule) -> list[Finding]:
    mask = functools.reduce(pc.and_, (_rows_with(any, sheet, *item) for item in agreement.when.items()))
    found = []
    when = " and ".join(f"{name} is {' or '.join(terms)}" for name, terms in agreement.when.items())
    for name, terms in agreement.then.items():
        wrong = pc.and_(mask, pc.invert(_rows_with(all, sheet, name, terms)))
        for position in pc.indices_nonzero(wrong).to_pylist():
            found.append(
                rules.AGREEMENT.at(
                    sheet.file,
                    sheet.line(position),
                    name,
                    sheet.cell(name, position),
                    when=when,
                    advice=" or ".join(terms),
                    reason=agreement.reason,
                )
            )
    return found


def _rows_with(some: Callable[[Iterable[bool]], bool], sheet: ColumnarTable, name: str, terms: Sequence[str]) -> Any:
    """Rows of which any, or all, of the values in a cell are among some terms."""
    column, cells = sheet.spec.column(name), sheet.columns[name]
    if column.separator:
        terms = [c for c in pc.unique(cells).to_pylist() if some(v in terms for v in column.values(c) or ("",))]
    return pc.is_in(cells, pa.array(terms, pa.string()))


def _arxiv(sheet: ColumnarTable) -> list[Finding]:
    """Hold an arXiv identifier against the year and the addresses of its row."""
    column = next((c for c in sheet.spec.columns if c.type == "arxiv"), None)
    if column is None:
        return []
    year = next((c for c in sheet.spec.columns if c.type == "year"), None)
    urls = [c for c in sheet.spec.columns if c.type == "url"]
    found = []
    cells = sheet.columns[column.name]
    for position in pc.indices_nonzero(_doubtful(sheet, cells, year, urls)).to_pylist():
        try:
            identifier = parse_arxiv(cells[position].as_py())
        except ValueError:
            continue
        line = sheet.line(position)
        if year is not None:
            text, month = sheet.cell(year.name, position), arxiv_month(identifier)
            is_year = len(text) == 4 and text.isascii() and text.isdigit()  # C208 names what is none
            if is_year and not month.year <= int(text) <= month.year + 3:
                advice = f"{month:%B %Y}"
                found.append(rules.ARXIV_YEAR.at(sheet.file, line, column.name, identifier, advice=advice, year=text))
        for url in urls:
            address = sheet.cell(url.name, position)
            named = {n for part in address.split(" ; ") if "arxiv.org/" in part.casefold() and (n := find_arxiv(part))}
            if named and identifier not in named:
                other = min(named)
                found.append(rules.ARXIV_URL.at(sheet.file, line, url.name, address, advice=other, other=identifier))
    return found


def _incomplete_dois(sheet: ColumnarTable) -> list[Finding]:
    """Name the addresses and identifiers that begin a DOI and break off.

    This is no rule of one cell's form: the addresses have the form of an address, and most cells of a large table are
    never looked at one by one.
    """
    found = []
    for column in sheet.spec.columns:
        if column.type != "url" and column.role != "identifier":
            continue
        cells = sheet.columns[column.name]
        for position in pc.indices_nonzero(pc.match_substring_regex(cells, _MAY_BREAK_OFF)).to_pylist():
            cell = cells[position].as_py()
            for part in cell.split(" ; "):
                if begun := begun_doi(part):
                    line = sheet.line(position)
                    found.append(rules.INCOMPLETE_DOI.at(sheet.file, line, column.name, cell, advice=begun))
    return found


def _doubtful(sheet: ColumnarTable, cells: Any, year: Any, urls: Any) -> Any:
    """Rows that need a closer look: most have the very address and the very year of their identifier."""
    doubtful = pc.not_equal(cells, "")
    plain = pc.match_substring_regex(cells, r"^(?:1[5-9]|2[0-9])[01][0-9]\.")
    for url in urls:
        addresses = sheet.columns[url.name]
        same = pc.equal(addresses, pc.binary_join_element_wise("https://arxiv.org/abs/", cells, ""))
        plain = pc.and_(plain, pc.or_(same, pc.invert(pc.match_substring(addresses, "iv.org/"))))  # arXiv.org as well
    if year is not None:
        of_id = pc.binary_join_element_wise("20", pc.utf8_slice_codeunits(cells, 0, 2), "")
        plain = pc.and_(plain, pc.equal(sheet.columns[year.name], of_id))
    return pc.and_(doubtful, pc.invert(plain))
