"""The typed attributes and the ids of OTLP JSON as plain values."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Any

from corpus.traces.convert.lookup import JsonObject, items, text, value

_HEX = re.compile(r"[0-9a-fA-F]+")
# Lists in lists that are read; the values of the conventions have two levels.
_DEPTH_LIMIT = 8
_PLAIN = (
    "stringValue",
    "intValue",
    "doubleValue",
    "boolValue",
    "string_value",
    "int_value",
    "double_value",
    "bool_value",
)


def attributes(pairs: object) -> JsonObject:
    """Return the attributes of a span as a flat mapping.

    Exporters that write a plain object are read too.
    """
    if isinstance(pairs, dict):
        return {key: one for key, one in pairs.items() if isinstance(key, str)}
    found = {}
    for pair in items(pairs):
        if name := text(pair, "key"):
            found[name] = _plain(value(pair, "value"), _DEPTH_LIMIT)
    return found


def _plain(node: object, depth: int) -> Any:
    if not isinstance(node, dict) or not depth:
        return None
    for key in _PLAIN:
        if key in node:
            return node[key]
    for key in ("arrayValue", "array_value"):
        if key in node:
            return [_plain(one, depth - 1) for one in items(node, key, "values")]
    for key in ("kvlistValue", "kvlist_value"):
        if key in node:
            return _plain_mapping(items(node, key, "values"), depth - 1)
    return None


def _plain_mapping(pairs: Iterable[object], depth: int) -> JsonObject:
    found = {}
    for pair in pairs:
        found[text(pair, "key")] = _plain(value(pair, "value"), depth)
    return found


def hex_id(written: object, digits: int) -> str:
    """Return an id in lower-case hexadecimal; some exporters write base64 instead.

    Examples
    --------
    >>> hex_id("baWWOnbwA5k=", 16), hex_id("F610825402362F79", 16), hex_id(None, 16)
    ('6da5963a76f00399', 'f610825402362f79', '')
    """
    if not isinstance(written, str) or not written or len(written) > 200:
        return ""
    written = written.removeprefix("0x")
    # Hexadecimal first: most such ids are valid base64 as well, of another length.
    if len(written) == digits and _HEX.fullmatch(written):
        return written.lower()
    try:
        raw = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        return written
    return raw.hex() if 2 * len(raw) == digits else written
