"""Plausible mistakes in the corpus of today, by kind, and which of them the checks find.

Run as a program it draws the kinds of :mod:`tests.support.new_mistakes` as well.

A mistake is made in memory and checked by the functions that `corpus check` and `corpus diff` call;
claims are set aside, since they would find most of them by their numbers. Run as a module, it
writes the table of docs/decisions/testing.md.
"""

import random
import re
import tempfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from corpus.curation.changes.changes import compare
from corpus.curation.changes.weakened import unlogged_findings
from corpus.curation.check.cells import cell_trouble
from corpus.curation.check.copied import copied_findings
from corpus.curation.check.references import reference_findings
from corpus.curation.check.rows import row_findings
from corpus.curation.check.screening_log import log_findings
from corpus.curation.check.works.addresses import address_findings
from corpus.curation.check.works.duplicates import all_works, duplicate_findings
from corpus.curation.check.works.source_records import source_findings
from corpus.curation.check.works.years import year_findings
from corpus.tables.corpus_reader import load_corpus, read_tables
from corpus.tables.documents import read_codebook
from corpus.tables.sheet import ColumnarTable, read_sheet
from corpus.tables.table_rules import UNDECLARED_TERM
from tests.support.new_mistakes import new_table, tried_anew

DATA = Path(__file__).parents[2] / "data"
PAGE = Path(__file__).parents[2] / "docs/decisions/testing.md"
START, END = "<!-- mistakes: start -->", "<!-- mistakes: end -->"
NEW_START, NEW_END = "<!-- new mistakes: start -->", "<!-- new mistakes: end -->"
TODAY = date(2026, 6, 1)
SEED = 20260504
OF_EACH_KIND = 6
OF_EACH_NEW_KIND = 2
#: Latin letters, and those of other scripts that look like them.
LOOK_ALIKE = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441"}


class Edit(NamedTuple):
    """A cell that gets another value; `value` is None where the whole row is removed."""

    table: str
    key: str
    column: str
    value: str | None


class Corpus:
    """The tables of today, and what is found after an edit."""

    def __init__(self):
        data = str(DATA)
        self.book = read_codebook(data)
        self.sheets, _ = read_tables(data, self.book, read_sheet)
        self.study = load_corpus(data)
        self.released = frozenset(self.study.pool.names())

    def keys(self, table):
        return list(self.study.tables[table].names())

    def cell(self, table, key, column):
        found = self.study.tables[table]
        position = self.keys(table).index(key)
        return found.rows[position][found.spec.position(column)]

    def column(self, table, column):
        return dict(zip(self.keys(table), self.study.tables[table].column(column), strict=True))

    def findings(self, edits, is_new=False):
        """Yield what is found after an edit, the quick checks first.

        An entry that `is_new` is in no release, so its tags may change without a correction.
        """
        study = self._edited(edits)
        sheets = dict(self.sheets)
        edited = {edit.table for edit in edits} or set(sheets)
        for name in {edit.table for edit in edits}:
            sheets[name] = _sheet(study.tables[name])
        for edit in edits:
            yield from self._cell_findings(edit)
        for name in edited:
            yield from row_findings(sheets[name], self.book)
            yield from copied_findings(sheets[name])
        yield from log_findings(sheets, self.study)
        yield from year_findings(sheets, self.book)
        yield from address_findings(sheets, self.book)
        yield from source_findings(sheets, self.book)
        yield from reference_findings(sheets, self.book)
        if not is_new:
            changes = compare(self.study, study)
            yield from unlogged_findings(self.study, study, changes, self.released)
        yield from duplicate_findings(all_works(sheets, self.book))

    def _cell_findings(self, edit):
        if edit.value is None:
            return
        spec = self.book.tables[edit.table]
        column = spec.column(edit.column)
        if column.type == "term":
            if edit.value not in self.book.vocabulary_of(column).ids:
                yield UNDECLARED_TERM.at(spec.file, 0, column.name, edit.value, advice="")
            return
        for rule, advice in cell_trouble(edit.value, column, TODAY):
            yield rule.at(spec.file, 0, column.name, edit.value, advice=advice)

    def _edited(self, edits):
        tables = dict(self.study.tables)
        for edit in edits:
            table = tables[edit.table]
            rows = []
            for name, row in zip(table.names(), table.rows, strict=True):
                if name == edit.key:
                    if edit.value is None:
                        continue
                    position = table.spec.position(edit.column)
                    row = (*row[:position], edit.value, *row[position + 1 :])
                rows.append(row)
            tables[edit.table] = table.with_rows(rows)
        return self.study.with_tables(tables)


