"""Zero-width joiners where scripts and emoji need them: RFC 5892, appendices A.1 and A.2."""

import re
from functools import cache

#: Marks after which a letter is joined to the next one (combining class Virama).
_VIRAMA = (
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039"
    "\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed"
)
#: Arabic, Syriac, N'Ko and Mongolian letters that are joined on both sides, and marks above them.
_JOINING = (
    "\u0620\u0626\u0628\u062a-\u062e\u0633-\u0647\u0649-\u065f\u066e-\u0670\u0678-\u0687\u069a-\u06bf"
    "\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06d6-\u06dc\u06fa-\u06fc\u0712-\u0714\u071a-\u071d\u071f-\u0727"
    "\u0729\u072b\u072d\u072e\u07ca-\u07ea\u1820-\u1878"
)
_JOINED = (
    "\u0620-\u065f\u066e-\u06d3\u06d5-\u06fc\u0710-\u074a\u0750-\u077f\u07ca-\u07ea\u1820-\u1878"
)
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
#: A joiner that does not belong where it is, with the character before it; also for RE2.
STRAY_JOINER = (
    f"(?:^|[^{_JOINING}{_VIRAMA}])\u200c|[{_JOINING}]\u200c(?:$|[^{_JOINED}])"
    f"|(?:^|[^{_VIRAMA}{_EMOJI}\ufe0f])\u200d|[{_EMOJI}\ufe0f]\u200d(?:$|[^{_EMOJI}])"
)


@cache
def _allowed() -> re.Pattern[str]:
    return re.compile(
        f"(?<=[{_JOINING}])\u200c(?=[{_JOINED}])|(?<=[{_VIRAMA}])[\u200c\u200d]"
        f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    )


def joiner_places(text: str) -> frozenset[int]:
    """Return where a text has a joiner that belongs there.

    Examples
    --------
    >>> sorted(joiner_places("\\u0645\\u06cc\\u200c\\u0622\\u0645 a\\u200cb"))
    [2]
    """
    if "\u200c" not in text and "\u200d" not in text:
        return frozenset()
    return frozenset(match.start() for match in _allowed().finditer(text))


def without_joiners(text: str) -> str:
    """Return a text without the joiners that belong there; all others stay.

    Examples
    --------
    >>> without_joiners("a\\u200db") == "a\\u200db"
    True
    """
    places = joiner_places(text)
    if not places:
        return text
    return "".join(each for place, each in enumerate(text) if place not in places)
