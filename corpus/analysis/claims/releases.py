"""The releases of a corpus: its tables as a text describes them, kept in `data/releases/`.

A release is sealed: the list has a digest of its copy, and `corpus diff` compares both with those
of the older state.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from corpus.analysis.claims.parser import read_items
from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem, unknown
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import decode_document, parse_toml
from corpus.tables.git.snapshot import Opener, disk_opener, read_snapshot
from corpus.tables.location import (
    CODEBOOK_FILE,
    RELEASES_FILE,
    RELEASES_FOLDER,
    released_files,
    shown_path,
)

RELEASE_MISTAKE = Rule(
    "C605",
    "{place}: {problem}",
    "correct data/releases.toml; `corpus docs claims-format` has every key",
    title="Mistake in the releases file",
    reason="Without a readable release there is nothing to compare the numbers of today with.",
)
RELEASE_CHANGED = Rule(
    "C606",
    "{release}: {what} now {observed}, the release has {expected}",
    "restore data/releases/ and its entry in releases.toml from version control",
    title="Release is not as it was made",
    reason="Changed later, a release no longer shows what has moved.",
)


# An identifier is the name of a folder, so it must not lead out of `releases/`, and every system
# must be able to make the folder: Windows drops a dot at the end and keeps some names for devices.
_IDENTIFIER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Release:
    """One release: the corpus as a text describes it.

    Attributes
    ----------
    id : str
        Its name, which is that of its folder too.
    version : str
        Version of the corpus; the tag of the release is ``v`` and the version.
    date : str
        Day up to which the corpus is described.
    text : str
        Title and identifier of the text that it belongs to.
    entries, excluded, claims : int
        How many entries, excluded records and claims it has.
    digest : str
        That of its copy, see :func:`digest_of`.
    """

    id: str
    version: str
    date: str
    text: str
    entries: int
    excluded: int
    claims: int
    digest: str = ""

    def folder(self, data: str | Path) -> Path:
        """Return the folder with the copies of the files."""
        return Path(data) / RELEASES_FOLDER / self.id

    @property
    def tag(self) -> str:
        """The tag of the commit that the release is made in, such as ``v1.2.0``."""
        return f"v{self.version}"


def is_release_id(text: str) -> bool:
    """Whether a text can name a release: letters, digits, dots, hyphens, underscores.

    Examples
    --------
    >>> [is_release_id(name) for name in ("v1", "2026.1", "../v1", "v1.", "con")]
    [True, True, False, False, False]
    """
    return _IDENTIFIER.fullmatch(text) is not None and _DEVICE.fullmatch(text) is None


def read_releases(data: str | Path) -> tuple[Release, ...]:
    """Return the releases of a corpus, the oldest first; none without a releases file.

    Raises
    ------
    CorpusError
        With every mistake in the file (C605), or why it cannot be read.
    """
    return opened_releases(disk_opener(str(data)), shown_path(str(data)))


def opened_releases(opener: Opener, shown: str) -> tuple[Release, ...]:
    """Return the releases of one state of a corpus; see :func:`read_releases`."""
    content = opener(RELEASES_FILE)
    if content is None:
        return ()
    file = str(PurePosixPath(shown, RELEASES_FILE))
    text = decode_document(content, file)
    releases, findings = parse_releases(parse_toml(text, file), file)
    if findings:
        raise CorpusError(with_lines(findings, text))
    return releases


def parse_releases(
    data: Mapping[str, Any], file: str = RELEASES_FILE
) -> tuple[tuple[Release, ...], list[Finding]]:
    """Build the releases from decoded TOML, with a finding (C605) for every mistake."""
    findings: list[Finding] = []
    document = Section(data, (), findings, file, RELEASE_MISTAKE)
    if document.raw("format") != 1:
        document.mistake("format", "must be 1")
    releases = read_items(document, "releases", _release)
    document.finish()
    return releases, findings


def _release(section: Section) -> Release:
    release = section.record(Release, date=section.scalar("date"))
    if release.id and not is_release_id(release.id):
        section.mistake("id", "must be letters, digits, dots, hyphens and underscores")
    return release


def release_named(name: str, releases: tuple[Release, ...]) -> Release:
    """Return a release by its identifier.

    Raises
    ------
    UsageProblem
        With the nearest identifier, where there is no such release.
    """
    for release in releases:
        if release.id == name:
            return release
    if not releases:
        raise UsageProblem("this corpus has no release yet: it has no releases.toml")
    raise UsageProblem(unknown("release", name, [release.id for release in releases]))


def load_release(release: Release, data: str | Path) -> Study:
    """Read the corpus as it was at a release.

    Raises
    ------
    CorpusError
        Where the copy is missing or cannot be counted.
    """
    return load_corpus(str(release.folder(data)))


def copied_files(release: Release, opener: Opener) -> dict[str, bytes]:
    """Return what the copy of a release has: path below its folder -> content.

    These are the files that a reader of the copy reads. Empty where its codebook cannot be read.
    """
    folder = f"{RELEASES_FOLDER}/{release.id}"
    try:
        text = decode_document(opener(f"{folder}/{CODEBOOK_FILE}") or b"", folder)
        book = parse_codebook(parse_toml(text, folder), folder)
    except CorpusError:  # whoever reads the copy reports it
        return {}
    found = {}
    for file in released_files(book):
        content = opener(f"{folder}/{file}")
        if content is not None:
            found[file] = content
    return found


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of the copy of a release, from its files by their path.

    It is the checksum of what ``sha256sum`` prints for the files, sorted by their paths.

    Examples
    --------
    >>> digest_of({"pool.csv": b"key\\n"})[:20]
    'sha256:4a9d181307508'
    """
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"


def opened_findings(opener: Opener, shown: str) -> list[Finding]:
    """Return what is wrong with the releases file and with the copies (C605, C606).

    A copy must be readable, have as many entries and excluded records as the file declares, and
    have the digest that the file declares.
    """
    try:
        releases = opened_releases(opener, shown)
    except CorpusError as error:
        return error.findings
    file = str(PurePosixPath(shown, RELEASES_FILE))
    findings = []
    for release in releases:
        try:
            study = opened_release(release, opener, shown)
        except CorpusError as error:
            findings += error.findings
            continue
        counted: dict[str, tuple[int | str, int | str]] = {
            "entries": (release.entries, len(study.pool.rows)),
            "excluded": (release.excluded, study.number_of_rows("exclusions")),
            "digest": (release.digest or "nothing", digest_of(copied_files(release, opener))),
        }
        for what, (expected, observed) in counted.items():
            if observed != expected:
                place = (file, 0, what, release.id)
                found = RELEASE_CHANGED.at(
                    *place, release=release.id, what=what, observed=observed, expected=expected
                )
                findings.append(found)
    return findings


def opened_release(release: Release, opener: Opener, shown: str) -> Study:
    """Read the copy of a release in one state of a corpus; CorpusError where it has errors."""
    folder = f"{RELEASES_FOLDER}/{release.id}"
    place = str(PurePosixPath(shown, folder))
    snapshot = read_snapshot(release.id, lambda name: opener(f"{folder}/{name}"), place)
    if snapshot.findings:
        raise CorpusError(list(snapshot.findings))
    return snapshot.corpus
