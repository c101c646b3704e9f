"""The numbers in the sentence of a claim that has moved, replaced where there is no doubt.

A sentence is free text. Its numbers are compared with what the claim stated before: its counts, the
sum of them, the sum without 'not applicable', the number of cells that are filled. Only where each
number is one of these, and becomes one number, is the sentence written anew. Everything else is for
a person: half a sentence that was updated would be worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from corpus.analysis.claims.evaluate import ClaimOutcome

#: What becomes of a sentence.
REWRITTEN, UNCHANGED, BY_HAND = "rewritten", "unchanged", "by hand"

#: A whole number that is not part of a name, a date or a percentage, such as O1, GPT-4, 2.5,
#: 2026-05-04 or 5 %.
_NUMBER = re.compile(r"(?<![\w.,/-])[0-9]+(?![\w/]|\s?%|[.,-][0-9])")
_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


class Restated(NamedTuple):
    """The sentence of a claim after its value changed; `how` is one of the three above."""

    text: str
    how: str


def restated(outcome: ClaimOutcome, not_applicable: Sequence[str] = ()) -> Restated:
    """Return the sentence of a tracked claim that has moved.

    Parameters
    ----------
    outcome : ClaimOutcome
        The claim with the value that it states, and what was observed.
    not_applicable : sequence of str
        The terms that stand for 'not applicable'.
    """
    sentence = outcome.claim.statement
    old = _quantities(_stated_counts(outcome), _stated_number(outcome), not_applicable)
    new = _quantities(outcome.counts, _observed_number(outcome), not_applicable)
    # Of a sentence with digits the words are left alone: "one of the 5" has one number.
    pattern = _NUMBER
    if not pattern.search(sentence):
        pattern = _WORD
    found = [match.group() for match in pattern.finditer(sentence)]
    numbers = [_number(token) for token in found]
    if not numbers or _order_changed(outcome) or _names_a_key(outcome):
        return Restated(sentence, BY_HAND)
    become: dict[int, int] = {}
    for number in numbers:
        # One number may be several quantities, such as a count and the sum.
        targets = {new.get(name, 0) for name, value in old.items() if value == number}
        if len(targets) == 1:
            become[number] = targets.pop()
    if all(number in become for number in numbers):
        return _rewritten(sentence, pattern, become)
    if _is_reworded(numbers, old, new):
        return Restated(sentence, UNCHANGED)
    return Restated(sentence, BY_HAND)


def _is_reworded(
    numbers: Sequence[int], old: Mapping[tuple[str, ...], int], new: Mapping[tuple[str, ...], int]
) -> bool:
    """Whether somebody has given a sentence its new numbers: it has some, and no old one."""
    outdated = set()
    current = set()
    for name in {**old, **new}:
        before, after = old.get(name, 0), new.get(name, 0)
        if before != after:
            outdated.add(before)
            current.add(after)
    outdated -= set(new.values())
    return not outdated.intersection(numbers) and bool(current.intersection(numbers))


def _rewritten(sentence: str, pattern: re.Pattern[str], become: Mapping[int, int]) -> Restated:
    changed = {old: new for old, new in become.items() if old != new}
    # One and several take other words: "1 entry trains", "2 entries train".
    if any(1 in pair for pair in changed.items()):
        return Restated(sentence, BY_HAND)
    if pattern is _WORD and any(number >= len(_WORDS) for number in changed.values()):
        return Restated(sentence, BY_HAND)

    def replaced(match: re.Match[str]) -> str:
        token = match.group()
        number = _number(token)
        if number not in changed:
            return token
        if token.isdigit():
            return str(changed[number])
        word = _WORDS[changed[number]]
        return word.capitalize() if token[0].isupper() else word

    text = pattern.sub(replaced, sentence)
    return Restated(text, UNCHANGED if text == sentence else REWRITTEN)


def _number(token: str) -> int:
    if token.isdigit():
        return int(token)
    return _WORDS.index(token.lower())


def _stated_counts(outcome: ClaimOutcome) -> Mapping[tuple[str, ...], int]:
    expectation = outcome.claim.expectation
    if expectation.kind == "counts":
        counts: Mapping[tuple[str, ...], int] = expectation.value
        return counts
    return {}


def _stated_number(outcome: ClaimOutcome) -> float:
    value = outcome.claim.expectation.value
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return sum(value.values())
    return len(value)


def _observed_number(outcome: ClaimOutcome) -> float:
    expectation = outcome.claim.expectation
    if expectation.kind == "includes":
        return len(set(expectation.value) & set(outcome.keys))
    if expectation.kind == "keys":
        return len(outcome.keys)
    return outcome.number


def _quantities(
    counts: Mapping[tuple[str, ...], int], number: float, not_applicable: Sequence[str]
) -> dict[tuple[str, ...], int]:
    """Return what a sentence may give as a number, by a name that is the same then and now."""
    found: dict[tuple[str, ...], int] = {}
    if number == int(number):
        found["", "all"] = int(number)
    applicable = 0
    filled = 0
    for cell, count in counts.items():
        if not count:
            continue
        found["cell", *cell] = count
        filled += 1
        if not set(cell) & set(not_applicable):
            applicable += count
    if counts:
        found["", "applicable"] = applicable
    # Of one column, filled cells are terms, and nobody counts those by the data.
    if any(len(cell) > 1 for cell in counts):
        found["", "filled"] = filled
    return found


def _names_a_key(outcome: ClaimOutcome) -> bool:
    """Whether the sentence names one of the keys that the claim states."""
    value = outcome.claim.expectation.value
    if not isinstance(value, tuple):
        return False
    words = re.findall(r"[\w.-]+", outcome.claim.statement)
    return any(key in words for key in value)


def _order_changed(outcome: ClaimOutcome) -> bool:
    """Whether two counts have changed places: the sentence may tell which is the larger one."""
    old = _stated_counts(outcome)
    for first, second in combinations(old, 2):
        before = old[first] - old[second]
        after = outcome.counts.get(first, 0) - outcome.counts.get(second, 0)
        # The product is negative where the other one is larger now.
        if before * after < 0 or (before and not after):
            return True
    return False
