"""A new pool made of foreign records: its rows, their keys, and the columns that it needs."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from corpus.curation.importing.kinds import TAGS, TERM
from corpus.curation.importing.meaning import FIELDS, name_rank
from corpus.curation.importing.names import ascii_words, column_name, key_name, listed
from corpus.curation.importing.placing import Placing, settled_cell
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.readers.records import ImportedRecord
from corpus.model.codebook import Column
from corpus.model.finding import Finding
from corpus.model.identifiers import arxiv_month, parse_arxiv

_GROUP_NAMES = frozenset(listed("category, section, topic, type, kind, area, group, theme"))
_NEARLY_ALL = 0.9
#: Bibliographic columns behind all others.
_LAST = ("summary", "notes")
_SMALL_WORDS = frozenset(listed("a, an, the, on, of, in, for, to, and, with, from, by, at, is"))


class Excluded(NamedTuple):
    """The records that a source excludes.

    Attributes
    ----------
    rows : list of tuple of str
        The new exclusion log, in the order of :data:`LOG_COLUMNS`.
    stages : mapping of str to str
        Identifier of each stage -> how the source calls it.
    left_out : tuple of str
        Columns of the source that some of these records fill and the log does not have.
    """

    rows: list[tuple[str, ...]]
    stages: Mapping[str, str]
    left_out: tuple[str, ...] = ()


class Imported(NamedTuple):
    """The outcome of an import.

    Attributes
    ----------
    columns : sequence of Column
        The new pool's columns, in order, as its codebook will declare them.
    rows : list of tuple of str
        Its rows.
    plans : sequence of ColumnPlan
        What became of each source column.
    unplaced : list of Finding
        Cells that went elsewhere than their column.
    found : list of str
        What was found in other cells, one text per record: identifiers, dates, years.
    excluded : Excluded
        The exclusion log; it has rows where the source has screening decisions.
    """

    columns: Sequence[Column]
    rows: list[tuple[str, ...]]
    plans: Sequence[ColumnPlan]
    unplaced: list[Finding]
    found: list[str]
    excluded: Excluded = Excluded([], {})


def make_pool(records: Iterable[ImportedRecord], plans: Sequence[ColumnPlan]) -> Imported:
    """Place every record by the plans of its columns, so that every source cell is in the pool."""
    rows = []
    unplaced = []
    found = []
    types = column_types(plans)
    today = date.today()
    # Where a record has a journal and how it was published, the journal is the venue.
    ordered = sorted(plans, key=lambda plan: name_rank(plan.source) if plan.role else 0)
    for record in records:
        placing = Placing(record, types, today)
        row = placing.placed(ordered)
        if row.get("arxiv_id") and not row.get("first_public"):
            # The month of an identifier is that of its first version.
            row["first_public"] = f"{arxiv_month(parse_arxiv(row['arxiv_id'])):%Y-%m}"
            row.setdefault("year", row["first_public"][:4])
        if not row.get("title"):
            stand_ins = list(map(row.get, ("url", "doi", "summary", "notes")))
            row["title"] = next(filter(None, stand_ins), "untitled")
            fate = f"called {row['title']}; delete the row if it is not a work"
            problem = "the record has no title"
            placing.report("title", "", problem, fate)
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
    return Imported(columns, table, plans, unplaced, found)


def column_types(plans: Sequence[ColumnPlan]) -> dict[str, str]:
    """Return the type of every column of the new pool that has no vocabulary."""
    types = {field.column: field.type for field in FIELDS}
    for plan in plans:
        if plan.name and not plan.role and not plan.is_axis:
            types[plan.name] = plan.type
    del types["key"]  # it is made of the source's, whatever that looks like
    return types


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
                row[source_key] = settled_cell(row["key"], "text", today)[0]
        else:
            authors = row.get("authors") or row.get("first_author", "")
            family = authors.partition(";")[0].partition(",")[0]
            words = [word for word in ascii_words(row["title"]) if word not in _SMALL_WORDS]
            if family:
                words = words[:1]
            key = key_name([family, row.get("year", ""), *words[:2]], taken)
        if settled_cell(key, "key", today)[1]:
            key = key_name(["entry", key], taken)  # such as "none" or "todo"
        taken.add(key)
        row["key"] = key


def _columns(
    rows: list[dict[str, str]], plans: Sequence[ColumnPlan], source_key: str
) -> list[Column]:
    """Declare the columns: bibliographic ones first, then axes, then all else, notes last."""
    filled: set[str] = set()
    for row in rows:
        filled.update(name for name, cell in row.items() if cell)
    known = []
    for field in FIELDS:
        has_first = field.role == "authors" and "first_author" in filled
        if field.column in filled or (field.always and not has_first):
            about = (field.column, field.type, field.label, field.definition, field.role)
            # A paper without a link, or without a venue yet, can be added later.
            known.append(Column(*about, field.role in ("key", "title")))
    group = _group(plans)
    extra = [plan for plan in plans if plan.name and not plan.role]
    for plan in sorted(extra, key=lambda plan: not plan.is_axis):
        words = plan.source.replace("_", " ").strip()
        label = words[:1].upper() + words[1:]
        column = Column(plan.name, plan.type, label, "", required=False)
        if plan.is_axis:
            required = all(row.get(plan.name) for row in rows)
            column = column._replace(required=required, vocabulary=plan.name, axis=True)
        if plan.kind.name == TAGS:
            column = column._replace(separator=plan.separator)
        if plan is group:
            column = column._replace(role="group")
        known.append(column)
    if source_key in filled:
        label = "Key in the source"
        known.append(Column(source_key, "text", label, f"{label}.", required=False))
    return sorted(known, key=lambda column: column.role in _LAST)


def _group(plans: Sequence[ColumnPlan]) -> ColumnPlan | None:
    """Return the axis that tables group by: one of that name, else the first single-valued one.

    A column with one value nearly everywhere groups nothing.
    """
    single = []
    for plan in plans:
        uses = [term.uses for term in plan.terms]
        if plan.kind.name == TERM and max(uses) <= _NEARLY_ALL * sum(uses):
            single.append(plan)
    named = [plan for plan in single if not _GROUP_NAMES.isdisjoint(plan.name.split("_"))]
    return next(iter([*named, *single]), None)
