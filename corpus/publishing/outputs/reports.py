"""The content of the text reports."""

import os
import re
from collections.abc import Iterator

from corpus.analysis.agreement.agreement import agreement_markdown, agreement_reports
from corpus.analysis.audit.evidence_rows import evidence_audit_grids, evidence_audits
from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.claims.report import claim_report, claims_markdown
from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.counting.report import Statistics, screening, statistics_grids
from corpus.analysis.evidence.tables import evidence_plans, evidence_tables
from corpus.analysis.numbers.published import numbers_grid
from corpus.analysis.sparsity.report import sparsity_grids, sparsity_report
from corpus.model.study import Study
from corpus.printing.escape import markdown
from corpus.printing.grid import grid_markdown
from corpus.printing.typeset import epoch_of, typeset
from corpus.publishing.appendix.appendix import appendix_text, make_appendix
from corpus.publishing.appendix.pool_table import TableChoice
from corpus.publishing.export.publication import sha256
from corpus.publishing.outputs.output import Sources
from corpus.tables.fast.tally import contingency_of

#: What the PDF records of itself, in a comment after its end.
_RECORD = re.compile(rb"% corpus-source ([0-9a-f]{64}) content ([0-9a-f]{64})\n\Z")


def statistics(sources: Sources) -> str:
    """Return every count, cross-tabulation and the screening summary as Markdown."""
    grids = statistics_grids(statistics_of(sources.study))
    return _headed(sources, "Statistics", grid_markdown(grids))


def statistics_of(study: Study) -> Statistics:
    """Return what `corpus stats` counts without filters."""
    book, counted = study.codebook, contingency_of(study)
    crosstabs = [counted.crosstab(c.rows, c.columns) for c in book.crosstabs]
    screened = None
    for log in study.by_role("exclusions")[:1]:
        # An empty log tells of no screening.
        if log.rows:
            screened = screening(counted.entries, log, book)
    margins = tuple(counted.margins())
    return Statistics(book, margins, tuple(crosstabs), screened, counted.entries)


def sparsity(sources: Sources) -> str:
    """Return empty and thin cells and the ranked gaps as Markdown."""
    grids = sparsity_grids(sparsity_report(sources.study))
    return _headed(sources, "Sparsity", grid_markdown(grids))


def claims(sources: Sources) -> str:
    """Return every claim with verdict, margin and stress as Markdown."""
    study = sources.study
    book = load_claims(study)
    return claims_markdown(claim_report(study, book, stressed=True))


def evidence(sources: Sources) -> str:
    """Return the declared evidence tables as Markdown."""
    tables = evidence_tables(sources.study, evidence_plans(sources.book))
    grids = evidence_audit_grids(evidence_audits(sources.study))
    grids += [table.grid for table in tables]
    return _headed(sources, "Evidence", grid_markdown(grids))


def has_second_readers(sources: Sources) -> bool:
    """Return whether a table holds what further readers tagged."""
    pool = sources.book.pool
    return any(table.spec.reference_to(pool) for table in sources.study.by_role("audit"))


def agreement(sources: Sources) -> str:
    """Return the agreement of the readers as Markdown."""
    book = load_claims(sources.study)
    reports = agreement_reports(sources.study, book.claims)
    return agreement_markdown(reports)


def appendix(sources: Sources, format_: str, *parts: str) -> Iterator[str]:
    """Return some parts of the appendix, by default the pool table."""
    made = make_appendix(sources.study, parts or ("table",), TableChoice())
    return appendix_text(made, format_)


def is_called_data(sources: Sources) -> bool:
    """Return whether the data folder is called ``data``, as the path of the description needs."""
    return os.path.basename(os.path.abspath(sources.folder)) == "data"


def numbers_md(sources: Sources) -> str:
    """Return the common numbers as a table of names."""
    grid = numbers_grid(sources.numbers)._replace(title="")
    return _headed(sources, "Numbers", grid_markdown([grid]))


def appendix_pdf(sources: Sources) -> bytes:
    """Return the appendix as PDF.

    A comment after its end holds the digests of its LaTeX source and of its bytes.
    """
    # The date in the file is that of the data, so that the same data give the same bytes.
    epoch = epoch_of(sources.book.corpus.get("cutoff", ""))
    made = typeset([_document(sources)], epoch)
    record = f"% corpus-source {appendix_digest(sources)} content {sha256(made.pdf)}\n"
    return made.pdf + record.encode()


def appendix_digest(sources: Sources) -> str:
    """Return the SHA-256 of the LaTeX source of the PDF."""
    return sha256(_document(sources).encode())


def recorded_source(pdf: bytes) -> str:
    """Return the digest of the LaTeX source that a PDF records; empty where the PDF was edited."""
    found = _RECORD.search(pdf)
    if found is None or sha256(pdf[: found.start()]) != found[2].decode():
        return ""
    return found[1].decode()


def _document(sources: Sources) -> str:
    made = make_appendix(sources.study, ["table"], TableChoice())
    return "".join(appendix_text(made, "latex", standalone=True))


def _headed(sources: Sources, title: str, body: str) -> str:
    title_of_corpus = sources.book.corpus.get("title", "")
    subject = ", ".join(filter(None, [title_of_corpus, as_of_study(sources.study)]))
    return f"# {title}\n\n{markdown(subject)}.\n\n{body}"
