"""One cell of every column at a time holds something nasty: each command succeeds or names the cell, none crashes."""

import tomllib
from functools import partial

import pytest

from corpus.analysis.cards.card import card_text, cards
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import notes_of
from corpus.curation.check.check import check_corpus
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.publishing.appendix.appendix import Appendix, appendix_text
from corpus.publishing.appendix.parts import card_part
from corpus.publishing.export.formats import FORMATS, export_files
from corpus.publishing.page.page import site_page
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text
from tests.corpora.minimal import CODEBOOK, FILES
from tests.support.daily import EVERY

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
NASTY = {
    "empty": "",
    "blank": " ",
    "DOI of dots": "https://doi.org/10.1145/...",
    "identifier of dots": "doi:10.1145/...",
    "begun DOI": "10.1145/",
    "cut DOI": "https://doi.org/10.1145/36... ; https://fen.example/",
    "arXiv of month 13": "arXiv:2013.00001",
    "arXiv alone": "https://arxiv.org/abs/",
    "OpenReview alone": "https://openreview.net/forum?id=",
    "port": "https://a.b:99999999999/",
    "bracket": "https://[::1",
    "5,000 digits": "9" * 5_000,
    "other digits": "²٢",
    "year 0": "0000",
    "year 1": "0001-05",
    "last day": "9999-12-31",
    "no day": "9999-99-99",
    "negative": "-1",
    "exponent": "1e999",
    "not a number": "nan",
    "NUL-like": "\u2400\x01\\0",
    "direction": "\u202eabc\u200f",
    "no character": "\ufffe\U0010ffff",
    "quotes": "\"',;\n\t`",
    "formula": "=1+1",
    "markup": "<script>${{7*7}}\\input{x}|_*[a](b)::error::##[x]",
    "separators": "; ; ;",
    "commas": ",,,,",
    "braces": "{" * 300,
    "long": "a " * 40_000,
    "too long": "x" * 100_001,
}
PLACES = [(spec.name, column.name) for spec in BOOK.tables.values() for column in spec.columns]


def with_cell(table, column, cell):
    """A table of the minimal corpus, the cell of its first row replaced."""
    spec = BOOK.tables[table]
    rows = [list(row) for row in parse_table(FILES[spec.file].encode(), spec, spec.file).rows]
    if not rows:
        rows = [["C216", "sensors", "clay", "name", "x", "Because."]]
    rows[0][spec.position(column)] = cell
    return canonical_text([tuple(row) for row in rows], spec).encode()


def outcome(make, *arguments):
    """What a command makes, or the findings that it names instead."""
    try:
        return make(*arguments)
    except CorpusError as error:
        assert error.findings
        return error.findings


def try_all(data, before, turn=0, turns=1):
    """Check, load, compare, export in every format and make the page; of several turns, each makes its part."""
    # The columns are checked by the same functions with pandera and without, which takes a third of the time.
    found = outcome(partial(check_corpus, schemas=turns == 1), str(data))
    after = outcome(load_corpus, str(data))
    if not isinstance(after, list):
        outcome(lambda: notes_of(Delta.between(before, after)))
        made = [partial(export_files, name) for name in FORMATS]
        made += [site_page, card_texts]
        for make in made[turn::turns]:
            outcome(make, after)
    return found


def card_texts(study):
    """Every entry as a card in each format."""
    made = cards(study, list(study.entries))
    part = card_part(made)
    appendix = Appendix("Cards", "", (part,))
    written = ["".join(appendix_text(appendix, name)) for name in ("latex", "markdown", "html")]
    return [*(card_text(card, 80) for card in made), *written]


def with_rows(table, column):
    """A table of the minimal corpus with one more row for each nasty cell that may be read at all."""
    spec = BOOK.tables[table]
    rows = [list(row) for row in parse_table(FILES[spec.file].encode(), spec, spec.file).rows]
    first = rows[0]
    for number, cell in enumerate(cell for cell in NASTY.values() if len(cell) <= 100_000):
        row = list(first)
        row[spec.position(spec.key[0])] = f"zz{number:02}"
        row[spec.position(column)] = cell
        rows.append(row)
    return canonical_text([tuple(row) for row in rows], spec).encode()


@pytest.mark.parametrize(
    ("table", "column"), [place for place in PLACES if place[0] in ("sensors", "rejected")]
)
def test_nasty_cells_beside_each_other_are_written_or_named(minimal, table, column):
    before = load_corpus(str(minimal))
    (minimal / BOOK.tables[table].file).write_bytes(with_rows(table, column))
    assert try_all(minimal, before)


def test_an_incomplete_doi_is_named(minimal):
    cell = "doi:10.1145/..."
    (minimal / "rejected.csv").write_bytes(with_cell("rejected", "found", cell))
    found = {(f.code, f.line, f.column, f.value) for f in check_corpus(str(minimal))}
    assert ("C220", 2, "found", cell) in found


@pytest.mark.slow
@pytest.mark.parametrize("table", BOOK.tables)
@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_cell_is_written_or_named(minimal, table, name):
    """Each cell in every sixth column, for a sixth of the formats; the test above has all of both. With EVERY: all columns."""
    before = load_corpus(str(minimal))
    spec = BOOK.tables[table]
    first = list(NASTY).index(name)
    for place, column in enumerate(spec.header, first):
        if place % 6 and not EVERY:
            continue
        (minimal / spec.file).write_bytes(with_cell(table, column, NASTY[name]))
        try_all(minimal, before, place // 6 % 6, 6)
