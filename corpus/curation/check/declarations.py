"""The sections of the codebook that one command each reads: their mistakes are found before that command is run."""

from __future__ import annotations

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError, Finding
from corpus.publishing.figures.parser import figure_plans


def declaration_findings(book: Codebook, file: str) -> list[Finding]:
    """Return C001 findings for every mistake in ``[sparsity]`` and ``[figures]``; `file` is the codebook as shown."""
    findings: list[Finding] = []
    for read in (sparsity_plan, figure_plans):
        try:
            read(book, file)
        except CorpusError as error:
            findings += error.findings
    return findings
