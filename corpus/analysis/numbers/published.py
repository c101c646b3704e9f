"""Every number that a corpus publishes, with the name under which a manuscript may use it.

docs/numbers.md explains the naming rule; a test checks its examples against this module.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, filterfalse, product
from math import isnan

from corpus.analysis.claims.evaluate import ABOUT_COUNTS, all_outcomes, read_claims
from corpus.model.codebook import Codebook, Column
from corpus.model.contingency import Contingency, CrossTabulation, Margin, counts_by_values
from corpus.model.documents.section import NameReference
from corpus.model.filters import OneOf
from corpus.model.finding import CorpusError, Finding, Rule, unknown
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import latex, terminal
from corpus.printing.grid import Grid
from corpus.printing.numerals import numeral
from corpus.tables.fast.tally import contingency_of

SAME_NAME = Rule(
    "N101",
    "{value} names two numbers: {first}; and {second}",
    "rename one of the terms, columns, tables or claims",
    title="Two numbers with one name",
    reason="A macro for two numbers prints the wrong one somewhere.",
)
NO_NAME = Rule(
    "N102",
    "no character of {value} can be part of a LaTeX name; it counts {how}",
    "give the term an identifier with Latin letters or digits",
    title="Number without a name",
    reason="LaTeX names have the letters A to Z only.",
)


_MEASURED = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
#: What :meth:`str.translate` replaces digits with.
_SPELLED = dict(enumerate(_DIGITS, ord("0")))


@dataclass(frozen=True)
class Number:
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
    is_common : bool
        Whether it is printed where nobody names it: sizes, counts of single axes, what claims
        observe. Cells of cross-tabulations, terms of evidence tables and measured numbers are not.
    parts : tuple of str
        What the name is made of: tables, columns, roles, terms, keys, claims.
    """

    name: str
    text: str
    how: str
    value: int | float
    is_common: bool = False
    parts: tuple[str, ...] = ()


def camel(*parts: str) -> str:
    """Make a name of letters: words joined with capitals, digits spelled, accents dropped.

    Other characters separate words. A part without any Latin letter or digit is called by the
    names that Unicode gives its characters.

    Examples
    --------
    >>> camel("reward_type", "NA"), camel("kimi-k2-5"), camel("soil", "мох")
    ('RewardTypeNA', 'KimiKTwoFive', 'SoilEmOHa')
    """
    return "".join(map(_camel_part, parts))


@lru_cache(maxsize=4096)  # thousands of numbers share a few hundred parts
def _camel_part(part: str) -> str:
    plain = "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", part)))
    if not re.search("[A-Za-z0-9]", plain):
        plain = _unicode_names(part)
    words = re.findall("[A-Za-z]+", plain.translate(_SPELLED))
    return "".join(word[0].upper() + word[1:] for word in words)


def _unicode_names(text: str) -> str:
    """Name each character: a letter by the last word (``CYRILLIC SMALL LETTER EM``: ``Em``)."""
    words = []
    for character in unicodedata.normalize("NFC", text):
        name = unicodedata.name(character, "").replace("-", " ").title().split()
        if character.isalpha():
            name = name[-1:]
        words += name
    return " ".join(words)


def published_numbers(study: Study) -> Mapping[str, Number]:
    """Return every number by its name: pool, axes, cells, screening, tables, claims.

    They are counted once per study.

    Raises
    ------
    CorpusError
        N101 where two numbers have one name, N102 where a part of a name would be empty.
    """
    if "numbers" in study.derived:
        known: dict[str, Number] = study.derived["numbers"]
        return known
    found: dict[str, Number] = {}
    findings = []
    for file, is_common, numbers in _sources(study):
        for parts, written, how in numbers:
            name, text = camel(*parts), str(written)
            nameless = list(filterfalse(camel, parts))
            if nameless:
                findings.append(NO_NAME.at(file, value=nameless[0], how=how))
            elif name in found:
                findings.append(SAME_NAME.at(file, value=name, first=found[name].how, second=how))
            else:
                value = float(text.removesuffix("%"))
                if value.is_integer():
                    value = int(value)
                    if not text.endswith("%"):
                        text = f"{value:,}"
                found[name] = Number(name, text, how, value, is_common, parts)
    if findings:
        raise CorpusError(findings)
    study.derived["numbers"] = found
    return found


#: The words of a number's name, the number or its text, how it is computed.
_Found = tuple[tuple[str, ...], int | str, str]


def _sources(study: Study) -> Iterator[tuple[str, bool, Iterable[_Found]]]:
    """Yield a file, whether the numbers counted in it are common, and these numbers."""
    book, file = study.codebook, study.pool.file
    counted = contingency_of(study)
    yield file, True, _sizes(study)
    for margin in counted.margins():
        yield file, True, _axis(margin, counted)
    for table in study.by_role("exclusions"):
        yield table.file, True, _screening(table, book)
    others = []
    for table in study.tables.values():
        if table.spec.role not in ("pool", "exclusions", "accepted"):
            others.append(table)
            size = ((table.spec.name, "rows"), len(table.rows), f"rows of {table.spec.file}")
            yield table.file, True, [size]
    yield "claims.toml", True, _observed(study)
    for declared in book.crosstabs:
        yield file, False, _cells(counted.crosstab(declared.rows, declared.columns))
    for table in others:
        yield table.file, False, _table_numbers(table, book)


def _observed(study: Study) -> Iterator[_Found]:
    for outcome in all_outcomes(study):
        name = outcome.claim.id
        # A ratio without a divisor: no number is better than a text with "nan" in it.
        if outcome.kind in ABOUT_COUNTS or isnan(outcome.number):
            continue
        # A ratio has the decimal places that its claim states.
        yield ("claim", name), numeral(outcome.number), f"observed for the claim {name}"


