"""Quantities of running text: counts, percentages and fractions, exact or with a bound."""

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from corpus.printing.numerals import NUMBER, parse_number
from corpus.publishing.manuscript.lexicon import stem

COUNT, SHARE = "count", "share"

_TOKEN = re.compile(
    r"(?P<percent>(?<![\w.,])[0-9]+(?:\.[0-9]+)?(?:\s?\\?%|\spercent\b|\sper\scent\b))"
    rf"|(?P<number>{NUMBER}(?![.,]?[0-9]))"
    r"|(?P<word>[^\W_]+(?:['’.,][^\W_]+)*)"
    r"|(?P<end>[.!?](?=\s|$)|\n[ \t]*(?=[\n|#*>-]))|(?P<mark>[^\w\s_-])",
    re.IGNORECASE,
)
#: Longer than any sentence; what has no end is a table or a list.
_LONGEST_SENTENCE = 200
#: Fractions in words, as stems, and their values in percent.
_FRACTIONS = {
    "half": 50.0,
    "two third": 200 / 3,
    "three quarter": 75.0,
    "two fifth": 40.0,
    "three fifth": 60.0,
    "four fifth": 80.0,
    "third": 100 / 3,
    "quarter": 25.0,
    "fifth": 20.0,
    stem("majority"): 50.0,
}


class Token(NamedTuple):
    """One word, number or mark of a text; `kind` is the name of a group of the pattern.

    `hyphen` tells whether a hyphen joins it to the one before.
    """

    kind: str
    text: str
    stem: str
    start: int
    end: int
    hyphen: bool


class Quantity(NamedTuple):
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
_WHOLES = ("three", "four", "five", "ten", "5", "10", "100")
_ABOUT = set(map(stem, ["about", "around", "roughly", "approximately", "nearly", "almost", "some"]))


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
    for words, share in _FRACTIONS.items():
        end = place + len(words.split())
        if stems_of(tokens[place:end]) == words.split():
            # "A third axis" and "the third stage" are not fractions.
            if end == after and words != "half" and behind != ["of"]:
                return None
            # "A third" is also written of 31 %.
            return SHARE, share, 2.5, end
    if token.kind == "percent":
        digits = re.sub(r"[^0-9.]", "", token.text)
        # A printed share is rounded; 29 means anything from 28.5 to 29.5.
        decimals = len(digits.partition(".")[2])
        return SHARE, float(digits), 0.5 * 10.0**-decimals, after
    if token.kind == "number":
        whole = tokens[place + 2 : place + 3]
        if behind == ["in"] and whole and whole[0].text.lower() in _WHOLES:
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
