"""What a change takes away from the checks: rules, types, roles, claims, source records.

Data that passes because a rule is gone looks like data that was always right. So each such change
is named in plain words before everything else, and is an error (C431) until a maintainer accepts
it: a row of the accepted table with the code, the file, the place as it is named here, and why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus.curation.changes.changes import (
    CHANGED,
    REMOVED,
    RENAMED,
    Changes,
    RowChange,
    corrections,
)
from corpus.curation.changes.declared import with_renamed_strings
from corpus.curation.check import check_rules as rules
from corpus.curation.check import protocol
from corpus.model.codebook import Codebook, Column, ConsistencyRule, TableSpec
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.tables.location import CODEBOOK_FILE

#: Roles of tables whose rows are evidence that other rows are checked by, in words for a message.
_CHECKED_BY = {
    "source_records": "source record",
    "accepted": "accepted warning",
    "accepted_claims": "accepted difference of a claim",
}
#: Roles of columns that no check compares with: they tell when and from where a row was read.
_NOT_COMPARED = ("read_on", "evidence")
#: What `[sparsity]` counts where it does not declare it.
_COUNTED = {"threshold": 2}
#: Words that turn a sentence round.
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot|except|unless)\b|n't\b", re.I
)
#: What a claim may change without demanding less.
_WORDING = frozenset({"statement", "made_in", "boundary", "source_id", "note", "id"})


class Weakening(NamedTuple):
    """One thing that is checked less than before.

    Attributes
    ----------
    file : str
        The file below the data folder that the change is in.
    place : str
        What was changed, as an acceptance names it: ``rule cases-are-industrial``.
    words : str
        What happened to it, in plain words: ``is removed``.
    acknowledged : bool
        Whether the newer state accepts it.
    line : int
        The line in the newer file, where one can be told.
    """

    file: str
    place: str
    words: str
    acknowledged: bool = False
    line: int = 0


def weakenings(
    before: Study,
    after: Study,
    changes: Changes,
    more: Iterable[Weakening] = (),
    judged: Study | None = None,
    released: Collection[str] = (),
) -> list[Weakening]:
    """Return what a change takes away from the checks: `more`, then the codebook and the rest.

    `judged` is the newer state with the acceptances that count, where not all of them do;
    `released` are the days of its new releases, to which the cutoff may move.
    """
    found = [
        *more,
        *_codebook(before.codebook, after.codebook, released),
        *_claims(before, after, changes.renamed.get(before.codebook.pool.name, {})),
        *_protocol(before, after),
        *_rows(before, after, changes),
    ]
    accepted = _accepted(judged or after)
    marked = []
    for item in dict.fromkeys(found):
        known = (item.file, item.place) in accepted
        marked.append(item._replace(acknowledged=known))
    return marked


def weakening_findings(found: list[Weakening], root: str) -> list[Finding]:
    """Return a finding for each weakening that nobody has accepted."""
    findings = []
    for item in found:
        if not item.acknowledged:
            file = str(Path(root) / item.file)
            finding = rules.WEAKENED.at(
                file, item.line, value=item.place, advice=item.words, other=item.file
            )
            findings.append(finding)
    return findings


def unlogged_findings(
    before: Study, after: Study, changes: Changes, released: frozenset[str]
) -> list[Finding]:
    """Find tags of released entries, and corrections, that change without a trace.

    Parameters
    ----------
    before, after : Study
        The two states.
    changes : Changes
        What differs between them.
    released : frozenset of str
        Keys of the entries of the latest release.

    Returns
    -------
    list of Finding
        C432 for a tag of a released entry without a row in the corrections that has its new value;
        C433 for a correction that was removed while the pool keeps the corrected value.
    """
    pool = after.codebook.pool
    logged: set[tuple[str, ...]] = set()
    for log in after.by_role("corrections"):
        logged.update((*place, value) for place, value in corrections(log).items())
    found = []
    axes = set(pool.axis_names)
    for row in changes.rows:
        if row.table != pool.name or row.kind not in (CHANGED, RENAMED):
            continue
        if not {row.key, row.old_key} & released:
            continue
        for cell in row.cells:
            if cell.column in axes and (row.key, cell.column, cell.after) not in logged:
                place = (row.file, row.line, cell.column, cell.after)
                key, was = repr(row.key), repr(cell.before)
                found.append(rules.UNLOGGED_TAG.at(*place, other=key, advice=was))
    return [*found, *_dropped_corrections(before, after, logged)]


def _dropped_corrections(
    before: Study, after: Study, logged: set[tuple[str, ...]]
) -> Iterator[Finding]:
    places = {row[:2] for row in logged}
    pool = after.pool
    lines = dict(zip(pool.names(), pool.located_rows(), strict=True))
    for log in before.by_role("corrections"):
        for (key, name), value in corrections(log).items():
            if (key, name) in places or key not in lines or name not in pool.spec.header:
                continue
            row, line = lines[key]
            if row[pool.spec.position(name)] == value:
                yield rules.DROPPED_CORRECTION.at(pool.file, line, name, value, other=log.spec.file)


def _accepted(study: Study) -> set[tuple[str, str]]:
    """Return file and place of each accepted weakening."""
    found = set()
    for table in study.by_role("accepted"):
        for cells in table.by_role_cells():
            if cells.get("code") == rules.WEAKENED.code:
                found.add((cells.get("file", ""), cells.get("key", "")))
    return found


def _codebook(before: Codebook, after: Codebook, released: Collection[str]) -> Iterator[Weakening]:
    old_cutoff, cutoff = before.corpus.get("cutoff", ""), after.corpus.get("cutoff", "")
    if old_cutoff and cutoff not in (old_cutoff, *released):
        yield _in_codebook("cutoff", f"moves from {old_cutoff} to {cutoff or 'nothing'}")
    yield from _rules(before, after)
    kept = {_exact(item.cells) for item in after.impossible}
    for item in before.impossible:
        if _exact(item.cells) not in kept:
            terms = "; ".join(f"{axis} {', '.join(cell)}" for axis, cell in item.cells.items())
            yield _in_codebook(f"impossible combination {terms}", "may occur now")
    yield from _counting(before, after)
    for name, table in before.tables.items():
        if name not in after.tables:
            yield _in_codebook(f"table {name}", "is removed")
            continue
        yield from _table(table, after.tables[name])
    limits = _mapping(after.settings.get("years"))
    for name, value in _mapping(before.settings.get("years")).items():
        now = limits.get(name)
        if now != value:
            yield _in_codebook(f"years {name}", f"changes from {value} to {now}")
    for name in before.documents:
        if name not in after.documents:
            yield _in_codebook(f"document {name}", "is removed")


def _counting(before: Codebook, after: Codebook) -> Iterator[Weakening]:
    """Yield what makes counts, gaps and tags mean something else."""
    for name, old in before.vocabularies.items():
        new = after.vocabularies.get(name)
        if new is None:
            continue  # the columns that used it have another one, or none
        place = f"vocabulary {name}"
        if old.not_applicable and old.not_applicable != new.not_applicable:
            words = f"changes from {old.not_applicable} to {new.not_applicable or 'nothing'}"
            yield _in_codebook(f"{place}, not_applicable", words)
        groups = {group.id: set(group.terms) for group in new.groups}
        for group in old.groups:
            lost = set(group.terms) - groups.get(group.id, set())
            if lost:
                words = f"loses {', '.join(sorted(lost))}"
                yield _in_codebook(f"{place}, group {group.id}", words)
        definitions = {term.id: term.definition for term in new.terms}
        for term in old.terms:
            now = definitions.get(term.id, term.definition)
            if is_turned_round(term.definition, now):
                yield _in_codebook(f"{place}, term {term.id}, definition", "is turned round")
    then, today = (_mapping(book.settings.get("sparsity")) for book in (before, after))
    for name in ("threshold", "axes", "ordered"):
        # Without the section two entries are thin and every axis counts.
        was, now = then.get(name, _COUNTED.get(name)), today.get(name, _COUNTED.get(name))
        if _counts_less(was, now):
            yield _in_codebook(f"sparsity {name}", f"changes from {was} to {now}")


def _counts_less(was: Any, now: Any) -> bool:
    """Whether fewer cells are thin, or fewer axes counted."""
    if isinstance(was, int) and isinstance(now, int):
        return now < was
    if isinstance(was, list):
        return not isinstance(now, list) or not set(was) <= set(now)
    return False


def is_turned_round(before: str, after: str) -> bool:
    """Whether a definition gains or loses a negation.

    Examples
    --------
    >>> is_turned_round("Agents are trained.", "Agents are not trained.")
    True
    >>> is_turned_round("Agents are not trained.", "Agents aren't trained at all.")
    False
    """
    return bool(_NEGATION.search(before)) is not bool(_NEGATION.search(after))


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return a section of a document, or an empty one: nobody has checked its form yet."""
    if isinstance(value, Mapping):
        return value
    return {}


