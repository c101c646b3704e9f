"""What kind of column a column is: term, tags, number, address or free text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from itertools import combinations
from typing import NamedTuple

from corpus.curation.check.cells import TYPES
from corpus.curation.importing.hierarchy import (
    BRACES,
    JOINT,
    has_braces,
    nested_paths,
    path_separator,
)
from corpus.curation.importing.loose_dates import read_date
from corpus.curation.importing.readers.records import Cell, texts_of

TERM, TAGS, TEXT, EMPTY = "term", "tags", "text", "empty"
#: Kinds that a user can ask for.
KINDS = (TERM, TAGS, TEXT, "year", "integer", "number", "date", "url")
MAX_TERMS = 60
_MAX_TERM_LENGTH = 60
_MAX_TERM_WORDS = 6
_SEPARATORS = (";", "|", ",", " / ", "/", " + ", " & ")
#: So few values may be long: whole sentences from a list of choices, each used so often.
_MAX_LONG_TERMS = 20
_LONG_USES = 5
_MAX_CHOICE_LENGTH = 300
#: In so many rows one value in all of them is a constant, not an axis with one term.
_CONSTANT_ROWS = 5
#: What people mix within one column.
_MIXED = (";", "|", ",")
#: A semicolon or bar is seldom part of a term; any other separator must shrink the vocabulary to
#: this share.
_CLEARLY = 0.8
#: A separator that no term holds is written between the tags of a cell.
_JOINTS = ("; ", " | ", " / ")


class Kind(NamedTuple):
    """What a column is, and in a few words why; `separators` divide the tags of a source cell."""

    name: str
    separators: tuple[str, ...]
    reason: str


#: Words in the name of a column that make short values terms or tags even where few of them repeat.
_HINTS = {
    TERM: frozenset(
        (
            "type",
            "kind",
            "category",
            "class",
            "status",
            "domain",
            "section",
            "subsection",
            "level",
            "topic",
        )
    ),
    TAGS: frozenset(
        ("tags", "tag", "keywords", "keyword", "labels", "topics", "categories", "types")
    ),
    TEXT: frozenset(("abstract", "summary", "description")),
}


#: Names of columns that programs keep for themselves: they repeat and mean nothing to a survey.
_BOOKKEEPING = frozenset(
    (
        *("page", "pages", "pp", "first page", "start page", "last page", "end page"),
        *("volume", "issue", "number", "issn", "isbn", "eissn", "article number"),
        *("timestamp", "date added", "date modified", "date created", "added", "modified"),
        *("created", "created at", "updated", "updated at", "last modified", "accessed"),
        *("access date", "owner", "user", "username", "added by", "created by", "modified by"),
        *("groups owner", "library catalog", "file", "file attachments", "attachments"),
    )
)
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.{0,20}")


def infer_kind(cells: Sequence[Cell], words: Sequence[str] = (), rows: int = 0) -> Kind:
    """Return what a column is by its cells, empty ones left out, and by the words of its name.

    Parameters
    ----------
    cells : sequence of str or tuple of str
        The filled cells.
    words : sequence of str
        The words of its name.
    rows : int
        Number of rows of the source, which tells a constant from a mark that some rows have.

    Examples
    --------
    >>> infer_kind(["clay", "sand", "clay", "sand", "clay"]).name
    'term'
    >>> infer_kind(["pH; salt", "salt", "pH", "heat; salt", "pH"])
    Kind(name='tags', separators=(';',), reason='3 tags, 7 uses in 5 cells')
    """
    if not cells:
        return Kind(EMPTY, (), "no cell is filled")
    if rows >= _CONSTANT_ROWS and len(cells) == rows and len(set(cells)) == 1:
        return Kind(TEXT, (), "the same in every row")
    if any(isinstance(cell, tuple) for cell in cells):
        hinted = bool(_HINTS[TAGS].intersection(words))
        return _listed(list(map(texts_of, cells)), hinted)
    texts = [cell for cell in cells if isinstance(cell, str)]
    for name, test in _PLAIN.items():
        if all(map(test, texts)):
            return Kind(name, (), f"every cell is {_WORDS[name]}")
    if _HINTS[TEXT].intersection(words) or " ".join(words) in _BOOKKEEPING:
        return Kind(TEXT, (), "by its name")
    if all(map(_TIMESTAMP.fullmatch, texts)):
        return Kind(TEXT, (), "every cell is a time")
    if all(map(_is_mail, texts)):
        return Kind(TEXT, (), "every cell is an e-mail address")
    nested = _nested(texts)
    if nested is not None:
        return nested
    hinted = bool((_HINTS[TERM] | _HINTS[TAGS]).intersection(words))
    single = _vocabulary(texts, hinted)
    several = _tags(texts, hinted)
    if several is not None:
        separators = several[0].separators
        share = _CLEARLY
        if set(separators) <= {";", "|"} or _parts_are_known(texts, separators):
            share = 1.0
        named = bool(_HINTS[TAGS].intersection(words))
        if single is None or named or several[1] <= share * single:
            return several[0]
    if single is not None:
        return Kind(TERM, (), f"{single} values in {len(texts)} cells")
    return Kind(TEXT, (), f"{len(set(texts))} different texts in {len(texts)} cells")


def split_cell(cell: Cell, separators: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a cell, each once."""
    parts = list(texts_of(cell))
    if isinstance(cell, str):
        if BRACES in separators:
            return tuple(dict.fromkeys(nested_paths(cell) or [cell.strip()]))
        for separator in separators:
            pieces: list[str] = []
            for part in parts:
                pieces += part.split(separator)
            parts = pieces
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def values_of(cells: Iterable[Cell], separators: Sequence[str] = ()) -> list[str]:
    """Return the values of all cells, in their order."""
    values: list[str] = []
    for cell in cells:
        values += split_cell(cell, separators)
    return values


