"""What codebook and documents declare otherwise: a change there can let errors pass."""

from collections.abc import Iterator

from corpus.curation.changes.declared import CHANGED, by_item
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.note import Note
from corpus.curation.changes.sentence import code, values


def documents(delta: Delta) -> Iterator[Note]:
    """Yield every entry of codebook and documents that differs; of a list, every item."""
    for whole in delta.declared:
        for change in by_item(whole):
            text = f"{change.document}: {change.place} {change.kind}"
            both = values(change.before, change.after) if change.kind == CHANGED else ()
            yield Note("declarations", (text, *both, "."), (change.as_dict(),), change.document)


def terms(delta: Delta) -> Iterator[Note]:
    """Yield the terms that are renamed or merged; everything else is compared under these."""
    for term in delta.terms:
        what = " is merged into " if term.merged else " is renamed to "
        text = (f"{term.vocabulary}: the term ", code(term.old), what, code(term.new), ".")
        yield Note("terms", text, (term._asdict(),))
