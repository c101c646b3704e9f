"""Edits of single rows, for robustness and scenarios; a study is never changed in place.

Which edits there are to try depends on the kinds of row that a claim distinguishes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product
from operator import attrgetter
from typing import NamedTuple

from corpus.analysis.claims.claim import Selection
from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Row, Table, row_picker

#: A cell that no claim names. No file has this character, while any word could be in a claim.
UNNAMED = "\0"

#: So many changed or removed rows are named by their keys.
_NAMED = 3
_PREPOSITIONS = {"add": "to", "remove": "from", "change": "of"}


class Edit(NamedTuple):
    """One row added (`before` is None), removed (`after` is None) or changed.

    Rows are whole: every cell in header order.
    """

    table: str
    before: Row | None
    after: Row | None

    @property
    def kind(self) -> str:
        """``add``, ``remove`` or ``change``."""
        if self.before is None:
            return "add"
        if self.after is None:
            return "remove"
        return "change"


def apply_edits(study: Study, edits: Iterable[Edit]) -> Study:
    """Return the study with the edits made; each `before` is replaced once."""
    tables: dict[str, list[Row | None]] = {}
    for edit in edits:
        if edit.table not in tables:
            tables[edit.table] = [*study.tables[edit.table].rows]
        rows = tables[edit.table]
        if edit.before is None:
            rows.append(edit.after)
        else:
            # Removed rows are None until the end, so that positions stay as they are.
            rows[rows.index(edit.before)] = edit.after
    return study.with_rows({name: list(filter(None, rows)) for name, rows in tables.items()})


def changed_row(table: Table, row: Row, cells: Mapping[str, str]) -> Row:
    """Return the row with some cells set, given by column name."""
    new = list(row)
    for name, cell in cells.items():
        new[table.spec.position(name)] = cell
    return tuple(new)


def describe(edits: Sequence[Edit], tables: Mapping[str, Table]) -> str:
    """Describe edits in a line, similar ones together.

    Returns
    -------
    str
        Such as ``change 12 rows of pool (category: rl_method -> benchmark)``.
    """
    groups: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Edit]] = defaultdict(list)
    for edit in edits:
        new_cells = _new_cells(edit, tables[edit.table])
        groups[edit.kind, edit.table, new_cells].append(edit)
    descriptions = []
    for (kind, name, cells), similar in groups.items():
        table = tables[name]
        keys = ["/".join(table.key_of(edit.before)) for edit in similar if edit.before]
        noun = "row" + "s" * (len(similar) > 1)
        which = f"{len(similar)} {noun}"
        if 0 < len(keys) <= _NAMED:
            which = f"{noun} {', '.join(keys)}"
        text = f"{kind} {which} {_PREPOSITIONS[kind]} {name}"
        if cells:
            changes = [_cell_change(table, column, new, similar) for column, new in cells]
            text += f" ({', '.join(changes)})"
        descriptions.append(text)
    return "; ".join(descriptions)


def _new_cells(edit: Edit, table: Table) -> tuple[tuple[str, str], ...]:
    """Return the cells that an edit writes; an added row's without its key."""
    if edit.after is None:
        return ()
    spec = table.spec
    before = edit.before or ("",) * len(spec.columns)
    written = []
    for name, old, new in zip(spec.header, before, edit.after, strict=True):
        is_new_key = edit.before is None and name in spec.key
        if old != new and not is_new_key:
            written.append((name, new))
    return tuple(written)


def _cell_change(table: Table, name: str, new: str, edits: Sequence[Edit]) -> str:
    """Write one cell of a group; the old value is given where all rows have the same one."""
    position = table.spec.position(name)
    old = {edit.before[position] for edit in edits if edit.before}
    after = new.replace(UNNAMED, "another value") or "empty"
    if not old:
        return f"{name}: {after}"
    if len(old) > 1:
        return f"{name}: -> {after}"
    before = old.pop() or "empty"
    return f"{name}: {before} -> {after}"


#: So many kinds of rows are tried at most for one claim.
TRIED = 20_000
#: So many combinations of a size are tried at most for one multi-valued cell.
_COMBINATIONS = 200


def kinds(
    parts: Sequence[Selection], table: Table, study: Study, keyed: bool
) -> Iterator[dict[str, str]]:
    """Yield every kind of row that the selections distinguish, as cells by column.

    Each column takes every value that a test names, and one that none names; `keyed` decides
    whether key cells vary too.
    """
    choices = {}
    for name in looked_at(parts):
        if keyed or name not in table.spec.key:
            choices[name] = _distinguished_cells(table.spec.column(name), parts, study)
    for cells in islice(product(*choices.values()), TRIED):
        yield dict(zip(choices, cells, strict=True))


def looked_at(parts: Sequence[Selection]) -> list[str]:
    """Return the columns that any of the selections tests, without repetition."""
    return list(dict.fromkeys(chain.from_iterable(map(attrgetter("columns"), parts))))


def _distinguished_cells(column: Column, parts: Sequence[Selection], study: Study) -> list[str]:
    """Return the cells of one column that the selections distinguish."""
    named = {}
    for part in parts:
        for filter_ in part.filters:
            if filter_.column.name == column.name:
                named.update(dict.fromkeys(filter_.named))
    unnamed = [value for value in possible_values(column, study) if value not in named]
    if not any(column.name in part.agrees for part in parts):
        # One unnamed value represents all, unless the cell is compared with another one.
        unnamed = unnamed[:1]
    values = [*named, *unnamed]
    cells = list(values)
    if column.separator:
        for size in range(2, len(values) + 1):
            for some in islice(combinations(values, size), _COMBINATIONS):
                cells.append(column.separator.join(some))
    return cells


def possible_values(column: Column, study: Study) -> Sequence[str]:
    """Return the terms of a column, or one value that no claim names where it has none."""
    return study.codebook.terms_of(column) or (UNNAMED,)


def new_rows(parts: Sequence[Selection], table: Table, study: Study) -> Iterator[Row]:
    """Yield a new row of every kind whose key the table does not have yet."""
    spec = table.spec
    keyed = {name: possible_values(spec.column(name), study)[0] for name in spec.key}
    empty = changed_row(table, ("",) * len(spec.columns), keyed)
    # A row with a key that is there would not be one more row, but a duplicate.
    keys = set(table.keys())
    key_cells = row_picker(spec.key_positions)
    for cells in kinds(parts, table, study, keyed=True):
        row = changed_row(table, empty, cells)
        if key_cells(row) not in keys:
            yield row


def has_free_key(table: Table, parts: Sequence[Selection]) -> bool:
    """Whether any number of rows can be added that differ in a key column alone."""
    tested = looked_at(parts)
    for name in table.spec.key:
        if name not in tested and table.spec.column(name).type != "term":
            return True
    return False


def numbered(edit: Edit, number: int, table: Table) -> Edit:
    """Give an added row a key of its own, in its first key column without a particular value."""
    assert edit.after is not None
    for name in table.spec.key:
        if edit.after[table.spec.position(name)] == UNNAMED:
            row = changed_row(table, edit.after, {name: f"new-{number}"})
            return edit._replace(after=row)
    return edit