def _sheet(table):
    arrays = [pa.array(table.column(name), pa.string()) for name in table.spec.header]
    columns = pa.table(arrays, names=list(table.spec.header))
    # Without a size there is no canonical form to compare with: a row more or less is no finding.
    return ColumnarTable(table.spec, table.file, columns, None, None)


Maker = Callable[[Corpus, random.Random], list[Edit]]
#: The kinds that the rules were written for, or beside.
KINDS: dict[str, Maker] = {}
#: Kinds that were thought of without a look at the rules.
UNFORESEEN: dict[str, Maker] = {}
#: How the name of a kind begins whose entry is in no release yet.
NEW = "new entry: "


def kind(name, of=KINDS):
    def declare(maker):
        of[name] = maker
        return maker

    return declare


def _some(corpus, rng, table, column):
    """Return key and cell of a row whose cell is not empty."""
    filled = [(key, cell) for key, cell in corpus.column(table, column).items() if cell]
    return rng.choice(filled)


def _other(corpus, rng, table, column, than):
    return rng.choice([c for c in corpus.column(table, column).values() if c and c != than])


@kind("title: two letters swapped")
def _(corpus, rng):
    key, title = _some(corpus, rng, "pool", "title")
    places = [
        n
        for n in range(1, len(title) - 1)
        if title[n : n + 2].isalpha() and title[n].lower() != title[n + 1].lower()
    ]
    n = rng.choice(places)
    return [Edit("pool", key, "title", title[:n] + title[n + 1] + title[n] + title[n + 2 :])]


@kind("title: cut at its end")
def _(corpus, rng):
    titles = corpus.column("pool", "title")
    key = rng.choice([key for key, title in titles.items() if len(title.split()) > 4])
    return [Edit("pool", key, "title", titles[key].rsplit(" ", rng.randint(1, 2))[0])]


@kind("title: a letter of another script")
def _(corpus, rng):
    key, title = _some(corpus, rng, "pool", "title")
    n = rng.choice([n for n, letter in enumerate(title) if letter in LOOK_ALIKE])
    return [Edit("pool", key, "title", title[:n] + LOOK_ALIKE[title[n]] + title[n + 1 :])]


@kind("title: in capitals")
def _(corpus, rng):
    key, title = _some(corpus, rng, "pool", "title")
    return [Edit("pool", key, "title", title.upper())]


@kind("title: a word left out")
def _(corpus, rng):
    key, title = _some(corpus, rng, "pool", "title")
    words = title.split()
    del words[rng.randrange(len(words))]
    return [Edit("pool", key, "title", " ".join(words))]


@kind("title: that of another entry")
def _(corpus, rng):
    key, title = _some(corpus, rng, "pool", "title")
    return [Edit("pool", key, "title", _other(corpus, rng, "pool", "title", title))]


def _authors(corpus, rng, least):
    cells = corpus.column("bibliography", "authors")
    key = rng.choice([key for key, cell in cells.items() if cell.count(";") >= least])
    return key, cells[key].split("; ")


@kind("authors: one left out")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    del names[rng.randrange(len(names))]
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: two in another order")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    n = rng.randrange(len(names) - 1)
    names[n], names[n + 1] = names[n + 1], names[n]
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: family and given name swapped")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    n = rng.choice([n for n, name in enumerate(names) if ", " in name])
    names[n] = ", ".join(reversed(names[n].split(", ", 1)))
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: et al.")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 2)
    return [Edit("bibliography", key, "authors", f"{names[0]}; et al.")]


