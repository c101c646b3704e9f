"""Files beside the data that decide what is checked: whoever changes them can turn a check off."""

from __future__ import annotations

import re

from corpus.model.finding import UsageProblem
from corpus.tables.git.repository import Repository
from corpus.tables.git.snapshot import Snapshot

#: Workflows, how git merges and reads files, what is installed, and the toolkit itself.
_CHECKING = re.compile(
    r"\.github/.*|\.ci/.*|corpus/.*|(?:.*/)?\.gitattributes|\.gitmodules|constraints[^/]*\.txt"
    r"|pyproject\.toml|setup\.(?:py|cfg)|Makefile|conftest\.py",
    re.DOTALL,
)


def checking_files(data: str, before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Return the files that decide what is checked and that differ between two states.

    None where the older state is not a commit of the repository.
    """
    if not before.commit:
        return ()
    try:
        changed = Repository(data).changed_files(before.commit, after.commit)
    except UsageProblem:  # a folder that is in no repository
        return ()
    return tuple(file for file in changed if _CHECKING.fullmatch(file))
