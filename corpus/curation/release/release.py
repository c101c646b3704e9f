"""A release: everything that it writes is worked out before the first file is touched.

Then every file of it changes as one.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date

import tomli
import tomlkit

from corpus.analysis.claims.evaluate import DOCUMENT, ClaimOutcome, all_outcomes, read_claims
from corpus.analysis.claims.moved import movements
from corpus.analysis.claims.releases import (
    Release,
    digest_of,
    is_release_id,
    load_release,
    read_releases,
)
from corpus.analysis.counting.cutoff import dated_tables, later_rows
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.row_changes import ADDED, CHANGED, REMOVED, RENAMED
from corpus.curation.check.check import check_corpus
from corpus.curation.release.baseline import rebased_claims
from corpus.curation.release.version import (
    codebook_text,
    next_version,
    parse_version,
    versioned_text,
)
from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import markdown
from corpus.printing.grid import first_of, plural
from corpus.printing.json_document import json_text
from corpus.publishing.export.packages import descriptor
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook, read_document
from corpus.tables.git.repository import git_output, is_repository
from corpus.tables.git.snapshot import disk_opener, read_snapshot
from corpus.tables.location import (
    CODEBOOK_FILE,
    DESCRIPTION_FILE,
    RELEASES_FILE,
    RELEASES_FOLDER,
    released_files,
    shown_path,
)
from corpus.tables.writing.atomic import TEMPORARY, is_filled, new_folders
from corpus.tables.writing.journal import replace_tables
from corpus.tables.writing.lock import locked, remove_leftovers

LATER = Rule(
    "V103",
    "{rows} dated after {day}",
    "release up to the last of them: corpus release {id} --date {last}",
    title="Row dated after the release",
    reason="The day of a release is its cutoff: nothing was first public or screened later.",
)


CHANGELOG = "CHANGELOG.md"
#: Files in the folder above the data folder that may state the version of the corpus.
METADATA = ("CITATION.cff", ".zenodo.json", "codemeta.json", "pyproject.toml")
#: A Python package beside the data folder, which states the version as well.
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADING = re.compile(r"^##\s.*$", re.MULTILINE)
_NEW_LIST = """\
# The releases of this corpus, the oldest first: the corpus as a text describes it, with a copy of
# its files in releases/. `corpus claims --since ID` shows what has moved; `corpus docs
# claims-format` describes every key.
format = 1
"""


@dataclass(frozen=True)
class ReleasePlan:
    """A release that is worked out.

    Attributes
    ----------
    release : Release
        Its entry in the list of releases.
    moved : tuple of ClaimOutcome
        The tracked claims that it states anew.
    contents : dict of str to bytes
        Path from the data folder, such as ``claims.toml`` or ``../CITATION.cff`` -> new content, in
        the order in which the files are written: the list of releases comes last.
    """

    release: Release
    moved: tuple[ClaimOutcome, ...]
    contents: dict[str, bytes]

    def changed(self, data: str) -> dict[str, bytes]:
        """Return the contents of files that are not below the folder of the release, by path."""
        copies = f"{RELEASES_FOLDER}/{self.release.id}/"
        own = [(file, text) for file, text in self.contents.items() if not file.startswith(copies)]
        return {path_of(data, file): text for file, text in own}


def plan_release(
    data: str,
    name: str,
    version: str | None = None,
    text: str | None = None,
    day: str | None = None,
    confirm: bool = False,
) -> ReleasePlan:
    """Work out a release of the corpus in a folder; write nothing.

    Parameters
    ----------
    data : str
        The data folder.
    name : str
        Name of the release.
    version, text, day : str, optional
        Version of the corpus, title and identifier of the text that it belongs to, and its day;
        they are chosen where they are not given.
    confirm : bool
        Whether somebody has read the sentences that a new value leaves as they were, and the guards
        that do not hold.

    Raises
    ------
    CorpusError
        Where the corpus cannot be counted, with what `corpus check` finds in it or in the release,
        and with the claims that a person has to correct first (V101, V102).
    UsageProblem
        Where the name, version or day cannot be those of a new release.
    """
    study = load_corpus(data)
    about = study.codebook.corpus
    releases = read_releases(data)
    _refuse_name(name, releases, data)
    old_version = about["version"]
    released = [release.version for release in releases]
    version = version or next_version(old_version, released)
    parse_version(version)
    if version in released:
        raise UsageProblem(f"a release has the version {version} already; name a later one")
    day = day or about["cutoff"] or str(date.today())
    try:
        day = date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageProblem(f"{day!r} is not a day such as 2026-05-04") from None
    if text is None:
        # The same text as before.
        text = ", ".join(filter(None, (about["title"], about["cite"])))
        if releases:
            text = releases[-1].text
    if not text.strip() or not text.isprintable():
        raise UsageProblem("--text is one line: title and identifier of the text")
    _refuse(check_corpus(data, complete=True), study.codebook)

    outcomes = all_outcomes(study)
    sizes = (len(study.pool.rows), study.number_of_rows("exclusions"), len(outcomes))
    release = Release(name, version, day, text, *sizes)
    then = load_release(releases[-1], data) if releases else None
    own = {}
    if DOCUMENT in study.documents:
        source = study.sources[DOCUMENT]
        claims = read_claims(then)[0].claims if then else ()
        stated = {claim.id: claim.statement for claim in claims}
        claims_text, findings = rebased_claims(source, outcomes, stated, confirm)
        _refuse(findings, study.codebook)
        if claims_text != source.text:
            own[study.codebook.documents[DOCUMENT]] = claims_text.encode()
    _refuse(_later_rows(study, release), study.codebook)
    dated = {"version": version}
    if "cutoff" in about:
        dated["cutoff"] = day
    before = study.sources[CODEBOOK_FILE].text
    book_text = codebook_text(before, dated)
    if book_text != before:
        own[CODEBOOK_FILE] = book_text.encode()

    # The copies are written first, and the list of releases last: with it, the release is there.
    copied = dict(own)
    for file in released_files(study.codebook):
        if file not in own:
            with open(os.path.join(data, file), "rb") as handle:
                copied[file] = handle.read()
    release = replace(release, digest=digest_of(copied))
    contents = {f"{RELEASES_FOLDER}/{name}/{file}": content for file, content in copied.items()}
    contents |= own
    contents |= files_beside(data, old_version, release, section_of(release, study, then))
    contents[RELEASES_FILE] = _list_with(data, release)
    state = read_snapshot("released", disk_opener(data, contents), shown_path(data))
    _refuse(check_corpus(state, complete=True), state.corpus.codebook)
    if os.path.isfile(os.path.join(data, DESCRIPTION_FILE)):
        contents = {DESCRIPTION_FILE: json_text(descriptor(state.corpus)).encode(), **contents}
    moved = tuple(outcome for outcome in outcomes if outcome.verdict == "moved")
    return ReleasePlan(release, moved, contents)


def _refuse_name(name: str, releases: tuple[Release, ...], data: str) -> None:
    if not is_release_id(name):
        raise UsageProblem(
            f"{name!r} cannot name a release: it names a folder, so use letters, digits, dots, "
            "hyphens and underscores, such as v2"
        )
    # Two names that differ in case alone are one folder on some systems.
    for release in releases:
        if release.id.lower() == name.lower():
            raise UsageProblem(
                f"the release {release.id} exists already; a release is never changed"
            )
    folder = os.path.join(data, RELEASES_FOLDER, name)
    # What a killed writer left does not count.
    filled = any(names and is_filled(inside) for inside, _, names in os.walk(folder))
    if os.path.islink(folder) or os.path.isfile(folder) or filled:
        raise UsageProblem(f"{shown_path(folder)} exists and is not a release; remove it first")


def section_of(release: Release, after: Study, before: Study | None) -> str:
    """Return the list of what is new in a release, as Markdown without a heading.

    Parameters
    ----------
    release : Release
        The new one.
    after, before : Study
        The corpus that it holds, and that of the release before; None for the first one.
    """
    sizes = f"entries {release.entries}, excluded {release.excluded}, claims {release.claims}"
    lines = [f"Release {release.id} of the corpus ({release.text}): {sizes}."]
    if before is not None:
        delta = Delta.between(before, after)
        headings = {ADDED: "Added", REMOVED: "Removed", RENAMED: "New key", CHANGED: "Changed"}
        for kind, heading in headings.items():
            keys = [row.key for row in delta.rows.of(kind, after.codebook.pool.name)]
            if keys:
                lines.append(f"{heading}: {', '.join(keys)}.")
        for item in movements(after, delta.carried, read_claims(after)[0].claims)[0]:
            # A guard that still holds is not news.
            if item.claim.tracked:
                lines.append(f"Moved: {item.claim.id}, {item.values_text('before')}.")
    return "".join(f"- {markdown(line)}\n" for line in lines)


def with_section(text: str, heading: str, section: str) -> str:
    """Return a changelog with a section: at the place of "unreleased" at its top, or on top."""
    first = _HEADING.search(text)
    if first is None:
        return f"{text.rstrip()}\n\n{heading}\n\n{section}".lstrip()
    start, end = first.span()
    if "unreleased" in first.group().lower():
        rest = text[end:].lstrip("\n")
        return f"{text[:start]}{heading}\n\n{section}{rest}"
    return f"{text[:start]}{heading}\n\n{section}\n{text[start:]}"


def root_above(data: str) -> str:
    """Return the folder above a data folder, where citation file and changelog are."""
    return os.path.dirname(os.path.realpath(data))


def files_beside(data: str, old_version: str, release: Release, section: str) -> dict[str, bytes]:
    """Return the files above the data folder that change: those with the version, the changelog.

    A data folder of another name is in a folder with files of something else. So is a file whose
    version is not that of the corpus: it is left alone.

    Raises
    ------
    UsageProblem
        Where a file cannot be understood.
    """
    root = root_above(data)
    found: dict[str, bytes] = {}
    if os.path.basename(os.path.realpath(data)) != "data":
        return found
    dated = date.today().isoformat()
    for name in (*METADATA, *package_files(root)):
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", newline="") as handle:
            try:
                before = handle.read()
            except UnicodeDecodeError:
                raise UsageProblem(f"{name} is not UTF-8") from None
        after = versioned_text(name, before, old_version, release.version, dated)
        if after != before:
            found[f"../{name}"] = after.encode()
    path = os.path.join(root, CHANGELOG)
    if os.path.isfile(path):
        old = read_document(path, shown_path(path))
        new = with_section(old, f"## {release.version} — {dated}", section)
        found[f"../{CHANGELOG}"] = new.encode()
    return found


def _list_with(data: str, release: Release) -> bytes:
    """Return the list of releases with one more at its end."""
    path = os.path.join(data, RELEASES_FILE)
    text = _NEW_LIST
    if os.path.lexists(path):
        text = read_document(path, shown_path(path))
    made = asdict(release)
    after = f"{text.rstrip()}\n\n{tomlkit.dumps({'releases': [made]})}"
    expected = tomli.loads(text)
    expected["releases"] = [*expected.get("releases", []), made]
    # A list in brackets cannot go on as [[releases]].
    with suppress(ValueError):
        if tomli.loads(after) == expected:
            return after.encode()
    raise UsageProblem(f"{shown_path(path)} is written in a way that cannot be added to")


def _refuse(findings: Iterable[Finding], book: Codebook) -> None:
    """Raise CorpusError with the findings that stop a release: all but some warnings.

    Those about excluded records, whose titles and names are as a database exported them.
    """
    logs = tuple(f"/{spec.file}" for spec in book.by_role("exclusions"))
    stop = [each for each in findings if each.is_error or not f"/{each.file}".endswith(logs)]
    if stop:
        raise CorpusError(stop)


def _later_rows(study: Study, release: Release) -> Iterator[Finding]:
    """Yield a finding for each table with rows that are dated after the day of the release."""
    for spec in dated_tables(study.codebook):
        table = study.tables[spec.name]
        rows = later_rows([table], release.date)
        column = spec.by_role("date")
        if rows and column is not None:
            dates = [row.cells[column.name] for row in rows]
            last = max(parse_date(cell).start for cell in dates).isoformat()
            place = (table.file, rows[0].line, column.name, dates[0])
            number = plural(len(rows), "row")
            yield LATER.at(*place, rows=number, day=release.date, last=last, id=release.id)


def make_release(data: str, plan_of: Callable[[], ReleasePlan]) -> ReleasePlan:
    """Make a release, whole or not at all.

    `plan_of` works it out, while the folder is locked. A program that is killed meanwhile leaves a
    journal, and the next command completes the release or undoes it.

    Raises
    ------
    CorpusError
        As :func:`plan_release`.
    UsageProblem
        So too, or where the repository has changes that are not committed.
    OSError
        Where a file cannot be written; every file is as it was.
    """
    with locked(data, read_codebook(data)):
        plan = plan_of()
        problems = repository_problems(root_above(data), plan.release.tag)
        if problems:
            raise UsageProblem("; ".join(problems))
        # Only now is something written. First goes what a killed release left.
        remove_leftovers(data, plan.contents)
        contents = {path_of(data, file): content for file, content in plan.contents.items()}
        with ExitStack() as folders:
            for path in contents:
                folders.enter_context(new_folders(os.path.dirname(path)))
            replace_tables(data, contents)
    return plan


def path_of(data: str, file: str) -> str:
    """Return where a file of the plan is; what is beside the data is so beside the true folder."""
    if file.startswith("../"):
        return os.path.join(root_above(data), file.removeprefix("../"))
    return os.path.join(data, file)


def package_files(root: str) -> Iterator[str]:
    """Yield the first module of each Python package in a folder, as ``NAME/__init__.py``."""
    for name in sorted(os.listdir(root)):
        file = f"{name}/__init__.py"
        if _PACKAGE.fullmatch(name) and os.path.isfile(os.path.join(root, file)):
            yield file


def repository_problems(root: str, tag: str) -> list[str]:
    """Return why no release can be made in a repository; nothing where there is no repository.

    Parameters
    ----------
    root : str
        The folder above the data folder.
    tag : str
        The tag of the release.

    Raises
    ------
    UsageProblem
        Where git is not installed, or cannot tell.
    """
    if not is_repository(root):
        return []
    # With -z, names are not quoted, whatever characters they have. A renamed file is two changes.
    told = git_output(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    problems = []
    # Two letters, a space, the path.
    changed = []
    for line in filter(None, told.split("\0")):
        # What a killed release left is removed before this one writes.
        if not TEMPORARY.fullmatch(os.path.basename(line[3:])):
            changed.append(line[3:])
    if changed:
        problems.append(f"commit or remove these changes first: {first_of(changed, 5)}")
    if git_output(root, "tag", "--list", tag):
        problems.append(f"the tag {tag} exists already; name another version with --version")
    return problems
