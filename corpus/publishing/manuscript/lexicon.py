"""The words of a study: which phrases of running text name its terms, axes and vocabularies."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.analysis.numbers.quantities import stem, stems
from corpus.model.codebook import Column, TableSpec
from corpus.model.contingency import Contingency
from corpus.model.documents.section import name_of
from corpus.model.filters import OneOf
from corpus.model.study import Study
from corpus.model.table import row_picker

#: A condition: the column, and the terms of which an entry must have one.
Condition = tuple[str, frozenset[str]]

_YES, _NO = "yes", "no"


def counted(value: float, how: str, text: str = "") -> Number:
    """Return a count that has no name; a share has a text."""
    return Number("", text or f"{value:,}", how, value)


#: What reviews call their entries, whatever the codebook calls them.
_ENTRY_NOUNS = ("entry", "paper", "work", "row", "study", "article", "publication")


class Meaning(NamedTuple):
    """What a phrase may mean: terms of a column, or with no terms the column as a whole."""

    table: str
    column: str
    terms: frozenset[str]


class Population:
    """The rows of one table, counted by their terms and years."""

    def __init__(self, study: Study, spec: TableSpec) -> None:
        self.book, self.spec = study.codebook, spec
        names = [column.name for column in spec.columns if column.type in ("term", "year")]
        # Few combinations occur, so that each question looks at few cells.
        cells = Counter(map(row_picker(spec.positions(names)), study.tables[spec.name].rows))
        self._counted = Contingency(study.codebook, tuple(names), cells)

    def count(self, conditions: Iterable[Condition]) -> int:
        """Return how many rows meet every condition."""
        tests = [OneOf(self.spec.column(name), terms) for name, terms in conditions]
        return self._counted.where(tests).entries

    def applicable(self, column: str) -> frozenset[str]:
        """Return the terms of a column but the one for what an axis does not apply to."""
        vocabulary = self.book.vocabulary_of(self.spec.column(column))
        return frozenset(vocabulary.ids) - {vocabulary.not_applicable}

    def applicable_sizes(self, conditions: Iterable[Condition]) -> list[int]:
        """Return how many rows have a term of the axis of each condition."""
        found = []
        for name, _ in conditions:
            if self.spec.column(name).type == "term":
                found.append(self.count([(name, self.applicable(name))]))
        return found

    def conditions(self, meanings: Iterable[Meaning]) -> Iterator[Condition]:
        """Yield what a phrase means here; an axis by its name alone means that it applies."""
        for meaning in sorted(meanings, key=lambda m: (m.column, sorted(m.terms))):
            if meaning.table != self.spec.name:
                continue
            terms = meaning.terms or self.applicable(meaning.column)
            if not meaning.terms and {_YES, _NO} <= terms:
                terms = frozenset({_YES})
            yield meaning.column, terms


class Lexicon:
    """Phrases (as stems) of a study and what they may mean.

    Attributes
    ----------
    pool, excluded : Population or None
        What is counted; `excluded` is None without an exclusion log.
    entry_nouns : set of str
        Stems of the words for one work of the pool.
    meanings : mapping of phrase to set of Meaning
        The names of terms, groups and axes.
    heads : mapping of stem to set of Meaning
        The last word of a longer name of a group, such as "methods".
    members : set of stems
        What the members of a vocabulary are called, such as "family" of "reward families".
    """

    def __init__(self, study: Study, numbers: Mapping[str, Number]) -> None:
        book = study.codebook
        self.book = book
        self.numbers = numbers
        self.pool = Population(study, book.pool)
        self.excluded: Population | None = None
        self.entry_nouns = set(map(stem, _ENTRY_NOUNS))
        for name in ("entry", "entries"):
            self.entry_nouns.add(stem(book.corpus[name] or name))
        self.meanings: dict[tuple[str, ...], set[Meaning]] = {}
        #: The column that groups the entries; empty where none does.
        self.group = name_of(book.pool.by_role("group"))
        for column in book.pool.axes:
            self._learn(book.pool.name, column)
        for table in study.by_role("exclusions")[:1]:
            self.excluded = Population(study, table.spec)
            for column in table.spec.term_columns:
                self._learn(table.spec.name, column)
        self.heads: dict[str, set[Meaning]] = {}
        for phrase, meanings in self.meanings.items():
            for meaning in meanings:
                is_longer = len(phrase) > 1 and phrase[-1] not in self.entry_nouns
                if is_longer and meaning.column == self.group:
                    self.heads.setdefault(phrase[-1], set()).add(meaning)
        titles = [stems(vocabulary.title) for vocabulary in book.vocabularies.values()]
        self.members = {title[-1] for title in titles if title}
        self.longest = max(map(len, self.meanings), default=1)

    def at(self, words: Sequence[str]) -> tuple[int, frozenset[Meaning]]:
        """Return the longest phrase that some words begin with: its length, and its meanings."""
        for length in range(min(self.longest, len(words)), 0, -1):
            found = self.meanings.get(tuple(words[:length]))
            if found:
                return length, frozenset(found)
        return 0, frozenset()

    def number_of(self, conditions: Sequence[Condition], population: Population) -> Number:
        """Return the count of some conditions: the published number where it has a name."""
        value = population.count(conditions)
        if len(conditions) == 1:
            column, terms = conditions[0]
            names = []
            if len(terms) == 1:
                names = [camel(column, *terms), camel("excluded", "stage", *terms)]
            if column in self.book.pool.axis_names:
                for group in self.book.axis_vocabularies[column].groups:
                    if terms == set(group.terms):
                        names.append(camel(column, "group", group.id))
                if terms == self.pool.applicable(column):
                    names.append(camel(column, "applicable"))
            for number in filter(None, map(self.numbers.get, names)):
                if number.value == value:
                    return number
        tests = []
        for column, terms in conditions:
            is_any = len(terms) > 1 and terms == population.applicable(column)
            tests.append(f"any {column}" if is_any else f"{column} = {' or '.join(sorted(terms))}")
        return counted(value, f"rows with {' and '.join(tests)}")

    def _learn(self, table: str, column: Column) -> None:
        vocabulary = self.book.vocabulary_of(column)
        title = stems(vocabulary.title)
        whole = Meaning(table, column.name, frozenset())
        for name in (column.name, column.label, vocabulary.title):
            self._add(stems(name), whole)
        if len(title) > 1 and table == self.book.pool.name:
            self._add(title[:-1], whole)
        for term in vocabulary.terms:
            if term.id in (_YES, _NO, vocabulary.not_applicable):
                continue
            meaning = Meaning(table, column.name, frozenset({term.id}))
            self._add(stems(term.label), meaning)
            plain = stems(term.id)
            self._add(plain, meaning)
            # "abstract_screen" of the "screening stage" is called "abstract" as well.
            other = [word for word in plain if not any(t.startswith(word) for t in title)]
            self._add(tuple(other), meaning)
        for group in vocabulary.groups:
            self._add(stems(group.label), Meaning(table, column.name, frozenset(group.terms)))

    def _add(self, phrase: tuple[str, ...], meaning: Meaning) -> None:
        # A term that is called like the works themselves, such as "study", means all of them.
        if phrase and not (len(phrase) == 1 and phrase[0] in self.entry_nouns):
            self.meanings.setdefault(phrase, set()).add(meaning)
