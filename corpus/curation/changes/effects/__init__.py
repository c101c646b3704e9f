"""The effects of a change, each a function of a delta that yields notes; see :data:`EFFECTS`."""

from collections.abc import Callable, Iterator

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import checks, claims, counts, documents, files, releases, rows
from corpus.curation.changes.note import Note

Effect = Callable[[Delta], Iterator[Note]]

#: The order of the report is that of the subjects; an effect may yield notes about several.
EFFECTS: tuple[Effect, ...] = (
    files.files,
    files.generated,
    checks.waivers,
    checks.findings,
    checks.under_older,
    checks.weakened,
    releases.releases,
    releases.unlogged,
    releases.rewritten,
    rows.departures,
    rows.rows,
    rows.outdated,
    rows.less_exact,
    rows.doubts,
    documents.documents,
    documents.terms,
    claims.claims,
    claims.tracked,
    counts.counts,
    files.totals,
)


def notes_of(delta: Delta) -> list[Note]:
    """Return everything that a change does."""
    return [note for effect in EFFECTS for note in effect(delta)]
