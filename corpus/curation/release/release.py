"""A release: everything that it writes is worked out before the first file is touched.

Then every file of it changes as one.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date

import tomli
import tomlkit

from corpus.analysis.claims.evaluate import DOCUMENT, ClaimOutcome, all_outcomes, read_claims
from corpus.analysis.claims.moved import Movements, movements
from corpus.analysis.claims.releases import (
    Release,
    digest_of,
    is_release_id,
    load_release,
    read_releases,
)
from corpus.analysis.counting.cutoff import dated_tables, later_rows
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.documents import terms
from corpus.curation.changes.row_changes import ADDED, CHANGED, REMOVED, RENAMED, RowChanges
from corpus.curation.changes.sentence import code, markdown_text
from corpus.curation.check.check import check_corpus
from corpus.curation.release.baseline import ReleaseBaseline, rebased_claims
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
_HEADING = re.compile(r"^##\s+\[?(?P<version>[^\]\s]*).*$", re.MULTILINE)
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
    baseline : ReleaseBaseline
        The tracked claims that it states anew.
    contents : dict of str to bytes
        Path from the data folder, such as ``claims.toml`` or ``../CITATION.cff`` -> new content, in
        the order in which the files are written: the list of releases comes last.
    acknowledged : tuple of ClaimOutcome
        The guards that do not hold, which somebody has accepted.
    section : str
        What the changelog tells of it.
    findings : list of Finding
        What is wrong with the corpus, before or after it; a release is not made with any.
    """

    release: Release
    baseline: ReleaseBaseline
    contents: dict[str, bytes]
    acknowledged: tuple[ClaimOutcome, ...]
    section: str
    findings: list[Finding]

    @property
    def copies(self) -> list[str]:
        """Those of the contents that are copies, below the folder of the release."""
        folder = f"{RELEASES_FOLDER}/{self.release.id}/"
        return [file for file in self.contents if file.startswith(folder)]

    def changed(self, data: str) -> dict[str, bytes]:
        """Return those of the contents that are not copies, by their path."""
        copies = self.copies
        own = self.contents.items()
        return {path_of(data, file): content for file, content in own if file not in copies}


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
        Where the corpus cannot be counted, or its list of releases has mistakes.
    UsageProblem
        Where the name, version or day cannot be those of a new release.
    """
    study = load_corpus(data)
    about = study.codebook.corpus
    releases = read_releases(data)
    _refuse_name(name, releases, data)
    findings = _stopping(check_corpus(data, complete=True), study.codebook)
    claim_set, mistakes = read_claims(study)
    outcomes = all_outcomes(study, claim_set.claims)
    acknowledged = tuple(found for found in outcomes if found.verdict == "acknowledged")
    previous = None
    delta = moved = None
    stated = {}
    if releases:
        previous = releases[-1]
        then = load_release(previous, data)
        stated = {claim.id: claim.statement for claim in read_claims(then)[0].claims}
        # Claims with mistakes have no values to compare; they are among the findings.
        if not mistakes:
            delta = Delta.between(then, study)
            moved = movements(study, delta.carried, previous, claim_set.claims)
    baseline = ReleaseBaseline("")
    if DOCUMENT in study.documents:
        baseline = rebased_claims(study.sources[DOCUMENT], outcomes, stated, confirm)
    old_version = about["version"]
    release = Release(
        name,
        _version(version, old_version, releases),
        _day(day or about["cutoff"] or str(date.today())),
        _text_of_release(text, previous, study),
        len(study.pool.rows),
        study.number_of_rows("exclusions"),
        len(claim_set.claims),
    )
    section = section_of(release, study, delta, moved)
    own = _own_files(study, release, baseline)
    # The copies are written first, and the list of releases last: with it, the release is there.
    kept = dict(_kept(data, study, own))
    release = replace(release, digest=digest_of(kept))
    contents = {f"{RELEASES_FOLDER}/{release.id}/{file}": text for file, text in kept.items()}
    contents |= own
    contents |= files_beside(data, old_version, release, section, releases)
    contents[RELEASES_FILE] = _list_with(data, release)
    if not findings:
        # A corpus with errors is refused anyway, and the new state would only repeat them.
        findings = [*sorted(baseline.findings), *_later_rows(study, release)]
    if not findings:
        findings = _staged(data, contents)
    return ReleasePlan(release, baseline, contents, acknowledged, section, findings)


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


def _version(asked: str | None, current: str, releases: tuple[Release, ...]) -> str:
    released = [release.version for release in releases]
    if asked is None:
        return next_version(current, released)
    parse_version(asked)
    if asked in released:
        raise UsageProblem(f"a release has the version {asked} already; name a later one")
    return asked


def _day(asked: str) -> str:
    try:
        return date.fromisoformat(asked).isoformat()
    except ValueError:
        raise UsageProblem(f"{asked!r} is not a day such as 2026-05-04") from None


def _text_of_release(asked: str | None, previous: Release | None, study: Study) -> str:
    """Return which text the release belongs to: the same as before, unless it is named."""
    if asked is not None:
        if not asked.strip() or not asked.isprintable():
            raise UsageProblem("--text is one line: title and identifier of the text")
        return asked
    if previous is not None:
        return previous.text
    about = study.codebook.corpus
    return ", ".join(filter(None, (about["title"], about["cite"])))


def section_of(release: Release, after: Study, delta: Delta | None, moved: Movements | None) -> str:
    """Return the list of what is new in a release, as Markdown without a heading.

    Parameters
    ----------
    release : Release
        The new one.
    after : Study
        The corpus that it holds.
    delta : Delta or None
        What differs from the release before; None for the first one.
    moved : Movements or None
        The claims that have another value than in the release before.
    """
    about = f"Release {markdown(release.id)} of the corpus ({markdown(release.text)})"
    sizes = ["1 entry", plural(release.excluded, "excluded record")]
    if release.entries != 1:
        sizes[0] = f"{release.entries} entries"
    sizes.append(plural(release.claims, "claim"))
    lines = [f"- {about}: {', '.join(sizes)}."]
    if delta is not None:
        lines += [f"- {markdown_text(note.text)}" for note in terms(delta)]
        lines += _changed_entries(delta.rows, after.codebook.pool.name)
    if moved is not None:
        for item in moved.moved:
            # A guard that still holds is not news.
            if item.claim.tracked:
                values = item.values_text(f"in {moved.release.id}")
                lines.append(f"- Moved: {_code(item.claim.id)}, {markdown(values)}.")
    return "\n".join(lines) + "\n"


def _changed_entries(changes: RowChanges, pool: str) -> Iterator[str]:
    headings = {ADDED: "Added", REMOVED: "Removed", RENAMED: "New key", CHANGED: "Changed"}
    for kind, heading in headings.items():
        for row in changes.of(kind, pool):
            text = f"- {heading}: {_code(row.key)}"
            if kind == RENAMED:
                text += f", before {_code(row.old_key)}"
            if row.title:
                text += f", {markdown(row.title)}"
            if kind == CHANGED:
                columns = ", ".join(markdown(cell.column) for cell in row.cells)
                text += f" ({columns})"
            yield text + "."


def _code(name: str) -> str:
    return markdown_text([code(name)])


def with_section(text: str, version: str, date: str, section: str, released: set[str]) -> str:
    """Return a changelog with a section for a release.

    A section at the top that is headed "unreleased" becomes the one of the release, with what it
    has already; else a new one is put above the others.

    Parameters
    ----------
    text : str
        The changelog.
    version, date, section : str
        Of the release.
    released : set of str
        Versions of older releases: a section with one of them is theirs, whatever else is in it.
    """
    heading = f"## {version} — {date}"
    first = _HEADING.search(text)
    if first is None:
        return f"{text.rstrip()}\n\n{heading}\n\n{section}".lstrip()
    start, end = first.span()
    is_open = "unreleased" in first.group().lower() and first["version"] not in released
    if not is_open:
        return f"{text[:start]}{heading}\n\n{section}\n{text[start:]}"
    rest = text[end:].lstrip("\n")
    return f"{text[:start]}{heading}\n\n{section}{rest}"


def root_above(data: str) -> str:
    """Return the folder above a data folder, where citation file and changelog are."""
    return os.path.dirname(os.path.realpath(data))


def files_beside(
    data: str, old_version: str, release: Release, section: str, releases: tuple[Release, ...]
) -> dict[str, bytes]:
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
                raise UsageProblem(f"{os.path.basename(path)} is not UTF-8") from None
        after = versioned_text(name, before, old_version, release.version, dated)
        if after != before:
            found[f"../{name}"] = after.encode()
    path = os.path.join(root, CHANGELOG)
    if os.path.isfile(path):
        old = read_document(path, shown_path(path))
        released = {known.version for known in releases}
        new = with_section(old, release.version, dated, section, released)
        found[f"../{CHANGELOG}"] = new.encode()
    return found


def _own_files(study: Study, release: Release, baseline: ReleaseBaseline) -> dict[str, bytes]:
    """Return the files in the data folder that change: claims and codebook."""
    found = {}
    if baseline.rebased:
        file = study.codebook.documents[DOCUMENT]
        found[file] = baseline.text.encode()
    before = study.sources[CODEBOOK_FILE].text
    about = {"version": release.version}
    if "cutoff" in study.codebook.corpus:
        about["cutoff"] = release.date
    after = codebook_text(before, about)
    if after != before:
        found[CODEBOOK_FILE] = after.encode()
    return found


def _kept(data: str, study: Study, own: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the release keeps, as they are after it."""
    for file in released_files(study.codebook):
        if file in own:
            yield file, own[file]
            continue
        path = os.path.join(data, file)
        with open(path, "rb") as handle:
            yield file, handle.read()


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


