"""Author lists as sources write them, taken apart into names."""

from __future__ import annotations

import re
from functools import lru_cache

from corpus.curation.lookup.candidate import author

_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}")
#: "Moor BC", as medical databases write a name; a numeral or the short name of an organisation is
#: no initials.
_VANCOUVER = re.compile(
    r"(?P<family>(?=[^,]*[a-zà-ÿ])[^,.]*[^,.\s]) "
    r"(?P<initials>(?!(?:II|III|IV|AI|EU|UK|US)$)(?:[A-Z]\.?-?){1,3})"
)
_AND_OTHERS = re.compile(r"[,;]?(?<!\s)\s*+\b(?:et\.? al\.?|and others)\s*+$", re.IGNORECASE)
_AND = re.compile(r",?(?<!\s)\s++(?:and|&)\s++")


def split_authors(cell: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return names as ``Family, Given``, each once, whatever stands between them in the source.

    Examples
    --------
    >>> split_authors("Ann Ward, Bo Moor and Cy Stein")
    ('Ward, Ann', 'Moor, Bo', 'Stein, Cy')
    >>> split_authors("Ward, A., Moor, B.C.")
    ('Ward, A.', 'Moor, B.C.')
    >>> split_authors("Ward A, von Moor BC")
    ('Ward, A', 'von Moor, BC')
    >>> split_authors("von Moor, Bo")
    ('von Moor, Bo',)
    >>> split_authors("Ward, Ann; Soil Survey Staff; et al.")
    ('Ward, Ann', 'Soil Survey Staff')
    """
    parts = cell if isinstance(cell, tuple) else _split(_AND_OTHERS.sub("", cell))
    names = (_author(_AND_OTHERS.sub("", part)) for part in parts)
    return tuple(dict.fromkeys(name for name in names if name))


def whole_name(name: str) -> str:
    """Put braces around a name of several words that has no given name.

    :func:`split_authors` keeps such a name whole.
    """
    return name if "," in name or " " not in name else f"{{{name}}}"


@lru_cache(10_000)
def _author(text: str) -> str:
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        return " ".join(text[1:-1].split())  # one name as it is, in the manner of BibTeX
    short = _VANCOUVER.fullmatch(text)
    return author(f"{short['family']}, {short['initials']}" if short else text)


def is_cut(cell: str | tuple[str, ...]) -> bool:
    """Whether a list of authors says that there are more."""
    return any(_AND_OTHERS.search(part) for part in ((cell,) if isinstance(cell, str) else cell))


def _split(text: str) -> list[str]:
    for separator in (";", "|", "\u2022"):
        if separator in text:
            return [part.strip() for part in text.split(separator) if part.strip()]
    by_and = _AND.split(text)
    parts = [part.strip() for part in by_and]
    if (
        all(part.count(",") <= 1 for part in parts)
        and any("," in part for part in parts[:-1])
        and len(parts) > 1
    ):
        pieces = [piece.strip() for part in parts for piece in part.split(",")]
        if not all(" " in piece for piece in pieces):
            return parts  # "Ward, Ann and Moor, Bo", as BibTeX writes it
    pieces = [piece.strip() for part in parts for piece in part.split(",") if piece.strip()]
    given = pieces[1::2]
    if len(pieces) % 2 == 0 and given and all(_INITIALS.fullmatch(piece) for piece in given):
        return [
            f"{family}, {initials}" for family, initials in zip(pieces[::2], given, strict=True)
        ]
    if len(pieces) == 2 and len(parts) == 1 and not any(map(_VANCOUVER.fullmatch, pieces)):
        if not all(" " in piece for piece in pieces) or pieces[0][0].islower():
            return [text]  # one name, "Ward, Ann" or "von Moor, Bo"
    return pieces
