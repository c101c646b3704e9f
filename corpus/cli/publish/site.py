"""`corpus site`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corpus.cli.options import data_option, echo, output_option
from corpus.model.finding import UsageProblem

if TYPE_CHECKING:
    from corpus.analysis.claims.report import ClaimReport
    from corpus.model.study import Study


@click.command()
@output_option(metavar="FILE", help="Write the page to this file.")
@data_option
def site(output: str | None, data: str | None) -> None:
    """Write the whole corpus as one HTML page: search, filters, heatmaps, gaps, exclusions, codebook.

    The page asks nobody for anything and works from disk. Without --output it goes to standard output.
    """
    from corpus.tables.atomic import write_atomic
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    if output is None and sys.stdout.isatty():
        raise UsageProblem("the page is long; name a file with -o FILE, or redirect the output")
    page = page_of(load_corpus(find_data(data)))
    if output is None:
        echo(page, "html")
    else:
        write_atomic(output, page)
        click.echo(f"{output}: {len(page.encode()) / 1000:.0f} kB", err=True)


def page_of(corpus: Study) -> str:
    """Return the page of a corpus, with its claims and BibTeX."""
    from corpus.analysis.bibliography.works import works
    from corpus.analysis.sparsity.plan import sparsity_plan
    from corpus.analysis.sparsity.summary import sparsity_report
    from corpus.publishing.export.bibtex import bibtex_entry
    from corpus.publishing.page.page import Site, site_page

    plan = sparsity_plan(corpus.codebook)
    report = sparsity_report(corpus, plan)
    bibtex = {work.key: bibtex_entry(work) for work in works(corpus)}
    return site_page(Site(corpus, plan, report, _claims(corpus), bibtex))


def _claims(corpus: Study) -> ClaimReport | None:
    from corpus.analysis.claims.evaluate import load_claims
    from corpus.analysis.claims.report import claim_report

    book = load_claims(corpus)
    if not book.claims:
        return None
    return claim_report(corpus, book)
