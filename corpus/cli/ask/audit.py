"""`corpus audit` with its subcommands."""

from functools import partial
from pathlib import Path

import click

from corpus.analysis.agreement.agreement import (
    agreement_json,
    agreement_markdown,
    agreement_reports,
    agreement_text,
)
from corpus.analysis.audit.audit import (
    ROLE,
    audit_grids,
    audit_json,
    audit_summary,
    drawn_audit,
    evidence_audit_grids,
    evidence_audits,
    evidence_sheet,
)
from corpus.analysis.audit.sheet import draw, parse_plan, parse_sheet, plan_text, sheet_text
from corpus.analysis.claims.evaluate import load_claims
from corpus.cli.commands import AUDIT
from corpus.cli.lazy import LazyGroup
from corpus.cli.options import (
    EXISTING_FILE,
    echo,
    echo_report,
    flag,
    format_option,
    option,
    study_option,
    terminal_columns,
)
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.tables.documents import decode_document
from corpus.tables.writing.atomic import write_atomic


@click.group(cls=LazyGroup, table=AUDIT)
def audit() -> None:
    """Draw entries for a second reader, and report what the sample proves."""


def plan_path(sheet: str) -> Path:
    """Return where the plan of a sheet is: beside it."""
    return Path(f"{sheet}.plan.json")


@click.command()
@option("--size", "Draw this many entries.", type=click.IntRange(1), required=True)
@option("--seed", "Another text draws another sample.", default="1")
@flag("--evidence", "Draw rows of the evidence tables instead.")
@option("--reader NAME", "Write this name into the sheet.", default="")
@option(
    "-o --output FILE",
    "Write the sheet here, and the plan beside it as FILE.plan.json.",
    required=True,
    type=click.Path(dir_okay=False),
)
@study_option
def plan(size: int, seed: str, evidence: bool, reader: str, output: str, study: Study) -> None:
    """Draw entries for a second reader, and write the sheet to fill in.

    The sheet shows titles and addresses, and none of the tags; it has a column for each axis. The
    draw depends on the seed and the keys alone, so that anyone can repeat it. A sheet that exists
    is never replaced.
    """
    for path in (Path(output), plan_path(output)):
        if path.exists():
            raise UsageProblem(f"{path} exists already, perhaps with a reader's work in it")
    if evidence:
        write_atomic(output, evidence_sheet(study, size, seed, reader))
        spec = study.table_of(ROLE).spec
        echo(f"{output}: {size} rows drawn. Fill it in, and add it to {spec.file}.\n")
        return
    drawn = draw(study, size, seed)
    write_atomic(str(plan_path(output)), plan_text(drawn))
    write_atomic(output, sheet_text(drawn, study, reader))
    echo(
        f"{output}: {size} of {len(drawn.population)} entries drawn.\n"
        f"Fill it in, then: corpus audit report {output}\n"
    )


@click.command()
@click.argument("sheet", required=False, type=EXISTING_FILE)
@format_option("text", "markdown", "json")
@study_option
def report(sheet: str | None, format_: str, study: Study) -> None:
    """Bound the wrong tags, and show which claims the bound protects.

    SHEET is a filled sheet of `corpus audit plan`. Without it, the evidence rows that were drawn
    and checked are reported.

    The bound is exact: with more wrong tags than it names, so few would be found in fewer than 5 %
    of all samples.
    """
    if sheet is None:
        rows = evidence_audits(study)
        if not rows:
            raise UsageProblem("no evidence rows were drawn; `corpus audit plan` draws a sample")
        grids = partial(evidence_audit_grids, rows)
        echo_report(format_, grids, json=partial(audit_json, None, rows))
        return
    beside = plan_path(sheet)
    if not beside.is_file():
        problem = "without the plan nothing shows what was drawn"
        raise UsageProblem(f"{beside} is missing; {problem}")
    plan = parse_plan(decode_document(beside.read_bytes(), str(beside)), str(beside), study)
    table = parse_sheet(Path(sheet).read_bytes(), plan, study, sheet)
    audit = drawn_audit(table, plan, study, load_claims(study).claims)
    grids = partial(audit_grids, audit)
    echo_report(format_, grids, audit_summary(audit), json=partial(audit_json, audit))


@click.command()
@format_option("text", "markdown", "json")
@study_option
def agreement(format_: str, study: Study) -> None:
    """Measure how far the readers of the pool agree.

    For each table of the role "audit": raw agreement, Cohen's kappa, Gwet's AC1 and Krippendorff's
    alpha of every field with 95 % intervals, each disagreement with the claims that the other tag
    would move, and what was not read.
    """
    reports = agreement_reports(study, load_claims(study).claims)
    if not reports:
        raise UsageProblem('no table of this corpus has the role "audit" and refers to the pool')
    echo_report(
        format_,
        text=partial(agreement_text, reports, terminal_columns()),
        json=partial(agreement_json, reports),
        markdown=partial(agreement_markdown, reports),
    )
