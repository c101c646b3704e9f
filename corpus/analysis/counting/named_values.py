"""Questions that name values: papers at a venue, of a year, from an institution, by an author.

Such a question is a filter: every word of it is in a value of one entry. Terms alone make none,
since they have answers of their own.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt

from corpus.analysis.counting.words import same_stem, words_of
from corpus.model.codebook import Column
from corpus.model.filters import parse_filters, row_test
from corpus.model.study import Study

#: The types of columns whose values may be names; longer values on average are sentences.
_NAMING, _MOST_WORDS = ("text", "verbatim", "name", "names", "url"), 8
#: On so many cells the length of the values of a column is measured.
_SAMPLE = 1000
#: Columns that are found by their words.
_TELLING = ("title", "summary", "evidence")
#: What is between values of a cell; what an address has beside its host.
_BETWEEN, _BESIDE_HOST = r"[;/|]", r"https?://|(?<=[^:/])/\S*"
#: Words before a year that make it a bound, and how the year of an entry is compared with it.
BOUNDS = {"before": "<", "after": ">", "since": ">=", "until": "<="}
_COMPARE = {"<": lt, ">": gt, ">=": ge, "<=": le, "=": eq}


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
    is_term: bool = False


#: Column, cell -> what it has of a question.
_Reader = Callable[[Column, str], Iterable[NamedValue]]


class ValueQuestion:
    """A question as a filter.

    Parameters
    ----------
    study : Study
        Whose entries are asked for.
    words : sequence of str
        Those of the question that an answer must have.
    bounds : mapping of str to str
        Year -> operator, where it is not "=".
    parts : bool
        Whether a part of a value names it.
    """

    def __init__(
        self, study: Study, words: Sequence[str], bounds: Mapping[str, str], parts: bool
    ) -> None:
        self.study, self.words, self.bounds, self.parts = study, words, bounds, parts
        self.of_terms: set[str] = set()
        for _, _, vocabulary in study.codebook.term_columns(study.pool.spec):
            self.of_terms.update(words_of(" ".join(vocabulary.labels.values())))

    def entries(self) -> dict[str, list[NamedValue]]:
        """Return the entries of which every word is in a value, the best ones first."""
        named: dict[str, list[NamedValue]] = defaultdict(list)
        pool = [(name, self.study.pool, row) for name, row in self.study.pool.named_rows()]
        for rows in (pool, list(self.study.bibliography())):
            for position, column in enumerate(rows[0][1].spec.columns if rows else ()):
                cells = [row[position] for _, _, row in rows]
                read = self._reader(column, cells)
                found = {cell: list(read(column, cell)) for cell in set(cells)}
                for (key, _, _), cell in zip(rows, cells, strict=True):
                    named[key] += found[cell]
        entries = {}
        for key, values in named.items():
            covered = {word for value in values for word in value.words}
            if covered.issuperset(self.words) and not all(value.is_term for value in values):
                entries[key] = sorted(values, key=lambda value: -value.fit)
        return dict(sorted(entries.items(), key=lambda entry: -sum(one.fit for one in entry[1])))

    def _reader(self, column: Column, cells: Sequence[str]) -> _Reader:
        if column.vocabulary:
            return self._terms
        if column.type == "year":
            return self._years
        values = [value for cell in cells[:_SAMPLE] for value in re.split(_BETWEEN, cell)]
        is_naming = column.type in _NAMING and column.role not in _TELLING
        if is_naming and len(words_of(" ".join(values))) <= _MOST_WORDS * len(values):
            return self._names
        return lambda _, __: ()

    def _terms(self, column: Column, cell: str) -> Iterator[NamedValue]:
        labels = self.study.codebook.vocabularies[column.vocabulary].labels
        for term in column.values(cell):
            own = words_of(f"{term} {labels.get(term, '')}")
            found = {word for word in self.words if any(same_stem(word, other) for other in own)}
            if found:
                yield NamedValue(column.name, f"={term}", found, len(found), is_term=True)

    def _years(self, column: Column, cell: str) -> Iterator[NamedValue]:
        for word in self.words:
            bound = self.bounds.get(word, "=")
            if len(word) == len(cell) == 4 and (word + cell).isdigit():
                if _COMPARE[bound](int(cell), int(word)):
                    yield NamedValue(column.name, bound + word, {word}, 3)

    def _names(self, column: Column, cell: str) -> Iterator[NamedValue]:
        if column.type == "url":
            cell = re.sub(_BESIDE_HOST, "", cell)
        lowered = cell.lower()
        # Most cells have none of the words.
        if not any(word in lowered for word in self.words):
            return
        for value in re.split(_BETWEEN, cell):
            own = words_of(value)
            found = [word for word in own if word in self.words]
            is_whole = len(found) == len(own)
            # "research" means a declared term before it means Microsoft Research.
            if not is_whole or len(own) == 1:
                found = [word for word in found if word not in self.of_terms]
            # A number that is only a part says nothing: "ICLR 2024" is not the year.
            if found and (is_whole or (self.parts and not all(map(str.isdigit, found)))):
                text = value.strip() if is_whole else " ".join(found)
                fit = len(found) * (1 + (own[0] in found) + is_whole)
                yield NamedValue(column.name, f"~{text}", set(found), fit)


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
