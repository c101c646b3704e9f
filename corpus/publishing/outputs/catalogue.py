"""The content of the text reports, and the list of every generated file.

To add a file, add an Output here.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from corpus.analysis.agreement.agreement import agreement_grids, agreement_reports
from corpus.analysis.audit.audit import evidence_audit_grids, evidence_audits
from corpus.analysis.claims.claim_report import claim_report, claims_markdown
from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.counting.statistics import Statistics, statistics_grids, whole_statistics
from corpus.analysis.evidence.tables import evidence_plans, evidence_tables
from corpus.analysis.numbers.published import Number, numbers_grid, numbers_latex, published_numbers
from corpus.analysis.sparsity.sparsity_report import sparsity_grids, sparsity_report
from corpus.model.study import Study
from corpus.printing.escape import markdown
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text
from corpus.printing.sinks import grid_in
from corpus.publishing.appendix.appendix import appendix_text, make_appendix, paper_list
from corpus.publishing.export.bibliography import bibtex
from corpus.publishing.export.packages import descriptor
from corpus.publishing.figures.figure import figure_bytes, figure_digest, study_figures
from corpus.publishing.figures.figure_plan import FigureData, FigurePlan
from corpus.tables.fast.tally import contingency_of

Content = str | bytes | Iterable[str]

#: How a comment begins and ends, by the ending of the file.
_COMMENTS = {
    ".md": ("<!-- ", " -->"),
    ".html": ("<!-- ", " -->"),
    ".tex": ("% ", ""),
    ".bib": ("% ", ""),
}


@dataclass(frozen=True)
class Output:
    """One generated file.

    Attributes
    ----------
    path : str
        Relative to the folder above the data, with forward slashes.
    title : str
        What it holds, in a few words.
    command : str
        The command that makes its content alone.
    make : callable
        Study -> content. Markdown, LaTeX, HTML and BibTeX get a head that names the generator.
    digest : callable, optional
        For drawings, whose bytes differ between releases of a library: study -> digest of all that
        decides the content.
    wanted : callable
        Study -> whether this corpus has such a file at all (it may declare no claims).
    """

    path: str
    title: str
    command: str
    make: Callable[[Study], Content]
    digest: Callable[[Study], str] | None = None
    wanted: Callable[[Study], bool] = lambda _: True

    def content(self, study: Study) -> bytes:
        """Make the whole file."""
        made = self.make(study)
        if isinstance(made, bytes):
            return made
        body = made if isinstance(made, str) else "".join(made)
        return (self.head() + body).encode("utf-8")

    def head(self) -> str:
        """Return the comment line that names the generator; empty for files without comments.

        It names no checksum of the data: an edit that changes nothing else in a file would change
        it, and two branches would collide in every file. The manifest has the checksum.
        """
        ending = os.path.splitext(self.path)[1]
        if ending not in _COMMENTS:
            return ""
        begin, end = _COMMENTS[ending]
        return f"{begin}Made by corpus build ({self.command}); do not edit.{end}\n"


def statistics(study: Study) -> str:
    """Return every count, cross-tabulation and the screening summary as Markdown."""
    return _headed(study, "Statistics", statistics_grids(statistics_of(study)))


def statistics_of(study: Study) -> Statistics:
    """Return what `corpus stats` counts without filters."""
    # An empty log tells of no screening.
    logs = [log for log in study.by_role("exclusions")[:1] if log.rows]
    return whole_statistics(contingency_of(study), logs)


def sparsity(study: Study) -> str:
    """Return empty and thin cells and the ranked gaps as Markdown."""
    return _headed(study, "Sparsity", sparsity_grids(sparsity_report(study)))


def claims(study: Study) -> str:
    """Return every claim with verdict and margin as Markdown."""
    claim_set = load_claims(study)
    return claims_markdown(claim_report(study, claim_set))


def evidence(study: Study) -> str:
    """Return the declared evidence tables as Markdown."""
    tables = evidence_tables(study, evidence_plans(study.codebook))
    grids = evidence_audit_grids(evidence_audits(study))
    grids += [table.grid for table in tables]
    return _headed(study, "Evidence", grids)


def has_second_readers(study: Study) -> bool:
    """Return whether a table holds what further readers tagged."""
    pool = study.codebook.pool
    return any(table.spec.reference_to(pool) for table in study.by_role("audit"))


def agreement(study: Study) -> str:
    """Return the agreement of the readers as Markdown."""
    return _headed(study, "Agreement of readers", agreement_grids(agreement_reports(study)))


def appendix(study: Study, format_: str, *parts: str) -> Iterator[str]:
    """Return some parts of the appendix, by default the pool table."""
    made = make_appendix(study, parts or ("table",))
    return appendix_text(made, format_)


def is_called_data(study: Study) -> bool:
    """Return whether the data folder is called ``data``, as the path of the description needs."""
    return os.path.basename(os.path.abspath(study.root)) == "data"


def common_numbers(study: Study) -> list[Number]:
    """Return the published numbers that are printed where nobody names them."""
    return [number for number in published_numbers(study).values() if number.is_common]


def numbers_md(study: Study) -> str:
    """Return the common numbers as a table of names."""
    grid = numbers_grid(common_numbers(study))._replace(title="")
    return _headed(study, "Numbers", [grid])


def _headed(study: Study, title: str, grids: Sequence[Grid]) -> str:
    title_of_corpus = study.codebook.corpus["title"]
    subject = ", ".join(filter(None, [title_of_corpus, as_of_study(study)]))
    return f"# {title}\n\n{markdown(subject)}.\n\n{grid_in('md', grids)}"


_APPENDIX = "corpus render-appendix"

#: Files whose paths are the same for every corpus, in the order in which they are made.
# fmt: off
OUTPUTS = (
    Output("reports/statistics.md", "every count", "corpus stats --format markdown",
           statistics),
    Output("reports/sparsity.md", "gaps", "corpus sparsity --format markdown", sparsity),
    Output("reports/papers.md", "list of entries", "corpus list", paper_list),
    Output("reports/codebook.md", "tables, axes, terms", _APPENDIX,
           lambda s: appendix(s, "markdown", "tables", "definitions")),
    Output("reports/screening.md", "protocol, exclusions", _APPENDIX,
           lambda s: appendix(s, "markdown", "protocol", "exclusions")),
    Output("reports/evidence.md", "evidence tables", "corpus evidence --format markdown",
           evidence, wanted=lambda s: "evidence" in s.codebook.settings),
    Output("reports/agreement.md", "agreement of readers", "corpus agreement --format markdown",
           agreement, wanted=has_second_readers),
    Output("reports/claims.md", "claims", "corpus claims --format markdown",
           claims, wanted=lambda s: bool(s.documents.get("claims"))),
    Output("reports/appendix.tex", "appendix", _APPENDIX,
           lambda s: appendix(s, "latex")),
    Output("reports/appendix.md", "appendix", f"{_APPENDIX} --format markdown",
           lambda s: appendix(s, "markdown")),
    Output("reports/appendix.html", "appendix", f"{_APPENDIX} --format html",
           lambda s: appendix(s, "html")),
    Output("reports/numbers.tex", "macros for LaTeX", "corpus render",
           lambda s: numbers_latex(common_numbers(s))),
    Output("reports/numbers.md", "names of numbers", "corpus render", numbers_md),
    Output("reports/references.bib", "bibliography", "corpus export bibtex",
           bibtex),
    Output("data/datapackage.json", "description of the tables", "corpus export data-package",
           lambda s: json_text(descriptor(s)), wanted=is_called_data),
)
# fmt: on


def _figure(plan: FigurePlan, study: Study) -> Iterator[Output]:
    """Yield the files of one figure; its data are computed when a file of it is first needed."""

    @cache
    def data() -> FigureData:
        return plan.data(study)

    path, title = f"figures/{plan.name}", plan.title or plan.name
    command = f"corpus figures --only {plan.name}"
    yield Output(f"{path}.csv", f"{title}: numbers", command, lambda _: data().frame().csv())
    yield Output(f"{path}.tex", f"{title}: caption", command, lambda _: plan.latex())
    yield Output(
        f"{path}.svg",
        title,
        command,
        lambda _: figure_bytes(plan, data(), "svg"),
        lambda _: figure_digest(plan, data()),
    )


def outputs_of(study: Study) -> list[Output]:
    """Return every file that this corpus generates.

    Raises
    ------
    CorpusError
        With C001 findings where the declaration of a figure is wrong; data that cannot be drawn
        fails when its file is made.
    """
    fixed = [output for output in OUTPUTS if output.wanted(study)]
    figures = [_figure(plan, study) for plan in study_figures(study).values()]
    return [*fixed, *chain.from_iterable(figures)]
