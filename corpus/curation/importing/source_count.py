"""What a source has by a count of its own, before any reader has looked at it.

The count reads the text with regular expressions. It shares no code with the readers, so that what
a reader does not understand is still counted: records where a format has a beginning of its own
for them, and identifiers everywhere.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping

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


def count_source(text: str, format_: str) -> tuple[int, Mapping[str, int]]:
    """Count the records of a source, and find every identifier.

    Parameters
    ----------
    text : str
        The text of the file; empty for workbooks, which only their readers can open.
    format_ : str
        The key of the format.

    Returns
    -------
    records : int
        0 where the format has no beginning of a record: Markdown and workbooks.
    identifiers : mapping of str to int
        Every different identifier, with the line where it is first.
    """
    number = 0
    if format_ == "json":
        number = _objects(text)
    elif format_ in ("csv", "tsv"):
        number = _rows(text)
    for pattern in _BEGINNINGS.get(format_, ()):
        number = number or len(re.findall(pattern, text, re.MULTILINE | re.IGNORECASE))
    found: dict[str, int] = {}
    for line, words in enumerate(text.split("\n"), 1):
        for name in sorted(identifiers_of(words)):
            found.setdefault(name, line)
    return number, found


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


def _rows(text: str) -> int:
    """Return the rows below the first filled line; a break inside quotation marks is none."""
    if text.count('"') % 2 == 0:
        text = re.sub(r'"[^"]*"', lambda match: match[0].replace("\n", " "), text)
    return max(len(re.findall(r"^.*[^\s,;|\"].*$", text, re.MULTILINE)) - 1, 0)


def _objects(text: str) -> int:
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
    return next((most[key] for key in _TITLE_KEYS if most[key]), 0)


def _title_keys(value: object) -> set[str]:
    """Return under which keys an object, or one inside it, has its title."""
    names: list[str] = []
    if isinstance(value, dict):
        names += value
        for each in value.values():
            if isinstance(each, dict):
                names += each
    return set(map(str.casefold, names)).intersection(_TITLE_KEYS)
