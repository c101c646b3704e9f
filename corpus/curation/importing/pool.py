"""Foreign records placed into the columns of a new pool: its rows, their keys, its columns.

What does not fit is reported.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain

from corpus.analysis.bibliography.same_works import SamePair, group_works
from corpus.analysis.bibliography.works import AND_OTHERS
from corpus.curation.importing.column_plan import ColumnPlan
from corpus.curation.importing.keys import dated_key
from corpus.curation.importing.kinds import ABSENT, TAGS, TERM, joint, split_cell
from corpus.curation.importing.names import (
    FIELDS,
    column_name,
    date_readings,
    filled,
    find_year,
    key_name,
    listed,
    name_rank,
    read_date,
    untaken,
    written_year,
)
from corpus.curation.importing.readers.latex_text import plain_text
from corpus.curation.importing.readers.records import Cell, ImportedRecord, plain, texts_of
from corpus.curation.lookup.answers import are_uncertain, is_cut, split_authors
from corpus.model.codebook import Column
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import (
    ADDRESS_JOINT,
    arxiv_month,
    arxiv_page,
    doi_page,
    find_arxiv,
    find_doi,
    parse_arxiv,
)
from corpus.model.work import Work
from corpus.tables import cells

_GROUP_NAMES = frozenset(listed("category, section, topic, type, kind, area, group, theme"))
#: Bibliographic columns behind all others.
_LAST = ("summary", "notes")


@dataclass(frozen=True)
class Imported:
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
    log : sequence of tuple of str
        The exclusion log, which has rows where the source has screening decisions.
    stages : mapping of str to str
        Identifier of each of its stages -> how the source calls it.
    left_out : sequence of str
        Columns of the source that some excluded records fill and the log does not have.
    joined : sequence of SamePair
        Rows of other sheets that are or may be one work with another row.
    """

    columns: Sequence[Column]
    rows: list[tuple[str, ...]]
    plans: Sequence[ColumnPlan]
    unplaced: list[Finding]
    found: list[str]
    log: Sequence[tuple[str, ...]] = ()
    stages: Mapping[str, str] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    joined: Sequence[SamePair] = ()

    def works(self) -> list[Work]:
        """Return the works of the pool, each with the number of its row as its place."""
        names = [column.role or column.type for column in self.columns]
        works = []
        for number, row in enumerate(self.rows, 1):
            cells = dict(zip(names, row, strict=True))
            works.append(Work.of(cells)._replace(place=number, source=cells["key"]))
        return works

    def pairs(self) -> list[SamePair]:
        """Return the rows that are one work with an earlier row, or may be: nothing is merged."""
        grouping = group_works([], self.works())
        return [*grouping.same, *grouping.asked, *self.joined]


def make_pool(records: Iterable[ImportedRecord], plans: Sequence[ColumnPlan]) -> Imported:
    """Place every record by the plans of its columns, so that every source cell is in the pool."""
    placing = Placing(plans)
    # The source may have a column with the name of the importer's own; neither may take the other's
    # cells.
    source_key = column_name("source key", {plan.name for plan in plans})
    rows = []
    taken: set[str] = set()
    for record in records:
        row = placing.placed(record)
        if row.get("arxiv_id") and not row.get("first_public"):
            # The month of an identifier is that of its first version; a year that is written wins.
            month = f"{arxiv_month(parse_arxiv(row['arxiv_id'])):%Y-%m}"
            if month[:4] <= row.setdefault("year", month[:4]):
                row["first_public"] = month
        if not row.get("title"):
            stand_ins = list(map(row.get, ("url", "doi", "summary", "notes")))
            row["title"] = next(filter(None, stand_ins), "untitled")
            outcome = f"called {row['title']}; delete the row if it is not a work"
            placing.report("title", "", "the record has no title", outcome)
        _give_key(row, taken, source_key)
        rows.append(row)
    columns = _columns(rows, plans, source_key)
    table = [tuple(row.get(column.name, "") for column in columns) for row in rows]
    return Imported(columns, table, plans, placing.unplaced, placing.found)


def _give_key(row: dict[str, str], taken: set[str], source_key: str) -> None:
    """Give a row a key: the source's own where usable, else family name, year and a word.

    A key of the source that had to change is kept in the column `source_key`.
    """
    own = row.get("key", "")
    key = untaken(key_name([own]) if own else dated_key(Work.of(row)), taken, "-")
    if own and key != own:
        row[source_key] = settled_cell(own, "text")[0]
    if settled_cell(key, "key")[1]:
        key = key_name(["entry", key], taken)  # such as "none" or "todo"
    taken.add(key)
    row["key"] = key


