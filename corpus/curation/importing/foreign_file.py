"""A foreign file on its way into a new corpus: pool, exclusion log and what became of the rest.

Of a workbook also the other sheets: what each looks like, and which of their rows are works of the
pool.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from corpus.analysis.bibliography.same_works import SamePair, WorkGroups
from corpus.curation.importing.column_plan import ColumnPlan, column_roles, plan_columns, work_of
from corpus.curation.importing.decisions import (
    ExclusionWish,
    likely_wish,
    reason_column,
    settled_columns,
    split_excluded,
    value_of,
)
from corpus.curation.importing.import_summary import MOST_UNMATCHED, SHOWN, ImportSummary
from corpus.curation.importing.kinds import TEXT, Kind
from corpus.curation.importing.names import listed, term_id
from corpus.curation.importing.pool import Imported, Placing, make_pool, settled_cell
from corpus.curation.importing.readers.records import LeftOut, Records, refuse_wide, texts_of
from corpus.model.finding import WARNING, CorpusError, Rule, UsageProblem, refuse_unknown
from corpus.printing.grid import first_of, plural

NO_TITLES = Rule(
    "I121",
    "{untitled} of {all} records have no title; columns that these have: {columns}",
    "name its column with --map COLUMN=title; where there is none, use --force",
    title="Records without a title",
    reason="A work without its title can be recognised by nobody.",
)


UNSETTLED = Rule(
    "I122",
    "{value}: {what}",
    "decide afterwards with `corpus add` or `corpus exclude`, or correct the sheet",
    WARNING,
    title="Screened row without one place",
    reason="Each row of a sheet that was screened is an entry, or excluded, or a repetition.",
)
_IN_POOL = "in the pool"
_REPEATED = "one work with an earlier row"
_CONFLICT = "excluded yet in the pool"
_NOWHERE = "neither excluded nor in the pool"
#: Rows that are looked at to tell what a sheet is.
_LOOKED_AT = 2_000
#: Columns of the exclusion log of an import, in their order.
LOG_COLUMNS = listed(
    "record_id, source, title, authors, year, venue, identifier, url, date_screened, stage, "
    "reason, notes"
)
#: The stage of a record whose source does not tell it.
UNKNOWN_STAGE = "screening"


class ScreenedSheet:
    """A sheet whose rows were screened: those that go to the exclusion log, and all others.

    Attributes
    ----------
    records : Records
        The sheet.
    wish : ExclusionWish
        Which of its rows are excluded, and which columns tell why and when.
    log : list of ImportedRecord
        The rows for the exclusion log.
    passed : list of LeftOut
        The others, with what became of them.
    """

    def __init__(self, records: Records, wish: ExclusionWish) -> None:
        self.records, self.wish = records, wish
        self.passed: list[LeftOut] = []
        self.others, self.log = split_excluded(records, wish)


class ForeignFile:
    """The records of a file, and what becomes of them.

    Parameters
    ----------
    records : Records
        What was read.
    wish : ExclusionWish
        Which records go to the exclusion log.
    maps, drop, splits : mapping, sequence, mapping
        See :func:`~corpus.curation.importing.column_plan.plan_columns`.
    sheets : mapping of str to ExclusionWish
        Other sheets of the workbook, and which of their rows go to the exclusion log.

    Attributes
    ----------
    kept, excluded : list of ImportedRecord
        The records that stay, and the others.
    screened : list of ScreenedSheet
        The other sheets.
    plans : list of ColumnPlan
        What each column becomes.
    """

    def __init__(
        self,
        records: Records,
        wish: ExclusionWish | None = None,
        maps: Mapping[str, tuple[str, str]] = MappingProxyType({}),
        drop: Sequence[str] = (),
        splits: Mapping[str, str] = MappingProxyType({}),
        sheets: Mapping[str, ExclusionWish] = MappingProxyType({}),
    ) -> None:
        self.records = records
        self.kept, self.excluded = records.rows, records.rows[:0]
        self._wish = wish or ExclusionWish({})
        decided = []
        if self._wish.values:
            self.kept, self.excluded = split_excluded(records, self._wish)
            decided = settled_columns(self.kept, self._wish)
        if not self.kept:
            raise UsageProblem("every record is excluded; a corpus starts from at least one entry")
        others = [name for name in records.sheets if name != records.sheet]
        refuse_unknown("other sheet", sheets, others)
        self.screened = [ScreenedSheet(records.sheets[name], each) for name, each in sheets.items()]
        self._pairs = self._join_sheets() if self.screened else []
        self.plans = plan_columns(records.columns, self.kept, maps, drop, decided, splits)

    def _join_sheets(self) -> list[SamePair]:
        """Find out which rows of screened sheets are works of the pool, and which repeat others.

        A repetition is taken out of the log. Returned are rows that are one work, and pairs that a
        person has to decide.
        """
        groups, kept = WorkGroups(), len(self.kept)
        tables = [(self.records, self.kept)]
        tables += [(sheet.records, [*sheet.log, *sheet.others]) for sheet in self.screened]
        for table, rows in tables:
            roles = column_roles(table)
            for row in rows:
                work = work_of(row.cells, roles)
                groups.add(work._replace(place=row.place, source=table.sheet))
        groups.join_near_titles(kept)
        unexpected = set()
        number = kept
        for sheet in self.screened:
            log, sheet.log = sheet.log, []
            for place, row in enumerate([*log, *sheet.others]):
                first, is_excluded = groups.group_of(number), place < len(log)
                if first < kept:
                    outcome = _CONFLICT if is_excluded else _IN_POOL
                elif first < number:
                    outcome = _REPEATED
                else:
                    outcome = "" if is_excluded else _NOWHERE
                if outcome != _IN_POOL:
                    unexpected.add(number)
                if outcome:
                    sheet.passed.append(LeftOut(outcome, row.place, row.place + 1, 1))
                else:
                    sheet.log.append(row)
                if outcome in (_CONFLICT, _NOWHERE):
                    title = groups.works[number].title
                    finding = sheet.records.at(UNSETTLED, row.place, "", title, what=outcome)
                    self.records.findings.append(finding)
                number += 1
        pairs = []
        for first, second, judged in [*groups.joined, *groups.open_pairs(kept)]:
            if second in unexpected:
                record, twin = groups.works[second], groups.works[first]
                pairs.append(SamePair(record, twin, twin.source, judged))
        return pairs

    def tables(self, source: str) -> Imported:
        """Return the tables of the new corpus; `source` is what the exclusion log calls the file.

        Raises
        ------
        CorpusError
            I108 where there are too many columns.
        """
        imported = make_pool(self.kept, self.plans)
        # A few more than the source has: the key, and bibliographic ones that every pool gets.
        refuse_wide(len(imported.columns), self.records.shown)
        parts = [(source, self.plans, self._wish, self.excluded)]
        for sheet in self.screened:
            table = sheet.records
            plans = plan_columns(table.columns, table.rows)
            parts.append((f"{source}: {table.sheet}", plans, sheet.wish, sheet.log))
        stages: dict[str, str] = {}
        rows: list[tuple[str, ...]] = []
        left_out = {}
        for named, plans, wish, records in parts:
            # The exclusion log has what the source tells of each record, with reason and stage.
            known = [plan for plan in plans if plan.role and plan.role != "key"]
            columns = dict.fromkeys(chain.from_iterable(record.cells for record in records))
            reason = wish.reason or reason_column(columns)
            known.append(ColumnPlan(reason, "reason", "", Kind(TEXT)))
            placing = Placing(known)
            read = {*wish.values, wish.stage, *(plan.source for plan in known)}
            left_out.update(dict.fromkeys(name for name in columns if name not in read))
            for record in records:
                cells = placing.placed(record)
                # Without a wish the name of the column is empty, and no record has such a cell.
                stage = value_of(record.cells.get(wish.stage, ()))
                stage_id = term_id(stage or UNKNOWN_STAGE)
                stages.setdefault(stage_id, stage)
                found = {
                    "title": cells.get("url", "untitled"),
                    "authors": cells.get("first_author", ""),
                    "identifier": cells.get("doi", ""),
                    "reason": "not recorded",
                    **cells,
                    "record_id": f"E{len(rows) + 1:03d}",
                    "source": settled_cell(named, "text")[0],
                    "stage": stage_id,
                }
                if "arxiv_id" in cells:
                    found["identifier"] = f"arXiv:{cells['arxiv_id']}"
                rows.append(tuple(found.get(column, "") for column in LOG_COLUMNS))
        return replace(
            imported, log=rows, stages=stages, left_out=tuple(left_out), joined=self._pairs
        )

    def summaries(self, imported: Imported, force: bool = False) -> list[ImportSummary]:
        """Return what became of the file, and of each other sheet.

        Parameters
        ----------
        imported : Imported
            The new tables: the pool has the records that stay, the exclusion log all others.
        force : bool
            Whether to go on where a summary does not add up, or titles are missing.

        Raises
        ------
        CorpusError
            I120 where a summary does not add up; I121 where more than one in twenty records has no
            title.
        """
        kept, read = self.kept, self.records
        titles = {plan.source for plan in self.plans if plan.role == "title"}
        untitled = [row for row in kept if titles.isdisjoint(row.cells)]
        if len(untitled) > MOST_UNMATCHED * len(kept) and not force:
            columns = list(dict.fromkeys(chain.from_iterable(row.cells for row in untitled)))
            number, of = f"{len(untitled):,}", f"{len(kept):,}"
            names = first_of(columns, SHOWN)
            place = untitled[0].place
            finding = read.at(NO_TITLES, place, "title", untitled=number, all=of, columns=names)
            raise CorpusError([finding])
        table = list(map(" ".join, [*imported.rows, *imported.log]))
        dropped = {plan.source for plan in self.plans if not plan.name} | {*imported.left_out}
        places = {row.place for row in read.rows}
        summaries = [ImportSummary(read, places, table, _texts(read, dropped))]
        summaries[0].refuse_open(read, force)
        for sheet in self.screened:
            places = {row.place for row in sheet.log}
            beside = _texts(sheet.records, set(imported.left_out))
            summaries.append(ImportSummary(sheet.records, places, table, beside, sheet.passed))
            summaries[-1].refuse_open(sheet.records, force)
        return summaries


def _texts(records: Records, columns: Collection[str]) -> list[str]:
    """Return all texts of some columns."""
    found: list[str] = []
    for row in records.rows:
        for name in row.cells.keys() & columns:
            found += texts_of(row.cells[name])
    return found


def sheet_looks(records: Records) -> list[tuple[str, str, str]]:
    """Return name, number of rows and appearance of each sheet of a workbook."""
    return [
        (name, f"{len(table.rows):,}", _look(table)[1]) for name, table in records.sheets.items()
    ]


def best_sheet(records: Records) -> str:
    """Return the sheet that looks most like a pool: works with codes, and not screened."""
    return max(records.sheets, key=lambda name: _look(records.sheets[name])[0])


def _look(table: Records) -> tuple[tuple[bool, bool, int], str]:
    """Return how much a sheet is like a pool, and what it looks like."""
    wish = likely_wish(table)
    plans = plan_columns(table.columns, table.rows[:_LOOKED_AT])
    codes = sum(plan.is_axis for plan in plans)
    is_list = any(plan.role == "title" and plan.kind.reason == "by its name" for plan in plans)
    look = f"works, {plural(codes, 'column')} of codes"
    if not is_list:
        look = "notes" if len(plans) < 2 else "no works: codes, counts or notes"
    elif wish:
        look = f"screened: {wish.number:,} excluded ({wish.options[0]})"
    return (is_list, wish is None, codes), look
