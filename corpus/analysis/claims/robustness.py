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
from heapq import nlargest
from itertools import chain, combinations, islice, pairwise, product, repeat
from operator import attrgetter, itemgetter

from corpus.analysis.claims.claim import (
    DECLARED_KINDS,
    Claim,
    RowTest,
    Selection,
    selected,
    selection_test,
)
from corpus.analysis.claims.edits import UNNAMED, Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, distinct_values, evaluate
from corpus.model.codebook import Column
from corpus.model.filters import OneOf
from corpus.model.study import Study
from corpus.model.table import Row, Table, row_picker

#: How much a row of a table adds to the sum that a claim looks at.
Weight = Callable[[str, Row], int]

#: A ratio is moved by a number with so many digits at most.
_MOST_DIGITS = 18
#: So many kinds of rows are tried at most for one claim.
TRIED = 20_000
#: So many combinations of a size are tried at most for one multi-valued cell.
_COMBINATIONS = 200

#: By how much an edit moves the sum of a claim in the wanted direction, and the edit.
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
    if kind in ("count", "at_least", "at_most", "empty"):
        # Below `at_least`, above `at_most`, or away from an exact value.
        value, number = claim.expectation.value, int(outcome.number)
        ways = {"at_least": [value - 1 - number], "at_most": [value + 1 - number]}
        weight = _weight(claim.selections, (), study)
        return _fewest(
            _shift(claim.selections, study, weight, by) for by in ways.get(kind, [-1, 1])
        )
    if kind == "descending":
        return _against_ordering(claim, study)
    if kind in DECLARED_KINDS:
        return None
    for edit in _single_edits(claim, study):
        if not evaluate(claim, apply_edits(study, [edit])).holds:
            return [edit]
    if kind == "distinct":
        return _rows_of_rarest_value(claim, study)
    if kind in ("keys", "includes"):
        return _rows_of_one_key(claim, study)
    return None


def _against_ordering(claim: Claim, study: Study) -> list[Edit] | None:
    """Close the gap between the two neighbours of an ordering that take the fewest edits."""
    # Equal numbers break a strict order; one that allows them takes an edit more.
    surplus = 1 - claim.expectation.least_step
    found = []
    for first, second in pairwise(claim.selections):
        gap = len(selected(first, study)) - len(selected(second, study))
        weight = _weight([first], [second], study)
        found.append(_shift([first, second], study, weight, -gap - surplus))
    return _fewest(found)


def _fewest(found: Iterable[list[Edit] | None]) -> list[Edit] | None:
    """Return the shortest list of edits, the first one of equal length; None without any."""
    possible = [edits for edits in found if edits is not None]
    return min(possible, key=len, default=None)


def _weight(plus: Sequence[Selection], minus: Sequence[Selection], study: Study) -> Weight:
    """Count 1 for each selection of `plus` that a row is in, -1 for each one of `minus`."""
    tests: dict[str, list[tuple[int, RowTest]]] = defaultdict(list)
    for sign, parts in ((1, plus), (-1, minus)):
        for part in parts:
            tests[part.table].append((sign, selection_test(part, study)))

    def weight(table: str, row: Row) -> int:
        return sum(sign for sign, passes in tests[table] if passes(row))

    return weight


