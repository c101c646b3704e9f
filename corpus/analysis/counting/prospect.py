"""What a pool would count if every candidate became an entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corpus.model.contingency import Margin
from corpus.model.table import Table
from corpus.printing.grid import Grid

#: Printed for candidates that nobody gave a term of an axis.
UNTAGGED = "(untagged)"


def prospect_grid(margins: Iterable[Margin], candidates: Table) -> Grid:
    """Return each axis with the entries of the pool, the candidates, and both.

    A candidate counts for the terms that it carries in a column of the axis's name. One without a
    term, or a table without that column, counts as untagged: the abstract does not tell, or nobody
    looked. Axes whose candidates are all untagged have one row.
    """
    total = len(candidates.rows)
    rows: list[tuple[str, ...]] = []
    for margin in margins:
        name = margin.column.name
        tags: Counter[str] = Counter()
        untagged = total
        if name in candidates.spec.header:
            column = candidates.spec.column(name)
            terms = [column.values(cell) for cell in candidates.column(name)]
            tags.update(term for found in terms for term in set(found))
            untagged = sum(not found for found in terms)
        if untagged < total:
            for row in margin.rows:
                more = tags[row.term]
                rows.append((name, row.term, *map(str, (row.entries, more, row.entries + more))))
        if untagged:
            rows.append((name, UNTAGGED, "", str(untagged), ""))
    entries = max((margin.entries for margin in margins), default=0)
    rows.append(("all", "", str(entries), str(total), str(entries + total)))
    header = ("axis", "term", "pool", "candidates", "together")
    note = "Candidates are not entries; the pool is what it was. Untagged ones may have any term."
    title = "The pool with its candidates"
    return Grid(title, header, tuple(rows), frozenset({2, 3, 4}), note)
