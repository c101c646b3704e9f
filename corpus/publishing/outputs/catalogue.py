"""The list of every generated file. A new one is one more line here."""

from __future__ import annotations

from corpus.publishing.outputs import reports
from corpus.publishing.outputs.figures import figure_artefacts
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.sources import Sources

#: Files whose paths are the same for every corpus, in the order in which they are made.
ARTEFACTS = (
    Output("reports/statistics.md", "every count", "corpus stats --format markdown", reports.statistics),
    Output("reports/sparsity.md", "gaps", "corpus sparsity --format markdown", reports.sparsity),
    Output("reports/papers.md", "list of entries", "corpus list", reports.papers),
    Output("reports/codebook.md", "tables, axes, terms", "corpus render-appendix", reports.codebook),
    Output("reports/screening.md", "protocol, exclusions", "corpus render-appendix", reports.screening),
    Output(
        "reports/claims.md",
        "claims",
        "corpus claims --stress --format markdown",
        reports.claims,
        wanted=reports.has_claims,
    ),
    Output("reports/appendix.tex", "appendix", "corpus render-appendix --part all", reports.appendix_tex),
    Output(
        "reports/appendix.md",
        "appendix",
        "corpus render-appendix --part all --format markdown",
        reports.appendix_md,
    ),
    Output(
        "reports/appendix.html", "appendix", "corpus render-appendix --part all --format html", reports.appendix_html
    ),
    Output("reports/numbers.tex", "macros for LaTeX", "corpus render", reports.numbers_tex),
    Output("reports/numbers.md", "names of numbers", "corpus render", reports.numbers_md),
    Output("reports/references.bib", "bibliography", "corpus export bibtex", reports.bibliography),
    Output(
        "data/datapackage.json",
        "description of the tables",
        "corpus export data-package",
        reports.data_package,
        wanted=reports.is_called_data,
    ),
    # Not committed: its bytes depend on the TeX release, and a contributor without LaTeX could not mend a stale one.
    Output(
        "reports/appendix.pdf",
        "appendix",
        "corpus render-appendix --part all --format pdf",
        reports.appendix_pdf,
        digest=reports.appendix_digest,
        recorded=reports.recorded_source,
        wanted=reports.has_latex,
        local=True,
    ),
)


def artefacts(sources: Sources) -> list[Output]:
    """Return every file that this corpus generates."""
    return [*(artefact for artefact in ARTEFACTS if artefact.wanted(sources)), *figure_artefacts(sources)]
