"""What a sentence states about the corpus: a quantity, what it counts, and the right values.

A statement is judged only where every word that could restrict it is understood: words of the
codebook, or plain words that change nothing. The others are kept as not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from math import prod
from typing import NamedTuple

from corpus.analysis.numbers.published import Number
from corpus.publishing.manuscript.lexicon import (
    Condition,
    Lexicon,
    Meaning,
    Population,
    published,
    stem,
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

_EXCLUSIONS = word_set("exclusions")
_SCREENING = word_set("screen screening stage")
#: Words behind the name of a vocabulary that speak of its members, not of their number.
_OF_MEMBERS = word_set("with that which without whose among have has carry")
#: Words before "of the 84 entries" for a part of them that is not counted.
_PARTS = word_set(
    "all any each every few half majority many most none one part quarter rest several some subset"
    " third fifth percent cent"
)
#: Words before a number that choose some entries by their place.
_PLACES = word_set("first last next")
#: One meaning of a label, and whether it is negated.
_MeantLabel = tuple[Meaning, bool]
#: Marks that end a clause.
_STOPS = frozenset(",;:.()[]|&=!?—–")
_MOST_READINGS = 24
#: Words read on each side of a number.
_LONGEST = 40


class Statement(NamedTuple):
    """A quantity in a text with what it may be.

    `candidates` are the right values under each reading; it is empty where the statement names
    the corpus but cannot be judged.
    """

    start: int
    end: int
    quantity: Quantity
    candidates: tuple[Number, ...]


class _Region(NamedTuple):
    """Some tokens with what was understood of them."""

    words: tuple[str, ...]
    labels: tuple[tuple[frozenset[Meaning], bool], ...]
    unknown: tuple[str, ...]
    years: tuple[str, ...]
    end: int

    def has(self, words: frozenset[str] | set[str]) -> bool:
        return not words.isdisjoint(self.words)


class Reader:
    """Reads statements about one study."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.nouns = frozenset(lexicon.entry_nouns) | RECORDS
        self.plain = PLAIN | self.nouns | TAGS | POOL | RETAINED | EXCLUDED | AUDITED
        self._screened = self.nouns | EXCLUDED | AUDITED | _EXCLUSIONS | _SCREENING
        self.plain |= NEGATIONS | IN_USE | UNUSED | COLUMNS
        for sized in lexicon.sized:
            self.plain |= {sized.head}

    def statements(self, text: str) -> Iterator[Statement]:
        """Yield every statement of a text, judged or not."""
        for tokens in sentences(text):
            yield from self._in_sentence(tokens)

    def _in_sentence(self, tokens: list[Token]) -> Iterator[Statement]:
        place = 0
        while place < len(tokens):
            quantity = quantity_at(tokens, place)
            if quantity is None or _is_year(tokens[place].text):
                place += 1
                continue
            whole = _whole_of(tokens, quantity)
            if whole is not None:
                yield from self._ratio(tokens, quantity, whole)
                place = whole.after
                continue
            if _is_whole(tokens, quantity):
                yield from self._ratio(tokens, None, quantity)
                place = quantity.after
                continue
            found = self._statement(tokens, quantity)
            if found is not None:
                yield found
            place = quantity.after

    def _ratio(
        self, tokens: list[Token], part: Quantity | None, whole: Quantity
    ) -> Iterator[Statement]:
        """Yield the two statements of "49 of the 84 entries train with RL".

        "Most of the 84 entries" has no number of its own for the part.
        """
        first = part or whole
        right = self._region(tokens, whole.after, self._right_end(tokens, whole))
        left = self._region(tokens, _left_start(tokens, first.first), first.first)
        if self._sized(tokens, whole, right) is not None:
            # "Two of the eight families are ...": which two is more than the words tell.
            end = tokens[whole.after - 1].end
            yield Statement(first.start, end, first, ())
            return
        if not self._noun(right) and not right.labels:
            return
        end = tokens[max(whole.after, right.end) - 1].end
        sizes: list[Number] = []
        parts: list[Number] = []
        clear = not right.unknown and not right.has(ELSEWHERE | EXCLUDED | AUDITED | COLUMNS)
        name = self.lexicon.pool.spec.name
        if clear and self._noun(right):
            ground, about = self._divided(right, left)
            grounds = self._readings(ground, name) or []
            readings = self._readings(about, name) or [[]]
            # The size of the whole can be judged where what is told of the part cannot.
            if about.unknown:
                readings = [[]]
            for base, conditions in product(grounds, readings):
                sizes.append(self._size(base))
                if conditions:
                    joined = [*base, *conditions]
                    number = self.lexicon.pool.count(joined)
                    parts.append(published(self.lexicon, joined, number))
                    if not base:
                        sizes += self._applicable(conditions)
        if part is not None:
            yield Statement(part.start, end, part, tuple(dict.fromkeys(parts)))
        yield Statement(whole.start, end, whole, tuple(dict.fromkeys(sizes)))

    def _size(self, conditions: list[Condition]) -> Number:
        if not conditions:
            return self.lexicon.numbers["PoolSize"]
        return published(self.lexicon, conditions, self.lexicon.pool.count(conditions))

    def _applicable(self, conditions: list[Condition]) -> Iterator[Number]:
        """Yield how many entries each axis of the conditions applies to."""
        pool = self.lexicon.pool
        for column, terms in conditions:
            absent = ""
            if pool.spec.column(column).type == "term":
                absent = self.lexicon.not_applicable(column)
            if absent and absent not in terms:
                ids = frozenset(self.lexicon.vocabulary(column).ids) - {absent}
                yield self._size([(column, ids)])

    def _statement(self, tokens: list[Token], quantity: Quantity) -> Statement | None:
        before = tokens[quantity.first - 1].stem if quantity.first else ""
        if before in REFERENCES:
            return None
        right = self._region(tokens, quantity.after, self._right_end(tokens, quantity))
        left_start = _left_start(tokens, quantity.first)
        left = self._region(tokens, left_start, quantity.first)
        found, subject = self._judged(tokens, quantity, left, right)
        if not found and not subject:
            return self._after_mark(tokens, quantity)
        last = max(quantity.after, right.end) - 1
        # "84 entries and" is printed without the "and".
        while last > quantity.after and tokens[last].stem in JOINING:
            last -= 1
        end = tokens[last].end
        return Statement(quantity.start, end, quantity, tuple(dict.fromkeys(found)))

    def _judged(
        self, tokens: list[Token], quantity: Quantity, left: _Region, right: _Region
    ) -> tuple[tuple[Number, ...], bool]:
        """Return the numbers that a quantity may state, and whether it is about the corpus."""
        before = tokens[quantity.first - 1].stem if quantity.first else ""
        noun = self._noun(right)
        if quantity.kind == SHARE:
            return self._share(quantity, left, right), noun or bool(right.labels)
        is_elsewhere = before in ELSEWHERE | NEGATIONS | _PLACES
        if is_elsewhere or right.words[:1] == (stem("is"),) or _ends_range(tokens, quantity):
            return (), noun
        if right.words and right.words[0] in COLUMNS:
            return self._columns(tokens, left, right), True
        sized = self._sized(tokens, quantity, right)
        if sized is not None:
            return sized, True
        found = self._count(tokens, quantity, left, right)
        is_subject = noun or bool(found) or self._continues(tokens, quantity, right)
        return found, is_subject or self._counts_works(tokens, right)

    def _after_mark(self, tokens: list[Token], quantity: Quantity) -> Statement | None:
        """Read "retained entries: 84", where the number follows what it counts."""
        mark = quantity.first - 1
        if mark < 1 or quantity.kind == SHARE or tokens[mark].text not in (":", "="):
            return None
        named = self._region(tokens, _left_start(tokens, mark), mark)
        if not self._noun(named):
            return None
        nothing = self._region(tokens, mark, mark)
        found = self._count(tokens, quantity, nothing, named)
        return Statement(quantity.start, tokens[quantity.after - 1].end, quantity, found)

    def _right_end(self, tokens: list[Token], quantity: Quantity) -> int:
        """Return where the clause behind a number ends: a mark, the next number, another clause."""
        last = min(len(tokens), quantity.after + _LONGEST)
        for place in range(quantity.after, last):
            token = tokens[place]
            if token.kind == "mark" and token.text in _STOPS:
                if token.text == "," and self._inside_label(tokens, quantity.after, place):
                    continue
                return place
            if token.kind == "percent" or token.stem in CLAUSES:
                return place
            # "in 5 entries and another form in 3": what follows has a number of its own.
            if token.stem == "and" and tokens[place - 1].stem in self.nouns | TAGS:
                return place
            # "one" is mostly no number, but it is in "two methods and one survey".
            is_counted = token.stem != "one" or tokens[place - 1].stem in ("and", "or")
            if token.kind == "number" and not _is_year(token.text) and is_counted:
                return place
        return last

    def _inside_label(self, tokens: list[Token], start: int, comma: int) -> bool:
        """Whether a comma is part of a term's label."""
        longest = self.lexicon.longest
        first = max(start, comma - longest)
        window = tokens[first : comma + longest]
        words = [token.stem for token in window if token.text != ","]
        before = len([token for token in tokens[first:comma] if token.text != ","])
        for place in range(before):
            length, _ = self.lexicon.at(words, place)
            if place < before < place + length:
                return True
        return False

    def _noun(self, region: _Region) -> bool:
        """Whether the first words name what the corpus holds."""
        first = region.words[:5]
        return not (self.nouns | TAGS | _EXCLUSIONS).isdisjoint(first)

    def _region(self, tokens: list[Token], start: int, end: int) -> _Region:
        words: list[str] = []
        labels: list[tuple[frozenset[Meaning], bool]] = []
        unknown: list[str] = []
        years: list[str] = []
        tokens = tokens[start:end]
        stems = [token.stem for token in tokens]
        place = 0
        negated = False
        last = 0
        while place < len(tokens):
            kind = tokens[place].kind
            word = stems[place]
            # The longest phrase wins: "role reward" is one label, not "role" and a word.
            # A comma may be part of it.
            spaced = [near for near in stems[place : place + 8] if near != ","]
            length, meanings = self.lexicon.at(spaced, 0)
            # "42 methods": the noun alone, directly behind the number, means the group.
            if place == 0 and not length and word in self.lexicon.heads:
                length = 1
                meanings = frozenset(self.lexicon.heads[word])
            if kind == "word" and length:
                labels.append((meanings, negated))
                words.extend(spaced[:length])
                place = _after_words(stems, place, length)
                last = place
                continue
            if kind == "number" and _is_year(tokens[place].text):
                years.append(tokens[place].text)
            elif kind != "word":
                place += 1
                continue
            elif word in NEGATIONS:
                negated = True
            elif word not in self.plain or word in self.lexicon.heads:
                unknown.append(word)
            words.append(word)
            place += 1
            last = place
        return _Region(tuple(words), tuple(labels), tuple(unknown), tuple(years), start + last)

    def _readings(self, region: _Region, table: str) -> list[list[Condition]] | None:
        """Return the conditions of a region under each reading.

        None where there are too many, or where one is negated that entries may meet and fail at
        once: an entry with water and heat is none "without heat", though it has another term.
        """
        chosen = self._terms(region, table)
        covered: set[str] = set()
        for readings in chosen:
            covered |= {meaning.column for meaning, _ in readings}
        for meanings, negated in region.labels:
            if any(meaning.terms for meaning in meanings):
                continue
            axes = [meaning for meaning in meanings if meaning.table == table]
            if any(axis.column in covered for axis in axes):
                continue
            readings = []
            for axis in axes:
                applicable = self._whole(axis)
                if applicable is not None:
                    readings.append((applicable, negated))
            if readings:
                chosen.append(readings)
                covered |= {meaning.column for meaning, _ in readings}
        if prod(map(len, chosen)) > _MOST_READINGS:
            return None
        spec = self.lexicon.book.tables[table]
        for meaning, negated in chain.from_iterable(chosen):
            if negated and spec.column(meaning.column).separator:
                return None
        # Words have several meanings; any combination of them may be what the author meant.
        found = [self._conditions(combination) for combination in product(*chosen)]
        if region.years:
            year = self.lexicon.pool.spec.by_role("year")
            if year is None:
                return None
            for conditions in found:
                conditions.append((year.name, frozenset(region.years)))
        return found

    def _terms(self, region: _Region, table: str) -> list[list[_MeantLabel]]:
        """Return what each label that names terms may mean in one table."""
        axes: set[str] = set()
        certain: set[str] = set()
        for meanings, _ in region.labels:
            for meaning in meanings:
                if not meaning.terms and meaning.table == table:
                    axes.add(meaning.column)
            if all(meaning.terms for meaning in meanings):
                certain |= {meaning.column for meaning in meanings}
        found: list[list[_MeantLabel]] = []
        for meanings, negated in region.labels:
            fitting = [meaning for meaning in meanings if meaning.table == table]
            # The name of an axis beside one of its terms only tells which axis is meant.
            if any(not meaning.terms and meaning.column in certain for meaning in fitting):
                continue
            fitting.sort(key=lambda meaning: (meaning.column, sorted(meaning.terms)))
            terms = [(meaning, negated) for meaning in fitting if meaning.terms]
            of_named_axis = [reading for reading in terms if reading[0].column in axes]
            if terms:
                found.append(of_named_axis or terms)
        return found

    def _whole(self, meaning: Meaning) -> Meaning | None:
        """Return what an axis alone states of an entry: that it applies, or that it is so."""
        if meaning.table != self.lexicon.pool.spec.name:
            return None
        if self.lexicon.is_truth(meaning.column):
            return meaning._replace(terms=frozenset({"yes"}))
        absent = self.lexicon.not_applicable(meaning.column)
        if not absent:
            return None
        terms = frozenset(self.lexicon.vocabulary(meaning.column).ids) - {absent}
        return meaning._replace(terms=terms)

    def _conditions(self, combination: Sequence[_MeantLabel]) -> list[Condition]:
        """Join the terms of one column; different columns are conditions of their own."""
        joined: dict[str, frozenset[str]] = {}
        for meaning, negated in combination:
            terms = meaning.terms
            if negated:
                terms = self._others(meaning)
            joined[meaning.column] = joined.get(meaning.column, frozenset()) | terms
        return list(joined.items())

    def _others(self, meaning: Meaning) -> frozenset[str]:
        if meaning.table != self.lexicon.pool.spec.name:
            return frozenset()
        ids = frozenset(self.lexicon.vocabulary(meaning.column).ids)
        if self.lexicon.is_truth(meaning.column) and meaning.terms == {"yes"}:
            return frozenset({"no"})
        return ids - meaning.terms

    def _columns(self, tokens: list[Token], left: _Region, right: _Region) -> tuple[Number, ...]:
        """Return the width of the pool or the log; a page and any other table have columns too."""
        evidence = (POOL | TABULAR | self.nouns) - {"row"}
        if evidence.isdisjoint(token.stem for token in tokens):
            return ()
        spec = self.lexicon.pool.spec
        named = self.lexicon.numbers.get("PoolColumns")
        is_of_log = left.has(EXCLUDED) or right.has(EXCLUDED)
        if is_of_log and self.lexicon.excluded:
            spec = self.lexicon.excluded.spec
            named = None
        if named is not None:
            return (named,)
        size = len(spec.columns)
        return (Number("", str(size), f"columns of {spec.file}", size),)

    def _sized(
        self, tokens: list[Token], quantity: Quantity, right: _Region
    ) -> tuple[Number, ...] | None:
        """Return the size of a vocabulary that the words name; None where they name none."""
        near = right.words[:5]
        for sized in self.lexicon.sized:
            head = sized.head
            if head not in near or right.years:
                continue
            # "5 entries of one form" and "5 use a form" count entries, not forms.
            counts_entries = near[0] in self.nouns and near[0] != head
            upto = near[: near.index(head)]
            if counts_entries or set(upto) & (self.nouns | TAGS | VERBS):
                continue
            # "units" alone may be anything; beside "credit" they are those of the vocabulary.
            sentence = {token.stem for token in tokens}
            is_named = upto == ("sub",) or not sentence.isdisjoint(sized.context)
            if sized.context and not is_named:
                continue
            if any(word not in self.plain | {*sized.context, "sub"} for word in upto):
                continue
            behind = right.words[near.index(head) + 1 :]
            # What follows may take the statement to another corpus, or to the empty or used terms.
            if behind[:1] and behind[0] in ELSEWHERE:
                return ()
            if not UNUSED.isdisjoint(right.words):
                empty = sized.declared.value - sized.used.value
                return (Number("", str(empty), f"{sized.used.how}: none", empty),)
            if not IN_USE.isdisjoint(right.words):
                return (sized.used,)
            if set(behind) & _OF_MEMBERS or right.has(NEGATIONS):
                return ()
            # "Two choices organize most surveys" tells of some choices what they do to surveys.
            for meanings, _ in right.labels:
                if sized.columns.isdisjoint(meaning.column for meaning in meanings):
                    return ()
            if set(behind) & self.nouns:
                return ()
            if quantity.after < len(tokens) and tokens[quantity.after].stem == "of":
                return ()
            return (sized.declared,)
        return None

    def _count(
        self, tokens: list[Token], quantity: Quantity, left: _Region, right: _Region
    ) -> tuple[Number, ...]:
        noun = self._noun(right)
        hyphenated = _is_compound(tokens, quantity)
        near_left = left.words[-5:]
        both = right.words + near_left
        # An unknown word directly before the number may restrict what is counted.
        is_restricted = bool(left.words) and left.words[-1] in left.unknown
        if right.unknown or (is_restricted and not right.labels):
            return ()
        # "84 papers were screened from 116 records": two numbers with one verb.
        if right.has(AUDITED) and "from" in right.words:
            return ()
        if noun and not AUDITED.isdisjoint(both) and not right.labels:
            return self._named("AuditedCount")
        exclusion = not EXCLUDED.isdisjoint(both)
        # "Abstract" is a stage of screening beside a record, and a word like others elsewhere.
        about_records = not self._screened.isdisjoint(token.stem for token in tokens)
        labels_excluded = about_records and self._only_excluded(right)
        is_of_log = labels_excluded or (exclusion and noun)
        if self.lexicon.excluded and is_of_log:
            if right.labels:
                return self._numbers(right, excluded=True)
            if exclusion and not right.years:
                return self._named("ExcludedCount")
            return ()
        # "An 84-entry pool" is as large as the pool; a "500-paper survey" is another one.
        if hyphenated:
            if right.has(POOL) or not POOL.isdisjoint(near_left[-2:]):
                return self._named("PoolSize")
            return ()
        base = self._base(tokens, quantity)
        if base is None:
            return ()
        if right.labels or right.years:
            continued = base != [[]] or self._continues(tokens, quantity, right)
            if not (noun or continued or self._counts_works(tokens, right)):
                return ()
            return self._numbers(right, base=base)
        if not noun:
            return ()
        # "84 entries" alone may be any; "84 retained entries", "the pool has 84 entries" are ours.
        if base == [[]] and (right.has(POOL | RETAINED) or self._pool_before(near_left)):
            return self._named("PoolSize")
        # "Surface probes occur in 2 entries": the label is in front of the number.
        if left.labels and not left.unknown and near_left[-1] in LEADING:
            return self._numbers(left, base=base)
        return ()

    def _continues(self, tokens: list[Token], quantity: Quantity, right: _Region) -> bool:
        """Whether a number without a noun goes on about entries: "76 are verified, 8 in part"."""
        if not right.words or right.words[0] not in VERBS:
            return False
        earlier = {token.stem for token in tokens[: quantity.first]}
        return not earlier.isdisjoint(self.nouns)

    def _base(self, tokens: list[Token], quantity: Quantity) -> list[list[Condition]] | None:
        """Return what an opening such as "Of the 42 methods," restricts the sentence to.

        None where the opening restricts it in a way that is not understood.
        """
        if tokens[0].stem not in ("of", "among", "within", "in", "for", "outside", "across"):
            return [[]]
        marks = [place for place, token in enumerate(tokens) if token.text == ","]
        end = marks[0] if marks else len(tokens)
        if end > quantity.first:
            if tokens[0].stem in ("among", "within", "outside"):
                return None
            return [[]]
        opening = self._region(tokens, 1, end)
        if opening.unknown or opening.has(ELSEWHERE) or tokens[0].stem == "outside":
            return None
        return self._readings(opening, self.lexicon.pool.spec.name)

    def _only_excluded(self, region: _Region) -> bool:
        """Whether a label of the region is one of the exclusion log alone."""
        pool = self.lexicon.pool.spec.name
        for meanings, _ in region.labels:
            if all(meaning.table != pool for meaning in meanings):
                return True
        return False

    def _pool_before(self, words: Sequence[str]) -> bool:
        known = POOL | RETAINED
        for place, word in enumerate(words):
            before = words[place - 1] if place else ""
            if word in POOL and before in ELSEWHERE:
                return False
            is_own = before in ("this", "our", "the") and word == stem("surveys")
            if word in known or is_own:
                rest = words[place + 1 :]
                return all(other in self.plain and other not in self.nouns for other in rest)
        return False

    def _counts_works(self, tokens: list[Token], right: _Region) -> bool:
        """Whether a label is a noun for works of the pool, as in "42 methods and 18 benchmarks"."""
        group = self.lexicon.group_column
        if group is None:
            return False
        if not right.labels:
            return False
        meanings = right.labels[0][0]
        if not any(meaning.column == group.name and meaning.terms for meaning in meanings):
            return False
        first = right.words[0]
        length, _ = self.lexicon.at(right.words, 0)
        if not length and first not in self.lexicon.heads:
            return False
        evidence = POOL | RETAINED | self.nouns
        return length > 1 or not evidence.isdisjoint(token.stem for token in tokens)

    def _numbers(
        self, region: _Region, *, excluded: bool = False, base: list[list[Condition]] | None = None
    ) -> tuple[Number, ...]:
        """Return the counts of a region's labels under each reading."""
        population = self.lexicon.pool
        if excluded and self.lexicon.excluded:
            population = self.lexicon.excluded
        readings = self._readings(region, population.spec.name)
        if readings is None or readings == [[]]:
            return ()
        found: list[Number] = []
        for ground, conditions in product(base or [[]], readings):
            joined = [*ground, *conditions]
            found.append(published(self.lexicon, joined, population.count(joined)))
        return tuple(found)

    def _named(self, name: str) -> tuple[Number, ...]:
        number = self.lexicon.numbers.get(name)
        return () if number is None else (number,)

    def _share(self, quantity: Quantity, left: _Region, right: _Region) -> tuple[Number, ...]:
        """Return the shares that a percentage or fraction may state."""
        if right.unknown or right.has(ELSEWHERE) or not (right.words or left.words):
            return ()
        population: Population | None = self.lexicon.pool
        if right.has(EXCLUDED | AUDITED) or self._only_excluded(right):
            population = self.lexicon.excluded
        if population is None:
            return ()
        about = right
        name = population.spec.name
        base: list[list[Condition]] | None = [[]]
        if right.words[:1] == ("of",):
            ground, about = self._divided(right, left)
            if not ground.has(self.nouns | POOL | TAGS) and not ground.labels:
                return ()
            base = self._readings(ground, name)
        if about.unknown or base is None:
            return ()
        readings = self._readings(about, name)
        if not readings or readings == [[]]:
            return ()
        found: list[Number] = []
        for ground_conditions, conditions in product(base, readings):
            found += self._shares(population, ground_conditions, conditions)
        return tuple(found)

    def _divided(self, right: _Region, left: _Region) -> tuple[_Region, _Region]:
        """Divide "of A are B" at its verb; without a verb the words before the number are B."""
        words = list(right.words)
        cut = len(words)
        for place, word in enumerate(words):
            if word in VERBS:
                cut = place
                break
        ground = self._of_words(words[:cut])
        about = self._of_words(words[cut:])
        if not about.labels and not about.years:
            about = left
        return ground, about

    def _of_words(self, words: list[str]) -> _Region:
        tokens: list[Token] = []
        for word in words:
            kind = "number" if word.isdigit() else "word"
            tokens.append(Token(kind, word, word, 0, 0, False))
        return self._region(tokens, 0, len(tokens))

    def _shares(
        self, counted: Population, ground: list[Condition], conditions: list[Condition]
    ) -> Iterator[Number]:
        part = counted.count([*ground, *conditions])
        totals: list[float] = [counted.count(ground)]
        if not ground and counted is self.lexicon.pool:
            totals += [number.value for number in self._applicable(conditions)]
        for total in dict.fromkeys(totals):
            if total:
                share = 100 * part / total
                how = f"{part} of {total} rows"
                yield Number("", f"{share:.1f}%", how, share)


