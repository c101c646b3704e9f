"""From the decoded TOML of a claims file to a :class:`ClaimBook`; says every mistake in it, with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from corpus.analysis.claims.claim import (
    EXPECTATIONS,
    Acknowledged,
    Claim,
    ClaimBook,
    Expectation,
    Scenario,
    Selection,
    Unchecked,
)
from corpus.analysis.claims.claim_rules import CLAIM_MISTAKE
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import Finding, UsageProblem

_SELECTION = {"table", "where", "without", "between", "agrees_on", "differs_on"}
_CLAIM = {"id", "source_id", "statement", "boundary", "made_in", "of", "by", "groups", "or_equal", "value_of"}
_KNOWN = _SELECTION | _CLAIM | {"acknowledged"} | set(EXPECTATIONS)
_KINDS = ("retain", "drop", "retag", "strict")
_WHOLE = ("count", "at_least", "at_most", "distinct", "columns")
_RANGED = ("date", "year", "integer", "number")


class _ClaimMistake(Exception):
    """One mistake in a claim, as a sentence without full stop."""


def parse_claims(
    data: Mapping[str, Any], book: Codebook, file: str = "claims.toml", text: str = ""
) -> tuple[ClaimBook, list[Finding]]:
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
    book : ClaimBook
        The claims, scenarios and unchecked claims that are sound.
    findings : list of Finding
        C602, one for each that is not.
    """
    findings: list[Finding] = []
    found: dict[str, list[Any]] = {"claims": [], "scenarios": [], "unchecked": []}
    readers = {"claims": _claim, "scenarios": _scenario, "unchecked": _unchecked}
    for key in data:
        if key not in (*readers, "format"):
            findings.append(CLAIM_MISTAKE.at(file, column=key, place=key, problem="is no section of a claims file"))
    if data.get("format") != 1:
        findings.append(CLAIM_MISTAKE.at(file, column="format", place="format", problem="must be 1"))
    for section, read in readers.items():
        seen: set[str] = set()
        for number, item in enumerate(_items(data.get(section, [])), 1):
            name = str(item.get("id", ""))
            try:
                if not name or name in seen:
                    raise _ClaimMistake(f"the id {name!r} stands twice" if name else "has no id")
                seen.add(name)
                found[section].append(read(item, book))
            except (_ClaimMistake, UsageProblem) as mistake:
                place = f"{section}[{number}]" + (f" {name}" if name else "")
                line = claim_line(text, name, section)
                findings.append(CLAIM_MISTAKE.at(file, line, section, name, place=place, problem=str(mistake)))
    return ClaimBook(*(tuple(found[section]) for section in readers)), findings


def claim_line(text: str, identifier: str, section: str = "claims") -> int:
    """Return the line of a claims file on which the item of a section with this identifier names itself, or 0.

    Examples
    --------
    >>> claim_line('[[claims]]\\nid = "pool-size"\\n', "pool-size")
    2
    """
    current = ""
    for number, line in enumerate(text.split("\n"), 1):
        head = re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line)
        if head:
            current = head[1]
        own = re.match(r"""\s*id\s*=\s*(["'])(.*?)\1""", line)
        if own and own[2] == identifier and current == section:
            return number
    return 0


