"""Near titles: every small edit is found, and no pair is compared that sorting did not bring near."""

import random
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.bibliography.same_works import near_titles
from corpus.curation.check.works.duplicates import Works, duplicate_findings, matches_with
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.identifiers import identities
from corpus.model.table import Table
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.sheet import sheet_of
from tests.corpora.minimal import CODEBOOK

WORDS = "learning credit team agents policy reward message token graph tree depth search plan debate role"


def titles(count, seed):
    chance = random.Random(seed)
    return [
        "".join(chance.choices(WORDS.split(), k=7)) + f"{number:05d}" for number in range(count)
    ]


@given(st.integers(0, 10_000), st.integers(0, 30), st.sampled_from("abcdefgh"))
def test_a_title_with_one_letter_changed_is_found_among_many(seed, place, letter):
    many = titles(400, seed)
    original = many[seed % 400]
    place %= len(original)
    changed = original[:place] + letter + original[place + 1 :]
    if changed == original:
        return
    assert any(
        {first, second} == {original, changed} for first, second, _ in near_titles([*many, changed])
    )


def test_a_candidate_is_matched_by_each_kind(minimal):
    works = Works([sheet_of(load_corpus(str(minimal)).pool)])
    by_id = matches_with(works, Work(title="Something else", arxiv="2003.00001"))
    by_title = matches_with(works, Work(title="light in THE fen"))
    near = matches_with(works, Work(title="Temperature of till"))
    assert [(w.sheet.key(w.position), kind) for w, kind in (*by_id, *by_title, *near)] == [
        ("clay", "identifier"), ("fen", "title"), ("till", "near"),
    ]  # fmt: skip
    assert matches_with(works, Work(title="An entirely new probe")) == []


@given(st.lists(st.sampled_from([
    "2003.00001", "2003.00002", "hep-th/9901001", "", "1901.00001v2",
]), max_size=6), st.lists(st.sampled_from([
    "https://arxiv.org/abs/2003.00001", "https://arxiv.org/pdf/2003.00002v1", "https://doi.org/10.1234/x",
    "https://doi.org/10.48550/arXiv.2003.00001", "https://x.example/", "https://openreview.net/forum?id=abcdef1",
    "https://aclanthology.org/2025.acl-long.1/ ; https://arxiv.org/abs/2003.00002", "",
]), max_size=6))  # fmt: skip
def test_identities_in_columns_are_those_of_the_cells(ids, links):
    """The columnar way is only an acceleration of `identities`, cell by cell."""
    book = parse_codebook(tomllib.loads(CODEBOOK))
    rows = [
        (f"k{n}", "T", "A", "2020", arxiv, link, "none", "heat", "")
        for n, (arxiv, link) in enumerate(zip(ids, links, strict=False))
    ]
    works = Works([sheet_of(Table(book.pool, "f", rows, list(range(len(rows)))))])
    found = set(zip(works.holder.to_pylist(), works.identity.to_pylist(), strict=True))
    expected = set()
    for n, row in enumerate(rows):
        expected.update((n, name) for name in identities(*row[4:6]))
    assert found == expected


BOOK = parse_codebook(tomllib.loads(CODEBOOK))
PLAIN = ("Peat", "Marsh gas by ear", "Lichens of the far north", "A history of ditches")


def works_of(entries, log=()):
    """Entries by key, title, arXiv identifier and address, and records of the log by number, title and identifier."""
    rows = [
        (key, title, "A", "2020", arxiv, link, "none", "heat", "")
        for key, title, arxiv, link in entries
    ]
    records = [(key, "arXiv", title, identifier, "abstract") for key, title, identifier in log]
    lines = [3 * number + 2 for number in range(len(rows))]
    return Works([
        sheet_of(Table(BOOK.pool, "pool.csv", rows, lines)), sheet_of(Table(BOOK.tables["rejected"], "log.csv", records, [2, 3, 4])),
    ])  # fmt: skip


def pairs(works, **options):
    """The line of the second of two rows, and what is reported there."""
    return [f"{one.line}: {one.message}" for one in duplicate_findings(works, **options)]


