"""What a change moves: counts, cells of the cross-tabulations, sparsity, numbers in print."""

from collections.abc import Iterator, Mapping

from corpus.analysis.numbers.published import published_numbers
from corpus.analysis.sparsity.cells import EMPTY, THIN, sparse_table
from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.analysis.sparsity.strictness import strictness_of
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import differing
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.tables.fast.tally import contingency_of

#: What is counted, and its name there -> the number.
Counts = Mapping[tuple[str, str], int]


def counts(delta: Delta) -> Iterator[Note]:
    """Yield every number that the change moves, where both states can be counted."""
    if not delta.is_countable or not (delta.rows.rows or delta.documents or delta.terms):
        return
    before, after = delta.counted, delta.after.corpus
    old, new = contingency_of(before), contingency_of(after)
    yield from _moves("counts", _counts(before, old), _counts(after, new))
    followed = old if before is delta.old else contingency_of(delta.old)
    yield from sorted(_cells(followed, new), key=lambda note: not note.text)
    yield from _moves("sparsity", _sparsity(before, old), _sparsity(after, new))
    try:
        was_printed, is_printed = (
            {name: number.text for name, number in published_numbers(study).items()}
            for study in (before, after)
        )
    except CorpusError:  # `corpus render` reports why
        return
    for name, was, now in differing(was_printed, is_printed, ""):
        yield Note("numbers", (), ({"name": name, "before": was or "new", "after": now or "gone"},))


def _moves(subject: str, before: Counts, after: Counts) -> Iterator[Note]:
    for (of, name), was, now in differing(before, after, 0):
        row = {"of": of, "name": name, "before": was, "after": now, "change": f"{now - was:+d}"}
        yield Note(subject, (), (row,))


def _counts(study: Study, counted: Contingency) -> Counts:
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
            turns = "fills" if not was else "empties" if not now else ""
            cell = {declared.rows: row, declared.columns: column}
            reason = after.book.impossible_reason(cell) if now else ""
            text = ""
            if turns:
                text = f"{declared.title}: the cell {row} / {column} {turns} ({was} -> {now})."
                text += f" The codebook calls it impossible: {reason}." if reason else ""
            record = {"table": declared.title, "row": row, "column": column}
            record |= {"before": was, "after": now, "reason": reason, "turns": turns}
            yield Note("cells", (text,) if text else (), (record,))


def _sparsity(study: Study, counted: Contingency) -> Counts:
    """Count empty and thin cells of each cross-tabulation, and the readings of each term."""
    try:
        plan = sparsity_plan(study.codebook)
    except CorpusError:  # `corpus check` and `corpus sparsity` report the mistakes in the section
        return {}
    found = {}
    for declared in study.codebook.crosstabs:
        if {declared.rows, declared.columns} <= set(plan.axes):
            table = sparse_table(counted, (declared.rows, declared.columns), plan.threshold)
            found[declared.title, "empty cells"] = table.number(EMPTY)
            found[declared.title, "thin cells"] = table.number(THIN)
    for item in plan.strictness:
        for unit in strictness_of(study, item).units:
            judged = f"{item.axis} {unit.term}"
            found[judged, "strict"] = len(unit.strict)
            found[judged, "similar"] = len(unit.near)
            found[judged, "broad only"] = len(unit.weaker)
            found[judged, "not judged"] = len(unit.unjudged)
    return found