def _stopping(findings: Iterable[Finding], book: Codebook) -> list[Finding]:
    """Return the findings that stop a release: all but warnings about excluded records.

    Nobody prints these; their titles and names are as a database exported them.
    """
    logs = tuple(f"/{spec.file}" for spec in book.by_role("exclusions"))
    return [each for each in findings if each.is_error or not f"/{each.file}".endswith(logs)]


def _staged(data: str, contents: dict[str, bytes]) -> list[Finding]:
    """Check the corpus as it will be; add the description of its tables where it is committed."""
    state = read_snapshot("released", disk_opener(data, contents), shown_path(data))
    findings = _stopping(check_corpus(state, complete=True), state.corpus.codebook)
    if not findings and os.path.isfile(os.path.join(data, DESCRIPTION_FILE)):
        # The list of releases stays the last file: with it, the release is there.
        last = contents.pop(RELEASES_FILE)
        contents[DESCRIPTION_FILE] = json_text(descriptor(state.corpus)).encode()
        contents[RELEASES_FILE] = last
    return findings


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


#: So many files are named.
_NAMED = 5


def make_release(data: str, plan_of: Callable[[], ReleasePlan]) -> ReleasePlan:
    """Make a release, whole or not at all.

    `plan_of` works it out, while the folder is locked. A program that is killed meanwhile leaves a
    journal, and the next command completes the release or undoes it.

    Raises
    ------
    CorpusError
        Where the corpus cannot be counted, with what `corpus check` finds in it or in the release,
        and with the claims that a person has to correct first (V101, V102).
    UsageProblem
        Where the name cannot be that of a new release, or the repository has changes that are not
        committed.
    OSError
        Where a file cannot be written; every file is as it was.
    """
    with locked(data, read_codebook(data)):
        plan = plan_of()
        problems = repository_problems(root_above(data), plan.release.tag)
        if problems:
            raise UsageProblem("; ".join(problems))
        if plan.findings:
            raise CorpusError(plan.findings)
        # Only now is something written.
        _remove_leftovers(data)
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


def _remove_leftovers(data: str) -> None:
    """Remove what a release left that was killed before its journal was written.

    Only a release writes these files, and it has locked the folder.
    """
    releases = os.path.join(data, RELEASES_FOLDER)
    for folder, _, names in os.walk(releases, topdown=False):
        for name in filter(TEMPORARY.fullmatch, names):
            os.unlink(os.path.join(folder, name))
        if folder != releases and not os.listdir(folder):
            os.rmdir(folder)
    root = root_above(data)
    remove_leftovers(root, (CHANGELOG, *METADATA, *package_files(root)))


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
        named = first_of(changed, _NAMED)
        problems.append(f"commit or remove these changes first: {named}")
    if git_output(root, "tag", "--list", tag):
        problems.append(f"the tag {tag} exists already; name another version with --version")
    return problems
