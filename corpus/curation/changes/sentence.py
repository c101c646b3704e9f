"""Sentences with code and links in them, and two long values as the places where they differ."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from corpus.printing.escape import markdown, terminal, web_address
from corpus.printing.grid import cut

#: Only such a text becomes a code span: nothing in it could end the span or mean anything outside,
#: and no space is at an edge or beside another one, where a span does not show it.
_SAFE_CODE = re.compile(r"[A-Za-z0-9_.,/=+-]+(?: [A-Za-z0-9_.,/=+-]+)*", re.ASCII)
#: A cell or a title is cut at so many characters in a sentence.
LENGTH = 120
#: Words around a difference, and how many equal words may be between two that are shown as one.
_AROUND, _JOINED = 1, 3
#: Longer texts are compared at both ends alone: the time of a comparison grows with their square.
_MOST_WORDS = 3_000


class Marked(NamedTuple):
    """A part of a sentence that is not plain text: a link where it has an `address`, else code."""

    text: str
    address: str = ""


#: A key, command or column that Markdown shows as code.
code = Marked

Part = str | Marked
Sentence = tuple[Part, ...]


def plain_text(parts: Iterable[Part]) -> str:
    """Write a sentence without markup; a link is its address. The sink escapes the result."""
    return "".join(part if isinstance(part, str) else part.address or part.text for part in parts)


def markdown_text(parts: Iterable[Part]) -> str:
    """Write a sentence as Markdown: code and links work, everything else is escaped.

    Examples
    --------
    >>> print(markdown_text(["run ", code("corpus build"), " for *all*"]))
    run `corpus build` for \\*all\\*
    >>> print(markdown_text(["from ", code("Peat "), " to ", code("Peat")]))
    from "Peat " to `Peat`
    """
    return "".join(map(_markdown_part, parts))


def _markdown_part(part: Part) -> str:
    if isinstance(part, str):
        return markdown(part)
    written = markdown(part.text)
    if part.address:
        address = web_address(part.address)
        if not address:
            return written
        # An address in a link is not a mention, but a reader of the source may take it for one.
        target = address.replace("@", "%40").replace("::", "%3A%3A")
        return f"[{written}]({target})"
    if _SAFE_CODE.fullmatch(part.text):
        return f"`{part.text}`"
    return f'"{written}"' if part.text != part.text.strip() else written


def listed(items: Sequence[Iterable[Part]], most: int = 5) -> Iterator[Part]:
    """Yield the parts of the first items, commas between these, and how many more there are."""
    for number, parts in enumerate(items[:most]):
        if number:
            yield ", "
        yield from parts
    if len(items) > most:
        yield f" and {len(items) - most} more"


def differing_parts(before: str, after: str, separator: str = "") -> list[tuple[str, str]]:
    """Return every place where two texts differ, with a word around it; items of a list whole.

    Examples
    --------
    >>> differing_parts("peat is wet and moss is green today", "peat is dry and moss is green now")
    [('is wet and', 'is dry and'), ('green today', 'green now')]
    >>> differing_parts("fen; bog", "fen; mire", ";")
    [('bog', 'mire')]
    """
    if separator:
        old, new = ([part.strip() for part in text.split(separator)] for text in (before, after))
        around, glue = 0, f"{separator} "
    else:
        old, new = (re.findall(r"\S+|\s{2,}|[^\S ]+", text) for text in (before, after))
        around, glue = _AROUND, " "
    ends = common_start(old, new)
    tail = common_start(old[ends:][::-1], new[ends:][::-1])
    places = [[ends, len(old) - tail, ends, len(new) - tail]]
    if max(len(old), len(new)) - ends - tail <= _MOST_WORDS:
        places = []
        for tag, *place in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            if not separator and places and place[0] - places[-1][1] <= _JOINED:
                places[-1][1::2] = place[1::2]
            else:
                places.append(place)
    found = []
    for start, end, new_start, new_end in places:
        start, new_start = max(0, start - around), max(0, new_start - around)
        was, now = old[start : end + around], new[new_start : new_end + around]
        found.append(_without_start(glue.join(was), glue.join(now)))
    return found


def _without_start(old: str, new: str) -> tuple[str, str]:
    """Return two texts without what both begin with, where a word is as long as a text."""
    start = common_start(old, new) - 8
    if start < LENGTH:
        return old, new
    return f"…{old[start:]}", f"…{new[start:]}"


def shortened(before: str, after: str, length: int, separator: str = "") -> tuple[str, str]:
    """Return two values that differ; of long ones the places where they do, all of them.

    Examples
    --------
    >>> shortened("a " * 90 + "b", "a " * 90 + "c", 20)
    ('… a b', '… a c')
    >>> shortened("a ", "a", 20)
    ('"a "', '"a"')
    """
    # Tables in Markdown and HTML show line breaks and tabs as spaces, and no space at an edge.
    old, new = terminal(before), terminal(after)
    if old != old.strip() or new != new.strip():
        old, new = f'"{old}"', f'"{new}"'
    if max(len(old), len(new)) > length:
        if before and after:
            places = differing_parts(old, new, separator)
            olds, news = zip(*places, strict=True)
            old, new = _joined(olds, old), _joined(news, new)
        old, new = (cut_counting(value, 8 * length) for value in (old, new))
    return old, new


def _joined(parts: Sequence[str], whole: str) -> str:
    text = " … ".join(parts)
    if not whole.startswith(parts[0]) and not text.startswith("…"):
        text = f"… {text}"
    return text if whole.endswith(parts[-1].lstrip("…")) else f"{text} …"


def cut_counting(text: str, length: int) -> str:
    """Cut a text and tell how much of it is left out."""
    if len(text) <= length:
        return text
    return f"{cut(text, length)} ({len(text) - length:,} more characters)"


def values(before: str, after: str, separator: str = "") -> Sentence:
    """Return the two values of what differs; of long ones the places where they do."""
    both = shortened(before, after, LENGTH, separator)
    old, new = (cut_counting(value, 2 * LENGTH) or "empty" for value in both)
    return " from ", code(old), " to ", code(new)


def common_start(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many characters, or other items, two sequences begin with in common."""
    for position, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return position
    return min(len(old), len(new))
