"""Plausible mistakes in the corpus of today, by kind, and which of them the checks find.

A mistake is made in memory and checked by the functions that `corpus check` and `corpus diff` call;
claims are set aside, since they would find most of them by their numbers. Run as a module, it
writes the table of docs/decisions/testing.md.
"""

import random
from collections.abc import Callable
from datetime import date
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.releases import unlogged
from corpus.curation.check.check import CHECKS
from corpus.curation.check.row_rules import form_findings
from corpus.curation.check.rule import Tables
from corpus.curation.check.works.duplicates import address_findings, all_works, duplicate_findings
from corpus.curation.check.works.source_records import source_findings
from corpus.tables.columns import loop_findings
from corpus.tables.corpus_reader import load_corpus, read_tables
from corpus.tables.documents import read_codebook
from corpus.tables.sheet import read_sheet, sheet_of

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

    def __init__(self):
        data = str(DATA)
        self.book = read_codebook(data)
        self.sheets, _ = read_tables(data, self.book, read_sheet)
        self.study = load_corpus(data)
        tables = Tables(self.sheets, self.study)
        #: Warnings that the corpus accepts are found without any edit.
        found = [check.findings(tables) for check in CHECKS]
        found += [loop_findings(sheet, self.book, TODAY) for sheet in self.sheets.values()]
        self.accepted = {one.message for one in chain.from_iterable(found)}

    def keys(self, table):
        return list(self.study.tables[table].names())

    def cell(self, table, key, column):
        found = self.study.tables[table]
        position = self.keys(table).index(key)
        return found.rows[position][found.spec.position(column)]

    def column(self, table, column):
        return dict(zip(self.keys(table), self.study.tables[table].column(column), strict=True))

    def findings(self, edits):
        """Yield what is found after an edit, the quick checks first."""
        study = self._edited(edits)
        sheets = dict(self.sheets)
        edited = {edit.table for edit in edits} or set(sheets)
        for name in {edit.table for edit in edits}:
            sheets[name] = sheet_of(study.tables[name])
        for name in edited:
            for finding in loop_findings(sheets[name], self.book, TODAY):
                if finding.message not in self.accepted:
                    yield finding
            yield from form_findings(sheets[name])
        for check in CHECKS:
            for finding in check.findings(Tables(sheets, self.study)):
                if finding.message not in self.accepted:
                    yield finding
        yield from source_findings(sheets, self.book)
        for note in unlogged(Delta.between(self.study, study)):
            yield note.finding
        works = all_works(sheets, self.book)
        yield from address_findings(works)
        yield from duplicate_findings(works)

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
            lines = list(range(2, len(rows) + 2))
            tables[edit.table] = table._replace(rows=rows, lines=lines, text="")
        return self.study.with_tables(tables)


Maker = Callable[[Corpus, random.Random], list[Edit]]


def changed(table, column, change, fits=bool):
    """Change one of the cells that fit: all that are not empty, unless told otherwise."""

    def make(corpus, rng):
        cells = corpus.column(table, column)
        key = rng.choice([key for key, cell in cells.items() if fits(cell)])
        return [Edit(table, key, column, change(cells[key], rng))]

    return make


def other_cell(table, column):
    """Copy a cell from another row."""

    def make(corpus, rng):
        key, cell = _some(corpus, rng, table, column)
        return [Edit(table, key, column, _other(corpus, rng, table, column, cell))]

    return make


def other_term(table, column):
    """Choose another term of the vocabulary."""

    def make(corpus, rng):
        key, cell = _some(corpus, rng, table, column)
        terms = corpus.book.vocabulary_of(corpus.book.tables[table].column(column)).ids
        return [Edit(table, key, column, rng.choice([term for term in terms if term != cell]))]

    return make


def authors(change, least=1):
    """Change the list of names where a work has more than so many."""

    def of_cell(cell, rng):
        return "; ".join(change(cell.split("; "), rng))

    return changed("bibliography", "authors", of_cell, lambda cell: cell.count(";") >= least)


