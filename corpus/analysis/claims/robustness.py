"""The margin of a claim: the smallest number of row edits that break it, with the edits that do.

An edit adds, removes or changes one row. What most claims look at is a sum over rows, to which every row adds for
itself: one edit moves it by at most the best that can be done with that row, edits of different rows do not meddle with
each other, and so taking the best rows first needs the fewest. A claim about exact rows or counts falls with the first
edit that moves it, and one about keys of which each has several rows with the rows of one key. Other rules of the
corpus (unique titles, say) are not looked at: the margin is about the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from corpus.analysis.claims.candidates import OTHER, free_key, kinds, new_rows, numbered
from corpus.analysis.claims.claim import Claim, Selection
from corpus.analysis.claims.edits import Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, distinct_values, evaluate
from corpus.analysis.claims.selections import selected, selection_test
from corpus.model.study import Study
from corpus.model.table import Row, Table

Weight = Callable[[str, Row], int]


class Robustness(NamedTuple):
    """How far a claim is from breaking.

    Attributes
    ----------
    edits : int or None
        Smallest number of row edits that break it; 0 where it fails already, None where no row edit can.
    witness : tuple of Edit
        So many edits that do break it; there may be others.
    """

    edits: int | None
    witness: tuple[Edit, ...] = ()


def margin(outcome: ClaimOutcome, corpus: Study) -> Robustness:
    """Find the margin of a claim that was evaluated on this corpus."""
    if not outcome.holds:
        return Robustness(0)
    claim, kind = outcome.claim, outcome.claim.expectation.kind
    if kind in ("count", "at_least", "at_most", "empty"):
        witness = _of_count(claim, int(outcome.number), corpus)
    elif kind == "descending":
        witness = _of_ordering(claim, corpus)
    elif kind == "distinct":
        witness = _of_distinct(claim, corpus)
    elif kind in ("keys", "includes"):
        witness = _first_that_breaks(claim, corpus) or _without_a_key(claim, corpus)
    else:
        witness = _first_that_breaks(claim, corpus)
    return Robustness(None) if witness is None else Robustness(len(witness), tuple(witness))


def _of_count(claim: Claim, number: int, corpus: Study) -> list[Edit] | None:
    """Move a sum of counts across its threshold: below `at_least`, above `at_most`, anywhere from an exact one."""
    kind, value = claim.expectation.kind, claim.expectation.value
    weight = _summed(claim.selections, corpus)
    if kind == "at_least":
        return _shift(claim, corpus, weight, value - 1 - number)
    if kind == "at_most":
        return _shift(claim, corpus, weight, value + 1 - number)
    fewer = _shift(claim, corpus, weight, -1)
    more = _shift(claim, corpus, weight, 1)
    return min((found for found in (fewer, more) if found is not None), key=len, default=None)


def _of_ordering(claim: Claim, corpus: Study) -> list[Edit] | None:
    """Close the gap between two neighbours of an ordering; the pair that takes the fewest edits decides."""
    best: list[Edit] | None = None
    for first, second in pairwise(claim.selections):
        gap = len(selected(first, corpus)) - len(selected(second, corpus))
        weight = _difference(first, second, corpus)
        pair = claim._replace(selections=(first, second))
        found = _shift(pair, corpus, weight, -gap - (1 if claim.expectation.or_equal else 0))
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _summed(parts: Sequence[Selection], corpus: Study) -> Weight:
    """Count in how many of the selections a row is."""
    tests = [(part.table, selection_test(part, corpus)) for part in parts]
    return lambda table, row: sum(passes(row) for name, passes in tests if name == table)


def _difference(first: Selection, second: Selection, corpus: Study) -> Weight:
    """Count 1 for a row of the first selection, -1 for one of the second."""
    plus, minus = _summed([first], corpus), _summed([second], corpus)
    return lambda table, row: plus(table, row) - minus(table, row)


def _shift(claim: Claim, corpus: Study, weight: Weight, by: int) -> list[Edit] | None:
    """Return the fewest edits that move the sum of weights by at least `by` (downwards where negative).

    Every row offers its best edit, a new row of the best kind can be added any number of times; the greatest moves are
    taken first.
    """
    sign = 1 if by > 0 else -1
    offers: list[tuple[int, Edit]] = []
    adding: tuple[int, Edit] | None = None
    for name in dict.fromkeys(part.table for part in claim.selections):
        table = corpus.tables[name]
        parts = [part for part in claim.selections if part.table == name]
        free = free_key(table, parts)
        for row in table.rows:
            now = weight(name, row)
            changed = [changed_row(table, row, cells) for cells in kinds(parts, table, corpus, keyed=False)]
            choices = [(sign * -now, Edit(name, row, None))]
            choices += [(sign * (weight(name, new) - now), Edit(name, row, new)) for new in changed]
            offers.append(max(choices, key=lambda choice: choice[0]))
        once: dict[Row, tuple[int, Edit]] = {}
        for new in new_rows(parts, table, corpus):
            gain = sign * weight(name, new)
            if free and (adding is None or gain > adding[0]):
                adding = (gain, Edit(name, None, new))
            elif not free and gain > once.get(table.key_of(new), (0,))[0]:
                once[table.key_of(new)] = (gain, Edit(name, None, new))
        offers += once.values()
    offers.sort(key=lambda offer: -offer[0])
    return _taken(offers, adding, abs(by), corpus)


def _taken(
    offers: list[tuple[int, Edit]], adding: tuple[int, Edit] | None, wanted: int, corpus: Study
) -> list[Edit] | None:
    """Take the greatest moves until they reach `wanted`; None where they cannot."""
    taken: list[Edit] = []
    reached, waiting = 0, list(reversed(offers))
    while reached < wanted:
        if waiting and (adding is None or waiting[-1][0] >= adding[0]):
            gain, edit = waiting.pop()
        elif adding is not None:
            gain, edit = adding
            edit = numbered(edit, len(taken) + 1, corpus.tables[edit.table])
        else:
            return None
        if gain <= 0:
            return None
        taken.append(edit)
        reached += gain
    return taken


def _first_that_breaks(claim: Claim, corpus: Study) -> list[Edit] | None:
    """Return one edit that breaks a claim about exact rows or counts; the first that is found."""
    for edit in _single_edits(claim, corpus):
        if not evaluate(claim, apply_edits(corpus, [edit])).holds:
            return [edit]
    return None


def _without_a_key(claim: Claim, corpus: Study) -> list[Edit] | None:
    """Take away all rows of the key that has the fewest, where each key stands in several rows."""
    includes = claim.expectation.value if claim.expectation.kind == "includes" else None
    removals: dict[str, dict[Edit, None]] = {}
    for part in claim.selections:
        rows = selected(part, corpus)
        for key, row in zip(corpus.codebook.tables[part.table].names_of(rows), rows, strict=True):
            if includes is None or key in includes:
                removals.setdefault(key, {})[Edit(part.table, row, None)] = None
    return min(map(list, removals.values()), key=len, default=None)


def _single_edits(claim: Claim, corpus: Study) -> Iterator[Edit]:
    """Yield edits of one row that may move a claim: removals of matching rows, changes, additions."""
    for part in claim.selections:
        table = corpus.tables[part.table]
        rows = selected(part, corpus)
        yield from (Edit(part.table, row, None) for row in rows)
        value_of = claim.expectation.value_of
        for zeros in range(18 if value_of else 0):  # the least power of ten that moves a ratio far enough
            cells = {value_of: "1" + "0" * zeros}
            yield from (Edit(part.table, row, changed_row(table, row, cells)) for row in rows)
        if not rows or claim.expectation.kind in ("keys", "counts"):
            first = _counted_cells(claim, table, corpus)
            for row in new_rows([part], table, corpus):
                yield Edit(part.table, None, changed_row(table, row, first))
            for cells in kinds([part], table, corpus, keyed=False):
                yield from (Edit(part.table, row, changed_row(table, row, cells)) for row in table.rows)
    if claim.expectation.kind == "same_keys_as":
        other = corpus.tables[claim.expectation.value]
        yield from (Edit(other.spec.name, row, None) for row in other.rows)
        yield from (Edit(other.spec.name, None, row) for row in new_rows([], other, corpus))


def _counted_cells(claim: Claim, table: Table, corpus: Study) -> dict[str, str]:
    """Return a cell for each column that a claim counts by, but which its selections do not look at."""
    looked_at = {name for part in claim.selections for name in part.columns}
    columns = [table.spec.column(name) for name in claim.expectation.by if name not in looked_at]
    return {c.name: corpus.codebook.vocabulary_of(c).ids[0] if c.type == "term" else OTHER for c in columns}


def _of_distinct(claim: Claim, corpus: Study) -> list[Edit] | None:
    """Add a value that does not occur yet; where there is none, take away the rows of the rarest one."""
    part, by = claim.selections[0], claim.expectation.by[0]
    table = corpus.tables[part.table]
    column = table.spec.column(by)
    rows = selected(part, corpus)
    found = distinct_values(rows, table.spec, by, corpus, claim.expectation.groups)
    terms = corpus.codebook.vocabulary_of(column).ids if column.type == "term" else ("new-value",)
    position = table.spec.position(by)
    for term, row in product(terms, new_rows([part], table, corpus)):
        held = [value for value in column.values(row[position]) if value != term] if column.separator else []
        for cell in (term, column.separator.join([*held, term])):
            edit = numbered(Edit(part.table, None, changed_row(table, row, {by: cell})), 1, table)
            if not evaluate(claim, apply_edits(corpus, [edit])).holds:
                return [edit]
    if not found:
        return None
    fewest = min(found.values(), key=lambda positions: (len(positions), sorted(positions)))
    return [Edit(part.table, rows[position], None) for position in sorted(fewest)]
