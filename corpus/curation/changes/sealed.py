"""Releases of the older state that the newer one no longer has as they were made.

What a release is can be told from the older state alone: whoever changes a copy can change its
digest in the same commit.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpus.analysis.claims.releases import Release, copied_files, opened_release, opened_releases
from corpus.curation.changes.weakened import Weakening
from corpus.model.finding import CorpusError
from corpus.tables.git.snapshot import Snapshot
from corpus.tables.location import RELEASES_FILE, RELEASES_FOLDER


def releases_of(state: Snapshot) -> tuple[Release, ...]:
    """Return the releases of a state, the oldest first; none where the list cannot be read."""
    try:
        return opened_releases(state.opener, state.corpus.root)
    except CorpusError:  # of the newer state, `corpus check` reports it
        return ()


def released_keys(before: Snapshot) -> frozenset[str]:
    """Return the keys of the entries of the latest release, as the older state has it."""
    for release in releases_of(before)[-1:]:
        try:
            released = opened_release(release, before.opener, before.corpus.root)
            return frozenset(released.pool.names())
        except CorpusError:
            break
    return frozenset()


def broken_seals(before: Snapshot, after: Snapshot) -> Iterator[Weakening]:
    """Yield each entry and each file of an existing release that is removed or changed."""
    now = {release.id: release for release in releases_of(after)}
    for release in releases_of(before):
        place = f"release {release.id}"
        if release.id not in now:
            yield Weakening(RELEASES_FILE, place, "is removed")
        else:
            yield from _changed_entry(place, release, now[release.id])
        for file, content in copied_files(release, before.opener).items():
            path = f"{RELEASES_FOLDER}/{release.id}/{file}"
            newer = after.opener(path)
            if newer is None:
                yield Weakening(path, f"{place}, {file}", "is removed")
            elif newer != content:
                line = _first_difference(content, newer)
                yield Weakening(path, f"{place}, {file}", f"changes from line {line} on", line=line)


def _changed_entry(place: str, old: Release, new: Release) -> Iterator[Weakening]:
    for name, value in old._asdict().items():
        now = getattr(new, name)
        # A release that was made before there were digests may get one.
        if now != value and (name != "digest" or value):
            yield Weakening(RELEASES_FILE, f"{place}, {name}", f"changes from {value} to {now}")


def _first_difference(old: bytes, new: bytes) -> int:
    """Return the first line, from 1 on, in which two contents differ."""
    before, after = old.split(b"\n"), new.split(b"\n")
    line = 0
    while line < min(len(before), len(after)) and before[line] == after[line]:
        line += 1
    return line + 1
