"""BibTeX in few bytes: what it shares with other entries and with the tables is on the page once.

A page has the authors, the title and the addresses of an entry in its tables already, and the names
of the fields are the same for most entries. So an entry is a form, which is a list of texts, and
what is written between these texts: a text, or the number of a cell that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: A value of a BibTeX field, or the key. Whatever it matches, form and values give the text again.
_VALUE = re.compile(r"^(?:@\w+\{|[ \t]*[\w-]+[ \t]*= \{{0,2})(.*?)(?=\}{0,2},$)", re.MULTILINE)


def short_bibtex(entries: Mapping[str, str], cells: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return BibTeX as forms and values.

    Parameters
    ----------
    entries : mapping of str to str
        Key of an entry -> its BibTeX.
    cells : mapping of str to sequence of str
        Key of an entry -> the texts that its rows have on the page.

    Returns
    -------
    dict
        ``forms`` is a list of forms. ``entries`` is a dict with a list for each key: the number of
        the form, then the values. A whole number is the position of a cell, in which "; " becomes
        " and ".

    Examples
    --------
    >>> text = "@misc{a,\\n  author = {Poe, Al and Moe, Bo},\\n  year = {2020},\\n}\\n"
    >>> short_bibtex({"a": text}, {"a": ["a", "Poe, Al; Moe, Bo"]})["entries"]
    {'a': [0, 0, 1, '2020']}
    """
    forms: dict[tuple[str, ...], int] = {}
    short: dict[str, list[int | str]] = {}
    for key, text in entries.items():
        positions: dict[str, int] = {}
        for position, cell in enumerate(cells.get(key, ())):
            if cell:
                positions.setdefault(cell.replace("; ", " and "), position)
        form, values = _divided(text)
        number = forms.setdefault(tuple(form), len(forms))
        short[key] = [number, *(positions.get(value, value) for value in values)]
    return {"forms": [list(form) for form in forms], "entries": short}


def _divided(text: str) -> tuple[list[str], list[str]]:
    """Return the texts around the values of an entry, and the values."""
    form: list[str] = []
    values: list[str] = []
    done = 0
    for start, end in _spans(text):
        form.append(text[done:start])
        values.append(text[start:end])
        done = end
    return [*form, text[done:]], values


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _VALUE.finditer(text):
        yield match.span(1)
