"""A new pool made of foreign records: its rows, their keys, and the columns that it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from corpus.curation.importing.meaning import BY_ROLE, name_rank
from corpus.curation.importing.names import ascii_words, column_name, key_name
from corpus.curation.importing.outcome import Imported, PoolColumn, Unplaced
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.pool.placing import Placing
from corpus.curation.importing.pool.settling import settled_cell
from corpus.curation.importing.pool.venue_kinds import venue_kinds
from corpus.curation.importing.readers.records import Records
from corpus.model.identifiers import arxiv_month, parse_arxiv

#: Bibliographic columns that every pool gets, filled or not, in this order; the others only where
#: there is something.
_ALWAYS = ("key", "title", "authors", "year", "venue", "arxiv_id", "doi", "url")
_WHERE_FILLED = {"first_author": 2, "affiliation": 3, "first_public": 4}
_GROUP_NAMES = ("category", "section", "topic", "type", "kind", "area", "group", "theme")
_NEARLY_ALL = 0.9
_PLAIN_TYPES = ("year", "integer", "number", "date", "url")
_SMALL_WORDS = frozenset(
    ("a", "an", "the", "on", "of", "in", "for", "to", "and", "with", "from", "by", "at", "is")
)


def make_pool(records: Records, plans: Sequence[ColumnPlan]) -> Imported:
    """Place every record by the plans of its columns, so that every source cell is in the pool."""
    rows = []
    unplaced: list[Unplaced] = []
    found = []
    types = column_types(plans)
    today = date.today()
    ordered = _usual_names_first(plans)
    for record in records.rows:
        placing = Placing(record, types, today)
        for plan in ordered:
            placing.place(plan)
        row = placing.finish()
        _date_from_arxiv(row)
        if not row.get("title"):
            row["title"] = _stand_in(row)
            fate = f"called {row['title']}; delete the row if it is not a work"
            problem = "the record has no title"
            placing.unplaced.append(Unplaced(record.place, "title", "", problem, fate))
        rows.append(row)
        unplaced += placing.unplaced
        if placing.found:
            found.append(f"{record.place}: {', '.join(placing.found)}")
    # The source may have a column with the name of the importer's own; neither may take the other's
    # cells.
    source_key = column_name("source key", {plan.name for plan in plans})
    _give_keys(rows, plans, source_key)
    columns = _columns(rows, plans, source_key)
    table = []
    for row in rows:
        table.append(tuple(row.get(column.name, "") for column in columns))
    return Imported(
        columns=columns,
        rows=table,
        plans=plans,
        unplaced=unplaced,
        found=found,
        venues=venue_kinds(records.rows, plans),
    )


def _usual_names_first(plans: Sequence[ColumnPlan]) -> list[ColumnPlan]:
    """Return the plans with those of one field in the order of their names, the usual ones first.

    Where a record has a journal and how it was published, the journal is the venue.
    """
    ordered = list(plans)
    places: dict[str, list[int]] = {}
    for place, plan in enumerate(plans):
        if plan.role:
            places.setdefault(plan.role, []).append(place)
    for taken in places.values():
        same = [plans[place] for place in taken]
        ranked = sorted(same, key=lambda plan: name_rank(plan.source))
        for place, plan in zip(taken, ranked, strict=True):
            ordered[place] = plan
    return ordered


def column_types(plans: Sequence[ColumnPlan]) -> dict[str, str]:
    """Return the type of every column of the new pool that has no vocabulary."""
    types = {field.column: field.type for field in BY_ROLE.values()}
    for plan in plans:
        if plan.name and not plan.role and not plan.is_axis:
            types[plan.name] = _type_of(plan)
    # A key is made of the source's, whatever that looks like.
    return {name: type_ for name, type_ in types.items() if type_ != "key"}


def _type_of(plan: ColumnPlan) -> str:
    """Return the type of a column that is neither bibliographic nor a vocabulary."""
    if plan.kind.name in _PLAIN_TYPES:
        return plan.kind.name
    return "text"


def _stand_in(row: dict[str, str]) -> str:
    """Return what a record without a title is called."""
    for column in ("url", "doi", "summary", "notes"):
        if row.get(column):
            return row[column]
    return "untitled"


def _date_from_arxiv(row: dict[str, str]) -> None:
    """The month of an arXiv identifier is that of its first version."""
    if row.get("arxiv_id") and not row.get("first_public"):
        row["first_public"] = f"{arxiv_month(parse_arxiv(row['arxiv_id'])):%Y-%m}"
        row.setdefault("year", row["first_public"][:4])


def _give_keys(rows: list[dict[str, str]], plans: Sequence[ColumnPlan], source_key: str) -> None:
    """Give every row a key: the source's own where usable, else family name, year and a word.

    A key of the source that had to change is kept in the column `source_key`.
    """
    today = date.today()
    own = any(plan.role == "key" for plan in plans)
    taken: set[str] = set()
    for row in rows:
        if own and row.get("key"):
            key = key_name([row["key"]], taken)
            if key != row["key"]:
                row[source_key] = settled_cell(row["key"], "text", today).cell
        else:
            key = key_name(_key_words(row), taken)
        if settled_cell(key, "key", today).problem:
            key = key_name(["entry", key], taken)  # such as "none" or "todo"
        taken.add(key)
        row["key"] = key


def _key_words(row: Mapping[str, str]) -> list[str]:
    """Return family name, year and the first word of the title; two of them without a name."""
    authors = row.get("authors") or row.get("first_author", "")
    family = authors.partition(";")[0].partition(",")[0]
    words = [word for word in ascii_words(row["title"]) if word not in _SMALL_WORDS]
    number = 1 if family else 2
    return [family, row.get("year", ""), *words[:number]]


def _columns(
    rows: list[dict[str, str]], plans: Sequence[ColumnPlan], source_key: str
) -> list[PoolColumn]:
    """Declare the columns: bibliographic ones first, then axes, then all else, notes last."""
    filled: set[str] = set()
    for row in rows:
        filled.update(name for name, cell in row.items() if cell)
    names = list(_ALWAYS)
    for name, place in sorted(_WHERE_FILLED.items(), key=lambda item: -item[1]):
        if name in filled:
            names.insert(place, name)
    if "first_author" in filled and "authors" not in filled:
        names.remove("authors")
    by_name = {field.column: field for field in BY_ROLE.values()}
    bibliographic = [_field(rows, by_name[name].role) for name in names]
    group = _group(plans)
    axes = [_axis(rows, plan, plan is group) for plan in plans if plan.is_axis]
    extra = []
    for plan in plans:
        if plan.name and not plan.role and not plan.is_axis:
            type_, label = _type_of(plan), _label(plan.source)
            extra.append(PoolColumn(plan.name, type_, label, "", "", False, plan))
    if source_key in filled:
        label = "Key in the source"
        extra.append(PoolColumn(source_key, "text", label, f"{label}.", "", False))
    if BY_ROLE["summary"].column in filled:
        extra.append(_field(rows, "summary"))
    return [*bibliographic, *axes, *extra, _field(rows, "notes")]


def _field(rows: list[dict[str, str]], role: str) -> PoolColumn:
    field = BY_ROLE[role]
    # A paper without a link, or without a venue yet, can be added later.
    required = role in ("key", "title") and all(row.get(field.column) for row in rows)
    return PoolColumn(field.column, field.type, field.label, field.definition, role, required)


def _axis(rows: list[dict[str, str]], plan: ColumnPlan, is_group: bool) -> PoolColumn:
    required = all(row.get(plan.name) for row in rows)
    role = "group" if is_group else ""
    return PoolColumn(plan.name, "term", _label(plan.source), "", role, required, plan)


def _group(plans: Sequence[ColumnPlan]) -> ColumnPlan | None:
    """Return the axis that tables group by: one of that name, else the first single-valued one.

    A column with one value nearly everywhere groups nothing.
    """
    single = []
    for plan in plans:
        uses = [term.uses for term in plan.terms]
        if plan.kind.name == "term" and max(uses) <= _NEARLY_ALL * sum(uses):
            single.append(plan)
    for plan in single:
        if not set(plan.name.split("_")).isdisjoint(_GROUP_NAMES):
            return plan
    return next(iter(single), None)


def _label(source: str) -> str:
    words = source.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
