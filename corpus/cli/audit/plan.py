"""`corpus audit plan`."""

from __future__ import annotations

from pathlib import Path

import click

from corpus.analysis.audit.evidence_rows import audit_table, evidence_sheet
from corpus.analysis.audit.plan import draw, plan_text
from corpus.analysis.audit.sheet import sheet_text
from corpus.cli.options import data_option, echo_plain, where_option
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data
from corpus.tables.writing.atomic import write_atomic

PLAN_SUFFIX = ".plan.json"


def plan_path(sheet: str) -> Path:
    """Return where the plan of a sheet is: beside it."""
    return Path(f"{sheet}{PLAN_SUFFIX}")


def _refuse_existing(output: str) -> None:
    for path in (Path(output), plan_path(output)):
        if path.exists():
            raise UsageProblem(f"{path} exists already, perhaps with a reader's work in it")


@click.command()
@click.option("--size", type=click.IntRange(1), required=True, help="Draw this many entries.")
@click.option("--seed", default="1", show_default=True, help="Another text draws another sample.")
@click.option(
    "--by",
    metavar="COLUMN",
    default="",
    help="Add an entry for each term of this column that the draw has missed.",
)
@click.option(
    "--column",
    "columns",
    metavar="COLUMN",
    multiple=True,
    help="Audit this column; repeatable. By default every axis.",
)
@click.option("--quotes", is_flag=True, help="Ask for a quotation for each tag.")
@click.option(
    "--evidence",
    is_flag=True,
    help="Draw rows of the evidence tables instead, to check each against its source.",
)
@click.option("--reader", metavar="NAME", default="", help="Write this name into the sheet.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False),
    help="Write the sheet here, and the plan beside it as FILE.plan.json.",
)
@where_option
@data_option
def plan(
    size: int,
    seed: str,
    by: str,
    columns: tuple[str, ...],
    quotes: bool,
    evidence: bool,
    reader: str,
    output: str,
    where: tuple[str, ...],
    data: str | None,
) -> None:
    """Draw entries for a second reader, and write the sheet to fill in.

    The sheet shows titles and addresses, and none of the tags. The draw depends on the seed and
    the keys alone, so that anyone can repeat it. A sheet that exists is never replaced.
    """
    study = load_corpus(find_data(data))
    if evidence:
        if by or columns or quotes or where:
            raise UsageProblem("--evidence draws from all evidence rows; leave the rest out")
        _refuse_existing(output)
        write_atomic(output, evidence_sheet(study, size, seed, reader))
        table = audit_table(study)
        echo_plain(f"{output}: {size} rows drawn. Fill it in, and add it to {table.file}.\n")
        return
    filters = parse_filters(where, study.codebook.pool, study.codebook)
    kept = study.where(filters)
    drawn = draw(kept, size, seed, columns, by, quotes)
    _refuse_existing(output)
    write_atomic(str(plan_path(output)), plan_text(drawn))
    write_atomic(output, sheet_text(drawn, kept, reader))
    text = f"{output}: {len(drawn.drawn)} of {len(drawn.population)} entries drawn"
    if drawn.added:
        text += f", {len(drawn.added)} added for terms of {by} that the draw missed"
    echo_plain(f"{text}.\nFill it in, then: corpus audit report {output}\n")
