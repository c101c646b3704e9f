"""Make every generated file, or say which ones are stale."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError, Finding
from corpus.publishing.outputs.build_rules import MISSING, ORPHAN, STALE
from corpus.publishing.outputs.catalogue import artefacts
from corpus.publishing.outputs.manifest import MANIFEST, Mark, manifest_text, recorded_sums, sha256
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.sources import Sources
from corpus.tables.atomic import write_atomic
from corpus.tables.location import shown_path
from corpus.tables.replacing import new_folders, refuse_protected

#: Folders that hold generated files only.
FOLDERS = ("figures", "reports")

Step = Callable[[str], None]


def silent(_: str) -> None:
    """Say nothing of a path; the step of a build that shows no progress."""


class Built(NamedTuple):
    """What a build did: paths written and paths that were current already, both from the root."""

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
        Is told each path before the file is made.
    redraw : bool
        Whether figures are drawn again although what they draw is unchanged and their bytes are as recorded.

    Raises
    ------
    CorpusError
        With the findings of every file that could not be made; the others are written, the manifest is not.
    UsageProblem
        Where one of the files is write-protected; none is written then.
    """
    built, marks, findings, failed = Built([], []), [], [], False
    sums = {} if redraw else recorded_sums(root)
    planned = artefacts(sources)
    # Before the first is written, and whether it is current or not: that is known only once it is made.
    refuse_protected(os.path.join(root, path) for path in (*(artefact.path for artefact in planned), MANIFEST))
    for artefact in planned:
        step(artefact.path)
        try:
            mark = _bring_up_to_date(artefact, sources, root, sums, built)
        except CorpusError as error:
            findings += error.findings
            failed = True
            continue
        if not artefact.local:
            marks.append(mark)
    if failed:
        raise CorpusError(findings)
    text = manifest_text(sources, marks)
    _write(root, MANIFEST, text.encode(), built)
    os.utime(os.path.join(root, MANIFEST))
    return built


def _bring_up_to_date(artefact: Output, sources: Sources, root: str, sums: Mapping[str, str], built: Built) -> Mark:
    """Make one file where it is not current; return the mark by which the manifest knows it.

    `sums` holds the SHA-256 that the manifest records of each file. A figure is kept only where it agrees with it:
    the digest that the figure records of itself would survive any edit of the rest of the file.
    """
    digest = ""
    if artefact.digest is not None and artefact.recorded is not None:
        digest = artefact.digest(sources)
        found = read(root, artefact.path) or b""
        unedited = artefact.local or sums.get(artefact.path) == sha256(found)
        if unedited and artefact.recorded(found) == digest:
            built.kept.append(artefact.path)
            return Mark(artefact, sha256(found), digest)
    content = artefact.content(sources)
    _write(root, artefact.path, content, built)
    return Mark(artefact, sha256(content), digest)


def _write(root: str, path: str, content: bytes, built: Built) -> None:
    if read(root, path) == content:
        built.kept.append(path)
        return
    target = os.path.join(root, path)
    with new_folders(os.path.dirname(target)):
        write_atomic(target, content)
    built.written.append(path)


def read(root: str, path: str) -> bytes | None:
    """Return the bytes of a generated file, or None where it is not there."""
    try:
        with open(os.path.join(root, path), "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return None


def stale(sources: Sources, root: str, step: Step = silent, redraw: bool = False) -> list[Finding]:
    """Name the generated files that are missing, stale or made by nothing (B101 to B103); nothing is written.

    Parameters
    ----------
    sources, root, step
        As for :func:`build`.
    redraw : bool
        Whether every figure is drawn again and compared byte by byte. Without it a figure is compared with the
        SHA-256 in the manifest, which somebody who edits both files gets past.

    Returns
    -------
    list of Finding
        In the order of the files.
    """
    known = artefacts(sources)
    sums = recorded_sums(root)
    findings, marks = [], []
    for artefact in known:
        if artefact.local:
            continue
        step(artefact.path)
        found, mark = _check(artefact, sources, root, sums, redraw)
        findings += found
        marks.append(mark)
    findings += _bytes_differ(root, MANIFEST, manifest_text(sources, marks).encode(), sources)
    findings += orphans(known, root)
    return findings


def _check(
    artefact: Output, sources: Sources, root: str, sums: Mapping[str, str], redraw: bool
) -> tuple[list[Finding], Mark]:
    if artefact.digest is None or artefact.recorded is None:
        content = artefact.content(sources)
        return _bytes_differ(root, artefact.path, content, sources), Mark(artefact, sha256(content))
    digest, found = artefact.digest(sources), read(root, artefact.path)
    shown = shown_path(os.path.join(root, artefact.path))
    if found is None:
        return [MISSING.at(shown)], Mark(artefact, sums.get(artefact.path, ""), digest)
    # What the manifest records of an edited figure is not wrong, so that the figure alone is named.
    mark = Mark(artefact, sums.get(artefact.path, sha256(found)), digest)
    if artefact.recorded(found) != digest:
        why = "what it draws, or how, has changed since it was made"
        return [STALE.at(shown, value=artefact.recorded(found), why=why)], mark
    if redraw and artefact.content(sources) != found:
        why = "drawn again with the pinned versions of its libraries, it has other bytes"
        return [STALE.at(shown, why=why)], mark
    if sha256(found) != mark.sha256:
        return [STALE.at(shown, why="the file itself was edited after it was drawn")], mark
    return [], mark


def _bytes_differ(root: str, path: str, content: bytes, sources: Sources) -> list[Finding]:
    shown, found = shown_path(os.path.join(root, path)), read(root, path)
    if found is None:
        return [MISSING.at(shown)]
    if found == content:
        return []
    line, was = _first_difference(found, content)
    same_data = sources.sha256.encode() in found
    why = "the program or the file itself has changed" if same_data else "the data has changed since it was made"
    return [STALE.at(shown, line, value=was, why=f"{why}; this is the first line that differs in its content")]


def _first_difference(found: bytes, content: bytes) -> tuple[int, str]:
    """Return number and text of the first line that differs, the head with the data's checksum apart."""
    old, new = (part.decode("utf-8", "replace").split("\n") for part in (found, content))
    differing = [
        number
        for number in range(max(len(old), len(new)))
        if (old[number] if number < len(old) else None) != (new[number] if number < len(new) else None)
    ]
    telling = [number for number in differing if number >= len(old) or "SHA-256" not in old[number]]
    first = (telling or differing)[0]
    return first + 1, old[first] if first < len(old) else ""


def orphans(known: list[Output], root: str) -> list[Finding]:
    """Name the files in the generated folders that nothing makes; hidden ones and README.md are left alone."""
    paths = {artefact.path for artefact in known} | {MANIFEST}
    return [ORPHAN.at(shown_path(os.path.join(root, path))) for path in _files(root) if path not in paths]


def _files(root: str) -> Iterator[str]:
    for top in FOLDERS:
        for folder, folders, names in sorted(os.walk(os.path.join(root, top))):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in sorted(names):
                if not name.startswith(".") and name != "README.md":
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
