"""Which generated files are missing, stale, or made by nothing; nothing is written here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from corpus.model.finding import CorpusError, Finding
from corpus.publishing.outputs.build import Step, silent
from corpus.publishing.outputs.build_rules import MISSING, ORPHAN, STALE
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.publishing.outputs.manifest import (
    MANIFEST,
    ManifestEntry,
    manifest_text,
    recorded_sums,
    sha256,
)
from corpus.publishing.outputs.output import Digests, Output, read_output
from corpus.publishing.outputs.sources import Sources
from corpus.tables.location import shown_path

#: Folders that hold generated files only.
FOLDERS = ("figures", "reports")


def stale_findings(
    sources: Sources, root: str, step: Step = silent, redraw: bool = False
) -> list[Finding]:
    """Return a finding for each file that is missing, stale or made by nothing (B101 to B103).

    Parameters
    ----------
    sources, root, step
        As for :func:`corpus.publishing.outputs.build.build`.
    redraw : bool
        Whether to draw every figure again and compare it byte by byte. Without it a figure is
        compared with the SHA-256 in the manifest, which somebody who edits both files gets past.

    Returns
    -------
    list of Finding
        In the order of the files.
    """
    known = outputs_of(sources)
    sums = recorded_sums(root)
    findings: list[Finding] = []
    entries: list[ManifestEntry] = []
    for output in known:
        if output.local:
            continue
        step(output.path)
        if output.digests is None:
            content = output.content(sources)
            found = _text_findings(root, output.path, content, sources)
            entry = ManifestEntry(output, sha256(content))
        else:
            found, entry = _check_drawn(output, output.digests, sources, root, sums, redraw)
        findings += found
        entries.append(entry)
    manifest = manifest_text(sources, entries).encode()
    findings += _text_findings(root, MANIFEST, manifest, sources)
    findings += orphans(known, root)
    return findings


def _check_drawn(
    output: Output,
    digests: Digests,
    sources: Sources,
    root: str,
    sums: Mapping[str, str],
    redraw: bool,
) -> tuple[list[Finding], ManifestEntry]:
    """Check a file by its digest and its recorded checksum; return its manifest entry as well."""
    shown = shown_path(os.path.join(root, output.path))
    current = digests.current(sources)
    found = read_output(root, output.path)
    if found is None:
        return [MISSING.at(shown)], ManifestEntry(output, sums.get(output.path, ""), current)
    # The recorded checksum of an edited figure is right, so that the figure alone is reported.
    entry = ManifestEntry(output, sums.get(output.path, sha256(found)), current)
    recorded = digests.recorded(found)
    if recorded != current:
        why = "built from older data, or by an older program"
        return [STALE.at(shown, value=recorded, why=why)], entry
    if redraw and output.content(sources) != found:
        why = "drawing it again with the pinned versions of its libraries gives other bytes"
        return [STALE.at(shown, why=why)], entry
    if sha256(found) != entry.sha256:
        return [STALE.at(shown, why="the file was edited after it was drawn")], entry
    return [], entry


def _text_findings(root: str, path: str, content: bytes, sources: Sources) -> list[Finding]:
    shown = shown_path(os.path.join(root, path))
    found = read_output(root, path)
    if found is None:
        return [MISSING.at(shown)]
    if found == content:
        return []
    if sources.sha256.encode() in found:
        why = "the program has changed, or the file was edited"
    else:
        why = "built from older data"
    line, old = _first_difference(found, content)
    return [STALE.at(shown, line, value=old, why=f"{why}; this is the first line that differs")]


def _first_difference(found: bytes, content: bytes) -> tuple[int, str]:
    """Return number and text of the first line that differs.

    The line with the data's checksum differs after every change of the data and tells nothing, so
    it counts only where no other line differs.
    """
    old = found.decode("utf-8", "replace").split("\n")
    new = content.decode("utf-8", "replace").split("\n")
    of_checksum: tuple[int, str] | None = None
    for number, (was, now) in enumerate(zip_longest(old, new), 1):
        if was == now:
            continue
        if was is None or "SHA-256" not in was:
            return number, was or ""
        of_checksum = of_checksum or (number, was)
    # Bytes that are no UTF-8 can differ where the decoded lines do not.
    return of_checksum or (1, old[0])


def orphans(known: list[Output], root: str) -> list[Finding]:
    """Return a finding for each file in the generated folders that nothing makes.

    Hidden files and README.md are left alone.
    """
    paths = {output.path for output in known}
    paths.add(MANIFEST)
    findings: list[Finding] = []
    for path in _generated_files(root):
        if path not in paths:
            findings.append(ORPHAN.at(shown_path(os.path.join(root, path))))
    return findings


def _generated_files(root: str) -> Iterator[str]:
    for top in FOLDERS:
        for folder, folders, names in sorted(os.walk(os.path.join(root, top))):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in sorted(names):
                if not name.startswith(".") and name != "README.md":
                    path = os.path.relpath(os.path.join(folder, name), root)
                    yield path.replace(os.sep, "/")


def outdated(sources: Sources, root: str) -> tuple[str, ...]:
    """Return the paths of committed files whose content has to change.

    There are none where nothing was ever built. Every change of the data changes the checksum in
    every file; that alone makes none outdated here, though ``corpus build --check`` reports it.
    """
    if not os.path.exists(os.path.join(root, MANIFEST)):
        return ()
    sums = recorded_sums(root)
    found: list[str] = []
    for output in outputs_of(sources):
        if not output.local and _has_other_content(output, sources, root, sums):
            found.append(output.path)
    return tuple(found)


def _has_other_content(
    output: Output, sources: Sources, root: str, sums: Mapping[str, str]
) -> bool:
    found = read_output(root, output.path)
    if found is None:
        return True
    try:
        if output.digests is None:
            return _without_checksum(found) != _without_checksum(output.content(sources))
        edited = sums.get(output.path) != sha256(found)
        return edited or output.digests.recorded(found) != output.digests.current(sources)
    except CorpusError:  # `corpus build` reports why it cannot be made
        return True


def _without_checksum(content: bytes) -> list[bytes]:
    return [line for line in content.split(b"\n") if b"SHA-256" not in line]
