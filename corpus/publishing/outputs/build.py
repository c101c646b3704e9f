"""Compare every generated file with what it would be now; write those that differ, or report them.

A text is compared by its bytes. A drawing is compared by the digest that it records of itself, so
that another release of matplotlib makes none stale, and by its checksum in the manifest, so that an
edit is found.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import corpus
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.printing.typeset import LATEX_FAILED
from corpus.publishing.export.publication import sha256
from corpus.publishing.outputs.catalogue import Output, outputs_of
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.writing.atomic import new_folders, refuse_protected, write_atomic

MISSING = Rule(
    "B101",
    "the file does not exist",
    "run `corpus build` and commit what it writes",
    title="Generated file is missing",
    reason="figures/ and reports/ are committed, so that readers see them without "
    "running anything.",
)
STALE = Rule(
    "B102",
    "stale: {why}",
    "run `corpus build` and commit what it writes",
    title="Generated file is stale",
    reason="A number in print that no longer follows from the data is wrong.",
)
ORPHAN = Rule(
    "B103",
    "nothing in this corpus makes the file",
    "remove it, or move it out of the folder",
    title="File that nothing generates",
    reason="Readers take every file in figures/ and reports/ for current.",
)


MANIFEST = "reports/manifest.json"
Step = Callable[[str], None]
_FORMAT = 1
#: Folders of generated files only.
FOLDERS = ("figures", "reports")


@dataclass(frozen=True)
class Compared:
    """One generated file beside what it would be now.

    Attributes
    ----------
    output : Output
        The file.
    content : bytes or None
        What it would be now; None for a drawing that was not made.
    sha256 : str
        For the manifest: of `content`, or what the manifest records of the drawing.
    digest : str
        Of what a drawing draws; empty for a text.
    finding : Finding or None
        Why the file has to be written, None where it is current.
    """

    output: Output
    content: bytes | None
    sha256: str
    digest: str = ""
    finding: Finding | None = None


def build(
    study: Study,
    root: str,
    step: Step = lambda _: None,
    redraw: bool = False,
    warn: Callable[[Finding], None] = lambda _: None,
) -> list[str]:
    """Write every file that is not current, then the manifest; remove what nothing makes any more.

    Removed are files that the manifest has with the content that they still have: a figure that is
    no longer declared, not a file that somebody put there.

    Parameters
    ----------
    study : Study
        The corpus.
    root : str
        The folder above figures/ and reports/.
    step : callable, optional
        Is called with each path before the file is compared.
    redraw : bool
        Whether to make drawings again that are current by digest and checksum.
    warn : callable, optional
        Is called with R102 where LaTeX is installed and does not work; the PDF is left out then.

    Returns
    -------
    list of str
        The paths that were written or removed, relative to `root`.

    Raises
    ------
    CorpusError
        With the findings of every file that could not be made; the others are written, the
        manifest is not.
    UsageProblem
        Where one of the files is write-protected; none is written then. Where a figure is to be
        drawn without the extra `figures`; the reports are written then.
    """
    known = outputs_of(study)
    paths = [*(output.path for output in known), MANIFEST]
    refuse_protected(os.path.join(root, path) for path in paths)
    sums = recorded_sums(root)
    written: list[str] = []
    made = []
    findings = []
    for output in known:
        step(output.path)
        try:
            file = _compare(output, study, root, sums, redraw)
            if file.finding:
                content = file.content or output.content(study)
                _write_output(root, output.path, content, written)
                file = replace(file, sha256=sha256(content))
        except CorpusError as error:
            if {finding.code for finding in error.findings} == {LATEX_FAILED.code}:
                # A file that git does not keep: without fonts, for example, all others are made.
                warn(error.findings[0])
            else:
                findings += error.findings
        else:
            made.append(file)
    if findings:
        raise CorpusError(findings)
    for path in _stray_files(known, root):
        content = Path(root, path).read_bytes()
        if sums.get(path) == sha256(content):
            Path(root, path).unlink()
            written.append(path)
    _write_output(root, MANIFEST, _manifest(study, made), written)
    return written


def stale_findings(
    study: Study, root: str, step: Step = lambda _: None, redraw: bool = False
) -> list[Finding]:
    """Return a finding for each file that is missing, stale or made by nothing (B101 to B103).

    With `redraw`, drawings are made again and compared by their bytes: somebody who edits both a
    drawing and the manifest gets past a comparison with the manifest.
    """
    known = outputs_of(study)
    sums = recorded_sums(root)
    compared = []
    for output in known:
        if not output.local:
            step(output.path)
            compared.append(_compare(output, study, root, sums, redraw))
    findings = [file.finding for file in compared if file.finding]
    different = _difference(MANIFEST, root, _manifest(study, compared))
    if different:
        findings.append(different)
    return findings + orphans(known, root)


def _compare(
    output: Output, study: Study, root: str, sums: Mapping[str, str], redraw: bool
) -> Compared:
    """Compare one file: a text is made for it, a drawing only with `redraw`."""
    if output.digest is None:
        content = output.content(study)
        finding = _difference(output.path, root, content)
        return Compared(output, content, sha256(content), finding=finding)
    digest = output.digest(study)
    found = read_output(root, output.path)
    shown = shown_path(os.path.join(root, output.path))
    # The manifest records what was drawn, so that of an edited drawing only the drawing is wrong.
    recorded = sums.get(output.path, "")
    if found is None:
        return Compared(output, None, recorded, digest, MISSING.at(shown))
    actual = sha256(found)
    drawn = output.content(study) if redraw else None
    why = ""
    if output.recorded(found) != digest:
        why = "built from older data, or by an older program"
    elif drawn not in (None, found):
        why = "drawing it again with the pinned versions of its libraries gives other bytes"
    elif not output.local and recorded != actual:
        why = "the file was edited after it was drawn"
    compared = Compared(output, drawn, recorded or actual, digest)
    if why:
        compared = replace(compared, finding=STALE.at(shown, why=why))
    return compared


def _difference(path: str, root: str, content: bytes) -> Finding | None:
    """Return what is wrong with a text: it is missing, or the first line that differs."""
    shown = shown_path(os.path.join(root, path))
    found = read_output(root, path)
    if found is None:
        return MISSING.at(shown)
    lines = zip_longest(found.split(b"\n"), content.split(b"\n"))
    for line, (was, now) in enumerate(lines, 1):
        if was != now:
            why = "this is the first line that differs from what the data give now"
            return STALE.at(shown, line, value=(was or b"").decode("utf-8", "replace"), why=why)
    return None


def orphans(known: list[Output], root: str) -> list[Finding]:
    """Return a finding for each file in the generated folders that nothing makes."""
    return [ORPHAN.at(shown_path(os.path.join(root, path))) for path in _stray_files(known, root)]


def _stray_files(known: list[Output], root: str) -> list[str]:
    """Return what is in the generated folders and made by nothing; README.md and hidden files may.

    Paths are relative to `root`.
    """
    made = {MANIFEST, *(output.path for output in known)}
    found = []
    for top in FOLDERS:
        for path in sorted(Path(root, top).rglob("*")):
            inside = path.relative_to(root).as_posix()
            is_kept = "/." in inside or path.name == "README.md" or inside in made
            if path.is_file() and not is_kept:
                found.append(inside)
    return found


def recorded_sums(root: str) -> dict[str, str]:
    """Return the SHA-256 that the manifest records of each file; empty where it is unusable."""
    try:
        document = json.loads(Path(root, MANIFEST).read_text(encoding="utf-8"))
        return {str(file["path"]): str(file["sha256"]) for file in document["files"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _manifest(study: Study, files: list[Compared]) -> bytes:
    """Return the manifest: which data were used, and of each file its command and its checksum."""
    listed = []
    for file in files:
        made = file.output
        if made.local:
            continue
        entry = {"path": made.path, "title": made.title, "command": made.command}
        if file.digest:
            entry["digest"] = file.digest
        listed.append({**entry, "sha256": file.sha256})
    document = {
        "format": _FORMAT,
        "made_by": f"corpus build, mas-rl-corpus {corpus.__version__}",
        "data_sha256": data_sha256(study),
        "files": listed,
    }
    return json_text(document).encode()


def _write_output(root: str, path: str, content: bytes, written: list[str]) -> None:
    if read_output(root, path) == content:
        return
    target = os.path.join(root, path)
    with new_folders(os.path.dirname(target)):
        write_atomic(target, content)
    written.append(path)


def data_sha256(study: Study) -> str:
    """Return one SHA-256 over the codebook and every declared table and document.

    It is the checksum of the lines that ``sha256sum`` prints for these files, sorted by name, as
    `sha256sum` itself would compute it; a missing file counts as empty.
    """
    names = {CODEBOOK_FILE}
    names.update(spec.file for spec in study.codebook.tables.values())
    names.update(study.codebook.documents.values())
    whole = hashlib.sha256()
    for name in sorted(names):
        try:
            content = Path(study.root, name).read_bytes()
        except OSError:
            content = b""
        whole.update(f"{sha256(content)}  {name}\n".encode())
    return whole.hexdigest()


def read_output(root: str, path: str) -> bytes | None:
    """Return the bytes of a generated file, or None where it does not exist."""
    try:
        with open(os.path.join(root, path), "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return None


def root_of(folder: str) -> str:
    """Return the folder of figures/ and reports/: the one above `data`, else the current one."""
    whole = os.path.abspath(folder)
    if os.path.basename(whole) == "data":
        return os.path.dirname(whole)
    return os.getcwd()
