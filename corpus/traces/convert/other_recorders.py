"""Recorders whose files are known by their marks and are not read: what to use instead.

The marks of each are in ``other_recorders.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tomli

from corpus.traces.convert.document import LOOKED_AT, RecordedFile, has_marks
from corpus.traces.convert.lookup import items, record


class OtherRecorder(NamedTuple):
    """A recorder that is recognised only in order to name the way that exists."""

    title: str
    way: str
    marks: Sequence[str]
    weak: Sequence[str]


_TABLE = tomli.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
OTHERS = {
    name: OtherRecorder(
        one["title"], _TABLE["ways"][one["way"]], one.get("marks", ()), one.get("weak", ())
    )
    for name, one in _TABLE["recorders"].items()
}
"""By the name that ``--from`` had for it, or might have."""


def recorder_of(document: RecordedFile, *, weak: bool = False) -> OtherRecorder | None:
    """Return the recorder whose marks a document has, or None."""
    objects = list(_objects(document))
    for other in OTHERS.values():
        for marks in other.weak if weak else other.marks:
            if any(has_marks(one, marks) for one in objects):
                return other
    return None


def _objects(document: RecordedFile) -> Iterator[Any]:
    """Yield the rows, and what is in them: in a list, in ``messages``, or by the name of each."""
    for row in document.rows[:LOOKED_AT]:
        yield row.value
        yield from items(row.value)[:LOOKED_AT]
        yield from items(row.value, "messages")[:LOOKED_AT]
        values = list(record(row.value).values())[:LOOKED_AT]
        if all(isinstance(one, dict) for one in values):
            yield from values
