"""A foreign file on its way into a new corpus: pool, exclusion log and what became of the rest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from corpus.analysis.bibliography.same_works import SamePair
from corpus.curation.importing.column_plan import ColumnPlan, plan_columns
from corpus.curation.importing.decisions import (
    ExclusionWish,
    reason_column,
    settled_columns,
    split_excluded,
    value_of,
)
from corpus.curation.importing.import_summary import MOST_UNMATCHED, SHOWN, ImportSummary
from corpus.curation.importing.kinds import TEXT, Kind
from corpus.curation.importing.names import listed, term_id
from corpus.curation.importing.pool import Imported, Placing, make_pool, settled_cell
from corpus.curation.importing.readers.records import Records, refuse_wide, texts_of
from corpus.curation.importing.sheets import ScreenedSheet, join_sheets
from corpus.model.finding import CorpusError, Rule, UsageProblem, refuse_unknown
from corpus.printing.grid import first_of

NO_TITLES = Rule(
    "I121",
    "{untitled} of {all} records have no title; columns that these have: {columns}",
    "name its column with --map COLUMN=title; where there is none, use --force",
    title="Records without a title",
    reason="A work without its title can be recognised by nobody.",
)


#: Columns of the exclusion log of an import, in their order.
LOG_COLUMNS = listed(
    "record_id, source, title, authors, year, venue, identifier, url, date_screened, stage, "
    "reason, notes"
)
#: The stage of a record whose source does not tell it.
UNKNOWN_STAGE = "screening"


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
        self._pairs: list[SamePair] = []
        if self.screened:
            self._pairs = join_sheets(records, self.kept, self.screened)
        self.plans = plan_columns(records.columns, self.kept, maps, drop, decided, splits)

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
