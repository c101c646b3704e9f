"""Author lists as sources write them, split into names."""

import re
from collections.abc import Iterable
from functools import lru_cache

from corpus.curation.importing.names import filled
from corpus.curation.importing.readers.records import Cell, single_texts, texts_of
from corpus.curation.lookup.answers import author

_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}")
#: "Moor BC", as medical databases write a name; a numeral or the short name of an organisation is
#: no initials.
_VANCOUVER = re.compile(
    r"(?P<family>(?=[^,]*[a-zà-ÿ])[^,.]*[^,.\s]) "
    r"(?P<initials>(?!(?:II|III|IV|AI|EU|UK|US)$)(?:[A-Z]\.?-?){1,3})"
)
_AND_OTHERS = re.compile(r"[,;]?(?<!\s)\s*+\b(?:et\.? al\.?|and others)\s*+$", re.IGNORECASE)
_AND = re.compile(r",?(?<!\s)\s++(?:and|&)\s++")
#: DBLP numbers people of one name ("Antonio Rago 0001"); Scopus adds its number of the author
#: ("Ward, Ann (57190000000)").
NUMBER = re.compile(r"(?<=\S)\s++(?:0[0-9]{3}|\([0-9]{5,}\))(?=$|,)")
_WORD_WITH_CASE = re.compile(r"[^\W\d_a-z][\w'’-]*[a-zà-ÿ][\w'’-]*")
_SURE_SEPARATORS = (";", "|", "\u2022")
#: From this share of cells with a sure separator on, a comma is inside a name, never between two.
_SEPARATED_SHARE = 0.2


#: "Ann Ward (ann@bog.example)", "Ward, Ann <ann@bog.example>"
_MAIL = re.compile(
    r"[\s,]{0,8}[(<\[]?(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}[)>\]]?"
)


def split_authors(cell: Cell, comma_is_inside: bool = False) -> tuple[str, ...]:
    """Return names as ``Family, Given``, each once, whatever separates them in the source.

    Parameters
    ----------
    cell : str or tuple of str
        The list as one text, or the names where the source keeps them apart.
    comma_is_inside : bool
        Whether a comma is known to be inside a name, as :func:`commas_are_inside` finds out.

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
    >>> split_authors("Moor, Jakob N.")
    ('Moor, Jakob N.',)
    >>> split_authors("Ann Ward (ann@bog.example); Bo Moor <bo@fen.example>")
    ('Ward, Ann', 'Moor, Bo')
    >>> split_authors("Ward, Ann; Soil Survey Staff; et al.")
    ('Ward, Ann', 'Soil Survey Staff')
    """
    parts: Iterable[str] = cell
    if isinstance(cell, str):
        parts = _split(_AND_OTHERS.sub("", _MAIL.sub("", cell)), comma_is_inside)
    # Two people may have one name: "Kim, S." is in some lists twice.
    return tuple(filter(None, map(_author, parts)))


def commas_are_inside(cells: Iterable[Cell]) -> bool:
    """Whether the cells of a column separate names by more than a comma.

    A single name of such a column ("García López, María José") is one person then, although it
    could be two.
    """
    texts = single_texts(cells)
    separated = sum(map(_has_sure_separator, texts))
    return separated > 0 and separated >= _SEPARATED_SHARE * len(texts)


def _has_sure_separator(text: str) -> bool:
    return any(separator in text for separator in _SURE_SEPARATORS)


def whole_name(name: str) -> str:
    """Put braces around a name of several words that has no given name.

    :func:`split_authors` keeps such a name whole.
    """
    if "," in name or " " not in name:
        return name
    return f"{{{name}}}"


@lru_cache(10_000)
def _author(text: str) -> str:
    text = NUMBER.sub("", _AND_OTHERS.sub("", _MAIL.sub("", text)).strip())
    if text.startswith("{") and text.endswith("}"):
        return " ".join(text[1:-1].split())  # one name as it is, in the manner of BibTeX
    short = _VANCOUVER.fullmatch(text)
    if short:
        text = f"{short['family']}, {short['initials']}"
    return author(text)


def is_cut(cell: Cell) -> bool:
    """Whether a list of authors tells that there are more."""
    return any(map(_AND_OTHERS.search, texts_of(cell)))


def are_uncertain(cell: Cell) -> bool:
    """Whether commas may be between people or inside names: "Ward, Ann, Moor, Bo".

    Names without a letter that has a case are written in one word.
    """
    if not isinstance(cell, str) or _has_sure_separator(cell) or _AND.search(cell):
        return False
    words = list(map(str.strip, cell.split(",")))
    if len(words) < 4 or len(words) % 2 == 1:
        return False
    return all(map(_WORD_WITH_CASE.fullmatch, words))


def _split(text: str, comma_is_inside: bool) -> list[str]:
    for separator in _SURE_SEPARATORS:
        if separator in text:
            return filled(text.split(separator))
    parts = filled(_AND.split(text))
    if len(parts) == 1 and comma_is_inside and text.count(",") == 1:
        return [text]
    pieces = []
    for part in parts:
        pieces += filled(part.split(","))
    # "Ward, Ann and Moor, Bo", as BibTeX writes it: between "and" is at most one comma.
    one_each = all(part.count(",") <= 1 for part in parts) and "," in "".join(parts[:-1])
    if one_each and not all(" " in piece for piece in pieces):
        return parts
    given = pieces[1::2]
    if len(pieces) % 2 == 0 and given and all(map(_INITIALS.fullmatch, given)):
        return [f"{family}, {name}" for family, name in zip(pieces[::2], given, strict=True)]
    if len(pieces) == 2 and len(parts) == 1 and not _VANCOUVER.fullmatch(pieces[0]):
        # "Ward, Ann" is one name.
        has_one_word = " " not in pieces[0] or " " not in pieces[1]
        if has_one_word or pieces[0][:1].islower():
            return [text]
    return pieces