def _columns(
    rows: Sequence[Mapping[str, str]], plans: Sequence[ColumnPlan], source_key: str
) -> list[Column]:
    """Declare the columns: bibliographic ones first, then axes, then all else, notes last."""
    in_use = set(chain.from_iterable(rows))
    known = []
    for each in FIELDS:
        has_first = each.role == "authors" and "first_author" in in_use
        if each.column in in_use or (each.always and not has_first):
            about = (each.column, each.type, each.label, each.definition, each.role)
            # A paper without a link, or without a venue yet, can be added later.
            known.append(Column(*about, each.role in ("key", "title")))
    group = _group(plans)
    extra = [plan for plan in plans if plan.name and not plan.role]
    for plan in sorted(extra, key=lambda plan: not plan.is_axis):
        words = plan.source.replace("_", " ").strip()
        label = words[:1].upper() + words[1:]
        column = Column(plan.name, plan.kind.name, label, "", required=False)
        if plan.is_axis:
            required = all(row.get(plan.name) for row in rows)
            column = column._replace(type=TERM, required=required, vocabulary=plan.name, axis=True)
        if plan.kind.name == TAGS:
            column = column._replace(separator=plan.separator)
        if plan is group:
            column = column._replace(role="group")
        known.append(column)
    if source_key in in_use:
        label = "Key in the source"
        known.append(Column(source_key, "text", label, f"{label}.", required=False))
    return sorted(known, key=lambda column: column.role in _LAST)


def _group(plans: Sequence[ColumnPlan]) -> ColumnPlan | None:
    """Return the axis that tables group by: one of that name, else the first single-valued one."""
    single = [plan for plan in plans if plan.kind.name == TERM and len(plan.terms) > 1]
    named = [plan for plan in single if not _GROUP_NAMES.isdisjoint(plan.name.split("_"))]
    return next(iter([*named, *single]), None)


#: A cell of these types has a form; what has not is not a value of them.
_FORMED = listed("arxiv, doi, url, year, date, integer, number, key")
#: Problems of a cell that tells nothing; with any other, an empty cell was something.
PLACEHOLDER, NO_CONTENT = "it is a placeholder", "it has no content"
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]{1,2}")


def settled_cell(cell: str, type_: str) -> tuple[str, str]:
    """Return a cell as its type wants it, and what was wrong with it.

    Examples
    --------
    >>> settled_cell("=1+1", "text")[0]
    '“=1+1”'
    >>> settled_cell("2999", "year"), settled_cell("2025", "year")
    (('', 'year out of range'), ('2025', ''))
    """
    column = Column("", type_, "", "", required=False)
    broken = _broken(cell, column)
    if not broken:
        return cell, ""
    if cells.PLACEHOLDER.rule in broken:
        return "", PLACEHOLDER
    if type_ in _FORMED:
        return "", _described(broken[0])
    fixed = cell
    if cells.MOJIBAKE.rule in broken:
        # UTF-8 that was read as Latin-1, where that can be told.
        fixed = _MOJIBAKE.sub(
            lambda match: match[0].encode("cp1252", "ignore").decode("utf-8", "ignore"), fixed
        )
    if cells.MARKUP.rule in broken:
        fixed = plain_text(fixed)
        fixed = fixed.replace("\\", "∖")
    if cells.NAMES_FORM.rule in broken:
        fixed = "; ".join(filled(fixed.split(";")))
    fixed = plain(fixed)
    if cells.FORMULA.rule in _broken(fixed, column):
        # A spreadsheet computes neither a dash nor words in quotation marks.
        if fixed.startswith("-"):
            fixed = f"– {fixed[1:].lstrip()}".strip()
        else:
            fixed = f"“{fixed}”"
    left = _broken(fixed, column)
    if cells.PLACEHOLDER.rule in left or not fixed:
        return "", NO_CONTENT
    if not left:
        return fixed, _described(broken[0])
    return "", _described(left[0])


def _broken(cell: str, column: Column) -> list[Rule]:
    found = [rule for rule, _ in cells.broken(cell, column, date.today())]
    return [rule for rule in found if rule != cells.NAMESAKES.rule]  # two people, or one


def _described(rule: Rule) -> str:
    return rule.title[:1].lower() + rule.title[1:]


#: Several addresses may be joined by a semicolon or comma, which can also be inside one.
_ADDRESS = re.compile(
    r"https?://(?:(?![;,|]\s*https?://)[^\s<>\"])+"
    r"|(?<![\w/])(?:www\.|doi\.org/|arxiv\.org/)[^\s<>\"]+"
)
#: Columns whose texts may name other works.
_OTHER_WORKS = re.compile(r"abstract|summary|reference|citation|cited|related", re.IGNORECASE)
#: A cell of so many characters may name other works.
_SHORT = 300
#: What may be around a DOI: a resolver or the site of a publisher, and the mark of PubMed.
_AROUND_DOI = re.compile(r"(?<!\S)[^\s/]*+/\S*|[?#]\S*|\bdoi\b", re.IGNORECASE)
#: Columns that are filled from what is found in other cells.
_SOUGHT = listed("arxiv_id, doi, year, url")


