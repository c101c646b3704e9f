"""Spellings of one term: which are merged, which may be the same, which occur once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.fuzz import ratio

from corpus.curation.importing.names import term_id

#: What people write, in lower case, where nothing applies.
ABSENT = frozenset({"na", "n/a", "n.a.", "none", "not applicable", "-", "–", "—", "nil", "null"})
#: Labels alike to this degree (0-100) are proposed as one term; short ones only where one letter
#: differs.
_ALIKE = 88


class Spelled(NamedTuple):
    """A term of a new vocabulary: `spellings` maps each spelling in the source to its number."""

    id: str
    label: str
    spellings: dict[str, int]

    @property
    def uses(self) -> int:
        """How often the term is in the source, in any spelling."""
        return sum(self.spellings.values())


class TermMerge(NamedTuple):
    """Two terms that may be one: the rarer, the commoner, and why (plural or spelling)."""

    rarer: str
    commoner: str
    reason: str


def spelled_terms(values: Iterable[str]) -> list[Spelled]:
    """Gather values into terms.

    Values that differ in case, hyphens, spaces and underscores only are one term.

    The commonest spelling is the label; terms come in order of use. What means "none applies"
    becomes the term ``NA``.

    Examples
    --------
    >>> terms = spelled_terms(["Time-domain", "time domain", "Time-domain", "n/a"])
    >>> [(term.id, term.spellings) for term in terms]
    [('time_domain', {'Time-domain': 2, 'time domain': 1}), ('NA', {'n/a': 1})]
    """
    counts = Counter(values)
    groups: dict[str, Counter[str]] = {}
    for value, number in counts.items():
        groups.setdefault(_folded(value), Counter())[value] += number
    terms: list[Spelled] = []
    taken: set[str] = {"NA"}
    for folded, spellings in sorted(groups.items(), key=lambda item: (-item[1].total(), item[0])):
        if folded == "":
            continue
        label = min(spellings, key=lambda text: (-spellings[text], text))
        identifier = term_id(label, taken)
        taken.add(identifier)
        terms.append(Spelled(identifier, label, dict(spellings)))
    if "" in groups:
        terms.append(Spelled("NA", "not applicable", dict(groups[""])))
    return terms


def _folded(value: str) -> str:
    """Return what spellings of one term share; an empty text for "none applies"."""
    plain = " ".join(value.casefold().split())
    if plain in ABSENT:
        return ""
    return re.sub(r"[\s_‐-―-]+", " ", plain).strip()


def likely_merges(terms: Iterable[Spelled]) -> list[TermMerge]:
    """Propose terms that may be one: singular and plural, and spellings that are nearly alike.

    Terms that differ in a number, a single letter, a negation or in how a word begins stay
    separate: "GPT-4" and "GPT-4o", "retrospective" and "prospective" are different.
    """
    ordered = [term for term in terms if term.id != "NA"]
    ordered.sort(key=lambda term: (-term.uses, len(term.label), term.label))
    found = []
    for place, rarer in enumerate(ordered):
        for commoner in ordered[:place]:
            reason = _likeness(_folded(rarer.label), _folded(commoner.label))
            if reason:
                found.append(TermMerge(rarer.id, commoner.id, reason))
                break
    return found


def _likeness(first: str, second: str) -> str:
    """Return why two folded labels may be one term (plural or spelling), or an empty string."""
    if first.replace(" ", "") == second.replace(" ", ""):
        return "spelling"
    if _fixed_parts(first) != _fixed_parts(second) or _are_opposites(first, second):
        return ""
    if _singular(first) == _singular(second):
        return "plural"
    shorter = min(len(first), len(second))
    if shorter >= 5 and DamerauLevenshtein.distance(first, second) == 1:
        return "spelling"
    if shorter >= 8 and ratio(first, second) >= _ALIKE:
        return "spelling"
    return ""


def merged(terms: list[Spelled], merges: Iterable[TermMerge]) -> list[Spelled]:
    """Return the terms with the given merges carried out; every spelling is kept."""
    target = {merge.rarer: merge.commoner for merge in merges}
    spellings = {term.id: dict(term.spellings) for term in terms}
    for term in reversed(terms):
        goal = term.id
        while goal in target:
            goal = target[goal]
        if goal != term.id:
            spellings[goal].update(spellings.pop(term.id))
    kept = [term._replace(spellings=spellings[term.id]) for term in terms if term.id in spellings]
    return sorted(kept, key=lambda term: (term.id == "NA", -term.uses, term.id))


_NEGATION = re.compile(r"\b(?:non|not|no|un|in|anti|without|semi|sub|super)(?=\b|[a-z]{4})")
#: Beginnings by which alone two words mean different things, though they start alike.
_OPPOSITES = (("inter", "intra"), ("hyper", "hypo"), ("micro", "macro"), ("on", "off"))


def _fixed_parts(text: str) -> tuple[list[str], list[str]]:
    """Return what must be equal: words with a digit or of one letter, and negations."""
    exact = [word for word in text.split() if len(word) == 1 or re.search(r"[0-9]", word)]
    return sorted(exact), _NEGATION.findall(text)


def _are_opposites(first: str, second: str) -> bool:
    """Return whether two labels differ in how a word begins, as opposites do.

    A slip of the pen seldom changes the first two letters of a word.
    """
    words, others = first.split(), second.split()
    if len(words) != len(others):
        return False
    for word, other in zip(words, others, strict=True):
        if word == other:
            continue
        if word[:2] != other[:2]:
            return True
        for one, opposite in _OPPOSITES:
            for before, after in ((one, opposite), (opposite, one)):
                if word.startswith(before) and other == after + word.removeprefix(before):
                    return True
    return False


def _singular(text: str) -> str:
    """Return each word of four letters or more without its plural ending.

    Examples
    --------
    >>> _singular("batteries and sensors"), _singular("class")
    ('battery and sensor', 'class')
    """
    words = []
    for word in text.split():
        if len(word) > 4 and word.endswith("ies"):
            word = word[:-3] + "y"
        elif len(word) > 4 and re.search(r"(s|x|z|ch|sh)es$", word):
            word = word[:-2]
        elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
        words.append(word)
    return " ".join(words)
