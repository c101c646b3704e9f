"""Names in codebook and documents that only the rows, the claims and the numbers can tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from corpus.analysis.claims.evaluate import read_claims
from corpus.analysis.numbers.published import published_numbers
from corpus.model.documents.section import NameReference
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.model.suggestions import unknown


def unresolved(references: Iterable[NameReference], study: Study) -> list[Finding]:
    """Return a finding for each name of a row, claim or number that the corpus does not have.

    Names of rows in a table that could not be read are left out.

    Raises
    ------
    CorpusError
        Where a number is named, and the numbers cannot be worked out.
    """
    known: dict[tuple[str, str], Collection[str]] = {}
    found = []
    for reference in references:
        kind, of = reference.kind, reference.of
        is_known_by_rows = kind in ("claim", "number") or (kind == "row" and of in study.tables)
        if not is_known_by_rows or not reference.must_exist:
            continue
        if (kind, of) not in known:
            known[kind, of] = _names(kind, of, study)
        if reference.name not in known[kind, of]:
            found.append(reference.finding(unknown(kind, reference.name, known[kind, of])))
    return found


def _names(kind: str, of: str, study: Study) -> Collection[str]:
    if kind == "claim":
        return [claim.id for claim in read_claims(study)[0].claims]
    if kind == "number":
        return published_numbers(study).keys()
    table = study.tables[of]
    return frozenset(table.column(table.spec.key[0]))