class Placing:
    """Places records into the columns of a new pool, one after the other.

    Parameters
    ----------
    plans : iterable of ColumnPlan
        What the columns of the source become.

    Attributes
    ----------
    cells : dict of str to str
        Of the record that was placed last: column of the new pool -> cell.
    unplaced : list of Finding
        The cells that did not fit: what is wrong, and what became of them in place of a hint.
    found : list of str
        What was found in other cells, one text per record: columns and their new values.
    """

    def __init__(self, plans: Iterable[ColumnPlan]) -> None:
        # Where a record has a journal and how it was published, the journal is the venue. A date
        # may lack its year, as in Web of Science ("JUL 1"): that of the record comes first.
        self._plans = sorted(
            plans,
            key=lambda plan: (plan.role == "date", name_rank(plan.source) if plan.role else 0),
        )
        #: Terms have identifiers of the codebook, and no type.
        self._types = {field.column: field.type for field in FIELDS}
        for plan in self._plans:
            if not plan.is_axis:
                self._types[plan.name] = plan.kind.name
        # It is made of the source's, whatever that looks like.
        self._types.pop("key")
        self.unplaced: list[Finding] = []
        self.found: list[str] = []

    def placed(self, record: ImportedRecord) -> dict[str, str]:
        """Place every cell, look for what is missing in what is there, and return all cells."""
        self._record = record
        self.cells: dict[str, str] = {}
        self._notes: list[str] = []
        self._sought: list[str] = []
        for plan in self._plans:
            self._place(plan)
        self._settle(list(self.cells))
        # Only short cells tell of this work, not of others.
        texts = [self.cells.get("url", ""), self.cells.get("venue", "")]
        for name, cell in record.cells.items():
            if isinstance(cell, str) and len(cell) < _SHORT and not _OTHER_WORKS.search(name):
                texts.append(cell)
        words = " ".join(texts).split()
        self._seek("arxiv_id", map(find_arxiv, words))
        self._seek("doi", map(find_doi, words))
        day = self.cells.get("first_public", "")
        self._seek("year", [day[:4] or find_year(self.cells.get("venue", ""))])
        # Embase has it there only: "Fens (2019) 12:3".
        self._seek("year", [find_year(_one_text(record.cells.get("Source", "")))])
        # A book or a thesis has no other venue; where there is one, this is a column of its own.
        for name in ("publisher", "Publisher", "school", "institution"):
            self._seek("venue", [plain(_one_text(record.cells.get(name, "")))])
        for name, page in (("arxiv_id", arxiv_page), ("doi", doi_page)):
            if self.cells.get(name):
                self._seek("url", [page(self.cells[name])])
        self._settle(["venue", *_SOUGHT])
        self.cells["notes"] = "; ".join(filter(None, self._notes))
        self._settle(["notes"])
        if self._sought:
            self.found.append(f"{record.place}: {', '.join(self._sought)}")
        return {column: cell for column, cell in self.cells.items() if cell}

    def _place(self, plan: ColumnPlan) -> None:
        """Put one source cell into its column; where two source columns are one, the first wins."""
        cell = self._record.cells.get(plan.source)
        if not cell or not plan.name:
            return
        text = _one_text(cell, plan.separator)
        if plan.is_axis:
            whole = " ".join(texts_of(cell)) if plan.kind.name == TERM else cell
            values = set(split_cell(whole, plan.kind.separator))
            terms = [term.id for term in plan.terms if not values.isdisjoint(term.spellings)]
            self.cells[plan.name] = plan.separator.join(terms)
        elif text.casefold() in ABSENT:
            self.report(plan.source, text, NO_CONTENT, "left empty")
        elif plan.role == "notes":
            self._notes.insert(0, text)
        else:
            value, problem = self._read(plan, cell, text)
            if value and self.cells.setdefault(plan.name, value) != value:
                problem = f"the {plan.name} is {self.cells[plan.name]!r} already"
            if problem:
                self._keep(plan.source, text, problem)

    def _read(self, plan: ColumnPlan, cell: Cell, text: str) -> tuple[str, str]:
        """Return what a cell is in its column, and a problem where it is more or less than that."""
        kind = plan.kind.name
        value, problem = text, ""
        if kind in ("names", "name"):
            names = split_authors(cell, plan.comma_is_inside)
            value = "; ".join(names)
            if is_cut(cell) and names:
                value = "; ".join([*names, AND_OTHERS])
                self.report(
                    plan.source, text, "the list of authors is cut", f"ends in {AND_OTHERS}"
                )
            elif are_uncertain(cell):
                problem = "it is not certain which names belong together"
        elif kind == "year":
            written = text.rstrip("/")  # RIS ends dates so
            day = read_date(written)
            value = day[:4] or written_year(written)
            is_day = len(day) > 4 and plan.role != ""
            if not value:
                problem = "it names no year"
            elif is_day and self.cells.setdefault("first_public", day) == day:
                problem = ""  # the day is in a column of its own
            elif value != written:
                problem = f"only the year {value} was taken"
        elif kind == "date":
            value = read_date(text) or read_date(f"{text} {self.cells.get('year', '')}")
            if not value:
                value, problem = written_year(text), "it is not a date"
                readings = " or ".join(date_readings(text))
                if readings and value:
                    problem = f"it is {readings}; only the year is certain"
                elif value:
                    problem = f"only the year {value} is certain"
            elif re.fullmatch(r"[0-9]{5}(?:\.0+)?", text):
                problem = f"{value} is the day of this number in a spreadsheet"
            elif re.fullmatch(r"[^\W\d]+[- ]['’]?[0-9]{2}", text):
                problem = f"it is {value}, or a day of that month in another year"
        elif kind == "doi":
            value, problem = _doi(texts_of(cell))
        elif kind == "arxiv":
            found = list(filter(None, map(find_arxiv, (text, *re.split(r"[\s,;]+", text)))))
            value = next(iter(found), "")
            if not found:
                problem = "it is not an arXiv identifier"
            elif len(set(found)) > 1:
                problem = "there is more than one identifier in it"
        elif kind == "url":
            addresses: dict[str, None] = {}
            for address in _ADDRESS.findall(text):
                if not address.startswith("http"):
                    address = f"https://{address}"
                addresses[address.rstrip(".,;)")] = None
            value = ADDRESS_JOINT.join(addresses)
            if not value:
                problem = "it is not an address"
            elif _ADDRESS.sub(" ", text).strip(" ;,|."):
                problem = "there is more than addresses in it"
        return value, problem

    def _settle(self, columns: Sequence[str]) -> None:
        """Fix the cells that the checks would refuse; a cell with another form becomes a note."""
        for column in columns:
            cell = self.cells.get(column, "")
            type_ = self._types.get(column)
            if not cell or type_ is None:
                continue  # terms have identifiers of the codebook
            settled, problem = settled_cell(cell, type_)
            self.cells[column] = settled
            if not problem:
                continue
            if settled:
                self.report(column, cell, problem, f"written as {settled}")
            elif column == "notes" or problem in (PLACEHOLDER, NO_CONTENT):
                self.report(column, cell, problem, "left empty")
            else:
                self._keep(column, cell, problem)

    def report(self, column: str, value: str, problem: str, outcome: str) -> None:
        """Note a cell that did not fit its column."""
        place = ("", self._record.place, 0, column)
        self.unplaced.append(Finding(*place, "", WARNING, value, problem, outcome))

    def _keep(self, column: str, value: str, problem: str) -> None:
        """Keep what does not fit in the notes, with the name of its column."""
        self._notes.append(f"{column}: {value}")
        self.report(column, value, problem, "kept in the notes")

    def _seek(self, column: str, found: Iterable[str | None]) -> None:
        """Fill an empty column by what was found, where all finds agree."""
        different = set(filter(None, found))
        if not self.cells.get(column) and len(different) == 1:
            self.cells[column] = different.pop()
            self._sought.append(f"{column} {self.cells[column].removeprefix('https://')}")


