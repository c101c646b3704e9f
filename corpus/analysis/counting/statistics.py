"""Statistics of a corpus as tables, and the overview that fits one screen."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.contingency import Contingency, CrossTabulation, Margin
from corpus.model.table import Table
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid, cut, pad
from corpus.printing.json_document import json_text


class Screening(NamedTuple):
    """Numbers of records; the three mappings each sum to `excluded`.

    `stages` holds every declared stage, also one at which nothing was excluded; sources and query
    families are sorted by descending number.
    """

    retained: int
    excluded: int
    stages: dict[str, int]
    sources: dict[str, int]
    query_families: dict[str, int]

    @property
    def audited(self) -> int:
        """Retained and excluded records together."""
        return self.retained + self.excluded


def screening(retained: int, exclusions: Table, book: Codebook) -> Screening:
    """Count the exclusion log, whose columns are found by their roles.

    Parameters
    ----------
    retained : int
        Entries in the pool.
    exclusions : Table
        The exclusion log.
    book : Codebook
        Declares the stages.
    """
    counts: dict[str, dict[str, int]] = {}
    for role in ("stage", "source", "query_family"):
        values = exclusions.role_column(role) if exclusions.spec.by_role(role) else ()
        ordered = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
        counts[role] = dict(ordered)
    # Stages are declared, so that one without records is 0; sources are whatever the log has.
    stages = {stage: counts["stage"].get(stage, 0) for stage in _stage_labels(book)}
    excluded = len(exclusions.rows)
    return Screening(retained, excluded, stages, counts["source"], counts["query_family"])


def _stage_labels(book: Codebook) -> dict[str, str]:
    """Return the declared stages of the screening with their labels, if the log has any."""
    for spec in book.by_role("exclusions"):
        column = spec.by_role("stage")
        if column is not None and column.type == "term":
            return book.vocabulary_of(column).labels
    return {}


#: Printed for the cells of an axis that are empty.
EMPTY = "(none given)"
#: With fewer terminal cells, two columns would be too narrow for the terms.
_TWO_COLUMNS = 64
#: Terminal cells between the two columns.
_GAP = 4


@dataclass(frozen=True)
class Statistics:
    """What `corpus stats` prints, with the filters that were applied; `as_of` tells up to when."""

    book: Codebook
    margins: Sequence[Margin]
    crosstabs: Sequence[CrossTabulation]
    screening: Screening | None
    entries: int
    filters: tuple[str, ...] = ()
    as_of: str = ""


def whole_statistics(counted: Contingency, logs: Iterable[Table], upto: str = "") -> Statistics:
    """Return the counts of all axes and declared cross-tabulations, and of an exclusion log."""
    book = counted.book
    crosstabs = [counted.crosstab(one.rows, one.columns) for one in book.crosstabs]
    screened = None
    for log in logs:
        screened = screening(counted.entries, log, book)
    margins = list(counted.margins())
    return Statistics(book, margins, crosstabs, screened, counted.entries, as_of=upto)


def share_of(margin: Margin, term: str) -> str:
    """Return a term's share of the entries to which its axis applies, in percent, or nothing."""
    if margin.share(term) is None:
        return ""
    # Not the share times a hundred: 115 of 200 is 57.5 %, but 0.575 * 100 is a little less, and
    # this would round to another percentage than the published number.
    return f"{100 * margin.of(term) / margin.applicable:.0f}%"


def margin_grid(margin: Margin, labels: bool = False) -> Grid:
    """Return one axis as a table of terms, entries and shares; with `labels` for print."""
    total = margin.applicable
    name, terms = _axis_words(margin, labels)
    rows = []
    for row in margin.rows:
        rows.append((terms[row.term], str(row.entries), share_of(margin, row.term)))
    note = f"Share of {total} entries"
    if total < margin.entries:
        absent = terms[margin.vocabulary.not_applicable]
        note += f" of {margin.entries}; {absent} is counted separately"
    if margin.empty:
        note += f"; {margin.empty} of them without any term"
    if margin.column.separator:
        note += f"; {margin.tags} tags, an entry may carry several"
    header = (name, "entries", "share")
    return Grid(margin.column.label, header, tuple(rows), frozenset({1, 2}), note + ".")


