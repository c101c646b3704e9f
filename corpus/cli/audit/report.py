"""`corpus audit report`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from corpus.analysis.audit import report as printed
from corpus.analysis.audit.audit import Audit, chosen_audits, drawn_audit
from corpus.analysis.audit.evidence_rows import evidence_audit_grids, evidence_audits
from corpus.analysis.audit.plan import parse_plan
from corpus.analysis.audit.sheet import parse_sheet, quote_findings
from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import load_claims
from corpus.cli.audit.plan import plan_path
from corpus.cli.options import data_option, echo, echo_report, format_option
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import decode_document
from corpus.tables.location import find_data


@click.command()
@click.argument("sheet", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--quotes",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Check each quotation against the text of the work in DIR/KEY.txt.",
)
@format_option("text", "markdown", "json")
@data_option
def report(sheet: str | None, quotes: str | None, format_: str, data: str | None) -> None:
    """Bound the wrong tags, and show which claims the bound protects.

    SHEET is a filled sheet of `corpus audit plan`. Without it, the audit tables of the corpus are
    reported. Entries in them were chosen, so no bound on tags follows; evidence rows were drawn.

    The bound is exact: with more wrong tags than it names, so few would be found in fewer than 5 %
    of all samples.
    """
    study = load_corpus(find_data(data))
    claims = load_claims(study).claims
    if sheet is None:
        # The rows of an audit table were chosen by somebody, not drawn.
        if quotes is not None:
            raise UsageProblem("--quotes needs the sheet whose quotations it checks")
        audits = chosen_audits(study, claims)
        rows = evidence_audits(study)
        if not audits and not rows:
            raise UsageProblem("this corpus has no audit table; `corpus audit plan` draws a sample")
    else:
        audits = [_drawn(sheet, quotes, study, claims)]
        rows = []
    if format_ == "json":
        echo(printed.audits_json(audits, rows), format_)
        return
    if rows:
        echo_report(format_, partial(evidence_audit_grids, rows))
    for number, audit in enumerate(audits):
        if number or rows:
            echo("\n", format_)
        echo_report(format_, partial(printed.audit_grids, audit), printed.audit_summary(audit))


def _drawn(sheet: str, quotes: str | None, study: Study, claims: Sequence[Claim]) -> Audit:
    beside = plan_path(sheet)
    if not beside.is_file():
        raise UsageProblem(f"{beside} is missing; without the plan nothing shows what was drawn")
    plan = parse_plan(_text_of(beside), str(beside), study)
    filled = Path(sheet).read_bytes()
    table = parse_sheet(filled, plan, study, sheet)
    if quotes is not None:
        if not plan.quotes:
            raise UsageProblem(f"{sheet} was planned without --quotes")
        folder = Path(quotes)
        findings = list(quote_findings(table, plan, lambda name: _work_text(folder, name)))
        if findings:
            raise CorpusError(findings)
    return drawn_audit(table, plan, study, claims)


def _text_of(path: Path) -> str:
    return decode_document(path.read_bytes(), str(path))


def _work_text(folder: Path, name: str) -> str | None:
    """Return the text of a work; None where there is none or it cannot be read as UTF-8."""
    path = folder / name
    # Keys of a pool are checked names; this one comes from a sheet and must stay in the folder.
    if path.parent != folder or not path.is_file():
        return None
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
