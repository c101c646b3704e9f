"""Awesome lists: Markdown lists and tables under headings, parsed by markdown-it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather

_LEVELS = ("section", "subsection", "subsubsection")
_TRIM = " \t-–—:.,;|·"


def read_markdown(text: str, shown: str) -> Records:  # noqa: ARG001 — all readers share it
    """Read every table row and every list item with a link; the headings above become columns.

    Of an item, the first link is ``title`` and ``url``, further ones are ``links``, the rest is
    ``description``.
    """
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)
    return gather("Markdown", _records(tokens))


def _records(tokens: list[Any]) -> Iterator[ImportedRecord]:
    sections: dict[str, str] = {}
    kind, header, row = "", list[str](), list[Any]()
    depth = 0
    line = 0  # of the nearest token that knows its own; the end of a row does not
    for token in tokens:
        if token.map:
            line = token.map[0] + 1
        if token.type == "heading_open":
            kind, depth = "heading", int(token.tag[1])
        elif token.type in ("list_item_open", "th_open", "td_open"):
            kind = token.type.removesuffix("_open")
        elif token.type == "tr_open":
            row = []
        elif token.type == "thead_open":
            header = []
        elif token.type == "tr_close" and header and row:
            yield ImportedRecord(line, {**sections, **_row(header, row)})
        elif token.type == "inline":
            if kind == "heading":
                _enter(sections, depth, _text(token.children))
            elif kind == "th":
                header.append(_text(token.children) or f"column {len(header) + 1}")
            elif kind == "td":
                row.append(token.children)
            elif kind == "list_item":
                cells = _item(token.children)
                if cells:
                    yield ImportedRecord((token.map or [0])[0] + 1, {**sections, **cells})
            kind = "" if kind != "td" else kind


def _enter(sections: dict[str, str], depth: int, title: str) -> None:
    """Note a heading, forget those below it; level 1 is the document, deeper ones are columns."""
    level = max(depth - 2, -1)
    for name in _LEVELS[max(level, 0) :]:
        sections.pop(name, None)
    if 0 <= level < len(_LEVELS):
        sections[_LEVELS[level]] = title


def _item(children: list[Any]) -> dict[str, Cell]:
    """Take a list item apart; nothing where it has no link (a table of contents, a remark)."""
    links = [(text, address) for text, address in _links(children) if not address.startswith("#")]
    if not links:
        return {}
    title, address = next(((text, address) for text, address in links if text), links[0])
    rest = _text(children, without=title).strip(_TRIM)
    others = tuple(a for _, a in links if a != address)
    cells: dict[str, Cell] = {
        "title": title.strip("“”\"' ") or address,
        "url": address,
        "description": rest,
    }
    return {**cells, "links": others} if others else cells


def _row(header: list[str], row: list[Any]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, children in zip(header, row, strict=False):
        cells[name] = _text(children)
        addresses = [address for _, address in _links(children)]
        if addresses and not cells[name]:
            cells[name] = addresses[0]
        elif addresses and "url" not in cells:
            cells["url"] = addresses[0]
            addresses = addresses[1:]
            if addresses:
                cells[f"{name} links"] = tuple(addresses)
        elif addresses:
            cells[f"{name} links"] = tuple(addresses)
    return cells


def _links(children: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield text and address of every link; a bare address is a link as well."""
    inside: list[str] | None = None
    address = ""
    for token in children:
        if token.type == "link_open":
            inside, address = [], str(token.attrGet("href") or "")
        elif token.type == "link_close" and inside is not None:
            yield "".join(inside).strip(), address
            inside = None
        elif inside is not None:
            inside.append(token.content)
        elif token.type == "text":
            for match in re.finditer(r"https?://[^\s<>()]+", token.content):
                yield "", match[0]


def _text(children: list[Any], without: str = "") -> str:
    """Return the plain text, without images, markup and the first link whose text is `without`."""
    parts: list[str] = []
    link: list[str] | None = None
    left_out = not without
    for token in children:
        if token.type == "link_open":
            link = []
        elif token.type == "link_close" and link is not None:
            text = "".join(link)
            if left_out or text.strip() != without:
                parts.append(text)
            else:
                left_out = True
            link = None
        elif token.type in ("text", "code_inline"):
            (parts if link is None else link).append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return " ".join("".join(parts).split())