def _in_codebook(place: str, words: str) -> Weakening:
    return Weakening(CODEBOOK_FILE, place, words)


def _exact(cells: Mapping[str, tuple[str, ...]]) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset((axis, frozenset(terms)) for axis, terms in cells.items())


def _rules(before: Codebook, after: Codebook) -> Iterator[Weakening]:
    now = {rule.id: rule for rule in after.consistency_rules}
    for rule in before.consistency_rules:
        if rule.id not in now:
            yield _in_codebook(f"rule {rule.id}", "is removed")
        elif _demands_less(rule, now[rule.id]):
            yield _in_codebook(f"rule {rule.id}", "is relaxed")


def _demands_less(old: ConsistencyRule, new: ConsistencyRule) -> bool:
    """Whether a row could break the old rule and keep the new one."""
    if old.table != new.table:
        return True
    for name, terms in old.then.items():
        if name not in new.then or not set(new.then[name]) <= set(terms):
            return True
    # A condition more, or one that fewer terms meet, applies to fewer rows.
    for name, terms in new.when.items():
        if name not in old.when or not set(terms) >= set(old.when[name]):
            return True
    return False


def _table(old: TableSpec, new: TableSpec) -> Iterator[Weakening]:
    place = f"table {old.name}"
    if old.role != new.role:
        yield _in_codebook(f"{place}, role", f"changes from {old.role} to {new.role}")
    if old.key != new.key:
        keys = f"from {', '.join(old.key)} to {', '.join(new.key)}"
        yield _in_codebook(f"{place}, key", f"changes {keys}")
    if old.complete and not new.complete:
        yield _in_codebook(f"{place}, complete", "entries may lack a row now")
    columns = {column.name: column for column in new.columns}
    for column in old.columns:
        where = f"{place}, column {column.name}"
        if column.name in columns:
            yield from _column(where, column, columns[column.name])
        else:
            yield _in_codebook(where, "is removed")


