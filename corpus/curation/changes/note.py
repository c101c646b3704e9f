"""What a change does, as notes: all that the text, Markdown, GitHub and JSON reports know.

Every effect of a change yields notes. A new line in the pull-request comment is one more note; a
new table is one more row of :data:`SUBJECTS`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from corpus.curation.changes.sentence import Sentence
from corpus.model.finding import Finding

Item = TypeVar("Item")

#: So many sentences about one subject are printed, and at least one about each group.
SHOWN = 5
#: So many rows of a table are printed, and at least one of each group.
LISTED = 200
#: One row moves many numbers: so many of each kind are printed, unless all are asked for.
FOLDED = 12


@dataclass(frozen=True)
class Note:
    """One thing that a change does.

    Attributes
    ----------
    subject : str
        A key of :data:`SUBJECTS`.
    text : tuple of str and Marked
        The sentence about it; empty where the table alone has it.
    table : tuple of mapping
        The rows that it adds to the table of its subject, with whole values.
    group : str
        The table or document that it is about. No group hides another one.
    finding : Finding or None
        Where GitHub annotates it, and whether it is an error.
    """

    subject: str
    text: Sentence = ()
    table: tuple[Mapping[str, Any], ...] = ()
    group: str = ""
    finding: Finding | None = None

    @property
    def is_error(self) -> bool:
        """Whether the change cannot be merged with it."""
        return self.finding is not None and self.finding.is_error


@dataclass(frozen=True)
class Heading:
    """What notes are about.

    Attributes
    ----------
    title : str
        That of its table.
    columns : str
        The fields of the rows that are printed, each with its head where that is another word;
        empty where the sentences have all of it, so that the table is in JSON alone.
    more : str
        What the notes are called that are counted instead of shown; empty where all are shown.
    follows : bool
        Whether the rows follow from others, so that a few of them tell enough.
    lead : str
        A sentence before the others; what is counted is in braces.
    """

    title: str
    columns: str
    more: str = ""
    follows: bool = False
    lead: str = ""


_PLACE = "place|column|code|message what|hint how to fix it"
_VALUES = "before|after|change"
# fmt: off
#: In the order of the sentences, the most urgent first.
SUBJECTS: Mapping[str, Heading] = {
    "departures": Heading("Entries without a trace", "", "entries leave without a trace"),
    "waivers": Heading("Acceptances of its own", "",
        lead="This change brings {acceptance} of its own, which count as not accepted."),
    "deciding": Heading("Changes what is checked", "file|change"),
    "findings": Heading("Findings", _PLACE, "errors",
        lead="{error} to fix before this can be merged."),
    "inherited": Heading("Findings that are there already", _PLACE, "errors"),
    "weaker_checks": Heading("Weaker checks", "file|place what|words change|state ",
        lead="This change weakens {check}."),
    "releases": Heading("Releases", ""),
    "added": Heading("Rows added", "table|key|shown title or text|tags", "new rows"),
    "removed": Heading("Rows removed", "table|key|shown title or text|tags", "removed rows"),
    "changed": Heading("Cells changed", "table|key|column|before|after", "changed rows"),
    "declarations": Heading("Codebook and documents", "document in|place what|kind |before|after",
        "changes of codebook and documents"),
    "uncorrected": Heading("Cells without a correction", "key|column",
        "cells without a correction"),
    "terms": Heading("Terms", ""),
    "claims": Heading("Claims", "id claim|change |observed|statement", "guards", True),
    "counts": Heading("Counts", f"of|name what|{_VALUES}", "", True),
    "cells": Heading("Cells", "table|row|column|before|after|turns ", "cells fill or empty", True),
    "sparsity": Heading("Sparsity", f"of|name what|{_VALUES}", "", True),
    "numbers": Heading("Numbers in print", "name|before|after", "", True),
    "files": Heading("Changed, not compared", "file|change|kind "),
    "totals": Heading("", ""),
}
# fmt: on


def fair(
    items: Iterable[Item], most: int, group: Callable[[Item], str]
) -> tuple[list[Item], Counter[str]]:
    """Return the first items, at least one of each group, and how many others each group has.

    Examples
    --------
    >>> fair(["a1", "a2", "a3", "a4", "b1"], 2, lambda item: item[0])
    (['a1', 'b1'], Counter({'a': 3}))
    """
    items = list(items)
    ranks: Counter[str] = Counter()
    order = []
    for place, item in enumerate(items):
        order.append((ranks[group(item)], place))
        ranks[group(item)] += 1
    most = max(most, len(ranks))
    if len(items) <= most + 1:  # the line that counts the others would be as long
        return items, Counter()
    kept = sorted(place for _, place in sorted(order)[:most])
    shown = [items[place] for place in kept]
    return shown, ranks - Counter(map(group, shown))
