"""What a sentence states about the corpus: a quantity, and every count that its words may mean.

All counts are collected that the words of the clause may mean, whichever of them restrict the
number. A quantity is wrong only where none of them agrees. It is judged only where every word that
could restrict it is understood: a word of the codebook, or a plain one that changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from corpus.analysis.numbers.published import Number
from corpus.analysis.numbers.quantities import (
    SHARE,
    Quantity,
    Token,
    is_year,
    quantities_of,
    quantity_at,
    sentences,
    stems_of,
    whole_of,
    word_set,
)
from corpus.publishing.manuscript.lexicon import Condition, Lexicon, Meaning, Population, counted

# Words by what they do to a statement. A word that is in none of these lists and not in the
# codebook could restrict a statement in a way that nobody understands, so the statement is not
# judged. Plurals have the stem of the singular.

RECORDS = word_set("record candidate item")
TAGS = word_set("tag label value code")
POOL = word_set("pool corpus snapshot collection dataset")
RETAINED = word_set(
    "retain retained retaining curate curated included keep kept reviewed surveyed analyzed"
)
EXCLUDED = word_set("exclude excluded exclusion rejected removed dropped discarded log logged")
AUDITED = word_set("audit audited screened examined assessed inspected")
NEGATIONS = word_set("no not without lack lacking none neither never")
#: Words for something other than the corpus.
ELSEWHERE = word_set("their his her al these those them another additional further other")
#: What a number behind them names is a part of the text.
REFERENCES = word_set("table figure fig section sec appendix eq equation step version chapter page")
#: Words that begin a clause of its own.
CLAUSES = word_set("while whereas but because although though")
#: Verbs between what is counted and what is stated of it.
VERBS = word_set(
    "is are was were have has had do does use used train trained attach attached assign carry"
    " carried bear fall fell belong rely adopt employ report receive follow define make account"
    " represent constitute combine pair tagged marked classified attaches lie lies occur appear"
    " cover target address deal concern tackle investigate explore propose discuss come stem"
    " measure sense detect estimate predict"
)
#: Words that restrict nothing: they only carry a statement.
PLAIN = VERBS | word_set(
    # Function words.
    "a an the this that which who all any only just exactly total overall altogether also still"
    " it its our we us i per each every them and or via of in into on at by for from with under"
    " to as so than then well therefore thus after during out up now today here there be been"
    " being having did"
    # Other verbs.
    " adopted appear applied apply arranged assigned assigning bearing carrying coded combined"
    " comprise comprising consist contain containing count counted cover covered decompose"
    " decomposed defined describe described distinguish distinguishes distinguished divide"
    " divided draw employed evaluate evaluated find found get give given group grouped hold"
    " holding include including know accounting label labelled labeled lie lies list listed made"
    " mark classify categorize categorized observed occur organize organise organized paired"
    " present provide published reached reaching read release remain remained rest rewarded see"
    " seen separate share sit split stand target targeting training using credited left"
    # Nouns.
    " approach approaches arrangement assignment category code design document entry evaluation"
    " family form hand kind learning level method number paper phase public resource reward role"
    " schema scheme screening set setting signal stage step sum survey system tag task taxonomy"
    " technique tier topology type unit work"
    # Qualifiers.
    " about broad carefully current explicitly final finest full mainly manually primary selected"
    " single whole no"
)
#: Words that join a label to the number of its entries, as in "is used by 15 entries".
LEADING = word_set("in by for of to at")
#: Words that no statement ends with.
JOINING = word_set("and or the a an of in with that to")
#: Words that tell that a sentence is about the exclusion log.
_LOG = EXCLUDED | AUDITED | RECORDS | word_set("exclusion screen screening stage")
#: Words before a number that choose some entries by their place, or open a range.
_PLACES = word_set("first last next between")
_BETWEEN = word_set("between entry paper study")
_OPENINGS = word_set("of among within in for across at by on from under outside")
#: Marks that end a clause.
_STOPS = frozenset(",;:.()[]|&=!?—–\\")
#: Marks behind which a number belongs to the words before them, as in "hybrid (15)".
_LINKS = frozenset("(:=")
#: More labels than this are told apart by nobody; the nearest ones count.
_MOST_LABELS = 4
#: Words that name the pool, the log or both, and their published sizes.
_SIZES = ((POOL | RETAINED, "PoolSize"), (EXCLUDED, "ExcludedCount"), (AUDITED, "AuditedCount"))
#: So many other counts are shown beside a number that is not judged.
_NEAREST = 3


@dataclass(frozen=True)
class Mention:
    """A number in a text that is about the corpus.

    Attributes
    ----------
    text : str
        The whole phrase on one line.
    quantity : Quantity
        What is stated.
    candidates : tuple of Number
        The counts that may be meant; empty where the statement cannot be judged.
    nearest : tuple of Number
        Of a statement that is not judged: counts of the words beside it, the nearest first.
    """

    text: str
    quantity: Quantity
    candidates: tuple[Number, ...]
    nearest: tuple[Number, ...] = ()

    @property
    def right(self) -> bool:
        """Whether one of the numbers that may be meant agrees."""
        return any(self.quantity.agrees(number.value) for number in self.candidates)

    @property
    def verdict(self) -> str:
        """``right``, ``wrong`` or ``not judged``."""
        if not self.candidates:
            return "not judged"
        if self.right:
            return "right"
        return "wrong"


#: What words that are a label may mean: terms, or an axis.
_Label = frozenset[Meaning]


@dataclass(frozen=True)
class _Phrase:
    """Some tokens with what was understood of them; `end` is behind the last word."""

    words: tuple[str, ...] = ()
    labels: tuple[_Label, ...] = ()
    unknown: tuple[str, ...] = ()
    years: tuple[str, ...] = ()
    start: int = 0
    end: int = 0

    def has(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.words)

    def joined(self, other: _Phrase) -> _Phrase:
        """Return both phrases as one; the labels nearest to what is between them come first."""
        return _Phrase(
            self.words + other.words,
            other.labels + self.labels[::-1],
            self.unknown + other.unknown,
            self.years + other.years,
        )


class _Clause:
    """A quantity with the words on both sides, and the whole where it is a part of one."""

    def __init__(self, reader: Reader, tokens: list[Token], quantities: list[Quantity], place: int):
        self.tokens, self.quantity = tokens, quantities[place]
        self.stems = stems_of(tokens)
        #: The tables that may be meant.
        self.populations = [reader.lexicon.pool]
        if reader.lexicon.excluded is not None and not _LOG.isdisjoint(self.stems):
            self.populations.append(reader.lexicon.excluded)
        first, start = self.quantity.first, 0
        #: The word in front of the quantity.
        self.before = "".join(self.stems[first - 1 : first])
        if self.before in _LINKS:
            first -= 1
        if place:
            start = quantities[place - 1].after
        for other in range(start, first):
            if _ends_clause(tokens[other]):
                start = other + 1
        self.left = reader.phrase(tokens, min(start, first), first)
        behind, following = self.quantity.after, quantities[place + 1 :]
        self.whole = whole_of(self.quantity, following, self.stems)
        if self.whole:
            behind = following.pop(0).after
        # A clause ends at the next number as well.
        end = min([other.first for other in following], default=len(tokens))
        self.right = reader.phrase(tokens, behind, end, in_clause=True)
        self.about = self.left.joined(self.right)


class Reader:
    """Reads statements about one study."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.nouns = lexicon.entry_nouns | RECORDS | TAGS | word_set("exclusion")
        #: Beside a number, these tell that it is about the corpus.
        self.named = self.nouns | lexicon.members | word_set("column field")
        self.plain = PLAIN | self.nouns | POOL | RETAINED | EXCLUDED | AUDITED | NEGATIONS

    def statements(self, text: str) -> Iterator[Mention]:
        """Yield every statement of a text, judged or not."""
        for tokens in sentences(text):
            quantities = list(quantities_of(tokens))
            for place in range(len(quantities)):
                clause = _Clause(self, tokens, quantities, place)
                near = clause.right.words[:5] or clause.left.words[-5:]
                named = not (self.named | EXCLUDED | AUDITED).isdisjoint(near)
                is_about_corpus = named or clause.about.labels
                # Of "2/7" both numbers are one share.
                if clause.before in REFERENCES | {"/"} or not is_about_corpus:
                    continue
                quantity = clause.quantity
                last = max(quantity.after, clause.right.end) - 1
                while last > quantity.after and tokens[last].stem in JOINING:
                    last -= 1
                phrase = " ".join(text[quantity.start : tokens[last].end].split())
                candidates = tuple(dict.fromkeys(self._candidates(clause)))
                if candidates and self._is_clear(clause):
                    yield Mention(phrase, quantity, candidates)
                    continue
                pool = self.lexicon.pool
                single: dict[Number, None] = {}
                for label in clause.about.labels:
                    for condition in pool.conditions(label):
                        numbers: Iterable[Number] = [self.lexicon.number_of([condition], pool)]
                        if quantity.kind == SHARE:
                            numbers = self._share(pool, [], [condition])
                        single |= dict.fromkeys(numbers)
                nearest = sorted(single, key=lambda number: abs(number.value - quantity.value))
                yield Mention(phrase, quantity, (), tuple(nearest[:_NEAREST]))

    def _is_clear(self, clause: _Clause) -> bool:
        """Whether every word that could restrict a quantity is understood."""
        tokens, quantity, left, right = clause.tokens, clause.quantity, clause.left, clause.right
        if clause.before in ELSEWHERE | NEGATIONS | _PLACES:
            return False
        if right.unknown or right.has(ELSEWHERE) or left.has(ELSEWHERE):
            return False
        joins = quantity.after < len(tokens) and tokens[quantity.after].hyphen
        # "A 500-paper survey" is another one; "5 or 6" and "2 to 5" are not two counts.
        if joins and not right.has(POOL | _LOG):
            return False
        if _in_range(tokens, quantity) or right.words[:1] == ("is",):
            return False
        if not right.words:
            # "credit-tags: role 9" is a cell of a table; "harnesses occur in three" is a sentence.
            is_linked = clause.before in _LINKS and self.nouns & set(left.words)
            if not left.words or not (is_linked or left.words[-1] in LEADING):
                return False
        if left.unknown and (not right.labels or left.words[-1] in left.unknown):
            return False
        return quantity.kind == SHARE or self._counts_works(clause)

    def _counts_works(self, clause: _Clause) -> bool:
        """Whether a number counts works, and not the agents or teams that the works are about."""
        right, stems = clause.right, clause.stems
        near = right.words[:6] or clause.left.words[-6:]
        if not (self.nouns | POOL).isdisjoint(near):
            return True
        if not self.lexicon.members.isdisjoint(near[:3]):
            return False  # "eight reward families"
        if (self.nouns | POOL | RETAINED).isdisjoint(stems) and not self._names_group(stems):
            return False
        if not right.labels or right.words[0] in self.plain:
            return True
        return self._is_group(right.labels[0])

    def _names_group(self, stems: list[str]) -> bool:
        """Whether a sentence has a verb and a name of works in two words, such as "RL methods"."""
        if VERBS.isdisjoint(stems):
            return False
        for place in range(len(stems)):
            length, meanings = self.lexicon.at(stems[place:])
            if length > 1 and self._is_group(meanings):
                return True
        return False

    def _is_group(self, meanings: frozenset[Meaning]) -> bool:
        return self.lexicon.group in [meaning.column for meaning in meanings]

    def _candidates(self, clause: _Clause) -> Iterator[Number]:
        """Yield every count that a quantity may mean."""
        right, about, numbers = clause.right, clause.about, self.lexicon.numbers
        # What "Of the 42 methods," restricts the sentence to.
        opening, tokens = _Phrase(), clause.tokens
        is_bound = clause.stems[:2] in (["at", "least"], ["at", "most"])
        if "," in clause.stems and tokens[0].stem in _OPENINGS and not is_bound:
            opening = self.phrase(tokens, 1, clause.stems.index(","))
        if opening.unknown or opening.has(ELSEWHERE):
            return
        if clause.quantity.kind == SHARE:
            yield from self._shares(clause)
            return
        # The whole of which a part is told, as in "most of the 84 entries".
        before = clause.stems[max(0, clause.quantity.first - 3) : clause.quantity.first]
        while before and before[-1] in ("the", "our", "all", "these"):
            before.pop()
        is_whole = before[-1:] == ["of"]
        sizes = []
        if not right.labels and not about.years and clause.whole is None:
            sizes = [name for words, name in _SIZES if about.has(words)]
        if is_whole and (about.labels or about.years):
            sizes.append("PoolSize")
        yield from filter(None, map(numbers.get, sizes))
        stated = opening.joined(about)
        is_negated = stated.has(NEGATIONS)
        for population in clause.populations:
            for conditions in self._subsets(stated, population):
                number = self.lexicon.number_of(conditions, population)
                yield number
                applicable = population.applicable_sizes(conditions)
                if is_whole:
                    for size in applicable:
                        yield counted(size, "rows to which the column applies")
                if is_negated:
                    for total in dict.fromkeys([population.count([]), *applicable]):
                        yield counted(total - number.value, f"{total} without {number.how}")
                    # "20 of the 48 A papers are not B": those with A, without A and B.
                    for condition in conditions:
                        base = [each for each in conditions if each != condition]
                        rest = population.count(base) - number.value
                        yield counted(rest, f"rows without {number.how}")
                    for denied in _denied(conditions):
                        # Rows with several terms may meet and fail a condition at once.
                        is_single = not population.spec.column(denied[0]).separator
                        if is_single and denied not in conditions:
                            yield self.lexicon.number_of([denied], population)

    def _subsets(self, phrase: _Phrase, population: Population) -> Iterator[list[Condition]]:
        """Yield the conditions that some of the labels mean together, under each reading."""
        choices = []
        for label in list(dict.fromkeys(phrase.labels))[:_MOST_LABELS]:
            meant = list(population.conditions(label))
            if meant:
                choices.append(meant)
        year = population.spec.by_role("year")
        if phrase.years and year is not None:
            choices.append([(year.name, frozenset(phrase.years))])
        for size in range(1, len(choices) + 1):
            for some in combinations(choices, size):
                for reading in product(*some):
                    yield _merged(reading)

    def _shares(self, clause: _Clause) -> Iterator[Number]:
        """Yield the shares that a percentage or fraction may state: "30% of A are B"."""
        right, cut = clause.right, clause.right.start
        while cut < right.end and clause.stems[cut] not in _SHARE_VERBS:
            cut += 1
        ground = self.phrase(clause.tokens, right.start, cut)
        about = self.phrase(clause.tokens, cut, right.end)
        if not about.labels and not about.years:
            about = clause.left
        is_negated = about.has(NEGATIONS)
        for population in clause.populations:
            grounds: list[list[Condition]] = [[]]
            grounds += self._subsets(ground, population)
            for part, base in product(self._subsets(about, population), grounds):
                for share in self._share(population, base, part):
                    if is_negated:
                        rest = 100 - share.value
                        share = counted(rest, f"without {share.how}", f"{rest:.1f}%")
                    yield share
                if is_negated:
                    yield from self._share(population, base, list(_denied(part)))

    def _share(
        self, population: Population, base: list[Condition], part: list[Condition]
    ) -> Iterator[Number]:
        number = population.count(_merged([*base, *part]))
        totals = [population.count(base)]
        if not base:
            # All entries of an axis are not a share of themselves.
            totals += [size for size in population.applicable_sizes(part) if size != number]
        for total in filter(None, dict.fromkeys(totals)):
            share = 100 * number / total
            yield counted(share, f"{number} of {total} rows", f"{share:.1f}%")

    def phrase(self, tokens: list[Token], start: int, end: int, in_clause: bool = False) -> _Phrase:
        """Read some tokens: labels of the codebook, plain words, years, and what is unknown.

        Where only the words `in_clause` are read, a mark or another clause ends them.
        """
        words = []
        labels = []
        unknown = []
        years = []
        place = last = start
        while place < end:
            token = tokens[place]
            if in_clause and _ends_clause(token):
                break
            # A comma may be part of a label.
            following = tokens[place : min(end, place + 8)]
            near = [other.stem for other in following if other.text != ","]
            length, meanings = self.lexicon.at(near)
            # "42 methods": the noun alone, directly behind the number, means the group.
            if place == start and not length and token.stem in self.lexicon.heads:
                length, meanings = 1, frozenset(self.lexicon.heads[token.stem])
            if length:
                labels.append(meanings)
                words.extend(near[:length])
                while length:
                    # Commas inside a label do not count.
                    length -= tokens[place].text != ","
                    place += 1
                last = place
                continue
            place += 1
            if token.kind == "number" and is_year(token.text):
                years.append(token.text)
            elif token.kind != "word":
                continue
            is_plain = token.stem in self.plain and token.stem not in self.lexicon.heads
            if token.kind == "word" and not is_plain:
                unknown.append(token.stem)
            words.append(token.stem)
            last = place
        return _Phrase(tuple(words), tuple(labels), tuple(unknown), tuple(years), start, last)


