"""A foreign file on its way into a new corpus, and which of its records were excluded, and why."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from corpus.analysis.bibliography.identity import DIFFERENT, compare, share_first_author
from corpus.curation.importing.account import MOST_LOST, SHOWN, Account
from corpus.curation.importing.kinds import TEXT, Kind
from corpus.curation.importing.names import ascii_words, filled, listed, term_id
from corpus.curation.importing.plan import ColumnPlan, plan_columns
from corpus.curation.importing.pool import Imported, Placing, make_pool, settled_cell
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    Records,
    filled_in,
    refuse_wide,
    texts_of,
)
from corpus.model.finding import Rule, UsageProblem, refuse_unknown
from corpus.model.work import Work
from corpus.printing.grid import first_of

REPEATED_TITLES = Rule(
    "I111",
    "{repeated} of {records} titles are not the only one of their kind; {title!r} occurs {times} "
    "times",
    "name the column of the title with --map COLUMN=title; where the file is so, use --force",
    title="Titles repeat",
    reason="Another column or the text of links was taken for the title.",
)
NO_TITLES = Rule(
    "I121",
    "{lost} of {all} records have no title; columns that these have: {columns}",
    "name the column that has titles with --map COLUMN=title; where there is none, use --force",
    title="Records without a title",
    reason="A work without its title can be recognised by nobody.",
)


#: From this share of titles that are not the only one of their kind on, something else was read;
#: two of three equal titles prove nothing.
_MOST_REPEATED = 0.2
_FEWEST_RECORDS = 5
#: Where repeated titles are used more often than this on average, they are not titles.
_MOST_USES = 3
#: Columns of the exclusion log of an import, in their order.
LOG_COLUMNS = listed(
    "record_id, source, title, authors, year, venue, identifier, url, date_screened, stage, "
    "reason, notes"
)
#: Any filled cell, in ``--excluded-where "exclusion reason=*"``.
ANY = "*"
_IN, _OUT, _OPEN = "included", "excluded", ""
_OUTCOMES = {
    **dict.fromkeys(
        listed(
            "included, include, accepted, accept, in, keep, kept, retain, retained, eligible, "
            "selected, select, relevant, pass, passed, yes - include, include: yes"
        ),
        _IN,
    ),
    **dict.fromkeys(
        listed(
            "excluded, exclude, rejected, reject, out, discard, discarded, drop, dropped, remove, "
            "removed, ineligible, not eligible, not selected, not included, not relevant, "
            "irrelevant, fail, failed, exclude (duplicate), duplicate"
        ),
        _OUT,
    ),
    **dict.fromkeys(
        listed("maybe, unsure, undecided, unclear, unlabeled, unlabelled, conflict, pending"), _OPEN
    ),
}
#: What a column with these words in its name has is a decision, also where one letter tells it.
_LABEL_WORDS = frozenset(
    listed(
        "included, include, inclusion, exclusion, excluded, exclude, asreview, decision, relevant, "
        "relevance, eligible, eligibility, screening, screened, selected, selection, i, e, keep"
    )
)
_LABELS = {
    **_OUTCOMES,
    **dict.fromkeys(listed("1, 1.0, yes, true, y, i, inc, incl, x, ✓, ✔, +"), _IN),
    **dict.fromkeys(listed("0, 0.0, no, false, n, -1, e, exc, excl, ✗, ✘, -"), _OUT),
}
#: Columns that are filled for excluded records only.
_REASON_COLUMNS = listed(
    "exclusion reason, exclusion reasons, reason for exclusion, reasons for exclusion, "
    "excluded because, exclude reason"
)
#: The stage of a record whose source does not tell it.
UNKNOWN_STAGE = "screening"


class ExclusionWish(NamedTuple):
    """Which records go to the exclusion log.

    Attributes
    ----------
    values : mapping of str to list of str
        Column -> its cells that exclude a record, in any case, or :data:`ANY`.
    reason, stage : str
        The columns that tell why and when; empty where there is none.
    number : int
        How many records it excludes, where that is known.
    """

    values: Mapping[str, list[str]]
    reason: str = ""
    stage: str = ""
    number: int = 0

    @property
    def options(self) -> list[str]:
        """What to write after ``--excluded-where``."""
        return [f"{name}={','.join(values)}" for name, values in self.values.items()]


def parse_excluded(texts: Sequence[str], reason: str = "", stage: str = "") -> ExclusionWish:
    """Read ``COLUMN=VALUE[,VALUE]``, given once or several times.

    Raises
    ------
    UsageProblem
        For another form.
    """
    values: dict[str, list[str]] = {}
    for text in texts:
        column, sign, cells = text.rpartition("=")
        wanted = filled(cells.split(","))
        if not sign or not column.strip() or not wanted:
            raise UsageProblem(f"--excluded-where takes COLUMN=VALUE[,VALUE], not {text!r}")
        values.setdefault(column.strip(), []).extend(wanted)
    return ExclusionWish(values, reason, stage)


def likely_wish(records: Records) -> ExclusionWish | None:
    """Return the wish for the column by which most records were excluded, if there is one."""
    wishes = []
    for name in records.columns:
        excluded = _excluded_cells(name, filled_in(records.rows, name))
        if excluded:
            wishes.append(ExclusionWish({name: list(excluded)}, number=excluded.total()))
    return max(wishes, key=lambda wish: wish.number, default=None)


def _excluded_cells(name: str, cells: Sequence[Cell]) -> Counter[str]:
    """Return the cells that exclude a record; nothing for a column of something else."""
    words = " ".join(ascii_words(name))
    if words in _REASON_COLUMNS:
        return Counter({ANY: len(cells)})
    outcomes = _OUTCOMES
    if not _LABEL_WORDS.isdisjoint(words.split()):
        outcomes = _LABELS
    excluded: Counter[str] = Counter()
    included = 0
    for cell in cells:
        # Several readers decide the same, or nothing.
        found = {outcomes.get(text.casefold()) for text in texts_of(cell)}
        if None in found:
            return Counter()  # a column of something else
        if found == {_OUT}:
            excluded[_value(cell)] += 1
        included += _IN in found
    # A column of marks that are all alike decides nothing: "no" is an answer to any question.
    if outcomes is _LABELS and not included and not any(map(_is_outcome, excluded)):
        return Counter()
    return excluded


def _is_outcome(text: str) -> bool:
    return text.casefold() in _OUTCOMES


def _value(cell: Cell) -> str:
    """Return a cell as one text; what several readers decided alike is one decision."""
    return "; ".join(dict.fromkeys(texts_of(cell)))


def settled_columns(kept: Sequence[ImportedRecord], wish: ExclusionWish) -> list[str]:
    """Return the columns of decisions that tell nothing more about the records that stay.

    One that still tells the included from the undecided is a column of the pool.
    """
    return [name for name in wish.values if len(set(map(_value, filled_in(kept, name)))) <= 1]


def split_excluded(
    records: Records, wish: ExclusionWish
) -> tuple[list[ImportedRecord], list[ImportedRecord]]:
    """Return the records that stay, without the decisions, and those that were excluded.

    Raises
    ------
    UsageProblem
        Where the source has no such column, or no record is excluded or left.
    """
    named = filter(None, [*wish.values, wish.reason, wish.stage])
    refuse_unknown("column of the source", named, records.columns)
    kept: list[ImportedRecord] = []
    excluded: list[ImportedRecord] = []
    for record in records.rows:
        fate = kept
        for name, values in wish.values.items():
            cell = _value(record.cells.get(name, ()))
            if cell and (ANY in values or cell.casefold() in map(str.casefold, values)):
                fate = excluded
        fate.append(record)
    if not excluded:
        raise UsageProblem(f"no record has {'; '.join(wish.options)}; see the values with --plan")
    if not kept:
        raise UsageProblem("every record is excluded; a corpus starts from at least one entry")
    return kept, excluded


class ForeignFile:
    """The records of a file, and what becomes of them.

    Parameters
    ----------
    records : Records
        What was read.
    wish : ExclusionWish
        Which records go to the exclusion log.
    maps, drop, splits : mapping, sequence, mapping
        See :func:`~corpus.curation.importing.plan.plan_columns`.

    Attributes
    ----------
    kept, excluded : list of ImportedRecord
        The records that stay, and the others.
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
    ) -> None:
        self.records = records
        self.kept = records.rows
        self.excluded: list[ImportedRecord] = []
        self._wish = wish or ExclusionWish({})
        decided = []
        if self._wish.values:
            self.kept, self.excluded = split_excluded(records, self._wish)
            decided = settled_columns(self.kept, self._wish)
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
        # The exclusion log has what the source tells of each record, with reason and stage.
        known = [plan for plan in self.plans if plan.role and plan.role != "key"]
        known.append(ColumnPlan(self._wish.reason, "reason", "", Kind(TEXT)))
        placing = Placing(known)
        stages: dict[str, str] = {}
        rows = []
        columns: dict[str, None] = {}
        for number, record in enumerate(self.excluded, 1):
            columns.update(dict.fromkeys(record.cells))
            cells = placing.placed(record)
            # Without a wish the name of the column is empty, and no record has such a cell.
            stage = _value(record.cells.get(self._wish.stage, ()))
            stage_id = term_id(stage or UNKNOWN_STAGE)
            stages.setdefault(stage_id, stage)
            found = {
                "title": cells.get("url", "untitled"),
                "authors": cells.get("first_author", ""),
                "identifier": cells.get("doi", ""),
                "reason": "not recorded",
                **cells,
                "record_id": f"E{number:03d}",
                "source": settled_cell(source, "text")[0],
                "stage": stage_id,
            }
            if "arxiv_id" in cells:
                found["identifier"] = f"arXiv:{cells['arxiv_id']}"
            rows.append(tuple(found.get(column, "") for column in LOG_COLUMNS))
        read = {*self._wish.values, self._wish.stage, *(plan.source for plan in known)}
        left_out = tuple(name for name in columns if name not in read)
        return imported._replace(log=rows, stages=stages, left_out=left_out)

    def account(self, imported: Imported, force: bool = False) -> Account:
        """Return what became of the file.

        Parameters
        ----------
        imported : Imported
            The new tables: the pool has the records that stay, the exclusion log all others.
        force : bool
            Whether to go on where the account does not close, or titles lack or repeat.

        Raises
        ------
        CorpusError
            I120 where the account does not close; I121 where more than one in twenty records has no
            title; I111 where titles repeat so often that something else was taken for them.
        """
        kept, shown = self.kept, self.records.shown
        titles, dropped = set[str](), set[str]()
        for plan in self.plans:
            if plan.role == "title":
                titles.add(plan.source)
            elif not plan.name:
                dropped.add(plan.source)
        untitled = [row for row in kept if titles.isdisjoint(row.cells)]
        if len(untitled) > MOST_LOST * len(kept) and not force:
            columns = list(dict.fromkeys(chain.from_iterable(row.cells for row in untitled)))
            raise NO_TITLES.error(
                shown,
                untitled[0].place,
                "title",
                lost=f"{len(untitled):,}",
                all=f"{len(kept):,}",
                columns=first_of(columns, SHOWN),
            )
        table = [*imported.rows, *imported.log]
        dropped.update(imported.left_out)
        beside: list[str] = []
        for row in self.records.rows:
            for name in dropped.intersection(row.cells):
                beside += texts_of(row.cells[name])
        places = {row.place for row in self.records.rows}
        found = Account(self.records, places, map(" ".join, table), beside)
        found.refuse_open(shown, force)
        if not force:
            self._refuse_repeated_titles(imported.works())
        return found

    def _refuse_repeated_titles(self, works: Sequence[Work]) -> None:
        """Raise I111 where so many titles repeat that something else was taken for them."""
        by_title: defaultdict[str, list[Work]] = defaultdict(list)
        for work in works:
            by_title[work.normal or work.title].append(work)
        several = [alike for alike in by_title.values() if len(alike) > 1]
        repeated = unexplained = sum(map(len, several))
        if repeated <= _MOST_USES * len(several):
            # One work twice, and two prefaces with identifiers of their own, are still titles.
            for first, *others in several:
                for work in others:
                    verdict, reason = compare(first, work)
                    is_told = verdict == DIFFERENT or ":" in reason
                    if is_told or share_first_author(first, work):
                        unexplained -= 2 if len(others) == 1 else 1
        of = len(works)
        if of >= _FEWEST_RECORDS and unexplained > _MOST_REPEATED * of:
            most = max(several, key=len)
            title, times = most[0].normal[:80], len(most)
            raise REPEATED_TITLES.error(
                self.records.shown,
                column="title",
                repeated=repeated,
                records=of,
                title=title,
                times=times,
            )