def joint(values: Sequence[str]) -> str:
    """Return what to write between several values so that it is in none of them."""
    for separator in _JOINTS:
        if not any(separator.strip() in value for value in values):
            return separator
    return " || "


def _is_year(text: str) -> bool:
    return re.fullmatch(r"(1[89]|20)[0-9]{2}", text) is not None and _passes("year", text)


def _is_date(text: str) -> bool:
    """Return whether a text is a date of any precision, not a code such as 0042."""
    if text.startswith("0") or ":" in text:
        return False
    # "2021/12/21" and "21 Dec 2021" have more than numbers in them.
    is_written = re.search(r"[0-9][/. ]|[A-Za-z]", text) is not None and read_date(text) != ""
    return is_written or _passes("date", text)


def _passes(type_: str, text: str) -> bool:
    """Return whether the checks of a type have nothing against a text."""
    return next(TYPES[type_].trouble(text, date.today()), None) is None


_PLAIN: dict[str, Callable[[str], bool]] = {
    "year": _is_year,
    "integer": partial(_passes, "integer"),
    "number": partial(_passes, "number"),
    "date": _is_date,
    "url": partial(_passes, "url"),
}
_WORDS = {
    "year": "a year",
    "integer": "a whole number",
    "number": "a number",
    "date": "a date",
    "url": "an address",
}


def _is_mail(text: str) -> bool:
    name, sign, host = text.partition("@")
    return bool(name and sign) and "." in host and "@" not in host and not re.search(r"\s", text)


def _short(value: str) -> bool:
    return len(value) <= _MAX_TERM_LENGTH and len(value.split()) <= _MAX_TERM_WORDS


def _fold(value: str) -> str:
    return re.sub(r"[\s_-]+", " ", value).casefold()


def _folded(values: Sequence[str]) -> Counter[str]:
    return Counter(map(_fold, values))


def _vocabulary(values: Sequence[str], hinted: bool = False) -> int | None:
    """Return the number of distinct values where they are few enough to be terms, else None.

    Terms are short, and most of them repeat. Where the name of the column hints at terms they need
    not repeat. Values without letters, such as times, are not terms.
    """
    are_short = sum(map(_short, values)) >= 0.97 * len(values)
    if not are_short and max(map(len, values), default=0) > _MAX_CHOICE_LENGTH:
        return None  # abstracts and lists of references, which are long to compare
    counts = _folded(values)
    # An address would lose its punctuation as a term.
    if any(value.startswith(("https://", "http://")) for value in values):
        return None
    wordlike = sum(map(_is_wordlike, values))
    if len(counts) > MAX_TERMS or 2 * wordlike < len(values):
        return None
    if not are_short and not _are_choices(counts):
        return None
    repeated = sum(number for number in counts.values() if number > 1)
    if not hinted and 2 * repeated < len(values):
        return None
    return len(counts)


