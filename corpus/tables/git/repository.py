"""Corpora of other times: read from a git repository, without checking anything out.

Names of revisions come from users and pull requests. They are passed to git as one argument behind
``--end-of-options``, never to a shell, and only the object identifiers that git returns are used from then on.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Mapping

from corpus.model.finding import UsageProblem
from corpus.tables.documents import read_codebook
from corpus.tables.git.snapshot import Opener, Snapshot, read_snapshot
from corpus.tables.location import find_data, is_interrupted, shown_path

_OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
#: Where the default branch is looked for, after what the remote itself says.
_DEFAULT_BRANCHES = ("origin/main", "origin/master", "main", "master")
_SECONDS = 120


def folder_snapshot(data: str, label: str = "working tree", may_lack: bool = False) -> Snapshot:
    """Read the corpus of a folder as it lies on disk, once no change of it is interrupted any more."""
    if is_interrupted(data):
        read_codebook(data)
    return read_snapshot(label, _on_disk(data), shown_path(data), may_lack)


def _on_disk(data: str, instead: Mapping[str, str] | None = None) -> Opener:
    """Open files below a folder; `instead` names other paths for some of them."""

    def opener(file: str) -> bytes | None:
        path = (instead or {}).get(file) or os.path.join(data, file)
        if not os.path.isfile(path):  # a device would be read without end
            return None
        with open(path, "rb") as handle:
            return handle.read()

    return opener


def file_snapshot(path: str, data: str) -> Snapshot:
    """Read a corpus whose pool is the given file; everything else comes from the data folder."""
    pool = folder_snapshot(data).corpus.codebook.pool.file
    found = read_snapshot(path, _on_disk(data, {pool: path}), shown_path(data))
    stands_for = posixpath.join(shown_path(data), pool)
    findings = (f._replace(file=shown_path(path)) if f.file == stands_for else f for f in found.findings)
    return found._replace(findings=tuple(sorted(findings)))


def named_snapshot(name: str, data: str, may_lack: bool = False) -> Snapshot:
    """Read what a user names: a folder that holds a corpus, a pool's file, or a revision of the data's repository."""
    if os.path.isfile(name):
        return file_snapshot(name, data)
    folder = named_folder(name)
    if folder is not None:
        return folder_snapshot(folder, name, may_lack)
    repository = Repository(data)
    return repository.snapshot(repository.resolve(name), name, may_lack)


def named_folder(name: str) -> str | None:
    """Return the data folder that a user names, or None where there is no corpus of that name on disk."""
    try:
        return find_data(name) if os.path.isdir(name) else None
    except UsageProblem:
        return None


class Repository:
    """The git repository that a data folder lies in.

    Raises
    ------
    UsageProblem
        Where there is none, or no git.
    """

    def __init__(self, data: str) -> None:
        self.folder = os.path.realpath(data)
        top = self._run("rev-parse", "--show-toplevel")
        if top is None:
            raise UsageProblem(
                f"{shown_path(data)} is not in a git repository, so there is no earlier state to compare with; "
                "name two folders: corpus diff OLD NEW"
            )
        self.inside = os.path.relpath(self.folder, os.path.realpath(top.strip())).replace(os.sep, "/")

    def resolve(self, name: str) -> str:
        """Return the object identifier of a commit; UsageProblem where the name means none."""
        found = self._commit(name)
        if found is None:
            both = ".." in name and all(map(self._commit, ends := re.split(r"\.{2,3}", name, maxsplit=1)))
            advice = f"; name two apart: corpus diff {' '.join(ends)}" if both else self._depth()
            raise UsageProblem(f"{name!r} is no revision of this repository and no folder with a corpus{advice}")
        return found

    def merge_base(self) -> tuple[str, str]:
        """Return the commit at which the current branch left the default branch, and what to call it.

        Raises
        ------
        UsageProblem
            Where there is no commit yet, or the history does not reach back so far.
        """
        head = self._commit("HEAD")
        if head is None:
            raise UsageProblem("the repository has no commit yet, so there is nothing to compare with")
        remote = (self._run("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD") or "").strip()
        for name in (remote, *_DEFAULT_BRANCHES):
            branch = self._commit(name) if name else None
            if branch is None:
                continue
            base = (self._run("merge-base", branch, head) or "").strip()
            if not _OBJECT.fullmatch(base):
                raise UsageProblem(f"HEAD and {name} have no common history here{self._depth()}")
            return base, name if base == branch else f"merge base with {name}"
        if self._depth():
            raise UsageProblem(f"the default branch is not known here{self._depth()}, or name the older state")
        return head, "HEAD"

    def snapshot(self, commit: str, name: str, may_lack: bool = False) -> Snapshot:
        """Read the corpus as it was at a commit."""
        opener = self._opener(commit)
        label = f"{name} ({commit[:7]})"
        shown = self.inside if self.inside != "." else ""
        if opener("codebook.toml") is None:
            raise UsageProblem(f"{label} holds no {posixpath.join(shown, 'codebook.toml')}; nothing to compare with")
        return read_snapshot(label, opener, shown, may_lack)

    def _opener(self, commit: str) -> Opener:
        paths = () if self.inside == "." else (self.inside + "/",)
        listing = self._bytes("ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths)
        if listing is None:
            raise UsageProblem(f"the files of {commit[:7]} cannot be read{self._depth()}")
        blobs: dict[str, str] = {}
        for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
            meta, _, path = entry.partition("\t")
            mode, kind, identifier = (*meta.split(), "", "", "")[:3]
            if kind == "blob" and mode != "120000" and _OBJECT.fullmatch(identifier):
                blobs[posixpath.relpath(path, self.inside)] = identifier

        def opener(file: str) -> bytes | None:
            blob = blobs.get(posixpath.normpath(file))
            return None if blob is None else self._bytes("cat-file", "blob", blob)

        return opener

    def _commit(self, name: str) -> str | None:
        text = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        found = (text or "").strip().rsplit("\n", 1)[-1]
        return found if _OBJECT.fullmatch(found) else None

    def _depth(self) -> str:
        """Return advice where the clone is shallow, else nothing."""
        if (self._run("rev-parse", "--is-shallow-repository") or "").strip() != "true":
            return ""
        return (
            "; this clone is shallow, so earlier history is missing: run `git fetch --unshallow` "
            "(in a GitHub workflow: `fetch-depth: 0` for actions/checkout)"
        )

    def _run(self, *arguments: str) -> str | None:
        data = self._bytes(*arguments)
        return None if data is None else data.decode("utf-8", "replace")

    def _bytes(self, *arguments: str) -> bytes | None:
        """Run git and return its output; None where it fails."""
        environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
        command = ["git", "-C", self.folder, "--no-pager", *arguments]
        try:
            done = subprocess.run(  # noqa: S603 — a list, no shell; names stand behind --end-of-options
                command, capture_output=True, timeout=_SECONDS, env=environment, check=False, stdin=subprocess.DEVNULL
            )
        except FileNotFoundError:
            raise UsageProblem("git is not installed; name two folders: corpus diff OLD NEW") from None
        except ValueError:  # a NUL byte in a name
            return None
        except subprocess.TimeoutExpired:
            raise UsageProblem(f"git took more than {_SECONDS} s and was stopped") from None
        return done.stdout if done.returncode == 0 else None
