"""The list of every generated file. To add one, add an Output here."""

from collections.abc import Iterator
from functools import cache, partial

from corpus.analysis.numbers.published import numbers_latex
from corpus.printing.json_document import json_text
from corpus.printing.typeset import installed
from corpus.publishing.appendix.paper_list import paper_list
from corpus.publishing.export.bibliography import bibtex
from corpus.publishing.export.packages import descriptor
from corpus.publishing.figures.figure import figure_bytes, figure_data, figure_digest, read_digest
from corpus.publishing.figures.parser import study_figures
from corpus.publishing.figures.plan import FigureData, FigurePlan
from corpus.publishing.outputs import reports
from corpus.publishing.outputs.output import APPENDIX_PDF, Output, Sources

_APPENDIX = "corpus render-appendix"

#: The formats of figures that git keeps, and those that every `corpus build` makes beside them,
#: which are half a megabyte per change that nobody compares.
KEPT, LOCAL = ("svg",), ("pdf", "png")

#: Files whose paths are the same for every corpus, in the order in which they are made.
# fmt: off
OUTPUTS = (
    Output("reports/statistics.md", "every count", "corpus stats --format markdown",
           reports.statistics),
    Output("reports/sparsity.md", "gaps", "corpus sparsity --format markdown", reports.sparsity),
    Output("reports/papers.md", "list of entries", "corpus list", lambda s: paper_list(s.study)),
    Output("reports/codebook.md", "tables, axes, terms", _APPENDIX,
           lambda s: reports.appendix(s, "markdown", "tables", "definitions")),
    Output("reports/screening.md", "protocol, exclusions", _APPENDIX,
           lambda s: reports.appendix(s, "markdown", "protocol", "exclusions")),
    Output("reports/evidence.md", "evidence tables", "corpus evidence --format markdown",
           reports.evidence, wanted=lambda s: "evidence" in s.book.settings),
    Output("reports/agreement.md", "agreement of readers", "corpus agreement --format markdown",
           reports.agreement, wanted=reports.has_second_readers),
    Output("reports/claims.md", "claims", "corpus claims --stress --format markdown",
           reports.claims, wanted=lambda s: bool(s.study.documents.get("claims"))),
    Output("reports/appendix.tex", "appendix", _APPENDIX,
           lambda s: reports.appendix(s, "latex")),
    Output("reports/appendix.md", "appendix", f"{_APPENDIX} --format markdown",
           lambda s: reports.appendix(s, "markdown")),
    Output("reports/appendix.html", "appendix", f"{_APPENDIX} --format html",
           lambda s: reports.appendix(s, "html")),
    Output("reports/numbers.tex", "macros for LaTeX", "corpus render",
           lambda s: numbers_latex(s.numbers)),
    Output("reports/numbers.md", "names of numbers", "corpus render", reports.numbers_md),
    Output("reports/references.bib", "bibliography", "corpus export bibtex",
           lambda s: bibtex(s.study)),
    Output("data/datapackage.json", "description of the tables", "corpus export data-package",
           lambda s: json_text(descriptor(s.study)), wanted=reports.is_called_data),
    # Local: its bytes depend on the release of TeX, and a contributor without LaTeX could not
    # rebuild a stale one.
    Output(APPENDIX_PDF, "appendix", f"{_APPENDIX} --format pdf", reports.appendix_pdf,
           reports.appendix_digest, reports.recorded_source,
           wanted=lambda _: installed() is not None, local=True),
)
# fmt: on


def _figure(plan: FigurePlan, sources: Sources) -> Iterator[Output]:
    """Yield the files of one figure; its data are computed when a file of it is first needed."""

    @cache
    def data() -> FigureData:
        return figure_data(sources.study, plan)

    def caption(text: str, _: Sources) -> str:
        return text

    def drawn(format_: str, _: Sources) -> bytes:
        return figure_bytes(plan, data(), format_)

    def digest(_: Sources) -> str:
        return figure_digest(plan, data())

    path, title = f"figures/{plan.name}", plan.title or plan.name
    command = f"corpus figures --only {plan.name}"
    yield Output(f"{path}.csv", f"{title}: numbers", command, lambda _: data().frame().csv())
    for ending, text in plan.captions().items():
        yield Output(f"{path}.{ending}", f"{title}: caption", command, partial(caption, text))
    for format_ in (*KEPT, *LOCAL):
        made, is_local = partial(drawn, format_), format_ in LOCAL
        yield Output(f"{path}.{format_}", title, command, made, digest, read_digest, local=is_local)


def figure_outputs(sources: Sources) -> Iterator[Output]:
    """Yield the files of every figure that the codebook declares.

    Raises
    ------
    CorpusError
        With C001 findings where a declaration is wrong; data that cannot be drawn fails when its
        file is made.
    """
    for plan in study_figures(sources.study).values():
        yield from _figure(plan, sources)


def outputs_of(sources: Sources) -> list[Output]:
    """Return every file that this corpus generates."""
    fixed = [output for output in OUTPUTS if output.wanted(sources)]
    return [*fixed, *figure_outputs(sources)]
