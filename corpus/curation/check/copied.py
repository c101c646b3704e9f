"""Sentences that two rows share: what is left behind when a row is copied and edited."""

import re
from collections.abc import Iterator, Sequence

from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.finding import WARNING
from corpus.tables.arrays import repeated_values
from corpus.tables.sheet import ColumnarTable

#: Roles of columns in which every row is described in words of its own.
_OWN_WORDS = ("summary", "notes", "reason")
#: Tables whose rows are decided by few rules, so that many have the same reason.
_BY_RULE = ("coverage", "screening", "accepted", "accepted_claims")
#: A shorter sentence can be true of two works without being copied; so can a shorter cell.
LEAST_LETTERS = 60
LEAST_LETTERS_OF_CELL = 45
#: In larger tables whole cells are compared, not the sentences inside them.
MOST_ROWS = 20_000
_END_OF_SENTENCE = re.compile(r"(?<=[.;!?])\s+")


@rule(
    "C317",
    "the text is also that of {other}: {advice}",
    hint="describe each work in words of its own",
    severity=WARNING,
)
def copied(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """The same sentence in two rows.

    A sentence that fits two works was most likely left behind when a row was copied.

    >>> broken("sensors", {"notes": "Moss grows where water stays for all the year."},
    ...        {"notes": "Moss grows where water stays for all the year."})
    sensors.csv: the text is also that of ada: 'Moss grows where water stays for all the year.'
    """
    if sheet.spec.role in _BY_RULE:
        return
    for column in sheet.spec.columns:
        if column.role not in _OWN_WORDS or column.type != "text":
            continue
        cells = sheet.columns[column.name]
        if len(sheet) > MOST_ROWS and not len(repeated_values(cells)):
            continue
        for position, holder, text in shared_sentences(cells.to_pylist()):
            yield at(position, column.name, other=sheet.key(holder), advice=repr(text))


def shared_sentences(cells: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the place of each cell with a sentence of an earlier one, that one's, and the sentence.

    Examples
    --------
    >>> sentence = "Moss grows where the water stays for most of the year, and on wet stones."
    >>> [found[:2] for found in shared_sentences([sentence, "Peat.", f"Peat. {sentence}"])]
    [(2, 0)]
    """
    first: dict[str, int] = {}
    for position, cell in enumerate(cells):
        for text in _long_parts(cell, len(cells)):
            holder = first.setdefault(text.rstrip(".;").casefold(), position)
            if holder != position:
                yield position, holder, text
                # Sentences of a copied cell would be the same finding again.
                break


def _long_parts(cell: str, rows: int) -> Iterator[str]:
    """Yield a cell and its sentences, as far as they are long enough to be compared."""
    if len(cell) >= LEAST_LETTERS_OF_CELL:
        yield cell
    if rows <= MOST_ROWS:
        for sentence in _END_OF_SENTENCE.split(cell):
            if len(sentence) >= LEAST_LETTERS and sentence != cell:
                yield sentence
