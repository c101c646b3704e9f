"""What the git repository of a corpus shows against a release: changes that are not committed."""

from __future__ import annotations

import os

from corpus.printing.grid import first_of
from corpus.tables.git.command import run_git

#: So many files are named.
_NAMED = 5


def repository_problems(root: str, tag: str) -> list[str]:
    """Return why no release can be made in a repository; nothing where there is no repository.

    Parameters
    ----------
    root : str
        The folder above the data folder.
    tag : str
        The tag of the release.
    """
    if not is_repository(root):
        return []
    # With -z, names are not quoted, whatever characters they have.
    done = run_git(root, "status", "--porcelain", "-z", "--untracked-files=all")
    if done.returncode != 0:
        problem = done.stderr.decode("utf-8", "replace").strip()
        return [f"git cannot tell whether everything is committed: {problem}"]
    problems: list[str] = []
    changed = _changed_paths(done.stdout.decode("utf-8", "replace"))
    if changed:
        named = first_of(changed, _NAMED)
        problems.append(f"commit or remove these changes first: {named}")
    known = run_git(root, "tag", "--list", tag)
    if known.stdout.strip():
        problems.append(f"the tag {tag} exists already; name another version with --version")
    return problems


def is_repository(root: str) -> bool:
    """Whether a folder is in a git repository; git itself need not be installed."""
    folder = os.path.realpath(root)
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def _changed_paths(listing: str) -> list[str]:
    """Return the paths in the output of ``git status -z``: two letters, a space, the path.

    The path that a renamed file had before follows it without letters.
    """
    found: list[str] = []
    fields = iter(listing.split("\0"))
    for field in fields:
        if not field:
            continue
        found.append(field[3:])
        if "R" in field[:2] or "C" in field[:2]:
            next(fields, None)
    return found
