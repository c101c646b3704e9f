"""`corpus site`."""

from __future__ import annotations

import sys

import click

from corpus.analysis.bibliography.works import works
from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.claims.report import ClaimReport, claim_report
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.cli.options import data_option, echo, output_option
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.publishing.export.bibtex import bibtex_entry
from corpus.publishing.page.page import Site, site_page
from corpus.tables.atomic import write_atomic
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data


@click.command()
@output_option(metavar="FILE", help="Write the page to this file.")
@data_option
def site(output: str | None, data: str | None) -> None:
    """Write the corpus as one HTML page to search and share.

    It has search, filters, heatmaps, gaps, exclusions and the codebook, makes no request and works
    from disk. Without --output it goes to standard output.
    """
    if output is None and sys.stdout.isatty():
        raise UsageProblem("the page is long; name a file with -o FILE, or redirect the output")
    page = page_of(load_corpus(find_data(data)))
    if output is None:
        echo(page, "html")
    else:
        write_atomic(output, page)
        click.echo(f"{output}: {len(page.encode()) / 1000:.0f} kB", err=True)


def page_of(study: Study) -> str:
    """Return the page of a corpus, with its claims and BibTeX."""
    plan = sparsity_plan(study.codebook)
    report = sparsity_report(study, plan)
    bibtex = {work.key: bibtex_entry(work) for work in works(study)}
    return site_page(Site(study, plan, report, _claims(study), bibtex))


def _claims(study: Study) -> ClaimReport | None:
    book = load_claims(study)
    if not book.claims:
        return None
    return claim_report(study, book)