@kind("authors: a letter left out of a name")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    n = rng.randrange(len(names))
    family, comma, given = names[n].partition(",")
    place = rng.randrange(1, len(family))
    names[n] = family[:place] + family[place + 1 :] + comma + given
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("first author: another person of the work")
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    return [Edit("pool", key, "first_author", names[1])]


@kind("year: one more or less")
def _(corpus, rng):
    key, year = _some(corpus, rng, "pool", "year")
    return [Edit("pool", key, "year", str(int(year) + rng.choice((-1, 1))))]


@kind("year: that of another entry")
def _(corpus, rng):
    key, year = _some(corpus, rng, "pool", "year")
    return [Edit("pool", key, "year", _other(corpus, rng, "pool", "year", year))]


@kind("arXiv identifier: one digit")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "arxiv_id")
    place = rng.randrange(5, len(cell))
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    return [Edit("pool", key, "arxiv_id", cell[:place] + digit + cell[place + 1 :])]


@kind("arXiv identifier and address: one digit in both")
def _(corpus, rng):
    ids, urls = corpus.column("pool", "arxiv_id"), corpus.column("pool", "url")
    key = rng.choice([key for key, cell in ids.items() if cell and cell in urls[key]])
    cell = ids[key]
    place = rng.randrange(5, len(cell))
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    wrong = cell[:place] + digit + cell[place + 1 :]
    return [
        Edit("pool", key, "arxiv_id", wrong),
        Edit("pool", key, "url", urls[key].replace(cell, wrong)),
    ]


@kind("DOI: one digit")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "bibliography", "doi")
    place = rng.choice([n for n, d in enumerate(cell) if d.isdigit() and n > cell.index("/")])
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    return [Edit("bibliography", key, "doi", cell[:place] + digit + cell[place + 1 :])]


@kind("DOI: that of another entry")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "bibliography", "doi")
    other = _other(corpus, rng, "bibliography", "doi", cell)
    return [Edit("bibliography", key, "doi", other)]


@kind("address: that of another entry")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "url")
    return [Edit("pool", key, "url", _other(corpus, rng, "pool", "url", cell))]


@kind("address: http for https")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "url")
    return [Edit("pool", key, "url", cell.replace("https://", "http://"))]


@kind("address: a letter of its end")
def _(corpus, rng):
    urls = corpus.column("pool", "url")
    key = rng.choice([key for key, cell in urls.items() if " " not in cell])
    return [Edit("pool", key, "url", urls[key][:-2] + "q")]


@kind("first public: another month")
def _(corpus, rng):
    dates = corpus.column("bibliography", "first_public")
    key = rng.choice([key for key, cell in dates.items() if len(cell) >= 7])
    cell = dates[key]
    month = rng.choice([m for m in range(1, 13) if f"-{m:02d}" != cell[4:7]])
    return [Edit("bibliography", key, "first_public", f"{cell[:4]}-{month:02d}{cell[7:]}")]


@kind("first public: another day")
def _(corpus, rng):
    dates = corpus.column("bibliography", "first_public")
    key = rng.choice([key for key, cell in dates.items() if len(cell) == 10])
    day = rng.choice([d for d in range(1, 29) if f"{d:02d}" != dates[key][8:]])
    return [Edit("bibliography", key, "first_public", f"{dates[key][:8]}{day:02d}")]


@kind("venue: that of another entry")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "venue")
    return [Edit("pool", key, "venue", _other(corpus, rng, "pool", "venue", cell))]


@kind("tag: another term")
def _(corpus, rng):
    column, vocabulary = corpus.book.axis(rng.choice([c.name for c in corpus.book.pool.axes]))
    key, cell = _some(corpus, rng, "pool", column.name)
    term = rng.choice([term for term in vocabulary.ids if term != cell])
    return [Edit("pool", key, column.name, term)]


