"""Quantities of running text: counts, percentages and fractions, exact or with a bound."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from corpus.printing.numerals import NUMBER, parse_number

COUNT, SHARE = "count", "share"

_TOKEN = re.compile(
    r"(?P<percent>(?<![\w.,])[0-9]+(?:\.[0-9]+)?(?:\s?\\?%|\spercent\b|\sper\scent\b))"
    rf"|(?P<number>{NUMBER}(?![.,]?[0-9]))"
    r"|(?P<word>[^\W_]+(?:['’.,][^\W_]+)*)"
    r"|(?P<end>[.!?](?=\s|$)|\n[ \t]*(?=[\n|#*>-]))|(?P<mark>[^\w\s_-])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


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
    return tuple(map(stem, _WORD.findall(text.replace("_", " "))))


#: Longer than any sentence; what has no end is a table or a list.
_LONGEST_SENTENCE = 200


def word_set(text: str) -> frozenset[str]:
    """Return the stems of the words of a text.

    Examples
    --------
    >>> sorted(word_set("entries tag tags"))
    ['entry', 'tag']
    """
    return frozenset(map(stem, text.split()))


#: Words between a part and its whole.
_PART_OF = word_set("of out all the our") | {"/"}
_PARTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_WHOLES = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: Fractions in words, as stems, and their values in percent.
_FRACTIONS = {"half": 50.0, stem("majority"): 50.0}
for _of, _whole in enumerate(_WHOLES, 3):
    _FRACTIONS[_whole] = 100 / _of
    _FRACTIONS |= {f"{part} {_whole}": 100 * n / _of for n, part in enumerate(_PARTS[: _of - 1], 1)}
#: What is behind "a third" where it is a share, and no axis or stage.
_OF_A_SHARE = ("of", "is", "are", "was", "were", "have", "has", "use", "do", "report")


@dataclass(frozen=True)
class Token:
    """One word, number or mark of a text; `kind` is the name of a group of the pattern.

    `hyphen` tells whether a hyphen joins it to the one before.
    """

    kind: str
    text: str
    stem: str
    start: int
    end: int
    hyphen: bool


@dataclass(frozen=True)
class Quantity:
    """A number that a text states.

    Attributes
    ----------
    kind : str
        ``count`` or ``share`` (in percent).
    value, slack : float
        The number, and how far a right one may be from it (rounding, "about").
    bound : str
        ``=``, ``>``, ``>=``, ``<`` or ``<=``.
    first, after : int
        Its first token, with the words of the bound, and the token behind it.
    start : int
        Position in the text.
    """

    kind: str
    value: float
    slack: float
    bound: str
    first: int
    after: int
    start: int

    def agrees(self, right: float) -> bool:
        """Whether a right value agrees with the statement."""
        tiny = 1e-9
        difference = right - self.value
        if self.bound == "=":
            return abs(difference) <= self.slack + tiny
        if not difference:
            return self.bound in ("<=", ">=")
        return (difference > 0) == (self.bound in (">", ">="))


#: Words before a number that make it a bound. The longer ones come first: "no more than" ends with
#: "more than", which is the opposite.
_BOUNDS = {
    "no more than": "<=",
    "not more than": "<=",
    "no fewer than": ">=",
    "not fewer than": ">=",
    "no less than": ">=",
    "not less than": ">=",
    "more than": ">",
    "over": ">",
    "at least": ">=",
    "less than": "<",
    "fewer than": "<",
    "under": "<",
    "at most": "<=",
    "up to": "<=",
}
_ROUND_WHOLES = ("three", "four", "five", "ten", "5", "10", "100")
_ABOUT = word_set("about around roughly approximately nearly almost some ca circa ≈")


def stems_of(tokens: Iterable[Token]) -> list[str]:
    """Return the stem of each token."""
    return list(map(attrgetter("stem"), tokens))


def sentences(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence; an empty line ends one as well."""
    sentence: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind != "end":
            word, (start, end) = match.group(), match.span()
            hyphen = text[max(0, start - 1) : start] == "-"
            sentence.append(Token(kind, word, stem(word), start, end, hyphen))
        if sentence and (kind == "end" or len(sentence) >= _LONGEST_SENTENCE):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def quantity_at(tokens: list[Token], place: int) -> Quantity | None:
    """Return the quantity whose number or fraction is the token at a place, if one is there."""
    found = _number_at(tokens, place)
    if found is None:
        return None
    kind, value, slack, after = found
    token, first, bound = tokens[place], place, "="
    if token.stem == stem("majority"):
        bound = ">"
    # "A third", "one third" and "the 30 %" begin with these words.
    has_article = first > 0 and tokens[first - 1].stem in ("a", "the", "one")
    if has_article and kind == SHARE:
        first -= 1
    before = stems_of(tokens[max(0, first - 3) : first])
    for words, sign in _BOUNDS.items():
        parts = words.split()
        if before[-len(parts) :] == parts:
            bound = sign
            first -= len(parts)
            break
    else:
        if before and before[-1] in _ABOUT:
            first -= 1
            slack = max(slack, 5.0 if kind == SHARE else 0.1 * value)
    return Quantity(kind, value, slack, bound, first, after, token.start)


