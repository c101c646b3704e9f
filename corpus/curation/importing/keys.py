"""Keys of works: made of author, year and words of the title."""

import re
from collections.abc import Collection

from corpus.curation.importing.names import ascii_words, key_name, listed, untaken
from corpus.model.work import Work

_SMALL_WORDS = frozenset(listed("a, an, the, on, of, in, for, to, and, with, from, by, at, is"))
_DATED = re.compile("[12][0-9]{3}$")


def dated_key(work: Work, more: int = 0) -> str:
    """Return a key as an import makes it: family name, year and a word of the title.

    There are `more` words on request, and one more where the work has no author.

    Examples
    --------
    >>> bog = Work("", title="A Fen in a Bog", authors=("Ward, Ann",), year="2026")
    >>> dated_key(bog), dated_key(bog, 1), dated_key(bog._replace(authors=()))
    ('ward-2026-fen', 'ward-2026-fen-bog', '2026-fen-bog')
    """
    author = ascii_words(work.authors[0].partition(",")[0]) if work.authors else []
    title = [word for word in ascii_words(work.title) if word not in _SMALL_WORDS]
    return key_name([*author, work.year, *title[: 1 + more + (not author)]])


def proposed_key(work: Work, taken: Collection[str]) -> str:
    """Return a free key: the name that the title gives its work, or the first author and two words.

    Two branches that each add a work of one author propose different keys. The year follows where
    it is usual. Keys that differ in case only are the same.

    Examples
    --------
    >>> net = Work("", title="WetNet: Reading Peat", authors=("Ward, Ann",), year="2026")
    >>> proposed_key(net, ["fen2024", "mire2025"])
    'wetnet2026'
    >>> weight = Work("", title="On the Weight of Peat", authors=("Ward, Ann",))
    >>> proposed_key(weight, ["fen", "mire"])
    'ward-weight-peat'
    """
    name, colon, _ = work.title.partition(":")
    key = key_name([name], ()) if colon and len(name.split()) <= 3 and ascii_words(name) else ""
    key = key or dated_key(work._replace(year=""), more=bool(work.authors))
    if work.year and 2 * len(list(filter(_DATED.search, taken))) > len(taken):
        # Without a hyphen, the number of a work would run into the year.
        key += "-" * key[-1:].isdigit() + work.year
    return untaken(key, set(map(str.lower, taken)), "-")
