"""A claim of the survey as data: the rows it is about, what they must yield, where it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from corpus.model.codebook import TableSpec
from corpus.model.filters import Filter, OneOf, row_test
from corpus.model.finding import refuse_unknown
from corpus.model.study import Study
from corpus.model.table import Row

#: Kinds that look at the codebook alone, so that no row can break them.
DECLARED_KINDS = ("columns", "terms", "groups")

#: Kinds that expect rows to be there, with any cells.
FOUND_KINDS = ("count", "at_least", "at_most", "keys", "includes")

#: What a claim may expect of the rows it selects, and the value of each kind in the claims file.
EXPECTATIONS: Mapping[str, str] = {
    "count": "a whole number: exactly so many rows match",
    "at_least": "a whole number: so many rows or more match",
    "at_most": "a whole number: so many rows or fewer match",
    "empty": "true: no row matches",
    "covered": "true: every row of a table with the role coverage has a verdict and a reason",
    "keys": "a list of keys: exactly these rows match",
    "includes": "a list of keys: these rows match, and perhaps others",
    "counts": "numbers of rows by the terms of `by`; a term that is not listed must have none",
    "descending": "terms of `by`, or true with several selections in `of`: "
    "each count is greater than the next",
    "distinct": "a whole number: so many different values of `by` occur",
    "same_keys_as": "the name of a table: both have the same keys",
    "ratio": "a number: the first selection's sum of `value_of` divided by the second's, "
    "rounded to the digits given",
    "share": "a number: the percentage of the rows of its table that match, or of the second "
    "selection in `of`, rounded to the digits given",
    "columns": "a whole number: the table declares so many columns",
    "terms": "a whole number: the vocabulary of `by` declares so many terms, the one for "
    "'not applicable' not counted",
    "groups": "a whole number: the vocabulary of `by` declares so many groups",
}


@dataclass(frozen=True)
class Selection:
    """The rows of one table that pass every test; tests are data and never expressions.

    Attributes
    ----------
    table : str
        Name of the table.
    filters : tuple of Filter
        Tests of one cell each.
    agrees : mapping of str to bool
        Column -> whether the row has the same cell there as the pool row that it refers to, or
        another one.
    label : str
        What the selection is called in an ordering.
    """

    table: str
    filters: tuple[Filter, ...] = ()
    agrees: Mapping[str, bool] = field(default_factory=dict)
    label: str = ""

    @property
    def columns(self) -> list[str]:
        """The columns that the tests look at, one for each test."""
        return [*(filter_.column.name for filter_ in self.filters), *self.agrees]

    def narrowed(self, filter_: Filter, label: str) -> Selection:
        """Return the selection with one more test, called otherwise."""
        return replace(self, filters=(*self.filters, filter_), label=label)


@dataclass(frozen=True)
class Expectation:
    """What the selected rows must yield.

    Attributes
    ----------
    kind : str
        A key of :data:`EXPECTATIONS`.
    value : object
        The expected value, of the type that the kind takes.
    by : tuple of str
        Columns that ``counts``, ``distinct`` and ``descending`` count by.
    groups : bool
        Whether ``distinct`` counts groups of the vocabulary instead of terms.
    or_equal : bool
        Whether ``descending`` accepts equal neighbours.
    value_of : str
        The number column whose sums a ``ratio`` divides.
    """

    kind: str
    value: Any
    by: tuple[str, ...] = ()
    groups: bool = False
    or_equal: bool = False
    value_of: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The rows that it names; none where it is not about particular ones."""
        if self.kind in ("keys", "includes"):
            return tuple(self.value)
        return ()

    @property
    def relation(self) -> str:
        """Of ``descending``: how a count must compare with the next."""
        if self.or_equal:
            return ">="
        return ">"

    @property
    def least_step(self) -> int:
        """Of ``descending``: by how much a count must be greater than the next, at least."""
        return int(not self.or_equal)


class ClaimDifference(NamedTuple):
    """One way in which the tables differ from what a claim expects.

    Attributes
    ----------
    sign : str
        ``extra`` for a key that is too many, ``missing`` for one that is not there (or a pair out
        of order), ``other`` for a number that is another one. Words, since a cell that starts with
        a plus or a minus is a formula to a spreadsheet (C212).
    key : str
        The key, the pair, or the observed number.
    """

    sign: str
    key: str


