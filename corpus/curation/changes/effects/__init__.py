"""The effects of a change, each a function of a delta that yields notes; see :data:`EFFECTS`."""

from collections.abc import Callable, Iterator

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import (
    checks,
    claims,
    counts,
    documents,
    files,
    releases,
    row_notes,
)
from corpus.curation.changes.note import Note
from corpus.model.finding import Finding

Effect = Callable[[Delta], Iterator[Note]]

#: What is found where both states are compared, and not in the newer one alone.
GATES: tuple[Effect, ...] = (
    files.files,
    checks.waivers,
    checks.weaker_checks,
    releases.releases,
    releases.unlogged,
    releases.rewritten,
    row_notes.outdated,
    row_notes.less_exact,
    claims.tracked,
    files.texts,
)
#: What a change moves, and everything else that a report tells of it.
EFFECTS: tuple[Effect, ...] = (
    checks.findings,
    *GATES,
    row_notes.rows,
    documents.documents,
    documents.terms,
    claims.claims,
    counts.counts,
    files.totals,
)


def notes_of(delta: Delta) -> list[Note]:
    """Return everything that a change does; subjects have an order, and the notes of each."""
    return [note for effect in EFFECTS for note in effect(delta)]


def gate_findings(delta: Delta) -> list[Finding]:
    """Return what `corpus check --since` finds beside what is wrong with the newer state alone."""
    notes = (note for effect in GATES for note in effect(delta))
    return [note.finding for note in notes if note.finding]
