"""A decoded document in which a string has another value, wherever it is a whole string."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.model.codebook import Codebook


def with_renamed_strings(value: Any, new: Mapping[str, str]) -> Any:
    """Return a decoded document with other strings, as values and as names.

    Examples
    --------
    >>> with_renamed_strings({"fen": ["fen", "a fen", 1]}, {"fen": "marsh"})
    {'marsh': ['marsh', 'a fen', 1]}
    """
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, Mapping):
        renamed = {}
        for name, item in value.items():
            renamed[new.get(name, name)] = with_renamed_strings(item, new)
        return renamed
    if isinstance(value, list):
        return [with_renamed_strings(item, new) for item in value]
    return value


def declared_names(book: Codebook) -> set[str]:
    """Return the names that tables, columns, terms, groups and cross-tabulations have."""
    found = {*book.tables, *book.vocabularies, *book.documents}
    for spec in book.tables.values():
        found.update(spec.header)
    for vocabulary in book.vocabularies.values():
        found.update(vocabulary.ids)
        found.update(group.id for group in vocabulary.groups)
    found.update(crosstab.id for crosstab in book.crosstabs)
    return found