def _column(where: str, old: Column, new: Column) -> Iterator[Weakening]:
    # What was not declared before is not taken away.
    for name in ("type", "role", "vocabulary", "references", "mirrors"):
        was, now = getattr(old, name), getattr(new, name)
        if was and was != now:
            yield _in_codebook(f"{where}, {name}", f"changes from {was} to {now or 'nothing'}")
    if old.required and not new.required:
        yield _in_codebook(f"{where}, required", "the cell may be empty now")
    if old.axis and not new.axis:
        yield _in_codebook(f"{where}, axis", "is not counted any more")
    if is_turned_round(old.definition, new.definition):
        yield _in_codebook(f"{where}, definition", "is turned round")
    if not old.separator and new.separator:
        yield _in_codebook(f"{where}, separator", "a cell may have several values now")


def _claims(before: Study, after: Study, new_keys: Mapping[str, str]) -> Iterator[Weakening]:
    file = before.codebook.documents.get("claims", "")
    now = after.declared_items("claims", "claims")
    for name, claim in before.declared_items("claims", "claims").items():
        place = f"claim {name}"
        if name not in now:
            yield Weakening(file, place, "is removed")
            continue
        new = now[name]
        if new.get("tracked") and not claim.get("tracked"):
            yield Weakening(file, place, "only follows the data now, and guards nothing")
        elif not claim.get("tracked"):
            names = {*claim, *new} - _WORDING
            # A claim about an entry under its new key demands what it did.
            renamed = with_renamed_strings(dict(claim), new_keys)
            changed = []
            for key in sorted(names):
                if new.get(key) not in (claim.get(key), renamed.get(key)):
                    changed.append(key)
            if changed:
                yield Weakening(file, place, f"demands something else: {', '.join(changed)}")