def _is_year(text: str) -> bool:
    return text.isdigit() and 1900 <= int(text) <= 2099


def _after_words(stems: list[str], place: int, length: int) -> int:
    """Return the place behind `length` words; commas inside a label do not count."""
    while length:
        if stems[place] != ",":
            length -= 1
        place += 1
    return place


def _is_compound(tokens: list[Token], quantity: Quantity) -> bool:
    """Whether the number is joined to its noun by a hyphen, as in "84-entry pool"."""
    behind = tokens[quantity.after : quantity.after + 1]
    return any(token.hyphen for token in behind)


def _left_start(tokens: list[Token], end: int) -> int:
    """Return where the clause in front of a number begins."""
    for place in range(end - 1, max(-1, end - _LONGEST), -1):
        token = tokens[place]
        if token.kind == "mark" and token.text in _STOPS:
            return place + 1
        if token.kind in ("number", "percent") or token.stem in CLAUSES:
            return place + 1
    return max(0, end - _LONGEST)


def _whole_of(tokens: list[Token], part: Quantity) -> Quantity | None:
    """Return the second quantity of "49 of the 84" or "49 out of 84"."""
    if part.kind == SHARE:
        return None
    place = part.after
    while place < len(tokens) and tokens[place].stem in ("out", "of", "the", "our", "all"):
        place += 1
    between = [token.stem for token in tokens[part.after : place]]
    if "of" not in between or place >= len(tokens):
        return None
    whole = quantity_at(tokens, place)
    if whole is None or whole.kind == SHARE:
        return None
    return whole


def _is_whole(tokens: list[Token], whole: Quantity) -> bool:
    """Whether a number is that of which a part is taken: "most of the 84", "60 % of our 84"."""
    place = whole.first - 1
    while place > 0 and tokens[place].stem in ("the", "our", "all"):
        place -= 1
    if whole.kind == SHARE or place < 1 or tokens[place].stem != "of":
        return False
    part = tokens[place - 1]
    return part.kind == "percent" or part.stem in _PARTS


def _ends_range(tokens: list[Token], quantity: Quantity) -> bool:
    """Whether a number ends a range: "2 to 5", "2 or 3", "between 2 and 5"."""
    before = tokens[max(0, quantity.first - 3) : quantity.first]
    if len(before) < 2 or before[-2].kind != "number":
        return False
    if before[-1].stem in ("to", "or"):
        return True
    return before[-1].stem == "and" and before[0].stem == "between"
