"""What a sentence states about the corpus: a quantity, and every count that its words may mean.

All counts are collected that the words of the clause may mean, whichever of them restrict the
number. A quantity is wrong only where none of them agrees. It is judged only where every word that
could restrict it is understood: a word of the codebook, or a plain one that changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from corpus.analysis.numbers.published import Number
from corpus.publishing.manuscript.lexicon import (
    Condition,
    Lexicon,
    Meaning,
    Population,
    Sized,
    published,
)
from corpus.publishing.manuscript.quantities import SHARE, Quantity, Token, quantity_at, sentences
from corpus.publishing.manuscript.sentence_words import (
    AUDITED,
    CLAUSES,
    COLUMNS,
    ELSEWHERE,
    EXCLUDED,
    IN_USE,
    JOINING,
    LEADING,
    NEGATIONS,
    PLAIN,
    POOL,
    RECORDS,
    REFERENCES,
    RETAINED,
    TABULAR,
    TAGS,
    UNUSED,
    VERBS,
    word_set,
)

#: Words that tell that a sentence is about the exclusion log.
_LOG = EXCLUDED | AUDITED | RECORDS | word_set("exclusion screen screening stage")
#: Words before a number that choose some entries by their place, or open a range.
_PLACES = word_set("first last next between")
_OPENINGS = word_set("of among within in for across at by on from under outside")
#: Marks that end a clause.
_STOPS = frozenset(",;:.()[]|&=!?—–")
#: Marks behind which a number belongs to the words before them, as in "hybrid (15)".
_LINKS = frozenset("(:=")
#: More labels than this are told apart by nobody; the nearest ones count.
_MOST_LABELS = 4
#: So many other counts are shown beside a number that is not judged.
_NEAREST = 3


class Mention(NamedTuple):
    """A number in a text that is about the corpus.

    Attributes
    ----------
    text, start : str, int
        The whole phrase on one line, and the position of the number.
    quantity : Quantity
        What is stated.
    candidates : tuple of Number
        The counts that may be meant; empty where the statement cannot be judged.
    nearest : tuple of Number
        Of a statement that is not judged: counts of the words beside it, the nearest first.
    """

    text: str
    start: int
    quantity: Quantity
    candidates: tuple[Number, ...]
    nearest: tuple[Number, ...] = ()

    @property
    def written(self) -> float:
        """The number as the text has it; a share is in percent."""
        return self.quantity.value

    @property
    def judged(self) -> bool:
        """Whether the corpus has a number to compare with."""
        return bool(self.candidates)

    @property
    def right(self) -> bool:
        """Whether one of the numbers that may be meant agrees."""
        return any(self.quantity.agrees(number.value) for number in self.candidates)

    @property
    def verdict(self) -> str:
        """``right``, ``wrong`` or ``not judged``."""
        if not self.judged:
            return "not judged"
        return "right" if self.right else "wrong"


class _Label(NamedTuple):
    """Words that mean terms or an axis, and whether a negation is in front of them."""

    meanings: frozenset[Meaning]
    negated: bool


class _Phrase(NamedTuple):
    """Some tokens with what was understood of them; `end` is behind the last word."""

    words: tuple[str, ...] = ()
    labels: tuple[_Label, ...] = ()
    unknown: tuple[str, ...] = ()
    years: tuple[str, ...] = ()
    end: int = 0

    def has(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.words)

    def joined(self, other: _Phrase) -> _Phrase:
        """Return both phrases as one; the labels nearest to the number between them come first."""
        return _Phrase(
            (*self.words, *other.words),
            (*other.labels, *reversed(self.labels)),
            (*self.unknown, *other.unknown),
            (*self.years, *other.years),
        )


class Reader:
    """Reads statements about one study."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.nouns = frozenset(lexicon.entry_nouns) | RECORDS | TAGS | word_set("exclusion")
        heads = {sized.head for sized in lexicon.sized}
        self.plain = PLAIN | self.nouns | POOL | RETAINED | EXCLUDED | AUDITED | heads
        self.plain |= NEGATIONS | IN_USE | UNUSED | COLUMNS | TABULAR

    def statements(self, text: str) -> Iterator[Mention]:
        """Yield every statement of a text, judged or not."""
        for tokens in sentences(text):
            quantities = list(_quantities(tokens))
            for place in range(len(quantities)):
                found = self._statement(text, tokens, quantities, place)
                if found is not None:
                    yield found

    def _statement(
        self, text: str, tokens: list[Token], quantities: list[Quantity], place: int
    ) -> Mention | None:
        quantity = quantities[place]
        before = tokens[quantity.first - 1].stem if quantity.first else ""
        following = quantities[place + 1] if place + 1 < len(quantities) else None
        if before in REFERENCES:
            return None
        left = self._phrase(tokens, *self._left(tokens, quantities, place))
        behind = quantity.after
        whole = following if _is_whole(tokens, quantity, following) else None
        if whole is not None:
            behind = whole.after
            following = quantities[place + 2] if place + 2 < len(quantities) else None
        right = self._phrase(tokens, behind, self._end(tokens, behind, following))
        about = left.joined(right)
        counted = right.words[:5] or left.words[-5:]
        sized = self._sized(tokens, right)
        named = self.nouns | COLUMNS | EXCLUDED | AUDITED
        if not (about.labels or sized or named & set(counted)):
            return None
        last = max(quantity.after, right.end) - 1
        while last > quantity.after and tokens[last].stem in JOINING:
            last -= 1
        candidates = tuple(dict.fromkeys(self._candidates(tokens, quantity, left, right, whole)))
        phrase = " ".join(text[quantity.start : tokens[last].end].split())
        is_clear = self._is_clear(tokens, quantity, left, right)
        if sized and right.labels[1:]:
            # "Two depth zones hold most water": which two is more than the words tell.
            is_clear = False
        if candidates and is_clear:
            return Mention(phrase, quantity.start, quantity, candidates)
        single = [self._published([condition]) for condition in self._conditions(about.labels)]
        nearest = sorted(dict.fromkeys(single), key=lambda n: abs(n.value - quantity.value))
        return Mention(phrase, quantity.start, quantity, (), tuple(nearest[:_NEAREST]))

    def _is_clear(
        self, tokens: list[Token], quantity: Quantity, left: _Phrase, right: _Phrase
    ) -> bool:
        """Whether every word that could restrict a quantity is understood."""
        before = tokens[quantity.first - 1] if quantity.first else None
        if before is not None and before.stem in ELSEWHERE | NEGATIONS | _PLACES:
            return False
        if right.unknown or right.has(ELSEWHERE) or left.has(ELSEWHERE):
            return False
        joins = quantity.after < len(tokens) and tokens[quantity.after].hyphen
        # "A 500-paper survey" is another one; "5 or 6" and "2 to 5" are not two counts.
        if joins and not right.has(POOL | COLUMNS | _LOG):
            return False
        if _in_range(tokens, quantity) or right.words[:1] == ("is",):
            return False
        if not right.words and not left.words:
            return False
        # "credit-tags: role 9" is a cell of a table; "harnesses occur in three" is a sentence.
        linked = before is not None and before.text in _LINKS and self.nouns & set(left.words)
        if not right.words and not linked and left.words[-1] not in LEADING:
            return False
        if left.unknown and (not right.labels or left.words[-1] in left.unknown):
            return False
        return quantity.kind == SHARE or self._counts_works(tokens, left, right)

    def _counts_works(self, tokens: list[Token], left: _Phrase, right: _Phrase) -> bool:
        """Whether a number counts works, and not the agents or teams that the works are about."""
        near = right.words[:6] or left.words[-6:]
        stems = [token.stem for token in tokens]
        known = self.nouns | POOL | COLUMNS | {item.head for item in self._sized(tokens, right)}
        if not known.isdisjoint(near):
            return True
        if (self.nouns | POOL | RETAINED).isdisjoint(stems) and not self._names_group(stems):
            return False
        if not right.labels or right.words[0] in self.plain:
            return True
        return self._is_group(right.labels[0].meanings)

    def _names_group(self, stems: list[str]) -> bool:
        """Whether a sentence has a verb and a name of works in two words, such as "RL methods"."""
        if VERBS.isdisjoint(stems):
            return False
        for place in range(len(stems)):
            length, meanings = self.lexicon.at(stems, place)
            if length > 1 and self._is_group(meanings):
                return True
        return False

    def _is_group(self, meanings: frozenset[Meaning]) -> bool:
        group = self.lexicon.group_column
        return group is not None and any(meaning.column == group.name for meaning in meanings)

    def _candidates(
        self,
        tokens: list[Token],
        quantity: Quantity,
        left: _Phrase,
        right: _Phrase,
        whole: Quantity | None,
    ) -> Iterator[Number]:
        """Yield every count that a quantity may mean."""
        about = left.joined(right)
        opening = self._opening(tokens)
        if opening.unknown or opening.has(ELSEWHERE):
            return
        if quantity.kind == SHARE:
            yield from self._shares(left, right)
            return
        for sized in self._sized(tokens, right):
            empty = sized.declared.value - sized.used.value
            of_use = (sized.used, Number("", str(empty), f"{sized.used.how}: none", empty))
            if whole is not None:
                # "Two of the eight families are ...": which two is more than the words tell.
                yield from of_use if right.has(IN_USE | UNUSED) else ()
                return
            yield from (sized.declared, *of_use)
        if right.has(COLUMNS):
            for spec in self.lexicon.book.tables.values():
                if spec.role in ("pool", "exclusions"):
                    number = len(spec.columns)
                    yield Number("", str(number), f"columns of the table {spec.name}", number)
            return
        if not right.labels and not about.years and whole is None:
            yield from self._sizes(about)
        is_whole = _is_of(tokens, quantity)
        if is_whole and (about.labels or about.years):
            yield from self._named("PoolSize")
        labels = (*about.labels, *opening.labels)
        years = frozenset((*about.years, *opening.years))
        in_log = not _LOG.isdisjoint(token.stem for token in tokens)
        is_negated = about.has(NEGATIONS) or any(label.negated for label in labels)
        for population in self._populations(in_log):
            for conditions in self._subsets(labels, years, population):
                if is_negated and not self._may_be_negated(conditions, population):
                    continue
                number = population.count(conditions)
                yield self._published(conditions, population, number)
                if is_whole:
                    for size in self._applicable(conditions, population):
                        yield Number("", f"{size:,}", f"rows with a term of {conditions}", size)
                if is_negated:
                    yield from self._complements(conditions, population, number)

    def _sized(self, tokens: list[Token], right: _Phrase) -> list[Sized]:
        """Return the vocabularies whose members a number counts: "eight families of reward"."""
        stems = [token.stem for token in tokens]
        found = []
        for sized in self.lexicon.sized:
            if sized.head in right.words[:6] and not set(sized.context).isdisjoint(stems):
                found.append(sized)
        return found

    def _sizes(self, about: _Phrase) -> Iterator[Number]:
        """Yield the sizes of pool, log and both, where the words name them."""
        if about.has(POOL | RETAINED):
            yield from self._named("PoolSize")
        if about.has(EXCLUDED):
            yield from self._named("ExcludedCount")
        if about.has(AUDITED):
            yield from self._named("AuditedCount")

    def _named(self, *names: str) -> Iterator[Number]:
        for name in names:
            if name in self.lexicon.numbers:
                yield self.lexicon.numbers[name]

    def _populations(self, in_log: bool) -> list[Population]:
        if in_log and self.lexicon.excluded is not None:
            return [self.lexicon.pool, self.lexicon.excluded]
        return [self.lexicon.pool]

    def _published(
        self,
        conditions: Sequence[Condition],
        population: Population | None = None,
        number: int | None = None,
    ) -> Number:
        counted = population or self.lexicon.pool
        value = counted.count(conditions) if number is None else number
        return published(self.lexicon, conditions, value)

    def _subsets(
        self, labels: Iterable[_Label], years: frozenset[str], population: Population
    ) -> Iterator[list[Condition]]:
        """Yield the conditions that some of the labels mean together, under each reading."""
        choices: list[list[Condition]] = []
        for label in list(dict.fromkeys(labels))[:_MOST_LABELS]:
            meant = list(self._conditions([label], population))
            if meant:
                choices.append(meant)
        year = population.spec.by_role("year")
        if years and year is not None:
            choices.append([(year.name, years)])
        for size in range(1, len(choices) + 1):
            for some in combinations(choices, size):
                for reading in product(*some):
                    yield _merged(reading)

    def _conditions(
        self, labels: Iterable[_Label], population: Population | None = None
    ) -> Iterator[Condition]:
        """Yield what labels mean in a table; an axis by its name alone means that it applies."""
        counted = population or self.lexicon.pool
        for label in labels:
            for meaning in sorted(label.meanings, key=lambda m: (m.column, sorted(m.terms))):
                if meaning.table != counted.spec.name:
                    continue
                column = counted.spec.column(meaning.column)
                vocabulary = self.lexicon.book.vocabulary_of(column)
                terms = meaning.terms or {*vocabulary.ids} - {vocabulary.not_applicable}
                if not meaning.terms and {"yes", "no"} <= terms:
                    terms = {"yes"}
                yield meaning.column, frozenset(terms)

    def _may_be_negated(self, conditions: Sequence[Condition], population: Population) -> bool:
        """Whether rows cannot meet and fail a condition at once, having several of its terms."""
        return not any(population.spec.column(name).separator for name, _ in conditions)

    def _complements(
        self, conditions: Sequence[Condition], population: Population, number: int
    ) -> Iterator[Number]:
        """Yield how many rows do not meet some conditions: of all, and of those with a term."""
        how = published(self.lexicon, conditions, number).how
        for total in dict.fromkeys([population.size, *self._applicable(conditions, population)]):
            yield Number("", f"{total - number:,}", f"{total} without {how}", total - number)
        for name, terms in conditions:
            if "yes" in terms:
                yield self._published([(name, frozenset({"no"}))], population)

    def _applicable(self, conditions: Iterable[Condition], population: Population) -> Iterator[int]:
        """Yield how many rows have a term of the axis of each condition."""
        for name, _ in conditions:
            column = population.spec.column(name)
            if column.type == "term":
                vocabulary = self.lexicon.book.vocabulary_of(column)
                ids = frozenset(vocabulary.ids) - {vocabulary.not_applicable}
                yield population.count([(name, ids)])

    def _shares(self, left: _Phrase, right: _Phrase) -> Iterator[Number]:
        """Yield the shares that a percentage or fraction may state: "30% of A are B"."""
        words = list(right.words)
        cut = next((place for place, word in enumerate(words) if word in _SHARE_VERBS), len(words))
        ground = self._of_words(words[:cut])
        about = self._of_words(words[cut:])
        if not about.labels and not about.years:
            about = left
        is_negated = about.has(NEGATIONS)
        for population in self._populations(right.has(_LOG) or left.has(_LOG)):
            grounds: list[list[Condition]] = [[]]
            grounds += self._subsets(ground.labels, frozenset(ground.years), population)
            for part in self._subsets(about.labels, frozenset(about.years), population):
                for base in grounds:
                    numbers = list(self._share(population, base, part))
                    if not is_negated:
                        yield from numbers
                        continue
                    yield from map(_complement, numbers)
                    yield from self._share(population, base, list(_denied(part)))

    def _share(
        self, population: Population, base: list[Condition], part: list[Condition]
    ) -> Iterator[Number]:
        number = population.count(_merged([*base, *part]))
        totals = [population.count(base)]
        if not base:
            # All entries of an axis are not a share of themselves.
            totals += [size for size in self._applicable(part, population) if size != number]
        for total in filter(None, dict.fromkeys(totals)):
            share = 100 * number / total
            yield Number("", f"{share:.1f}%", f"{number} of {total} rows", share)

    def _of_words(self, words: Sequence[str]) -> _Phrase:
        tokens = []
        for word in words:
            kind = "number" if word.isdigit() else "word"
            tokens.append(Token(kind, word, word, 0, 0, False))
        return self._phrase(tokens, 0, len(tokens))

    def _opening(self, tokens: list[Token]) -> _Phrase:
        """Return what "Of the 42 methods," restricts the sentence to."""
        marks = [place for place, token in enumerate(tokens) if token.text == ","]
        is_bound = [token.stem for token in tokens[:2]] in (["at", "least"], ["at", "most"])
        if not marks or is_bound or tokens[0].stem not in _OPENINGS:
            return _Phrase()
        return self._phrase(tokens, 1, marks[0])

    def _left(self, tokens: list[Token], quantities: list[Quantity], place: int) -> tuple[int, int]:
        """Return the span of the words in front of a quantity, in its clause."""
        end = quantities[place].first
        if end and tokens[end - 1].text in _LINKS:
            end -= 1
        start = quantities[place - 1].after if place else 0
        for other in range(start, end):
            if tokens[other].text in _STOPS or tokens[other].stem in CLAUSES:
                start = other + 1
        return min(start, end), end

    def _end(self, tokens: list[Token], start: int, following: Quantity | None) -> int:
        """Return where the clause behind a number ends: a mark, a number, or another clause."""
        last = len(tokens) if following is None else following.first
        for place in range(start, last):
            token = tokens[place]
            if token.text == "," and self._inside_label(tokens, start, place):
                continue
            if token.text in _STOPS or token.stem in CLAUSES:
                return place
        return last

    def _inside_label(self, tokens: list[Token], start: int, comma: int) -> bool:
        """Whether a comma is part of a term's label."""
        longest = self.lexicon.longest
        first = max(start, comma - longest)
        before = [token.stem for token in tokens[first:comma] if token.text != ","]
        behind = [token.stem for token in tokens[comma + 1 : comma + longest] if token.text != ","]
        for place in range(len(before)):
            length, _ = self.lexicon.at([*before, *behind], place)
            if place + length > len(before):
                return True
        return False

    def _phrase(self, tokens: list[Token], start: int, end: int) -> _Phrase:
        """Read some tokens: labels of the codebook, plain words, years, and what is unknown."""
        words: list[str] = []
        labels: list[_Label] = []
        unknown: list[str] = []
        years: list[str] = []
        negated = False
        place = last = start
        while place < end:
            token = tokens[place]
            # A comma may be part of a label.
            following = tokens[place : min(end, place + 8)]
            near = [other.stem for other in following if other.text != ","]
            length, meanings = self.lexicon.at(near, 0)
            # "42 methods": the noun alone, directly behind the number, means the group.
            if place == start and not length and token.stem in self.lexicon.heads:
                length, meanings = 1, frozenset(self.lexicon.heads[token.stem])
            if length:
                labels.append(_Label(meanings, negated))
                words.extend(near[:length])
                place = last = _behind(tokens, place, length)
                continue
            place += 1
            if token.kind == "number" and _is_year(token.text):
                years.append(token.text)
            elif token.kind != "word":
                continue
            negated = negated or token.stem in NEGATIONS
            is_plain = token.stem in self.plain and token.stem not in self.lexicon.heads
            if token.kind == "word" and not is_plain:
                unknown.append(token.stem)
            words.append(token.stem)
            last = place
        return _Phrase(tuple(words), tuple(labels), tuple(unknown), tuple(years), last)


