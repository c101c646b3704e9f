"""What a change takes away from the checks: rules, types, roles, claims, source records.

Data that passes because a rule is gone looks like data that was always right. So each such change
is named in plain words before everything else, and is an error (C431) until a maintainer accepts
it: a row of the accepted table with the code, the file, the place as it is named here, and why.

A change cannot decide everything about itself. Nobody else has agreed yet to what it accepts. What
a release is can be told from the older state alone: whoever changes a copy can change its digest in
the same commit. A change that weakens a rule hides the data that the rule is about, so the newer
rows are checked once more as the older codebook declares them. And whoever changes a workflow can
turn a check off.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from corpus.analysis.claims.releases import Release, copied_files, opened_release, opened_releases
from corpus.curation.changes.changes import (
    RENAMED,
    Changes,
    RowChange,
    compare,
    corrections,
    differing,
)
from corpus.curation.changes.declared import (
    ADDED,
    CHANGED,
    CODEBOOK,
    REMOVED,
    DeclarationChange,
    declaration_changes,
)
from corpus.curation.changes.sentence import common_start
from corpus.curation.check import protocol
from corpus.curation.check.accepted import WEAKENED, NewRows, new_acceptances
from corpus.curation.check.check import check_corpus
from corpus.curation.edit.proposal import new_row
from corpus.curation.edit.renaming import renamed_acceptances
from corpus.model.codebook import TableSpec
from corpus.model.finding import WARNING, CorpusError, Finding, Rule, new_findings
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.git.repository import Repository
from corpus.tables.git.snapshot import Snapshot
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FILE, RELEASES_FOLDER

UNLOGGED_TAG = Rule(
    "C432",
    "{column} of {other} changes from {advice} to {value}, and no correction has it",
    "add a row with the new value and the evidence to the table of corrections",
    title="Tag of a released entry without a correction",
    reason="`corpus diff` reports it. Readers must find what was changed since the "
    "release, and why.",
)
DROPPED_CORRECTION = Rule(
    "C433",
    "{column} still is {value}, and {other} does not explain it any more",
    "restore the row, or the published value",
    title="Correction removed while the difference remains",
    reason="`corpus diff` reports it. A cell that differs from the published snapshot "
    "needs its evidence.",
)
PROPOSED_ACCEPTANCE = Rule(
    "C442",
    "{value} is accepted by the change that it is about, and counts as not accepted",
    "a maintainer decides: by the merge, or by a commit of this row alone before it",
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
    more: Iterable[Weakening],
    judged: Study,
    released: Collection[str],
) -> list[Weakening]:
    """Return what a change takes away from the checks: `more`, then the codebook and the rest.

    `judged` is the newer state with the acceptances that count;
    `released` are the days of its new releases, to which the cutoff may move.
    """
    found = [
        *more,
        *_declared(before, after, changes, released),
        *_weakened_rows(before, after, changes),
    ]
    accepted = set()
    for table in judged.by_role("accepted"):
        for cells in table.by_role_cells():
            if cells.get("code") == WEAKENED.code:
                accepted.add((cells.get("file", ""), cells.get("key", "")))
    marked = []
    for item in dict.fromkeys(found):
        known = (item.file, item.place) in accepted
        marked.append(item._replace(acknowledged=known))
    return marked


def weakening_findings(found: Iterable[Weakening], root: str) -> Iterator[Finding]:
    """Yield a finding for each weakening that nobody has accepted."""
    for item in found:
        if not item.acknowledged:
            file = str(Path(root, item.file))
            yield WEAKENED.at(file, item.line, "", item.place, advice=item.words, other=item.file)


def unlogged_findings(
    before: Study, after: Study, changes: Changes, released: frozenset[str]
) -> Iterator[Finding]:
    """Yield tags of released entries, and corrections, that change without a trace.

    Parameters
    ----------
    before, after : Study
        The two states.
    changes : Changes
        What differs between them.
    released : frozenset of str
        Keys of the entries of the latest release.

    Yields
    ------
    Finding
        C432 for a tag of a released entry without a row in the corrections that has its new value;
        C433 for a correction that was removed while the pool keeps the corrected value.
    """
    pool = after.codebook.pool
    logged: dict[tuple[str, str], str] = {}
    for log in after.by_role("corrections"):
        logged |= corrections(log)
    axes = set(pool.axis_names)
    for row in changes.rows:
        if row.table != pool.name or row.kind not in (CHANGED, RENAMED):
            continue
        if not {row.key, row.old_key} & released:
            continue
        for cell in row.cells:
            if cell.column in axes and logged.get((row.key, cell.column)) != cell.after:
                place = (row.file, row.line, cell.column, cell.after)
                key, was = repr(row.key), repr(cell.before)
                yield UNLOGGED_TAG.at(*place, other=key, advice=was)
    for log in before.by_role("corrections"):
        for (key, name), value in corrections(log).items():
            if (key, name) in logged or key not in after.entries or name not in pool.header:
                continue
            entry = after.entries[key]
            if entry.cell(name) == value:
                place = (entry.table.file, entry.line, name, value)
                yield DROPPED_CORRECTION.at(*place, other=log.spec.file)


def _declared(
    before: Study, after: Study, changes: Changes, released: Collection[str]
) -> Iterator[Weakening]:
    """Yield the declarations that demand less than before, or mean something else."""
    files = {CODEBOOK: CODEBOOK_FILE, **before.codebook.documents}
    claims = before.declared_items("claims", "claims")
    # Only claims follow the new key of an entry: it may look like a date or a type.
    exact = [change for change in declaration_changes(before, after) if change.document != "claims"]
    guards = [change for change in changes.declarations if change.document == "claims"]
    for change in (*exact, *guards):
        if change.document == "claims":
            is_less = _guards_less(change, claims)
        elif change.path == ("corpus", "cutoff"):
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
            yield Weakening(files.get(change.document, ""), change.place, words)


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
        case "other":
            # What was not declared before is not taken away.
            return bool(old)
        case "off":
            return bool(old) and not new
        case "on":
            return bool(new) and not old
        case "more":
            return bool(old) and (not new or not _members(new) <= _members(old))
        case "fewer":
            return old is None or (new is not None and not _members(old) <= _members(new))
        case "lower":
            # A section without a threshold counts two entries as thin.
            old, new = (2 if value is None else value for value in (old, new))
            return isinstance(old, int) and isinstance(new, int) and new < old
    return is_turned_round(old, new)


def _members(value: Any) -> set[str]:
    """Return the members of a list as texts: nobody has checked the form of a document yet."""
    if isinstance(value, list):
        return set(map(str, value))
    return {str(value)}


def is_turned_round(before: Any, after: Any) -> bool:
    """Whether a definition gains or loses a negation.

    Examples
    --------
    >>> is_turned_round("Agents are trained.", "Agents are not trained.")
    True
    >>> is_turned_round("Agents are not trained.", "Agents aren't trained at all.")
    False
    """
    was, now = (_NEGATION.search(str(text or "")) is None for text in (before, after))
    return was != now


_LISTS = "|".join(protocol.LISTS)
#: What takes something away from the checks: how a value changes, and where it does.
_TAKES_AWAY = {
    "gone": (
        "codebook rules|impossible|tables|documents *",
        "codebook rules * then *",
        "codebook tables * columns *",
        "codebook vocabularies * groups *",
        "codebook sparsity axes|ordered",
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
    ),
    "lower": ("codebook sparsity threshold",),
    "turned round": (
        "codebook tables * columns * definition",
        "codebook vocabularies * terms * definition",
    ),
}


def _weakened_rows(before: Study, after: Study, changes: Changes) -> Iterator[Weakening]:
    """Yield rows that others are checked by and that were removed or changed."""
    pool = before.codebook.pool.name
    new_keys = changes.renamed.get(pool, {})
    gone = set()
    if pool in before.tables and pool in after.tables:
        gone = set(before.tables[pool].names()) - set(after.tables[pool].names())
    for row in changes.rows:
        # A table may have lost the role that makes its rows count.
        for study in (before, after):
            table = study.tables.get(row.table)
            if table is None or table.spec.role not in _CHECKED_BY:
                continue
            words = _row_words(row, table.spec, new_keys)
            # What belongs to an entry goes with it; the key of the entry is first in its own.
            if row.kind == REMOVED and row.key.split("/")[0] in gone:
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
    # A filled cell takes nothing away.
    compared = []
    for cell in row.cells:
        if cell.before and spec.column(cell.column).role not in _NOT_COMPARED:
            compared.append(cell.column)
    if compared:
        parts.append(f"changes: {', '.join(compared)}")
    return ", and ".join(parts)


#: Workflows, how git merges and reads files, what is installed, and the toolkit itself.
_CHECKING = re.compile(
    r"\.github/.*|\.ci/.*|corpus/.*|(?:.*/)?\.gitattributes|\.gitmodules|constraints[^/]*\.txt"
    r"|pyproject\.toml|setup\.(?:py|cfg)|Makefile|conftest\.py",
    re.DOTALL,
)


def releases_of(state: Snapshot) -> tuple[Release, ...]:
    """Return the releases of a state, the oldest first; none where the list cannot be read."""
    try:
        return opened_releases(state.opener, state.corpus.root)
    except CorpusError:  # of the newer state, `corpus check` reports it
        return ()


def released_keys(before: Snapshot) -> frozenset[str]:
    """Return the keys of the entries of the latest release, as the older state has it."""
    for release in releases_of(before)[-1:]:
        with suppress(CorpusError):
            released = opened_release(release, before.opener, before.corpus.root)
            return frozenset(released.pool.names())
    return frozenset()


def broken_seals(before: Snapshot, after: Snapshot) -> Iterator[Weakening]:
    """Yield each entry and each file of an existing release that is removed or changed."""
    now = {release.id: release for release in releases_of(after)}
    for release in releases_of(before):
        place = f"release {release.id}"
        if release.id not in now:
            yield Weakening(RELEASES_FILE, place, "is removed")
        else:
            entry = now[release.id]._asdict()
            for name, was, value in differing(release._asdict(), entry, None):
                # A release that was made before there were digests may get one.
                if name != "digest" or was:
                    words = f"changes from {was} to {value}"
                    yield Weakening(RELEASES_FILE, f"{place}, {name}", words)
        for file, content in copied_files(release, before.opener).items():
            path = f"{RELEASES_FOLDER}/{release.id}/{file}"
            newer = after.opener(path)
            if newer is None:
                yield Weakening(path, f"{place}, {file}", "is removed")
            elif newer != content:
                line = common_start(content.split(b"\n"), newer.split(b"\n")) + 1
                yield Weakening(path, f"{place}, {file}", f"changes from line {line} on", line=line)


def checking_files(data: str, before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Return the files that decide what is checked and that differ between two states.

    None where the older state is not a commit of the repository.
    """
    if not before.commit:
        return ()
    changed = Repository(data).changed_files(before.commit, after.commit)
    return tuple(filter(_CHECKING.fullmatch, changed))


