"""Edits of single rows, for robustness; a study is never changed in place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.grid import first_of, plural

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
        Such as ``change rows fen, bog and 10 more of pool (category = benchmark)``.
    """
    groups: dict[tuple[str, str, str], list[Edit]] = defaultdict(list)
    for edit in edits:
        spec = tables[edit.table].spec
        before = edit.before or ("",) * len(spec.columns)
        written = []
        for name, old, new in zip(spec.header, before, edit.after or before, strict=True):
            is_new_key = edit.before is None and name in spec.key
            if old != new and not is_new_key:
                written.append(f"{name} = {new.replace(UNNAMED, 'another value') or 'empty'}")
        groups[edit.kind, edit.table, ", ".join(written)].append(edit)
    descriptions = []
    for (kind, name, written_cells), similar in groups.items():
        which = plural(len(similar), "row")
        keys = ["/".join(tables[name].key_of(edit.before)) for edit in similar if edit.before]
        if keys:
            which = f"row{'s' * (len(keys) > 1)} {first_of(keys, _NAMED)}"
        cells = f" ({written_cells})" * bool(written_cells)
        descriptions.append(f"{kind} {which} {_PREPOSITIONS[kind]} {name}{cells}")
    return "; ".join(descriptions)