def _axis_words(margin: Margin, labels: bool) -> tuple[str, dict[str, str]]:
    """Return what an axis and its terms are called: as in the data, or by their labels."""
    if labels:
        return margin.column.label, margin.vocabulary.labels
    terms = margin.vocabulary.ids
    return margin.column.name, dict(zip(terms, terms, strict=True))


def crosstab_grid(table: CrossTabulation, title: str = "", labels: bool = False) -> Grid:
    """Return a cross-tabulation with its margins; empty cells are 0. With `labels` for print."""
    rows, columns = table.rows, table.columns
    name, downward = _axis_words(rows, labels)
    across_name, across = _axis_words(columns, labels)
    body = []
    for row in rows.rows:
        cells = [str(table.cells[row.term, term]) for term in across]
        body.append((downward[row.term], *cells, str(row.entries)))
    totals = [str(column.entries) for column in columns.rows]
    body.append(("total", *totals, str(table.entries)))
    label = title or f"{rows.column.label} by {columns.column.label.lower()}"
    header = (name, *across.values(), "total")
    # Why the cells of a row need not add up to its total.
    note = ""
    axes = {name: rows, across_name: columns}
    several = [axis for axis, margin in axes.items() if margin.column.separator]
    incomplete = [axis for axis, margin in axes.items() if margin.empty]
    if several:
        note += f"; an entry may carry several terms of {' and '.join(several)}"
    if incomplete:
        note += f"; some have no term of {' or '.join(incomplete)}"
    if note:
        note = f"Totals count entries{note}."
    return Grid(label, header, tuple(body), frozenset(range(1, len(header))), note)


def _excluded_by(found: Screening, book: Codebook) -> dict[str, list[tuple[str, int]]]:
    """Return the numbers of excluded records by stage, source and query family, in print."""
    labels = _stage_labels(book)
    # Pairs, since nothing keeps two stages from having one label.
    return {
        "stage": [(labels.get(stage, stage), number) for stage, number in found.stages.items()],
        "source": list(found.sources.items()),
        "query family": list(found.query_families.items()),
    }


def statistics_grids(statistics: Statistics) -> list[Grid]:
    """Return everything as tables, for Markdown, LaTeX and CSV."""
    titles = {(c.rows, c.columns): c.title for c in statistics.book.crosstabs}
    grids = list(map(margin_grid, statistics.margins))
    for table in statistics.crosstabs:
        names = (table.rows.column.name, table.columns.column.name)
        grids.append(crosstab_grid(table, titles.get(names, "")))
    found = statistics.screening
    if found is not None:
        numbers = [("retained", found.retained), ("excluded", found.excluded)]
        numbers.append(("audited", found.audited))
        grids.append(_counts_grid("Screening", ("records", "count"), numbers))
        for name, counts in _excluded_by(found, statistics.book).items():
            grids.append(_counts_grid(f"Excluded by {name}", (name, "records"), counts))
    return grids


def _counts_grid(title: str, header: tuple[str, str], counts: list[tuple[str, int]]) -> Grid:
    rows = tuple((name, str(number)) for name, number in counts)
    return Grid(title, header, rows, frozenset({1}))


def statistics_json(statistics: Statistics) -> str:
    """Return everything as JSON: counts by axis and term, cells by row and column, screening."""
    axes: dict[str, dict[str, Any]] = {}
    for margin in statistics.margins:
        axes[margin.column.name] = {
            "entries": margin.entries,
            "tags": margin.tags,
            "applicable": margin.applicable,
            "counts": {row.term: row.entries for row in margin.rows},
        }
    crosstabs = []
    for table in statistics.crosstabs:
        cells: dict[str, dict[str, int]] = {}
        for (row_term, column_term), entries in table.cells.items():
            cells.setdefault(row_term, {})[column_term] = entries
        crossed = {"rows": table.rows.column.name, "columns": table.columns.column.name}
        crosstabs.append({**crossed, "cells": cells})
    document: dict[str, Any] = {
        "corpus": statistics.book.corpus["id"],
        "where": list(statistics.filters),
        "entries": statistics.entries,
        "axes": axes,
        "crosstabs": crosstabs,
    }
    screened = statistics.screening
    if screened is not None:
        document["screening"] = {**screened._asdict(), "audited": screened.audited}
    return json_text(document)


