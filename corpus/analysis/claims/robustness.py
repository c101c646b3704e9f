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
from heapq import merge, nlargest
from itertools import chain, combinations, islice, pairwise, product, repeat, takewhile
from operator import attrgetter, itemgetter

from corpus.analysis.claims.claim import DECLARED_KINDS, Claim, Selection, selected, selection_test
from corpus.analysis.claims.edits import UNNAMED, Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, evaluate, names_counted
from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Row, Table, picked

#: A ratio is moved by one of these numbers, if by any.
_GREAT_NUMBERS = tuple(f"1{'0' * zeros}" for zeros in range(18))
#: So many kinds of rows are tried at most for one claim.
_TRIED = 20_000
#: So many combinations of a size are tried at most for one multi-valued cell.
_COMBINATIONS = 200

#: Selections, each with what a row in it adds to the sum that a claim looks at: 1 or -1.
_Signed = list[tuple[int, Selection]]
#: By how much an edit raises such a sum, and the edit.
_Offer = tuple[int, Edit]


def margin(outcome: ClaimOutcome, study: Study) -> int | None:
    """Return the smallest number of row edits that break a claim; see :func:`breaking_edits`."""
    edits = breaking_edits(outcome, study)
    return None if edits is None else len(edits)


def breaking_edits(outcome: ClaimOutcome, study: Study) -> list[Edit] | None:
    """Return the fewest edits of rows that break a claim; there may be others.

    The claim was evaluated on this study. There are none where it fails already; None where no edit
    of a row can break it.
    """
    claim, kind = outcome.claim, outcome.kind
    parts = claim.selections
    if not outcome.holds:
        return []
    if kind in DECLARED_KINDS:
        return None
    # Of a claim about a sum over rows: by how much to raise or lower it.
    ways: list[list[Edit] | None] = []
    if kind in ("count", "at_least", "at_most", "empty"):
        slack = int(outcome.number) - claim.expectation.value
        # Below `at_least`, above `at_most`, or away from an exact value.
        if kind != "at_most":
            ways.append(_raised(study, list(product([-1], parts)), slack + 1))
        if kind != "at_least":
            ways.append(_raised(study, list(product([1], parts)), 1 - slack))
        return min(filter(None, ways), key=len, default=None)
    if kind == "descending":
        for first, second in pairwise(parts):
            gap = len(selected(first, study)) - len(selected(second, study))
            # Equal numbers break a strict order; one that allows them takes an edit more.
            by = gap + 1 - claim.expectation.least_step
            ways.append(_raised(study, [(-1, first), (1, second)], by))
        return min(filter(None, ways), key=len, default=None)
    tried: Iterable[list[Edit] | None] = _edits_of_rows(claim, study)
    if kind == "share":
        # More rows that match, or fewer, until it rounds otherwise.
        steps = product(range(1, len(study.pool.rows) + 2), (1, -1))
        tried = (_raised(study, [(sign, parts[0])], by) for by, sign in steps)
    for edits in filter(None, tried):
        if not evaluate(claim, apply_edits(study, edits)).holds:
            return edits
    return None


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
        table, weight = study.tables[name], _row_weight(own, study)
        parts = [part for _, part in own]
        # Each of them gains one at least.
        gains = _gains_of_rows(table, parts, study, weight)
        for gain, row, cells in nlargest(by, gains, key=itemgetter(0)):
            after = None if cells is None else changed_row(table, row, cells)
            offers.append((gain, Edit(name, row, after)))
        # The best for each key, since a table has each key once.
        additions: dict[Row, _Offer] = {}
        for row in sorted(_new_rows(parts, table, study), key=weight, reverse=True):
            additions.setdefault(table.key_of(row), (weight(row), Edit(name, None, row)))
        # Any number of rows can be added that differ in a key column alone, where none is tested.
        untested = set(table.spec.key).difference(_looked_at(parts))
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
        taken.append(_numbered(edit, len(taken) + 1, study.tables[edit.table]))
        reached += gain
        if reached >= by:
            return taken
    return None


def _row_weight(signed: _Signed, study: Study) -> Callable[[Row], int]:
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
    changes = list(_kinds(parts, table, study, keyed=False))
    # A change writes all cells that the claim looks at but the key and the reference to the pool,
    # so rows with the same cells there have the same best change.
    kept = [spec.position(name) for name in _looked_at(parts) if name in spec.key]
    if any(map(attrgetter("agrees"), parts)):
        kept = [*spec.key_positions, *spec.references_to(study.pool.spec)]
    bests: dict[Row, tuple[int, Mapping[str, str] | None]] = {}
    for row in table.rows:
        unchanged = picked(row, kept)
        if unchanged not in bests:
            afters = [(weight(changed_row(table, row, cells)), cells) for cells in changes]
            # A change counts only where it does better than a removal, after which it is 0.
            bests[unchanged] = max([(0, None), *afters], key=itemgetter(0))
        after, cells_of_best = bests[unchanged]
        gain = after - weight(row)
        if gain > 0:
            yield gain, row, cells_of_best