def _are_choices(counts: Counter[str]) -> bool:
    """Return whether values are few and used often, as the sentences of a form are."""
    if len(counts) > _MAX_LONG_TERMS or max(map(len, counts)) > _MAX_CHOICE_LENGTH:
        return False
    return counts.total() >= _LONG_USES * len(counts)


def _nested(texts: Sequence[str]) -> Kind | None:
    """Return the kind of cells that are nested classes; None where they are none."""
    if has_braces(texts):
        cells = [split_cell(text, (BRACES,)) for text in texts]
        paths = values_of(cells)
        if _vocabulary([path.rpartition(JOINT)[2] for path in paths], hinted=True) is None:
            return None
        name = TERM
        if any(len(cell) > 1 for cell in cells):
            name = TAGS
        return Kind(name, (BRACES,), f"{len(set(paths))} nested classes in {len(texts)} cells")
    separator = path_separator(texts)
    if not separator:
        return None
    # Paths of files, or addresses without a scheme, seldom repeat.
    if _vocabulary([text.rpartition(separator)[2] for text in texts]) is None:
        return None
    return Kind(TERM, (), f"{len(set(texts))} paths in {len(texts)} cells")


def _is_wordlike(value: str) -> bool:
    """Return whether a value has a letter, or is as short as a code or a level."""
    return len(value) <= 4 or any(character.isalpha() for character in value)


def _tags(texts: Sequence[str], hinted: bool) -> tuple[Kind, int] | None:
    """Return the best way to divide cells into tags that repeat, and the number of tags.

    None where no separator helps. Several separators are taken where people mixed them, which is
    where each makes the vocabulary clearly smaller.
    """
    best: tuple[tuple[str, ...], int] | None = None
    least = max(2, 0.05 * len(texts))
    if hinted:
        least = 1
    for separators in (*((sign,) for sign in _SEPARATORS), *combinations(_MIXED, 2), _MIXED):
        count = _count(texts, separators, least, hinted)
        if count is None:
            continue
        if best is None:
            best = separators, count
            continue
        # A further separator has to be worth it.
        share = 1.0
        if len(separators) > len(best[0]):
            share = _CLEARLY
        if count < share * best[1]:
            best = separators, count
    if best is None:
        return None
    uses = sum(len(split_cell(text, best[0])) for text in texts)
    return Kind(TAGS, best[0], f"{best[1]} tags, {uses} uses in {len(texts)} cells"), best[1]


def _count(
    texts: Sequence[str], separators: tuple[str, ...], least: float, hinted: bool
) -> int | None:
    """Return how many tags separators make of cells; None without enough of them to divide."""
    parted = [split_cell(text, separators) for text in texts]
    divided = sum(len(parts) > 1 for parts in parted)
    if divided < least and not _parts_are_known(texts, separators):
        return None
    return _vocabulary(values_of(parted), hinted)


def _parts_are_known(texts: Sequence[str], separators: tuple[str, ...]) -> bool:
    """Return whether some cells have several values, each of which other cells have alone."""
    parted = [split_cell(text, separators) for text in texts]
    alone = {parts[0] for parts in parted if len(parts) == 1}
    several = values_of(parts for parts in parted if len(parts) > 1)
    return bool(several) and alone.issuperset(several)


def _listed(cells: Sequence[tuple[str, ...]], hinted: bool) -> Kind:
    """Judge cells that the source itself keeps as lists."""
    tags: list[str] = []
    for cell in cells:
        tags += cell
    count = _vocabulary(tags, hinted)
    if count is None:
        return Kind(TEXT, (), f"lists of {len(set(tags))} different texts in {len(cells)} cells")
    if all(len(cell) <= 1 for cell in cells):
        return Kind(TERM, (), f"{count} values in {len(cells)} cells")
    return Kind(TAGS, (), f"{count} tags, {len(tags)} uses in {len(cells)} cells")