def test_a_pair_is_reported_once_by_the_strongest_kind():
    entries = [
        ("a", "Marsh gas by ear", "2003.00001", ""), ("b", "Marsh gas, by ear", "", "https://arxiv.org/abs/2003.00001"),
        ("c", "Lichens of the far north", "2003.00002", ""), ("d", "Lichen of the far north", "2003.00002", ""),
        ("e", "Lichens of the far north", "2003.00003", ""),
    ]  # fmt: skip
    assert pairs(works_of(entries)) == [
        "5: arxiv:2003.00001 is also the identifier of a (pool.csv:2)",
        "11: arxiv:2003.00002 is also the identifier of c (pool.csv:8)",
    ]


def test_near_titles_are_paired_in_the_order_of_the_rows():
    entries = [
        ("a", "Zephyrs of the far north", "", ""),
        ("b", "Xephyrs of the far north", "", ""),
        ("c", PLAIN[1], "", ""),
    ]
    found = ["5: the title is 95 % the same as that of a (pool.csv:2)"]
    assert pairs(works_of(entries)) == found
    assert pairs(works_of(entries), near=False) == []
    assert pairs(works_of([*entries, ("d", "Xephyrs of the far north!", "", "")])) == [
        "11: the title is the same as that of b (pool.csv:5)", *found,
    ]  # fmt: skip


@pytest.mark.parametrize(("entry", "code", "column"), [
    (("b", "marsh GAS by ear", "", ""), "C304", "name"), (("b", "Marsh gases by ear", "", ""), "C305", "name"),
    (("b", PLAIN[0], "2003.00001", ""), "C303", "arxiv"), (("b", PLAIN[0], "", "https://arxiv.org/abs/2003.00001v2"), "C303", "link"),
])  # fmt: skip
def test_a_finding_is_at_the_second_entry(entry, code, column):
    first = ("a", "Marsh gas by ear", "", "https://arxiv.org/abs/2003.00001")
    (found,) = duplicate_findings(works_of([("0", PLAIN[3], "", ""), first, entry]))
    value = dict(zip(("name", "arxiv", "link"), entry[1:], strict=True))[column]
    assert (found.code, found.file, found.line, found.column, found.value) == (
        code,
        "pool.csv",
        8,
        column,
        value,
    )
    said = {"C303": "arxiv:2003.00001 ", "C304": "the title ", "C305": "93 % "}[code]
    assert said in found.message
    assert "a (pool.csv:5)" in found.message


@pytest.mark.parametrize(("record", "code", "column", "said"), [
    (("X", "marsh GAS by ear", "0"), "C403", "name", "the title "), (("X", "Marsh gases by ear", "0"), "C404", "name", "93 % "),
    (("X", PLAIN[0], "arXiv:2003.00001"), "C403", "link", "arxiv:2003.00001 "),
])  # fmt: skip
def test_a_finding_about_an_excluded_record_is_at_the_entry(record, code, column, said):
    entry = ("a", "Marsh gas by ear", "", "https://arxiv.org/abs/2003.00001")
    (found,) = duplicate_findings(
        works_of([("0", PLAIN[3], "", ""), entry], [("W", PLAIN[2], "1"), record])
    )
    assert (found.code, found.file, found.line, found.column) == (code, "pool.csv", 5, column)
    assert found.value == {"name": entry[1], "link": entry[3]}[column]
    assert said in found.message
    assert "X (log.csv:3)" in found.message


def test_an_identifier_in_no_cell_of_the_entry_is_reported_at_its_key(minimal):
    """A DOI stands in the bibliography; its holder in the pool is named by its key."""
    sheet = sheet_of(load_corpus(str(minimal)).pool)
    (found,) = duplicate_findings(Works([sheet], {"clay": "10.1234/x", "till": "10.1234/X"}))
    assert (found.code, found.line, found.column, found.value) == ("C303", 4, "id", "till")
    assert "doi:10.1234/x" in found.message