@kind("tags: individual reward with team credit")
def _(corpus, rng):
    key = rng.choice(corpus.keys("pool"))
    return [
        Edit("pool", key, "reward_type", "individual"),
        Edit("pool", key, "credit_granularity", "team"),
    ]


@kind("tag of a near miss: impossible with another")
def _(corpus, rng):
    key = rng.choice(corpus.keys("near_misses"))
    return [
        Edit("near_misses", key, "would_be_reward_type", "individual"),
        Edit("near_misses", key, "would_be_credit_granularity", "team"),
    ]


@kind("key: capital letters")
def _(corpus, rng):
    key = rng.choice(corpus.keys("pool"))
    return [Edit("pool", key, "key", key.capitalize())]


@kind("text: copied from another row")
def _(corpus, rng):
    name = rng.choice(("one_liner", "notes"))
    key, cell = _some(corpus, rng, "pool", name)
    return [Edit("pool", key, name, _other(corpus, rng, "pool", name, cell))]


@kind("exclusion: screened after the cutoff")
def _(corpus, rng):
    key = rng.choice(corpus.keys("exclusions"))
    return [Edit("exclusions", key, "date_screened", f"2026-05-{rng.randint(5, 28):02d}")]


@kind("exclusion: screened before the search")
def _(corpus, rng):
    key = rng.choice(corpus.keys("exclusions"))
    return [Edit("exclusions", key, "date_screened", f"2025-04-{rng.randint(1, 28):02d}")]


@kind("exclusion: another stage")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "exclusions", "stage")
    stages = corpus.book.vocabularies["stage"].ids
    return [Edit("exclusions", key, "stage", rng.choice([s for s in stages if s != cell]))]


@kind("exclusion: reason copied from another row")
def _(corpus, rng):
    key, cell = _some(corpus, rng, "exclusions", "exclusion_reason")
    other = _other(corpus, rng, "exclusions", "exclusion_reason", cell)
    return [Edit("exclusions", key, "exclusion_reason", other)]


@kind("correction: both values equal")
def _(corpus, rng):
    key = rng.choice(corpus.keys("corrections"))
    rows = corpus.study.tables["corrections"]
    row = next(row for row in rows.rows if row[0] == key)
    return [Edit("corrections", key, "published", row[rows.spec.position("corrected")])]


@kind("correction: removed")
def _(corpus, rng):
    return [Edit("corrections", rng.choice(corpus.keys("corrections")), "", None)]


@kind("reference: a key with one letter less")
def _(corpus, rng):
    table = rng.choice(("bibliography", "corrections", "admission"))
    key = rng.choice(corpus.keys(table))
    return [Edit(table, key, "key", key[:-1])]


@kind(f"{NEW}trained, and tagged as not", UNFORESEEN)
def _(corpus, rng):
    tags, rewards = corpus.column("pool", "is_rl"), corpus.column("pool", "reward_type")
    key = rng.choice([key for key, tag in tags.items() if tag == "yes" and rewards[key] != "NA"])
    return [Edit("pool", key, "is_rl", "no")]


@kind(f"{NEW}the reward left open", UNFORESEEN)
def _(corpus, rng):
    rewards = corpus.column("pool", "reward_type")
    key = rng.choice([key for key, reward in rewards.items() if reward != "NA"])
    return [Edit("pool", key, "reward_type", "NA")]


@kind(f"{NEW}the credit left open", UNFORESEEN)
def _(corpus, rng):
    credits_ = corpus.column("pool", "credit_granularity")
    key = rng.choice([key for key, credit in credits_.items() if credit != "NA"])
    return [Edit("pool", key, "credit_granularity", "NA")]


@kind(f"{NEW}another category", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "category")
    terms = [term for term in corpus.book.vocabularies["category"].ids if term != cell]
    return [Edit("pool", key, "category", rng.choice(terms))]


@kind(f"{NEW}the tags of another entry", UNFORESEEN)
def _(corpus, rng):
    key, other = rng.sample(corpus.keys("pool"), 2)
    names = ("reward_type", "credit_granularity", "orchestration_form")
    return [Edit("pool", key, name, corpus.cell("pool", other, name)) for name in names]


