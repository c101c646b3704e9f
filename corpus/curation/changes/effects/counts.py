"""What a change moves: counts, cells of the cross-tabulations, numbers in print."""

from collections.abc import Iterator, Mapping

from corpus.analysis.numbers.published import published_numbers
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import differing
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.tables.fast.tally import contingency_of


def counts(delta: Delta) -> Iterator[Note]:
    """Yield every number that the change moves, where both states can be counted."""
    if not delta.is_countable or not (delta.rows.rows or delta.documents or delta.terms):
        return
    before, after = delta.old, delta.after.corpus
    old, new = contingency_of(before), contingency_of(after)
    for (of, name), was, now in differing(_counts(before, old), _counts(after, new), 0):
        record = {"of": of, "name": name, "before": was, "after": now}
        yield Note("counts", f"{of} {name} {was} -> {now}", record, is_detail=True)
    yield from _cells(old, new)
    try:
        was_printed, is_printed = (
            {name: number.text for name, number in published_numbers(study).items()}
            for study in (before, after)
        )
    except CorpusError:  # `corpus render` reports why
        return
    for name, old_text, new_text in differing(was_printed, is_printed, ""):
        record = {"name": name, "before": old_text or "new", "after": new_text or "gone"}
        text = "{name} {before} -> {after}".format_map(record)
        yield Note("numbers", text, record, is_detail=True)


def _counts(study: Study, counted: Contingency) -> Mapping[tuple[str, str], int]:
    """Count the rows of each table, and the entries of each term."""
    found = {("rows", name): len(table.rows) for name, table in study.tables.items()}
    for axis in counted.margins():
        for row in axis.rows:
            found[axis.column.name, row.term] = row.entries
    return found


def _cells(before: Contingency, after: Contingency) -> Iterator[Note]:
    """Compare the cross-tabulations that the newer codebook declares, where both have the axes."""
    older_axes = set(before.book.pool.axis_names)
    for declared in after.book.crosstabs:
        axes = (declared.rows, declared.columns)
        new = after.crosstab(*axes).cells
        old: Mapping[tuple[str, ...], int] = {}
        if older_axes.issuperset(axes):
            old = before.crosstab(*axes).cells
        for (row, column), was, now in differing(old, new, 0):
            reason = after.book.impossible_reason({axes[0]: row, axes[1]: column}) if now else ""
            text = f"{declared.title}: the cell {row} / {column} {was} -> {now}"
            text += f". The codebook calls it impossible: {reason}" if reason else ""
            record = {"table": declared.title, "row": row, "column": column}
            record |= {"before": was, "after": now, "reason": reason}
            yield Note("cells", text, record, declared.title, is_detail=bool(was and now))
