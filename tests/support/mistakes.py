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

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.releases import unlogged
from corpus.curation.check.check import CHECKS
from corpus.curation.check.rows import form_findings
from corpus.curation.check.rule import Tables
from corpus.curation.check.works.addresses import address_findings
from corpus.curation.check.works.duplicates import all_works, duplicate_findings
from corpus.curation.check.works.source_records import source_findings
from corpus.tables.cells import broken
from corpus.tables.corpus_reader import load_corpus, read_tables
from corpus.tables.documents import read_codebook
from corpus.tables.sheet import ColumnarTable, read_sheet
from corpus.tables.terms import UNDECLARED_TERM
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
        tables = Tables(self.sheets, self.study)
        #: Warnings that the corpus accepts are found without any edit.
        self.accepted = {one.message for check in CHECKS for one in check.findings(tables)}

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
            yield from form_findings(sheets[name])
        for check in CHECKS:
            for finding in check.findings(Tables(sheets, self.study)):
                if finding.message not in self.accepted:
                    yield finding
        yield from address_findings(sheets, self.book)
        yield from source_findings(sheets, self.book)
        if not is_new:
            for note in unlogged(Delta.between(self.study, study)):
                yield note.finding
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
        for rule, advice in broken(edit.value, column, TODAY):
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


def changed(table, column, change, fits=bool):
    """Change one of the cells that fit: all that are not empty, unless told otherwise."""

    def make(corpus, rng):
        cells = corpus.column(table, column)
        key = rng.choice([key for key, cell in cells.items() if fits(cell)])
        return [Edit(table, key, column, change(cells[key], rng))]

    return make


def replaced_by(value, table, column):
    """Write a text into one of the cells that have another one."""
    return changed(table, column, lambda *_: value, lambda cell: cell != value)


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


def day_for_month(cell, _=None):
    """The day in place of the month and the month in that of the day, where that is another date."""
    year, *rest = cell.split("-")
    if len(rest) == 2 and int(rest[1]) <= 12 and rest[0] != rest[1]:
        return f"{year}-{rest[1]}-{rest[0]}"
    return ""


def earlier(years, pattern, behind=""):
    """Write the first year of a pattern so many years earlier."""

    def change(cell, _):
        year = re.search(pattern, cell)[0][:4]
        return cell.replace(year + behind, str(int(year) - years) + behind, 1 if behind else -1)

    return change


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


def trained_but_tagged_as_not(corpus, rng):
    tags, rewards = corpus.column("pool", "is_rl"), corpus.column("pool", "reward_type")
    key = rng.choice([key for key, tag in tags.items() if tag == "yes" and rewards[key] != "NA"])
    return [Edit("pool", key, "is_rl", "no")]


def tags_of_another(corpus, rng):
    key, other = rng.sample(corpus.keys("pool"), 2)
    names = ("reward_type", "credit_granularity", "orchestration_form")
    return [Edit("pool", key, name, corpus.cell("pool", other, name)) for name in names]


def author_and_affiliation(corpus, rng):
    key = rng.choice(corpus.keys("pool"))
    author, affiliation = (corpus.cell("pool", key, n) for n in ("first_author", "affiliation"))
    return [
        Edit("pool", key, "first_author", affiliation),
        Edit("pool", key, "affiliation", author),
    ]


def about_another(corpus, rng):
    key, cell = _some(corpus, rng, "scale", "key")
    return [Edit("scale", key, "key", rng.choice([k for k in corpus.keys("pool") if k != cell]))]


def identifier_of_an_entry(corpus, rng):
    key = rng.choice(corpus.keys("exclusions"))
    _, arxiv = _some(corpus, rng, "pool", "arxiv_id")
    return [Edit("exclusions", key, "identifier", f"arXiv:{arxiv}")]


def of_another_column(corpus, rng):
    key, column = rng.choice(corpus.study.tables["corrections"].rows)[:2]
    names = [name for name in corpus.book.pool.header if name not in (column, "key")]
    return [Edit("corrections", key, "column", rng.choice(names))]


