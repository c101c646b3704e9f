"""The plan of an import: what each column of the source becomes in the new corpus.

By the same plan the works are recognised that records of a file or a service describe.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from types import MappingProxyType

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
    likely_separator,
    spelled_terms,
    split_cell,
    values_of,
)
from corpus.curation.importing.names import (
    BY_ROLE,
    FIELDS,
    ROLE_OF,
    ascii_words,
    column_name,
    field_by_content,
    field_by_name,
    filled,
    is_abstract,
    listed,
    name_rank,
)
from corpus.curation.importing.readers.records import (
    Cell,
    Cells,
    ImportedRecord,
    Records,
    filled_in,
    single_texts,
    texts_of,
)
from corpus.curation.lookup.answers import ABSTRACT, clean, commas_are_inside, split_authors
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.identifiers import find_arxiv, find_doi, split_addresses
from corpus.model.work import Work

#: Share of different addresses from which on they are those of the works.
_OWN_ADDRESSES = 0.8
#: What is in the name of a column of links to the works.
_LINK_WORDS = frozenset(("paper", "link", "links", "pdf", "source", "doi", "url"))
#: What is in the name of a column of links to what was published with the works.
_SUPPLEMENTS = frozenset(
    listed(
        "code, codes, repository, repo, github, gitlab, implementation, software, data, dataset, "
        "datasets, demo, video, slides, poster, project, website"
    )
)
#: Rayyan's and Zotero's own numbers.
_OPAQUE_KEY = re.compile(r"rayyan.*|[A-Z0-9]{8}")
#: A column of titles with so many cells of the one with most is taken for its usual name.
_NEARLY_FILLED = 0.8
#: Two columns of one field (journal and book title) become one where at most this share of the
#: rarer one's records has both.
_MOST_OVERLAP = 0.2
#: So many terms of a column are shown, each with so many characters.
_LABELS, _LABEL = 5, 30


@dataclass(frozen=True)
class ColumnPlan:
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
        Its type, and why: ``term`` and ``tags`` have a vocabulary.
    separator : str
        What is written between several tags in the new pool.
    terms : list of Spelled
        The vocabulary, most used first.
    comma_is_inside : bool
        Of a column of names: whether a comma is inside a name, never between two.
    """

    source: str
    name: str
    role: str
    kind: Kind
    separator: str = ""
    terms: Sequence[Spelled] = ()
    comma_is_inside: bool = False

    @property
    def why(self) -> str:
        """Why it is of its kind; of terms the separator in the source, and the first of them."""
        told = self.kind.reason
        if self.kind.separator:
            told += f"; split at {self.kind.separator!r}"
        whole = [term for term in self.terms if len(split_cell(term.label, ",")) > 1]
        for sign, terms in ((": ", self.terms), ("; not split at ',': ", whole)):
            labels = [shorten(term.label, _LABEL, placeholder="…") for term in terms[:_LABELS]]
            if terms[_LABELS:]:
                labels.append("…")
            if labels:
                told += sign + self.separator.join(labels)
        return told

    @property
    def is_axis(self) -> bool:
        """Whether counts will run over the column."""
        return self.kind.name in (TERM, TAGS)


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


def parse_splits(texts: Sequence[str]) -> dict[str, str]:
    """Read ``COLUMN=SEP``: what separates the tags of a column.

    Raises
    ------
    UsageProblem
        For another form.
    """
    found = {}
    for text in texts:
        # The separator may be a sign of equality, a column seldom has one.
        source, sign, separator = text.partition("=")
        if not sign or not source.strip() or not separator.strip("\n"):
            raise UsageProblem(f"--split takes COLUMN=SEP, such as 'Topics=;', not {text!r}")
        found[source.strip()] = separator
    return found


