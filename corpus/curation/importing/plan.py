"""The plan of an import: what each column of the source becomes in the new corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from corpus.curation.importing.kinds import (
    ABSENT,
    EMPTY,
    KINDS,
    TAGS,
    TERM,
    Kind,
    Spelled,
    infer_kind,
    joint,
    spelled_terms,
    values_of,
)
from corpus.curation.importing.meaning import (
    BY_ROLE,
    FIELDS,
    field_by_content,
    field_by_name,
    name_rank,
)
from corpus.curation.importing.names import ascii_words, column_name
from corpus.curation.importing.persons import commas_are_inside
from corpus.curation.importing.readers.records import Cell
from corpus.model.finding import UsageProblem
from corpus.model.suggestions import unknown

#: Share of different addresses from which on they are those of the works.
_OWN_ADDRESSES = 0.8
#: Rayyan's and Zotero's own numbers.
_OPAQUE_KEY = re.compile(r"rayyan.*|[A-Z0-9]{8}")
#: A column of titles with so many cells of the one with most is taken for its usual name.
_NEARLY_FILLED = 0.8
Cells = Mapping[str, Cell]
#: Two columns of one field (journal and book title) become one where at most this share of the
#: rarer one's records has both.
_MOST_OVERLAP = 0.2
#: A column whose name tells nothing has titles where so many records have some words of their own.
_TITLED = 0.5


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
    reason : str
        Why, for the report.
    comma_is_inside : bool
        Of a column of names: whether a comma is inside a name, never between two.
    """

    source: str
    name: str
    role: str
    kind: Kind
    separator: str = ""
    terms: Sequence[Spelled] = ()
    reason: str = ""
    comma_is_inside: bool = False

    @property
    def is_axis(self) -> bool:
        """Whether counts will run over the column."""
        return self.kind.name in (TERM, TAGS)

    @property
    def absent(self) -> bool:
        """Whether a term is for "not applicable"."""
        return any(term.id == "NA" for term in self.terms)


class Wishes(NamedTuple):
    """What the user asks of the plan.

    Attributes
    ----------
    maps : mapping of str to (str, str)
        Source column -> column and kind, from :func:`parse_map`; an empty column name sends the
        cells to the notes.
    drop : sequence of str
        Source columns that are left out.
    decided : sequence of str
        Source columns whose decisions the tables have already; they are left out.
    """

    maps: Mapping[str, tuple[str, str]] = MappingProxyType({})
    drop: Sequence[str] = ()
    decided: Sequence[str] = ()


NO_WISHES = Wishes()


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
    columns: Sequence[str], rows: Sequence[Cells], wishes: Wishes = NO_WISHES
) -> list[ColumnPlan]:
    """Plan every column of a source.

    Parameters
    ----------
    columns : sequence of str
        Names in the source.
    rows : sequence of mapping
        The records, empty cells left out.
    wishes : Wishes
        What the user asks for.

    Raises
    ------
    UsageProblem
        Where the wishes name a column that the source does not have.
    """
    for source in (*wishes.maps, *wishes.drop):
        if source not in columns:
            raise UsageProblem(unknown("column of the source", source, columns))
    why_left_out = dict.fromkeys(wishes.decided, "its decisions are in the exclusion log")
    why_left_out |= dict.fromkeys(wishes.drop, "dropped, as asked")
    roles = _roles([name for name in columns if name not in why_left_out], rows, wishes.maps)
    # Every bibliographic column, used or not: the importer may fill it from what it finds in other
    # cells.
    taken = {field.column for field in FIELDS}
    plans = []
    for source in columns:
        cells = [row[source] for row in rows if row.get(source)]
        column, kind = wishes.maps.get(source, ("", ""))
        if source in why_left_out:
            plan = ColumnPlan(source, "", "", Kind(EMPTY, "", ""), reason=why_left_out[source])
        elif source in roles:
            role = roles[source]
            field = BY_ROLE[role]
            why = "by its cells"
            if source in wishes.maps:
                why = "as asked"
            elif field_by_name(source) == role:
                why = "by its name"
            plan = ColumnPlan(source, field.column, role, Kind(field.type, "", ""), reason=why)
            if role == "first_author" or (role == "authors" and commas_are_inside(cells)):
                plan = plan._replace(comma_is_inside=True)
        else:
            # The name of a key would be that of a field of the pool.
            is_key = not column and field_by_name(source) == "key"
            name = column_name("source key" if is_key else column or source, taken)
            taken.add(name)
            plan = _inferred(source, name, cells, kind, len(rows))
        plans.append(plan)
    return plans


