"""Corpora of other times: read from a git repository, without checking anything out.

Names of revisions come from users and pull requests. They are passed to git as one argument behind
``--end-of-options``, never to a shell, and only the object identifiers that git returns are used
from then on. git runs without a shell, asks nothing, takes no locks, and ends within two minutes.
"""

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem
from corpus.model.study import Study
from corpus.tables.corpus_reader import count_findings
from corpus.tables.documents import parsed_codebook
from corpus.tables.git.snapshot import Files, Opener, Snapshot, disk_opener, read_snapshot
from corpus.tables.location import CODEBOOK_FILE, find_data, is_interrupted, shown_path
from corpus.tables.reader import parse_table
from corpus.tables.writing.atomic import TEMPORARY
from corpus.tables.writing.lock import wait_for_writer

TRACKED_STATE = Rule(
    "C127",
    "git tracks this file, which is the private state of a program on one machine",
    "remove it from the repository: `git rm --cached {path}`",
    title="Private state in the repository",
    reason="A journal, lock or temporary file describes what a program did on one machine. In a "
    "repository it can only be a mistake, or an attempt to make another machine act on it; no "
    "command does.",
)


_SECONDS = 120
_ENVIRONMENT = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
_OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
#: Tables and documents of a corpus and of its releases.
_IS_READ = re.compile(r".+\.(?:csv|toml)")
_LINK = "120000"  # the mode of a symbolic link, which may point to anywhere

#: Remotes in whose default branch changes end: in a fork, `upstream` is what it was made from, and
#: the branch of the fork itself may be old.
_REMOTES = ("upstream", "origin")
_DEFAULT_BRANCHES = ("main", "master")


