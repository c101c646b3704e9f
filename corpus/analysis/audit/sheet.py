"""Which entries a second reader tags again, drawn by a seed, and the sheet to fill in.

Anyone can draw them again. The sheet does not show the first tags.
"""

import codecs
import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any

from corpus.model.codebook import Column, TableSpec, Texts
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem, refuse_unknown
from corpus.model.study import Study
from corpus.model.table import Table, picked
from corpus.printing.escape import csv_cell
from corpus.printing.json_document import json_text
from corpus.tables.reader import parse_table
from corpus.tables.terms import term_findings
from corpus.tables.writing.writer import csv_text

PLAN_MISTAKE = Rule(
    "A101",
    "{place}: {problem}",
    "draw again: corpus audit plan",
    title="Mistake in the plan of an audit",
    reason="The plan shows that the rows of a sheet were drawn and not chosen.",
)
NOT_DRAWN = Rule(
    "A102",
    "entry {key!r} {problem}",
    "restore the rows as they were drawn",
    title="Sheet and plan have other rows",
    reason="Of rows that were added or left out by hand, nothing follows about the "
    "entries that nobody read.",
)
NO_QUOTATION = Rule(
    "A103",
    "{field} has a tag and {quote} is empty",
    "copy the words that the tag rests on, or leave the tag empty",
    title="Tag without a quotation",
    reason="A quotation shows which words a reader judged by.",
)
NOT_IN_TEXT = Rule(
    "A104",
    "{quote} is not in {text} word for word",
    "copy the words from the text; only white space may differ",
    title="Quotation is not in the text",
    reason="A quotation that is not in the text was made up or changed.",
)
NO_TEXT = Rule(
    "A105",
    "there is no readable text {text}",
    "put the text of the work into that file",
    title="Text to check a quotation against is missing",
    reason="Without the text nothing shows that the quoted words are in it.",
)


FORMAT = 1


@dataclass(frozen=True)
class AuditPlan:
    """What was drawn, from what, and how.

    Attributes
    ----------
    corpus : str
        Identifier of the corpus.
    seed : str
        What the draw depends on, beside the keys.
    size : int
        How many entries were drawn at random.
    by : str
        Column of which each term is read at least once; empty for none.
    columns : tuple of str
        The audited columns.
    quotes : bool
        Whether each tag needs a quotation.
    population : tuple of str
        Keys of the entries drawn from.
    drawn : tuple of str
        Keys that were drawn at random; a bound follows from them.
    added : tuple of str
        Keys that were added for the terms that no drawn entry has; no bound follows from them.
    tags_sha256 : str
        Digest of the tags of the population, to notice that they changed since.
    """

    corpus: str
    seed: str
    size: int
    by: str
    columns: Texts
    quotes: bool
    population: Texts
    drawn: Texts
    added: Texts
    tags_sha256: str

    @property
    def keys(self) -> Texts:
        """All entries to read, in the order of their keys: it does not show why one is there."""
        return tuple(sorted((*self.drawn, *self.added)))


def draw(
    study: Study,
    size: int,
    seed: str,
    columns: Sequence[str] = (),
    by: str = "",
    quotes: bool = False,
) -> AuditPlan:
    """Draw a simple random sample of the entries of a study.

    Entries are ordered by a digest of seed and key and the first are taken. So the draw depends on
    no library, and nobody can choose entries by choosing their order in the file.

    Parameters
    ----------
    study : Study
        The corpus, with the entries to draw from.
    size : int
        How many entries.
    seed : str
        Any text; another one gives another sample.
    columns : sequence of str
        Columns to audit; by default every axis.
    by : str
        A term column: for each of its terms that entries have and no drawn one has, one entry is
        added, which the bound does not count.
    quotes : bool
        Whether each tag needs a quotation.

    Raises
    ------
    UsageProblem
        For a column without a vocabulary, or a size that is not from 1 to the number of entries.
    """
    population = tuple(sorted(study.entries))
    if not 1 <= size <= len(population):
        raise UsageProblem(f"the sample must have 1 to {len(population)} entries, not {size}")
    names = tuple(dict.fromkeys(columns)) or study.pool.spec.axis_names
    known = [column.name for column in study.pool.spec.term_columns]
    refuse_unknown("column with a vocabulary", filter(None, (*names, by)), known)

    def rank(key: str) -> str:
        # The separator can be in no key, so two pairs of seed and key never give the same text.
        return sha256(f"{seed}\n{key}".encode()).hexdigest()

    ordered = sorted(population, key=rank)
    added = []
    if by:
        read: set[str] = set()
        for number, key in enumerate(ordered):
            terms = set(study.entries[key].terms(by))
            if number >= size and not terms <= read:
                added.append(key)
            read |= terms
    return AuditPlan(
        corpus=study.codebook.corpus["id"],
        seed=seed,
        size=size,
        by=by,
        columns=names,
        quotes=quotes,
        population=population,
        drawn=tuple(sorted(ordered[:size])),
        added=tuple(sorted(added)),
        tags_sha256=tags_digest(study, population, names),
    )