def _some(corpus, rng, table, column):
    """Return key and cell of a row whose cell is not empty."""
    filled = [(key, cell) for key, cell in corpus.column(table, column).items() if cell]
    return rng.choice(filled)


def _other(corpus, rng, table, column, than):
    return rng.choice([c for c in corpus.column(table, column).values() if c and c != than])


def swapped_letters(title, rng):
    places = []
    for n in range(1, len(title) - 1):
        if title[n : n + 2].isalpha() and title[n].lower() != title[n + 1].lower():
            places.append(n)
    n = rng.choice(places)
    return title[:n] + title[n + 1] + title[n] + title[n + 2 :]


def look_alike(title, rng):
    n = rng.choice([n for n, letter in enumerate(title) if letter in LOOK_ALIKE])
    return title[:n] + LOOK_ALIKE[title[n]] + title[n + 1 :]


def without_one(parts, rng):
    del parts[rng.randrange(len(parts))]
    return parts


def swapped_names(names, rng):
    n = rng.randrange(len(names) - 1)
    names[n], names[n + 1] = names[n + 1], names[n]
    return names


def one_name(change):
    """Change one of the names that have a given name."""

    def of_names(names, rng):
        n = rng.choice([n for n, name in enumerate(names) if ", " in name])
        names[n] = change(*names[n].split(", ", 1))
        return names

    return of_names


def without_letter(names, rng):
    n = rng.randrange(len(names))
    family, comma, given = names[n].partition(",")
    place = rng.randrange(1, len(family))
    names[n] = family[:place] + family[place + 1 :] + comma + given
    return names


def other_digit(cell, rng, place):
    digit = rng.choice([d for d in "0123456789" if d != cell[place]])
    return cell[:place] + digit + cell[place:][1:]


def digit_of_arxiv(cell, rng):
    return other_digit(cell, rng, rng.randrange(5, len(cell)))


def digit_of_doi(cell, rng):
    places = [n for n, d in enumerate(cell) if d.isdigit() and n > cell.index("/")]
    return other_digit(cell, rng, rng.choice(places))


def other_month(cell, rng):
    month = rng.choice([m for m in range(1, 13) if f"-{m:02d}" != cell[4:7]])
    return f"{cell[:4]}-{month:02d}{cell[7:]}"


def other_day(cell, rng):
    day = rng.choice([d for d in range(1, 29) if f"{d:02d}" != cell[8:]])
    return f"{cell[:8]}{day:02d}"


def other_person(corpus, rng):
    cells = corpus.column("bibliography", "authors")
    key = rng.choice([key for key, cell in cells.items() if cell.count(";") >= 1])
    return [Edit("pool", key, "first_author", cells[key].split("; ")[1])]


def digit_in_two_cells(corpus, rng):
    ids, urls = corpus.column("pool", "arxiv_id"), corpus.column("pool", "url")
    key = rng.choice([key for key, cell in ids.items() if cell and cell in urls[key]])
    wrong = digit_of_arxiv(ids[key], rng)
    return [
        Edit("pool", key, "arxiv_id", wrong),
        Edit("pool", key, "url", urls[key].replace(ids[key], wrong)),
    ]


def other_tag(corpus, rng):
    return other_term("pool", rng.choice(corpus.book.pool.axis_names))(corpus, rng)


def individual_with_team(table, prefix=""):
    def make(corpus, rng):
        key = rng.choice(corpus.keys(table))
        return [
            Edit(table, key, f"{prefix}reward_type", "individual"),
            Edit(table, key, f"{prefix}credit_granularity", "team"),
        ]

    return make


def copied_text(corpus, rng):
    return other_cell("pool", rng.choice(("one_liner", "notes")))(corpus, rng)


def equal_values(corpus, rng):
    key = rng.choice(corpus.keys("corrections"))
    return [Edit("corrections", key, "published", corpus.cell("corrections", key, "corrected"))]


def removed_correction(corpus, rng):
    return [Edit("corrections", rng.choice(corpus.keys("corrections")), "", None)]


def shorter_reference(corpus, rng):
    table = rng.choice(("bibliography", "corrections", "admission"))
    key = rng.choice(corpus.keys(table))
    return [Edit(table, key, "key", key[:-1])]


