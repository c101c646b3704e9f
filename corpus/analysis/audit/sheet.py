"""Which entries a second reader tags again, drawn by a seed, and the sheet to fill in.

Anyone can draw them again. The sheet does not show the first tags.
"""

import codecs
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any

from corpus.model.codebook import Column, TableSpec, Texts
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem
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
    columns : tuple of str
        The audited columns: every axis.
    population : tuple of str
        Keys of the entries drawn from.
    drawn : tuple of str
        Keys of the drawn entries, in their order.
    tags_sha256 : str
        Digest of the tags of the population, to notice that they changed since.
    """

    corpus: str
    seed: str
    size: int
    columns: Texts
    population: Texts
    drawn: Texts
    tags_sha256: str


def draw(study: Study, size: int, seed: str) -> AuditPlan:
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

    Raises
    ------
    UsageProblem
        For a size that is not from 1 to the number of entries.
    """
    population = tuple(sorted(study.entries))
    if not 1 <= size <= len(population):
        raise UsageProblem(f"the sample must have 1 to {len(population)} entries, not {size}")

    def rank(key: str) -> str:
        # The separator can be in no key, so two pairs of seed and key never give the same text.
        return sha256(f"{seed}\n{key}".encode()).hexdigest()

    names = study.pool.spec.axis_names
    return AuditPlan(
        corpus=study.codebook.corpus["id"],
        seed=seed,
        size=size,
        columns=names,
        population=population,
        drawn=tuple(sorted(sorted(population, key=rank)[:size])),
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
    plan = section.record(AuditPlan)
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
        again = draw(population, plan.size, plan.seed)
    except UsageProblem as problem:
        section.mistake("", str(problem))
        return
    if again.drawn != plan.drawn:
        section.mistake("drawn", f"seed {plan.seed!r} draws other entries")
    if again.columns != plan.columns:
        section.mistake("columns", "must be the axes of the codebook")


#: Roles of the pool's columns that tell a reader which work a row is about.
_SHOWN_ROLES = ("title", "url")


def sheet_spec(plan: AuditPlan, study: Study, file: str) -> TableSpec:
    """Return the table that a sheet is.

    Its columns are the key, title and address of the entry, the reader, one column per audited
    field, and notes.
    """
    pool = study.codebook.pool
    shown = list(filter(pool.by_role, _SHOWN_ROLES))
    columns = list(map(_text_column, ("key", *shown, "reader")))
    for name in plan.columns:
        # A tag may be missing until it is read; a role would make the sheet a table of the corpus.
        columns.append(pool.column(name)._replace(required=False, role="", axis=False))
    columns.append(_text_column("notes"))
    return TableSpec("sheet", file, "Sheet", "", "", ("key",), tuple(columns))


def _text_column(name: str) -> Column:
    return Column(name, "text", name, "", "", False, "", "", "", False)


def sheet_text(plan: AuditPlan, study: Study, reader: str = "") -> str:
    """Write an empty sheet: what identifies each work, and nothing of its tags."""
    header = sheet_spec(plan, study, "sheet").header
    rows = [header]
    for key in plan.drawn:
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
        With a finding for every wrong cell, and for rows that are not those of the plan (A102).
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
    """Yield the rows that are not those of the plan."""
    wanted = set(plan.drawn)
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
    for key in plan.drawn:
        if key not in seen:
            problem = "was drawn and has no row"
            yield NOT_DRAWN.at(table.file, 0, "key", key, key=key, problem=problem)


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
