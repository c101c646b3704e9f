"""`corpus site`."""

import sys

import click

from corpus.cli.options import echo, output_option, study_option, tell
from corpus.curation.changes.delta import Delta
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.publishing.export.folder import refuse_own_files
from corpus.publishing.page.page import site_page
from corpus.tables.writing.atomic import write_atomic


@click.command()
@output_option("FILE", "Write the page to this file.")
@study_option
def site(output: str | None, study: Study) -> None:
    """Write the corpus as one HTML page to search and share.

    It has search, filters, heatmaps, gaps, exclusions and the codebook, makes no request and works
    from disk. Without --output it goes to standard output.
    """
    if output is not None:
        refuse_own_files(study, output)
    elif sys.stdout.isatty():
        raise UsageProblem("the page is long; name a file with -o FILE, or redirect the output")
    page = site_page(study, lambda then: Delta.between(then, study).carried)
    if output is None:
        echo(page, "html")
    else:
        write_atomic(output, page)
        tell(f"{output}: {len(page.encode()) / 1000:.0f} kB")