def _number_at(tokens: list[Token], place: int) -> tuple[str, float, float, int] | None:
    """Return kind, value and slack of the number at a place, and the place behind it."""
    token, after = tokens[place], place + 1
    behind = stems_of(tokens[after : after + 1])
    for end in (after + bool(behind), after):
        words = " ".join(stems_of(tokens[place:end]))
        if words in _FRACTIONS:
            # "A third axis" and "the third stage" are not fractions.
            is_share = words == "half" or not set(behind).isdisjoint(_OF_A_SHARE)
            if end == after and not is_share:
                return None
            # "A third" is also written of 31 %.
            return SHARE, _FRACTIONS[words], 2.5, end
    if token.kind == "percent":
        digits = re.sub(r"[^0-9.]", "", token.text)
        # A printed share is rounded; 29 means anything from 28.5 to 29.5.
        decimals = len(digits.partition(".")[2])
        return SHARE, float(digits), 0.5 * 10.0**-decimals, after
    if token.kind == "number":
        whole = tokens[place + 2 : place + 3]
        if behind == ["in"] and whole and whole[0].text.lower() in _ROUND_WHOLES:
            # "Three in ten" is as rough as "a third".
            share = 100 * parse_number(token.text) / parse_number(whole[0].text)
            return SHARE, share, 2.5, place + 3
        if token.stem == "one":
            return None
        if behind == ["percent"]:
            return SHARE, parse_number(token.text), 0.5, after + 1
        return COUNT, parse_number(token.text), 0.0, after
    if token.stem in ("no", "none"):
        # Followed by a word for what is counted.
        start = after + (behind == ["of"])
        near = stems_of(tokens[start : start + 3])
        if not {"entry", "paper", "work", "record"}.isdisjoint(near):
            return COUNT, 0.0, 0.0, after
    return None


def quantities_of(tokens: list[Token]) -> Iterator[Quantity]:
    """Yield the quantities of a sentence, years left out."""
    place = 0
    while place < len(tokens):
        quantity = quantity_at(tokens, place)
        if quantity is None or is_year(tokens[place].text):
            place += 1
            continue
        yield quantity
        place = quantity.after


def whole_of(
    quantity: Quantity, following: Sequence[Quantity], stems: Sequence[str]
) -> Quantity | None:
    """Return the second of two quantities where it is the whole of the first: "49 of the 84"."""
    for whole in following[:1]:
        between = stems[quantity.after : whole.first]
        if between and between[0] in ("of", "out", "/") and _PART_OF.issuperset(between):
            return whole
    return None


def is_year(text: str) -> bool:
    """Whether a number is most often a year."""
    return text.isdigit() and 1900 <= int(text) <= 2099
