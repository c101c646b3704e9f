"""The works that tables describe: their identities, and titles in a form that compares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpus.model.codebook import Codebook, Column
from corpus.model.identifiers import arxiv_page, identities, normal_title
from corpus.tables.sheet import ColumnarTable, integer, integers, string, strings

#: Only a cell that matches this can contain an identity; RE2, case-insensitive.
_MAY_IDENTIFY = (
    r"(?i)arxiv|10\.[0-9]{4}|openreview|aclanthology|acl:|^[a-z-]+/[0-9]{7}|^[0-9]{4}\.[0-9]{4,5}"
)
_PLAIN_ARXIV = r"^(?:1[5-9]|2[0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}$"
_KEPT = bytes(chr(byte).isascii() and chr(byte).isalnum() for byte in range(256))
_DROPPED = bytes(byte for byte in range(256) if not _KEPT[byte])
_LOWER = bytes(range(256)).lower()


class DescribedWork(NamedTuple):
    """One row that describes a work."""

    sheet: ColumnarTable
    position: int

    @property
    def name(self) -> str:
        """What the work is called in a message."""
        return (
            f"{self.sheet.key(self.position)} ({self.sheet.file}:{self.sheet.line(self.position)})"
        )


class Works:
    """The rows of several tables, one table after the other; a work's number is its place there.

    Parameters
    ----------
    sheets : sequence of ColumnarTable
        The tables.
    dois : mapping of str to str, optional
        More DOIs, by the key of a row in the first table.

    Attributes
    ----------
    titles : pyarrow.Array of str
        The normal title of each work (:func:`corpus.model.identifiers.normal_title`).
    identity : pyarrow.Array of str
        Every identity of every work.
    holder : pyarrow.Array of int64
        The number of the work that has the identity at the same position.
    """

    def __init__(
        self, sheets: Sequence[ColumnarTable], dois: Mapping[str, str] | None = None
    ) -> None:
        self.sheets = sheets
        self.starts: list[int] = []
        titles, names, holders = [], [], []
        start = 0
        more = dois or {}
        for sheet in sheets:
            self.starts.append(start)
            titles.append(_titles(sheet))
            for identity, position in _identities(sheet, more):
                names.append(identity)
                holders.append(pc.add(position, integer(start)))
            start += len(sheet)
            more = {}
        self.titles = pa.chunked_array(titles, pa.string()).combine_chunks()
        self.identity = pa.chunked_array(names, pa.string()).combine_chunks()
        self.holder = pa.chunked_array(holders, pa.int64()).combine_chunks()

    def __getitem__(self, number: int) -> DescribedWork:
        """Return one work by its number."""
        for sheet, start in zip(self.sheets, self.starts, strict=True):
            if start <= number < start + len(sheet):
                return DescribedWork(sheet, number - start)
        raise IndexError(number)


def all_works(sheets: Mapping[str, ColumnarTable], book: Codebook) -> Works:
    """Return the works of the pool (with their DOIs) and of the exclusion log, the pool first."""
    wanted = []
    dois: dict[str, str] = {}
    if book.pool.name in sheets:
        wanted.append(sheets[book.pool.name])
        dois = _bibliography_dois(sheets)
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            wanted.append(sheet)
    return Works(wanted, dois)


def _bibliography_dois(sheets: Mapping[str, ColumnarTable]) -> dict[str, str]:
    """Return the DOIs of the bibliography by the key of the entry."""
    found: dict[str, str] = {}
    for sheet in sheets.values():
        key, doi = sheet.spec.by_role("key"), sheet.spec.by_type("doi")
        if sheet.spec.role == "bibliography" and key is not None and doi is not None:
            found.update(zip(sheet.cells(key.name), sheet.cells(doi.name), strict=True))
    return found


def identifier_columns(sheet: ColumnarTable) -> list[Column]:
    """Return the columns that can contain an identity."""
    found = []
    for column in sheet.spec.columns:
        if column.type in ("arxiv", "doi", "url") or column.role == "identifier":
            found.append(column)
    return found


def _titles(sheet: ColumnarTable) -> Any:
    """Normalise titles: ASCII ones in Arrow's buffers, the others by the definition."""
    column = sheet.spec.by_role("title")
    if column is None:
        return strings([""] * len(sheet))
    raw = sheet.columns[column.name]
    chunks = [_ascii_titles(chunk) for chunk in raw.chunks]
    plain = pa.chunked_array(chunks, pa.string()).combine_chunks()
    others = pc.invert(pc.string_is_ascii(raw)).combine_chunks()
    if not others.true_count:
        return plain
    titles = [normal_title(title) for title in raw.filter(others).to_pylist()]
    return pc.replace_with_mask(plain, others, strings(titles))


