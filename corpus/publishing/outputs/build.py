"""Write every generated file that is not current."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.publishing.outputs.manifest import (
    MANIFEST,
    ManifestEntry,
    manifest_text,
    recorded_sums,
    sha256,
)
from corpus.publishing.outputs.output import Output, read_output
from corpus.publishing.outputs.sources import Sources
from corpus.tables.writing.atomic import write_atomic
from corpus.tables.writing.replacing import new_folders, refuse_protected

Step = Callable[[str], None]


def silent(_: str) -> None:
    """Show nothing of a path; the step of a build without progress."""


class Built(NamedTuple):
    """What a build did: the paths written, and those that were current, relative to the root."""

    written: list[str]
    kept: list[str]


def build(sources: Sources, root: str, step: Step = silent, redraw: bool = False) -> Built:
    """Write every file that is not current, then the manifest.

    Parameters
    ----------
    sources : Sources
        The corpus.
    root : str
        The folder above figures/ and reports/.
    step : callable, optional
        Is called with each path before the file is made.
    redraw : bool
        Whether to draw figures again although what they draw is unchanged and their bytes are as
        recorded.

    Raises
    ------
    CorpusError
        With the findings of every file that could not be made; the others are written, the
        manifest is not.
    UsageProblem
        Where one of the files is write-protected; none is written then.
    """
    planned = outputs_of(sources)
    # Checked before the first is written, and for current files as well: whether a file is current
    # is known only once it is made.
    paths = [*(output.path for output in planned), MANIFEST]
    refuse_protected(os.path.join(root, path) for path in paths)
    sums = {} if redraw else recorded_sums(root)
    built = Built([], [])
    entries: list[ManifestEntry] = []
    findings: list[Finding] = []
    failed = False
    for output in planned:
        step(output.path)
        try:
            entry = _bring_up_to_date(output, sources, root, sums, built)
        except CorpusError as error:
            findings += error.findings
            failed = True
            continue
        if not output.local:
            entries.append(entry)
    if failed:
        raise CorpusError(findings)
    _write(root, MANIFEST, manifest_text(sources, entries).encode(), built)
    # Its time shows that it is newer than the program, even where its content is unchanged.
    os.utime(os.path.join(root, MANIFEST))
    return built


def _bring_up_to_date(
    output: Output, sources: Sources, root: str, sums: Mapping[str, str], built: Built
) -> ManifestEntry:
    """Make one file where it is not current; return its entry in the manifest.

    `sums` holds the SHA-256 that the manifest records of each file. A figure is kept only where it
    agrees with it: the digest that the figure records of itself would survive any edit of the rest
    of the file.
    """
    digest = ""
    if output.digests is not None:
        digest = output.digests.current(sources)
        found = read_output(root, output.path) or b""
        unedited = output.local or sums.get(output.path) == sha256(found)
        if unedited and output.digests.recorded(found) == digest:
            built.kept.append(output.path)
            return ManifestEntry(output, sha256(found), digest)
    content = output.content(sources)
    _write(root, output.path, content, built)
    return ManifestEntry(output, sha256(content), digest)


def _write(root: str, path: str, content: bytes, built: Built) -> None:
    if read_output(root, path) == content:
        built.kept.append(path)
        return
    target = os.path.join(root, path)
    with new_folders(os.path.dirname(target)):
        write_atomic(target, content)
    built.written.append(path)
