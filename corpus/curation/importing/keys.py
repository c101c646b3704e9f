"""Keys of works: made of author, year and words of the title, as the others of a corpus are."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice, product
from typing import NamedTuple

from corpus.curation.importing.names import ascii_words, key_name, listed, untaken
from corpus.model.work import Work

_SMALL_WORDS = frozenset(listed("a, an, the, on, of, in, for, to, and, with, from, by, at, is"))
#: So many works show the style of a corpus.
_SAMPLE = 200
_DATED = re.compile("[12][0-9]{3}$")
_LONGEST = 60


class KeyStyle(NamedTuple):
    """How keys are made: where the year is, how many words of the title, what is between them.

    `others` adds a second author or "etal", as the ACL Anthology does.
    """

    year_last: bool = False
    words: int = 1
    joint: str = "-"
    others: bool = False

    def key(self, work: Work, more: int = 0) -> str:
        """Return the key of a work, with `more` words; without an author it has a word more.

        Examples
        --------
        >>> bog = Work("", title="A Fen in a Bog", authors=("Ward, Ann",), year="2026")
        >>> KeyStyle().key(bog), KeyStyle().key(bog, 1), KeyStyle(joint="").key(bog)
        ('ward-2026-fen', 'ward-2026-fen-bog', 'ward2026fen')
        """
        families = [name.partition(",")[0] for name in work.authors]
        told = 1 + (self.others and len(families) == 2)
        author = ascii_words(" ".join(families[:told]))
        if self.others and len(families) > 2:
            author.append("etal")
        title = [word for word in ascii_words(work.title) if word not in _SMALL_WORDS]
        title = title[: self.words + more + (not author)]
        parts = [*author, work.year, *title]
        if self.year_last:
            parts = [*author, *title, work.year]
        return key_name(parts) if self.joint else "".join(parts)[:_LONGEST] or "entry"


def usual_style(works: Iterable[tuple[str, Work]]) -> KeyStyle | None:
    """Return the style in which most works have their keys, or None.

    Examples
    --------
    >>> fen = Work("", title="A Fen", authors=("Ward, Ann",), year="2026")
    >>> usual_style([("ward2026fen", fen)]), usual_style([("fen", fen)])
    (KeyStyle(year_last=False, words=1, joint='', others=False), None)
    """
    sample = list(islice(works, _SAMPLE))
    fitting: Counter[KeyStyle] = Counter()
    for style in map(
        KeyStyle._make, product((False, True), (1, 2, 3, 0), ("-", ""), (False, True))
    ):
        fitting[style] = sum(style.key(work) == key.lower() for key, work in sample)
    best, number = fitting.most_common(1)[0]
    return best if 2 * number > len(sample) else None


def proposed_key(work: Work, taken: Collection[str], style: KeyStyle | None) -> str:
    """Return a free key in a style, with a further word where the first key is taken.

    Without a style it is the name that the title gives its work, else the first author and two
    words: two branches that each add a work of one author propose different keys. The year follows
    where it is usual. Keys that differ in case only are the same.

    Examples
    --------
    >>> net = Work("", title="WetNet: Reading Peat", authors=("Ward, Ann",), year="2026")
    >>> proposed_key(net, ["fen2024", "mire2025"], None), proposed_key(net, [], KeyStyle())
    ('wetnet2026', 'ward-2026-wetnet')
    >>> weight = Work("", title="On the Weight of Peat", authors=("Ward, Ann",))
    >>> proposed_key(weight, ["fen", "mire"], None)
    'ward-weight-peat'
    """
    lower = set(map(str.lower, taken))
    if style:
        keys = [style.key(work), style.key(work, 1)]
        return untaken(next((key for key in keys if key not in lower), keys[0]), lower, "-")
    name, colon, _ = work.title.partition(":")
    key = key_name([name], ()) if colon and len(name.split()) <= 3 and ascii_words(name) else ""
    key = key or KeyStyle(words=1 + bool(work.authors)).key(work._replace(year=""))
    if work.year and 2 * len(list(filter(_DATED.search, taken))) > len(taken):
        # Without a hyphen, the number of a work would run into the year.
        key += "-" * key[-1:].isdigit() + work.year
    return untaken(key, lower, "-")