def _items(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the tables of an array; anything else as a table without id, which is then a mistake of its own."""
    for item in value if isinstance(value, list) else [value]:
        yield item if isinstance(item, dict) else {}


def _claim(item: Mapping[str, Any], book: Codebook) -> Claim:
    for key in item:
        if key not in _KNOWN:
            raise _ClaimMistake(f"the key {key!r} means nothing in a claim")
    kinds = [kind for kind in EXPECTATIONS if kind in item]
    if len(kinds) != 1:
        raise _ClaimMistake(f"must have exactly one of {', '.join(EXPECTATIONS)}")
    if "of" in item:
        if any(key in item for key in _SELECTION):
            raise _ClaimMistake("has both `of` and a selection of its own")
        parts = [_selection(part, book) for part in _items(item["of"])]
        if not parts:
            raise _ClaimMistake("`of` holds no selection")
    else:
        parts = [_selection({key: item[key] for key in _SELECTION if key in item}, book)]
    expectation = _expectation(item, kinds[0], parts, book)
    if kinds[0] == "descending" and expectation.by:
        parts = [
            parts[0]._replace(where={**parts[0].where, expectation.by[0]: (term,)}, label=term)
            for term in expectation.value
        ]
    return Claim(
        id=_text(item, "id"),
        source_id=_text(item, "source_id", ""),
        statement=_text(item, "statement"),
        boundary=_text(item, "boundary", ""),
        made_in=_strings(item, "made_in") if "made_in" in item else (),
        selections=tuple(parts),
        expectation=expectation,
        acknowledged=_acknowledged(item),
    )


def _selection(item: Mapping[str, Any], book: Codebook) -> Selection:
    name = _text(item, "table", book.pool.name)
    if name not in book.tables:
        raise _ClaimMistake(f"{name!r} is no table; the tables are {', '.join(book.tables)}")
    table = book.tables[name]
    for key in item:
        if key not in _SELECTION | {"label"}:
            raise _ClaimMistake(f"the key {key!r} means nothing in a selection")
    compared = {key: _strings(item, key) if key in item else () for key in ("agrees_on", "differs_on")}
    for column in (*compared["agrees_on"], *compared["differs_on"]):
        table.column(column)
        book.pool.column(column)
        if table.reference_to(book.pool) is None:
            raise _ClaimMistake(f"table {name} does not refer to the pool, so nothing can agree")
    return Selection(
        table=name,
        where=_tests(item, "where", table, book),
        without=_tests(item, "without", table, book),
        between=_ranges(item, table),
        agrees_on=compared["agrees_on"],
        differs_on=compared["differs_on"],
        label=_text(item, "label", name),
    )


def _tests(item: Mapping[str, Any], key: str, table: TableSpec, book: Codebook) -> dict[str, tuple[str, ...]]:
    value = item.get(key, {})
    if not isinstance(value, dict):
        raise _ClaimMistake(f"{key} must map columns to values")
    found = {}
    for name, wanted in value.items():
        column = table.column(name)
        values = (wanted,) if isinstance(wanted, str) else _strings(value, name)
        if column.type == "term":
            known = book.vocabulary_of(column).ids
            for term in values:
                if term not in known:
                    raise _ClaimMistake(f"{name} has no term {term!r}; its terms are {', '.join(known)}")
        found[name] = values
    return found


def _ranges(item: Mapping[str, Any], table: TableSpec) -> dict[str, tuple[str, str]]:
    value = item.get("between", {})
    if not isinstance(value, dict):
        raise _ClaimMistake("between must map columns to a first and a last value")
    found = {}
    for name in value:
        bounds = _strings(value, name)
        if table.column(name).type not in _RANGED or len(bounds) != 2:
            raise _ClaimMistake(f"between.{name} takes two strings and a column of dates or numbers")
        found[name] = (bounds[0], bounds[1])
    return found


def _expectation(item: Mapping[str, Any], kind: str, parts: list[Selection], book: Codebook) -> Expectation:
    value = item[kind]
    table = book.tables[parts[0].table]
    by = _strings(item, "by") if "by" in item else ()
    for name in by:
        table.column(name)
    if kind in _WHOLE and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise _ClaimMistake(f"{kind} must be a whole number")
    if kind == "empty" and value is not True:
        raise _ClaimMistake("empty must be true")
    if kind in ("keys", "includes"):
        value = tuple(_strings(item, kind))
    measured = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    if kind == "ratio" and (len(parts) != 2 or not measured or "value_of" not in item):
        raise _ClaimMistake("ratio takes a number, `value_of` and two selections in `of`")
    if kind == "same_keys_as" and (not isinstance(value, str) or value not in book.tables):
        raise _ClaimMistake(f"{value!r} is no table; the tables are {', '.join(book.tables)}")
    if kind == "counts":
        value = _counts(value, by, table, book)
    if kind == "distinct" and len(by) != 1:
        raise _ClaimMistake("distinct needs one column in `by`")
    if kind == "descending":
        value = _ordering(item, value, by, parts, book)
    if kind not in ("count", "at_least", "at_most", "empty", "descending", "ratio") and len(parts) != 1:
        raise _ClaimMistake(f"{kind} takes one selection, not {len(parts)}")
    if any(p.agrees_on or p.differs_on for p in parts) and (kind not in ("count", "empty", "keys") or len(parts) > 1):
        raise _ClaimMistake("agrees_on and differs_on go with count, keys or empty over one selection")
    value_of = _text(item, "value_of", "")
    if value_of:
        table.column(value_of)
    return Expectation(kind, value, by, _flag(item, "groups"), _flag(item, "or_equal"), value_of)


def _counts(value: Any, by: tuple[str, ...], table: TableSpec, book: Codebook) -> dict[tuple[str, ...], int]:
    """Flatten nested mappings of terms to numbers: one level for each column of `by`."""
    if len(by) not in (1, 2) or not isinstance(value, dict):
        raise _ClaimMistake("counts maps terms to numbers and needs one or two columns in `by`")
    flat: dict[tuple[str, ...], int] = {}
    for first, inner in value.items():
        cells = {(first,): inner} if len(by) == 1 else {(first, second): n for second, n in _mapping(inner).items()}
        for cell, number in cells.items():
            for name, term in zip(by, cell, strict=True):
                column = table.column(name)
                if column.type == "term" and term not in book.vocabulary_of(column).ids:
                    raise _ClaimMistake(f"{name} has no term {term!r}")
            if not isinstance(number, int) or isinstance(number, bool):
                raise _ClaimMistake(f"the count of {' / '.join(cell)} must be a whole number")
            flat[cell] = number
    return flat


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _ClaimMistake("counts over two columns maps each term of the first to a mapping of the second")
    return value


def _ordering(
    item: Mapping[str, Any], value: Any, by: tuple[str, ...], parts: list[Selection], book: Codebook
) -> tuple[str, ...]:
    if value is True and len(parts) > 1 and not by:
        return tuple(part.label for part in parts)
    if len(by) != 1 or len(parts) != 1:
        raise _ClaimMistake("descending takes terms of one column in `by`, or true and several selections in `of`")
    terms = _strings(item, "descending")
    if len(terms) < 2:
        raise _ClaimMistake("descending needs two terms or more")
    _tests({"where": {by[0]: list(terms)}}, "where", book.tables[parts[0].table], book)
    return terms


def _acknowledged(item: Mapping[str, Any]) -> Acknowledged | None:
    value = item.get("acknowledged")
    if value is None:
        return None
    if not isinstance(value, dict) or set(value) != {"reason", "observed"}:
        raise _ClaimMistake('acknowledged must be { reason = "...", observed = "..." }')
    return Acknowledged(_text(value, "reason"), str(value["observed"]))


def _scenario(item: Mapping[str, Any], book: Codebook) -> Scenario:
    kind = _text(item, "kind")
    if kind not in _KINDS:
        raise _ClaimMistake(f"kind {kind!r} is none of {', '.join(_KINDS)}")
    name = _text(item, "table", book.pool.name)
    if name not in book.tables:
        raise _ClaimMistake(f"{name!r} is no table; the tables are {', '.join(book.tables)}")
    table = book.tables[name]
    column = _text(item, "column", "")
    if kind == "drop" and name != book.pool.name:
        raise _ClaimMistake("drop works on the pool")
    if kind in ("retag", "strict") and table.reference_to(book.pool) is None:
        raise _ClaimMistake(f"table {name} does not refer to the pool")
    if kind == "retain" and not any(table.reference_to(spec) for spec in book.by_role("exclusions")):
        raise _ClaimMistake(f"table {name} does not refer to the exclusions")
    if kind == "strict" and not book.vocabulary_of(book.axis(column)[0]).not_applicable:
        raise _ClaimMistake(f"{column} has no term for `not applicable`")
    return Scenario(_text(item, "id"), _text(item, "statement"), kind, name, column, _tests(item, "where", table, book))


def _unchecked(item: Mapping[str, Any], _: Codebook) -> Unchecked:
    return Unchecked(*(_text(item, key, None if key != "source_id" else "") for key in Unchecked._fields))


def _text(item: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = item.get(key, default)
    if not isinstance(value, str):
        raise _ClaimMistake(f"{key} is missing" if value is None else f"{key} must be a string")
    return value


def _flag(item: Mapping[str, Any], key: str) -> bool:
    value = item.get(key, False)
    if not isinstance(value, bool):
        raise _ClaimMistake(f"{key} must be true or false")
    return value


def _strings(item: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = item.get(key)
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise _ClaimMistake(f"{key} must be a list of strings")
    return tuple(value)