def _ascii_titles(raw: Any) -> Any:
    """Keep ASCII letters and digits, in lower case; faster than a regular expression.

    Arrow keeps the texts of a column in one buffer, and where each begins in another. So all texts
    are translated at once, and the new beginnings are counts of the kept bytes.
    """
    if not len(raw):
        return raw
    _, starts, text = raw.buffers()
    offsets = np.frombuffer(starts, np.int32, len(raw) + 1, raw.offset * 4)
    content = b""
    # There is no buffer where every text is empty.
    if text:
        content = text.to_pybytes()[offsets[0] : offsets[-1]]
    is_kept = np.frombuffer(_KEPT, np.bool_)[np.frombuffer(content, np.uint8)]
    kept_before = np.concatenate([np.zeros(1, np.int32), np.cumsum(is_kept, dtype=np.int32)])
    new_offsets = kept_before[offsets - offsets[0]]
    new_content = content.translate(_LOWER, _DROPPED)
    return pa.StringArray.from_buffers(
        len(raw), pa.py_buffer(new_offsets), pa.py_buffer(new_content)
    )


def _identities(sheet: ColumnarTable, dois: Mapping[str, str]) -> Iterator[tuple[Any, Any]]:
    """Yield arrays of identities, each with the positions of the rows that have them.

    Arrow handles plain arXiv identifiers, and addresses that only repeat one; every other cell goes
    through :func:`corpus.model.identifiers.identities`.
    """
    arxiv = plain = None
    for column in identifier_columns(sheet):
        if column.type == "arxiv" and arxiv is None:
            arxiv = sheet.columns[column.name].combine_chunks()
            plain = pc.match_substring_regex(arxiv, _PLAIN_ARXIV)
            names = pc.binary_join_element_wise(string("arxiv"), arxiv.filter(plain), string(":"))
            yield names, pc.indices_nonzero(plain).cast(pa.int64())
    others = _other_identities(sheet, arxiv, plain, dois)
    positions = integers([position for position, _ in others])
    yield strings([name for _, name in others]), positions


def _other_identities(
    sheet: ColumnarTable, arxiv: Any, plain: Any, dois: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Return position and identity of what plain arXiv cells do not give, sorted."""
    found: set[tuple[int, str]] = set()
    for column in identifier_columns(sheet):
        cells = sheet.columns[column.name].combine_chunks()
        if column.type == "arxiv":
            unread = pc.invert(plain)
        elif arxiv is not None:
            address = pc.binary_join_element_wise(string(arxiv_page("")), arxiv, string(""))
            unread = pc.not_equal(cells, address)
        else:
            unread = pc.not_equal(cells, string(""))
        positions = pc.indices_nonzero(unread)
        promising = pc.match_substring_regex(cells.take(positions), _MAY_IDENTIFY)
        for position in positions.filter(promising).to_pylist():
            for identity in identities(cells[position].as_py()):
                found.add((position, identity))
    if dois:
        for position, key in enumerate(sheet.columns[sheet.spec.key[0]].to_pylist()):
            for identity in identities(dois.get(key, "")):
                found.add((position, identity))
    ordered = sorted(found)
    if arxiv is None:
        return ordered
    return [item for item in ordered if not _is_plain(*item, arxiv, plain)]


def _is_plain(position: int, identity: str, arxiv: Any, plain: Any) -> bool:
    """Whether the arXiv column of a row gives this identity in plain form."""
    return plain[position].as_py() and identity == f"arxiv:{arxiv[position].as_py()}"