@kind("affiliation: that of another entry", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "affiliation")
    return [Edit("pool", key, "affiliation", _other(corpus, rng, "pool", "affiliation", cell))]


@kind("names: letters broken by an encoding", UNFORESEEN)
def _(corpus, rng):
    cells = corpus.column("bibliography", "authors")
    key = rng.choice([key for key, cell in cells.items() if not cell.isascii()])
    broken = cells[key].encode("utf-8").decode("latin-1")
    return [Edit("bibliography", key, "authors", broken)]


@kind("names: initials for given names", UNFORESEEN)
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    n = rng.choice([n for n, name in enumerate(names) if ", " in name])
    family, given = names[n].split(", ", 1)
    names[n] = f"{family}, {given[0]}."
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: one of them twice", UNFORESEEN)
def _(corpus, rng):
    key, names = _authors(corpus, rng, 1)
    return [Edit("bibliography", key, "authors", "; ".join([*names, rng.choice(names)]))]


@kind("title: a dash for a hyphen", UNFORESEEN)
def _(corpus, rng):
    titles = corpus.column("pool", "title")
    key = rng.choice([key for key, title in titles.items() if "-" in title])
    return [Edit("pool", key, "title", titles[key].replace("-", "\u2013", 1))]


@kind("text: a no-break space", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "one_liner")
    return [Edit("pool", key, "one_liner", cell.replace(" ", "\u00a0", 1))]


