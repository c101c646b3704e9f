"""Read a claims file; every mistake in it becomes a finding with its line, and reading goes on."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from corpus.analysis.claims.claim import (
    EXPECTATIONS,
    Claim,
    ClaimSet,
    Expectation,
    Selection,
    Unchecked,
    holding_one_of,
)
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.documents.section import Section, name_of
from corpus.model.filters import ORDERED_TYPES, Contains, OneOf, Within, is_bound
from corpus.model.finding import Finding, Rule, unknown

CLAIM_MISTAKE = Rule(
    "C602",
    "{place}: {problem}",
    "correct the claims file; `corpus docs claims-format` has every key",
    title="Mistake in the claims file",
    reason="A claim that cannot be understood is not checked.",
)


_SELECTION_KEYS = ("table", "where", "without", "contains", "between", "agrees_on", "differs_on")
#: What a claim may have beside one of the expectations.
_CLAIM_KEYS = (*_SELECTION_KEYS, "of", "by", "or_equal", "value_of")
#: Expectations over several selections: their counts are summed, ordered or divided.
_OF_SEVERAL = ("count", "at_least", "at_most", "empty", "descending", "ratio", "share")
#: From here on a float has no decimal places left that a ratio could be rounded to.
_LARGEST_RATIO = 1e15

_HEAD = re.compile(r"\s*\[\[\s*(\w+)\s*\]\]")
_ID = re.compile(r"""\s*id\s*=\s*(["'])(.*?)\1""")

_Item = TypeVar("_Item")


def parse_claims(
    data: Mapping[str, Any], book: Codebook, file: str = "claims.toml", text: str = ""
) -> tuple[ClaimSet, list[Finding]]:
    """Build the claims from decoded TOML.

    Parameters
    ----------
    data : mapping
        The decoded file.
    book : Codebook
        Tables, columns and terms that claims may name.
    file, text : str
        Path for findings, and the file's text, in which their lines are found.

    Returns
    -------
    claim_set : ClaimSet
        The claims and unchecked claims without a mistake.
    findings : list of Finding
        C602, one for each mistake; its column is the dotted place of the key.
    """
    document = Section(data, (), [], file, CLAIM_MISTAKE, book)
    claims = read_claim_set(document)
    findings = document.findings
    if findings:
        # It reads the whole text, and only a mistake needs a line.
        from corpus.model.documents.codebook_lines import with_lines

        findings = with_lines(findings, text)
    return claims, findings


def read_claim_set(document: Section) -> ClaimSet:
    """Read a claims file; mistakes are in the findings of the section."""
    if document.raw("format") != 1:
        document.mistake("format", "must be 1")
    claims = read_items(document, "claims", _claim)
    unchecked = read_items(document, "unchecked", _unchecked)
    # Release v1 has such a section, which nothing reads any more.
    document.allow(["scenarios"])
    document.finish()
    return ClaimSet(claims, unchecked)


def claim_lines(text: str) -> dict[str, int]:
    """Return the line of a claims file on which each claim gives its identifier.

    Examples
    --------
    >>> claim_lines('[[claims]]\\nid = "pool-size"\\n')
    {'pool-size': 2}
    """
    lines: dict[str, int] = {}
    current = ""
    for number, line in enumerate(text.split("\n"), 1):
        head, own = _HEAD.match(line), _ID.match(line)
        if head:
            current = head[1]
        elif own and current == "claims":
            lines.setdefault(own[2], number)
    return lines


def read_items(
    document: Section, name: str, read: Callable[[Section], _Item | None]
) -> tuple[_Item, ...]:
    """Read the items of an array, each with its own `id`; those with a mistake are left out."""
    items = []
    seen = set()
    for section in document.sections(name):
        known_mistakes = len(document.findings)
        item = read(section)
        identifier = section.raw("id")
        if identifier == "":
            section.mistake("id", "must not be empty")
        # Another type has its finding already, and need not be hashable.
        elif isinstance(identifier, str):
            if identifier in seen:
                section.mistake("id", f"duplicate id {identifier!r}")
            seen.add(identifier)
        has_mistake = len(document.findings) > known_mistakes
        if item is not None and not has_mistake:
            items.append(item)
    return tuple(items)


def _claim(section: Section) -> Claim | None:
    known_mistakes = len(section.findings)
    section.allow((*_CLAIM_KEYS, *EXPECTATIONS))
    claim = section.record(
        Claim,
        source_id=section.text("source_id", ""),
        boundary=section.text("boundary", ""),
        made_in=section.strings("made_in", ()),
        selections=(),
        expectation=None,  # both are read below, if nothing is wrong so far
        accepted=(),
        reason="",
    )
    kinds = list(filter(section.has, EXPECTATIONS))
    # `groups = true` only refines `distinct`.
    if isinstance(section.raw("groups"), bool):
        kinds.remove("groups")
    if len(kinds) != 1:
        section.mistake("", f"must have exactly one of {', '.join(EXPECTATIONS)}")
    parts = _selections(section)
    if not parts or len(section.findings) > known_mistakes:
        # An expectation is read by the columns of its table: without them, more findings would
        # only repeat the ones that are there.
        return None
    expectation = _expectation(section, kinds[0], parts)
    if expectation.kind == "covered":
        # None may be without a verdict, or without its reason.
        table, unread = section.book.tables[parts[0].table], []
        for column in filter(None, map(table.by_role, ("verdict", "reason"))):
            unread.append(parts[0].narrowed(OneOf(column, frozenset({""})), column.role))
        if table.role != "coverage" or len(unread) < 2:
            section.mistake("covered", "needs a table with the role coverage, verdict and reason")
        parts = unread
        expectation = replace(expectation, kind="empty")
    if expectation.kind == "descending" and expectation.by:
        column = section.book.tables[parts[0].table].column(expectation.by[0])
        terms = expectation.value
        parts = [parts[0].narrowed(OneOf(column, frozenset({term})), term) for term in terms]
    return replace(claim, selections=tuple(parts), expectation=expectation)


def _selections(section: Section) -> list[Selection]:
    """Return the selections in `of`, or the claim's own; an empty list after some mistakes."""
    if not section.has("of"):
        return list(filter(None, [_selection(section)]))
    for key in _SELECTION_KEYS:
        if section.has(key):
            section.mistake(key, "goes into the selections of `of`")
    if section.raw("of") == []:
        section.mistake("of", "must have at least one selection")
    parts = []
    for item in section.sections("of"):
        item.allow((*_SELECTION_KEYS, "label"))
        item.finish()
        part = _selection(item)
        if part is not None:
            parts.append(replace(part, label=item.text("label", part.table)))
    return parts


def _selection(section: Section) -> Selection | None:
    table = section.table("table", section.book.pool.name)
    if table is None:
        return None
    filters = list(holding_one_of(table, section.filters("where", table)))
    filters += holding_one_of(table, section.filters("without", table), negated=True)
    for child, column in _tested_columns(section, "contains", table):
        text = child.text(column.name)
        if not text:
            child.mistake(column.name, "must not be empty")
        filters.append(Contains(column, text))
    for child, column in _tested_columns(section, "between", table):
        problem, bounds = "", child.strings(column.name)
        # Between some bounds no cell can be: a claim of emptiness would always hold.
        unordered = [bound for bound in bounds if bound and not is_bound(column, bound)]
        if column.type not in ORDERED_TYPES:
            problem = f"needs a column of type {', '.join(ORDERED_TYPES)}"
        elif len(bounds) != 2:
            if isinstance(child.raw(column.name), list):
                problem = "must be a list of a first and a last value"
        elif unordered:
            problem = f"{unordered[0]!r} is not a valid {column.type}"
        else:
            filters.append(Within(column, *bounds))
            if all(bounds) and not filters[-1].keeps(bounds[0]):
                problem = f"the first value {bounds[0]!r} is after the last, {bounds[1]!r}"
        if problem:
            child.mistake(column.name, problem)
    agrees = dict.fromkeys(_compared(section, "agrees_on", table), True)
    differs = dict.fromkeys(_compared(section, "differs_on", table), False)
    return Selection(table.name, tuple(filters), agrees | differs, table.name)


def _tested_columns(
    section: Section, key: str, table: TableSpec
) -> Iterator[tuple[Section, Column]]:
    """Yield the columns that a mapping names, each with its section; an unknown one is reported."""
    child = section.section(key, required=False)
    for name in child:
        if child.reference("column", name, name, of=table.name, known=table.header, is_key=True):
            yield child, table.column(name)


def _compared(section: Section, key: str, table: TableSpec) -> tuple[str, ...]:
    """Read the columns in which a row is compared with the pool row that it refers to."""
    pool = section.book.pool
    names = section.columns(key, table, default=())
    if names and table.reference_to(pool) is None:
        section.mistake(key, f"table {table.name} does not refer to the pool")
        return names
    for number, name in enumerate(names):
        if name in table.header:
            section.reference("column", name, key, number, of=pool.name, known=pool.header)
    return names


def _expectation(section: Section, kind: str, parts: Sequence[Selection]) -> Expectation:
    tables = section.book.tables
    table = tables[parts[0].table]
    by = section.columns("by", table, default=())
    value_of = name_of(section.column("value_of", table, default=""))
    for part in parts[1:]:
        header = tables[part.table].header
        if value_of and value_of not in header:
            problem = f"table {part.table}: {unknown('column', value_of, header)}"
            section.mistake("value_of", problem)
    groups = kind != "groups" and section.flag("groups", False)
    or_equal = section.flag("or_equal", False)
    if kind not in _OF_SEVERAL and len(parts) != 1:
        section.mistake("of", f"{kind} takes one selection, not {len(parts)}")
    compares = any(part.agrees for part in parts)
    may_compare = kind in ("count", "empty", "keys") and len(parts) == 1
    if compares and not may_compare:
        section.mistake(
            "", "agrees_on and differs_on need count, keys or empty, and only one selection"
        )
    columns = [table.column(name) for name in by if name in table.header]
    value = section.raw(kind)
    if len(columns) == len(by):
        value = _expected_value(section, kind, parts, columns)
    return Expectation(kind, value, by, groups, or_equal, value_of)


def _expected_value(
    section: Section, kind: str, parts: Sequence[Selection], by: Sequence[Column]
) -> Any:
    """Read the value of an expectation; `by` are the columns that it counts by."""
    if kind in ("keys", "includes"):
        names = section.strings(kind)
        for number, name in enumerate(names):
            # A row that is missing makes the claim fail, which tells more than a wrong name.
            section.reference("row", name, kind, number, of=parts[0].table, must_exist=False)
        return names
    if kind in ("empty", "covered"):
        if section.raw(kind) is not True:
            section.mistake(kind, "must be true")
        return 0
    if kind == "same_keys_as":
        return name_of(section.table(kind))
    if kind == "counts":
        # Nested mappings of terms to numbers: one level for each column of `by`.
        counts: dict[tuple[str, ...], int] = {}
        if len(by) not in (1, 2):
            section.mistake(kind, "needs one or two columns in `by`")
            return counts
        outer = section.section(kind)
        for first in outer:
            outer.value(by[0], first, first, is_key=True)
            if len(by) == 1:
                counts[first,] = outer.whole(first)
                continue
            inner = outer.section(first)
            for second in inner:
                inner.value(by[1], second, second, is_key=True)
                counts[first, second] = inner.whole(second)
        return counts
    if kind == "descending" and section.raw(kind) is True and len(parts) > 1 and not by:
        labels = tuple(part.label for part in parts)
        # What is out of order is told by the labels; without any, both are the name of the table.
        if len(set(labels)) < len(labels):
            section.mistake(kind, "needs another `label` for each part in `of`")
        return labels
    if kind == "descending":
        terms: tuple[str, ...] = ()
        if len(by) == len(parts) == 1:
            terms = section.terms(kind, by[0])
            is_too_few = len(terms) < 2 or len(set(terms)) < len(terms)
            if is_too_few and isinstance(section.raw(kind), list):
                section.mistake(kind, "must be a list of two different terms or more")
        else:
            section.mistake(
                kind, "takes terms of one column in `by`, or true with several parts in `of`"
            )
        return terms
    if kind == "share":
        value = section.raw(kind)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 100:
            section.mistake(kind, "must be a percentage, 0 to 100")
        elif len(parts) > 2:
            section.mistake(kind, "takes one selection, or two in `of`: the part and the whole")
        return value
    if kind == "ratio":
        # The number is returned as it is written: its decimal places are those that the observed
        # ratio is rounded to, and `3` has none where `3.0` has one.
        value = section.raw(kind)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not abs(value) < _LARGEST_RATIO:
            section.mistake(kind, "must be a number")
        elif len(parts) != 2 or not section.raw("value_of"):
            section.mistake(kind, "needs `value_of` and two selections in `of`")
        return value
    if kind in ("distinct", "terms", "groups") and len(by) != 1:
        section.mistake(kind, "needs one column in `by`")
    elif kind in ("terms", "groups") and by[0].type != "term":
        section.mistake(kind, f"{by[0].name} has no vocabulary")
    number = section.whole(kind)
    if number < 0:
        section.mistake(kind, "must not be negative")
    return number


def _unchecked(section: Section) -> Unchecked:
    item = {
        "id": section.text("id"),
        "source_id": section.text("source_id", ""),
        "statement": section.text("statement"),
        "reason": section.text("reason"),
    }
    section.finish()
    return item
