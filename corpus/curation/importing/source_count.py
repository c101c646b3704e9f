"""What a source has by a count of its own, before any reader has looked at it.

The count reads the text with regular expressions over lines. It shares no code with the readers,
so that what a reader does not understand is still counted.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

_SHOWN = 90

#: Of arXiv (twice), DOI, OpenReview, ACL Anthology and DBLP.
_KINDS = (
    r"arxiv\.org/(?:abs|pdf|html|format|ps)/((?:[a-z-]+(?:\.[a-z]{2})?/)?[0-9.]{7,10})",
    r"arxiv:\s?([0-9]{4}\.[0-9]{4,5})",
    r"\b(10\.[0-9]{4,9}/[^\s\"'<>(){}\[\]|`*,;\\^]+)",
    r"openreview\.net/(?:forum|pdf)\?id=([\w-]{6,})",
    r"aclanthology\.org/((?:[0-9]{4}\.[a-z0-9_-]+\.[0-9]+|[a-z][0-9]{2}-[0-9]{4}))",
    r"dblp\.(?:org|uni-trier\.de)/rec/(?:html/)?((?:conf|journals|books|phd)/[\w./-]+)",
)
_IDENTIFIER = re.compile("|".join(_KINDS), re.IGNORECASE)
#: How formats protect characters of an identifier.
_ESCAPES = ((r"{\_}", "_"), (r"\_", "_"), (r"\/", "/"), ("&amp;", "&"), ("%2F", "/"), ("%2f", "/"))
_VERSION = re.compile(r"(?<=[0-9]{4})v[0-9]+$|\.pdf$|\.full$|[./]+$")

_KEYED = r"^[ \t]*(?:- +)?[\"']?{}[\"']?[ \t]*:"
_TITLE_KEYS = ("title", "paper", "name")
#: How a record of a format begins; of several ways the first that occurs.
_BEGINNINGS = {
    "bibtex": (r"^[ \t]*@[ \t]*(?!(?:comment|preamble|string|xdata|set)\b)[a-z]+\s*[{(]",),
    "ris": (r"^TY {0,2}-",),
    "wos": (r"^PT ",),
    "nbib": (r"^PMID *- *[0-9]", r"^OWN *-"),
    "enw": (r"^%0 ",),
    "ovid": (r"^<[0-9]+\.? *>",),
    "xml": (
        r"<(?:record|article|inproceedings|proceedings|book|incollection|phdthesis"
        r"|mastersthesis|www|data)(?: [^>]*)?>(?!\s*</)",
        r"<info>",
    ),
    "jsonl": (r"^[ \t]*\{",),
    "yaml": tuple(map(_KEYED.format, _TITLE_KEYS)),
}
#: Formats whose records are known by their number, not by a line.
_NUMBERED = ("xml", "yaml", "json", "ris")
#: Code and comments, also without an end.
_CODE = re.compile(
    r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*|\Z)|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL
)
#: What begins a block of its own: a row of a table, or an item or a heading with its text.
_BEGIN = re.compile(
    r"(?P<row>[ \t>]*(?:\||<tr\b))|</table"
    r"|[ \t>]*(?P<mark>[-*+](?=[\s\[])|[0-9]{1,4}[.)]|#{1,6})\s*\S",
    re.IGNORECASE,
)
#: "## Light in the fen. 201706. Bog Trust.": a work without a link.
_DATED = re.compile(r"[^.]{20,200}\. .{0,80}\b(?:19|20)[0-9]{2}(?:[0-9]{2})?\b")
#: How a paragraph begins that is a work: with words that are bold or linked.
_TITLE = re.compile(r"\s*(?:(?:\*\*|__)[^*_]{12,}|\[[^\[\]]{12,}\]\(https?://)")
_LABEL_WORDS = (
    "paper papers pdf code project page website homepage github arxiv link video slides blog data "
    "dataset datasets model models demo here html abs bibtex supp poster talk twitter"
)
_LABELS = frozenset(_LABEL_WORDS.split())


class Counted(NamedTuple):
    """A line, or number of a record, and the words there."""

    place: int
    text: str


def count_source(text: str, format_: str) -> tuple[tuple[Counted, ...], Mapping[str, int]]:
    """Count what looks like a work in a source, and every identifier.

    Parameters
    ----------
    text : str
        The text of the file; empty for workbooks, which only their readers can open.
    format_ : str
        The key of the format.

    Returns
    -------
    works : tuple of Counted
        What looks like a work; without places (0) where a format has no lines.
    identifiers : mapping of str to int
        Every different identifier, with the line where it is first.
    """
    works: Iterable[Counted]
    if format_ == "json":
        works = _objects(text)
    elif format_ == "markdown":
        works = _counted_items(text)
    elif format_ in ("csv", "tsv"):
        works = _lines_of_table(text)
    else:
        works = _beginnings(text, format_) if text else ()
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for name in sorted(identifiers_of(line)):
            found.setdefault(name, number)
    if format_ in _NUMBERED:
        works = [Counted(0, words) for _, words in works]
    return tuple(works), found


def identifiers_of(text: str) -> set[str]:
    """Return the identifiers in a text, in the form in which they are compared."""
    for written, meant in _ESCAPES:
        text = text.replace(written, meant)
    names = set()
    for match in _IDENTIFIER.finditer(text):
        name = match[match.lastindex or 0].casefold().rstrip(".:&?!")
        name = _VERSION.sub("", name.removeprefix("10.48550/arxiv."))
        if len(name) > 5:
            names.add(name)
    return names


def _beginnings(text: str, format_: str) -> list[Counted]:
    works = []
    for pattern in _BEGINNINGS[format_]:
        line, counted = 1, 0
        for match in re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE):
            line += text.count("\n", counted, match.start())
            counted = match.start()
            words = text[counted : counted + _SHOWN].partition("\n")[0]
            works.append(Counted(line, words))
        if works:
            break
    return works


def _lines_of_table(text: str) -> Iterator[Counted]:
    """Yield the rows below the first filled line; a break inside quotation marks is none."""
    folded = text
    if text.count('"') % 2 == 0:
        folded = re.sub(r'"[^"]*"', lambda match: match[0].replace("\n", "\x00"), text)
    line, is_header = 1, True
    for row in folded.split("\n"):
        if re.search(r"[^\s,;|\"\x00]", row):
            if not is_header:
                yield Counted(line, row[:_SHOWN].replace("\x00", " "))
            is_header = False
        line += 1 + row.count("\x00")


def _objects(text: str) -> list[Counted]:
    """Return the objects with a title, of the list or object that has most of them."""
    most: Counter[str] = Counter()
    open_values = [json.loads(text, parse_int=str)]
    while open_values:
        value = open_values.pop()
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            open_values += value
            titled: Counter[str] = Counter()
            for each in value:
                titled.update(_title_keys(each))
            most |= titled
    # Where works have titles, what has a name is their authors.
    return [Counted(0, "")] * next((most[key] for key in _TITLE_KEYS if most[key]), 0)


def _title_keys(value: object) -> set[str]:
    """Return under which keys an object, or one inside it, has its title."""
    names: list[str] = []
    if isinstance(value, dict):
        names += value
        for each in value.values():
            if isinstance(each, dict):
                names += each
    return set(map(str.casefold, names)).intersection(_TITLE_KEYS)


def _counted_items(text: str) -> Iterator[Counted]:
    """Yield the items, rows, headings and paragraphs of Markdown that look like works."""
    blocks: list[tuple[int, list[str]]] = []
    is_open = False
    text = _CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(text.split("\n"), 1):
        if is_open and line.strip(" \t|") and not _BEGIN.match(line):
            blocks[-1][1].append(line)
        else:
            blocks.append((number, [line]))
            is_open = line.lstrip()[:1] not in ("", "#")
    # Items around the present one that were counted: what is inside belongs to them.
    inside = -1
    for number, lines in blocks:
        block = " ".join(lines)
        begin = _BEGIN.match(block)
        indent = len(block.expandtabs(4)) - len(block.expandtabs(4).lstrip(" >"))
        if begin and begin["row"]:
            is_work = "://" in block and _has_words(block)
        elif begin and begin["mark"] and indent > inside >= 0:
            has_title = re.search(r"\*\*|\[[^\]\[]{20,300}\]\(", block) is not None
            is_work = has_title and _has_words(block, 4) and _IDENTIFIER.search(block) is not None
        elif begin and begin["mark"]:
            is_work = _is_work(begin["mark"], block)
            inside = -1
            if is_work and begin["mark"][0] != "#":
                inside = indent
        else:
            title = _TITLE.match(block)
            # Without an identifier it takes more words: bold words may be a remark.
            least = 4
            if _IDENTIFIER.search(block):
                least = 1
            is_work = title is not None and _has_words(title[0], least)
            if block.strip() and not indent:
                inside = -1
        if is_work:
            yield Counted(number, _words_of_markup(block)[:_SHOWN])


def _words_of_markup(markup: str) -> str:
    """Return the words of a piece of Markdown or HTML."""
    text = re.sub(r"!\[[^\]\[]{0,300}\]\([^()]{0,300}\)|<[^<>]{0,300}>", " ", markup)
    text = re.sub(r"\]\([^)]*\)", "] ", text)
    text = re.sub(r"https?://\S+", " ", text)
    return " ".join(re.sub(r"[*_`\[\]|]+", " ", text).split())


def _has_words(markup: str, least: int = 1) -> bool:
    words = re.findall(r"\w+", _words_of_markup(markup).casefold())
    return sum(word not in _LABELS and not word.isdigit() for word in words) >= least


def _is_work(marker: str, block: str) -> bool:
    """Whether an item or a heading that is in no work is one."""
    has_link = "://" in block
    if marker[0] == "#":
        is_linked = marker not in ("#", "##") and has_link and _has_words(block, 2)
        return is_linked or _DATED.search(block) is not None
    bold = re.search(r"\*\*([^*]+)\*\*|__([^_]+)__|<(?:b|strong)>([^<]+)<", block)
    is_bold = bold is not None and _has_words(bold[0], 3) and not bold[0].endswith(":**")
    is_numbered = marker[0].isdigit() and _has_words(block, 4)
    return (has_link and _has_words(block)) or (not has_link and (is_bold or is_numbered))