def plan_columns(
    columns: Collection[str],
    records: Sequence[ImportedRecord],
    maps: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    drop: Sequence[str] = (),
    decided: Sequence[str] = (),
    splits: Mapping[str, str] = MappingProxyType({}),
) -> list[ColumnPlan]:
    """Plan every column of a source.

    Parameters
    ----------
    columns, records : collection of str, sequence of ImportedRecord
        The source.
    maps : mapping of str to (str, str)
        Source column -> column and kind, from :func:`parse_map`; an empty column name sends the
        cells to the notes.
    drop : sequence of str
        Source columns that are left out.
    decided : sequence of str
        Source columns whose decisions the tables have already; they are left out.
    splits : mapping of str to str
        Source column -> what separates its tags.

    Raises
    ------
    UsageProblem
        Where `maps`, `drop` or `splits` names a column that the source does not have, or `splits`
        one that has no tags.
    """
    refuse_unknown("column of the source", [*maps, *drop, *splits], columns)
    why_left_out = dict.fromkeys(decided, "its decisions are in the exclusion log")
    why_left_out |= dict.fromkeys(drop, "dropped, as asked")
    roles = _roles([name for name in columns if name not in why_left_out], records, maps)
    # Every bibliographic column, used or not: the importer may fill it from what it finds in other
    # cells.
    taken = set(ROLE_OF)
    plans = []
    for source in columns:
        cells = filled_in(records, source)
        column, asked = maps.get(source, ("", ""))
        if source in why_left_out:
            plan = ColumnPlan(source, "", "", Kind(EMPTY, why_left_out[source]))
        elif source in roles:
            role, why = roles[source]
            field = BY_ROLE[role]
            is_inside = role == "first_author" or (role == "authors" and commas_are_inside(cells))
            kind = Kind(field.type, why)
            plan = ColumnPlan(source, field.column, role, kind, comma_is_inside=is_inside)
        else:
            if not column and field_by_name(source) == "key":
                column = "source key"  # its name would be that of a field of the pool
            name = column_name(column or source, taken)
            taken.add(name)
            plan = _inferred(source, name, cells, asked, len(records), splits.get(source, ""))
        if source in splits and not plan.is_axis:
            why = f"it becomes {plan.name or 'nothing'}, {plan.kind.name}"
            raise UsageProblem(f"--split is for columns of tags, not for {source!r}: {why}")
        plans.append(plan)
    return plans


def _inferred(
    source: str, name: str, cells: Sequence[Cell], asked: str, rows: int, split: str
) -> ColumnPlan:
    """Plan a column that is not a bibliographic one."""
    kind = infer_kind(cells, ascii_words(source), rows)
    if split:
        asked = asked or TAGS
    if asked and cells:
        separator = split or kind.separator or likely_separator(cells) if asked == TAGS else ""
        kind = Kind(asked, "as asked", separator)
    if kind.name == TERM:
        cells = [" ".join(texts_of(cell)) for cell in cells]
    if kind.name == EMPTY:
        return ColumnPlan(source, "", "", kind)
    if kind.name not in (TERM, TAGS):
        lists = [cell for cell in cells if isinstance(cell, tuple)]
        return ColumnPlan(source, name, "", kind, joint(values_of(lists)))
    terms = spelled_terms(values_of(cells, kind.separator))
    return ColumnPlan(source, name, "", kind, joint([term.id for term in terms]), terms)