def _cells(crossed: CrossTabulation) -> Iterator[_Found]:
    rows, columns = crossed.rows.column.name, crossed.columns.column.name
    for (row, column), entries in crossed.cells.items():
        how = f"entries with {rows} = {row} and {columns} = {column}"
        yield (rows, row, "by", columns, column), entries, how


def _sizes(study: Study) -> Iterator[_Found]:
    spec = study.pool.spec
    retained, excluded = len(study.pool.rows), study.number_of_rows("exclusions")
    yield ("pool", "size"), retained, f"rows of {spec.file}"
    yield ("pool", "columns"), len(spec.columns), f"columns of {spec.file}"
    if study.by_role("exclusions"):
        yield ("excluded", "count"), excluded, "rows of the exclusion log"
        yield ("audited", "count"), retained + excluded, "retained and excluded records"


def _axis(margin: Margin, counted: Contingency) -> Iterator[_Found]:
    axis = margin.column.name
    vocabulary = margin.vocabulary
    absent = vocabulary.not_applicable
    total = margin.applicable
    if absent:
        yield (axis, "applicable"), total, f"entries whose {axis} is not {absent}"
    for row in margin.rows:
        yield (axis, row.term), row.entries, f"entries with {axis} = {row.term}"
        if row.term != absent and total:
            share = f"{100 * row.entries / total:.0f}%"
            # A share of all and one of the applicable entries must not be taken for each other.
            of = "applicable"
            if total == margin.entries:
                of = "all entries"
            how = f"share of {axis} = {row.term} among {of} ({total})"
            yield (axis, row.term, "share"), share, how
    for group in vocabulary.groups:
        # Not the sum over the terms: an entry may carry two of them.
        entries = counted.where([OneOf(margin.column, frozenset(group.terms))]).entries
        how = f"entries with {axis} = {' or '.join(group.terms)}"
        yield (axis, "group", group.id), entries, how


def _screening(table: Table, book: Codebook) -> Iterator[_Found]:
    for role in ("stage", "source", "query_family"):
        column = table.spec.by_role(role)
        if column is None:
            continue
        counts = Counter(table.column(column.name))
        for value in book.terms_of(column) or sorted(filter(None, counts)):
            how = f"excluded records with {role} = {value}"
            yield ("excluded", role, value), counts[value], how


def _table_numbers(table: Table, book: Codebook) -> Iterator[_Found]:
    """Count the terms of a table, alone and in pairs; name its measured numbers."""
    spec = table.spec
    if spec.role == "evidence":
        for column in spec.term_columns:
            yield from _terms(table, (column,), book)
        for pair in combinations(spec.term_columns, 2):
            yield from _terms(table, pair, book)
    for column in spec.columns:
        if column.type != "number":
            continue
        for row, cell in zip(table.rows, table.column(column.name), strict=True):
            # `corpus check` reports the cells that are not numbers.
            if _MEASURED.fullmatch(cell):
                key = "-".join(table.key_of(row))
                how = f"{column.name} of {key} in {spec.file}"
                yield (spec.name, key, column.name), cell, how


def _terms(table: Table, columns: Sequence[Column], book: Codebook) -> Iterator[_Found]:
    """Count the rows by the terms of one column or of two."""
    cells = [table.column(column.name) for column in columns]
    declared = list(product(*map(book.terms_of, columns)))
    counts = counts_by_values(Counter(zip(*cells, strict=True)), columns, declared)
    for terms in declared:
        words = []
        tests = []
        for column, term in zip(columns, terms, strict=True):
            words += ["by", column.name, term]
            tests.append(f"{column.name} = {term}")
        how = f"rows of {table.spec.file} with {' and '.join(tests)}"
        yield (table.spec.name, *words[1:]), counts[terms], how


_HEAD = (
    "% \\input this file, then write \\PoolSize{} and the like instead of numbers. "
    "The braces keep the space that follows.\n"
    "% `corpus docs numbers` tells how the names are made.\n"
)


def numbers_latex(numbers: Iterable[Number]) -> str:
    """Return one ``\\newcommand`` for each number, with a comment that tells how it is computed."""
    lines = [_HEAD]
    for number in numbers:
        # A line break would end the comment, and what follows would be printed.
        how = terminal(number.how)
        lines.append(f"\\newcommand{{\\{number.name}}}{{{latex(number.text)}}}% {how}\n")
    return "".join(lines)


def numbers_grid(numbers: Iterable[Number]) -> Grid:
    """Return all numbers as a table: name, value, how it is computed."""
    rows = tuple((number.name, number.text, number.how) for number in numbers)
    return Grid("Numbers", ("name", "value", "how it is computed"), rows, frozenset({1}))


def unresolved(references: Iterable[NameReference], study: Study) -> list[Finding]:
    """Return a finding for each name of a row, claim or number that the corpus does not have.

    Names of rows in a table that could not be read are left out.

    Raises
    ------
    CorpusError
        Where a number is named, and the numbers cannot be worked out.
    """
    known: dict[tuple[str, str], Collection[str]] = {}
    found = []
    for reference in references:
        kind, of = reference.kind, reference.of
        if not reference.must_exist:
            continue
        if (kind, of) not in known:
            if kind == "claim":
                known[kind, of] = [claim.id for claim in read_claims(study)[0].claims]
            elif kind == "number":
                known[kind, of] = published_numbers(study).keys()
            elif kind == "row" and of in study.tables:
                table = study.tables[of]
                known[kind, of] = dict.fromkeys(table.column(table.spec.key[0]))
            else:
                continue
        if reference.name not in known[kind, of]:
            found.append(reference.finding(unknown(kind, reference.name, known[kind, of])))
    return found
