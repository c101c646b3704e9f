"""Put the page together: sections, data, style and script in one file that makes no request."""

from collections.abc import Mapping
from typing import Any

from corpus.analysis.claims.report import ClaimReport
from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.evidence.tables import MatrixPlan, evidence_plans, evidence_tables
from corpus.analysis.numbers.main_finding import main_finding
from corpus.analysis.sparsity.report import SparsityReport, differing_term, gap_entries, gap_parts
from corpus.model.study import Study
from corpus.printing.single_file import (
    content_policy,
    inlined,
    package_script,
    package_text,
    script_json,
)
from corpus.printing.templates import environment
from corpus.publishing.page import sections
from corpus.publishing.page.data import page_data
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import left_out, page_settings

PACKAGE = "corpus.publishing.page"
#: Files of the page, in the order in which they are inlined.
STYLES = ("colours", "page", "facets", "entries", "map", "tables", "print")
SCRIPTS = (
    "elements",
    "tree",
    "corpus",
    "orders",
    "address",
    "selection",
    "facets",
    "download",
    "entries",
    "table",
    "near",
    "entry",
    "timeline",
    "heatmaps",
    "exclusions",
    "main",
)


def site_page(
    study: Study,
    sparsity: SparsityReport,
    claims: ClaimReport | None = None,
    bibtex: Mapping[str, str] = {},
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    study : Study
        As :func:`corpus.tables.corpus_reader.load_corpus` returns it.
    sparsity : SparsityReport
        Its axes and cross-tabulations, and the gaps in them.
    claims : ClaimReport, optional
        The claims with what was observed; None where the corpus declares none.
    bibtex : mapping of str to str
        Key of an entry -> BibTeX to copy.
    """
    style = package_text(PACKAGE, STYLES, "css")
    first = package_text(PACKAGE, ("first",), "js")
    script = package_script(PACKAGE, SCRIPTS)
    template = environment("html", PACKAGE).get_template("page.html.j2")
    return template.render(
        **_context(study, sparsity),
        claims=claims,
        data=script_json(page_data(study, bibtex)),
        policy=content_policy([first, script], [style]),
        style=inlined(style),
        first=inlined(first),
        script=inlined(script),
    )


def _context(study: Study, sparsity: SparsityReport) -> dict[str, Any]:
    book = study.codebook
    keys = study.pool.column(study.pool.spec.key[0])
    corrected = [
        (sections.shown_table(table, book), sections.changed_columns(table, book.pool))
        for table in study.by_role("corrections")
    ]
    evidence = [
        sections.shown_table(table, book)
        for table in (*study.by_role("evidence"), *study.by_role("audit"))
        if table.spec.name not in left_out(book)
    ]
    logs = study.by_role("exclusions")
    # The evidence tables that show something else than a table that is on the page.
    plans = [
        plan
        for plan in evidence_plans(book)
        if isinstance(plan.of, MatrixPlan) or plan.table in left_out(book)
    ]
    of_axes = book.axis_vocabularies.values()
    heatmaps = []
    for crosstab, crossed in zip(book.crosstabs, sparsity.pairs, strict=True):
        heatmaps.append((crosstab, crossed, sparsity.is_ranked(crossed)))
    return {
        "book": book,
        "one": book.corpus.get("entry", "entry"),
        "many": book.corpus.get("entries", "entries"),
        "as_of": as_of_study(study),
        "cutoff": as_of_study(study, ""),
        "reading": sections.reading_rows(study.pool, book),
        "number": len(keys),
        "margins": [table.margins[0] for table in sparsity.axes],
        "heatmaps": heatmaps,
        "sparsity": sparsity,
        "gap_parts": gap_parts,
        "gap_entries": gap_entries,
        "differing_term": differing_term,
        "heat_levels": sections.heat_levels,
        "holes": sections.holes,
        "excluded": [(log, sections.excluded_by_stage(study, log)) for log in logs],
        "corrected": corrected,
        "evidence": evidence,
        "claim_address": sections.claim_address,
        "keys": set(keys),
        "protocol": sections.protocol_parts(study.documents.get("protocol", {})),
        "finding": main_finding(study),
        "printed_evidence": evidence_tables(study, plans),
        "questions": page_settings(book).questions,
        "homepage": links(book.corpus.get("homepage", ""), "url"),
        "other_vocabularies": [v for v in book.vocabularies.values() if v not in of_axes],
        "entry_address": sections.entry_address,
        "filter_address": sections.filter_address,
    }