def overview(statistics: Statistics, columns: int = 80) -> list[str]:
    """Lay the axes out in two columns (one where `columns` is narrow), the screening below."""
    book, found = statistics.book, statistics.screening
    summary = f"{statistics.entries} {book.corpus['entries']} "
    summary += f"where {' and '.join(statistics.filters)}" if statistics.filters else "retained"
    if found is not None and found.excluded:
        summary += f"; {found.excluded} records excluded, {found.audited} audited"
    if statistics.as_of:
        summary += f"; {statistics.as_of}"
    lines = [cut(terminal(book.corpus["title"]), columns)]
    lines += [*textwrap.wrap(terminal(f"{summary}."), columns), ""]
    is_narrow = columns < _TWO_COLUMNS
    wide = columns if is_narrow else (columns - _GAP) // 2
    blocks = [_block(margin, wide) for margin in statistics.margins]

    def height(split: int) -> int:
        return max(sum(map(len, blocks[:split])), sum(map(len, blocks[split:])))

    # Two columns of about equal height, in order; of equally good splits the first one.
    split = len(blocks) if is_narrow else min(range(1, len(blocks) + 1), key=height, default=0)
    left, right = list(chain(*blocks[:split])), list(chain(*blocks[split:]))
    for first, second in zip_longest(left[:-1], right[:-1], fillvalue=""):
        lines.append((pad(first, wide + _GAP) + second).rstrip())
    if found is not None:
        lines += ["", "screening"]
        for name, counts in _excluded_by(found, book).items():
            if not counts:
                continue
            text = ", ".join(f"{terminal(key)} {n}" for key, n in counts)
            line = f"  by {name.removesuffix(' family'):<8}{text}"
            lines += textwrap.wrap(
                line, max(33, columns), subsequent_indent=" " * 13, break_on_hyphens=False
            )
    return lines


def _block(margin: Margin, columns: int) -> list[str]:
    """Return one axis: a head with what shares are of, a line per term, and an empty line."""
    total = margin.applicable
    of = str(margin.entries)
    if total < margin.entries:
        of = f"{total} of {margin.entries}"
    if margin.column.separator:
        of = f"{of} entries, {margin.tags} tags"
    wide = columns - 11
    lines = [pad(cut(terminal(margin.column.name), columns - 1 - len(of)), columns - len(of)) + of]
    for row in margin.rows:
        term = pad(cut(terminal(row.term), wide), wide)
        lines.append(f"  {term}{row.entries:>4}{share_of(margin, row.term):>5}")
    if margin.empty:
        lines.append(f"  {pad(EMPTY, wide)}{margin.empty:>4}")
    return [*lines, ""]


#: Printed for candidates that nobody gave a term of an axis.
UNTAGGED = "(untagged)"


def prospect_grid(margins: Iterable[Margin], candidates: Table) -> Grid:
    """Return each axis with the entries of the pool, the candidates, and both.

    A candidate counts for the terms that it carries in a column of the axis's name. One without a
    term, or a table without that column, counts as untagged: the abstract does not tell, or nobody
    looked. Axes whose candidates are all untagged have one row.
    """
    total = len(candidates.rows)
    rows = []
    for margin in margins:
        name = margin.column.name
        tags: Counter[str] = Counter()
        untagged = total
        if name in candidates.spec.header:
            column = candidates.spec.column(name)
            for cell in candidates.column(name):
                terms = set(column.values(cell))
                tags.update(terms)
                untagged -= bool(terms)
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
