"""The works that tables describe, and which are one: by identifier, title, near title, address.

Identities and titles are in a form that compares; the pool comes first, then the log.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, repeat
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from corpus.analysis.bibliography.identity import DIFFERENT, NEAR, SAME, compare
from corpus.analysis.bibliography.same_works import near_titles
from corpus.model.codebook import Codebook
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import ADDRESS_JOINT, arxiv_page, identities, normal_title
from corpus.model.work import Work
from corpus.tables.arrays import integer, integers, repeated_values, string, string_array, strings
from corpus.tables.sheet import ColumnarTable, Sheets

SAME_IDENTIFIER = Rule(
    "C303",
    "{advice} is also the identifier of {other}",
    "keep one of the two rows, or correct the identifier",
    title="Duplicate work, by identifier",
    reason="Preprint and published version are one work.",
)
SAME_TITLE = Rule(
    "C304",
    "the title is the same as that of {other}",
    "keep one row; make the titles of two works differ",
    title="Duplicate work, by title",
    reason="Titles are compared without case, accents, punctuation and whitespace; identifiers, "
    "authors and years tell works of one title apart.",
)
NEAR_TITLE = Rule(
    "C305",
    "the title is {advice} % the same as that of {other}",
    "if they are one work, keep one row; else accept the warning: "
    "`corpus check --explain C305` shows how",
    WARNING,
    title="Nearly the same title",
    reason="Retitled versions are the most common way to count a work twice.",
)
EXCLUDED_WORK = Rule(
    "C403",
    "{advice} is also that of {other}, which is excluded",
    "remove the exclusion if the work is retained now",
    title="Excluded work in the pool",
    reason="A record is retained or excluded, never both.",
)
NEAR_EXCLUDED = Rule(
    "C404",
    "the title is {advice} % the same as that of {other}, which is excluded",
    "if it is the same work, decide once; else accept the warning: "
    "`corpus check --explain C404` shows how",
    WARNING,
    title="Title near an excluded record",
    reason="A work may come back under another title.",
)
SAME_ADDRESS = Rule(
    "C313",
    "the address {advice} is also that of {other}",
    "give each work its own address, or keep one row",
    WARNING,
    title="The same address twice",
    reason="Two rows with one address are one work, or one was copied from the other.",
)


#: Only a cell that matches this can contain an identity; RE2, case-insensitive.
_MAY_IDENTIFY = (
    r"(?i)arxiv|10\.[0-9]{4}|openreview|pubmed|pmid|aclanthology|acl:"
    r"|^[a-z-]+/[0-9]{7}|^[0-9]{4}\.[0-9]{4,5}"
)
_EMPTY_OR_PREPRINT = r"^(?:https?://arxiv\.org/abs/[0-9]{4}\.[0-9]{4,5})?$"
#: What is not compared of an address: scheme, www, fragment and the slash at the end.
_NOT_COMPARED = r"^(?:https?://)?(?:www\.)?|/*(?:#.*)?$"
_PLAIN_ARXIV = r"^(?:1[5-9]|2[0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}$"
#: Bytes that no normal title of ASCII has; a line feed is between two titles.
_NEWLINE = 10
_DROPPED = re.sub(rb"[0-9A-Za-z\n]", b"", bytes(range(256)))
_LOWER = bytes(range(256)).lower()
#: More works of one title than this are a series.
_MOST_OF_A_TITLE = 100
#: The kinds of a match, the strongest first: its rule in one table, and between pool and log.
_RULES = {
    "identifier": (SAME_IDENTIFIER, EXCLUDED_WORK),
    "title": (SAME_TITLE, EXCLUDED_WORK),
    "near": (NEAR_TITLE, NEAR_EXCLUDED),
}
KINDS = tuple(_RULES)


@dataclass(frozen=True)
class DescribedWork:
    """One row that describes a work."""

    sheet: ColumnarTable
    position: int

    @property
    def name(self) -> str:
        """What the work is called in a message."""
        return (
            f"{self.sheet.key(self.position)} ({self.sheet.file}:{self.sheet.line(self.position)})"
        )

    @property
    def is_excluded(self) -> bool:
        """Whether the row is in an exclusion log."""
        return self.sheet.spec.role == "exclusions"


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
        self._dois = dois or {}
        titles, names, holders = [], [], []
        start = 0
        more = self._dois
        for sheet in sheets:
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
        for sheet in self.sheets:
            if number < len(sheet):
                break
            number -= len(sheet)
        return DescribedWork(sheet, number)

    def work(self, number: int) -> Work:
        """Return what the row of a work tells of it."""
        place = self[number]
        sheet = place.sheet
        row = tuple(sheet.cell(column.name, place.position) for column in sheet.spec.columns)
        work = Work.of_cells(sheet.spec, row)
        if sheet is not self.sheets[0]:
            return work
        return work._replace(links=(*work.links, self._dois.get(sheet.key(place.position), "")))


def all_works(sheets: Sheets, book: Codebook) -> Works:
    """Return the works of the pool (with their DOIs) and of the exclusion log, the pool first."""
    logs = []
    dois = {}
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            logs.append(sheet)
        elif sheet.spec.role == "bibliography":
            for key, doi in sheet.rows(sheet.spec.by_role("key"), sheet.spec.by_type("doi")):
                dois[key] = doi
    pool = sheets.get(book.pool.name)
    if pool is None:
        return Works(logs)
    return Works([pool, *logs], dois)


def _titles(sheet: ColumnarTable) -> Any:
    """Normalise titles: those of ASCII all at once, the others one by one."""
    column = sheet.spec.by_role("title")
    if column is None or not len(sheet):
        return strings([""] * len(sheet))
    titles = sheet.columns[column.name].combine_chunks()
    if pc.any(pc.match_substring(titles, "\n")).as_py():
        titles = pc.replace_substring(titles, "\n", " ")
    whole = pa.ListArray.from_arrays(integers([0, len(titles)]).cast(pa.int32()), titles)
    lines = pc.binary_join(whole, string("\n"))[0].as_buffer().to_pybytes()
    kept = lines.translate(_LOWER, _DROPPED)
    ends = np.flatnonzero(np.frombuffer(kept, np.uint8) == _NEWLINE)
    lengths = np.diff(ends, prepend=-1, append=len(kept)) - 1
    normal = string_array(kept.replace(b"\n", b""), lengths)
    is_ascii = pc.string_is_ascii(titles)
    others = [normal_title(title) for title in titles.filter(pc.invert(is_ascii)).to_pylist()]
    return pc.replace_with_mask(normal, pc.invert(is_ascii), strings(others))


def _identities(sheet: ColumnarTable, dois: Mapping[str, str]) -> Iterator[tuple[Any, Any]]:
    """Yield arrays of identities, each with the positions of the rows that have them.

    Arrow handles plain arXiv identifiers, and addresses that only repeat one; every other cell goes
    through :func:`corpus.model.identifiers.identities`.
    """
    first = sheet.spec.by_type("arxiv")
    read = string("")
    if first is not None:
        arxiv = sheet.columns[first.name].combine_chunks()
        plain = pc.match_substring_regex(arxiv, _PLAIN_ARXIV)
        names = pc.binary_join_element_wise(string("arxiv"), arxiv.filter(plain), string(":"))
        yield names, pc.indices_nonzero(plain).cast(pa.int64())
        read = pc.binary_join_element_wise(string(arxiv_page("")), arxiv, string(""))
    found: set[tuple[int, str]] = set()
    for column in sheet.spec.columns:
        if not column.is_identifying:
            continue
        cells = sheet.columns[column.name].combine_chunks()
        unread = pc.not_equal(cells, read)
        if column == first:
            unread = pc.invert(plain)
        positions = pc.indices_nonzero(unread)
        promising = pc.match_substring_regex(cells.take(positions), _MAY_IDENTIFY)
        for position in positions.filter(promising).to_pylist():
            found.update(zip(repeat(position), identities(cells[position].as_py())))
    if dois:
        for position, key in enumerate(sheet.cells(sheet.spec.key[0])):
            found.update(zip(repeat(position), identities(dois.get(key, ""))))
    ordered = sorted(found)
    yield strings([name for _, name in ordered]), integers([place for place, _ in ordered])


def duplicate_findings(works: Works, near: bool = True) -> Iterator[Finding]:
    """Find every pair of works with a shared identity, or with titles that make them one.

    Of more than two works that share something, each is paired with the first that it is like;
    :func:`corpus.analysis.bibliography.identity.compare` tells works of one title apart. Without
    `near`, nearly equal titles are not looked for.
    """
    every_number = integers(range(len(works.titles)))
    seen = set()
    for evidence, (first, *others) in _shared(works.identity, works.holder):
        for number in others:
            if (first, number) not in seen:
                seen.add((first, number))
                yield _finding(works[first], works[number], "identifier", evidence)
    candidates = []
    for title, numbers in _shared(works.titles, every_number):
        # "Editorial" is the title of thousands.
        if title and len(numbers) <= _MOST_OF_A_TITLE:
            candidates += [("100", pair) for pair in combinations(numbers, 2)]
    if near:
        candidates += _near(works.titles)
    described = cache(works.work)
    paired = {number for _, number in seen}
    for percentage, (first, number) in candidates:
        if (first, number) in seen or (percentage == "100" and number in paired):
            continue
        verdict, _ = compare(described(first), described(number))
        if verdict == DIFFERENT:
            continue
        kind = "near"
        if percentage == "100":
            paired.add(number)
            if verdict == SAME:
                kind = "title"
        yield _finding(works[first], works[number], kind, percentage)


def _shared(values: Any, holders: Any) -> list[tuple[str, list[int]]]:
    """Return the values that appear several times, each with the sorted numbers of its holders.

    A work may repeat one of its own identities; the value then has one holder.
    """
    several = repeated_values(values)
    if not len(several):
        return []
    wanted = pc.is_in(values, several)
    groups = defaultdict(set)
    numbers = holders.filter(wanted).to_pylist()
    for value, number in zip(values.filter(wanted).to_pylist(), numbers, strict=True):
        groups[value].add(number)
    return [(value, sorted(group)) for value, group in sorted(groups.items())]


def _near(titles: Any) -> list[tuple[str, tuple[int, int]]]:
    """Return the percentage of two near titles, and the numbers of the first works with them."""
    first: dict[str, int] = {}
    for number, title in enumerate(titles.to_pylist()):
        first.setdefault(title, number)
    first.pop("", None)
    pairs = near_titles(list(first))
    found = []
    for one, other, score in pairs:
        numbers = sorted((first[one], first[other]))
        found.append((f"{score:.0f}", (numbers[0], numbers[1])))
    return found


def _finding(first: DescribedWork, second: DescribedWork, kind: str, evidence: str) -> Finding:
    """Return the finding that two works may be one: at the second row, or at the entry."""
    rule, across = _RULES[kind]
    work, other = second, first
    if first.sheet is not second.sheet:
        # The pool comes first.
        rule, work, other = across, first, second
    # Another table may give the identity of an entry; then it is reported at the key.
    column = work.sheet.spec.key[0]
    title = work.sheet.spec.by_role("title")
    if title is not None and kind != "identifier":
        column = title.name
    else:
        for holding in reversed(work.sheet.spec.columns):
            if holding.is_identifying and evidence in identities(
                work.sheet.cell(holding.name, work.position)
            ):
                column = holding.name
    advice = evidence
    if kind == "title":
        advice = "the title"
    return work.sheet.finding(rule, work.position, column, advice=advice, other=other.name)


def matches_with(works: Works, candidate: Work) -> list[tuple[DescribedWork, str]]:
    """Return the works that a candidate may be, each with its strongest kind; strongest first.

    Returns
    -------
    list of (DescribedWork, str)
        The work, and one of :data:`KINDS`; those that :func:`compare` leaves open are ``near``.
    """
    same = pc.is_in(works.identity, strings(sorted(candidate.identities)))
    kinds = dict.fromkeys(works.holder.filter(same).to_pylist(), "identifier")
    wanted, titles = candidate.normal, works.titles.to_pylist()
    for title, _, number in process.extract(
        wanted, titles, scorer=fuzz.ratio, score_cutoff=NEAR, limit=None
    ):
        verdict, _ = compare(candidate, works.work(number))
        if title and verdict != DIFFERENT:
            kinds.setdefault(number, "title" if (title, verdict) == (wanted, SAME) else "near")
    strongest_first = sorted(kinds.items(), key=lambda item: KINDS.index(item[1]))
    return [(works[number], kind) for number, kind in strongest_first]


def address_findings(works: Works) -> Iterator[Finding]:
    """Find addresses that two works share.

    A repository, as another column may have it, can have the code of two works. Where an address
    holds an identifier, the check for the same work (C303) reports it.
    """
    columns = []
    for sheet in works.sheets:
        of_works = sheet.spec.by_role("url")
        for name in [of_works.name] if of_works else sheet.url_columns:
            # Most works have the address of their preprint.
            cells = sheet.columns[name].combine_chunks()
            others = pc.invert(pc.match_substring_regex(cells, _EMPTY_OR_PREPRINT))
            split = pc.split_pattern(cells.filter(others), ADDRESS_JOINT)
            positions = integers(sheet.where(others)).take(pc.list_parent_indices(split))
            addresses = pc.list_flatten(split)
            plain = pc.replace_substring_regex(addresses, _NOT_COMPARED, "")
            columns.append((sheet, name, plain, positions, addresses))
    repeated = repeated_values(pa.chunked_array([column[2] for column in columns], pa.string()))
    first: dict[str, tuple[ColumnarTable, int]] = {}
    for sheet, name, plain, *places in columns:
        doubtful = pc.is_in(plain, repeated)
        cells = (array.filter(doubtful).to_pylist() for array in (plain, *places))
        for text, position, address in zip(*cells, strict=True):
            if text and not identities(address):
                holder, row = first.setdefault(text, (sheet, position))
                if (holder, row) != (sheet, position):
                    other = holder.key(row)
                    yield sheet.finding(SAME_ADDRESS, position, name, advice=address, other=other)