@kind("text: cut within a word", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "one_liner")
    return [Edit("pool", key, "one_liner", cell[: 2 * len(cell) // 3].rstrip())]


@kind("text: another year in a date", UNFORESEEN)
def _(corpus, rng):
    notes = corpus.column("pool", "notes")
    key = rng.choice([key for key, note in notes.items() if re.search(r"20\d\d-\d\d", note)])
    year = re.search(r"(20\d\d)-\d\d", notes[key])[1]
    wrong = str(int(year) - 1)
    return [Edit("pool", key, "notes", notes[key].replace(f"{year}-", f"{wrong}-", 1))]


@kind("arXiv identifier: with its version", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "pool", "arxiv_id")
    return [Edit("pool", key, "arxiv_id", f"{cell}v2")]


@kind("address: of the file for the page of the work", UNFORESEEN)
def _(corpus, rng):
    urls = corpus.column("pool", "url")
    key = rng.choice([key for key, cell in urls.items() if "arxiv.org/abs/" in cell])
    return [Edit("pool", key, "url", urls[key].replace("/abs/", "/pdf/"))]


@kind("first public: day and month swapped", UNFORESEEN)
def _(corpus, rng):
    dates = corpus.column("bibliography", "first_public")
    able = {}
    for key, cell in dates.items():
        year, *rest = cell.split("-")
        if len(rest) == 2 and int(rest[1]) <= 12 and rest[0] != rest[1]:
            able[key] = f"{year}-{rest[1]}-{rest[0]}"
    key = rng.choice(list(able))
    return [Edit("bibliography", key, "first_public", able[key])]


@kind("venue: another year", UNFORESEEN)
def _(corpus, rng):
    venues = corpus.column("pool", "venue")
    key = rng.choice([key for key, venue in venues.items() if re.search(r"20\d\d", venue)])
    year = re.search(r"20\d\d", venues[key])[0]
    return [Edit("pool", key, "venue", venues[key].replace(year, str(int(year) - 2)))]


@kind("cells: author and affiliation swapped", UNFORESEEN)
def _(corpus, rng):
    key = rng.choice(corpus.keys("pool"))
    author, affiliation = (corpus.cell("pool", key, n) for n in ("first_author", "affiliation"))
    return [
        Edit("pool", key, "first_author", affiliation),
        Edit("pool", key, "affiliation", author),
    ]


@kind("evidence: a number ten times as large", UNFORESEEN)
def _(corpus, rng):
    values = corpus.column("scale", "value")
    key = rng.choice([key for key, value in values.items() if value.isdigit() and value != "0"])
    return [Edit("scale", key, "value", values[key] + "0")]


@kind("evidence: the level of another kind of source", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "admission", "evidence_level")
    terms = [term for term in corpus.book.vocabularies["evidence_level"].ids if term != cell]
    return [Edit("admission", key, "evidence_level", rng.choice(terms))]


@kind("evidence: about another entry", UNFORESEEN)
def _(corpus, rng):
    key, cell = _some(corpus, rng, "scale", "key")
    other = rng.choice([name for name in corpus.keys("pool") if name != cell])
    return [Edit("scale", key, "key", other)]


@kind("exclusion: one digit of its identifier", UNFORESEEN)
def _(corpus, rng):
    cells = corpus.column("exclusions", "identifier")
    key = rng.choice([key for key, cell in cells.items() if cell.startswith("arXiv:")])
    cell = cells[key]
    digit = rng.choice([d for d in "0123456789" if d != cell[-1]])
    return [Edit("exclusions", key, "identifier", cell[:-1] + digit)]


@kind("exclusion: the identifier of an entry", UNFORESEEN)
def _(corpus, rng):
    key = rng.choice(corpus.keys("exclusions"))
    _, arxiv = _some(corpus, rng, "pool", "arxiv_id")
    return [Edit("exclusions", key, "identifier", f"arXiv:{arxiv}")]


@kind("correction: of another column", UNFORESEEN)
def _(corpus, rng):
    rows = corpus.study.tables["corrections"].rows
    key, column = rng.choice(rows)[:2]
    names = [name for name in corpus.book.pool.header if name not in (column, "key")]
    return [Edit("corrections", key, "column", rng.choice(names))]


@kind("near miss: nothing trained, and a reward of a team", UNFORESEEN)
def _(corpus, rng):
    tags = corpus.column("near_misses", "would_be_is_rl")
    key = rng.choice([key for key, tag in tags.items() if tag == "no"])
    return [Edit("near_misses", key, "would_be_reward_type", rng.choice(("shared", "debate")))]


Numbers = Mapping[str, tuple[int, int]]


def tried(corpus, kinds, of_each=OF_EACH_KIND):
    """Return by kind how many mistakes were made and how many of them found."""
    numbers = {}
    for name, maker in kinds.items():
        # A kind that is added changes no mistake of another one.
        rng = random.Random(f"{SEED} {name}")
        found = 0
        for _ in range(of_each):
            findings = corpus.findings(maker(corpus, rng), name.startswith(NEW))
            # The corpus of today has none, so any finding is about the mistake.
            found += any(True for _ in findings)
        numbers[name] = (of_each, found)
    return numbers


def table(numbers, unforeseen):
    """Return the numbers in Markdown: a row for each kind of which one is missed."""
    lines = ["| kind of mistake | made | found |", "|---|---:|---:|"]
    lines += _lines(numbers, "all of these")
    lines += _lines(unforeseen, "all that were thought of without a look at the rules")
    return "\n".join(lines)


def _lines(numbers, total):
    for name, (made, found) in numbers.items():
        if found < made:
            yield f"| {name} | {made} | {found} |"
    made, found = (sum(column) for column in zip(*numbers.values(), strict=True))
    yield f"| **{total}** | {made} | {found} ({100 * found / made:.0f} %) |"


def main():
    corpus = Corpus()
    text = PAGE.read_text("utf-8")
    text = replaced(text, START, table(tried(corpus, KINDS), tried(corpus, UNFORESEEN)), END)
    with tempfile.TemporaryDirectory() as folder:
        anew = list(tried_anew(Path(folder), OF_EACH_NEW_KIND))
    text = replaced(text, NEW_START, new_table(anew), NEW_END)
    PAGE.write_text(text, encoding="utf-8", newline="")


def replaced(text, start, new, end):
    """Return a text with other lines between two marks."""
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n{new}\n{end}{after}"


if __name__ == "__main__":
    main()
