"""`corpus release`."""

import os
import shlex
from collections.abc import Sequence
from functools import partial

import click

from corpus.cli.options import (
    data_option,
    dry_run_option,
    echo,
    flag,
    option,
    report_findings,
    tell,
)
from corpus.curation.check.accepted import accept_commands
from corpus.curation.edit.fixes import difference
from corpus.curation.release.release import (
    CHANGELOG,
    ReleasePlan,
    make_release,
    plan_release,
    repository_problems,
    root_above,
)
from corpus.model.finding import CorpusError, Finding
from corpus.printing.grid import plural
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.git.repository import is_repository
from corpus.tables.location import shown_path
from corpus.tables.writing.lock import writable_data


@click.command()
@click.argument("name", metavar="ID")
@option("--version X.Y.Z", "Version of the corpus; the next minor one by default.")
@option(
    "--text TEXT",
    "Title and identifier of the text that it belongs to; by default as the last release.",
)
@option(
    "--date YYYY-MM-DD",
    "Day up to which the text describes the corpus; by default the cutoff of the codebook, or "
    "else today.",
    "day",
)
@flag("--confirm", "Confirm that the listed sentences are right, and the listed guards may fail.")
@dry_run_option("Write nothing; show every change on stdout.")
@data_option
def release(
    name: str,
    version: str | None,
    text: str | None,
    day: str | None,
    confirm: bool,
    dry_run: bool,
    data: str | None,
) -> None:
    """Make a release: fix the corpus as a text describes it.

    Copies codebook, tables and documents to data/releases/ID and adds ID to data/releases.toml.
    Tracked claims get the values of today; their sentences are listed and left to you. The version
    is changed in the codebook, CITATION.cff, .zenodo.json, codemeta.json, pyproject.toml and the
    package beside it, where they have it; CHANGELOG.md gets a section about what moved since the
    last release.

    Refuses a working tree with changes that are not committed, and a corpus with findings. All
    files change together or none does. The tag to set goes to stdout.
    """
    folder = writable_data(data)
    plan_of = partial(plan_release, folder, name, version, text, day, confirm)
    if dry_run:
        _show(plan_of(), folder)
        return
    try:
        plan = make_release(folder, plan_of)
    except CorpusError as error:
        tell(f"{name} is refused:")
        _report_refusal(error.findings, folder)
        raise SystemExit(1) from None
    _report_plan(plan, folder)
    tell(f"written: {', '.join(map(shown_path, plan.changed(folder)))}")
    _report_next(plan, folder)
    click.echo(plan.release.tag)


def _report_plan(plan: ReleasePlan, folder: str) -> None:
    """Report to stderr what the release holds, and which claims it states anew."""
    made = plan.release
    sizes = f"{made.entries} entries, {made.excluded} excluded, {plural(made.claims, 'claim')}"
    lines = [f"Release {made.id}, version {made.version}, {made.date}: {sizes}.", made.text]
    size = sum(len(plan.contents[file]) for file in plan.copies)
    place = shown_path(os.path.join(folder, "releases", made.id))
    # A copy of a few hundred bytes is not "0 kB".
    kilobytes = max(size // 1000, 1)
    lines.append(f"{place}: {plural(len(plan.copies), 'file')} copied, {kilobytes:,} kB.")
    rebased = plan.baseline.rebased
    if rebased:
        lines.append("Claims with a new value:")
    for item in rebased:
        lines += [
            f"  {item.claim.id}: {item.before} -> {item.after}",
            f"    {item.claim.statement}",
        ]
    if plan.acknowledged:
        lines.append("Guards that do not hold and were accepted:")
    for outcome in plan.acknowledged:
        lines.append(f"  {outcome.claim.id}: {outcome.claim.statement}")
        lines.append(f"    {outcome.difference_text or outcome.observed} ({outcome.claim.reason})")
    beside = [str(item.line) for item in rebased if item.has_numbers_beside]
    if beside:
        lines.append(f"Their boundaries may have old numbers; read lines {', '.join(beside)}.")
    if f"../{CHANGELOG}" not in plan.contents:
        lines += ["What is new (there is no CHANGELOG.md):", plan.section.rstrip()]
    tell("\n".join(lines))


def _report_next(plan: ReleasePlan, folder: str) -> None:
    """Report to stderr what is left to do, as commands to copy."""
    tag = plan.release.tag
    message = shlex.quote(f"Release {plan.release.id}, version {plan.release.version}")
    steps = ["corpus build"]
    if is_repository(root_above(folder)):
        steps += ["git add --all", f"git commit -m {message}", f"git tag {tag}"]
        steps.append(f"git push origin HEAD {tag}")
    tell("\n  ".join(["Next:", *steps]))


def _report_refusal(findings: Sequence[Finding], folder: str) -> None:
    """Report to stderr what stops a release, and the commands that accept its warnings."""
    report_findings(findings)
    commands = accept_commands(findings, load_corpus(folder))
    if commands:
        tell("\n  ".join(["Correct these warnings, or accept each that is right:", *commands]))


def _show(plan: ReleasePlan, folder: str) -> None:
    """Show what would be written; exit 1 where it would be refused."""
    problems = repository_problems(root_above(folder), plan.release.tag)
    is_refused = bool(plan.findings or problems)
    if is_refused:
        tell(f"{plan.release.id} would be refused:")
        _report_refusal(plan.findings, folder)
        for problem in problems:
            tell(problem)
        tell("\nWhat it would write:")
    else:
        tell(f"{plan.release.id} would be made, with the tag {plan.release.tag}:")
    _report_plan(plan, folder)
    # Copies are what the tables are already; a diff of them would hide what changes.
    echo(difference(plan.changed(folder), 3))
    if is_refused:
        raise SystemExit(1)
    tell("Nothing was written.")