def _roles(
    columns: Sequence[str], records: Sequence[ImportedRecord], asked: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """Give each bibliographic field a column: as asked, by name (best filled first), by content.

    Returns
    -------
    dict of str to (str, str)
        Column of the source -> role, and why.
    """
    roles = {}
    taken = set()
    for source, (column, kind) in asked.items():
        role = ROLE_OF.get(column or "notes", column)
        if role in BY_ROLE and not kind:
            roles[source] = (role, "as asked")
            taken.add(role)
    # Cells by place; where columns compete, a cell such as "NA" is empty.
    free: defaultdict[str, dict[int, Cell]] = defaultdict(dict)
    for name in columns:
        for place, record in enumerate(records):
            cell = record.cells.get(name)
            if name not in asked and cell and str(cell).casefold() not in ABSENT:
                free[name][place] = cell
    for field in FIELDS:
        named = [name for name in free if field_by_name(name) == field.role]
        if field.role == "key":
            named = [name for name in named if _usable_keys(free[name].values(), len(records))]
        if not named or field.role in taken:
            continue
        named.sort(key=lambda name: (-len(free[name]), name_rank(name)))
        if field.role == "title":
            # "Name" is a short name where nearly every record has a "Paper" as well.
            enough = _NEARLY_FILLED * len(free[named[0]])
            named.sort(key=lambda name: (len(free[name]) < enough, name_rank(name)))
        taken.add(field.role)
        in_use: set[int] = set()
        for name in named:
            # Journal and book title are seldom both filled: together they are one field.
            if len(free[name].keys() & in_use) <= _MOST_OVERLAP * len(free[name]):
                roles[name] = (field.role, "by its name")
                in_use.update(free[name])
    for name, cells in free.items():
        texts = single_texts(cells.values())
        different = set(texts)
        if name in roles:
            continue
        role = field_by_content(texts) if len(texts) == len(cells) else ""
        # One address in many records is that of a source, not of a work.
        is_of_works = len(different) >= _OWN_ADDRESSES * len(texts) and not _is_beside(name)
        if role and role not in taken and (role != "url" or is_of_works):
            taken.add(role)
            roles[name] = (role, "by its cells")
    return roles


def _is_beside(column: str) -> bool:
    """Whether a column has addresses of something else than the works: of their code, of tools.

    Those behind the cells of another column are in one whose name ends with "link".
    """
    if not _SUPPLEMENTS.isdisjoint(ascii_words(column)):
        return True
    words = column.removesuffix(" link")
    is_field = field_by_name(words) in ("title", "doi", "url", "arxiv")
    is_link = not _LINK_WORDS.isdisjoint(ascii_words(words))
    return words != column and not is_field and not is_link


def _usable_keys(cells: Iterable[Cell], count: int) -> bool:
    """Return whether a column can be the key: `count` different short names, each with a word."""
    spoken = 0
    different = set()
    for text in single_texts(cells):
        if len(text) > 60:
            continue
        different.add("-".join(ascii_words(text)))
        if re.search(r"[A-Za-z]{3}", text) and not _OPAQUE_KEY.fullmatch(text):
            spoken += 1
    return len(different) == count and 2 * spoken > count


#: What a column means is found out from so many records.
_LOOKED_AT = 2_000
#: Roles by which a work is recognised besides its title.
IDENTIFYING = ("arxiv", "doi", "url")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}")


def column_roles(records: Records) -> defaultdict[str, list[str]]:
    """Return the columns of the source by what they mean (title, authors, year, doi, ...)."""
    # Judging every cell of a list of a million works would take minutes and change nothing.
    roles = defaultdict(list)
    for plan in plan_columns(records.columns, records.rows[:_LOOKED_AT]):
        if plan.role:
            roles[plan.role].append(plan.source)
    roles["abstract"] += filter(is_abstract, records.columns)
    return roles


def work_of(cells: Cells, roles: Mapping[str, Sequence[str]]) -> Work:
    """Return the work of a record; of several cells of one role the first counts.

    Parameters
    ----------
    cells : mapping of str to str or tuple of str
        The record.
    roles : mapping of str to sequence of str
        Role -> its columns; what the record does not tell is empty.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    first = defaultdict(str)
    names: list[str] = []
    for role, columns in roles.items():
        for column in columns:
            found[role] += filter(None, texts_of(cells.get(column, "")))
            if role == "authors":
                names += split_authors(cells.get(column, ()))
        first[role] = next(iter(found[role]), "")
    links = []
    for role in IDENTIFYING:
        for text in found[role]:
            links += filled(split_addresses(text))
    # Lists call the column of years "Date", too, and may have a date there.
    years = _YEAR.findall(f"{first['year']} {first['date']}")
    return Work(
        title=clean(first["title"]),
        authors=tuple(names),
        year=next(iter(years), ""),
        venue=clean(first["venue"]),
        arxiv=next(filter(None, map(find_arxiv, links)), ""),
        doi=next(filter(None, map(find_doi, links)), ""),
        url=split_addresses(first["url"])[0],
        abstract=clean(" ".join(found["abstract"]), ABSTRACT),
        links=tuple(links),
    )
