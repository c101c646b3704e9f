"""A document as a text with a place; apart from the study, which counting does without."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """The file behind a document: its path as the user knows it, and its text, to look up lines."""

    file: str
    text: str = ""
