"""Which records of a foreign file were excluded, and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from corpus.curation.importing.names import ascii_words, filled, listed
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    Records,
    filled_in,
    texts_of,
)
from corpus.model.finding import UsageProblem, refuse_unknown

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


@dataclass(frozen=True)
class ExclusionWish:
    """Which records go to the exclusion log.

    Attributes
    ----------
    values : mapping of str to list of str
        Column -> its cells that exclude a record, in any case, or :data:`ANY`. Without any, all
        records of the sheet do.
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

    def fits(self, record: ImportedRecord) -> bool:
        """Whether it excludes a record."""
        excludes = not self.values
        for name, values in self.values.items():
            cell = value_of(record.cells.get(name, ()))
            if cell and (ANY in values or cell.casefold() in map(str.casefold, values)):
                excludes = True
        return excludes


def parse_excluded_from(
    texts: Sequence[str], reason: str = "", stage: str = ""
) -> dict[str, ExclusionWish]:
    """Read ``SHEET:COLUMN=VALUE[,VALUE]``, or ``SHEET`` alone: sheet -> which of its rows.

    Raises
    ------
    UsageProblem
        For another form.
    """
    wishes: dict[str, list[str]] = {}
    for text in texts:
        sheet, sign, rest = text.partition(":")
        wishes.setdefault(sheet.strip(), []).extend([rest] if sign else [])
    return {sheet: parse_excluded(each, reason, stage) for sheet, each in wishes.items()}


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
            raise UsageProblem(f"excluded records are COLUMN=VALUE[,VALUE], not {text!r}")
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
            excluded[value_of(cell)] += 1
        included += _IN in found
    # A column of marks that are all alike decides nothing: "no" is an answer to any question.
    if outcomes is _LABELS and not included and not any(map(_is_outcome, excluded)):
        return Counter()
    return excluded


def _is_outcome(text: str) -> bool:
    return text.casefold() in _OUTCOMES


def value_of(cell: Cell) -> str:
    """Return a cell as one text; what several readers decided alike is one decision."""
    return "; ".join(dict.fromkeys(texts_of(cell)))


def settled_columns(kept: Sequence[ImportedRecord], wish: ExclusionWish) -> list[str]:
    """Return the columns of decisions that tell nothing more about the records that stay.

    One that still tells the included from the undecided is a column of the pool.
    """
    return [name for name in wish.values if len(set(map(value_of, filled_in(kept, name)))) <= 1]


def reason_column(columns: Iterable[str]) -> str:
    """Return the column that is called like reasons of exclusion; empty where there is none."""
    called = (*_REASON_COLUMNS, "reason", "reasons")
    return next((name for name in columns if " ".join(ascii_words(name)) in called), "")


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
        (excluded if wish.fits(record) else kept).append(record)
    if not excluded:
        raise UsageProblem(f"no record has {'; '.join(wish.options)}; see the values with --plan")
    return kept, excluded
