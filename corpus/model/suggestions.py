"""What somebody may have meant who misspelt a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: So many known names are listed; a corpus has thousands of numbers.
_LISTED = 12


def closest(word: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the known names that are most like a word, best first; letter case does not matter.

    Parameters
    ----------
    word : str
        What was written.
    known : iterable of str
        What may be written.
    most : int
        How many names to return at most.
    cutoff : float
        Least similarity (0-1), as `difflib` measures it.

    Examples
    --------
    >>> closest("Yaer", ["title", "year", "venue"])
    ['year']
    """
    # Only a misspelt name needs it, and every command would pay for the import at its start.
    from difflib import get_close_matches

    by_lower: Mapping[str, str] = {name.lower(): name for name in known}
    matches = get_close_matches(word.lower(), by_lower, most, cutoff)
    return [by_lower[name] for name in matches]


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name: the nearest known one, and a dozen of them.

    Examples
    --------
    >>> unknown("column", "yaer", ["title", "year"])
    "unknown column 'yaer'; did you mean 'year'? Known: title, year"
    """
    names = list(known)
    listed = ", ".join(names[:_LISTED]) or "none"
    if len(names) > _LISTED:
        listed += f" and {len(names) - _LISTED:,} more"
    nearest = closest(word, names)
    if nearest:
        return f"unknown {kind} {word!r}; did you mean {nearest[0]!r}? Known: {listed}"
    return f"unknown {kind} {word!r}; known: {listed}"