_SHARE_VERBS = VERBS | word_set("consist come carry need belong")


def _denied(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Yield conditions with "no" in place of "yes": "in part" is neither."""
    for name, terms in conditions:
        yield name, frozenset({"no"}) if "yes" in terms else terms


def _complement(share: Number) -> Number:
    rest = 100 - share.value
    return Number("", f"{rest:.1f}%", f"without {share.how}", rest)


def _merged(conditions: Iterable[Condition]) -> list[Condition]:
    """Join conditions; two about one column are alternatives."""
    joined: dict[str, frozenset[str]] = {}
    for column, terms in conditions:
        joined[column] = joined.get(column, frozenset()) | terms
    return list(joined.items())


def _quantities(tokens: list[Token]) -> Iterator[Quantity]:
    """Yield the quantities of a sentence, years left out."""
    place = 0
    while place < len(tokens):
        quantity = quantity_at(tokens, place)
        if quantity is None or _is_year(tokens[place].text):
            place += 1
            continue
        yield quantity
        place = quantity.after


def _is_year(text: str) -> bool:
    return text.isdigit() and 1900 <= int(text) <= 2099


def _in_range(tokens: list[Token], quantity: Quantity) -> bool:
    """Whether a number is an end of "2 to 5", "5 or 6" or "between 40 and 45"."""
    first, after = quantity.first, quantity.after
    behind = [token.stem for token in tokens[after : after + 2]]
    if behind[:1] in (["to"], ["or"]) and quantity_at(tokens, min(after + 1, len(tokens) - 1)):
        return True
    if first < 2 or tokens[first - 1].stem not in ("to", "or", "and"):
        return False
    is_between = "between" in [token.stem for token in tokens[max(0, first - 3) : first]]
    is_number = tokens[first - 2].kind == "number"
    return is_number and (is_between or tokens[first - 1].stem != "and")


def _is_of(tokens: list[Token], quantity: Quantity) -> bool:
    """Whether a number is the whole of which a part is told, as in "most of the 84 entries"."""
    before = [token.stem for token in tokens[max(0, quantity.first - 3) : quantity.first]]
    while before and before[-1] in ("the", "our", "all", "these"):
        before.pop()
    return before[-1:] == ["of"]


def _is_whole(tokens: list[Token], part: Quantity, whole: Quantity | None) -> bool:
    """Whether the second of two quantities is the whole of the first: "49 of the 84"."""
    if whole is None:
        return False
    between = [token.stem for token in tokens[part.after : whole.first]]
    return between[:1] in (["of"], ["out"]) and set(between) <= {"of", "out", "all", "the", "our"}


def _behind(tokens: list[Token], place: int, words: int) -> int:
    """Return the place behind some words; commas inside a label do not count."""
    while words:
        if tokens[place].text != ",":
            words -= 1
        place += 1
    return place
