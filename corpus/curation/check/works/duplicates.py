"""The works that tables describe, and which are one: by identifier, title or near title.

Identities and titles are in a form that compares; the pool comes first, then the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from corpus.analysis.bibliography.same_works import NEAR, near_titles
from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook, Column
from corpus.model.finding import Finding
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
#: The kinds of a match, the strongest first.
KINDS = ("identifier", "title", "near")
_SAME_TABLE = {
    "identifier": rules.SAME_IDENTIFIER,
    "title": rules.SAME_TITLE,
    "near": rules.NEAR_TITLE,
}
_ACROSS_TABLES = {
    "identifier": rules.EXCLUDED_WORK,
    "title": rules.EXCLUDED_WORK,
    "near": rules.NEAR_EXCLUDED,
}


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
        if sheet.spec.role == "bibliography":
            for key, doi in sheet.rows(sheet.spec.by_role("key"), sheet.spec.by_type("doi")):
                found[key] = doi
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


class Match(NamedTuple):
    """Two works that may be one.

    Attributes
    ----------
    first, second : DescribedWork
        In the order of :class:`~corpus.curation.check.works.duplicates.Works`.
    kind : str
        One of :data:`KINDS`.
    evidence : str
        The shared identity or title; the percentage of a near title.
    """

    first: DescribedWork
    second: DescribedWork
    kind: str
    evidence: str


def duplicate_matches(works: Works, near: bool = True) -> Iterator[Match]:
    """Yield every pair of works with a shared identity, the same or nearly the same title, once.

    Of more than two works that share something, each is paired with the first. Without `near`,
    nearly equal titles are not looked for.
    """
    seen: set[tuple[int, int]] = set()
    every_number = integers(range(len(works.titles)))
    shared = {
        "identifier": _shared(works.identity, works.holder),
        "title": _shared(works.titles, every_number),
    }
    for kind, groups in shared.items():
        for evidence, numbers in groups:
            for number in numbers[1:]:
                pair = (numbers[0], number)
                if pair not in seen and evidence:
                    seen.add(pair)
                    yield Match(works[pair[0]], works[pair[1]], kind, evidence)
    if not near:
        return
    for pair, score in _near_pairs(works.titles):
        if pair not in seen:
            seen.add(pair)
            yield Match(works[pair[0]], works[pair[1]], "near", f"{score:.0f}")


def _shared(values: Any, holders: Any) -> list[tuple[str, list[int]]]:
    """Return the values that appear several times, each with the sorted numbers of its holders.

    A work may repeat one of its own identities; the value then has one holder.
    """
    counts = pc.value_counts(values)
    several = counts.field(0).filter(pc.greater(counts.field(1), integer(1)))
    if not len(several):
        return []
    wanted = pc.is_in(values, several)
    repeated = values.filter(wanted).to_pylist()
    numbers = holders.filter(wanted).to_pylist()
    groups: dict[str, set[int]] = defaultdict(set)
    for value, number in zip(repeated, numbers, strict=True):
        groups[value].add(number)
    return [(value, sorted(group)) for value, group in sorted(groups.items())]


def _near_pairs(titles: Any) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield the numbers of the first works with each of two near titles, and the percentage."""
    distinct = [title for title in pc.unique(titles).to_pylist() if title]
    found = near_titles(distinct)
    if not found:
        return
    wanted: set[str] = set()
    for first, second, _ in found:
        wanted.update((first, second))
    first_number: dict[str, int] = {}
    among = pc.is_in(titles, strings(sorted(wanted)))
    for number in pc.indices_nonzero(among).to_pylist():
        first_number.setdefault(titles[number].as_py(), number)
    for first, second, score in found:
        numbers = sorted((first_number[first], first_number[second]))
        yield (numbers[0], numbers[1]), score


def duplicate_findings(works: Works, near: bool = True) -> list[Finding]:
    """Turn matches into findings at the second of the two rows."""
    return [_finding(match) for match in duplicate_matches(works, near)]


def _finding(match: Match) -> Finding:
    if match.first.sheet is match.second.sheet:
        rule = _SAME_TABLE[match.kind]
        other, work = match.first, match.second
    else:
        # The pool comes first; the finding belongs to the entry.
        rule = _ACROSS_TABLES[match.kind]
        work, other = match.first, match.second
    title = work.sheet.spec.by_role("title")
    if title is not None and match.kind != "identifier":
        column = title.name
    else:
        column = _identifier_column(work, match.evidence)
    advice = match.evidence
    if match.kind == "title":
        advice = "the title"
    value = work.sheet.cell(column, work.position)
    line = work.sheet.line(work.position)
    return rule.at(work.sheet.file, line, column, value, advice=advice, other=other.name)


def _identifier_column(work: DescribedWork, identity: str) -> str:
    """Return the column that gives a work's identity; the key's where another table gives it."""
    for column in identifier_columns(work.sheet):
        if identity in identities(work.sheet.cell(column.name, work.position)):
            return column.name
    return work.sheet.spec.key[0]


def matches_with(
    works: Works, identifiers: frozenset[str], title: str
) -> list[tuple[DescribedWork, str]]:
    """Return the works that a candidate may be, each with its strongest kind; strongest first.

    Parameters
    ----------
    works : Works
        The works to look in.
    identifiers : frozenset of str
        The candidate's identities.
    title : str
        The candidate's title as written.

    Returns
    -------
    list of (DescribedWork, str)
        The work, and one of :data:`KINDS`.
    """
    kinds: dict[int, str] = {}
    same = pc.is_in(works.identity, strings(sorted(identifiers)))
    for number in works.holder.filter(same).to_pylist():
        kinds.setdefault(number, "identifier")
    wanted = normal_title(title)
    if wanted:
        titles = works.titles.to_pylist()
        scores = process.cdist([wanted], titles, scorer=fuzz.ratio, score_cutoff=NEAR)[0]
        for number in np.argsort(-scores, kind="stable").tolist():
            if scores[number] > 0:
                kind = "near"
                if titles[number] == wanted:
                    kind = "title"
                kinds.setdefault(number, kind)
    strongest_first = sorted(kinds.items(), key=lambda item: KINDS.index(item[1]))
    return [(works[number], kind) for number, kind in strongest_first]
