"""The keys that each part of a codebook may have; any other is a typing error that would be ignored in silence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: Part of the codebook -> its keys. docs/codebook-format.md describes each; a test holds the two against each other.
KEYS: Mapping[str, tuple[str, ...]] = {
    "corpus": (
        *("id", "title", "short_title", "description", "license", "homepage", "cite", "cutoff", "version"),
        *("entry", "entries"),
    ),
    "venues": ("article", "inproceedings", "techreport", "misc"),
    "tables": ("file", "title", "role", "key", "definition", "columns"),
    "tables.columns": (
        *("name", "type", "label", "role", "required", "definition", "vocabulary", "separator", "axis", "references"),
        "mirrors",
    ),
    "vocabularies": ("title", "definition", "not_applicable", "terms", "groups"),
    "vocabularies.terms": ("id", "label", "short", "definition"),
    "vocabularies.groups": ("id", "label", "terms", "definition"),
    "rules": ("id", "table", "when", "then", "reason"),
    "impossible": ("cells", "reason"),
    "crosstabs": ("id", "rows", "columns", "title"),
}


def unknown_keys(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the dotted place of every unknown key in decoded TOML, with what is wrong and which keys there are.

    Only well-formed parts are looked at; the parser says what is wrong with the others.

    Examples
    --------
    >>> list(unknown_keys({"corpus": {"id": "a", "titel": "A"}}))[0]
    ('corpus.titel', "is no key here; did you mean 'title'?")
    """
    for part, place, body in _bodies(data):
        for key in body:
            if key not in KEYS[part]:
                yield f"{place}.{key}", f"is no key here; {_advice(str(key), KEYS[part])}"


def _bodies(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield each part of the codebook that has keys: its kind, its place, its content."""
    for part in ("corpus", "venues"):
        if isinstance(data.get(part), dict):
            yield part, part, data[part]
    for part in ("tables", "vocabularies"):
        named = data.get(part)
        for name, body in named.items() if isinstance(named, dict) else ():
            if isinstance(body, dict):
                yield part, f"{part}.{name}", body
                for inner in ("columns", "terms", "groups"):
                    if f"{part}.{inner}" in KEYS:
                        yield from _listed(body.get(inner), f"{part}.{inner}", f"{part}.{name}.{inner}")
    for part in ("rules", "impossible", "crosstabs"):
        yield from _listed(data.get(part), part, part)


def _listed(items: object, part: str, place: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for number, item in enumerate(items if isinstance(items, list) else (), 1):
        if isinstance(item, dict):
            yield part, f"{place}[{number}]", item


def _advice(key: str, known: tuple[str, ...]) -> str:
    import difflib  # only a wrong key needs it; start-up does not

    close = difflib.get_close_matches(key, known, 1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
