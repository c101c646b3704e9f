"""The words of a study: which phrases of running text name its terms, axes and vocabularies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.model.table import picked

#: A condition: the column, and the terms of which an entry must have one.
Condition = tuple[str, frozenset[str]]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_YES, _NO = "yes", "no"
_ARTICLES = ("a", "an", "the")


def stem(word: str) -> str:
    """Return a word without its plural, in American spelling; light enough to keep terms distinct.

    Examples
    --------
    >>> stem("Families") == stem("family"), stem("centralised"), stem("industrial")
    (True, 'centralized', 'industr')
    """
    word = word.lower().replace("efact", "ifact")
    if word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word == "criteria":
        return "criterion"
    word = re.sub(r"is(ed|ation|ing)$", r"iz\1", word)
    if len(word) > 7:
        # "industry" and "industrial", but not "orchestrator" and "orchestration".
        word = re.sub(r"(?:ial|y)$", "", word)
    return word


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words of a text."""
    return tuple(stem(word) for word in _WORD.findall(text.replace("_", " ")))


class Meaning(NamedTuple):
    """What a phrase may mean: terms of a column, or with no terms the column as a whole."""

    table: str
    column: str
    terms: frozenset[str]


class Sized(NamedTuple):
    """A vocabulary as something to be counted.

    Attributes
    ----------
    head : str
        Stem of the noun for its members, such as "family" of "reward families".
    context : tuple of str
        The other words of its title; one of them must be near where the noun alone is used.
    columns : set of str
        The columns that use it.
    declared, used : Number
        How many members it has, and how many of them at least one row has.
    """

    head: str
    context: tuple[str, ...]
    columns: frozenset[str]
    declared: Number
    used: Number


