"""`corpus site`."""

import sys

import click

from corpus.cli.options import echo, option, output_option, study_option, tell
from corpus.curation.changes.delta import Delta
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.printing.grid import plural
from corpus.publishing.export.folder import refuse_own_files, write_folder
from corpus.publishing.page.entry_pages import site_files
from corpus.publishing.page.page import site_page
from corpus.tables.writing.atomic import write_atomic


@click.command()
@output_option("FILE", "Write the page to this file.")
@option(
    "--pages DIR",
    "Write the page into this folder, with one for each entry.",
    type=click.Path(file_okay=False),
)
@option("--address URL", "Where the folder will be published, for its sitemap.")
@study_option
def site(output: str | None, pages: str | None, address: str | None, study: Study) -> None:
    """Write the corpus as one HTML page to search and share.

    It has search, filters, heatmaps, gaps, exclusions and the codebook, makes no request and works
    from disk. Without --output it goes to standard output. --pages gives every entry an address
    that search engines find.
    """
    safe = web_address(address or "")
    if pages is None and address is not None:
        raise UsageProblem("--address goes with --pages DIR")
    if pages is not None and output is not None:
        raise UsageProblem("--pages writes index.html into its folder; leave out -o")
    if address and safe != address:
        raise UsageProblem(f"--address takes an http(s) address, not {address!r}")
    out = pages or output
    if out is not None:
        refuse_own_files(study, out)
    elif sys.stdout.isatty():
        raise UsageProblem("the page is long; name a file with -o FILE, or redirect the output")
    for key in ("title", "description"):
        if "TODO" in study.codebook.corpus[key]:
            tell(f"the {key} of the page is still to be written: [corpus] {key}")
    page = site_page(study, lambda then: Delta.between(then, study).carried)
    if out is None:
        echo(page, "html")
        return
    files = {out: page.encode()}
    if pages is None:
        write_atomic(out, page)
    else:
        files = site_files(study, page, safe)
        write_folder(pages, files)
    size = sum(map(len, files.values()))
    tell(f"{out}: {plural(len(files), 'file')}, {size / 1000:.0f} kB")
