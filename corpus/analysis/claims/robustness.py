"""The robustness of a claim: the smallest number of row edits that break it, with such edits.

An edit adds, removes or changes one row. What most claims look at is a sum over rows, to which
every row contributes on its own: one edit moves it by at most the best that can be done with that
row, and edits of different rows do not interact. So taking the best rows first needs the fewest
edits. A claim about exact rows or counts breaks with the first edit that moves it, and one about
keys of which each has several rows with the rows of one key. Other rules of the corpus (such as
unique titles) are not considered: robustness is about the claim.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge, nlargest
from itertools import chain, combinations, islice, pairwise, product, repeat, starmap
from operator import attrgetter, itemgetter

from corpus.analysis.claims.claim import DECLARED_KINDS, Claim, Selection, selected, selection_test
from corpus.analysis.claims.edits import UNNAMED, Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, evaluate, names_counted
from corpus.model.codebook import Column
from corpus.model.filters import row_test
from corpus.model.study import Study
from corpus.model.table import Row, Table, picked, row_picker

#: A ratio is moved by a number with so many digits at most.
_MOST_DIGITS = 18
#: So many kinds of rows are tried at most for one claim.
TRIED = 20_000
#: So many combinations of a size are tried at most for one multi-valued cell.
_COMBINATIONS = 200

#: Selections, each with what a row in it adds to the sum that a claim looks at: 1 or -1.
_Signed = list[tuple[int, Selection]]
#: By how much an edit raises such a sum, and the edit.
_Offer = tuple[int, Edit]


def margin(outcome: ClaimOutcome, study: Study) -> int | None:
    """Return the smallest number of row edits that break a claim; see :func:`breaking_edits`."""
    edits = breaking_edits(outcome, study)
    if edits is None:
        return None
    return len(edits)


def breaking_edits(outcome: ClaimOutcome, study: Study) -> list[Edit] | None:
    """Return the fewest edits of rows that break a claim; there may be others.

    The claim was evaluated on this study. There are none where it fails already; None where no edit
    of a row can break it.
    """
    claim, kind = outcome.claim, outcome.kind
    if not outcome.holds:
        return []
    if kind in DECLARED_KINDS:
        return None
    # Of a claim about a sum over rows: what to raise, and by how much.
    ways: list[tuple[_Signed, int]] = []
    if kind in ("count", "at_least", "at_most", "empty"):
        slack = int(outcome.number) - claim.expectation.value
        # Below `at_least`, above `at_most`, or away from an exact value.
        if kind != "at_most":
            ways.append((list(product([-1], claim.selections)), slack + 1))
        if kind != "at_least":
            ways.append((list(product([1], claim.selections)), 1 - slack))
    elif kind == "descending":
        for first, second in pairwise(claim.selections):
            gap = len(selected(first, study)) - len(selected(second, study))
            # Equal numbers break a strict order; one that allows them takes an edit more.
            by = gap + 1 - claim.expectation.least_step
            ways.append(([(-1, first), (1, second)], by))
    if ways:
        return _fewest(starmap(partial(_raised, study), ways))
    for edit in _single_edits(claim, study):
        if not evaluate(claim, apply_edits(study, [edit])).holds:
            return [edit]
    if kind in ("distinct", "keys", "includes"):
        return _rows_of_rarest(claim, study)
    if kind == "share":
        # More rows that match, or fewer, until it rounds otherwise.
        for by, sign in product(range(2, len(study.pool.rows) + 2), (1, -1)):
            edits = _raised(study, [(sign, claim.selections[0])], by)
            if edits and not evaluate(claim, apply_edits(study, edits)).holds:
                return edits
    return None


def _fewest(found: Iterable[list[Edit] | None]) -> list[Edit] | None:
    """Return the shortest list of edits, the first one of equal length; None without any."""
    possible = [edits for edits in found if edits is not None]
    return min(possible, key=len, default=None)


def _raised(study: Study, signed: _Signed, by: int) -> list[Edit] | None:
    """Return the fewest edits that raise the sum over all rows by `by` or more.

    None where they cannot. Every row offers its best edit, a new row of the best kind can be added
    any number of times; the greatest gains are taken first.
    """
    offers: list[_Offer] = []
    repeatable: list[_Offer] = []
    by_table: dict[str, _Signed] = defaultdict(list)
    for sign, part in signed:
        by_table[part.table].append((sign, part))
    for name, own in by_table.items():
        table, weight = study.tables[name], row_weight(own, study)
        parts = [part for _, part in own]
        # Each of them gains one at least.
        gains = _gains_of_rows(table, parts, study, weight)
        for gain, row, cells in nlargest(by, gains, key=itemgetter(0)):
            after = None if cells is None else changed_row(table, row, cells)
            offers.append((gain, Edit(name, row, after)))
        # The best for each key, since a table has each key once.
        additions: dict[Row, _Offer] = {}
        for row in sorted(new_rows(parts, table, study), key=weight, reverse=True):
            additions.setdefault(table.key_of(row), (weight(row), Edit(name, None, row)))
        # Any number of rows can be added that differ in a key column alone, where none is tested.
        untested = set(table.spec.key).difference(looked_at(parts))
        if any(table.spec.column(name).type != "term" for name in untested):
            repeatable += additions.values()
        else:
            offers += additions.values()
    # Sorting is stable: of equal gains the first row of a table is named, so reports stay the same.
    offers.sort(key=itemgetter(0), reverse=True)
    best = nlargest(1, repeatable, key=itemgetter(0))
    taken: list[Edit] = []
    reached = 0
    for gain, edit in merge(offers, *map(repeat, best), key=itemgetter(0), reverse=True):
        if gain <= 0:
            break
        if edit.before is None:
            # Each added row needs a key of its own.
            edit = numbered(edit, len(taken) + 1, study.tables[edit.table])
        taken.append(edit)
        reached += gain
        if reached >= by:
            return taken
    return None


def row_weight(signed: _Signed, study: Study) -> Callable[[Row], int]:
    """Return a function that tells what a row of a table adds to the sum."""
    tests = [(sign, selection_test(part, study)) for sign, part in signed]
    return lambda row: sum(sign for sign, passes in tests if passes(row))


def _gains_of_rows(
    table: Table, parts: Sequence[Selection], study: Study, weight: Callable[[Row], int]
) -> Iterator[tuple[int, Row, Mapping[str, str] | None]]:
    """Yield the rows that one edit moves, by how much, and the cells to write; None to remove it.

    An edit is made only of those that are taken: of 9,000 rows, making one of each took most of
    the time.
    """
    spec = table.spec
    changes = list(kinds(parts, table, study, keyed=False))
    # A change writes all cells that the claim looks at but the key and the reference to the pool.
    # So rows are the same after it where these pass the same tests. To claims that name keys, that
    # are nearly all rows: by the cells as they are, 10,000 rows would take seven times as long.
    tests = []
    for part in parts:
        of_key = [filter_ for filter_ in part.filters if filter_.column.name in spec.key]
        if of_key:
            tests.append(row_test(of_key, spec.header))
    compared: list[int] = []
    if any(map(attrgetter("agrees"), parts)):
        compared = [*spec.key_positions, *spec.references_to(study.pool.spec)]
    bests: dict[tuple[object, ...], tuple[int, Mapping[str, str] | None]] = {}
    for row in table.rows:
        unchanged = (*picked(row, compared), *[passes(row) for passes in tests])
        if unchanged not in bests:
            afters = [(weight(changed_row(table, row, cells)), cells) for cells in changes]
            # A change counts only where it does better than a removal, after which it is 0.
            bests[unchanged] = max([(0, None), *afters], key=itemgetter(0))
        after, cells_of_best = bests[unchanged]
        gain = after - weight(row)
        if gain > 0:
            yield gain, row, cells_of_best


def _single_edits(claim: Claim, study: Study) -> Iterator[Edit]:
    """Yield edits of one row that may move a claim."""
    expected = claim.expectation
    if expected.kind == "distinct":
        yield from _rows_with_another_value(claim, study)
        return
    for part in claim.selections:
        rows = selected(part, study)
        for row in rows:
            yield Edit(part.table, row, None)
        if expected.value_of:
            table = study.tables[part.table]
            # One of the powers of ten moves a ratio far enough.
            for zeros, row in product(range(_MOST_DIGITS), rows):
                number = {expected.value_of: "1" + "0" * zeros}
                yield Edit(part.table, row, changed_row(table, row, number))
        if not rows or expected.kind in ("keys", "counts"):
            yield from _rows_that_enter(claim, part, study)
    if expected.kind == "same_keys_as":
        other = study.tables[expected.value]
        for row in other.rows:
            yield Edit(expected.value, row, None)
        for row in new_rows([], other, study):
            yield Edit(expected.value, None, row)


def _rows_that_enter(claim: Claim, part: Selection, study: Study) -> Iterator[Edit]:
    """Yield additions and changes that may bring a row into a selection."""
    table = study.tables[part.table]
    # What the claim counts by but does not select by needs some cell, too.
    counted = {}
    for name in set(claim.expectation.by) - set(looked_at(claim.selections)):
        counted[name] = possible_values(table.spec.column(name), study)[0]
    for row in new_rows([part], table, study):
        yield Edit(part.table, None, changed_row(table, row, counted))
    for cells in kinds([part], table, study, keyed=False):
        for row in table.rows:
            yield Edit(part.table, row, changed_row(table, row, cells))


def _rows_with_another_value(claim: Claim, study: Study) -> Iterator[Edit]:
    """Yield additions of rows with each value that a claim about different values may count."""
    part = claim.selections[0]
    by = claim.expectation.by[0]
    table = study.tables[part.table]
    column = table.spec.column(by)
    position = table.spec.position(by)
    for term, row in product(possible_values(column, study), new_rows([part], table, study)):
        cells = [term]
        if column.separator:
            # The selection may need the values that the cell has already.
            others = [value for value in column.values(row[position]) if value != term]
            cells.append(column.separator.join([*others, term]))
        for cell in cells:
            yield Edit(part.table, None, changed_row(table, row, {by: cell}))


def _rows_of_rarest(claim: Claim, study: Study) -> list[Edit] | None:
    """Remove all rows of the key, or of the value, that has the fewest."""
    expected = claim.expectation
    # Selections may overlap, so the edits are a set; a dict keeps their order.
    removals: dict[str, dict[Edit, None]] = defaultdict(dict)
    for part in claim.selections:
        rows = selected(part, study)
        for row, names in zip(rows, names_counted(expected, part, rows, study), strict=True):
            for name in names:
                if expected.kind != "includes" or name in expected.value:
                    removals[name][Edit(part.table, row, None)] = None
    return _fewest(map(list, removals.values()))


def kinds(
    parts: Sequence[Selection], table: Table, study: Study, keyed: bool
) -> Iterator[dict[str, str]]:
    """Yield every kind of row that the selections distinguish, as cells by column.

    Each column takes every value that a test names, and one that none names; `keyed` decides
    whether key cells vary too.
    """
    choices = {}
    for name in looked_at(parts):
        column = table.spec.column(name)
        if name in table.spec.key and not keyed:
            continue
        named = {}
        for part in parts:
            for filter_ in part.filters:
                if filter_.column.name == name:
                    named.update(dict.fromkeys(filter_.named))
        unnamed = [value for value in possible_values(column, study) if value not in named]
        if not any(name in part.agrees for part in parts):
            # One unnamed value represents all, unless the cell is compared with another one.
            unnamed = unnamed[:1]
        values = [*named, *unnamed]
        choices[name] = list(values)
        if column.separator:
            for size in range(2, len(values) + 1):
                some = islice(combinations(values, size), _COMBINATIONS)
                choices[name] += map(column.separator.join, some)
    for cells in islice(product(*choices.values()), TRIED):
        yield dict(zip(choices, cells, strict=True))


def looked_at(parts: Sequence[Selection]) -> list[str]:
    """Return the columns that any of the selections tests, without repetition."""
    return list(dict.fromkeys(chain.from_iterable(map(attrgetter("columns"), parts))))


def possible_values(column: Column, study: Study) -> Sequence[str]:
    """Return the terms of a column, or one value that no claim names where it has none."""
    return study.codebook.terms_of(column) or (UNNAMED,)


def new_rows(parts: Sequence[Selection], table: Table, study: Study) -> Iterator[Row]:
    """Yield a new row of every kind whose key the table does not have yet."""
    spec = table.spec
    keyed = {name: possible_values(spec.column(name), study)[0] for name in spec.key}
    empty = changed_row(table, ("",) * len(spec.columns), keyed)
    # A row with a key that is there would not be one more row, but a duplicate.
    keys = set(table.keys())
    key_cells = row_picker(spec.key_positions)
    for cells in kinds(parts, table, study, keyed=True):
        row = changed_row(table, empty, cells)
        if key_cells(row) not in keys:
            yield row


def numbered(edit: Edit, number: int, table: Table) -> Edit:
    """Give an added row a key of its own, in its first key column without a particular value."""
    assert edit.after is not None
    for name in table.spec.key:
        if edit.after[table.spec.position(name)] == UNNAMED:
            row = changed_row(table, edit.after, {name: f"new-{number}"})
            return edit._replace(after=row)
    return edit