def tags_digest(study: Study, keys: Sequence[str], columns: Sequence[str]) -> str:
    """Return the SHA-256 of the tags of some entries, to tell whether they changed."""
    positions = study.pool.spec.positions(columns)
    tags = {key: picked(study.entries[key].row, positions) for key in keys}
    return sha256(json.dumps(tags, sort_keys=True).encode()).hexdigest()


def plan_text(plan: AuditPlan) -> str:
    """Write a plan as the file beside its sheet."""
    return json_text({"format": FORMAT, **asdict(plan)})


def parse_plan(text: str, file: str, study: Study) -> AuditPlan:
    """Read a plan and draw again, which must give the same entries.

    Raises
    ------
    CorpusError
        With every mistake (A101): a file that is not a plan, is about another corpus or other
        entries, or whose entries its seed does not draw.
    """
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        problem = "must be JSON as `corpus audit plan` writes it"
        finding = PLAN_MISTAKE.at(file, place="the file", problem=problem)
        raise CorpusError([finding]) from None
    findings: list[Finding] = []
    section = Section(data, (), findings, file, PLAN_MISTAKE)
    if section.raw("format") != FORMAT:
        section.mistake("format", f"must be {FORMAT}")
    plan = section.record(
        AuditPlan,
        by=section.text("by", ""),
        quotes=section.flag("quotes", False),
        added=section.strings("added", ()),
    )
    if not findings:
        _compare_with_draw(plan, section, study)
    if findings:
        raise CorpusError(findings)
    return plan


def _compare_with_draw(plan: AuditPlan, section: Section, study: Study) -> None:
    """Find where a plan differs from what its seed draws."""
    if plan.corpus != study.codebook.corpus["id"]:
        section.mistake("corpus", f"is {plan.corpus!r}, which is another corpus")
        return
    gone = [key for key in plan.population if key not in study.entries]
    if gone:
        section.mistake("population", f"the pool has no entry {gone[0]!r} any more")
        return
    # Entries that were added since the draw are none of its business.
    population = study.without_entries(set(study.entries).difference(plan.population))
    try:
        again = draw(population, plan.size, plan.seed, plan.columns, plan.by, plan.quotes)
    except UsageProblem as problem:
        section.mistake("", str(problem))
        return
    if again.drawn != plan.drawn:
        section.mistake("drawn", f"seed {plan.seed!r} draws other entries")
    # Which entries were added for a term depends on the tags, which may have changed since.
    if not set(plan.added) <= set(plan.population):
        section.mistake("added", "must be entries of the population")


#: Roles of the pool's columns that tell a reader which work a row is about.
_SHOWN_ROLES = ("title", "url")


def sheet_spec(plan: AuditPlan, study: Study, file: str) -> TableSpec:
    """Return the table that a sheet is.

    Its columns are the key, title and address of the entry, the reader, one column per audited
    field (with `quotes` in the plan followed by one for the quotation), and notes.
    """
    pool = study.codebook.pool
    shown = list(filter(pool.by_role, _SHOWN_ROLES))
    columns = list(map(_text_column, ("key", *shown, "reader")))
    for name in plan.columns:
        # A tag may be missing until it is read; a role would make the sheet a table of the corpus.
        columns.append(pool.column(name)._replace(required=False, role="", axis=False))
        if plan.quotes:
            columns.append(_text_column(quote_column(name)))
    columns.append(_text_column("notes"))
    return TableSpec("sheet", file, "Sheet", "", "", ("key",), tuple(columns))


def _text_column(name: str) -> Column:
    return Column(name, "text", name, "", "", False, "", "", "", False)


def quote_column(field: str) -> str:
    """Return the name of the column with the words that a tag rests on."""
    return f"{field}_quote"


def sheet_text(plan: AuditPlan, study: Study, reader: str = "") -> str:
    """Write an empty sheet: what identifies each work, and nothing of its tags."""
    header = sheet_spec(plan, study, "sheet").header
    rows = [header]
    for key in plan.keys:
        cells = {"key": key, "reader": reader}
        for role in _SHOWN_ROLES:
            # The sheet is filled in with a spreadsheet, which runs a title that is a formula.
            cells[role] = csv_cell(study.entries[key].by_role.get(role, ""))
        rows.append(tuple(cells.get(name, "") for name in header))
    return csv_text(rows)


