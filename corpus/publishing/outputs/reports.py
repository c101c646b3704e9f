"""The content of the text reports."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator

from corpus.publishing.appendix.appendix import WRITERS, appendix_latex, make_appendix
from corpus.publishing.appendix.pool_table import TableChoice
from corpus.publishing.outputs.sources import Sources


def statistics(sources: Sources) -> str:
    """Return every count, cross-tabulation and the screening summary as Markdown."""
    from corpus.analysis.counting.report import statistics_grids
    from corpus.printing.grid import grid_markdown

    return _headed(sources, "Statistics", grid_markdown(statistics_grids(sources.statistics)))


def sparsity(sources: Sources) -> str:
    """Return empty and thin cells and the ranked gaps as Markdown."""
    from corpus.analysis.sparsity.plan import sparsity_plan
    from corpus.analysis.sparsity.report import sparsity_grids
    from corpus.analysis.sparsity.summary import sparsity_report
    from corpus.printing.grid import grid_markdown
    from corpus.tables.location import CODEBOOK_FILE, shown_path

    plan = sparsity_plan(sources.book, shown_path(os.path.join(sources.folder, CODEBOOK_FILE)))
    report = sparsity_report(sources.corpus, plan)
    return _headed(sources, "Sparsity", grid_markdown(sparsity_grids(report)))


def papers(sources: Sources) -> str:
    """Return the list of entries by group as Markdown."""
    from corpus.publishing.appendix.paper_list import paper_list

    return paper_list(sources.corpus)


def has_claims(sources: Sources) -> bool:
    """Return whether the corpus declares claims."""
    return bool(sources.corpus.documents.get("claims"))


def claims(sources: Sources) -> str:
    """Return every claim with verdict, margin and stress as Markdown."""
    from corpus.analysis.claims.evaluate import load_claims
    from corpus.analysis.claims.report import claim_report, claims_markdown

    book = load_claims(sources.corpus)
    return claims_markdown(claim_report(sources.corpus, book, stressed=True))


def codebook(sources: Sources) -> Iterator[str]:
    """Return the codebook as Markdown: tables with their columns, axes with their terms."""
    return _appendix(sources, "markdown", "tables", "definitions")


def screening(sources: Sources) -> Iterator[str]:
    """Return protocol and exclusions as Markdown."""
    return _appendix(sources, "markdown", "protocol", "exclusions")


def appendix_tex(sources: Sources) -> Iterator[str]:
    """Return the appendix as a LaTeX fragment to input."""
    return _appendix(sources, "latex", "all")


def appendix_md(sources: Sources) -> Iterator[str]:
    """Return the appendix as Markdown."""
    return _appendix(sources, "markdown", "all")


def appendix_html(sources: Sources) -> Iterator[str]:
    """Return the appendix as a page."""
    return _appendix(sources, "html", "all")


def _appendix(sources: Sources, sink: str, *parts: str) -> Iterator[str]:
    choice = TableChoice(abbreviated=sink == "latex")
    return WRITERS[sink](make_appendix(sources.corpus, parts, choice))


def is_called_data(sources: Sources) -> bool:
    """Return whether the data folder is called ``data``, so that the path of its description is known."""
    return os.path.basename(os.path.abspath(sources.folder)) == "data"


def data_package(sources: Sources) -> bytes:
    """Return the Data Package descriptor of the tables."""
    from corpus.publishing.export.data_package import descriptor
    from corpus.publishing.export.json import json_bytes

    return json_bytes(descriptor(sources.corpus))


def bibliography(sources: Sources) -> str:
    """Return the pool as BibTeX."""
    from corpus.publishing.export.bibtex import bibtex_text

    return bibtex_text(sources.corpus)


def numbers_tex(sources: Sources) -> str:
    """Return every published number as a LaTeX macro."""
    from corpus.analysis.numbers.macros import numbers_latex

    return numbers_latex(sources.numbers.values())


def numbers_md(sources: Sources) -> str:
    """Return every published number as a table of names."""
    from corpus.analysis.numbers.macros import numbers_grid
    from corpus.printing.grid import grid_markdown

    return _headed(sources, "Numbers", grid_markdown([numbers_grid(sources.numbers.values())._replace(title="")]))


def has_latex(_: Sources) -> bool:
    """Return whether a LaTeX engine is installed."""
    from corpus.printing.typeset import installed

    return installed() is not None


def appendix_pdf(sources: Sources) -> bytes:
    """Return the appendix as PDF; a comment after its end holds the digests of its LaTeX source and of its bytes."""
    from corpus.printing.typeset import epoch_of, typeset

    made = typeset([_document(sources)], epoch_of(sources.book.corpus.get("cutoff", "")))
    own = hashlib.sha256(made.pdf).hexdigest()
    return made.pdf + f"% corpus-source {appendix_digest(sources)} content {own}\n".encode()


def appendix_digest(sources: Sources) -> str:
    """Return the SHA-256 of the LaTeX source of the PDF."""
    return hashlib.sha256(_document(sources).encode()).hexdigest()


def recorded_source(pdf: bytes) -> str:
    """Return the digest of the source after the end of a PDF, or an empty string where its bytes were edited."""
    found = re.search(rb"% corpus-source ([0-9a-f]{64}) content ([0-9a-f]{64})\n\Z", pdf)
    if found is None or hashlib.sha256(pdf[: found.start()]).hexdigest() != found[2].decode():
        return ""
    return found[1].decode()


def _document(sources: Sources) -> str:
    appendix = make_appendix(sources.corpus, ["all"], TableChoice(), references=True)
    return "".join(appendix_latex(appendix, standalone=True))


def _headed(sources: Sources, title: str, body: str) -> str:
    from corpus.printing.escape import markdown

    about = sources.book.corpus
    cutoff = f", as of {about['cutoff']}" if about.get("cutoff") else ""
    return f"# {title}\n\n{markdown(about.get('title', ''))}{markdown(cutoff)}.\n\n{body}"
