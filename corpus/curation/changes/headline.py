"""What a change does, in a few sentences: the most urgent first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.curation.changes.changes import (
    ADDED,
    CHANGED,
    REMOVED,
    RENAMED,
    Changes,
    Duplicate,
    Move,
    RowChange,
)
from corpus.curation.changes.consequences import CellMove, ClaimChange, Consequences
from corpus.model.finding import Finding

_KINDS = {ADDED: "added", REMOVED: "removed", CHANGED: "changed", RENAMED: "renamed"}


class ChangeReport(NamedTuple):
    """What `corpus diff` prints.

    Attributes
    ----------
    before, after : str
        What the two states are called.
    changes : Changes
        The rows.
    consequences : Consequences or None
        What they move; None where one of the states cannot be counted.
    findings : tuple of Finding
        What is wrong with the newer state.
    stale : tuple of str
        Generated files that no longer say what the corpus says.
    tables : tuple of str
        The pool's name first; only its rows are shown with their cells when added.
    axes : tuple of str
        Columns of the pool that counts run over.
    note : str
        Why something is not said.
    under_older : tuple of Finding
        What the newer data would fail under the older codebook and protocol, and passes under its own.
    """

    before: str
    after: str
    changes: Changes
    consequences: Consequences | None
    findings: tuple[Finding, ...]
    stale: tuple[str, ...]
    pool: str
    axes: tuple[str, ...]
    note: str = ""
    under_older: tuple[Finding, ...] = ()


def headline(report: ChangeReport) -> list[str]:
    """Say the change in a few sentences, the most urgent first; plain text, each sink escapes it."""
    lines = []
    errors = sum(finding.is_error for finding in other_findings(report))
    if errors:
        lines.append(f"{number_of(errors, 'error')} to mend before this can be merged.")
    if report.under_older:
        number = number_of(len(report.under_older), "finding")
        lines.append(f"Under the codebook and protocol of {report.before} the newer data has {number} more.")
    moved = report.consequences
    if moved is not None:
        lines += [_turn(cell) for cell in moved.cells if cell.turns]
        lines += _claim_lines(moved.claims)
    lines += [_duplicate_text(item) for item in report.changes.duplicates]
    lines += [_move_text(move) for move in report.changes.moves]
    lines.append(_rows_text(report))
    if report.note:
        lines.append(report.note)
    return lines


def other_findings(report: ChangeReport) -> list[Finding]:
    """Return the findings without the claims that break, which the report says by themselves."""
    moved = report.consequences
    broken = {change.claim.id for change in moved.claims if change.kind == "breaks"} if moved else set()
    return [f for f in report.findings if f.code != CLAIM_FAILS.code or f.value not in broken]


def _claim_lines(changes: Sequence[ClaimChange]) -> list[str]:
    """Say which claims break: those that say more than a number by name, exact numbers together."""
    lines = []
    broken = [change for change in changes if change.kind == "breaks"]
    for change in broken:
        if not counts_only(change):
            known = " It is acknowledged." if change.after is not None and change.after.acknowledged else ""
            lines.append(f"A claim breaks: {change.claim.statement} ({change.claim.id}: {moved_text(change)}){known}")
    numbers = [change.claim.id for change in broken if counts_only(change)]
    if numbers:
        agreed = sum(c.after is not None and c.after.acknowledged for c in broken if counts_only(c))
        said = f" ({agreed} of them acknowledged)" if agreed else ""
        lines.append(
            f"{number_of(len(numbers), 'stated number no longer holds', 'stated numbers no longer hold')}{said}."
        )
    narrower = [change.claim.id for change in changes if change.kind == "narrows"]
    if narrower:
        lines.append(f"The margin shrinks for {', '.join(narrower)}.")
    mended = [change.claim.id for change in changes if change.kind == "mends"]
    if mended:
        lines.append(f"{number_of(len(mended), 'claim holds', 'claims hold')} again: {', '.join(mended)}.")
    return lines


def counts_only(change: ClaimChange) -> bool:
    """Whether a claim states exact numbers, which any added row may move."""
    return change.claim.expectation.kind in ("count", "counts", "distinct", "ratio", "columns")


def number_of(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun, singular or plural."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def _turn(cell: CellMove) -> str:
    text = f"{cell.table}: the cell {cell.row} / {cell.column} {cell.turns} ({cell.before} -> {cell.after})."
    return text + (f" The codebook calls it impossible: {cell.reason}." if cell.reason else "")


def _duplicate_text(item: Duplicate) -> str:
    how = "nearly the same title" if item.evidence == "title" else item.evidence
    return f"{item.key} may be the same work as {item.other}: both have {how}."


def _move_text(move: Move) -> str:
    if move.kind == "promoted":
        rest = "; it still stands in the exclusion log as well" if move.staying else ""
        return f"The excluded record {move.record} enters the pool as {move.key}{rest}."
    return f"{move.key} leaves the pool and stands in the exclusion log as {move.record}."


def _rows_text(report: ChangeReport) -> str:
    changes = report.changes
    if changes.nothing:
        return f"Nothing differs between {report.before} and {report.after}."
    parts = []
    for table, kinds in _by_table(changes.rows).items():
        parts.append(f"{table}: " + ", ".join(f"{number} {_KINDS[kind]}" for kind, number in kinds.items()))
    if changes.follow:
        parts.append(f"{number_of(changes.follow, 'row follows', 'rows follow')} a renamed key")
    if changes.documents:
        number = Counter(change.document for change in changes.declarations)
        named = [f"{name} ({number_of(number[name], 'entry', 'entries')})" for name in changes.documents]
        parts.append(f"changed: {', '.join(named)}")
    return f"From {report.before} to {report.after}: {'; '.join(parts) or 'no row differs'}."


def _by_table(rows: Sequence[RowChange]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for row in rows:
        found.setdefault(row.table, Counter())[row.kind] += 1
    return found


def moved_text(change: ClaimChange) -> str:
    """Say what a claim's observed value was and is: keys that came and went, counts that differ, or both values."""
    before, after = change.before, change.after
    if before is None or after is None:
        found = after or before
        return found.observed if found else ""
    if before.claim.expectation.kind != after.claim.expectation.kind:
        return f"{before.observed} -> {after.observed}"
    if after.claim.expectation.kind in ("keys", "includes", "empty", "same_keys_as"):
        came = [f"+{key}" for key in after.keys if key not in before.keys]
        went = [f"-{key}" for key in before.keys if key not in after.keys]
        return ", ".join([*came, *went]) or after.observed
    cells = [cell for cell in {**before.counts, **after.counts} if before.counts.get(cell) != after.counts.get(cell)]
    if cells:
        numbers = ((cell, before.counts.get(cell, 0), after.counts.get(cell, 0)) for cell in cells)
        return ", ".join(f"{'/'.join(cell)} {old} -> {new}" for cell, old, new in numbers)
    return after.observed if before.observed == after.observed else f"{before.observed} -> {after.observed}"
