"""Which generated files are missing, stale, or made by nothing; nothing is written here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from corpus.model.finding import Finding
from corpus.publishing.outputs.build import Step, silent
from corpus.publishing.outputs.build_rules import MISSING, ORPHAN, STALE
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.publishing.outputs.manifest import (
    MANIFEST,
    ManifestEntry,
    manifest_text,
    read_manifest,
    recorded_sums,
    sha256,
)
from corpus.publishing.outputs.output import Digests, Output, read_output
from corpus.publishing.outputs.sources import Sources
from corpus.tables.location import shown_path

#: Folders of generated files only.
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
    why = _why_stale(sources, root)
    findings: list[Finding] = []
    entries: list[ManifestEntry] = []
    for output in known:
        if output.local:
            continue
        step(output.path)
        if output.digests is None:
            content = output.content(sources)
            found = _text_findings(root, output.path, content, why)
            entry = ManifestEntry(output, sha256(content))
        else:
            found, entry = _check_drawn(output, output.digests, sources, root, sums, redraw)
        findings += found
        entries.append(entry)
    manifest = manifest_text(sources, entries).encode()
    findings += _text_findings(root, MANIFEST, manifest, why)
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
        entry = ManifestEntry(output, sums.get(output.path, ""), current)
        return [MISSING.at(shown)], entry
    # The recorded checksum of an edited figure is right, so that the figure alone is reported.
    checksum = sums.get(output.path, sha256(found))
    entry = ManifestEntry(output, checksum, current)
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


def _why_stale(sources: Sources, root: str) -> str:
    """Return why a text differs, by the data that the manifest names as its source."""
    if read_manifest(root).get("data_sha256") == sources.sha256:
        return "the program has changed, or the file was edited"
    return "built from older data"


def _text_findings(root: str, path: str, content: bytes, why: str) -> list[Finding]:
    shown = shown_path(os.path.join(root, path))
    found = read_output(root, path)
    if found is None:
        return [MISSING.at(shown)]
    if found == content:
        return []
    line, old = _first_difference(found, content)
    return [STALE.at(shown, line, value=old, why=f"{why}; this is the first line that differs")]


def _first_difference(found: bytes, content: bytes) -> tuple[int, str]:
    """Return number and text of the first line that differs."""
    old = found.decode("utf-8", "replace").split("\n")
    new = content.decode("utf-8", "replace").split("\n")
    for number, (was, now) in enumerate(zip_longest(old, new), 1):
        if was != now:
            return number, was or ""
    # Bytes that are not UTF-8 can differ where the decoded lines do not.
    return 1, old[0]


def orphans(known: list[Output], root: str) -> list[Finding]:
    """Return a finding for each file in the generated folders that nothing makes.

    Hidden files and README.md are left alone.
    """
    paths = {output.path for output in known}
    paths.add(MANIFEST)
    findings: list[Finding] = []
    for path in _generated_files(root):
        if path not in paths:
            shown = shown_path(os.path.join(root, path))
            findings.append(ORPHAN.at(shown))
    return findings


def _generated_files(root: str) -> Iterator[str]:
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            # In place, and while the walk goes on: it enters the folders that are left, in order.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith(".") and name != "README.md":
                    path = os.path.relpath(os.path.join(folder, name), root)
                    yield path.replace(os.sep, "/")
