"""Make a release: every file of it as one change."""

import os
from contextlib import ExitStack

from corpus.curation.release.plan import ReleasePlan, Request, plan_release, root_above
from corpus.model.finding import CorpusError, UsageProblem
from corpus.printing.grid import first_of
from corpus.tables.documents import read_codebook
from corpus.tables.git.repository import run_git
from corpus.tables.location import RELEASES_FOLDER, shown_path
from corpus.tables.writing.atomic import TEMPORARY, new_folders
from corpus.tables.writing.journal import BESIDE, package_files, replace_tables
from corpus.tables.writing.lock import locked, remove_leftovers

#: So many files are named.
_NAMED = 5


def make_release(data: str, request: Request) -> ReleasePlan:
    """Make a release, whole or not at all.

    A program that is killed meanwhile leaves a journal, and the next command completes the release
    or undoes it.

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
        plan = plan_release(data, request)
        problems = repository_problems(root_above(data), plan.release.tag)
        if problems:
            raise UsageProblem("; ".join(problems))
        if plan.findings:
            raise CorpusError(list(plan.findings))
        # Only now is something written.
        _remove_leftovers(data)
        contents = {path_of(data, file): content for file, content in plan.contents.items()}
        with ExitStack() as folders:
            for path in contents:
                folders.enter_context(new_folders(os.path.dirname(path)))
            replace_tables(data, contents)
    return plan


def shown_files(plan: ReleasePlan, data: str) -> list[str]:
    """Return the files that a release writes and that are not copies, as the user knows them."""
    copies = set(plan.copies)
    return [shown_path(path_of(data, file)) for file in plan.contents if file not in copies]


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
    remove_leftovers(root, (*BESIDE, *package_files(root)))


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
    problems = []
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
    found = []
    fields = iter(listing.split("\0"))
    for field in fields:
        if not field:
            continue
        found.append(field[3:])
        if "R" in field[:2] or "C" in field[:2]:
            next(fields, None)
    return found
