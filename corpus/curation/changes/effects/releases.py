"""What a change does to releases: a sealed copy that differs, a new one, what leaves no trace."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from corpus.analysis.claims.releases import Release, copied_files, opened_release
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note, weakening
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import differing
from corpus.model.finding import CorpusError, Rule, UsageProblem
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.git.repository import Repository
from corpus.tables.git.snapshot import Opener
from corpus.tables.location import RELEASES_FILE, RELEASES_FOLDER

UNLOGGED_TAG = Rule(
    "C432",
    "{column} of {other} changes from {advice} to {value}, and no correction has it",
    "add a correction with the new value and the evidence",
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
NOT_THE_DATA = Rule(
    "C435",
    "the copy of the new release {value} is not the data of its commit: {advice} differs",
    "make releases with `corpus release`",
    title="Release that is not the data",
    reason="`corpus diff` reports it. A release is a copy of the data at its commit; anything else "
    "was never in the corpus.",
)
NOT_THE_LAST = Rule(
    "C436",
    "the new release {value} is not the latest one",
    "add a release at the end of the list",
    title="Release before the latest",
    reason="`corpus diff` reports it. What was published earlier is published; a release that "
    "comes later is the last.",
)
#: Roles of tables that have no log of corrections, and of the columns that a release states.
_PUBLISHED = {
    "corrections": ("before",),
    "exclusions": ("stage", "source", "query_family", "reason", "identifier"),
}


def releases(delta: Delta) -> Iterator[Note]:
    """Yield each new release, and each entry and file of an older one that differs."""
    before, after = delta.releases
    now = {release.id: release for release in after}
    for release in before:
        place = f"release {release.id}"
        if release.id not in now:
            yield weakening(delta, RELEASES_FILE, place, "is removed")
        else:
            entry = asdict(now[release.id])
            for name, was, value in differing(asdict(release), entry, None):
                # A release that was made before there were digests may get one.
                if name != "digest" or was:
                    words = f"changes from {was} to {value}"
                    yield weakening(delta, RELEASES_FILE, f"{place}, {name}", words)
        for file, content in copied_files(release, delta.before.opener).items():
            path = f"{RELEASES_FOLDER}/{release.id}/{file}"
            newer = delta.after.opener(path)
            if newer is None:
                yield weakening(delta, path, f"{place}, {file}", "is removed")
            elif newer != content:
                yield weakening(delta, path, f"{place}, {file}", "changes")
        folder = f"{RELEASES_FOLDER}/{release.id}/"
        for changed in delta.files or ():
            if changed.change.startswith("added") and changed.inside.startswith(folder):
                added = changed.inside.removeprefix(folder)
                yield weakening(delta, changed.inside, f"{place}, {added}", "is added")
    known = {release.id for release in before}
    for position, release in enumerate(after):
        if release.id not in known:
            yield from _new(delta, release, before, is_last=position >= len(before))


def _new(
    delta: Delta, release: Release, before: tuple[Release, ...], is_last: bool
) -> Iterator[Note]:
    described = f" ({release.version}, {release.date}): {release.text}"
    yield Note("releases", f"New release {release.id}{described}", release)
    if not is_last or (before and release.date < before[-1].date):
        found = NOT_THE_LAST.at(delta.path(RELEASES_FILE), 0, "id", release.id)
        yield finding_note("findings", found)
    other = _differs(release, delta.after.opener, delta.after.opener)
    # Later commits of the same change may have gone on from the release.
    for opener in _openers(delta) if other else ():
        if not _differs(release, delta.after.opener, opener):
            return
    if other:
        found = NOT_THE_DATA.at(delta.path(RELEASES_FILE), 0, "id", release.id, advice=other)
        yield finding_note("findings", found)


def _differs(release: Release, copies: Opener, data: Opener) -> str:
    """Return the first file of a copy that is another one in the data; empty where none is."""
    for file, content in copied_files(release, copies).items():
        if data(file) != content:
            return file
    return ""


def _openers(delta: Delta) -> Iterator[Opener]:
    """Yield what opens the files of each commit of the change that changed the releases."""
    if delta.before.commit:
        try:
            repository = Repository(delta.data)
        except UsageProblem:
            return
        for commit in repository.commits(delta.before.commit, delta.after.commit, RELEASES_FILE):
            yield repository.opener(commit)


def unlogged(delta: Delta) -> Iterator[Note]:
    """Yield tags of released entries, and corrections, that change without a trace (C432, C433)."""
    if not delta.after.countable:
        return
    after = delta.after.corpus
    pool = after.codebook.pool
    logged: dict[tuple[str, str], str] = {}
    for log in after.by_role("corrections"):
        logged |= corrections(log)
    copy = _latest(delta)
    released = set(copy.pool.names()) if copy else set()
    for row in delta.rows.altered(pool.name):
        for cell in row.cells if {row.key, row.old_key} & released else ():
            if cell.column in pool.axis_names and logged.get((row.key, cell.column)) != cell.after:
                place = (row.file, row.line, cell.column, cell.after)
                found = UNLOGGED_TAG.at(*place, other=repr(row.key), advice=repr(cell.before))
                yield finding_note("findings", found)
    for log in delta.old.by_role("corrections"):
        for (key, name), value in corrections(log).items():
            if (key, name) in logged or key not in after.entries or name not in pool.header:
                continue
            entry = after.entries[key]
            if entry.cell(name) == value:
                place = (entry.table.file, entry.line, name, value)
                found = DROPPED_CORRECTION.at(*place, other=log.spec.file)
                yield finding_note("findings", found)


def rewritten(delta: Delta) -> Iterator[Note]:
    """Yield what a release states of excluded records and published cells, and that changes."""
    copy = _latest(delta)
    published = copy.tables if copy else {}
    for row in delta.rows.altered(*published) if copy else ():
        table = published[row.table]
        kept = _PUBLISHED.get(table.spec.role, ())
        if row.old_key not in map("/".join, table.keys()):
            continue
        stated = {column.name for column in table.spec.columns if column.role in kept}
        for cell in row.cells:
            if cell.column in stated:
                place = f"{row.table} {row.old_key}, {cell.column}"
                words = f"changes after release {delta.releases[0][-1].id} "
                words += f"from {cell.before} to {cell.after}"
                yield weakening(delta, table.spec.file, place, words, row.line)


def _latest(delta: Delta) -> Study | None:
    """Return the latest release as the older state has it; None without one that can be read."""
    for release in delta.releases[0][-1:]:
        with suppress(CorpusError):  # `corpus check` reports it
            return opened_release(release, delta.before.opener, delta.before.corpus.root)
    return None


def corrections(log: Table) -> dict[tuple[str, str], str]:
    """Return the corrected value of each key and column."""
    found = {}
    for cells in log.by_role_cells():
        found[cells.get("key", ""), cells.get("column", "")] = cells.get("after", "")
    return found