# One kind a row.
# fmt: off
KINDS: dict[str, Maker] = {
    "title: two letters swapped": changed("pool", "title", swapped_letters),
    "title: cut at its end": changed("pool", "title", lambda cell, rng: cell.rsplit(" ", rng.randint(1, 2))[0], lambda cell: len(cell.split()) > 4),
    "title: a letter of another script": changed("pool", "title", look_alike),
    "title: a word left out": changed("pool", "title", lambda cell, rng: " ".join(without_one(cell.split(), rng))),
    "title: that of another entry": other_cell("pool", "title"),
    "authors: one left out": authors(without_one),
    "authors: two in another order": authors(swapped_names),
    "authors: family and given name swapped": authors(one_name(lambda family, given: f"{given}, {family}")),
    "authors: et al.": authors(lambda names, _: [names[0], "et al."], 2),
    "authors: a letter left out of a name": authors(without_letter),
    "first author: another person of the work": other_person,
    "year: one more or less": changed("pool", "year", lambda cell, rng: str(int(cell) + rng.choice((-1, 1)))),
    "year: that of another entry": other_cell("pool", "year"),
    "arXiv identifier: one digit": changed("pool", "arxiv_id", digit_of_arxiv),
    "arXiv identifier and address: one digit in both": digit_in_two_cells,
    "DOI: one digit": changed("bibliography", "doi", digit_of_doi),
    "DOI: that of another entry": other_cell("bibliography", "doi"),
    "address: that of another entry": other_cell("pool", "url"),
    "address: a letter of its end": changed("pool", "url", lambda cell, _: f"{cell[:-2]}q", lambda cell: " " not in cell),
    "first public: another month": changed("bibliography", "first_public", other_month, lambda cell: len(cell) >= 7),
    "first public: another day": changed("bibliography", "first_public", other_day, lambda cell: len(cell) == 10),
    "venue: that of another entry": other_cell("pool", "venue"),
    "tag: another term": other_tag,
    "tags: individual reward with team credit": individual_with_team("pool"),
    "tag of a near miss: impossible with another": individual_with_team("near_misses", "would_be_"),
    "key: capital letters": changed("pool", "key", lambda cell, _: cell.capitalize()),
    "text: copied from another row": copied_text,
    "exclusion: screened after the cutoff": changed("exclusions", "date_screened", lambda _, rng: f"2026-05-{rng.randint(5, 28):02d}"),
    "exclusion: screened before the search": changed("exclusions", "date_screened", lambda _, rng: f"2025-04-{rng.randint(1, 28):02d}"),
    "exclusion: another stage": other_term("exclusions", "stage"),
    "exclusion: reason copied from another row": other_cell("exclusions", "exclusion_reason"),
    "correction: both values equal": equal_values,
    "correction: removed": removed_correction,
    "reference: a key with one letter less": shorter_reference,
}
# fmt: on


def tried(corpus):
    """Return by kind how many mistakes were made and how many of them found."""
    numbers = {}
    for name, maker in KINDS.items():
        # A kind that is added changes no mistake of another one.
        rng = random.Random(f"{SEED} {name}")
        found = 0
        for _ in range(OF_EACH_KIND):
            findings = corpus.findings(maker(corpus, rng))
            # The corpus of today has none, so any finding is about the mistake.
            found += any(True for _ in findings)
        numbers[name] = (OF_EACH_KIND, found)
    return numbers


def table(numbers):
    """Return the numbers in Markdown: a row for each kind of which one is missed."""
    lines = ["| kind of mistake | made | found |", "|---|---:|---:|"]
    for name, (made, found) in numbers.items():
        if found < made:
            lines.append(f"| {name} | {made} | {found} |")
    made, found = map(sum, zip(*numbers.values(), strict=True))
    lines.append(f"| **all of these** | {made} | {found} ({100 * found / made:.0f} %) |")
    return "\n".join(lines)


def main():
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    text = f"{before}{START}\n{table(tried(Corpus()))}\n{END}{rest.partition(END)[2]}"
    PAGE.write_text(text, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
