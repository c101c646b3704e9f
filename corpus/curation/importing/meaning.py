"""Which bibliographic field a column is, by its name and by its cells."""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from corpus.curation.importing.names import ascii_words, listed
from corpus.model.identifiers import find_arxiv, find_doi


class KnownField(NamedTuple):
    """A bibliographic field of a pool: the column that it becomes, and its names in sources.

    Attributes
    ----------
    role, column, type, label, definition : str
        As the codebook declares them.
    names : tuple of str
        Lower-case words of the names that programs and people give it; where two columns are
        filled alike, the one that is named first is taken.
    always : bool
        Whether every pool has the column, filled or not.
    """

    role: str
    column: str
    type: str
    label: str
    definition: str
    names: tuple[str, ...]
    always: bool = False


_DECLARED = tomllib.loads((Path(__file__).parent / "files" / "fields.toml").read_text("utf-8"))
FIELDS = tuple(
    KnownField(role, **{**field, "names": listed(field["names"])})
    for role, field in _DECLARED.items()
)
BY_ROLE = {field.role: field for field in FIELDS}
#: Name in a source -> the role of its field, and how usual the name is for it.
_NAMES: dict[str, tuple[str, int]] = {}
for _field in FIELDS:
    for _rank, _name in enumerate(_field.names):
        _NAMES[_name] = (_field.role, _rank)


def field_by_name(column: str) -> str:
    """Return the role of the field that a column's name means, or an empty string.

    Examples
    --------
    >>> field_by_name("Publication Year"), field_by_name("Author(s)"), field_by_name("Soil type")
    ('year', 'authors', '')
    """
    return _named_field(column)[0]


def name_rank(column: str) -> int:
    """Return how usual a column's name is for its field: 0 for the first in the list."""
    return _named_field(column)[1]


def _named_field(column: str) -> tuple[str, int]:
    words = ascii_words(re.sub(r"([a-z])([A-Z])", r"\1 \2", column))
    joined = _NAMES.get("".join(words), ("", len(_NAMES)))
    return _NAMES.get(" ".join(words), joined)


def field_by_content(values: Sequence[str]) -> str:
    """Return ``doi``, ``arxiv``, ``url`` or ``year`` where nearly all values are one, else ""."""
    if not values:
        return ""
    tests: dict[str, Callable[[str], object]] = {
        "doi": find_doi,
        "arxiv": find_arxiv,
        "url": re.compile(r"https?://\S").match,
        "year": re.compile(r"(19|20)[0-9]{2}").fullmatch,
    }
    for role, test in tests.items():
        # Identifiers within a sentence are of other works.
        found = [text for text in values if test(text) and (role == "url" or " " not in text)]
        if len(found) >= 0.9 * len(values):
            return role
    return ""


_ABSTRACTS = listed(
    "abstract, abstract note, abstractnote, notes abstract, ab, n2, summary, abstract text, "
    "abstract english, article abstract"
)


def is_abstract(column: str) -> bool:
    """Whether a column's name means the abstract, in any dialect of the databases.

    Examples
    --------
    >>> is_abstract("Abstract Note"), is_abstract("notes_abstract"), is_abstract("Abstracted in")
    (True, True, False)
    """
    return " ".join(ascii_words(column)) in _ABSTRACTS
