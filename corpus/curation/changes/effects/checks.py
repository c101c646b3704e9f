"""What a change breaks, accepts itself, or takes away from the checks.

Data that passes because a rule is gone looks like data that was always right. So each such change
is an error (C431) until a maintainer accepts it: a row of the accepted table with the code, the
file, the place as it is named here, and why. A change cannot decide everything about itself: what
it accepts counts as not accepted.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from corpus.analysis.claims.evaluate import CLAIM_FAILS
from corpus.curation.changes.declared import (
    ADDED,
    CODEBOOK,
    REMOVED,
    DeclarationChange,
    declaration_changes,
)
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import CHANGED, RENAMED
from corpus.curation.changes.sentence import LENGTH, shown
from corpus.curation.check import protocol
from corpus.curation.check.accepted import WEAKER_CHECK
from corpus.model.finding import WARNING, Finding, Rule
from corpus.printing.grid import plural
from corpus.tables.location import CODEBOOK_FILE

PROPOSED_ACCEPTANCE = Rule(
    "C442",
    "{value} is accepted by the change that it is about, and counts as not accepted",
    "a maintainer decides: by the merge, or by committing this row before",
    WARNING,
    title="Accepted by the change itself",
    reason="`corpus diff` and `corpus check --since` report it: who proposes a change "
    "does not accept what it breaks.",
)

#: Roles of tables whose rows are evidence that other rows are checked by, in words for a message.
_CHECKED_BY = {
    "source_records": "source record",
    "accepted": "accepted warning",
    "accepted_claims": "accepted difference of a claim",
}
#: Roles of columns that no check compares with: they tell when and from where a row was read.
_NOT_COMPARED = ("read_on", "evidence")
#: Words that turn a sentence round.
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot|except|unless)\b|n't\b", re.I
)
#: What a claim may change without demanding less.
_WORDING = frozenset({"statement", "made_in", "boundary", "source_id", "note", "id"})


def waivers(delta: Delta) -> Iterator[Note]:
    """Yield what the change accepts itself, all of it: nobody else has agreed to it."""
    for name, line in sorted(delta.waivers):
        table = delta.new.tables[name]
        told = zip(table.spec.columns, table.rows[table.lines.index(line)], strict=True)
        value = ", ".join(cell for column, cell in told if cell and column.role != "reason")
        found = PROPOSED_ACCEPTANCE.at(table.file, line, value=value)
        text = f"accepted by the change itself: {shown(value)} in {found.file}, line {line}"
        record = {"file": found.file, "line": str(line), "accepts": value}
        yield Note("waivers", text, record, finding=found)


def findings(delta: Delta) -> Iterator[Note]:
    """Yield what is wrong with the newer state."""
    inherited = set(delta.inherited)
    for finding in sorted(delta.findings, key=lambda one: (not one.is_error, one)):
        note = finding_note("findings", finding)
        if finding in inherited:
            yield replace(note, subject="inherited", record=finding, finding=None, is_detail=True)
        elif finding.code == CLAIM_FAILS.code and delta.is_countable:
            yield replace(note, is_detail=True)  # the claim has its sentence
        else:
            yield note
    errors = sum(finding.is_error for finding in inherited)
    if errors:
        more = f"{plural(errors, 'error')} more that {delta.before.label} has already"
        yield Note("inherited", more)


def finding_note(subject: str, finding: Finding) -> Note:
    """Return the note of a finding; those that are no errors are details."""
    line = f", line {finding.line}" if finding.line else ""
    place = f"{finding.file}{line}{', ' * bool(finding.column)}{finding.column}"
    text = f"{finding.code} in {place}: {shown(finding.message, 2 * LENGTH)}"
    return Note(subject, text, None, finding.code, finding, not finding.is_error)


def weaker_checks(delta: Delta) -> Iterator[Note]:
    """Yield what is checked less than before, all of it: none may hide behind the others."""
    for file, place, words in dict.fromkeys([*_declarations(delta), *_rows(delta)]):
        yield weakening(delta, file, place, words)


def weakening(delta: Delta, file: str, place: str, words: str, line: int = 0) -> Note:
    """Return the note of one thing that is checked less, an error until somebody accepts it.

    Parameters
    ----------
    delta : Delta
        The change.
    file, line : str, int
        Where it is, below the data folder.
    place : str
        What was changed, as an acceptance names it: ``rule cases-are-industrial``.
    words : str
        What happened to it, in plain words: ``is removed``.
    """
    is_known = any(
        (cells.get("code"), cells.get("file"), cells.get("key")) == (WEAKER_CHECK.code, file, place)
        for table in delta.without_new_waivers.by_role("accepted")
        for cells in table.by_role_cells()
    )
    state = "acknowledged" if is_known else "to acknowledge"
    known = " It is acknowledged." if is_known else ""
    text = f"weaker check in {file}: {shown(place)} {shown(words)}.{known}"
    record = {"file": file, "place": place, "words": words, "state": state}
    finding = None
    if not is_known:
        finding = WEAKER_CHECK.at(delta.path(file), line, "", place, advice=words, other=file)
    return Note("weaker_checks", text, record, finding=finding)


def _declarations(delta: Delta) -> Iterator[tuple[str, str, str]]:
    """Yield the declarations that demand less than before, or mean something else."""
    files = {CODEBOOK: CODEBOOK_FILE, **delta.old.codebook.documents}
    claims = delta.old.declared_items("claims", "claims")
    known, now = delta.releases
    released = [release.date for release in now if release not in known]
    # Only claims follow the new key of an entry: it may look like a date or a type.
    exact = [one for one in declaration_changes(delta.old, delta.new) if one.document != "claims"]
    guards = [change for change in delta.declared if change.document == "claims"]
    for change in (*exact, *guards):
        if change.document == "claims":
            is_less = _guards_less(change, claims)
        elif change.path == ("corpus", "cutoff"):  # it may move to the day of a new release
            is_less = bool(change.old) and change.new not in released
        else:
            is_less = _demands_less(change)
        if is_less:
            words = f"changes from {change.before} to {change.after or 'nothing'}"
            if change.kind == REMOVED:
                words = "is removed"
            elif change.kind == ADDED:
                words = f"is now {change.after}"
            elif change.path[-1] == "definition":
                words = "is turned round"
            yield files.get(change.document, ""), change.place, words


def _guards_less(change: DeclarationChange, claims: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim guards less: it is removed, or demands something else.

    A tracked claim states a number of a release, which growth moves: it guards nothing.
    """
    section, name, key = (*change.path, "", "")[:3]
    if section != "claims" or claims.get(name, {}).get("tracked"):
        return False
    return change.kind == REMOVED or (name in claims and key not in _WORDING)


