"""A claim of the survey as data: which rows it is about, what they must yield, where it is made, its boundary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

#: What a claim may say of the rows it selects, and the value each kind takes in the claims file.
EXPECTATIONS: Mapping[str, str] = {
    "count": "a whole number: exactly so many rows match",
    "at_least": "a whole number: so many rows or more match",
    "at_most": "a whole number: so many rows or fewer match",
    "empty": "true: no row matches",
    "keys": "a list of keys: exactly these rows match",
    "includes": "a list of keys: these rows match, and perhaps others",
    "counts": "numbers of rows by the terms of `by`; a term that is not listed must have none",
    "descending": "terms of `by`, or true with several selections in `of`: each count is greater than the next",
    "distinct": "a whole number: so many different values of `by` occur",
    "same_keys_as": "the name of a table: both have the same keys",
    "ratio": "a number: the first selection's `value_of` divided by the second's, rounded to the digits given",
    "columns": "a whole number: the table declares so many columns",
}


class Selection(NamedTuple):
    """The rows of one table that pass every test; a mapping of columns to values, never an expression.

    Attributes
    ----------
    table : str
        Name of the table.
    where, without : mapping of str to tuple of str
        Column -> values: the cell holds one of them, or none of them.
    between : mapping of str to tuple of (str, str)
        Column -> first and last value, both included; for dates, years and numbers.
    agrees_on, differs_on : tuple of str
        Columns in which the row has the same cell as the pool row that it refers to, or another one.
    label : str
        What the selection is called in an ordering.
    """

    table: str
    where: Mapping[str, tuple[str, ...]] = {}
    without: Mapping[str, tuple[str, ...]] = {}
    between: Mapping[str, tuple[str, str]] = {}
    agrees_on: tuple[str, ...] = ()
    differs_on: tuple[str, ...] = ()
    label: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the tests look at, without repetition."""
        return tuple(dict.fromkeys([*self.where, *self.without, *self.between, *self.agrees_on, *self.differs_on]))


class Expectation(NamedTuple):
    """What the selected rows must yield: a kind of :data:`EXPECTATIONS` and its value; the rest serves some kinds."""

    kind: str
    value: Any
    by: tuple[str, ...] = ()
    groups: bool = False
    or_equal: bool = False
    value_of: str = ""


class Acknowledged(NamedTuple):
    """A failing claim that is let pass: why, and the observed value for which that holds."""

    reason: str
    observed: str


class Claim(NamedTuple):
    """One checkable claim.

    Attributes
    ----------
    id, source_id : str
        Name in the corpus, and the name under which the survey's claim list has it (may be empty).
    statement, boundary : str
        The claim, and what it does not say.
    made_in : tuple of str
        Where it is made.
    selections : tuple of Selection
        The rows; counts of several are summed, ordered or divided.
    expectation : Expectation
        What they must yield.
    acknowledged : Acknowledged or None
        Set where a failure is known.
    """

    id: str
    source_id: str
    statement: str
    boundary: str
    made_in: tuple[str, ...]
    selections: tuple[Selection, ...]
    expectation: Expectation
    acknowledged: Acknowledged | None = None


class Unchecked(NamedTuple):
    """A claim that no table of the corpus can decide, with the reason."""

    id: str
    source_id: str
    statement: str
    reason: str


class Scenario(NamedTuple):
    """A change of the whole corpus under which the claims are held again.

    Attributes
    ----------
    id, statement : str
        Name, and what is supposed.
    kind : str
        ``retain`` (excluded records named by `table` enter the pool), ``drop`` (pool rows that match `where` leave),
        ``retag`` (the pool takes the tags of the audit `table`) or ``strict`` (the tag in `column` falls away for
        entries whose row in `table` matches `where`).
    table, column : str
        See `kind`.
    where : mapping of str to tuple of str
        Column -> values.
    """

    id: str
    statement: str
    kind: str
    table: str
    column: str = ""
    where: Mapping[str, tuple[str, ...]] = {}


class ClaimBook(NamedTuple):
    """Everything that a claims file declares."""

    claims: tuple[Claim, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
