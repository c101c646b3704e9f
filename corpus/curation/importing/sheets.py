"""The sheets of a workbook: what each looks like, and which of their rows are works of the pool."""

from collections import Counter
from collections.abc import Iterator, Sequence

from corpus.analysis.bibliography.same_works import SamePair, WorkGroups
from corpus.curation.importing.column_plan import IDENTIFYING, column_roles, plan_columns, work_of
from corpus.curation.importing.decisions import ExclusionWish, likely_wish, split_excluded
from corpus.curation.importing.readers.records import ImportedRecord, LeftOut, Records
from corpus.model.finding import WARNING, Rule
from corpus.model.work import Work
from corpus.printing.grid import plural

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


def join_sheets(
    records: Records, kept: Sequence[ImportedRecord], screened: Sequence[ScreenedSheet]
) -> list[SamePair]:
    """Find out which rows of screened sheets are works of the pool, and which repeat others.

    A repetition is taken out of the log. Entries get the identifiers that their rows have there.

    Returns
    -------
    list of SamePair
        Rows that are one work, and pairs that a person has to decide.
    """
    groups = WorkGroups()
    for work in _works(records, kept):
        groups.add(work)
    number = len(kept)
    for sheet in screened:
        for work in _works(sheet.records, [*sheet.log, *sheet.others]):
            groups.add(work)
    groups.join_near_titles(len(kept))
    roles = column_roles(records)
    unexpected = set()
    for sheet in screened:
        log, sheet.log = sheet.log, []
        filled: Counter[str] = Counter()
        for place, row in enumerate([*log, *sheet.others]):
            first, is_excluded = groups.group_of(number), place < len(log)
            if first < len(kept):
                outcome = _CONFLICT if is_excluded else _IN_POOL
                cells = kept[first].cells
                for role in IDENTIFYING:
                    column = next(iter(roles[role]), role)
                    value = getattr(groups.works[number], role)
                    if value and not any(map(cells.get, roles[role])):
                        cells[column] = value
                        records.columns.setdefault(column)
                        roles[role] = roles[role] or [column]
                        filled[role] += 1
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
                records.findings.append(
                    sheet.records.at(UNSETTLED, row.place, "", title, what=outcome)
                )
            number += 1
        if filled:
            told = ", ".join(f"{count} {role}" for role, count in filled.items())
            records.remarks.append(f"taken from the sheet {sheet.records.sheet!r}: {told}")
    pairs = []
    for first, second, judged in [*groups.joined, *groups.open_pairs(len(kept))]:
        if second in unexpected:
            record, twin = groups.works[second], groups.works[first]
            pairs.append(SamePair(record, twin, twin.source, judged))
    return pairs


def _works(records: Records, rows: Sequence[ImportedRecord]) -> Iterator[Work]:
    roles = column_roles(records)
    for row in rows:
        yield work_of(row.cells, roles)._replace(place=row.place, source=records.sheet)


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