@dataclass(frozen=True)
class Claim:
    """One checkable claim.

    Attributes
    ----------
    id, source_id : str
        Name in the corpus, and its name in the survey's claim list (may be empty).
    statement, boundary : str
        The claim, and what it does not cover.
    made_in : tuple of str
        Where it is made.
    selections : tuple of Selection
        The rows; counts of several are summed, ordered or divided.
    expectation : Expectation
        What they must yield.
    tracked : bool
        Whether the claim is a number of a release, which growth moves. Any other claim is a guard:
        the survey argues from it, and a change that breaks it fails the checks.
    accepted : tuple of ClaimDifference
        What a maintainer accepts of the claim; see :mod:`corpus.analysis.claims.acknowledgements`.
    reason : str
        Why.
    """

    id: str
    source_id: str
    statement: str
    boundary: str
    made_in: tuple[str, ...]
    selections: tuple[Selection, ...]
    expectation: Expectation
    tracked: bool = False
    accepted: tuple[ClaimDifference, ...] = ()
    reason: str = ""

    def names_its_rows(self, tables: Mapping[str, TableSpec]) -> bool:
        """Whether a selection names its rows by their whole keys, and the claim only finds them."""
        if self.expectation.kind not in FOUND_KINDS:
            return False
        for part in self.selections:
            if set(part.columns) == set(tables[part.table].key) and all(
                isinstance(test, OneOf) and not test.negated for test in part.filters
            ):
                return True
        return False


#: A claim that no table of the corpus can decide: `id`, `source_id`, `statement` and `reason`.
Unchecked = Mapping[str, str]


@dataclass(frozen=True)
class ClaimSet:
    """Everything that a claims file declares."""

    claims: tuple[Claim, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    def named(self, names: Sequence[str]) -> list[Claim]:
        """Return the claims with these names (`id` or `source_id`), or all without a name.

        Raises
        ------
        UsageProblem
            With the nearest name and some others, where no claim has one of the names.
        """
        known = [claim.id for claim in self.claims]
        known += filter(None, [claim.source_id for claim in self.claims])
        refuse_unknown("claim", names, known)
        return [c for c in self.claims if not names or c.id in names or c.source_id in names]


def holding_one_of(
    spec: TableSpec, where: Mapping[str, tuple[str, ...]], negated: bool = False
) -> tuple[Filter, ...]:
    """Return the tests that each column has one of its values (or none of them, if `negated`)."""
    return tuple(
        OneOf(spec.column(name), frozenset(values), negated) for name, values in where.items()
    )


RowTest = Callable[[Row], bool]


def selected(selection: Selection, study: Study) -> list[Row]:
    """Return the rows of the selection's table that pass all its tests, in the table's order."""
    return list(filter(selection_test(selection, study), study.tables[selection.table].rows))


def selection_test(selection: Selection, study: Study) -> RowTest:
    """Return a function that tests whether a row of the selection's table passes all its tests."""
    spec = study.codebook.tables[selection.table]
    tests = [row_test(selection.filters, spec.header)]
    for name, wanted in selection.agrees.items():
        tests.append(_compared_with_pool(spec, name, study, wanted))
    if len(tests) == 1:
        return tests[0]
    return lambda row: all(test(row) for test in tests)


def _compared_with_pool(spec: TableSpec, name: str, study: Study, wanted: bool) -> RowTest:
    """Test whether a row agrees with the pool row that it refers to (is `wanted` or not)."""
    pool = study.pool
    link = spec.reference_to(pool.spec)
    assert link is not None, (
        "the parser refuses claims that compare a table without reference to the pool"
    )
    own_position = spec.position(name)
    key_position = spec.position(link.name)
    pool_cells = dict(zip(pool.names(), pool.column(name), strict=True))

    def test(row: Row) -> bool:
        pool_cell = pool_cells.get(row[key_position])
        return pool_cell is not None and (pool_cell == row[own_position]) is wanted

    return test
