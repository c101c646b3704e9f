"""What a change does, as notes: all that the text, Markdown, GitHub and JSON reports know.

Every effect of a change yields notes. A new line in the pull-request comment is one more note.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.model.finding import Finding

#: So many notes about one subject are shown, and at least one of each group.
SHOWN = 5


@dataclass(frozen=True)
class Note:
    """One thing that a change does.

    Attributes
    ----------
    subject : str
        A key of :data:`SUBJECTS`.
    text : str
        The sentence about it. Its sink escapes it.
    record : Any
        The same for JSON, with whole values; None where the sentence is all.
    group : str
        The table or document that it is about. No group hides another one.
    finding : Finding or None
        Where GitHub annotates it, and whether it is an error.
    is_detail : bool
        Whether it follows from other notes, so that it is counted instead of shown.
    """

    subject: str
    text: str
    record: Any = None
    group: str = ""
    finding: Finding | None = None
    is_detail: bool = False

    @property
    def is_error(self) -> bool:
        """Whether the change cannot be merged with it."""
        return self.finding is not None and self.finding.is_error


#: In the order of the report, the most urgent first -> what the notes are called that are counted
#: instead of shown; empty where all are shown.
SUBJECTS: Mapping[str, str] = {
    "waivers": "",
    "deciding": "files that may decide what is checked",
    "findings": "errors",
    "inherited": "errors",
    "weaker_checks": "",
    "releases": "",
    "added": "new rows",
    "removed": "removed rows",
    "changed": "changed rows",
    "declarations": "changes of codebook and documents",
    "terms": "",
    "claims": "claims",
    "counts": "counts",
    "cells": "cells that fill or empty",
    "numbers": "numbers in print",
    "files": "changed files that are not compared",
    "totals": "",
}


def fair(notes: Iterable[Note], most: int) -> tuple[list[Note], Counter[str]]:
    """Return the first notes, at least one of each group, and how many others each group has."""
    notes = list(notes)
    ranks: Counter[str] = Counter()
    order = []
    for place, note in enumerate(notes):
        order.append((ranks[note.group], place))
        ranks[note.group] += 1
    most = max(most, len(ranks))
    if len(notes) <= most + 1:  # the line that counts the others would be as long
        return notes, Counter()
    shown = [notes[place] for place in sorted(place for _, place in sorted(order)[:most])]
    return shown, ranks - Counter(note.group for note in shown)
