"""Plausible mistakes in the corpus of today, by kind, and which of them the checks find.

A mistake is made in memory and checked by the functions that `corpus check` and `corpus diff` call;
claims are set aside, since they would find most of them by their numbers. Run as a module, it
writes the table of docs/decisions/testing.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from corpus.curation.changes.changes import compare
from corpus.curation.changes.weakened import unlogged_findings
from corpus.curation.check.cells import cell_trouble
from corpus.curation.check.check import all_works
from corpus.curation.check.copied import copied_findings
from corpus.curation.check.references import reference_findings
from corpus.curation.check.rows import row_findings
from corpus.curation.check.screening_log import log_findings
from corpus.curation.check.works.addresses import address_findings
from corpus.curation.check.works.duplicates import duplicate_findings
from corpus.curation.check.works.source_records import source_findings
from corpus.curation.check.works.years import year_findings
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus, read_tables
from corpus.tables.documents import read_codebook, read_documents
from corpus.tables.sheet import ColumnarTable, read_sheet

DATA = Path(__file__).parents[2] / "data"
PAGE = Path(__file__).parents[2] / "docs/decisions/testing.md"
START, END = "<!-- mistakes: start -->", "<!-- mistakes: end -->"
TODAY = date(2026, 6, 1)
SEED = 20260504
OF_EACH_KIND = 6
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

    def __init__(self) -> None:
        data = str(DATA)
        self.book = read_codebook(data)
        self.sheets, _ = read_tables(data, self.book, read_sheet)
        self.documents = read_documents(data, self.book).decoded
        self.study = load_corpus(data)
        self.released = frozenset(self.study.pool.names())

    def keys(self, table: str) -> list[str]:
        return list(self.study.tables[table].names())

    def cell(self, table: str, key: str, column: str) -> str:
        found = self.study.tables[table]
        position = self.keys(table).index(key)
        return found.rows[position][found.spec.position(column)]

    def column(self, table: str, column: str) -> dict[str, str]:
        return dict(zip(self.keys(table), self.study.tables[table].column(column), strict=True))

    def findings(self, edits: list[Edit]) -> list[tuple[str, str, str]]:
        """Return code, table file and column of each finding."""
        study = self._edited(edits)
        sheets = dict(self.sheets)
        for name in {edit.table for edit in edits}:
            sheets[name] = _sheet(study.tables[name])
        found = [
            *reference_findings(sheets, self.book, self.documents),
            *source_findings(sheets, self.book),
            *address_findings(sheets, self.book),
            *year_findings(sheets, self.book),
            *log_findings(sheets, self.book, self.documents),
            *duplicate_findings(all_works(sheets, self.book)),
        ]
        for name in {edit.table for edit in edits}:
            found += row_findings(sheets[name], self.book)
            found += copied_findings(sheets[name])
        found += unlogged_findings(self.study, study, compare(self.study, study), self.released)
        codes = [(finding.code, finding.file, finding.column) for finding in found]
        for edit in edits:
            codes += self._cell_codes(edit)
        return codes

    def _cell_codes(self, edit: Edit) -> Iterator[tuple[str, str, str]]:
        if edit.value is None:
            return
        spec = self.book.tables[edit.table]
        column = spec.column(edit.column)
        if column.type == "term":
            if edit.value not in self.book.vocabulary_of(column).ids:
                yield ("C202", spec.file, column.name)
            return
        for rule, _ in cell_trouble(edit.value, column, TODAY):
            yield (rule.code, spec.file, column.name)

    def _edited(self, edits: list[Edit]) -> Study:
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


def _sheet(table: Table) -> ColumnarTable:
    arrays = [pa.array(table.column(name), pa.string()) for name in table.spec.header]
    columns = pa.table(arrays, names=list(table.spec.header))
    # Without a size there is no canonical form to compare with: a row more or less is no finding.
    return ColumnarTable(table.spec, table.file, columns, None, None)


Maker = Callable[[Corpus, random.Random], list[Edit]]
KINDS: dict[str, Maker] = {}


def kind(name: str) -> Callable[[Maker], Maker]:
    def declare(maker: Maker) -> Maker:
        KINDS[name] = maker
        return maker

    return declare


def _some(corpus: Corpus, rng: random.Random, table: str, column: str) -> tuple[str, str]:
    """Return key and cell of a row whose cell is not empty."""
    filled = [(key, cell) for key, cell in corpus.column(table, column).items() if cell]
    return rng.choice(filled)


def _other(corpus: Corpus, rng: random.Random, table: str, column: str, than: str) -> str:
    return rng.choice([c for c in corpus.column(table, column).values() if c and c != than])


@kind("title: two letters swapped")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, title = _some(corpus, rng, "pool", "title")
    places = [
        n
        for n in range(1, len(title) - 1)
        if title[n : n + 2].isalpha() and title[n].lower() != title[n + 1].lower()
    ]
    n = rng.choice(places)
    return [Edit("pool", key, "title", title[:n] + title[n + 1] + title[n] + title[n + 2 :])]


@kind("title: cut at its end")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    titles = corpus.column("pool", "title")
    key = rng.choice([key for key, title in titles.items() if len(title.split()) > 4])
    return [Edit("pool", key, "title", titles[key].rsplit(" ", rng.randint(1, 2))[0])]


@kind("title: a letter of another script")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, title = _some(corpus, rng, "pool", "title")
    n = rng.choice([n for n, letter in enumerate(title) if letter in LOOK_ALIKE])
    return [Edit("pool", key, "title", title[:n] + LOOK_ALIKE[title[n]] + title[n + 1 :])]


@kind("title: in capitals")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, title = _some(corpus, rng, "pool", "title")
    return [Edit("pool", key, "title", title.upper())]


@kind("title: a word left out")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, title = _some(corpus, rng, "pool", "title")
    words = title.split()
    del words[rng.randrange(len(words))]
    return [Edit("pool", key, "title", " ".join(words))]


@kind("title: that of another entry")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, title = _some(corpus, rng, "pool", "title")
    return [Edit("pool", key, "title", _other(corpus, rng, "pool", "title", title))]


def _authors(corpus: Corpus, rng: random.Random, least: int) -> tuple[str, list[str]]:
    cells = corpus.column("bibliography", "authors")
    key = rng.choice([key for key, cell in cells.items() if cell.count(";") >= least])
    return key, cells[key].split("; ")


@kind("authors: one left out")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 1)
    del names[rng.randrange(len(names))]
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: two in another order")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 1)
    n = rng.randrange(len(names) - 1)
    names[n], names[n + 1] = names[n + 1], names[n]
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: family and given name swapped")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 1)
    n = rng.choice([n for n, name in enumerate(names) if ", " in name])
    names[n] = ", ".join(reversed(names[n].split(", ", 1)))
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("authors: et al.")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 2)
    return [Edit("bibliography", key, "authors", f"{names[0]}; et al.")]


@kind("authors: a letter left out of a name")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 1)
    n = rng.randrange(len(names))
    family, comma, given = names[n].partition(",")
    place = rng.randrange(1, len(family))
    names[n] = family[:place] + family[place + 1 :] + comma + given
    return [Edit("bibliography", key, "authors", "; ".join(names))]


@kind("first author: another person of the work")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, names = _authors(corpus, rng, 1)
    return [Edit("pool", key, "first_author", names[1])]


@kind("year: one more or less")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, year = _some(corpus, rng, "pool", "year")
    return [Edit("pool", key, "year", str(int(year) + rng.choice((-1, 1))))]


@kind("year: that of another entry")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, year = _some(corpus, rng, "pool", "year")
    return [Edit("pool", key, "year", _other(corpus, rng, "pool", "year", year))]


@kind("arXiv identifier: one digit")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "pool", "arxiv_id")
    place = rng.randrange(5, len(cell))
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    return [Edit("pool", key, "arxiv_id", cell[:place] + digit + cell[place + 1 :])]


@kind("arXiv identifier and address: one digit in both")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
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
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "bibliography", "doi")
    place = rng.choice([n for n, d in enumerate(cell) if d.isdigit() and n > cell.index("/")])
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    return [Edit("bibliography", key, "doi", cell[:place] + digit + cell[place + 1 :])]


@kind("DOI: that of another entry")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "bibliography", "doi")
    other = _other(corpus, rng, "bibliography", "doi", cell)
    return [Edit("bibliography", key, "doi", other)]


@kind("address: that of another entry")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "pool", "url")
    return [Edit("pool", key, "url", _other(corpus, rng, "pool", "url", cell))]


@kind("address: http for https")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "pool", "url")
    return [Edit("pool", key, "url", cell.replace("https://", "http://"))]


@kind("address: a letter of its end")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    urls = corpus.column("pool", "url")
    key = rng.choice([key for key, cell in urls.items() if " " not in cell])
    return [Edit("pool", key, "url", urls[key][:-2] + "q")]


@kind("first public: another month")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    dates = corpus.column("bibliography", "first_public")
    key = rng.choice([key for key, cell in dates.items() if len(cell) >= 7])
    cell = dates[key]
    month = rng.choice([m for m in range(1, 13) if f"-{m:02d}" != cell[4:7]])
    return [Edit("bibliography", key, "first_public", f"{cell[:4]}-{month:02d}{cell[7:]}")]


@kind("first public: another day")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    dates = corpus.column("bibliography", "first_public")
    key = rng.choice([key for key, cell in dates.items() if len(cell) == 10])
    day = rng.choice([d for d in range(1, 29) if f"{d:02d}" != dates[key][8:]])
    return [Edit("bibliography", key, "first_public", f"{dates[key][:8]}{day:02d}")]


@kind("venue: that of another entry")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "pool", "venue")
    return [Edit("pool", key, "venue", _other(corpus, rng, "pool", "venue", cell))]


@kind("tag: another term")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    column, vocabulary = corpus.book.axis(rng.choice([c.name for c in corpus.book.pool.axes]))
    key, cell = _some(corpus, rng, "pool", column.name)
    term = rng.choice([term for term in vocabulary.ids if term != cell])
    return [Edit("pool", key, column.name, term)]


@kind("tags: individual reward with team credit")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("pool"))
    return [
        Edit("pool", key, "reward_type", "individual"),
        Edit("pool", key, "credit_granularity", "team"),
    ]


@kind("tag of a near miss: impossible with another")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("near_misses"))
    return [
        Edit("near_misses", key, "would_be_reward_type", "individual"),
        Edit("near_misses", key, "would_be_credit_granularity", "team"),
    ]


@kind("key: capital letters")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("pool"))
    return [Edit("pool", key, "key", key.capitalize())]


@kind("text: copied from another row")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    name = rng.choice(("one_liner", "notes"))
    key, cell = _some(corpus, rng, "pool", name)
    return [Edit("pool", key, name, _other(corpus, rng, "pool", name, cell))]


@kind("exclusion: screened after the cutoff")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("exclusions"))
    return [Edit("exclusions", key, "date_screened", f"2026-05-{rng.randint(5, 28):02d}")]


@kind("exclusion: screened before the search")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("exclusions"))
    return [Edit("exclusions", key, "date_screened", f"2025-04-{rng.randint(1, 28):02d}")]


@kind("exclusion: another stage")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "exclusions", "stage")
    stages = corpus.book.vocabularies["stage"].ids
    return [Edit("exclusions", key, "stage", rng.choice([s for s in stages if s != cell]))]


@kind("exclusion: reason copied from another row")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key, cell = _some(corpus, rng, "exclusions", "exclusion_reason")
    other = _other(corpus, rng, "exclusions", "exclusion_reason", cell)
    return [Edit("exclusions", key, "exclusion_reason", other)]


@kind("correction: both values equal")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    key = rng.choice(corpus.keys("corrections"))
    rows = corpus.study.tables["corrections"]
    row = next(row for row in rows.rows if row[0] == key)
    return [Edit("corrections", key, "published", row[rows.spec.position("corrected")])]


@kind("correction: removed")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    return [Edit("corrections", rng.choice(corpus.keys("corrections")), "", None)]


@kind("reference: a key with one letter less")
def _(corpus: Corpus, rng: random.Random) -> list[Edit]:
    table = rng.choice(("bibliography", "corrections", "admission"))
    key = rng.choice(corpus.keys(table))
    return [Edit(table, key, "key", key[:-1])]


def tried(corpus: Corpus, of_each: int = OF_EACH_KIND) -> Mapping[str, tuple[int, int]]:
    """Return by kind how many mistakes were made and how many of them found."""
    rng = random.Random(SEED)
    known = Counter(corpus.findings([]))
    numbers = {}
    for name, maker in KINDS.items():
        found = 0
        for _ in range(of_each):
            codes = Counter(corpus.findings(maker(corpus, rng)))
            if codes - known:
                found += 1
        numbers[name] = (of_each, found)
    return numbers


def table(numbers: Mapping[str, tuple[int, int]]) -> str:
    """Return the numbers as a table in Markdown."""
    lines = ["| kind of mistake | made | found |", "|---|---:|---:|"]
    for name, (made, found) in numbers.items():
        lines.append(f"| {name} | {made} | {found} |")
    made, found = (sum(column) for column in zip(*numbers.values(), strict=True))
    lines.append(f"| all | {made} | {found} ({100 * found / made:.0f} %) |")
    return "\n".join(lines)


def main() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    new = f"{before}{START}\n{table(tried(Corpus()))}\n{END}{after}"
    PAGE.write_text(new, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
