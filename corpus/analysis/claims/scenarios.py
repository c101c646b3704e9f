"""What would become of the claims under other decisions: the scenarios of the claims file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim import (
    RowTest,
    Scenario,
    Selection,
    holding_one_of,
    selection_test,
)
from corpus.analysis.claims.edits import Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, all_outcomes, needed_tables
from corpus.model.study import Study
from corpus.model.table import Row, Table

#: Name of the variant in which every change of a scenario is made together.
ALL = "all"
_ARXIV = re.compile(r"(?i)\barxiv:(\S{1,80}?)(?:v\d+)?$")


class Variant(NamedTuple):
    """The study after one change of a scenario, `name` being its row, or after all of them."""

    scenario: Scenario
    name: str
    study: Study


class Stress(NamedTuple):
    """What one scenario does to one claim.

    Attributes
    ----------
    scenario : Scenario
        The scenario.
    alone : tuple of str
        The changes that break the claim when made one by one.
    tried : int
        How many changes the scenario has.
    together : ClaimOutcome or None
        The claim after all of them; None where the scenario changes nothing.
    """

    scenario: Scenario
    alone: tuple[str, ...]
    tried: int
    together: ClaimOutcome | None

    @property
    def breaks(self) -> bool:
        """Whether any change breaks the claim, alone or with the others."""
        if self.alone:
            return True
        return self.together is not None and not self.together.holds


def stress(
    study: Study, scenarios: Sequence[Scenario], outcomes: Sequence[ClaimOutcome]
) -> list[list[Stress]]:
    """Evaluate claims under every scenario.

    Returns
    -------
    list of list of Stress
        One list per claim, in the order of `outcomes`; in it one entry per scenario. A claim that
        fails before any change is broken by none.
    """
    needed = [needed_tables(outcome.claim, study.codebook) for outcome in outcomes]
    found: list[list[Stress]] = [[] for _ in outcomes]
    for scenario in scenarios:
        after: dict[str, list[ClaimOutcome]] = {}
        for variant in variants(scenario, study):
            after[variant.name] = _outcomes_after(variant.study, study, outcomes, needed)
        after_all = after.pop(ALL, None)
        for number, outcome in enumerate(outcomes):
            if not outcome.holds:
                found[number].append(Stress(scenario, (), len(after), None))
                continue
            together = after_all[number] if after_all else None
            alone: list[str] = []
            for name, changed in after.items():
                if not changed[number].holds:
                    alone.append(name)
            found[number].append(Stress(scenario, tuple(alone), len(after), together))
    return found


def _outcomes_after(
    changed: Study, study: Study, outcomes: Sequence[ClaimOutcome], needed: Sequence[set[str]]
) -> list[ClaimOutcome]:
    """Evaluate claims after a change; one that looks at none of the changed tables stays as it is.

    `needed` has the tables that each claim looks at.
    """
    touched: set[str] = set()
    for name, table in changed.tables.items():
        if table.rows != study.tables[name].rows:
            touched.add(name)
    # Evaluated together, since claims about the same columns share a pass over the rows.
    found = list(outcomes)
    moved: list[int] = []
    for place, names in enumerate(needed):
        if not touched.isdisjoint(names):
            moved.append(place)
    again = all_outcomes(changed, [outcomes[place].claim for place in moved])
    for place, outcome in zip(moved, again, strict=True):
        found[place] = outcome
    return found


def variants(scenario: Scenario, study: Study) -> Iterator[Variant]:
    """Yield the study after each change of a scenario alone, then after all of them, if any."""
    changes_of = {"retain": _retained, "drop": _dropped, "retag": _retagged, "strict": _strict}
    changes = changes_of[scenario.kind](scenario, study)
    together: list[Edit] = []
    for name, edits in changes.items():
        changed = apply_edits(study, edits)
        yield Variant(scenario, name, _consistent(changed, study))
        together += edits
    if changes:
        changed = apply_edits(study, together)
        yield Variant(scenario, ALL, _consistent(changed, study))


def _row_test(scenario: Scenario, study: Study) -> RowTest:
    filters = holding_one_of(study.codebook.tables[scenario.table], scenario.where)
    return selection_test(Selection(scenario.table, filters), study)


def _retained(scenario: Scenario, study: Study) -> dict[str, list[Edit]]:
    """Move excluded records into the pool, with the tags that the scenario's table gives them."""
    table = study.tables[scenario.table]
    passes = _row_test(scenario, study)
    changes: dict[str, list[Edit]] = {}
    for log in study.by_role("exclusions"):
        link = table.spec.reference_to(log.spec)
        if link is None:
            continue
        records = dict(log.named_rows())
        position = table.spec.position(link.name)
        for row in table.rows:
            name = row[position]
            if name in records and passes(row):
                entered = _pool_row(row, table, records[name], log, study)
                changes[name] = [
                    Edit(log.spec.name, records[name], None),
                    Edit(study.pool.spec.name, None, entered),
                    *_bibliography_rows(name, study),
                ]
    return changes