def proposed_acceptances(before: Study, after: Study, changes: Changes | None = None) -> NewRows:
    """Return the acceptances that the older state does not have, under the new keys of rows."""
    renamed = (changes or compare(before, after)).renamed
    return new_acceptances(before.with_rows(renamed_acceptances(before, renamed)), after)


def proposed_findings(study: Study, rows: NewRows) -> Iterator[Finding]:
    """Yield a finding for each acceptance of the newer state that is new in it."""
    for name, line in sorted(rows):
        table = study.tables[name]
        row = table.rows[table.lines.index(line)]
        told = zip(table.spec.columns, row, strict=True)
        cells = [cell for column, cell in told if cell and column.role != "reason"]
        yield PROPOSED_ACCEPTANCE.at(table.file, line, value=", ".join(cells))


def findings_under(older: Snapshot, newer: Study, known: Iterable[Finding]) -> list[Finding]:
    """Check the rows of `newer` under what `older` declares.

    Parameters
    ----------
    older : Snapshot
        With the codebook and the documents to check under; its rows are not used.
    newer : Study
        With every table that its codebook declares.
    known : iterable of Finding
        What is found in `newer` anyway.

    Returns
    -------
    list of Finding
        Those that are not `known`; files and lines are those of `newer`. Tables and columns that
        `newer` no longer has are left out, since the rows then have nothing to fail with. Empty
        where both declare the same.
    """
    declared = older.corpus
    then, now = dict(declared.documents), dict(newer.documents)
    for documents in (then, now):
        documents.pop("claims", None)  # they have a report of their own
    if declared.codebook == newer.codebook and then == now:
        return []
    tables = {}
    headers = {}
    for name, spec in declared.codebook.tables.items():
        if name in newer.tables:
            table = newer.tables[name]
            rows = [new_row(spec, record) for record in table.records()]
            tables[name] = Table(spec, table.file, rows, table.lines)
            headers[table.file] = table.spec.header
    state = replace(declared, tables=tables, root=newer.root)
    found = []
    for finding in check_corpus(replace(older, corpus=state, findings=()), schemas=False):
        # Findings about the codebook and documents are those of the older state.
        if finding.file in headers and finding.column in ("", *headers[finding.file]):
            found.append(finding)
    return new_findings(found, known)
