"""What would become of the claims under other decisions: the scenarios of the claims file."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from corpus.analysis.claims.claim import Scenario, holding_one_of
from corpus.analysis.claims.edits import Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, evaluate, needed_tables
from corpus.model.filters import row_test
from corpus.model.study import Study
from corpus.model.table import Table

#: Name of the variant in which every change of a scenario is made together.
ALL = "all"
_ARXIV = re.compile(r"(?i)\barxiv:(\S{1,80}?)(?:v\d+)?$")


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
        breaks_together = self.together is not None and not self.together.holds
        return bool(self.alone) or breaks_together


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
    stresses: list[list[Stress]] = [[] for _ in outcomes]
    for scenario in scenarios:
        after: dict[str, list[ClaimOutcome]] = {}
        for name, changed in variants(scenario, study):
            touched = {table.spec.name for table in changed.changed_tables(study)}
            after[name] = []
            for outcome in outcomes:
                # A claim that looks at none of the changed tables stays as it is.
                if not touched.isdisjoint(needed_tables(outcome.claim, study.codebook)):
                    outcome = evaluate(outcome.claim, changed)
                after[name].append(outcome)
        after_all = after.pop(ALL, None)
        for number, outcome in enumerate(outcomes):
            alone = []
            together: ClaimOutcome | None = None
            if outcome.holds and after_all is not None:
                alone = [name for name, found in after.items() if not found[number].holds]
                together = after_all[number]
            stresses[number].append(Stress(scenario, tuple(alone), len(after), together))
    return stresses


def variants(scenario: Scenario, study: Study) -> Iterator[tuple[str, Study]]:
    """Yield the study after each change of a scenario alone, then after all of them, if any.

    A change is called by its row, all of them :data:`ALL`.
    """
    table = study.tables[scenario.table]
    passes = row_test(holding_one_of(table.spec, scenario.where), table.spec.header)
    matching = table.with_rows(list(filter(passes, table.rows)))
    pool = study.pool.spec.name
    if scenario.kind == "drop":
        changes = {key: [Edit(pool, row, None)] for key, row in matching.named_rows()}
    elif scenario.kind == "strict":
        _, vocabulary = study.codebook.axis(scenario.column)
        judged = set(study.keys_about(matching))
        changes = {}
        for key, row in study.pool.named_rows():
            # A cell of several terms loses all of them: the judgement is of the entry on this axis.
            # The unjudged keep theirs.
            cells = {scenario.column: vocabulary.not_applicable}
            untagged = changed_row(study.pool, row, cells)
            if key in judged and untagged != row:
                changes[key] = [Edit(pool, row, untagged)]
    else:
        changes = {"retain": _retained, "retag": _retagged}[scenario.kind](matching, study)
    if changes:
        changes = {**changes, ALL: list(chain.from_iterable(changes.values()))}
    for name, edits in changes.items():
        changed = apply_edits(study, edits)
        # Rows that refer to a removed pool row go with it: otherwise a claim over the bibliography
        # would count works that the scenario drops.
        removed = set(study.pool.names()) - set(changed.pool.names())
        if removed:
            changed = changed.without_entries(removed)
        yield name, changed


def _retained(table: Table, study: Study) -> dict[str, list[Edit]]:
    """Move excluded records into the pool, with the tags that the scenario's table gives them."""
    changes: dict[str, list[Edit]] = {}
    pool = study.pool.spec
    for log in study.by_role("exclusions"):
        link = table.spec.reference_to(log.spec)
        if link is None:
            continue
        records = dict(log.named_rows())
        for tagged in table.placed():
            name = tagged.cell(link.name)
            if name not in records:
                continue
            # Tags are from the table, the rest is from the log.
            logged = log.spec.by_role_cells(records[name])
            cells = {
                column.name: tagged.by_role.get(column.name, "") for column in pool.term_columns
            }
            for column in pool.columns:
                if column.type == "arxiv":
                    cells[column.name] = "".join(_ARXIV.findall(logged.get("identifier", "")))
            key = name.lower()
            cells.update(dict.fromkeys(pool.key, key))
            entered = changed_row(study.pool, pool.row(logged), cells)
            changes[name] = [
                Edit(log.spec.name, records[name], None),
                Edit(pool.name, None, entered),
            ]
            # It has a row in the bibliography too, with the key alone.
            for other in study.by_role("bibliography"):
                reference = other.spec.reference_to(pool)
                if reference is not None:
                    empty = ("",) * len(other.spec.columns)
                    added = changed_row(other, empty, {reference.name: key})
                    changes[name].append(Edit(other.spec.name, None, added))
    return changes


def _retagged(table: Table, study: Study) -> dict[str, list[Edit]]:
    """Give pool rows the tags of an audit that differ; the first of several readers counts."""
    pool = study.pool
    rows = dict(pool.named_rows())
    changes: dict[str, list[Edit]] = {}
    for key, tags in study.second_tags(table):
        if key not in rows or key in changes:
            continue
        retagged = changed_row(pool, rows[key], tags)
        if retagged != rows[key]:
            changes[key] = [Edit(pool.spec.name, rows[key], retagged)]
    return changes
