"""`corpus claims`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corpus.cli.options import data_option, echo, echo_plain, format_option, terminal_columns

if TYPE_CHECKING:
    from corpus.analysis.claims.claim import Claim, ClaimBook
    from corpus.analysis.claims.report import ClaimReport
    from corpus.model.study import Study


@click.command()
@click.argument("ids", nargs=-1, metavar="[CLAIM]...")
@click.option("--stress", "stressed", is_flag=True, help="Hold the claims under the scenarios of the claims file too.")
@click.option("--failing", is_flag=True, help="Only claims that fail, acknowledged or not.")
@click.option(
    "--acknowledge", "reason", metavar="REASON", help="Write into the claims file that the failures are known, and why."
)
@format_option("text", "markdown", "json", "github")
@data_option
@click.pass_context
def claims(
    ctx: click.Context,
    ids: tuple[str, ...],
    stressed: bool,
    failing: bool,
    reason: str | None,
    format_: str,
    data: str | None,
) -> None:
    """Hold the claims of the survey against the tables.

    Prints each with its verdict, what was observed, and its margin: the smallest number of row edits that break it.
    Named claims are shown in full. Exit code 1 where a claim fails that is not acknowledged in the claims file.
    """
    from corpus.analysis.claims import report as render
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    folder = find_data(data)
    if reason is not None:
        _acknowledge(folder, ids, reason)
    corpus = load_corpus(folder)
    report = _report(corpus, ids, stressed, failing)
    if format_ == "github":
        from corpus.analysis.claims.evaluate import claim_findings
        from corpus.printing.findings import findings_github

        named = {outcome.claim.id for outcome in report.outcomes}
        echo(findings_github([finding for finding in claim_findings(corpus) if finding.value in named]), format_)
    elif format_ == "json":
        echo(render.claims_json(report), format_)
    elif format_ == "markdown":
        echo(render.claims_markdown(report), format_)
    else:
        echo_plain(render.details_text(report) if ids else render.claims_text(report, terminal_columns()))
    if any(render.verdict(outcome) == "fails" for outcome in report.outcomes):
        ctx.exit(1)


def _report(corpus: Study, ids: tuple[str, ...], stressed: bool, failing: bool) -> ClaimReport:
    from corpus.analysis.claims.evaluate import all_outcomes, load_claims
    from corpus.analysis.claims.report import ClaimReport
    from corpus.analysis.claims.robustness import margin
    from corpus.analysis.claims.scenarios import stress

    book = load_claims(corpus)
    if stressed and not book.scenarios:
        click.echo(
            "No scenario is declared: add [[scenarios]] to the claims file to hold the claims under some", err=True
        )
    held = all_outcomes(corpus, _wanted(book, ids))
    outcomes = tuple(outcome for outcome in held if not (failing and outcome.holds))
    margins = tuple(margin(outcome, corpus) for outcome in outcomes)
    stresses = tuple(stress(corpus, book.scenarios, outcomes)) if stressed and book.scenarios else ()
    return ClaimReport(book, corpus.tables, outcomes, margins, stresses, len(held) - len(outcomes))


def _wanted(book: ClaimBook, ids: tuple[str, ...]) -> list[Claim]:
    """Return the claims of these names, or all; UsageProblem where there are none."""
    from corpus.model.finding import UsageProblem

    if not book.claims:
        raise UsageProblem('this corpus declares no claims; name a file under [documents] claims = "claims.toml"')
    known = [claim.id for claim in book.claims] + [claim.source_id for claim in book.claims if claim.source_id]
    for name in ids:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, known, 1)
            raise UsageProblem(f"there is no claim {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    return [claim for claim in book.claims if not ids or claim.id in ids or claim.source_id in ids]


def _acknowledge(data: str, ids: tuple[str, ...], reason: str) -> None:
    """Acknowledge failing claims (the named ones, or all), and take out acknowledgements of claims that hold."""
    from corpus.analysis.claims.acknowledgements import with_acknowledgements
    from corpus.analysis.claims.evaluate import DOCUMENT, all_outcomes, load_claims
    from corpus.tables.atomic import write_atomic
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.documents import parse_toml, read_codebook
    from corpus.tables.lock import locked

    with locked(data, read_codebook(data)):
        corpus = load_corpus(data)
        outcomes = all_outcomes(corpus, _wanted(load_claims(corpus), ids))
        observed = {o.claim.id: o.observed for o in outcomes if not o.holds and not o.acknowledged}
        settled = tuple(o.claim.id for o in outcomes if o.holds and o.claim.acknowledged)
        source = corpus.sources[DOCUMENT]
        text = with_acknowledgements(source.text, observed, settled, reason)
        parse_toml(text, source.file)
        if text != source.text:
            write_atomic(source.file, text)
    click.echo(f"{source.file}: {len(observed)} acknowledged, {len(settled)} settled", err=True)