def _inferred(source: str, name: str, cells: Sequence[Cell], asked: str, rows: int) -> ColumnPlan:
    """Plan a column that is not a bibliographic one."""
    kind = infer_kind(cells, ascii_words(source), rows)
    if asked:
        separator = ""
        if asked == TAGS:
            text = "".join(cell for cell in cells if isinstance(cell, str))
            separator = kind.separator or max(";|,/", key=text.count)
        kind = Kind(asked, separator, "as asked")
    if kind.name == EMPTY:
        return ColumnPlan(source, "", "", kind, reason=kind.reason)
    plan = ColumnPlan(source, name, "", kind, reason=kind.reason)
    if not plan.is_axis:
        lists = [cell for cell in cells if isinstance(cell, tuple)]
        return plan._replace(separator=joint(values_of(lists)))
    terms = spelled_terms(values_of(cells, kind.separator))
    return plan._replace(terms=terms, separator=joint([term.id for term in terms]))


def _roles(
    columns: Sequence[str], rows: Sequence[Cells], asked: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """Give each bibliographic field a column: as asked, by name (best filled first), by content."""
    by_column = {field.column: field.role for field in FIELDS}
    by_column |= {field.role: field.role for field in FIELDS}
    roles: dict[str, str] = {}
    for source, (column, kind) in asked.items():
        role = "notes"
        if column:
            role = by_column.get(column, "")
        if role and not kind:
            roles[source] = role
    # A cell such as "NA" is empty where columns compete: places of the filled ones, and the cells.
    places: dict[str, set[int]] = {}
    cells: dict[str, list[Cell]] = {}
    for name in columns:
        for place, row in enumerate(rows):
            if row.get(name) and str(row[name]).casefold() not in ABSENT:
                places.setdefault(name, set()).add(place)
                cells.setdefault(name, []).append(row[name])
    free = [name for name in columns if name not in asked and name in cells]
    for field in FIELDS:
        named = [name for name in free if name not in roles and field_by_name(name) == field.role]
        if field.role == "key":
            named = [name for name in named if _usable_keys(cells[name], len(rows))]
        if not named or field.role in roles.values():
            continue
        named.sort(key=lambda name: (-len(cells[name]), name_rank(name)))
        if field.role == "title":
            # "Name" is a short name where nearly every record has a "Paper" as well.
            enough = _NEARLY_FILLED * len(cells[named[0]])
            best = min((name for name in named if len(cells[name]) >= enough), key=name_rank)
            named.sort(key=lambda name: name != best)
        filled: set[int] = set()
        for name in named:
            # Journal and book title are seldom both filled: together they are one field.
            if len(places[name] & filled) <= _MOST_OVERLAP * len(places[name]):
                roles[name] = field.role
                filled |= places[name]
    for name in free:
        texts = [cell for cell in cells[name] if isinstance(cell, str)]
        if name in roles or len(texts) < len(cells[name]):
            continue
        role = field_by_content(texts)
        # One address in many records is that of a source, not of a work.
        is_of_works = len(set(texts)) >= _OWN_ADDRESSES * len(texts)
        if role and role not in roles.values() and (role != "url" or is_of_works):
            roles[name] = role
    if "title" not in roles.values():
        # Objectives repeat, and names of methods are single words: neither is a title.
        shares: dict[str, int] = {}
        for name in free:
            different = {str(cell) for cell in cells[name] if isinstance(cell, str)}
            wordy = sum(2 <= len(text.split()) <= 30 for text in different)
            if name not in roles and wordy >= _TITLED * len(rows):
                shares[name] = wordy
        if shares:
            roles[max(shares, key=lambda name: shares[name])] = "title"
    return roles


def _usable_keys(cells: Sequence[Cell], count: int) -> bool:
    """Return whether a column can be the key: `count` different short names, each with a word."""
    texts = [cell for cell in cells if isinstance(cell, str) and len(cell) <= 60]
    spoken = 0
    for text in texts:
        if re.search(r"[A-Za-z]{3}", text) and not _OPAQUE_KEY.fullmatch(text):
            spoken += 1
    different = {"-".join(ascii_words(text)) for text in texts}
    return len(different) == count and 2 * spoken > count
