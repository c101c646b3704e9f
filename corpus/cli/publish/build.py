"""`corpus build`."""

import os
from functools import partial

import click

from corpus.cli.options import (
    echo,
    echo_findings,
    flag,
    format_option,
    judged_study_option,
    option,
    progress,
    report_findings,
    tell,
)
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.publishing.outputs.build import ORPHAN, orphans, root_of, stale_findings
from corpus.publishing.outputs.build import build as write_outputs
from corpus.publishing.outputs.catalogue import outputs_of


@click.command()
@flag("--check", "Write nothing; list stale files and why, and exit 1 if any.")
@flag(
    "--allow-stale",
    "With --check: only count stale files, as in contributions; a file that nothing makes fails.",
)
@option(
    "--out DIR",
    "Put figures/ and reports/ into this folder; the default is the one above data/.",
    type=click.Path(),
)
@format_option("text", "json", "github")
@judged_study_option
def build(check: bool, allow_stale: bool, out: str | None, format_: str, study: Study) -> None:
    """Write all of figures/ and reports/, or list what is stale.

    A file is written only where its content changes, so that a second run changes nothing.

    --check compares texts with what would be written now, and figures with the SHA-256 in the
    manifest. Remove figures to have them drawn again.
    """
    if allow_stale and not check:
        raise UsageProblem("--allow-stale needs --check")
    root = out or root_of(study.root)
    known = outputs_of(study)
    with progress("", len(known) + 1) as advance:
        step = partial(advance, 1)
        if check:
            findings = stale_findings(study, root, step)
        else:
            written = write_outputs(study, root, step)
    if not check:
        lines = ""
        for path in written:
            verb = "wrote" if os.path.exists(os.path.join(root, path)) else "removed"
            lines += f"{verb} {path}\n"
        echo(lines or "nothing changed\n")
        report_findings(orphans(known, root))
        return
    wrong = findings
    if allow_stale:
        wrong = [finding for finding in findings if finding.code == ORPHAN.code]
    allowed = len(findings) - len(wrong)
    line = f"stale, which --allow-stale lets pass: {plural(allowed, 'generated file')}"
    # A notice where annotations are wanted.
    if allowed and format_ == "github":
        echo(f"::notice title=generated files::{line}\n", format_)
    elif allowed:
        tell(line)
    echo_findings(format_, wrong)
    if wrong:
        raise SystemExit(1)
    if format_ == "text" and not allowed:
        echo("every generated file is current\n")