def run_git(folder: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder and return what it printed, and its exit code.

    Parameters
    ----------
    folder : str
        Where git runs.
    *arguments : str
        What follows ``git -C FOLDER``.
    given : bytes
        What git reads from its standard input.

    Raises
    ------
    UsageProblem
        Where git is not installed, or takes too long.
    ValueError
        For an argument with a NUL byte, which no program can be given.
    """
    command = ["git", "-C", folder, "--no-pager", *arguments]
    try:
        return subprocess.run(  # noqa: S603 - a list, no shell; the user's git is meant
            command,
            capture_output=True,
            timeout=_SECONDS,
            env={**os.environ, **_ENVIRONMENT},
            check=False,
            input=given,
        )
    except FileNotFoundError:
        raise UsageProblem("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise UsageProblem(f"git took more than {_SECONDS} s and was stopped") from None


def git_output(folder: str, *arguments: str) -> str:
    """Run git in a folder and return its output; UsageProblem with its message where it fails."""
    done = run_git(folder, *arguments)
    if done.returncode:
        raise UsageProblem(f"git failed: {_problem(done)}")
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


def _problem(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line of what git says, which names the cause."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else f"exit code {done.returncode}"


def folder_snapshot(data: str, label: str = "working tree", may_lack: bool = False) -> Snapshot:
    """Read the corpus of a folder on disk, once no change of it is under way."""
    if is_interrupted(data):
        wait_for_writer(data)
    found = read_snapshot(label, disk_opener(data), shown_path(data), may_lack)
    above = os.path.dirname(os.path.abspath(data))
    return replace(found, folder=data, beside=disk_opener(above))


def named_snapshot(name: str, data: str, may_lack: bool = False) -> Snapshot:
    """Read what a user names: a folder with a corpus, or a revision."""
    folder = ""
    if os.path.isdir(name):
        # Of a folder without a corpus, the name may be that of a revision.
        with suppress(UsageProblem):
            folder = find_data(name)
    if folder:
        return folder_snapshot(folder, name, may_lack)
    repository = Repository(data)
    return repository.snapshot(repository.resolve(name), name, may_lack)


#: What a program leaves on one machine: temporary files, the lock on Windows, a journal of 0.1.
_STATE = re.compile(rf"{TEMPORARY.pattern}|\.corpus\.(?:lock|journal)")


def is_repository(folder: str) -> bool:
    """Whether a folder is in a git repository; git itself need not be installed."""
    path = Path(folder).resolve()
    return any(os.path.lexists(above / ".git") for above in (path, *path.parents))


def is_state_file(path: str) -> bool:
    """Whether a path has the name of what a program leaves on one machine."""
    return _STATE.fullmatch(posixpath.basename(path)) is not None


def state_findings(state: str | Snapshot) -> list[Finding]:
    """Find files of a data folder that git tracks and that no commit should have (C127)."""
    if isinstance(state, Snapshot):
        root, tracked = state.corpus.root, list(state.listed)
    else:
        root, tracked = shown_path(state), []
        # git is asked only where there is such a file, which is nearly never.
        if any(_STATE.fullmatch(name) for _, _, names in os.walk(state) for name in names):
            if is_repository(state):
                tracked = Repository(state).tracked_files()
    findings = []
    for file in tracked:
        if is_state_file(file):
            path = posixpath.join(root, file)
            findings.append(TRACKED_STATE.at(path, path=path))
    return findings


class GitRevision(NamedTuple):
    """One state of a corpus in its history.

    Attributes
    ----------
    commit : str
        Identifier of the commit; empty for a state that is not a commit.
    label : str
        What a reader calls it: a short identifier, a tag, a release, ``working tree``.
    date : str
        Day of the commit, as its author's clock had it; it need not grow with the history.
    subject : str
        First line of its message. Anything may be in it.
    """

    commit: str
    label: str
    date: str
    subject: str


class Repository:
    """The git repository that a data folder is in.

    Parameters
    ----------
    data : str
        The data folder.

    Raises
    ------
    UsageProblem
        Where there is none, or no git.
    """

    def __init__(self, data: str) -> None:
        self.folder = os.path.realpath(data)
        self._known: dict[str, bytes] = {}
        self._parse = cache(parse_table)
        done = run_git(self.folder, "rev-parse", "--show-toplevel")
        self._top = done.stdout.decode("utf-8", "replace").rstrip("\n")
        if done.returncode or not self._top:
            # Most people without a repository do not want to hear of one.
            said = f" (git: {_problem(done)})" if is_repository(data) else ""
            raise UsageProblem(
                f"there is no earlier state of {shown_path(data)} to compare with; name two "
                f"folders: corpus diff OLD NEW{said}"
            )
        inside = os.path.relpath(self.folder, os.path.realpath(self._top))
        self.inside = inside.replace(os.sep, "/")

    def resolve(self, name: str) -> str:
        """Return the object identifier of a commit; UsageProblem where the name means none."""
        found = self._commit(name)
        if found is not None:
            return found
        raise UsageProblem(
            f"{name!r} is neither a revision of this repository nor a folder with a corpus"
            f"{self.shallow_advice()}"
        )

    def merge_base(self) -> tuple[str, str]:
        """Return the commit at which the current branch left the default branch, and its label.

        Raises
        ------
        UsageProblem
            Where there is no commit yet, or the history does not reach back so far.
        """
        head = self._commit("HEAD")
        if head is None:
            raise UsageProblem("the repository has no commit yet; there is nothing to compare with")
        name, branch = self._default_branch()
        advice = self.shallow_advice()
        if not name and advice:
            raise UsageProblem(
                f"the default branch is not known here{advice}, or name the older state"
            )
        if not name:
            return head, "HEAD"
        base = self._text("merge-base", branch, head)
        if not _OBJECT.fullmatch(base):
            raise UsageProblem(f"HEAD and {name} have no common history here{advice}")
        # A branch that was not fetched for long lets the work of others look like this change.
        day = self._log("--no-walk", base)[0].date
        if base != branch:
            name = f"merge base with {name}"
        return base, f"{name} of {day}"

    def _default_branch(self) -> tuple[str, str]:
        """Return the name of the default branch and its commit; empty where it is not known."""
        names = []
        for remote in _REMOTES:
            head = f"refs/remotes/{remote}/HEAD"
            names.append(self._text("symbolic-ref", "--quiet", "--short", head))
            names += [f"{remote}/{branch}" for branch in _DEFAULT_BRANCHES]
        for name in (*names, *_DEFAULT_BRANCHES):
            branch = self._commit(name)
            if branch is not None:
                return name, branch
        return "", ""

    def is_on_branch(self) -> bool:
        """Whether another branch than the default one is checked out, as far as that is known."""
        default, _ = self._default_branch()
        current = self._text("symbolic-ref", "--quiet", "--short", "HEAD")
        return bool(default) and current != default.split("/", 1)[-1]

    def snapshot(self, commit: str, name: str, may_lack: bool = False) -> Snapshot:
        """Read the corpus as it was at a commit."""
        opener = self.opener(commit)
        label = commit[:7] if name == commit else f"{name} ({commit[:7]})"
        shown = "" if self.inside == "." else self.inside
        if opener(CODEBOOK_FILE) is None:
            codebook = posixpath.join(shown, CODEBOOK_FILE)
            raise UsageProblem(f"{label} holds no {codebook}; there is nothing to compare with")
        found = read_snapshot(label, opener, shown, may_lack)
        listed = frozenset(self.files(commit))
        return replace(found, commit=commit, listed=listed, beside=self.opener(commit, ".."))

    def study(self, commit: str, needed: Callable[[Codebook], Iterable[str]]) -> Study:
        """Read some tables of a commit; each version of a file is parsed once.

        Most commits change one or two files, so that the tables of two hundred revisions are few.

        Parameters
        ----------
        commit : str
            Identifier of the commit.
        needed : callable
            Takes the codebook of that time and returns the names of the tables to read.

        Returns
        -------
        Study
            With these tables and without documents.

        Raises
        ------
        CorpusError
            Where codebook or tables of that time cannot be counted.
        UsageProblem
            Where `needed` cannot be answered, or git cannot read the commit.
        """
        files = Files(self.opener(commit), parse=self._parse)
        source = files.document(CODEBOOK_FILE)
        book = parsed_codebook(source)
        tables = {}
        for name in needed(book):
            tables[name] = files.table(book.tables[name])
        study = Study(book, tables, self.inside, sources={CODEBOOK_FILE: source})
        findings = count_findings(study)
        if findings:
            raise CorpusError(findings)
        return study

    def differences(self, old: str, new: str) -> list[tuple[str, str, str]]:
        """Return path, mode and status (A, D, M, T) of each file that differs from a commit.

        Without the newer commit, in the working tree, new files included. No setting of the
        repository hides any: of a submodule, of a text, of a mode.
        """
        plain = ("--raw", "--no-renames", "--ignore-submodules=none", "--no-ext-diff")
        found: dict[str, tuple[str, str]] = {}
        # A file of the branch may be gone from the working tree, which a command has settled.
        for state in [[old, new]] if new else [["--cached", old], [old]]:
            fields = iter(self._names("diff", *plain, *state))
            for meta in filter(None, fields):
                _, mode, _, _, status = meta.split()
                found[next(fields)] = (mode, status[:1])
        if not new:
            options = ("--others", "--exclude-standard", "--full-name", self._top)
            for path in filter(None, self._names("ls-files", *options)):
                found[path] = ("", "A")
        return sorted((path, *change) for path, change in found.items())

    def commits(self, old: str, new: str, file: str) -> list[str]:
        """Return the commits between two others that change a file of the data folder."""
        span = f"{old}..{new or 'HEAD'}"
        text = self._text("rev-list", "--max-count=100", span, "--", file)
        return text.splitlines()

    def tracked_files(self) -> list[str]:
        """Return the files below the data folder that git tracks now, from there."""
        return list(filter(None, self._names("ls-files")))

    def revisions(self) -> list[GitRevision]:
        """Return the commits that changed the data folder, the oldest first.

        Of a merge only the result counts, not the commits of the branch that it brought in.
        """
        return self._log("--first-parent", "--reverse", "HEAD", "--", ".")

    def moved_from(self, revision: GitRevision) -> str:
        """Return where the data were before a commit moved them; empty where it did not."""
        same = ("-M", "--diff-filter=R", "--name-status", "-r", "--root", "--no-commit-id")
        fields = self._names("diff-tree", *same, revision.commit)
        wanted = posixpath.normpath(posixpath.join(self.inside, CODEBOOK_FILE))
        for was, now in zip(fields[1::3], fields[2::3], strict=False):
            if now == wanted:
                return posixpath.dirname(was)
        return ""

    def _log(self, *arguments: str) -> list[GitRevision]:
        """Return the commits that `git log` lists."""
        # Nothing of a commit message can look like the end of a field: git allows no NUL in one.
        answer = self._answer("log", "--format=%H%x00%cs%x00%s%x00", *arguments)
        text = answer.decode("utf-8", "replace")
        fields = text.replace("\0\n", "\0").split("\0")
        found = []
        # The last field is the empty text behind the last NUL.
        for start in range(0, len(fields) - 1, 3):
            commit, date, subject = fields[start : start + 3]
            found.append(GitRevision(commit, commit[:7], date, subject))
        return found

    def files(self, commit: str, above: str = "") -> dict[str, str]:
        """Return the files below the data folder at a commit: path -> identifier of the content.

        Links are left out, since they may point to anywhere. With `above`, such as ``..``, the
        files below that folder.

        Raises
        ------
        UsageProblem
            Where the commit cannot be read.
        """
        folder = posixpath.normpath(posixpath.join(self.inside, above))
        if folder.startswith(".."):  # the data folder is the whole repository
            return {}
        paths = [] if folder == "." else [folder + "/"]
        blobs = {}
        for line in self._names("ls-tree", "-r", "--full-tree", commit, "--", *paths):
            meta, _, path = line.partition("\t")
            fields = meta.split()
            if len(fields) != 3:  # the end of the listing
                continue
            mode, kind, identifier = fields
            if kind == "blob" and mode != _LINK and _OBJECT.fullmatch(identifier):
                blobs[posixpath.relpath(path, folder)] = identifier
        return blobs

    def opener(self, commit: str, above: str = "") -> Opener:
        """Return what opens the files of a commit; each version of a file is read once."""
        blobs = {} if above else self.files(commit)
        # One process for what every comparison reads; one for each file takes three times as long.
        self._read(blob for file, blob in blobs.items() if _IS_READ.fullmatch(file))

        def opener(file: str) -> bytes | None:
            if above and not blobs:
                blobs.update(self.files(commit, above))
            blob = blobs.get(posixpath.normpath(file), "")
            self._read(filter(None, [blob]))
            return self._known.get(blob)

        return opener

    def _read(self, blobs: Iterable[str]) -> None:
        """Read the files that are not known yet, by their identifiers.

        Raises
        ------
        UsageProblem
            Where git lacks one: an empty table in its place would hide every row of it.
        """
        asked = [blob for blob in blobs if blob not in self._known]
        if not asked:
            return
        answer = self._answer("cat-file", "--batch", given="\n".join([*asked, ""]).encode())
        start = 0
        while start < len(answer):
            # A line with identifier, kind and size, then so many bytes and a line break.
            end = answer.index(b"\n", start)
            blob, *facts = answer[start:end].decode().split()
            start = end + 1
            if len(facts) == 2:
                size = int(facts[1])
                self._known[blob] = answer[start : start + size]
                start += size + 1
        if not self._known.keys() >= set(asked):
            raise UsageProblem(f"git cannot read a file of that state{self.shallow_advice()}")

    def _commit(self, name: str) -> str | None:
        commit = f"{name}^{{commit}}"
        text = self._text("rev-parse", "--verify", "--quiet", "--end-of-options", commit)
        # Older versions of git print the option as well.
        found = text.rsplit("\n", 1)[-1]
        return found if _OBJECT.fullmatch(found) else None

    def shallow_advice(self) -> str:
        """Return advice where the clone is shallow, else an empty text."""
        if self._text("rev-parse", "--is-shallow-repository") != "true":
            return ""
        return (
            "; this clone is shallow, so earlier history is missing: run `git fetch --unshallow` "
            "(in a GitHub workflow: `fetch-depth: 0` for actions/checkout)"
        )

    def _text(self, *arguments: str) -> str:
        """Ask git a question to which failing is an answer: empty text; else the output."""
        try:
            done = run_git(self.folder, *arguments)
        except ValueError:  # a NUL byte in a name
            return ""
        return "" if done.returncode else done.stdout.decode("utf-8", "replace").strip()

    def _names(self, command: str, *arguments: str) -> list[str]:
        """Return the names of files that git lists; see :meth:`_answer`."""
        data = self._answer(command, "-z", *arguments)
        return data.decode("utf-8", "surrogateescape").split("\0")

    def _answer(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run git and return its output; UsageProblem with what git said where it fails."""
        done = run_git(self.folder, *arguments, given=given)
        if done.returncode:
            raise UsageProblem(f"git failed: {_problem(done)}{self.shallow_advice()}")
        return done.stdout
