"""The protocol document as headed lists; which sections it has is the corpus's own affair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

_NAMES = ("label", "name", "title", "id")
_TEXTS = ("text", "definition", "description")


class ProtocolItem(NamedTuple):
    """One item of a part: its name and what is said of it; `more` are further lines, such as search strings."""

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
    >>> protocol_parts({"search_terms": [{"id": "T1", "text": "soil"}], "meta": {"limits": ["One lab."]}})
    [ProtocolPart(title='Search terms', items=(ProtocolItem(name='T1', text='soil', more=()),)), \
ProtocolPart(title='Limits', items=(ProtocolItem(name='', text='One lab.', more=()),))]
    """
    parts = []
    for name, value in document.items():
        if isinstance(value, list):
            parts.append(ProtocolPart(_heading(name), tuple(_item(entry) for entry in value)))
        elif isinstance(value, Mapping):
            parts += [
                ProtocolPart(_heading(key), tuple(_item(entry) for entry in inner))
                for key, inner in value.items()
                if isinstance(inner, list)
            ]
    return parts


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _item(entry: Any) -> ProtocolItem:
    if not isinstance(entry, Mapping):
        return ProtocolItem("", str(entry))
    name = next((str(entry[key]) for key in _NAMES if key in entry), "")
    text = next((str(entry[key]) for key in _TEXTS if key in entry), "")
    more = [str(line) for value in entry.values() if isinstance(value, list) for line in value]
    return ProtocolItem(name, text, tuple(more))