def _doi(texts: Iterable[str]) -> tuple[str, str]:
    """Return the first DOI, as it is written, and what is wrong with the texts besides."""
    first = problem = ""
    # One at a time, since a DOI may have a semicolon, but none before a space.
    for text in chain.from_iterable(map(_each_doi, texts)):
        doi = find_doi(text) or ""
        # Case has no meaning in a DOI; the source's is kept. A slash may be escaped.
        written = re.search(re.escape(doi), text, re.IGNORECASE)
        found = written[0] if written else doi
        first = first or found
        if not doi:
            problem = "it is not a DOI"
        elif first.casefold() != doi:
            problem = f"the DOI is {first}"
        elif re.search(r"\w", _AROUND_DOI.sub("", text.replace(found, ""))):
            problem = "there is more than a DOI in it"
    return first, problem


def _each_doi(text: str) -> list[str]:
    """Return the DOIs that a text consists of, or the text."""
    parts = list(filter(None, map(str.strip, re.split(r"[;,]\s|\s(?=10\.)", text))))
    return parts if all(map(find_doi, parts)) else [text]


def _one_text(cell: Cell, separator: str = "") -> str:
    """Return a cell as one text; without a separator by one that none of its texts holds."""
    if isinstance(cell, str):
        return cell
    return (separator or joint(cell)).join(cell)
