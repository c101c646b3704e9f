"""The plan of an import: what each column of the source becomes in the new corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.curation.importing.kinds import (
    EMPTY,
    KINDS,
    TAGS,
    TERM,
    TEXT,
    Kind,
    infer_kind,
    joint,
    split_cell,
)
from corpus.curation.importing.meaning import BY_ROLE, FIELDS, field_by_content, field_by_name
from corpus.curation.importing.names import ascii_words, column_name
from corpus.curation.importing.variants import (
    Spelled,
    TermMerge,
    likely_merges,
    merged,
    spelled_terms,
)
from corpus.model.finding import UsageProblem

Cells = Mapping[str, str | tuple[str, ...]]


class ColumnPlan(NamedTuple):
    """What one source column becomes.

    Attributes
    ----------
    source : str
        Its name in the source.
    name : str
        The column of the pool; empty where the column is empty and left out.
    role : str
        The bibliographic field that it is, or an empty string.
    kind : Kind
        Its type: ``term`` and ``tags`` have a vocabulary.
    separator : str
        What is written between several tags in the new pool.
    terms : list of Spelled
        The vocabulary, most used first.
    merges : list of TermMerge
        Terms that may be one and stay separate.
    reason : str
        Why, for the report.
    """

    source: str
    name: str
    role: str
    kind: Kind
    separator: str = ""
    terms: Sequence[Spelled] = ()
    merges: Sequence[TermMerge] = ()
    reason: str = ""

    @property
    def is_axis(self) -> bool:
        """Whether counts will run over the column."""
        return self.kind.name in (TERM, TAGS)

    @property
    def singletons(self) -> list[Spelled]:
        """The terms that occur once."""
        return [term for term in self.terms if term.uses == 1 and term.id != "NA"]


def parse_map(texts: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Read ``SOURCE=COLUMN`` or ``SOURCE=COLUMN:KIND``.

    Returns
    -------
    dict of str to (str, str)
        Source -> column and kind; the kind is empty where none is given.

    Raises
    ------
    UsageProblem
        For another form or an unknown kind.
    """
    found = {}
    for text in texts:
        source, sign, rest = text.rpartition("=")
        column, _, kind = rest.partition(":")
        if not sign or not source.strip() or (kind and kind not in KINDS):
            kinds = ", ".join(KINDS)
            raise UsageProblem(
                f"--map takes SOURCE=COLUMN or SOURCE=COLUMN:KIND (kinds: {kinds}), not {text!r}"
            )
        found[source.strip()] = (column.strip(), kind)
    return found


def plan_columns(
    columns: Sequence[str],
    rows: Sequence[Cells],
    asked: Mapping[str, tuple[str, str]],
    merge: bool = False,
) -> list[ColumnPlan]:
    """Plan every column of a source.

    Parameters
    ----------
    columns : sequence of str
        Names in the source.
    rows : sequence of mapping
        The records, empty cells left out.
    asked : mapping
        What the user asks for, from :func:`parse_map`; an empty column name sends the cells to the
        notes.
    merge : bool
        Carry out the merges that are only proposed otherwise.

    Raises
    ------
    UsageProblem
        Where `asked` names a column that the source does not have.
    """
    for source in asked:
        if source not in columns:
            raise UsageProblem(
                f"the source has no column {source!r}; it has {', '.join(map(repr, columns))}"
            )
    cells = {name: [row[name] for row in rows if row.get(name)] for name in columns}
    roles = _roles(columns, rows, cells, asked)
    # Every bibliographic column, used or not: the importer may fill it from what it finds in other
    # cells.
    taken = {field.column for field in FIELDS}
    plans = []
    for source in columns:
        column, kind = asked.get(source, ("", ""))
        role = roles.get(source, "")
        if role:
            field = BY_ROLE[role]
            if source in asked:
                why = "as asked"
            elif field_by_name(source) == role:
                why = "by its name"
            else:
                why = "by its cells"
            plans.append(
                ColumnPlan(source, field.column, role, Kind(field.type, (), ""), reason=why)
            )
            continue
        is_key = not column and field_by_name(source) == "key"
        name = column_name("source key" if is_key else column or source, taken)
        taken.add(name)
        plans.append(_inferred(source, name, cells[source], kind, merge))
    return plans