def parse_sheet(content: bytes, plan: AuditPlan, study: Study, file: str) -> Table:
    """Read a filled sheet.

    Raises
    ------
    CorpusError
        With a finding for every wrong cell, for rows that are not those of the plan (A102) and tags
        without a quotation (A103).
    """
    # A spreadsheet saved it, and no command brings a file of a reader into the form of the corpus.
    content = content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    table = parse_table(content, sheet_spec(plan, study, file), file)
    # Nothing is found in an empty tag, which was not read yet.
    findings = [*term_findings(table, study.codebook), *_row_findings(table, plan)]
    if findings:
        raise CorpusError(sorted(findings))
    return table


def _row_findings(table: Table, plan: AuditPlan) -> Iterator[Finding]:
    """Yield what is wrong with the rows: not those of the plan, no quotation."""
    wanted = set(plan.keys)
    seen = set()
    for record, line in zip(table.records(), table.lines, strict=True):
        key = record["key"]
        problem = ""
        if key not in wanted:
            problem = "was not drawn"
        elif key in seen:
            problem = "has a second row"
        if problem:
            yield NOT_DRAWN.at(table.file, line, "key", key, key=key, problem=problem)
        seen.add(key)
        for field in plan.columns:
            quote = quote_column(field)
            if plan.quotes and record[field] and not record[quote].strip():
                yield NO_QUOTATION.at(table.file, line, quote, "", field=field, quote=quote)
    for key in plan.keys:
        if key not in seen:
            problem = "was drawn and has no row"
            yield NOT_DRAWN.at(table.file, 0, "key", key, key=key, problem=problem)


def quote_findings(
    table: Table, plan: AuditPlan, text_of: Callable[[str], str | None]
) -> Iterator[Finding]:
    """Yield the quotations that are not in the text of their work, word for word.

    White space is compared as one space each, and characters in Unicode normalization form C.

    Parameters
    ----------
    table : Table
        The sheet.
    plan : AuditPlan
        Names the audited columns.
    text_of : callable
        Takes the name of a text file (``KEY.txt``) and returns its text, or None where there is
        none.
    """
    for record, line in zip(table.records(), table.lines, strict=True):
        quotes = {quote_column(field): record[quote_column(field)] for field in plan.columns}
        if not any(quotes.values()):
            continue
        file = f"{record['key']}.txt"
        text = text_of(file)
        if text is None:
            yield NO_TEXT.at(table.file, line, "key", record["key"], text=file)
            continue
        words = _comparable_words(text)
        for column, quote in quotes.items():
            if quote and _comparable_words(quote) not in words:
                yield NOT_IN_TEXT.at(table.file, line, column, quote, quote=column, text=file)


def _comparable_words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


#: Share of samples (0-1) that may be misled by their draw: bounds hold with 95 % confidence.
RISK = Fraction(1, 20)


def most_wrong(population: int, sample: int, wrong: int, risk: Fraction = RISK) -> int:
    """Return the exact upper bound on the wrong items of a finite population.

    It is the largest number of wrong items with which a simple random sample, drawn without
    replacement, shows as few wrong ones as were found with a probability above `risk`: the
    one-sided confidence limit of the hypergeometric distribution (Buonaccorsi 1987, The American
    Statistician 41(3)). The arithmetic is exact.

    Parameters
    ----------
    population : int
        Number of items.
    sample : int
        How many of them were drawn and read.
    wrong : int
        How many of these were wrong.
    risk : Fraction
        From 0 to 1; the confidence is the rest.

    Raises
    ------
    ValueError
        Where the sample is larger than the population, or has more wrong items than items.

    Examples
    --------
    >>> most_wrong(84, 30, 0)
    6
    >>> most_wrong(84, 84, 3)
    3
    """
    if not 0 <= wrong <= sample <= population:
        raise ValueError(f"{wrong} of {sample} of {population} is not a sample")
    # The probability falls with the number of wrong items, so the largest is found by bisection.
    low = wrong
    high = population - (sample - wrong)
    all_samples = comb(population, sample)
    while low < high:
        middle = (low + high + 1) // 2
        # Samples with at most so many wrong items, if there are `middle` in all.
        misled = 0
        for number in range(wrong + 1):
            misled += comb(middle, number) * comb(population - middle, sample - number)
        if misled > risk * all_samples:
            low = middle
        else:
            high = middle - 1
    return low
