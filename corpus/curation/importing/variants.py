"""Spellings of one term, which are merged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from corpus.curation.importing.names import term_id

#: What people write, in lower case, where nothing applies.
ABSENT = frozenset({"na", "n/a", "n.a.", "none", "not applicable", "-", "–", "—", "nil", "null"})


class Spelled(NamedTuple):
    """A term of a new vocabulary: `spellings` maps each spelling in the source to its number."""

    id: str
    label: str
    spellings: dict[str, int]

    @property
    def uses(self) -> int:
        """How often the term is in the source, in any spelling."""
        return sum(self.spellings.values())


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
