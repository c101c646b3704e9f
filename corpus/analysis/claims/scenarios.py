"""What would become of the claims if other decisions had been taken: the scenarios of the claims file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim import Claim, Scenario, Selection
from corpus.analysis.claims.edits import Edit, apply_edits, changed_row
from corpus.analysis.claims.evaluate import ClaimOutcome, all_outcomes
from corpus.analysis.claims.selections import selection_test
from corpus.model.study import Study
from corpus.model.table import Row, Table

#: Name of the variant in which every change of a scenario is made together.
ALL = "all"
_ARXIV = re.compile(r"(?i)\barxiv:(\S{1,80}?)(?:v\d+)?$")


class Variant(NamedTuple):
    """The corpus after one change of a scenario (`name` is the row it is about), or after all of them."""

    scenario: Scenario
    name: str
    corpus: Study


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
        return bool(self.alone) or (self.together is not None and not self.together.holds)


def stress(corpus: Study, scenarios: Sequence[Scenario], outcomes: Sequence[ClaimOutcome]) -> list[list[Stress]]:
    """Hold claims under every scenario.

    Returns
    -------
    list of list of Stress
        One list a claim, in the order of `outcomes`; in it one entry a scenario. A claim that fails before any change
        is broken by none.
    """
    claims = [outcome.claim for outcome in outcomes]
    found: list[list[Stress]] = [[] for _ in outcomes]
    for scenario in scenarios:
        by_name = {variant.name: _held(variant, claims) for variant in variants(scenario, corpus)}
        together = by_name.pop(ALL, None)
        for number, outcome in enumerate(outcomes):
            alone = [name for name, held in by_name.items() if outcome.holds and not held[number].holds]
            after = together[number] if together is not None and outcome.holds else None
            found[number].append(Stress(scenario, tuple(alone), len(by_name), after))
    return found


def _held(variant: Variant, claims: Sequence[Claim]) -> list[ClaimOutcome]:
    return all_outcomes(variant.corpus, claims)


def variants(scenario: Scenario, corpus: Study) -> Iterator[Variant]:
    """Yield the corpus after each change of a scenario alone, then after all; nothing where it changes nothing."""
    make = {"retain": _retained, "drop": _dropped, "retag": _retagged, "strict": _strict}[scenario.kind]
    changes = make(scenario, corpus)
    for name, edits in changes.items():
        yield Variant(scenario, name, _consistent(apply_edits(corpus, edits), corpus))
    if changes:
        edits = [edit for part in changes.values() for edit in part]
        yield Variant(scenario, ALL, _consistent(apply_edits(corpus, edits), corpus))


def _retained(scenario: Scenario, corpus: Study) -> dict[str, list[Edit]]:
    """Move excluded records into the pool, with the tags that the scenario's table would give them."""
    table = corpus.tables[scenario.table]
    changes: dict[str, list[Edit]] = {}
    passes = selection_test(Selection(scenario.table, scenario.where), corpus)
    for log in corpus.by_role("exclusions"):
        link = table.spec.reference_to(log.spec)
        if link is None:
            continue
        records = {log.spec.name_of(row): row for row in log.rows}
        at = table.spec.position(link.name)
        for row in table.rows:
            record = records.get(row[at])
            if record is not None and passes(row):
                changes[row[at]] = [
                    Edit(log.spec.name, record, None),
                    Edit(corpus.pool.spec.name, None, _pool_row(row, table, record, log, corpus)),
                    *_companions(record, log, corpus),
                ]
    return changes


def _pool_row(row: Row, table: Table, record: Row, log: Table, corpus: Study) -> Row:
    """Make the row an excluded record would have: tags by role, title and address from the log, the rest empty."""
    pool = corpus.pool.spec
    tags = {column.role: cell for column, cell in zip(table.spec.columns, row, strict=True)}
    words = {column.role: cell for column, cell in zip(log.spec.columns, record, strict=True) if column.role}
    key = log.spec.name_of(record).lower()
    cells = []
    for column in pool.columns:
        if column.name in pool.key:
            cells.append(key)
        elif column.type == "term":
            cells.append(tags.get(column.name, ""))
        elif column.type == "arxiv":
            found = _ARXIV.search(words.get("identifier", ""))
            cells.append(found[1] if found else "")
        else:
            cells.append(words.get(column.role, "") if column.role else "")
    return tuple(cells)


def _companions(record: Row, log: Table, corpus: Study) -> Iterator[Edit]:
    """Give a retained record its row in the bibliography too, with the key alone."""
    for table in corpus.by_role("bibliography"):
        link = table.spec.reference_to(corpus.pool.spec)
        if link is not None:
            key = log.spec.name_of(record).lower()
            yield Edit(table.spec.name, None, tuple(key if c is link else "" for c in table.spec.columns))


def _dropped(scenario: Scenario, corpus: Study) -> dict[str, list[Edit]]:
    """Take pool rows away."""
    passes = selection_test(Selection(scenario.table, scenario.where), corpus)
    pool = corpus.pool
    return {pool.spec.name_of(row): [Edit(pool.spec.name, row, None)] for row in pool.rows if passes(row)}


def _retagged(scenario: Scenario, corpus: Study) -> dict[str, list[Edit]]:
    """Give pool rows the tags of an audit, where they differ; the first reader counts where several do."""
    table, pool = corpus.tables[scenario.table], corpus.pool
    link = table.spec.reference_to(pool.spec)
    assert link is not None  # the parser holds every scenario against this
    shared = [c.name for c in table.spec.columns if c.type == "term" and c in _same_terms(table, corpus)]
    passes = selection_test(Selection(scenario.table, scenario.where), corpus)
    rows = {pool.spec.name_of(row): row for row in pool.rows}
    changes: dict[str, list[Edit]] = {}
    for row in table.rows:
        key = row[table.spec.position(link.name)]
        if key not in rows or key in changes or not passes(row):
            continue
        new = changed_row(pool, rows[key], {name: row[table.spec.position(name)] for name in shared})
        if new != rows[key]:
            changes[key] = [Edit(pool.spec.name, rows[key], new)]
    return changes


def _same_terms(table: Table, corpus: Study) -> list[object]:
    """Return the columns of a table that stand in the pool under the same name with the same vocabulary."""
    pool = {column.name: column.vocabulary for column in corpus.pool.spec.columns if column.type == "term"}
    return [column for column in table.spec.columns if pool.get(column.name, "") == column.vocabulary != ""]


def _strict(scenario: Scenario, corpus: Study) -> dict[str, list[Edit]]:
    """Take a tag away from the entries whose judgement in the scenario's table matches; the unjudged keep theirs."""
    table, pool = corpus.tables[scenario.table], corpus.pool
    link = table.spec.reference_to(pool.spec)
    assert link is not None  # the parser holds every scenario against this
    absent = corpus.codebook.axis(scenario.column)[1].not_applicable
    passes = selection_test(Selection(scenario.table, scenario.where), corpus)
    at = table.spec.position(link.name)
    judged = {row[at] for row in table.rows if passes(row)}
    changes: dict[str, list[Edit]] = {}
    for row in pool.rows:
        key = pool.spec.name_of(row)
        new = changed_row(pool, row, {scenario.column: absent})
        if key in judged and new != row:
            changes[key] = [Edit(pool.spec.name, row, new)]
    return changes


def _consistent(changed: Study, before: Study) -> Study:
    """Drop the rows that refer to a pool row which the scenario removed; its bibliography, for example."""
    spec = before.pool.spec
    removed = set(spec.names_of(before.pool.rows)) - set(spec.names_of(changed.pool.rows))
    if not removed:
        return changed
    return changed.without_entries(removed)
