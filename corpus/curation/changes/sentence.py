"""Values in a sentence: long ones as the part where they differ."""

from corpus.printing.escape import terminal

#: A cell or a title is cut at so many characters in a sentence.
LENGTH = 120
#: So many equal characters are shown on both sides of a difference.
_AROUND = 20


def shown(text: str, length: int = LENGTH) -> str:
    """Return a value as a sentence shows it: no space at an edge is lost, nothing is cut unseen.

    Examples
    --------
    >>> shown("Peat "), shown(""), shown("bog " * 9, 15)
    ('"Peat "', 'empty', '"bog bog bog bo… (23 more characters)')
    """
    # Tables in Markdown and HTML show line breaks and tabs as spaces, and no space at an edge.
    text = terminal(text)
    if text != text.strip():
        text = f'"{text}"'
    if len(text) > length:
        return f"{text[:length]}… ({len(text) - length:,} more characters)"
    return text or "empty"


def arrow(before: str, after: str) -> str:
    """Write what was and what is; of two long values what is between their common ends.

    Examples
    --------
    >>> arrow("wet", "")
    'wet -> empty'
    >>> arrow("peat " * 30 + "is wet", "peat " * 30 + "is dry")
    '…t peat peat peat is wet -> …t peat peat peat is dry'
    """
    if max(len(before), len(after)) <= LENGTH:
        return f"{shown(before)} -> {shown(after)}"
    start = _equal(before, after)
    end = _equal(before[start:][::-1], after[start:][::-1])
    start, end = max(0, start - _AROUND), max(0, end - _AROUND)
    parts = []
    for text in (before, after):
        part = text[start : len(text) - end]
        more = len(part) - 8 * LENGTH
        if more > 0:  # the first and the last difference are at its ends
            part = f"{part[: 4 * LENGTH]}… ({more:,} more characters) …{part[-4 * LENGTH :]}"
        parts.append("…" * bool(start) + shown(part, 80 * LENGTH) + "…" * bool(end))
    return " -> ".join(parts)


def _equal(before: str, after: str) -> int:
    """Return how many characters two texts begin with in common."""
    for place, (old, new) in enumerate(zip(before, after, strict=False)):
        if old != new:
            return place
    return min(len(before), len(after))
