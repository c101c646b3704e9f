"""The protocol document as headed lists; every corpus decides which sections it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from corpus.publishing.appendix.parts import protocol_items

#: Keys of an item that name it, and that explain it, the preferred one first.
_NAMES = ("label", "name", "title", "id")
_TEXTS = ("text", "definition", "description")


class ProtocolItem(NamedTuple):
    """One item of a part: its name and its text; `more` are further lines, such as queries."""

    name: str
    text: str
    more: tuple[str, ...] = ()


class ProtocolPart(NamedTuple):
    """A headed list of the protocol."""

    title: str
    items: tuple[ProtocolItem, ...]


def protocol_parts(document: Mapping[str, Any]) -> list[ProtocolPart]:
    """Return the lists of a protocol document in its order.

    Examples
    --------
    >>> document = {
    ...     "search_terms": [{"id": "T1", "text": "soil"}],
    ...     "meta": {"limits": ["One lab."]},
    ... }
    >>> for part in protocol_parts(document):
    ...     print(part.title, part.items)
    Search terms (ProtocolItem(name='T1', text='soil', more=()),)
    Limits (ProtocolItem(name='', text='One lab.', more=()),)
    """
    parts: list[ProtocolPart] = []
    for name, items in protocol_items(document):
        if isinstance(items, list):
            title = name.replace("_", " ").capitalize()
            parts.append(ProtocolPart(title, tuple(map(_item, items))))
    return parts


def _item(item: Any) -> ProtocolItem:
    if not isinstance(item, Mapping):
        return ProtocolItem("", str(item))
    more: list[str] = []
    for value in item.values():
        if isinstance(value, list):
            more += map(str, value)
    return ProtocolItem(_first(item, _NAMES), _first(item, _TEXTS), tuple(more))


def _first(item: Mapping[str, Any], keys: Sequence[str]) -> str:
    for key in keys:
        if key in item:
            return str(item[key])
    return ""
