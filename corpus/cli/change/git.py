"""`corpus merge-driver` and `corpus init-git`."""

import os

import click

from corpus.cli.options import data_option, flag, tell
from corpus.curation.edit.form import PATH, stale_form
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.documents import read_codebook
from corpus.tables.git.merge import (
    leave_unmerged,
    merge_lines,
    merge_tables,
    read_sides,
    set_up_git,
)
from corpus.tables.location import find_data, shown_path, table_of
from corpus.tables.writing.atomic import new_folders, write_atomic
from corpus.tables.writing.lock import writable_data

ADVICE = """\
The rows are between markers: keep one of each pair, or both where they are two records that took
the same key or running number, and give one of them a free one. Remove the markers, run `corpus
fmt` and `corpus check`, `git add`.

"""


@click.command("merge-driver")
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
@click.argument("path")
@data_option
def merge_driver(base: str, ours: str, theirs: str, path: str, data: str | None) -> None:
    """Merge two changes of a table; called by git.

    It merges by rows and cells, see `corpus init-git`. The result is written to OURS. Exit code 1
    where both sides changed the same cell, or gave one number to two records; the rows concerned
    are then between conflict markers. A file that is not a table is merged line by line, as git
    does by itself. Exit code 255 where the result cannot be written; OURS then tells how to merge
    it later.
    """
    try:
        folder = find_data(data)
        book = read_codebook(folder)
        spec = table_of(path, folder, book)
        text, conflicts = merge_tables(*read_sides((base, ours, theirs), spec, path))
    except (CorpusError, UsageProblem) as error:
        tell(f"{path}: merged line by line, since {error}")
        failed = merge_lines(base, ours, theirs)
        # From 2 on, git could not merge the lines either.
        if failed >= 2:
            failed = leave_unmerged(ours, path)
        raise SystemExit(failed) from None
    try:
        write_atomic(ours, text)
    except OSError as error:
        tell(f"{path}: not merged: {error.strerror or error}")
        raise SystemExit(leave_unmerged(ours, path)) from None
    for conflict in conflicts:
        tell(f"{path}: {conflict}")
    if conflicts:
        tell(ADVICE)
        raise SystemExit(1)


@click.command("init-git")
@data_option
def init_git(data: str | None) -> None:
    """Let git merge the tables by rows and cells.

    Writes two merge drivers into the clone's configuration, and the files that use them into
    .gitattributes. The second keeps our side of generated files: after a merge, `corpus build`
    makes them anew. Run it once per clone. GitHub's own merge button runs no driver: there, the
    label of the workflow merge-rows.yml does it.
    """
    folder = writable_data(data)
    done = set_up_git(folder, read_codebook(folder), _generated_files(folder))
    lines = [f"written: {what}" for what in done] or ["everything was set up already"]
    tell("\n".join(lines))


def _generated_files(folder: str) -> list[str]:
    """Return the patterns of generated files, relative to the folder above the data."""
    # What makes the files is slow to load, and git runs the merge driver once per table.
    from corpus.publishing.export.packages import DESCRIPTOR
    from corpus.publishing.outputs.build import FOLDERS

    name = os.path.basename(os.path.abspath(folder))
    patterns = [f"{top}/**" for top in FOLDERS]
    return [*patterns, f"{name}/{DESCRIPTOR}", PATH]


@click.command()
@flag("--check", "Change nothing; exit 1 where the form is stale.")
@data_option
def forms(check: bool, data: str | None) -> None:
    """Write GitHub's issue form for a new entry.

    It is made from the codebook, into .github/ISSUE_TEMPLATE. One dropdown per vocabulary, with
    the definitions beside it. An issue that was opened with the form is read by `corpus add
    --form FILE`.
    """
    folder = writable_data(data)
    for path, text in stale_form(folder, read_codebook(folder), is_asked=True).items():
        shown = shown_path(path)
        if check:
            tell(f"{shown} is stale: made from an older codebook; run `corpus forms`")
            raise SystemExit(1)
        with new_folders(os.path.dirname(path)):
            write_atomic(path, text)
        tell(f"written: {shown}")