def _edits_of_rows(claim: Claim, study: Study) -> Iterator[list[Edit]]:
    """Yield edits that may break a claim about which rows there are, or about their values.

    To remove all rows of a name, or of a value that is counted, always does, and so does a row of
    another name or value.
    """
    expected = claim.expectation
    parts = list(claim.selections)
    if expected.kind == "same_keys_as":
        parts.append(Selection(expected.value))
    named: dict[tuple[str, str], list[Edit]] = defaultdict(list)
    for part in parts:
        rows = selected(part, study)
        for row, names in zip(rows, names_counted(expected, part, rows, study), strict=True):
            for name in names:
                if expected.kind != "includes" or name in expected.value:
                    named[part.table, name].append(Edit(part.table, row, None))
    removals = sorted(named.values(), key=len)
    yield from takewhile(lambda edits: len(edits) == 1, removals)
    for part in parts:
        table, varied = study.tables[part.table], {}
        for name in expected.by:
            varied[name] = _possible_values(table.spec.column(name), study)
        if expected.value_of:
            varied[expected.value_of] = _GREAT_NUMBERS
        for row in _new_rows([part], table, study, varied):
            yield [_numbered(Edit(part.table, None, row), 1, table)]
        # A row of another name can nearly always be added.
        if expected.value_of or not removals:
            for cells, row in product(_kinds([part], table, study, False, varied), table.rows):
                yield [Edit(part.table, row, changed_row(table, row, cells))]
    yield from removals


def _kinds(
    parts: Sequence[Selection],
    table: Table,
    study: Study,
    keyed: bool,
    varied: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[dict[str, str]]:
    """Yield every kind of row that the selections distinguish, as cells by column.

    Each column takes every value that a test names, and one that none names; `keyed` decides
    whether key cells vary too. Columns of `varied` take its values.
    """
    choices: dict[str, Sequence[str]] = {}
    for name in _looked_at(parts):
        named: dict[str, None] = {}
        for part in parts:
            for filter_ in part.filters:
                if filter_.column.name == name:
                    named.update(dict.fromkeys(filter_.named))
        column = table.spec.column(name)
        unnamed = [value for value in _possible_values(column, study) if value not in named]
        if not any(name in part.agrees for part in parts):
            # One unnamed value represents all, unless the cell is compared with another one.
            unnamed = unnamed[:1]
        choices[name] = [*named, *unnamed]
    choices |= varied or {}
    for name, values in choices.items():
        separator = table.spec.column(name).separator
        if separator:
            for size in range(2, len(values) + 1):
                some = islice(combinations(values, size), _COMBINATIONS)
                choices[name] = [*choices[name], *map(separator.join, some)]
    if not keyed:
        choices = {name: cells for name, cells in choices.items() if name not in table.spec.key}
    for row in islice(product(*choices.values()), _TRIED):
        yield dict(zip(choices, row, strict=True))


def _looked_at(parts: Sequence[Selection]) -> list[str]:
    """Return the columns that any of the selections tests, without repetition."""
    return list(dict.fromkeys(chain.from_iterable(map(attrgetter("columns"), parts))))


def _possible_values(column: Column, study: Study) -> Sequence[str]:
    """Return the terms of a column, or one value that no claim names where it has none."""
    return study.codebook.terms_of(column) or (UNNAMED,)


def _new_rows(
    parts: Sequence[Selection],
    table: Table,
    study: Study,
    varied: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Row]:
    """Yield a new row of every kind whose key the table does not have yet."""
    spec = table.spec
    keyed = {name: _possible_values(spec.column(name), study)[0] for name in spec.key}
    empty = changed_row(table, ("",) * len(spec.columns), keyed)
    # A row with a key that is there would not be one more row, but a duplicate.
    keys = set(table.keys())
    for cells in _kinds(parts, table, study, True, varied):
        row = changed_row(table, empty, cells)
        if table.key_of(row) not in keys:
            yield row


def _numbered(edit: Edit, number: int, table: Table) -> Edit:
    """Give an added row a key of its own, in its first key column without a particular value."""
    if edit.before is None and edit.after is not None:
        for name in table.spec.key:
            if edit.after[table.spec.position(name)] == UNNAMED:
                row = changed_row(table, edit.after, {name: f"new-{number}"})
                return edit._replace(after=row)
    return edit