def _pool_row(row: Row, table: Table, record: Row, log: Table, study: Study) -> Row:
    """Make the pool row of an excluded record: tags from the table, the rest from the log."""
    tags: dict[str, str] = {}
    for column, cell in zip(table.spec.columns, row, strict=True):
        tags[column.role] = cell
    logged = log.spec.by_role_cells(record)
    pool = study.pool.spec
    cells: list[str] = []
    for column in pool.columns:
        if column.name in pool.key:
            cells.append(_pool_key(log.spec.name_of(record)))
        elif column.type == "term":
            cells.append(tags.get(column.name, ""))
        elif column.type == "arxiv":
            found = _ARXIV.search(logged.get("identifier", ""))
            cells.append(found[1] if found else "")
        else:
            cells.append(logged.get(column.role, ""))
    return tuple(cells)


def _pool_key(record: str) -> str:
    """Return the key that an excluded record would have in the pool."""
    return record.lower()


def _bibliography_rows(record: str, study: Study) -> Iterator[Edit]:
    """Give a retained record its row in the bibliography too, with the key alone."""
    for table in study.by_role("bibliography"):
        link = table.spec.reference_to(study.pool.spec)
        if link is not None:
            empty = ("",) * len(table.spec.columns)
            row = changed_row(table, empty, {link.name: _pool_key(record)})
            yield Edit(table.spec.name, None, row)


def _dropped(scenario: Scenario, study: Study) -> dict[str, list[Edit]]:
    """Remove pool rows."""
    passes = _row_test(scenario, study)
    pool = study.pool
    changes: dict[str, list[Edit]] = {}
    for key, row in pool.named_rows():
        if passes(row):
            changes[key] = [Edit(pool.spec.name, row, None)]
    return changes


def _retagged(scenario: Scenario, study: Study) -> dict[str, list[Edit]]:
    """Give pool rows the tags of an audit that differ; the first of several readers counts."""
    table = study.tables[scenario.table]
    pool = study.pool
    passes = _row_test(scenario, study)
    rows = dict(pool.named_rows())
    changes: dict[str, list[Edit]] = {}
    for (key, tags), row in zip(study.second_tags(table), table.rows, strict=True):
        if key not in rows or key in changes or not passes(row):
            continue
        retagged = changed_row(pool, rows[key], tags)
        if retagged != rows[key]:
            changes[key] = [Edit(pool.spec.name, rows[key], retagged)]
    return changes


def _strict(scenario: Scenario, study: Study) -> dict[str, list[Edit]]:
    """Remove a tag from the entries whose judgement matches; the unjudged keep theirs."""
    table = study.tables[scenario.table]
    pool = study.pool
    _, vocabulary = study.codebook.axis(scenario.column)
    passes = _row_test(scenario, study)
    keys = zip(study.keys_about(table), table.rows, strict=True)
    judged = {key for key, row in keys if passes(row)}
    changes: dict[str, list[Edit]] = {}
    for key, row in pool.named_rows():
        # A cell of several terms loses all of them: the judgement is of the entry on this axis.
        untagged = changed_row(pool, row, {scenario.column: vocabulary.not_applicable})
        if key in judged and untagged != row:
            changes[key] = [Edit(pool.spec.name, row, untagged)]
    return changes


def _consistent(changed: Study, before: Study) -> Study:
    """Remove the rows that refer to a removed pool row, such as its bibliography."""
    # Otherwise a claim over the bibliography would count works that the scenario drops.
    removed = set(before.pool.names()) - set(changed.pool.names())
    if not removed:
        return changed
    return changed.without_entries(removed)