_SHARE_VERBS = VERBS | word_set("consist come carry need belong")


def _denied(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Yield conditions with "no" in place of "yes": "in part" is neither."""
    for name, terms in conditions:
        yield name, frozenset({"no"}) if "yes" in terms else terms


def _merged(conditions: Iterable[Condition]) -> list[Condition]:
    """Join conditions; two about one column are alternatives."""
    joined: dict[str, frozenset[str]] = {}
    for column, terms in conditions:
        joined[column] = joined.get(column, frozenset()) | terms
    return list(joined.items())


def _ends_clause(token: Token) -> bool:
    return token.text in _STOPS or token.stem in CLAUSES


def _in_range(tokens: list[Token], quantity: Quantity) -> bool:
    """Whether a number is an end of "2 to 5", "5 or 6" or "between 40 and 45"."""
    first, after = quantity.first, quantity.after
    behind = stems_of(tokens[after : after + 2])
    if behind[:1] in (["to"], ["or"]) and quantity_at(tokens, min(after + 1, len(tokens) - 1)):
        return True
    if first < 2 or tokens[first - 1].stem not in ("to", "or", "and"):
        return False
    # "Entries 3 and 4" are two numbers of entries.
    is_between = not _BETWEEN.isdisjoint(stems_of(tokens[max(0, first - 3) : first]))
    is_number = tokens[first - 2].kind == "number"
    return is_number and (is_between or tokens[first - 1].stem != "and")
