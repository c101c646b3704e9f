"""Put the page together: sections, data, style and script in one file that makes no request."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from corpus.analysis.bibliography.works import works
from corpus.analysis.claims.claim_report import claim_report
from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.counting.cutoff import as_of_study
from corpus.analysis.evidence.tables import evidence_plans, evidence_tables
from corpus.analysis.numbers.main_finding import main_finding
from corpus.analysis.sparsity.sparsity_report import sparsity_report
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.single_file import one_file, package_script, package_text, script_json
from corpus.publishing.appendix.parts import protocol_items
from corpus.publishing.page import sections
from corpus.publishing.page.data import page_data
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
    "gapmap",
    "records",
    "since",
    "evidence",
    "search",
    "main",
)


def site_page(study: Study, carried: Callable[[Study], Study] = lambda then: then) -> str:
    """Return the page of a corpus as HTML, with its claims, its gaps and its BibTeX.

    `carried` gives an older state the names of today.

    Raises
    ------
    UsageProblem
        Where a question of the codebook leads to a part that the page does not have.
    """
    page = one_file(
        PACKAGE,
        "page.html.j2",
        STYLES,
        _context(study, carried),
        first=package_text(PACKAGE, ("first",), "js"),
        script=package_script(PACKAGE, SCRIPTS),
    )
    for text, address in page_settings(study.codebook).questions:
        view = address.partition("?")[0].removeprefix("#")
        if f' id="{view}"' not in page:
            raise UsageProblem(f"[[page.questions]] {text!r}: the page has no part {view!r}")
    return page


def _context(study: Study, carried: Callable[[Study], Study]) -> dict[str, Any]:
    book = study.codebook
    sparsity = sparsity_report(study)
    hidden = left_out(book)
    evidence = [*study.by_role("evidence"), *study.by_role("audit")]
    # The evidence tables that show something else than a table that is on the page.
    plans = []
    for plan in evidence_plans(book):
        if plan.rows or plan.table in hidden:
            plans.append(plan)
    claims = claim_report(study, load_claims(study))
    # What the claims are about comes first.
    findings = Counter(found.claim.selections[0].table for found in claims.claims)
    plans.sort(key=lambda plan: -findings[plan.table])
    heatmaps = []
    for crosstab, crossed in zip(book.crosstabs, sparsity.pairs, strict=True):
        heatmaps.append((crosstab, crossed, sparsity.is_ranked(crossed)))
    data = page_data(study)
    candidates = sections.candidates(study)
    # The larger part, which the script reads only when somebody asks for it.
    rows = {}
    for table in data["tables"]:
        if table["role"] in ("evidence", "audit"):
            meanings = [column.definition for column in book.tables[table["name"]].columns]
            rows[table["name"]] = {"rows": table.pop("rows"), "meanings": meanings}
    return {
        "study": study,
        "works": works(study),
        "book": book,
        "as_of": as_of_study(study),
        "cutoff": as_of_study(study, ""),
        "heatmaps": heatmaps,
        "sparsity": sparsity,
        "sections": sections,
        "protocol": protocol_items(study.documents.get("protocol", {})),
        "evidence": [table for table in evidence if table.spec.name not in hidden],
        "claims": claims,
        "finding": main_finding(study),
        "printed_evidence": evidence_tables(study, plans),
        "questions": page_settings(book).questions,
        "data": script_json(data),
        "evidence_rows": script_json({"rows": rows, "candidates": candidates}),
        "candidates": candidates,
        "releases": sections.since_releases(study, carried),
        "verdicts": sections.verdicts(study),
    }
