"""What a change of the corpus moves: counts, cells of the cross-tabulations, sparsity, claims and their margins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import ClaimOutcome, evaluate, needed_tables, read_claims
from corpus.analysis.claims.robustness import Robustness, margin
from corpus.analysis.numbers.published import published_numbers
from corpus.analysis.sparsity.cells import EMPTY, THIN, sparse_table
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import readings
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.tables.fast.tally import tally_table


class CountChange(NamedTuple):
    """A number that differs: rows of a table, or entries that carry a term of an axis."""

    of: str
    name: str
    before: int
    after: int


class CellMove(NamedTuple):
    """A cell of a cross-tabulation whose number of entries differs; `reason` says why it should not be filled."""

    table: str
    row: str
    column: str
    before: int
    after: int
    reason: str

    @property
    def turns(self) -> str:
        """``fills``, ``empties``, or nothing where the cell holds entries before and after."""
        return "fills" if not self.before else "empties" if not self.after else ""


class ClaimChange(NamedTuple):
    """A claim that another state of the corpus judges otherwise.

    Attributes
    ----------
    kind : str
        ``breaks``, ``mends``, ``narrows`` (its margin shrinks), ``widens``, ``moves`` (another observed value),
        ``reworded``, ``new`` or ``gone``.
    before, after : Outcome or None
        None where the state has no such claim, or cannot decide it.
    margins : tuple of (int or None, int or None)
        Before and after; None where no row edit breaks the claim.
    """

    kind: str
    before: ClaimOutcome | None
    after: ClaimOutcome | None
    margins: tuple[int | None, int | None]

    @property
    def claim(self) -> Claim:
        """The claim as it stands now, or as it stood."""
        found = self.after or self.before
        assert found is not None
        return found.claim


class NumberChange(NamedTuple):
    """A published number that is printed otherwise; empty in the state that does not publish it."""

    name: str
    before: str
    after: str


class Consequences(NamedTuple):
    """Everything that a change moves; each list is in declared order, filling and emptying cells first."""

    counts: tuple[CountChange, ...]
    cells: tuple[CellMove, ...]
    sparsity: tuple[CountChange, ...]
    claims: tuple[ClaimChange, ...]
    numbers: tuple[NumberChange, ...] = ()


#: The kinds of :class:`ClaimChange`, the most urgent first.
CLAIM_KINDS = ("breaks", "gone", "narrows", "moves", "reworded", "mends", "widens", "new")


def consequences(before: Study, after: Study) -> Consequences:
    """Work out what the change from one countable corpus to another moves."""
    old, new = _counted(before), _counted(after)
    return Consequences(
        counts=(*_table_counts(before, after), *_axis_counts(old, new)),
        cells=tuple(sorted(_cell_moves(old, new), key=lambda move: not move.turns)),
        sparsity=tuple(_differences(_sparsity(before, old), _sparsity(after, new))),
        claims=tuple(sorted(claim_changes(before, after), key=lambda change: CLAIM_KINDS.index(change.kind))),
        numbers=tuple(_number_changes(before, after)),
    )


def _counted(corpus: Study) -> Contingency:
    names = tuple(column.name for column in corpus.codebook.pool.axes)
    return Contingency(corpus.codebook, names, tally_table(corpus.pool, corpus.codebook, names))


def _differences(before: Mapping[tuple[str, str], int], after: Mapping[tuple[str, str], int]) -> Iterator[CountChange]:
    for of, name in dict.fromkeys([*after, *before]):
        pair = before.get((of, name), 0), after.get((of, name), 0)
        if pair[0] != pair[1]:
            yield CountChange(of, name, *pair)


def _number_changes(before: Study, after: Study) -> Iterator[NumberChange]:
    """Compare the numbers that a manuscript may print; none where one state cannot name them all."""
    try:
        old, new = published_numbers(before), published_numbers(after)
    except CorpusError:  # `corpus render` says why
        return
    for name in dict.fromkeys([*new, *old]):
        texts = tuple(found[name].text if name in found else "" for found in (old, new))
        if texts[0] != texts[1]:
            yield NumberChange(name, *texts)


def _table_counts(before: Study, after: Study) -> Iterator[CountChange]:
    sizes = [{("rows", name): len(table.rows) for name, table in c.tables.items()} for c in (before, after)]
    return _differences(*sizes)


def _axis_counts(before: Contingency, after: Contingency) -> Iterator[CountChange]:
    def terms(counted: Contingency) -> dict[tuple[str, str], int]:
        return {(m.column.name, row.term): row.entries for m in counted.margins() for row in m.rows}

    return _differences(terms(before), terms(after))


def _cell_moves(before: Contingency, after: Contingency) -> Iterator[CellMove]:
    """Compare the cross-tabulations that the newer codebook declares, where both know their axes."""
    known = {column.name for column in before.book.pool.axes}
    for declared in after.book.crosstabs:
        new = after.crosstab(declared.rows, declared.columns).cells
        both = {declared.rows, declared.columns} <= known
        old = before.crosstab(declared.rows, declared.columns).cells if both else {}
        for row, column in dict.fromkeys([*new, *old]):
            pair = old.get((row, column), 0), new.get((row, column), 0)
            if pair[0] != pair[1]:
                reason = after.book.impossible_reason({declared.rows: row, declared.columns: column})
                yield CellMove(declared.title, row, column, *pair, reason if pair[1] else "")


def _sparsity(corpus: Study, counted: Contingency) -> dict[tuple[str, str], int]:
    """Count empty and thin cells of each cross-tabulation, and the readings of each term."""
    try:
        plan = sparsity_plan(corpus.codebook)
    except CorpusError:  # `corpus check` and `corpus sparsity` say what is wrong with the section
        return {}
    found: dict[tuple[str, str], int] = {}
    for declared in corpus.codebook.crosstabs:
        table = sparse_table(counted, (declared.rows, declared.columns), plan.threshold)
        for status, name in ((EMPTY, "empty cells"), (THIN, "thin cells")):
            found[declared.title, name] = table.number(status)
    for item in plan.readings:
        for unit in readings(corpus, item).units:
            numbers = {"strict": unit.strict, "near strict": unit.near, "only broad": unit.weaker}
            for name, keys in {**numbers, "not judged": unit.unjudged}.items():
                found[f"{item.axis} {unit.term}", name] = len(keys)
    return found


def claim_changes(before: Study, after: Study) -> Iterator[ClaimChange]:
    """Yield the claims that the two states judge otherwise, each with the weightiest kind of change."""
    old, new = _judged(before), _judged(after)
    for name in dict.fromkeys([*new, *old]):
        mine, theirs = new.get(name), old.get(name)
        if mine is None or theirs is None:
            kind = "gone" if mine is None else "new" if mine[0].holds or mine[0].acknowledged else "breaks"
        else:
            kind = _kind(theirs, mine)
        if kind:
            margins = (theirs[1].edits if theirs else None, mine[1].edits if mine else None)
            yield ClaimChange(kind, theirs[0] if theirs else None, mine[0] if mine else None, margins)


def _judged(corpus: Study) -> dict[str, tuple[ClaimOutcome, Robustness]]:
    """Evaluate the sound claims of a corpus whose tables are there."""
    found = {}
    for claim in read_claims(corpus)[0].claims:
        if needed_tables(claim, corpus) <= corpus.tables.keys():
            outcome = evaluate(claim, corpus)
            found[claim.id] = (outcome, margin(outcome, corpus))
    return found


def _kind(before: tuple[ClaimOutcome, Robustness], after: tuple[ClaimOutcome, Robustness]) -> str:
    (old, old_margin), (new, new_margin) = before, after
    if old.holds and not new.holds:
        return "breaks"
    if not new.holds and not new.acknowledged and (old.acknowledged or old.observed != new.observed):
        return "breaks"
    if new.holds and not old.holds:
        return "mends"
    left, right = (m.edits if m.edits is not None else 10**9 for m in (old_margin, new_margin))
    if left != right:
        return "narrows" if right < left else "widens"
    if old.claim._replace(acknowledged=None) != new.claim._replace(acknowledged=None):
        return "reworded"
    return "moves" if (old.observed, old.number) != (new.observed, new.number) else ""
