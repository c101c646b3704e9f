"""Names of authors in a form that compares, and how two lists of them differ."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.model.identifiers import ascii_text, normal_title

#: Family and given name, each in comparable form.
Person = tuple[str, str]
#: The last letter of the Latin alphabet with accents; what is beyond has no ASCII form.
_LAST_LATIN = 0x24F


def persons(cell: str) -> list[Person]:
    """Return the names in a cell, in its order.

    Examples
    --------
    >>> persons("Łoś-Ørsted, Ann; Bog Team")
    [('losorsted', 'ann'), ('bogteam', '')]
    """
    return [person(name) for name in cell.split(";")]


def person(name: str) -> Person:
    """Return a name that is written ``Family, Given``; an organisation has no given name."""
    family, _, given = name.partition(",")
    return name_letters(family), name_letters(given)


def name_letters(text: str) -> str:
    """Return the letters of a name in ASCII; a name in another script is compared as it is.

    Examples
    --------
    >>> name_letters("Ørsted-Weiß"), name_letters("李") == name_letters("王")
    ('orstedweiss', False)
    """
    plain = ascii_text(text) or text.casefold()
    if any(ord(character) > _LAST_LATIN and character.isalpha() for character in text):
        plain = text.casefold()
    return normal_title(plain)


def difference(written: Sequence[Person], stated: Sequence[Person]) -> str:
    """Return in words what differs between two lists of authors that are not equal."""
    family, given = written[-1]
    if "etal" in family + given or family == "others":
        return "names are left out behind 'et al.'"
    if sorted(written) == sorted(stated):
        return "the order differs"
    for name in written:
        turned = (name[1], name[0])
        if name not in stated and turned in stated:
            return f"family and given name of {' '.join(name)} are swapped"
    missing = [name for name in stated if name not in written]
    added = [name for name in written if name not in stated]
    if missing and added:
        return f"{' '.join(added[0])} is written for {' '.join(missing[0])}"
    if missing:
        return f"{' '.join(missing[0])} is missing"
    if added:
        return f"{' '.join(added[0])} is not an author there"
    return "a name appears twice"
