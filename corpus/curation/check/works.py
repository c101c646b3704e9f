"""The works that tables describe, columnar: their identities and their titles in a form that compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpus.model.codebook import Column
from corpus.model.identifiers import identities, normal_title
from corpus.tables.sheet import ColumnarTable

#: Only a cell that matches this can hold an identity; RE2, case-insensitive.
_MAY_IDENTIFY = r"(?i)arxiv|10\.[0-9]{4}|openreview|aclanthology|acl:|^[a-z-]+/[0-9]{7}|^[0-9]{4}\.[0-9]{4,5}"
_PLAIN_ARXIV = r"^(?:1[5-9]|2[0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}$"
_KEPT = bytes(chr(sign).isascii() and chr(sign).isalnum() for sign in range(256))
_DROPPED = bytes(sign for sign in range(256) if not _KEPT[sign])
_SMALL = bytes(range(256)).lower()


class DescribedWork(NamedTuple):
    """One row that describes a work."""

    sheet: ColumnarTable
    position: int

    @property
    def name(self) -> str:
        """How the work is named in a message."""
        return f"{self.sheet.key(self.position)} ({self.sheet.file}:{self.sheet.line(self.position)})"


class Works:
    """The rows of several sheets, one after the other.

    Attributes
    ----------
    titles : pyarrow.Array of str
        The normal title of each work (:func:`corpus.model.identifiers.normal_title`).
    identity : pyarrow.Array of str
        Every identity of every work.
    holder : pyarrow.Array of int64
        The number of the work that holds the identity at the same place.
    """

    def __init__(self, sheets: Sequence[ColumnarTable], more: Sequence[Mapping[str, str]] = ()) -> None:
        self.sheets = sheets
        self.starts: list[int] = []
        titles, names, holders = [], [], []
        start = 0
        for number, sheet in enumerate(sheets):
            self.starts.append(start)
            titles.append(_titles(sheet))
            found = _identities(sheet, more[number] if number < len(more) else {})
            for identity, position in found:
                names.append(identity)
                holders.append(pc.add(position, start))
            start += len(sheet)
        self.titles = pa.chunked_array(titles, pa.string()).combine_chunks()
        self.identity = pa.chunked_array(names, pa.string()).combine_chunks()
        self.holder = pa.chunked_array(holders, pa.int64()).combine_chunks()

    def __getitem__(self, number: int) -> DescribedWork:
        """Return one work by its number."""
        sheet = max(i for i, start in enumerate(self.starts) if start <= number and len(self.sheets[i]))
        return DescribedWork(self.sheets[sheet], number - self.starts[sheet])


def identifier_columns(sheet: ColumnarTable) -> list[Column]:
    """Return the columns that can hold an identity."""
    return [c for c in sheet.spec.columns if c.type in ("arxiv", "doi", "url") or c.role == "identifier"]


def _titles(sheet: ColumnarTable) -> Any:
    """Normalise titles; ASCII ones in Arrow's buffers, the others by the definition."""
    column = sheet.spec.by_role("title")
    if column is None:
        return pa.array([""] * len(sheet), pa.string())
    chunks = [_ascii_titles(chunk) for chunk in sheet.columns[column.name].chunks]
    plain = pa.chunked_array(chunks, pa.string()).combine_chunks()
    others = pc.invert(pc.string_is_ascii(sheet.columns[column.name])).combine_chunks()
    if not others.true_count:
        return plain
    titles = sheet.columns[column.name].filter(others).to_pylist()
    return pc.replace_with_mask(plain, others, pa.array([normal_title(title) for title in titles], pa.string()))


def _ascii_titles(raw: Any) -> Any:
    """Keep ASCII letters and digits, as small letters; faster than a regular expression."""
    if not len(raw):
        return raw
    _, starts, text = raw.buffers()
    offsets = np.frombuffer(starts, np.int32, len(raw) + 1, raw.offset * 4)
    signs = text.to_pybytes()[offsets[0] : offsets[-1]] if text else b""
    kept = np.cumsum(np.frombuffer(_KEPT, np.bool_)[np.frombuffer(signs, np.uint8)], dtype=np.int32)
    ends = np.concatenate([np.zeros(1, np.int32), kept])[offsets - offsets[0]]
    return pa.StringArray.from_buffers(len(raw), pa.py_buffer(ends), pa.py_buffer(signs.translate(_SMALL, _DROPPED)))


def _identities(sheet: ColumnarTable, more: Mapping[str, str]) -> list[tuple[Any, Any]]:
    """Return arrays of identities and of the positions of the rows that hold them.

    Plain arXiv identifiers, and addresses that only repeat one, are handled by Arrow; every other cell by
    :func:`corpus.model.identifiers.identities`.
    """
    columns = identifier_columns(sheet)
    arxiv = next((sheet.columns[c.name].combine_chunks() for c in columns if c.type == "arxiv"), None)
    found = []
    plain: Any = None
    own: set[tuple[int, str]] = set()
    if arxiv is not None:
        plain = pc.match_substring_regex(arxiv, _PLAIN_ARXIV)
        found.append(
            (pc.binary_join_element_wise("arxiv", arxiv.filter(plain), ":"), pc.indices_nonzero(plain).cast(pa.int64()))
        )
    for column in columns:
        cells = sheet.columns[column.name].combine_chunks()
        if column.type == "arxiv":
            look = pc.invert(plain)
        elif arxiv is not None:
            look = pc.not_equal(cells, pc.binary_join_element_wise("https://arxiv.org/abs/", arxiv, ""))
        else:
            look = pc.not_equal(cells, "")
        places = pc.indices_nonzero(look)
        for position in places.filter(pc.match_substring_regex(cells.take(places), _MAY_IDENTIFY)).to_pylist():
            own.update((position, identity) for identity in identities(cells[position].as_py()))
    if more:
        for position, key in enumerate(sheet.columns[sheet.spec.key[0]].to_pylist()):
            own.update((position, identity) for identity in identities(more.get(key, "")))
    if arxiv is not None:  # those of plain cells were added above
        own = {(p, name) for p, name in own if not plain[p].as_py() or name != f"arxiv:{arxiv[p].as_py()}"}
    ordered = sorted(own)
    found.append((pa.array([name for _, name in ordered], pa.string()), pa.array([p for p, _ in ordered], pa.int64())))
    return found
