"""Recorders whose files are known by their marks and are not read: what to use instead.

The marks of each are in ``other_recorders.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import tomli

from corpus.traces.convert.document import RecordedFile


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
    for other in OTHERS.values():
        if document.has_any(*(other.weak if weak else other.marks)):
            return other
    return None