def _shift(
    selections: Sequence[Selection], study: Study, weight: Weight, by: int
) -> list[Edit] | None:
    """Return the fewest edits that move the sum of weights by `by` or more (down if negative).

    None where they cannot. Every row offers its best edit, a new row of the best kind can be added
    any number of times; the greatest gains are taken first.
    """
    direction = 1 if by > 0 else -1
    offers = []
    repeatable: list[_Offer] = []
    for name in dict.fromkeys(part.table for part in selections):
        table = study.tables[name]
        parts = [part for part in selections if part.table == name]
        # Each of them gains one at least.
        gains = _gains_of_rows(table, parts, study, weight, direction)
        for gain, row, cells in nlargest(abs(by), gains, key=itemgetter(0)):
            after = None if cells is None else changed_row(table, row, cells)
            offers.append((gain, Edit(name, row, after)))
        # The best for each key, since a table has each key once.
        additions: dict[Row, _Offer] = {}
        for row in new_rows(parts, table, study):
            gain, key = direction * weight(name, row), table.key_of(row)
            if key not in additions or gain > additions[key][0]:
                additions[key] = (gain, Edit(name, None, row))
        if has_free_key(table, parts):
            repeatable += additions.values()
        else:
            offers += additions.values()
    # Sorting is stable: of equal gains the first row of a table is named, so reports stay the same.
    offers.sort(key=itemgetter(0), reverse=True)
    best = max(repeatable, key=itemgetter(0), default=None)
    if best is not None:
        offers = [offer for offer in offers if offer[0] >= best[0]]
    taken: list[Edit] = []
    reached = 0
    # The best new row gains less than any other offer, and can be taken any number of times.
    for gain, edit in chain(offers, repeat(best) if best else ()):
        if gain <= 0:
            break
        if edit.before is None:
            # Each added row needs a key of its own.
            edit = numbered(edit, len(taken) + 1, study.tables[edit.table])
        taken.append(edit)
        reached += gain
        if reached >= abs(by):
            return taken
    return None


def _gains_of_rows(
    table: Table, parts: Sequence[Selection], study: Study, weight: Weight, direction: int
) -> Iterator[tuple[int, Row, Mapping[str, str] | None]]:
    """Yield the rows that one edit moves, by how much, and the cells to write; None to remove it.

    An edit is made only of those that are taken: of 9,000 rows, making one of each took most of
    the time.
    """
    name = table.spec.name
    changes = list(kinds(parts, table, study, keyed=False))
    # A change writes all cells that the claim looks at but the key and the reference to the pool.
    # So rows that are equal there are the same after it.
    kept = {*looked_at(parts)}.difference(changes[0])
    link = table.spec.reference_to(study.pool.spec)
    if link is not None and any(part.agrees for part in parts):
        kept.add(link.name)
    kept_cells = _distinguished_cells(table, parts, kept)
    best_changes: dict[Row, tuple[int, Mapping[str, str] | None]] = {}
    for row in table.rows:
        unchanged = kept_cells(row)
        if unchanged not in best_changes:
            # A change counts only where it does better than a removal, after which it is 0.
            best_changes[unchanged] = (0, None)
            for cells in changes:
                after = direction * weight(name, changed_row(table, row, cells))
                if after > best_changes[unchanged][0]:
                    best_changes[unchanged] = (after, cells)
        after, cells_of_best = best_changes[unchanged]
        gain = after - direction * weight(name, row)
        if gain > 0:
            yield gain, row, cells_of_best


def _distinguished_cells(
    table: Table, parts: Sequence[Selection], names: Iterable[str]
) -> Callable[[Row], Row]:
    """Return a function that picks some cells of a row, all that no test names as the same one.

    Where claims name keys, nearly all rows are the same to them: of 10,000 rows the margins of 26
    claims take 0.5 s with this and 3.5 s by the cells as they are.
    """
    named_cells = []
    for name in names:
        named = _named_cells(table.spec.column(name), parts)
        named_cells.append((table.spec.position(name), named))

    def pick(row: Row) -> Row:
        cells = []
        for position, named in named_cells:
            cell = row[position]
            if named is not None and cell not in named:
                cell = UNNAMED
            cells.append(cell)
        return tuple(cells)

    return pick


