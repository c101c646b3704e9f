"""What becomes of retrieved records, cell by cell, and of works of other lists."""

import csv
from collections import Counter

import pytest

from corpus.curation.retrieval.candidates import candidate_key, collect, listed_candidates
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import Retrieval
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import FILES
from tests.support.searched import COVERAGE, write_searched

WET = Search("wet", "arxiv", "peat", "2026-01-01", "2026-01-31", 100)
PEAT = Work(
    title="Peat",
    authors=("Ward, Ann",),
    year="2026",
    venue="Mires",
    arxiv="2601.00001",
    doi="10.1234/x",
    url="https://a.example/",
    abstract="Wet.",
)
HEAD = "record,list,version,date,title,year,identifier,verdict,reason\n"


@pytest.fixture
def data(tmp_path):
    folder = write_searched(tmp_path, "format = 1\n")
    book = folder / "codebook.toml"
    book.write_text(f"{book.read_text('utf-8')}\n{COVERAGE}", "utf-8")
    (folder / "coverage.csv").write_text(HEAD, "utf-8")
    return folder


def listed(data, *rows):
    lines = [f"r{number},lit,,2026-01-01,{row}\n" for number, row in enumerate(rows)]
    (data / "coverage.csv").write_text(HEAD + "".join(lines), "utf-8")
    return load_corpus(str(data))


def collected(study, *works, hits=7, search=WET, digest="abcdef0"):
    """Return the corpus after a run, and what became of the works."""
    found = Retrieval(search, "2026-02-03", [*works], hits, digest=digest)
    outcomes = Counter()
    return collect(study, found, "arxiv", outcomes), outcomes


def records(study):
    return list(study.tables["candidates"].records())


def test_a_record_becomes_a_row_with_every_cell(data):
    after, outcomes = collected(load_corpus(str(data)), PEAT)
    assert outcomes == {"new": 1, "known": 0, "again": 0, "repeated": 0}
    (row,) = after.tables["candidates"].rows
    key = candidate_key(PEAT)
    assert row == (key, "Peat", "Ward, Ann", "2026", "Mires", "2601.00001", "10.1234/x",
                   "https://a.example/", "wet", "2026-02-03", "Wet.")  # fmt: skip
    (log,) = after.tables["search_log"].rows
    assert log[:-1] == ("wet-2026-02-03-abcdef", "2026-02-03", "wet", "arxiv", "peat", "2026-01-01",
                        "2026-01-31", "7", "1", "1")  # fmt: skip


def test_no_cell_of_a_source_starts_a_formula_or_is_of_another_type(data):
    record = PEAT._replace(title="=1+1", abstract="@x", year="soon", url="ftp://a.example")
    (row,) = records(collected(load_corpus(str(data)), record)[0])
    assert (row["title"], row["abstract"]) == ('"=1+1"', '"@x"')
    assert (row["year"], row["url"]) == ("", "")


def test_each_record_is_counted_once(data):
    pool = next(csv.DictReader(FILES["sensors.csv"].splitlines()))
    log = next(csv.DictReader(FILES["dropped.csv"].splitlines()))
    study, _ = collected(load_corpus(str(data)), PEAT, search=WET._replace(id="dry"))
    works = [Work("s", title) for title in (pool["name"], log["label"], "Moss", "MOSS!")]
    after, outcomes = collected(study, PEAT, PEAT, *works)
    assert outcomes == {"new": 1, "known": 2, "again": 1, "repeated": 2}
    found = [(row["title"], row["found_in"]) for row in records(after)]
    assert found == [("Peat", "dry; wet"), ("Moss", "wet")]
    assert [row[2] for row in after.tables["search_log"].rows] == ["dry", "wet"]


def test_a_run_that_is_logged_changes_nothing(data):
    after, _ = collected(load_corpus(str(data)), PEAT)
    assert collected(after, PEAT) == (after, {})


@pytest.mark.parametrize(
    ("identifier", "arxiv", "doi", "url"),
    [
        ("arXiv:2601.00001", "2601.00001", "", ""),
        ("DOI:10.1234/x", "", "10.1234/x", ""),
        ("https://a.example/x", "", "", "https://a.example/x"),
        ("http://a.example/x", "", "", "http://a.example/x"),
        ("nr. 7", "", "", ""),
    ],
)
def test_a_work_of_a_list_with_a_verdict_in_scope_is_a_candidate(data, identifier, arxiv, doi, url):
    study = listed(
        data, f"Peat,2025,{identifier},candidate,", "Dune,2024,,out_of_scope,", "Fern,,,,"
    )
    (row,) = records(listed_candidates(study))
    about = (row["title"], row["year"], row["found_in"], row["found_on"])
    assert about == ("Peat", "2025", "lit", "2026-01-01")
    assert (row["arxiv_id"], row["doi"], row["url"]) == (arxiv, doi, url)


def test_a_work_that_is_known_or_in_two_lists_is_no_further_candidate(data):
    pool = next(csv.DictReader(FILES["sensors.csv"].splitlines()))
    study = listed(data, f"{pool['name']},,,candidate,", "Peat,,,candidate,", "PEAT!,,,candidate,")
    rows = records(listed_candidates(study))
    assert [row["title"] for row in rows] == ["Peat"]
    assert records(listed_candidates(listed(data, f"{pool['name']},,,candidate,"))) == []


def test_a_verdict_out_of_scope_keeps_a_work_out_of_the_candidates(data):
    study = listed(data, "Peat,,,out_of_scope,")
    _, outcomes = collected(study, PEAT)
    assert (outcomes["new"], outcomes["known"]) == (0, 1)
