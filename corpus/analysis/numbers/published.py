"""Every number that a corpus publishes, with the name under which a manuscript may use it.

The naming rule stands in docs/numbers.md; a test holds its examples against this module.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from corpus.analysis.claims.evaluate import all_outcomes
from corpus.analysis.numbers.number_rules import NO_NAME, SAME_NAME
from corpus.model.codebook import Codebook, Column
from corpus.model.contingency import Contingency, Margin
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.fast.tally import tally_table

_MEASURED = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


class Number(NamedTuple):
    """One published number.

    Attributes
    ----------
    name : str
        Letters only; in LaTeX a macro, elsewhere the name in a marker or a template.
    text : str
        As it is printed: thousands separated by commas, a share with its percent sign.
    how : str
        How it is computed, in one line.
    value : int or float
        The number itself; a share is in percent.
    """

    name: str
    text: str
    how: str
    value: int | float


def camel(*parts: str) -> str:
    """Make a name of letters: words joined with capitals, digits spelled, accents dropped, other signs left out.

    A part without any Latin letter or digit is called by the names that Unicode gives its signs.

    Examples
    --------
    >>> camel("reward_type", "NA"), camel("decision", "O5"), camel("kimi-k2-5"), camel("soil", "мох")
    ('RewardTypeNA', 'DecisionOFive', 'KimiKTwoFive', 'SoilEmOHa')
    """
    words = []
    for part in parts:
        plain = unicodedata.normalize("NFKD", part)
        if not any(c.isascii() and c.isalnum() for c in plain):
            plain = _spoken(part)
        letters = (c if c.isascii() and c.isalnum() else "" if unicodedata.combining(c) else " " for c in plain)
        for word in "".join(letters).split():
            spelled = "".join(_DIGITS[int(c)] if c.isdigit() else c for c in word)
            words.append(spelled[0].upper() + spelled[1:])
    return "".join(words)


def _spoken(text: str) -> str:
    """Name each sign by Unicode: of a letter the last word (``CYRILLIC SMALL LETTER EM``: ``Em``), else all."""
    names = []
    for sign in unicodedata.normalize("NFC", text):
        name = unicodedata.name(sign, "").replace("-", " ").title().split()
        names += name[-1:] if sign.isalpha() else name
    return " ".join(names)


def published_numbers(corpus: Study) -> dict[str, Number]:
    """Return every number by its name, in the order of the corpus: pool, axes, cells, screening, tables, claims.

    Raises
    ------
    CorpusError
        N101 where two numbers have one name, N102 where a part of a name would be empty.
    """
    found: dict[str, Number] = {}
    findings = []
    for file, parts, text, how in _all(corpus):
        nameless = [part for part in parts if not camel(part)]
        if nameless:
            findings.append(NO_NAME.at(file, value=nameless[0], how=how))
            continue
        name = camel(*parts)
        if name in found:
            findings.append(SAME_NAME.at(file, value=name, first=found[name].how, second=how))
        else:
            found[name] = _number(name, text, how)
    if findings:
        raise CorpusError(findings)
    return found


#: File of its source, the words of its name, its text, how it is computed.
_Found = tuple[str, tuple[str, ...], str, str]


def _number(name: str, text: str, how: str) -> Number:
    value = float(text.removesuffix("%"))
    if text.endswith("%"):
        return Number(name, text, how, int(value))
    return Number(name, f"{int(value):,}", how, int(value)) if value.is_integer() else Number(name, text, how, value)


def _all(corpus: Study) -> Iterator[_Found]:
    book = corpus.codebook
    names = tuple(column.name for column in book.pool.axes)
    counted = Contingency(book, names, tally_table(corpus.pool, book, names))
    yield from _sizes(corpus)
    for margin in counted.margins():
        yield from _axis(margin, corpus.pool.file)
    for declared in book.crosstabs:
        yield from _cells(counted, declared.rows, declared.columns, corpus.pool.file)
    for table in corpus.by_role("exclusions"):
        yield from _screening(table, book)
    for table in corpus.tables.values():
        if table.spec.role not in ("pool", "exclusions", "accepted"):
            yield from _table(table, book)
    for outcome in all_outcomes(corpus):
        if outcome.claim.expectation.kind not in ("counts", "descending"):
            text = f"{outcome.number:.2f}".rstrip("0").rstrip(".") if outcome.number % 1 else str(int(outcome.number))
            yield "claims.toml", ("claim", outcome.claim.id), text, f"observed for the claim {outcome.claim.id}"


def _sizes(corpus: Study) -> Iterator[_Found]:
    pool = corpus.pool
    excluded = sum(len(table.rows) for table in corpus.by_role("exclusions"))
    yield pool.file, ("pool", "size"), str(len(pool.rows)), f"rows of {pool.spec.file}"
    yield pool.file, ("pool", "columns"), str(len(pool.spec.columns)), f"columns of {pool.spec.file}"
    if corpus.by_role("exclusions"):
        how = "rows of the exclusion log"
        yield pool.file, ("excluded", "count"), str(excluded), how
        yield pool.file, ("audited", "count"), str(len(pool.rows) + excluded), "retained and excluded records"


def _axis(margin: Margin, file: str) -> Iterator[_Found]:
    axis, vocabulary = margin.column.name, margin.vocabulary
    absent, total = vocabulary.not_applicable, margin.applicable
    if absent:
        yield file, (axis, "applicable"), str(total), f"entries whose {axis} is not {absent}"
    for row in margin.rows:
        yield file, (axis, row.term), str(row.entries), f"entries with {axis} = {row.term}"
        if row.term != absent and total:
            share, of = f"{100 * row.entries / total:.0f}%", "all entries" if total == margin.entries else "applicable"
            yield file, (axis, row.term, "share"), share, f"share of {axis} = {row.term} among {of} ({total})"
    for group in vocabulary.groups:
        entries = sum(margin.of(term) for term in group.terms)
        yield file, (axis, "group", group.id), str(entries), f"entries with {axis} = {' or '.join(group.terms)}"


def _cells(counted: Contingency, rows: str, columns: str, file: str) -> Iterator[_Found]:
    table = counted.crosstab(rows, columns)
    for (row, column), entries in table.cells.items():
        how = f"entries with {rows} = {row} and {columns} = {column}"
        yield file, (rows, row, "by", columns, column), str(entries), how


def _screening(table: Table, book: Codebook) -> Iterator[_Found]:
    for role in ("stage", "source", "query_family"):
        column = table.spec.by_role(role)
        if column is None:
            continue
        counts = Counter(table.column(column.name))
        known = book.vocabulary_of(column).ids if column.type == "term" else tuple(sorted(filter(None, counts)))
        for value in known:
            yield table.file, ("excluded", role, value), str(counts[value]), f"excluded records with {role} = {value}"


def _table(table: Table, book: Codebook) -> Iterator[_Found]:
    """Count a side table: its rows, its terms one by one and in pairs; name each of its measured numbers."""
    spec = table.spec
    yield table.file, (spec.name, "rows"), str(len(table.rows)), f"rows of {spec.file}"
    terms = [column for column in spec.columns if column.type == "term"] if spec.role == "evidence" else []
    for column in terms:
        counts = Counter(value for cell in table.column(column.name) for value in column.values(cell))
        for term in book.vocabulary_of(column).ids:
            how = f"rows of {spec.file} with {column.name} = {term}"
            yield table.file, (spec.name, column.name, term), str(counts[term]), how
    for first, second in combinations(terms, 2):
        yield from _pairs(table, first, second, book)
    for column in spec.columns:
        if column.type == "number":
            position = spec.position(column.name)
            for row in table.rows:
                if not _MEASURED.fullmatch(row[position]):
                    continue  # `corpus check` names the cell
                key = "-".join(table.key_of(row))
                yield table.file, (spec.name, key, column.name), row[position], f"{column.name} of {key} in {spec.file}"


def _pairs(table: Table, first: Column, second: Column, book: Codebook) -> Iterator[_Found]:
    name, cells = table.spec.name, zip(table.column(first.name), table.column(second.name), strict=True)
    counts = Counter(pair for a, b in cells for pair in product(first.values(a), second.values(b)))
    for a, b in product(book.vocabulary_of(first).ids, book.vocabulary_of(second).ids):
        how = f"rows of {table.spec.file} with {first.name} = {a} and {second.name} = {b}"
        yield table.file, (name, first.name, a, "by", second.name, b), str(counts[a, b]), how
