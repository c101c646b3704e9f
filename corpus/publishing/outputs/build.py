"""Compare every generated file with what it would be now; write those that differ, or report them.

A text is compared by its bytes. A drawing is compared by the digest that it records of itself, so
that another release of matplotlib makes none stale, and by its checksum in the manifest, so that an
edit is found.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

import corpus
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.publishing.export.publication import sha256
from corpus.publishing.figures.figure import read_digest
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


def build(study: Study, root: str, step: Step = lambda _: None) -> list[str]:
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
    listed = []
    findings = []
    for output in known:
        step(output.path)
        try:
            finding, entry = _compare(output, study, root, sums)
            if finding:
                content = output.content(study)
                _write_output(root, output.path, content, written)
                entry["sha256"] = sha256(content)
            listed.append(entry)
        except CorpusError as error:
            findings += error.findings
    if findings:
        raise CorpusError(findings)
    for path in _stray_files(known, root):
        file = Path(root, path)
        if sums.get(path) == sha256(file.read_bytes()):
            file.unlink()
            written.append(path)
    _write_output(root, MANIFEST, _manifest(study, listed), written)
    return written


def stale_findings(study: Study, root: str, step: Step = lambda _: None) -> list[Finding]:
    """Return a finding for each file that is missing, stale or made by nothing (B101 to B103)."""
    known = outputs_of(study)
    sums = recorded_sums(root)
    found = []
    listed = []
    for output in known:
        step(output.path)
        finding, entry = _compare(output, study, root, sums)
        found.append(finding)
        listed.append(entry)
    manifest = Output(MANIFEST, "", "", lambda _: _manifest(study, listed))
    found.append(_compare(manifest, study, root, sums)[0])
    return [*filter(None, found), *orphans(known, root)]


def _compare(
    output: Output, study: Study, root: str, sums: Mapping[str, str]
) -> tuple[Finding | None, dict[str, str]]:
    """Return what is wrong with a file, and its entry of the manifest."""
    entry = {"path": output.path, "title": output.title, "command": output.command}
    found = read_output(root, output.path)
    shown = shown_path(os.path.join(root, output.path))
    if output.digest is None:
        content = output.content(study)
        entry["sha256"] = sha256(content)
        why = "" if found == content else "it is not what the data give now"
    else:
        digest = output.digest(study)
        # The manifest records what was drawn, so that of an edited drawing only it is wrong.
        recorded = sums.get(output.path)
        entry |= {"digest": digest, "sha256": recorded or sha256(found or b"")}
        why = ""
        if read_digest(found or b"") != digest:
            why = "built from older data, or by an older program"
        elif recorded != sha256(found or b""):
            why = "the file was edited after it was drawn"
    finding = STALE.at(shown, why=why) if why else None
    return MISSING.at(shown) if found is None else finding, entry


def orphans(known: list[Output], root: str) -> list[Finding]:
    """Return a finding for each file in the generated folders that nothing makes."""
    return [ORPHAN.at(shown_path(os.path.join(root, path))) for path in _stray_files(known, root)]


def _stray_files(known: list[Output], root: str) -> list[str]:
    """Return the paths, relative to `root`, of what nothing makes in the generated folders.

    README.md, hidden files, and the PDF and PNG that git does not keep may be there.
    """
    made = {MANIFEST, *(output.path for output in known)}
    found = []
    for path in chain.from_iterable(sorted(Path(root, top).rglob("*")) for top in FOLDERS):
        inside = path.relative_to(root).as_posix()
        is_kept = "/." in inside or path.name == "README.md" or path.suffix in (".pdf", ".png")
        if path.is_file() and inside not in made and not is_kept:
            found.append(inside)
    return found


def recorded_sums(root: str) -> dict[str, str]:
    """Return the SHA-256 that the manifest records of each file; empty where it is unusable."""
    try:
        document = json.loads(Path(root, MANIFEST).read_text(encoding="utf-8"))
        return {str(file["path"]): str(file["sha256"]) for file in document["files"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _manifest(study: Study, listed: list[dict[str, str]]) -> bytes:
    """Return the manifest: which data were used, and of each file its command and its checksum."""
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
