"""`corpus release`."""

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
from corpus.curation.edit.fixes import difference
from corpus.curation.release.release import (
    make_release,
    plan_release,
    repository_problems,
    root_above,
)
from corpus.model.finding import CorpusError
from corpus.printing.grid import plural
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
    try:
        plan = plan_of() if dry_run else make_release(folder, plan_of)
    except CorpusError as error:
        report_findings(error.findings)
        tell(
            f"{name} is refused. Correct these, or accept warnings that are right: "
            "corpus dev accept CODE ROW --reason WHY"
        )
        raise SystemExit(1) from None
    made, changed = plan.release, plan.changed(folder)
    sizes = f"{made.entries} entries, {made.excluded} excluded, {plural(made.claims, 'claim')}"
    copied = plural(len(plan.contents) - len(changed), "file")
    tell(f"Release {made.id}, version {made.version}, {made.date}: {sizes}, {copied} copied.")
    tell(made.text)
    for outcome in plan.moved:
        claim = outcome.claim
        tell(f"  {claim.id}: {outcome.expected} -> {outcome.observed}\n    {claim.statement}")
    if dry_run:
        # Copies are what the tables are already; a diff of them would hide what changes.
        echo(difference(changed, 3))
        problems = repository_problems(root_above(folder), made.tag)
        tell("\n".join(["Nothing was written.", *problems]))
        if problems:
            raise SystemExit(1)
        return
    tell(f"written: {', '.join(map(shown_path, changed))}")
    tell(f"Next: corpus build; commit all; git tag {made.tag}; git push origin HEAD {made.tag}")
    click.echo(made.tag)