def _named_cells(column: Column, parts: Sequence[Selection]) -> set[str] | None:
    """Return the cells of a column that tests tell from all others; None where any two differ."""
    named: set[str] = set()
    for part in parts:
        is_compared = column.name in part.agrees or (column.type == "ref" and part.agrees)
        if column.separator or is_compared:
            return None
        for filter_ in part.filters:
            if filter_.column.name != column.name:
                continue
            # Of two cells that it does not name, one may have a text or be inside a range.
            if not isinstance(filter_, OneOf):
                return None
            named.update(filter_.named)
    return named


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
            edit = Edit(part.table, None, changed_row(table, row, {by: cell}))
            yield numbered(edit, 1, table)


def _rows_of_one_key(claim: Claim, study: Study) -> list[Edit] | None:
    """Remove all rows of the key that has the fewest, where each key has several rows."""
    expected = claim.expectation
    # Selections may overlap, so the edits of a key are a set; a dict keeps their order.
    removals: dict[str, dict[Edit, None]] = defaultdict(dict)
    for part in claim.selections:
        rows = selected(part, study)
        for key, row in zip(study.tables[part.table].spec.names_of(rows), rows, strict=True):
            if expected.kind != "includes" or key in expected.value:
                removals[key][Edit(part.table, row, None)] = None
    return _fewest(map(list, removals.values()))


def _rows_of_rarest_value(claim: Claim, study: Study) -> list[Edit] | None:
    """Remove the rows of the rarest value, where no row can be added with another one."""
    part = claim.selections[0]
    rows = selected(part, study)
    spec = study.tables[part.table].spec
    by = claim.expectation.by[0]
    found = distinct_values(rows, spec, by, study, claim.expectation.groups)
    rarest = min(
        map(sorted, found.values()), key=lambda positions: (len(positions), positions), default=None
    )
    if rarest is None:
        return None
    return [Edit(part.table, rows[position], None) for position in rarest]


def kinds(
    parts: Sequence[Selection], table: Table, study: Study, keyed: bool
) -> Iterator[dict[str, str]]:
    """Yield every kind of row that the selections distinguish, as cells by column.

    Each column takes every value that a test names, and one that none names; `keyed` decides
    whether key cells vary too.
    """
    choices = {}
    for name in looked_at(parts):
        if keyed or name not in table.spec.key:
            choices[name] = _cells_to_try(table.spec.column(name), parts, study)
    for cells in islice(product(*choices.values()), TRIED):
        yield dict(zip(choices, cells, strict=True))


def looked_at(parts: Sequence[Selection]) -> list[str]:
    """Return the columns that any of the selections tests, without repetition."""
    return list(dict.fromkeys(chain.from_iterable(map(attrgetter("columns"), parts))))


def _cells_to_try(column: Column, parts: Sequence[Selection], study: Study) -> list[str]:
    """Return the cells of one column that the selections distinguish."""
    named = {}
    for part in parts:
        for filter_ in part.filters:
            if filter_.column.name == column.name:
                named.update(dict.fromkeys(filter_.named))
    unnamed = [value for value in possible_values(column, study) if value not in named]
    if not any(column.name in part.agrees for part in parts):
        # One unnamed value represents all, unless the cell is compared with another one.
        unnamed = unnamed[:1]
    values = [*named, *unnamed]
    cells = list(values)
    if column.separator:
        for size in range(2, len(values) + 1):
            for some in islice(combinations(values, size), _COMBINATIONS):
                cells.append(column.separator.join(some))
    return cells


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


def has_free_key(table: Table, parts: Sequence[Selection]) -> bool:
    """Whether any number of rows can be added that differ in a key column alone."""
    tested = looked_at(parts)
    for name in table.spec.key:
        if name not in tested and table.spec.column(name).type != "term":
            return True
    return False


def numbered(edit: Edit, number: int, table: Table) -> Edit:
    """Give an added row a key of its own, in its first key column without a particular value."""
    assert edit.after is not None
    for name in table.spec.key:
        if edit.after[table.spec.position(name)] == UNNAMED:
            row = changed_row(table, edit.after, {name: f"new-{number}"})
            return edit._replace(after=row)
    return edit
