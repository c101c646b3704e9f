"""Words of texts and of questions: runs of letters and digits, in lower case."""

import re

#: Endings of one word: decide, decides, decided.
_ENDING = re.compile(r"|e?s|e?d|e|(e?r|ing|ion|ation|or|ator|ment)s?|al|ly|ism")
#: Words of the same stem share so many letters at least.
LEAST_STEM = 3


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order.

    Examples
    --------
    >>> words_of("SWE-bench (ICLR 2024)")
    ['swe', 'bench', 'iclr', '2024']
    """
    return re.findall(r"[^\W_]+", text.lower())


def same_stem(one: str, other: str) -> bool:
    """Return whether two words differ in their endings alone.

    Examples
    --------
    >>> same_stem("stopping", "stops"), same_stem("orchestrator", "orchestration")
    (True, True)
    >>> same_stem("stop", "stone"), same_stem("2024", "2025")
    (False, False)
    """
    shared = 0
    for letter, same in zip(one, other, strict=False):
        if letter != same:
            break
        shared += 1
    ends = [one[shared:], other[shared:]]
    for place, end in enumerate(ends):
        # A consonant is doubled before some endings: stop, stopping.
        if len(end) > 1 and end[0] == one[shared - 1]:
            ends[place] = end[1:]
    return shared >= LEAST_STEM and all(map(_ENDING.fullmatch, ends))
