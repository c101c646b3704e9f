"""A JSON document, written the way every command and export writes it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from datetime import date, time
from typing import Any


def json_text(content: Any) -> str:
    """Write values as indented JSON with a line feed at the end.

    Text is not escaped to ASCII; dates and times are written as text.

    Raises
    ------
    TypeError
        For a value that JSON has no form for.
    ValueError
        For a number that JSON has no form for: an infinite one, or none.

    Examples
    --------
    >>> print(json_text({"peat": ["Öland", date(2026, 5, 4)]}), end="")
    {
      "peat": [
        "Öland",
        "2026-05-04"
      ]
    }
    """
    # Most commands print no JSON, and its patterns are a good part of a start.
    import json

    text = json.dumps(content, indent=2, ensure_ascii=False, default=_date_text, allow_nan=False)
    return text + "\n"


def json_list(members: Iterable[str], indent: str) -> Iterator[str]:
    """Yield the members of a list, one per line; what is around them is up to the caller.

    Examples
    --------
    >>> "".join(json_list(["1", "2"], "  "))
    '  1,\\n  2\\n'
    """
    waiting = ""
    for member in members:
        if waiting:
            yield f"{waiting},\n"
        waiting = indent + member
    # Only now is it known to be the last one, which has no comma.
    if waiting:
        yield f"{waiting}\n"


def as_plain(value: Any) -> Any:
    """Return records as mappings of their fields and tuples as lists, whatever they are in.

    Examples
    --------
    >>> from corpus.analysis.claims.claim import ClaimDifference
    >>> as_plain([ClaimDifference("extra", "fen")])
    [{'sign': 'extra', 'key': 'fen'}]
    """
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return list(map(as_plain, value))
    return value


def _date_text(value: object) -> str:
    """Return what JSON has no type for, but TOML has: a date, a date with time, a time."""
    if isinstance(value, date | time):
        return str(value)
    raise TypeError(f"JSON has no form for {type(value).__name__}")
