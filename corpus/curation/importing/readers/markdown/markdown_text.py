"""The text of a Markdown paragraph as runs: words with one address and one style each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Any, NamedTuple

#: Between lines that the author broke on purpose, and between lines of the source.
HARD_BREAK, SOFT_BREAK = "\n", "\v"
_BREAKS = {"softbreak": SOFT_BREAK, "hardbreak": HARD_BREAK}
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z]++[0-9]?+)(?P<attributes>[^>]*+)>")
_ATTRIBUTE = re.compile(
    r"""(href|src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE
)
_BARE_ADDRESS = re.compile(r"https?://[^\s<>()\[\]]+")
_STYLES = {
    "strong": "bold",
    "b": "bold",
    "em": "italic",
    "i": "italic",
    "code": "code",
    "kbd": "code",
}


class TextRun(NamedTuple):
    """Words of one style.

    Attributes
    ----------
    text : str
        The words; of an image its alternative text.
    address : str
        Where they link to, or an empty string.
    bold, italic, code, image : bool
        How they are set.
    """

    text: str
    address: str = ""
    bold: bool = False
    italic: bool = False
    code: bool = False
    image: bool = False

    @property
    def is_break(self) -> bool:
        """Whether a new line starts here."""
        return self.text in (HARD_BREAK, SOFT_BREAK)


def runs_of(tokens: Iterable[Any]) -> list[TextRun]:
    """Return the runs of an inline token's children; HTML tags set the style as Markdown does."""
    runs: list[TextRun] = []
    style = {"bold": 0, "italic": 0, "code": 0}
    address = ""

    def add(text: str, **more: Any) -> None:
        shown = {name: count > 0 for name, count in style.items()}
        runs.append(TextRun(text, more.pop("address", address), **{**shown, **more}))

    for token in tokens:
        kind = token.type
        if kind == "text":
            for text, bare in _bare_addresses(token.content):
                add(text, address=address or bare)
        elif kind == "code_inline":
            add(token.content, code=True)
        elif kind == "image":
            add(token.content, image=True, code=False)
        elif kind in _BREAKS:
            add(_BREAKS[kind])
        elif kind in ("strong_open", "em_open"):
            style[_STYLES[kind.removesuffix("_open")]] += 1
        elif kind in ("strong_close", "em_close"):
            style[_STYLES[kind.removesuffix("_close")]] -= 1
        elif kind == "link_open":
            address = str(token.attrGet("href") or "#")  # "[paper]()" leads nowhere
        elif kind == "link_close":
            address = ""
        elif kind == "html_inline":
            tag = _TAG.fullmatch(token.content.strip())
            if tag is None:
                continue
            name = tag["name"].lower()
            attributes = _attributes(tag["attributes"])
            if name == "br":
                runs.append(TextRun(HARD_BREAK))
            elif name == "img":
                add(attributes.get("alt", ""), image=True)
            elif name == "a":
                address = attributes.get("href", "")  # a tag that closes has none
            elif name in _STYLES:
                change = -1 if tag["close"] else 1
                style[_STYLES[name]] = max(style[_STYLES[name]] + change, 0)
    return runs


def _attributes(text: str) -> dict[str, str]:
    found = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found[name.lower()] = unescape("".join(values))
    return found


def _bare_addresses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, addresses written out in it with themselves as address."""
    end = 0
    for match in _BARE_ADDRESS.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], ""
        address = match[0].rstrip(".,;")
        yield address, address
        end = match.start() + len(address)
    if text[end:]:
        yield text[end:], ""


def lines_of(runs: Sequence[TextRun]) -> Iterator[list[TextRun]]:
    """Yield the lines that the author broke on purpose; breaks of the source become spaces."""
    line: list[TextRun] = []
    for run in runs:
        if run.text == HARD_BREAK:
            yield line
            line = []
        elif run.text == SOFT_BREAK:
            line.append(run._replace(text=" "))
        else:
            line.append(run)
    yield line


def plain_text_of(runs: Iterable[TextRun]) -> str:
    """Return the words of runs without images, on one line."""
    # The breaks are whitespace.
    parts = [run.text for run in runs if not run.image]
    return " ".join("".join(parts).split())


def addresses_of(runs: Iterable[TextRun]) -> list[str]:
    """Return the addresses outside the document, each once."""
    found = [run.address for run in runs if is_outward(run.address)]
    return list(dict.fromkeys(found))


def is_outward(address: str) -> bool:
    """Whether an address leads to another site."""
    return re.match(r"https?://[^\s/]", address, re.IGNORECASE) is not None
