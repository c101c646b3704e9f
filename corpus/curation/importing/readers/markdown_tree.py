"""A Markdown document as one tree of HTML elements, and the text of an element as runs.

Lists and tables may be written in Markdown or in HTML, or half and half. As elements of one tree
they are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from corpus.curation.importing.names import listed

_BARE_ADDRESS = re.compile(r"(https?://[^\s<>()\[\]]*[^\s<>()\[\].,;])")
#: What is rendered as a picture, an anchor, an attribute or a note: ":rocket:", "{#papers}",
#: "{: .wide}", "[^1]".
_NO_WORDS = re.compile(
    r"(?<![\w:])(?::[a-z0-9_+-]{1,40}:)+(?![\w:])"
    r"|\{(?::|[#.][\w-])[^{}]{0,200}\}|\[\^[\w-]{1,40}\]"
)
_STYLES = {"strong": "bold", "b": "bold", "em": "italic", "i": "italic", "code": "code"}
LISTS = ("ul", "ol")
HEADINGS = listed("h1, h2, h3, h4, h5, h6")
_VOID = listed("br, hr, img, input, link, meta, source, wbr")
#: Elements that end where another one begins, closed or not. A link or style that is never closed
#: ends with its paragraph.
_ENDED_BY = {
    "li": ("li",),
    "td": ("td", "th", "tr"),
    "th": ("td", "th", "tr"),
    "tr": ("tr",),
    "p": ("p", "table", "tr", *LISTS, *HEADINGS),
    **dict.fromkeys(HEADINGS, ("table", *LISTS, *HEADINGS)),
    **dict.fromkeys(("a", *_STYLES, "span", "font"), ("p", "li", "td", "th", "tr", "table", "h2")),
}
#: Elements inside each other; deeper ones are left out.
_DEEPEST = 100


class Node:
    """An element: its tag, its attributes, its first line and the one behind it, its children."""

    def __init__(self, tag: str, line: int, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.line = line
        self.end = line + 1
        self.attributes = attributes
        self.children: list[Node | str] = []

    @property
    def nodes(self) -> list[Node]:
        """The elements inside."""
        return [child for child in self.children if isinstance(child, Node)]

    def inside(self, wanted: Sequence[str], past: Sequence[str] = ()) -> Iterator[Node]:
        """Yield the outermost elements of some tags inside, without looking into others."""
        for node in self.nodes:
            if node.tag in wanted:
                yield node
            elif node.tag not in past:
                yield from node.inside(wanted, past)


class _Builder(HTMLParser):
    """Builds the tree from the HTML that a document is rendered as."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("", 0, {})]
        self._line = 1
        self._above = 0

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, Any]]) -> None:
        while tag in _ENDED_BY.get(self.open[-1].tag, ()):
            self.open.pop()
        # What is inside "pre" is code already.
        if len(self.open) > _DEEPEST or self.open[-1].tag == "pre":
            return
        node = Node(tag, self._place(), {name: str(value or "") for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self.open) - 1, 0, -1):
            if self.open[place].tag == tag:
                self.open[place].end = max(self.open[place].end, self._place() + 1)
                del self.open[place:]
                return

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def _place(self) -> int:
        """Return the line of the source that is being read."""
        return self._line + self.getpos()[0] - self._above

    def add(self, html: str, lines: Sequence[int] | None) -> None:
        """Add the HTML of a token, given its first line (from 0) and the one behind its last."""
        if lines:
            self._line, self._above = lines[0] + 1, self.getpos()[0]
        depth = len(self.open)
        self.feed(html)
        if lines and len(self.open) > depth:
            self.open[-1].end = lines[1] + 1


def parsed(text: str) -> Node:
    """Return a document as a tree."""
    builder = _Builder()
    markdown = MarkdownIt("commonmark").enable("table")
    for token in markdown.parse(text):
        # Paragraphs of tight lists are elements, too, and no line break is added behind a tag.
        token.hidden = token.block = False
        builder.add(markdown.renderer.render([token], markdown.options, {}), token.map)
    builder.close()
    return builder.open[0]


class TextRun(NamedTuple):
    """Words of one style: of an image its alternative text, and where they link to."""

    text: str
    address: str = ""
    bold: bool = False
    italic: bool = False
    code: bool = False
    image: bool = False


Runs = list[TextRun]
#: Between lines that the author broke on purpose.
BREAK = TextRun("\n")


def runs_of(node: Node, past: Sequence[str] = ()) -> Runs:
    """Return the text of an element, without that of the elements named `past`.

    Neighbours of one address or one style are one run: a title may have code or emphasis in a link.
    """
    runs = [BREAK]
    pieces = _pieces(node, TextRun(""), past)
    for run in (piece for piece in pieces if piece.text or piece.image):
        last = runs[-1]
        is_one_link = run.address and run.address == last.address
        is_one_style = run._replace(text="") == last._replace(text="")
        is_like = is_one_link or is_one_style or (run.bold and last.bold)
        if BREAK in (run, last) or run.image or last.image or not is_like:
            runs.append(run)
        else:
            address = last.address or run.address
            runs[-1] = last._replace(text=last.text + run.text, address=address)
    return runs[1:]


def _pieces(node: Node, like: TextRun, past: Sequence[str]) -> Iterator[TextRun]:
    for child in node.children:
        if isinstance(child, str):
            # Every second part is an address that is written out.
            for number, text in enumerate(_BARE_ADDRESS.split(re.sub(r"\s+", " ", child))):
                address = like.address or (text if number % 2 else "")
                if not (number % 2 or like.code):
                    words = _NO_WORDS.sub("", text)
                    # A cell of a table may say by a picture alone whether something is there.
                    if node.tag == "td" and not words.strip():
                        words = re.sub(r"[:_]+", " ", text)
                    text = words
                yield like._replace(text=text, address=address)
        elif child.tag == "br":
            yield BREAK
        elif child.tag == "img":
            yield like._replace(text=child.attributes.get("alt", ""), image=True)
        elif child.tag not in past:
            style = like
            if child.tag in _STYLES:
                style = like._replace(**{_STYLES[child.tag]: True})  # type: ignore[arg-type]
            elif child.tag == "a":
                # "[paper]()" leads nowhere.
                style = like._replace(address=child.attributes.get("href") or "#")
            yield from _pieces(child, style, past)


def lines_of(runs: Iterable[TextRun]) -> list[Runs]:
    """Return the lines that the author broke on purpose, without empty ones."""
    lines: list[Runs] = [[]]
    for run in runs:
        if run == BREAK:
            lines.append([])
        else:
            lines[-1].append(run)
    return [line for line in lines if plain_text_of(line) or addresses_of(line)]


def plain_text_of(runs: Iterable[TextRun]) -> str:
    """Return the words of runs without images, on one line."""
    return " ".join("".join(run.text for run in runs if not run.image).split())


def addresses_of(runs: Iterable[TextRun]) -> list[str]:
    """Return the addresses outside the document, each once."""
    return list(dict.fromkeys(run.address for run in runs if is_outward(run.address)))


def is_outward(address: str) -> bool:
    """Whether an address leads to another site."""
    return re.match(r"https?://[^\s/]", address, re.IGNORECASE) is not None