def _demands_less(change: DeclarationChange) -> bool:
    """Whether a change of codebook or protocol takes something away, by the place where it is."""
    parts = (change.document, *change.path)
    for how, places in _TAKES_AWAY.items():
        if any(_is_at(place.split(), parts) for place in places):
            if _takes_away(how, change.old, change.new):
                return True
    return False


def _is_at(place: list[str], parts: tuple[str, ...]) -> bool:
    if len(place) != len(parts):
        return False
    pairs = zip(place, parts, strict=True)
    return all(word == "*" or part in word.split("|") for word, part in pairs)


def _takes_away(how: str, old: Any, new: Any) -> bool:
    """Whether a value changes in such a way; see :data:`_TAKES_AWAY`."""
    match how:
        case "gone":
            return new is None
        case "other":  # what was not declared before is not taken away
            return bool(old)
        case "off":
            return bool(old) and not new
        case "on":
            return bool(new) and not old
        case "more":
            return bool(old) and (not new or not _members(new) <= _members(old))
        case "fewer":
            return old is None or (new is not None and not _members(old) <= _members(new))
        case "lower":  # a section without a threshold counts two entries as thin
            old, new = (2 if value is None else value for value in (old, new))
            return isinstance(old, int) and isinstance(new, int) and new < old
    was, now = (_NEGATION.search(str(text or "")) is None for text in (old, new))
    return was != now


def _members(value: Any) -> set[str]:
    """Return the members of a list as texts: nobody has checked the form of a document yet."""
    return set(map(str, value)) if isinstance(value, list) else {str(value)}


_LISTS = "|".join(protocol.LISTS)
#: What takes something away from the checks: how a value changes, and where it does.
_TAKES_AWAY = {
    "gone": (
        "codebook rules|impossible|tables|documents *",
        "codebook rules * then *",
        "codebook tables * columns *",
        "codebook vocabularies * groups *",
        "codebook sparsity axes|ordered",
        "codebook prose",
        f"protocol protocol|{_LISTS}",
        f"protocol {_LISTS} *",
    ),
    "other": (
        "codebook rules * table",
        "codebook tables * role|key",
        "codebook tables * columns * type|role|vocabulary|references|mirrors",
        "codebook vocabularies * not_applicable",
        "codebook years",
        "codebook years *",
        f"protocol protocol|{_LISTS}",
        f"protocol protocol {'|'.join(protocol.DATES)}",
    ),
    "off": ("codebook tables * complete", "codebook tables * columns * required|axis"),
    "on": ("codebook tables * columns * separator",),
    # A rule that allows more terms, or applies to fewer rows.
    "more": ("codebook rules * then *", "protocol exclusion|inclusion * stages"),
    "fewer": (
        "codebook rules * when *",
        "codebook vocabularies * groups * terms",
        "codebook sparsity axes|ordered",
        "codebook prose absolute",
        "codebook prose columns *",
    ),
    "lower": ("codebook sparsity threshold",),
    "turned round": (
        "codebook tables * columns * definition",
        "codebook vocabularies * terms * definition",
    ),
}


def _rows(delta: Delta) -> Iterator[tuple[str, str, str]]:
    """Yield rows that others are checked by and that were removed or changed."""
    before, after = delta.old, delta.new
    pool = before.codebook.pool.name
    new_keys = delta.rows.renamed.get(pool, {})
    gone: set[str] = set()
    if pool in before.tables and pool in after.tables:
        gone = set(before.tables[pool].names()) - set(after.tables[pool].names())
    for row in delta.rows.rows:
        # A table may have lost the role that makes its rows count.
        specs = [
            study.tables[row.table].spec for study in (before, after) if row.table in study.tables
        ]
        spec = next((spec for spec in specs if spec.role in _CHECKED_BY), None)
        # What belongs to an entry goes with it; the key of the entry is first in its own.
        if spec is None or (row.kind == REMOVED and row.key.split("/")[0] in gone):
            continue
        words = ["is removed"] if row.kind == REMOVED else []
        if row.kind in (CHANGED, RENAMED):
            # Under the new key of its entry a record states what it did. A record of the same title
            # under another identifier is a new statement, and the old one is gone.
            expected = "/".join(new_keys.get(part, part) for part in row.old_key.split("/"))
            if row.key != expected:
                words.append(f"is now {row.key}")
            # A filled cell takes nothing away.
            filled = [spec.column(cell.column) for cell in row.cells if cell.before]
            compared = [column.name for column in filled if column.role not in _NOT_COMPARED]
            if compared:
                words.append(f"changes: {', '.join(compared)}")
        if words:
            yield spec.file, f"{_CHECKED_BY[spec.role]} {row.old_key}", ", and ".join(words)