def _roles(
    columns: Sequence[str],
    rows: Sequence[Cells],
    cells: Mapping[str, list[str | tuple[str, ...]]],
    asked: Mapping[str, tuple[str, str]],
) -> dict[str, str]:
    """Give each bibliographic field a column: as asked, by name (best filled first), by content."""
    by_column = {field.column: field.role for field in FIELDS} | {
        field.role: field.role for field in FIELDS
    }
    roles: dict[str, str] = {}
    for source, (column, kind) in asked.items():
        role = "notes" if not column else by_column.get(column, "")
        if role and not kind:
            roles[source] = role
    free = [name for name in columns if name not in asked and cells[name]]
    for field in FIELDS:
        named = [name for name in free if name not in roles and field_by_name(name) == field.role]
        if field.role == "key":
            named = [name for name in named if _usable_keys(cells[name], len(rows))]
        if not named or field.role in roles.values():
            continue
        best, *others = sorted(named, key=lambda name: (-len(cells[name]), columns.index(name)))
        roles[best] = field.role
        # Journal and book title are never both filled: together they are one field.
        for name in others:
            if not _overlaps(name, _of_role(roles, field.role), rows):
                roles[name] = field.role
    for name in free:
        if name in roles or not all(isinstance(cell, str) for cell in cells[name]):
            continue
        role = field_by_content([cell for cell in cells[name] if isinstance(cell, str)])
        if role and role not in roles.values():
            roles[name] = role
    if "title" not in roles.values():
        untaken = [name for name in free if name not in roles]
        if untaken:
            roles[max(untaken, key=lambda name: _titleness(cells[name]))] = "title"
    return roles


def _overlaps(column: str, others: Sequence[str], rows: Sequence[Cells]) -> bool:
    """Return whether some record has a cell in a column and in one of the others."""
    filled = [row for row in rows if row.get(column)]
    return any(row.get(other) for row in filled for other in others)


def _of_role(roles: Mapping[str, str], role: str) -> list[str]:
    return [name for name, other in roles.items() if other == role]


def _usable_keys(cells: Sequence[str | tuple[str, ...]], count: int) -> bool:
    """Return whether a column can be the key: `count` different short names, each with a word."""
    texts = [cell for cell in cells if isinstance(cell, str) and len(cell) <= 60]
    opaque = re.compile(r"rayyan.*|[A-Z0-9]{8}")  # Rayyan's and Zotero's own numbers
    spoken = sum(
        re.search(r"[A-Za-z]{3}", text) is not None and opaque.fullmatch(text) is None
        for text in texts
    )
    return len({"-".join(ascii_words(text)) for text in texts}) == count and 2 * spoken > count


def _titleness(cells: Sequence[str | tuple[str, ...]]) -> float:
    """Return how much a column looks like titles: filled, all different, some words each."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    wordy = sum(2 <= len(text.split()) <= 30 for text in texts)
    return wordy * len(set(texts)) / max(len(texts), 1)


def _inferred(
    source: str, name: str, cells: Sequence[str | tuple[str, ...]], asked: str, merge: bool
) -> ColumnPlan:
    kind = infer_kind(cells, ascii_words(source))
    if asked:
        kind = Kind(
            asked,
            (kind.separators or (_first_separator(cells),)) if asked == TAGS else (),
            "as asked",
        )
    if kind.name == EMPTY:
        return ColumnPlan(source, "", "", kind, reason=kind.reason)
    if kind.name == TEXT and any(isinstance(cell, tuple) for cell in cells):
        parts = [part for cell in cells if isinstance(cell, tuple) for part in cell]
        return ColumnPlan(source, name, "", kind, joint(parts), reason=kind.reason)
    if kind.name not in (TERM, TAGS):
        return ColumnPlan(source, name, "", kind, reason=kind.reason)
    terms = spelled_terms(value for cell in cells for value in split_cell(cell, kind.separators))
    merges = likely_merges(terms)
    if merge:
        terms, merges = merged(terms, merges), []
    ids = [term.id for term in terms]
    return ColumnPlan(
        source,
        name,
        "",
        kind,
        joint(ids) if kind.name == TAGS else "",
        tuple(terms),
        tuple(merges),
        kind.reason,
    )


def _first_separator(cells: Sequence[str | tuple[str, ...]]) -> str:
    """Return the separator that is in the cells most often."""
    text = "".join(cell for cell in cells if isinstance(cell, str))
    return max(";|,/", key=text.count)
