"""What codebook and documents declare otherwise: a change there can let errors pass."""

from collections.abc import Iterator

from corpus.curation.changes.declared import CHANGED, by_item
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.note import Note
from corpus.curation.changes.sentence import arrow


def documents(delta: Delta) -> Iterator[Note]:
    """Yield every entry of codebook and documents that differs; of a list, every item."""
    for whole in delta.declared:
        for change in by_item(whole):
            text = f"{change.document}: {change.place} {change.kind}"
            if change.kind == CHANGED:
                text += f": {arrow(change.before, change.after)}"
            yield Note("declarations", text, change.as_dict(), change.document)


def terms(delta: Delta) -> Iterator[Note]:
    """Yield the terms that are renamed; everything else is compared under the newer names."""
    for term in delta.terms:
        text = f"{term.vocabulary}: the term {term.old} is renamed to {term.new}"
        yield Note("terms", text, term)