def team_where_nothing_is_trained(corpus, rng):
    tags = corpus.column("near_misses", "would_be_is_rl")
    key = rng.choice([key for key, tag in tags.items() if tag == "no"])
    return [Edit("near_misses", key, "would_be_reward_type", rng.choice(("shared", "debate")))]


#: How the name of a kind begins whose entry is in no release yet.
NEW = "new entry: "
# One kind a row.
# fmt: off
#: The kinds that the rules were written for, or beside.
KINDS: dict[str, Maker] = {
    "title: two letters swapped": changed("pool", "title", swapped_letters),
    "title: cut at its end": changed("pool", "title", lambda cell, rng: cell.rsplit(" ", rng.randint(1, 2))[0], lambda cell: len(cell.split()) > 4),
    "title: a letter of another script": changed("pool", "title", look_alike),
    "title: in capitals": changed("pool", "title", lambda cell, _: cell.upper()),
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
    "address: http for https": changed("pool", "url", lambda cell, _: cell.replace("https://", "http://")),
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
#: Kinds that were thought of without a look at the rules.
UNFORESEEN: dict[str, Maker] = {
    f"{NEW}trained, and tagged as not": trained_but_tagged_as_not,
    f"{NEW}the reward left open": replaced_by("NA", "pool", "reward_type"),
    f"{NEW}the credit left open": replaced_by("NA", "pool", "credit_granularity"),
    f"{NEW}another category": other_term("pool", "category"),
    f"{NEW}the tags of another entry": tags_of_another,
    "affiliation: that of another entry": other_cell("pool", "affiliation"),
    "names: letters broken by an encoding": changed("bibliography", "authors", lambda cell, _: cell.encode().decode("latin-1"), lambda cell: not cell.isascii()),
    "names: initials for given names": authors(one_name(lambda family, given: f"{family}, {given[0]}.")),
    "authors: one of them twice": authors(lambda names, rng: [*names, rng.choice(names)]),
    "title: a dash for a hyphen": changed("pool", "title", lambda cell, _: cell.replace("-", "\u2013", 1), lambda cell: "-" in cell),
    "text: a no-break space": changed("pool", "one_liner", lambda cell, _: cell.replace(" ", "\u00a0", 1)),
    "text: cut within a word": changed("pool", "one_liner", lambda cell, _: cell[: 2 * len(cell) // 3].rstrip()),
    "text: another year in a date": changed("pool", "notes", earlier(1, r"20\d\d-\d\d", "-"), re.compile(r"20\d\d-\d\d").search),
    "arXiv identifier: with its version": changed("pool", "arxiv_id", lambda cell, _: f"{cell}v2"),
    "address: of the file for the page of the work": changed("pool", "url", lambda cell, _: cell.replace("/abs/", "/pdf/"), lambda cell: "arxiv.org/abs/" in cell),
    "first public: day and month swapped": changed("bibliography", "first_public", day_for_month, day_for_month),
    "venue: another year": changed("pool", "venue", earlier(2, r"20\d\d"), re.compile(r"20\d\d").search),
    "cells: author and affiliation swapped": author_and_affiliation,
    "evidence: a number ten times as large": changed("scale", "value", lambda cell, _: f"{cell}0", lambda cell: cell.isdigit() and cell != "0"),
    "evidence: the level of another kind of source": other_term("admission", "evidence_level"),
    "evidence: about another entry": about_another,
    "exclusion: one digit of its identifier": changed("exclusions", "identifier", lambda cell, rng: other_digit(cell, rng, -1), lambda cell: cell.startswith("arXiv:")),
    "exclusion: the identifier of an entry": identifier_of_an_entry,
    "correction: of another column": of_another_column,
    "near miss: nothing trained, and a reward of a team": team_where_nothing_is_trained,
}
# fmt: on


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
