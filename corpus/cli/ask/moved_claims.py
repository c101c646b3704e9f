"""What `corpus claims` prints about claims that have moved since a release."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.moved import (
    moved_lines,
    movements,
    movements_json,
    movements_markdown,
    movements_text,
)
from corpus.analysis.claims.releases import load_release, read_releases, release_named
from corpus.cli.options import echo, echo_plain
from corpus.model.finding import UsageProblem
from corpus.model.study import Study


def echo_moved(study: Study, claims: Sequence[Claim]) -> None:
    """Print by which entries moved claims differ from the latest release, if there is one."""
    releases = read_releases(study.root)
    if releases:
        latest = releases[-1]
        # What has moved since the text was written, below the claims of today.
        then = load_release(latest, study.root)
        found = movements(study, then, latest, claims)
        echo_plain("\n" + moved_lines(found))


def echo_movements(
    study: Study, claims: Sequence[Claim], since: str, format_: str, is_full: bool
) -> None:
    """Print the claims that have another value than at a release; never a failure.

    Raises
    ------
    UsageProblem
        Where there is no such release, and for a format that claims since a release do not have.
    """
    release = release_named(since, read_releases(study.root))
    then = load_release(release, study.root)
    found = movements(study, then, release, claims)
    if format_ == "github":
        raise UsageProblem("--since has the formats text, markdown and json")
    if format_ == "json":
        echo(movements_json(found), format_)
    elif format_ == "markdown":
        echo(movements_markdown(found), format_)
    else:
        echo_plain(movements_text(found, is_full))
