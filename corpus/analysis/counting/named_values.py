"""Questions that name values: papers at a venue, of a year, from an institution, by an author.

Such a question is a filter: every word of it is in a value of one entry. Terms alone make none,
since they have answers of their own.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.analysis.counting.words import same_stem, words_of
from corpus.model.codebook import Codebook, Column
from corpus.model.filters import parse_filters, row_test
from corpus.model.study import Study

#: The types of columns whose values may be names; longer values on average are sentences.
_NAMING, _MOST_WORDS = ("text", "verbatim", "name", "names", "year", "url"), 8
#: Columns that are found by their words.
_TELLING = ("title", "summary", "evidence")
#: What is between values of a cell; what an address has beside its host.
_BETWEEN, _BESIDE_HOST = r" *[;/|] *", r"https?://|(?<=[^:/])/\S*"


@dataclass(frozen=True)
class NamedValue:
    """A value of an entry that has words of a question.

    Attributes
    ----------
    column : str
        Its column in the pool or in the bibliography.
    test : str
        What makes a filter, after the column.
    words : set of str
        The words of the question that the value has.
    fit : int
        More where the value has nothing else, or begins so.
    is_term : bool
        Whether a vocabulary has the value.
    """

    column: str
    test: str
    words: set[str]
    fit: int
    is_term: bool


def named_entries(
    study: Study, words: Sequence[str], parts: bool = True
) -> dict[str, list[NamedValue]]:
    """Return the entries of which every word of a question is in a value, the best ones first.

    Without `parts`, a value counts only where it is named as a whole.
    """
    book = study.codebook
    of_terms: set[str] = set()
    for _, _, vocabulary in book.term_columns(study.pool.spec):
        of_terms.update(word for label in vocabulary.labels.values() for word in words_of(label))
    # "research" means a declared term before it means Microsoft Research.
    names = [word for word in words if not any(same_stem(word, other) for other in of_terms)]
    named: dict[str, list[NamedValue]] = defaultdict(list)
    rows = [(name, study.pool, row) for name, row in study.pool.named_rows()]
    for some in (rows, list(study.bibliography())):
        for position, column in enumerate(some[0][1].spec.columns if some else ()):
            cells = [row[position] for _, _, row in some]
            has_names = _has_names(column, cells)
            for (key, _, _), cell in zip(some, cells, strict=True):
                if column.vocabulary:
                    named[key] += _terms(column, cell, words, book)
                elif has_names:
                    named[key] += _names(column, cell, names, parts)
    entries = {}
    for key, values in named.items():
        covered = {word for value in values for word in value.words}
        if covered.issuperset(words) and not all(value.is_term for value in values):
            entries[key] = sorted(values, key=lambda value: -value.fit)
    return dict(sorted(entries.items(), key=lambda entry: -sum(one.fit for one in entry[1])))


def filters_of(study: Study, named: Mapping[str, Sequence[NamedValue]]) -> list[str]:
    """Return the filters of the pool that keep exactly these entries; none where no filters do."""
    spec = study.pool.spec
    best = [value for value in next(iter(named.values())) if value.column in spec.header]
    words = {word for value in best for word in value.words}
    # Each that has all words, and as few as have them together.
    choices = [[value] for value in best if value.words == words]
    together: list[NamedValue] = []
    for value in best:
        if not value.words.issubset(word for other in together for word in other.words):
            together.append(value)
    for choice in [*choices, together]:
        filters = [value.column + value.test for value in choice]
        passes = row_test(parse_filters(filters, spec, study.codebook), spec.header)
        if {name for name, row in study.pool.named_rows() if passes(row)} == named.keys():
            return filters
    return []


def _has_names(column: Column, cells: Sequence[str]) -> bool:
    if column.type not in _NAMING or column.role in _TELLING:
        return False
    values = [value for cell in cells for value in re.split(_BETWEEN, cell)]
    return len(words_of(" ".join(values))) <= _MOST_WORDS * len(values)


def _terms(
    column: Column, cell: str, wanted: Sequence[str], book: Codebook
) -> Iterator[NamedValue]:
    labels = book.vocabularies[column.vocabulary].labels
    for term in column.values(cell):
        words = words_of(f"{term} {labels.get(term, '')}")
        found = {word for word in wanted if any(same_stem(word, other) for other in words)}
        if found:
            yield NamedValue(column.name, f"={term}", found, len(found), is_term=True)


def _names(column: Column, cell: str, wanted: Sequence[str], parts: bool) -> Iterator[NamedValue]:
    if column.type == "url":
        cell = re.sub(_BESIDE_HOST, "", cell)
    for value in re.split(_BETWEEN, cell):
        words = words_of(value)
        found = [word for word in words if word in wanted]
        is_whole = len(found) == len(words)
        # A number that is only a part says nothing: "ICLR 2024" is not the year.
        if found and (is_whole or (parts and not all(map(str.isdigit, found)))):
            text = value if is_whole else " ".join(found)
            operator = "=" if column.type == "year" else "~"
            fit = len(found) * (1 + (words[0] in found) + is_whole)
            yield NamedValue(column.name, operator + text, set(found), fit, is_term=False)
