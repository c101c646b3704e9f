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
from corpus.model.finding import Finding, UsageProblem
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.publishing.outputs.build import ORPHAN, orphans, root_of, stale_findings
from corpus.publishing.outputs.build import build as write_outputs
from corpus.publishing.outputs.catalogue import APPENDIX_PDF, outputs_of


@click.command()
@flag("--check", "Write nothing; list stale files and why, and exit 1 if any.")
@flag(
    "--allow-stale",
    "With --check: only count stale files, as in contributions; a file that nothing makes fails.",
)
@flag("--force", "Draw every figure again, with pinned versions of the libraries.")
@option(
    "--out DIR",
    "Put figures/ and reports/ into this folder; the default is the one above data/.",
    type=click.Path(),
)
@format_option("text", "json", "github")
@judged_study_option
def build(
    check: bool, allow_stale: bool, force: bool, out: str | None, format_: str, study: Study
) -> None:
    """Write all of figures/ and reports/, or list what is stale.

    A file is written only where its content changes, so that a second run changes nothing.

    --check compares texts with what would be written now, and figures with the SHA-256 in the
    manifest. --check --force draws the figures again and compares their bytes, so that an edit of
    both a figure and the manifest is found, too.
    """
    if allow_stale and not check:
        raise UsageProblem("--allow-stale needs --check")
    root = out or root_of(study.root)
    if force:
        # It imports the metadata of packages, which only --force needs.
        from corpus.canvas.style import other_versions

        if others := other_versions():
            force = False
            tell(
                "figures are not drawn again, only compared with the manifest: "
                f"{', '.join(others)}; constraints.txt has the versions that draw the same bytes"
            )
    known = outputs_of(study)
    if not check:
        broken: list[Finding] = []
        with progress("", len(known) + 1) as advance:
            written = write_outputs(study, root, partial(advance, 1), force, broken.append)
        lines = ""
        for path in written:
            verb = "wrote" if os.path.exists(os.path.join(root, path)) else "removed"
            lines += f"{verb} {path}\n"
        echo(lines or "nothing changed\n")
        report_findings(orphans(known, root))
        for finding in broken:
            tell(f"no PDF of the appendix: {finding.message}")
        if APPENDIX_PDF not in {output.path for output in known}:
            tell(
                "no PDF of the appendix: no LaTeX engine found; "
                "`corpus render-appendix --format pdf` tells how to get one"
            )
        return
    with progress("", len(known) + 1) as advance:
        findings = stale_findings(study, root, partial(advance, 1), force)
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