class Population:
    """The rows of one table by their distinct combinations of terms and years."""

    def __init__(self, study: Study, spec: TableSpec) -> None:
        self.spec = spec
        self.size = len(study.tables[spec.name].rows)
        self.columns = [column for column in spec.columns if column.type in ("term", "year")]
        positions = tuple(spec.position(column.name) for column in self.columns)
        self._index = {column.name: place for place, column in enumerate(self.columns)}
        rows = study.tables[spec.name].rows
        # Few combinations occur, so that each question looks at few cells.
        self._cells = Counter(picked(row, positions) for row in rows)

    def count(self, conditions: Sequence[Condition]) -> int:
        """Return how many rows meet every condition."""
        return sum(rows for cell, rows in self._cells.items() if self._meets(cell, conditions))

    def terms_in_use(self, column: str) -> set[str]:
        """Return the terms that at least one row has."""
        place = self._index[column]
        used: set[str] = set()
        for cell in self._cells:
            used.update(self.columns[place].values(cell[place]))
        return used

    def _meets(self, cell: tuple[str, ...], conditions: Sequence[Condition]) -> bool:
        for column, terms in conditions:
            place = self._index[column]
            if terms.isdisjoint(self.columns[place].values(cell[place])):
                return False
        return True


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
    sized : list of Sized
        The vocabularies that can be counted.
    """

    def __init__(self, study: Study, numbers: dict[str, Number]) -> None:
        book = study.codebook
        self.book = book
        self.numbers = numbers
        self.pool = Population(study, book.pool)
        self.excluded: Population | None = None
        self.entry_nouns = {"entry", "paper", "work", "row"}
        for own in (book.corpus.get("entry"), book.corpus.get("entries")):
            if own:
                self.entry_nouns.add(stem(own))
        self.meanings: dict[tuple[str, ...], set[Meaning]] = {}
        self.group_column = book.pool.by_role("group")
        for column in book.pool.axes:
            self._learn(book.pool.name, column)
        for table in study.by_role("exclusions"):
            self.excluded = Population(study, table.spec)
            for column in table.spec.term_columns:
                self._learn(table.spec.name, column)
            break
        #: The last word of a longer name of a group, such as "methods".
        self.heads: dict[str, set[Meaning]] = {}
        if self.group_column is not None:
            self._learn_heads(self.group_column)
        self.longest = max(map(len, self.meanings), default=1)
        self.sized = list(self._sized(study))

    def vocabulary(self, column: str) -> Vocabulary:
        """Return the vocabulary of a column of the pool."""
        return self.book.vocabulary_of(self.book.pool.column(column))

    def at(self, words: Sequence[str], start: int) -> tuple[int, frozenset[Meaning]]:
        """Return the longest phrase at a position: how many words it has, and its meanings."""
        for length in range(min(self.longest, len(words) - start), 0, -1):
            found = self.meanings.get(tuple(words[start : start + length]))
            if found:
                return length, frozenset(found)
        return 0, frozenset()

    def _learn(self, table: str, column: Column) -> None:
        vocabulary = self.book.vocabulary_of(column)
        title = stems(vocabulary.title)
        whole = Meaning(table, column.name, frozenset())
        for name in (column.name, column.label, vocabulary.title):
            self._add(stems(name), whole)
        if len(title) > 1 and table == self.book.pool.name:
            self._add(title[:-1], whole)
        truth = _is_yes_or_no(vocabulary)
        for term in vocabulary.terms:
            if term.id in (_YES, _NO, vocabulary.not_applicable):
                continue
            meaning = Meaning(table, column.name, frozenset({term.id}))
            self._add(stems(term.label), meaning)
            plain = stems(term.id)
            self._add(plain, meaning)
            # "abstract_screen" of the "screening stage" is called "abstract" as well.
            short = tuple(word for word in plain if not _shares_root(word, title))
            self._add(short, meaning)
            if truth:
                for adverb in (f"{term.label}ly", f"{term.short}ly"):
                    self._add((stem(adverb),), meaning)
                self._add(("in", *stems(term.short)), meaning)
        for group in vocabulary.groups:
            self._add(stems(group.label), Meaning(table, column.name, frozenset(group.terms)))

    def _learn_heads(self, group: Column) -> None:
        for phrase, meanings in self.meanings.items():
            if len(phrase) == 1:
                continue
            for meaning in meanings:
                if meaning.column == group.name:
                    self.heads.setdefault(phrase[-1], set()).add(meaning)

    def _add(self, phrase: tuple[str, ...], meaning: Meaning) -> None:
        if phrase:
            self.meanings.setdefault(phrase, set()).add(meaning)

    def _sized(self, study: Study) -> Iterator[Sized]:
        columns: dict[str, set[str]] = {}
        used: dict[str, set[str]] = {}
        for table in study.tables.values():
            counted = Population(study, table.spec)
            is_preferred = table.spec.role in ("pool", "exclusions")
            for column in table.spec.term_columns:
                columns.setdefault(column.vocabulary, set()).add(column.name)
                if is_preferred or column.vocabulary not in used:
                    used[column.vocabulary] = counted.terms_in_use(column.name)
        for name, vocabulary in self.book.vocabularies.items():
            # The members of a yes-or-no vocabulary are nothing that a text counts, and a title
            # without a word is nothing that a text can name.
            if _is_yes_or_no(vocabulary) or not stems(vocabulary.title):
                continue
            if name in columns:
                yield _counted(vocabulary, frozenset(columns[name]), used[name])


def _is_yes_or_no(vocabulary: Vocabulary) -> bool:
    return {_YES, _NO} <= set(vocabulary.ids)


def _shares_root(word: str, title: Sequence[str]) -> bool:
    return any(other.startswith(word) for other in title)


def _counted(vocabulary: Vocabulary, columns: frozenset[str], used: set[str]) -> Sized:
    """Return the size of a vocabulary: its groups where it has some, else its terms."""
    members = [{term} for term in vocabulary.ids if term != vocabulary.not_applicable]
    if vocabulary.groups:
        members = [set(group.terms) for group in vocabulary.groups]
    filled = sum(not used.isdisjoint(terms) for terms in members)
    size = len(members)
    how = f"what the vocabulary {vocabulary.id} declares"
    declared = Number("", str(size), how, size)
    in_use = Number("", str(filled), f"{how} and at least one row has", filled)
    head, context = _head(stems(vocabulary.title))
    return Sized(head, context, columns, declared, in_use)


def _head(title: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the noun of a title and its other words: "unit" of "credit unit", "kind of number"."""
    for place, word in enumerate(title):
        if place and word in ("of", "in", "or"):
            rest = (*title[: place - 1], *title[place + 1 :])
            return title[place - 1], tuple(word for word in rest if word not in _ARTICLES)
    return title[-1], title[:-1]


def published(lexicon: Lexicon, conditions: Sequence[Condition], value: int) -> Number:
    """Return the published number of a count where it has a name, else one without a name."""
    if len(conditions) == 1:
        for name in _possible_names(lexicon, *conditions[0]):
            number = lexicon.numbers.get(name)
            if number is not None and number.value == value:
                return number
    tests: list[str] = []
    for column, terms in conditions:
        alternatives = " or ".join(sorted(terms))
        tests.append(f"{column} = {alternatives}")
    return Number("", f"{value:,}", f"rows with {' and '.join(tests)}", value)


def _possible_names(lexicon: Lexicon, column: str, terms: frozenset[str]) -> Iterator[str]:
    """Yield the names that the published number of some terms may have."""
    if len(terms) == 1:
        (term,) = terms
        yield camel(column, term)
        yield camel("excluded", "stage", term)
    if column not in lexicon.book.pool.axis_names:
        return
    vocabulary = lexicon.vocabulary(column)
    for group in vocabulary.groups:
        if terms == set(group.terms):
            yield camel(column, "group", group.id)
    if terms == set(vocabulary.ids) - {vocabulary.not_applicable}:
        yield camel(column, "applicable")