def _protocol(before: Study, after: Study) -> Iterator[Weakening]:
    file = before.codebook.documents.get("protocol", "")
    then = _mapping(before.documents.get("protocol", {}).get("protocol"))
    today = _mapping(after.documents.get("protocol", {}).get("protocol"))
    for name in protocol.DATES:
        was, now = str(then.get(name, "")), str(today.get(name, ""))
        if was and was != now:
            yield Weakening(file, name, f"moves from {was} to {now or 'nothing'}")
    for section in protocol.LISTS:
        now_listed = after.declared_items("protocol", section)
        for name, item in before.declared_items("protocol", section).items():
            place = f"{section} {name}"
            if name not in now_listed:
                yield Weakening(file, place, "is removed")
                continue
            was_at, now_at = _stages(item), _stages(now_listed[name])
            if was_at and (not now_at or not now_at <= was_at):
                yield Weakening(file, place, "may decide at more stages")


def _stages(criterion: Mapping[str, Any]) -> set[str]:
    """Return the stages at which a criterion decides; an empty set for every one."""
    stages = criterion.get("stages")
    if not isinstance(stages, list):
        return set()
    return {str(stage) for stage in stages}


def _rows(before: Study, after: Study, changes: Changes) -> Iterator[Weakening]:
    """Yield rows that others are checked by and that were removed or changed."""
    new_keys = changes.renamed.get(before.codebook.pool.name, {})
    for row in changes.rows:
        # A table may have lost the role that makes its rows count.
        for study in (before, after):
            table = study.tables.get(row.table)
            if table is None or table.spec.role not in _CHECKED_BY:
                continue
            words = _row_words(row, table.spec, new_keys)
            # What belongs to an entry goes with it.
            if row.kind == REMOVED and _went_with_entry(row.key, before, after):
                words = ""
            if words:
                what = _CHECKED_BY[table.spec.role]
                yield Weakening(table.spec.file, f"{what} {row.old_key}", words)
            break


def _row_words(row: RowChange, spec: TableSpec, new_keys: Mapping[str, str]) -> str:
    """Return what happened to a row that others are checked by; nothing where they still are."""
    if row.kind == REMOVED:
        return "is removed"
    if row.kind not in (CHANGED, RENAMED):
        return ""
    parts = []
    # Under the new key of its entry a record states what it did. A record of the same title under
    # another identifier is a new statement, and the old one is gone.
    expected = "/".join(new_keys.get(part, part) for part in row.old_key.split("/"))
    if row.key != expected:
        parts.append(f"is now {row.key}")
    compared = _compared_cells(row, spec)
    if compared:
        parts.append(f"changes: {', '.join(compared)}")
    return ", and ".join(parts)


def _compared_cells(row: RowChange, spec: TableSpec) -> list[str]:
    """Return the changed columns that others are checked by; a filled cell takes nothing away."""
    names = []
    for cell in row.cells:
        if cell.before and spec.column(cell.column).role not in _NOT_COMPARED:
            names.append(cell.column)
    return names


def _went_with_entry(key: str, before: Study, after: Study) -> bool:
    # A record about an entry has the key of the entry first.
    entry = key.split("/")[0]
    pool = before.codebook.pool.name
    if pool not in before.tables or pool not in after.tables:
        return False
    return entry in before.tables[pool].names() and entry not in after.tables[pool].names()
