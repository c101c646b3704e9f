"""The list of every generated file. To add one, add an Output here."""

from __future__ import annotations

from corpus.publishing.outputs import reports
from corpus.publishing.outputs.figures import figure_outputs
from corpus.publishing.outputs.output import APPENDIX_PDF, Digests, Output
from corpus.publishing.outputs.sources import Sources

_APPENDIX = "corpus render-appendix"

#: Files whose paths are the same for every corpus, in the order in which they are made.
OUTPUTS = (
    Output(
        "reports/statistics.md", "every count", "corpus stats --format markdown", reports.statistics
    ),
    Output("reports/sparsity.md", "gaps", "corpus sparsity --format markdown", reports.sparsity),
    Output("reports/papers.md", "list of entries", "corpus list", reports.papers),
    Output(
        "reports/codebook.md", "tables, axes, terms", "corpus render-appendix", reports.codebook
    ),
    Output(
        "reports/screening.md", "protocol, exclusions", "corpus render-appendix", reports.screening
    ),
    Output(
        "reports/evidence.md",
        "evidence tables",
        "corpus evidence --format markdown",
        reports.evidence,
        wanted=reports.has_evidence,
    ),
    Output(
        "reports/agreement.md",
        "agreement of readers",
        "corpus agreement --format markdown",
        reports.agreement,
        wanted=reports.has_second_readers,
    ),
    Output(
        "reports/claims.md",
        "claims",
        "corpus claims --stress --format markdown",
        reports.claims,
        wanted=reports.has_claims,
    ),
    Output("reports/appendix.tex", "appendix", _APPENDIX, reports.appendix_tex),
    Output(
        "reports/appendix.md", "appendix", f"{_APPENDIX} --format markdown", reports.appendix_md
    ),
    Output(
        "reports/appendix.html", "appendix", f"{_APPENDIX} --format html", reports.appendix_html
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
    # Local: its bytes depend on the release of TeX, and a contributor without LaTeX could not
    # rebuild a stale one.
    Output(
        APPENDIX_PDF,
        "appendix",
        f"{_APPENDIX} --format pdf",
        reports.appendix_pdf,
        Digests(reports.appendix_digest, reports.recorded_source),
        wanted=reports.has_latex,
        local=True,
    ),
)


def outputs_of(sources: Sources) -> list[Output]:
    """Return every file that this corpus generates."""
    fixed = [output for output in OUTPUTS if output.wanted(sources)]
    return [*fixed, *figure_outputs(sources)]
