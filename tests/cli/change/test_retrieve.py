"""`corpus retrieve`: searches from six services and from exports, killed, refused, lied to."""

import re
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from corpus.cli.change import retrieve as command
from corpus.cli.main import main
from corpus.curation.lookup.transport import PoliteClient
from tests.support.search_answers import (
    Answers,
    arxiv_page,
    crossref_page,
    dblp_page,
    openalex_page,
    openalex_work,
    openreview_page,
    semantic_scholar_page,
)
from tests.support.searched import table_rows as rows
from tests.support.searched import write_searched

SEARCHES = """\
format = 1
[[searches]]
id = "peat"
source = "arxiv"
query = 'peat AND "wet moss"'
from = "2026-01-01"
to = "2026-02-01"
[[searches]]
id = "alex"
source = "openalex"
query = "peat"
[[searches]]
id = "cross"
source = "crossref"
query = "peat"
[[searches]]
id = "review"
source = "openreview"
query = "peat"
[[searches]]
id = "scholar"
source = "semanticscholar"
query = "peat OR moss"
[[searches]]
id = "dblp"
source = "dblp"
query = "peat"
[[searches]]
id = "scopus"
source = "Scopus"
query = "TITLE(peat)"
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The full corpus, without keys of services, with the document and the tables that docs/searching.md gives to copy."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENALEX_API_KEY", raising=False)
    return write_searched(tmp_path, SEARCHES)


@pytest.fixture
def ask(data, monkeypatch):
    """Run the command with recorded answers; returns the answers, which know what was asked."""

    def run(*arguments, answers=(), code=0):
        recorded = Answers(*answers)
        recorded.waits = []
        client = partial(PoliteClient, opener=recorded, sleep=recorded.waits.append)
        monkeypatch.setattr(command, "PoliteClient", client)
        result = CliRunner().invoke(
            main, ["retrieve", *map(str, arguments)], catch_exceptions=False
        )
        assert result.exit_code == code, result.output
        recorded.result = result
        return recorded

    return run


def asked(url):
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def test_new_works_become_candidates_and_the_run_is_logged(data, ask):
    answers = ask(
        "peat", answers=[arxiv_page(("2601.00001", "Peat that listens"), ("2601.00002", "Moss"))]
    )
    assert asked(answers.asked[0])["search_query"] == (
        '(all:peat AND all:"wet moss") AND submittedDate:[202601010000 TO 202602012359]'
    )
    found = rows(data, "candidates")
    assert {row["title"] for row in found} == {"Peat that listens", "Moss"}
    assert {(row["authors"], row["abstract"], row["found_in"]) for row in found} == {
        ("Ward, Ann", "It is wet.", "peat")
    }
    (run,) = rows(data, "search_log")
    assert (run["source"], run["from"], run["hits"], run["records"], run["new"]) == (
        "arXiv",
        "2026-01-01",
        "2",
        "2",
        "2",
    )


def test_pages_follow_each_other_to_the_limit(data, ask):
    text = (data / "searches.toml").read_text("utf-8")
    (data / "searches.toml").write_text(
        text.replace('query = "peat"', 'query = "peat"\nmost = 3', 1), "utf-8"
    )
    works = [
        openalex_work(display_name=f"Peat {n}", doi=None, locations=[], primary_location={})
        for n in range(4)
    ]
    answers = ask(
        "alex",
        answers=[
            openalex_page(*works[:2], cursor="two", count=9),
            openalex_page(*works[2:], cursor="three"),
        ],
    )
    assert [asked(url)["cursor"] for url in answers.asked] == ["*", "two"]
    assert len(rows(data, "candidates")) == 3
    assert rows(data, "search_log")[0]["hits"] == "9"


def test_an_interrupted_run_goes_on_where_it_stopped(data, ask):
    works = [(f"2601.{n:05}", f"Peat of site {n:03} {'x' * n}") for n in range(1, 5)]
    first, second = arxiv_page(*works[:2], total=4), arxiv_page(*works[2:], total=4)
    ask("peat", answers=[first, OSError("gone")], code=1)
    assert rows(data, "candidates") == []
    answers = ask("peat", answers=[second])
    assert asked(answers.asked[0])["start"] == "2"
    assert len(rows(data, "candidates")) == 4
    assert [path.name for path in (data / ".retrieval").iterdir()] == [".gitignore"]


def test_one_source_that_fails_does_not_stop_the_others(data, ask):
    # In the order of the file: arXiv is gone, the others answer.
    pages = (openalex_page(openalex_work()), crossref_page(), openreview_page())
    pages += (semantic_scholar_page(), dblp_page())
    ask(answers=[OSError("gone"), *pages], code=1)
    assert len(rows(data, "search_log")) == len(pages)


def test_without_a_connection_there_is_a_line_for_each_source(data, ask):
    answers = ask(answers=[OSError("gone")] * 20, code=1)
    lines = [line for line in answers.result.stderr.splitlines() if "C701" in line]
    assert len({line.split(":")[0] for line in lines}) == len(lines) > 1
    assert "http" not in "".join(lines)


HOSTILE = {
    "not XML": b"<feed",
    "an error of arXiv": b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#x</id>'
    b"<summary>bad query</summary></entry></feed>",
    "huge": b" " * 5_000_000,
}


@pytest.mark.parametrize("answer", HOSTILE)
def test_a_wrong_feed_is_an_error_and_writes_nothing(data, ask, answer):
    ask("peat", answers=[HOSTILE[answer]], code=1)
    assert rows(data, "candidates") == []
    assert rows(data, "search_log") == []


@pytest.mark.parametrize("body", [b"", b"[]", b"[" * 100_000, b'{"meta": NaN}', b"\xff", b'"x"'])
def test_wrong_json_is_an_error_and_writes_nothing(data, ask, body):
    ask("alex", answers=[body], code=1)
    assert rows(data, "search_log") == []


def test_odd_fields_are_left_out_and_the_record_stays(data, ask):
    odd = openalex_work(
        display_name="\x1b[31m=Peat\u202e \\input{x} ::error::boo",
        publication_year={"a": 1},
        authorships="Ann",
        doi=["10.1234"],
        primary_location={"landing_page_url": "javascript:alert(1)"},
        locations=7,
        abstract_inverted_index={"wet": [-1, 10**12, "x"], "peat": 3},
    )
    ask("alex", answers=[openalex_page(odd, {"display_name": None}, count="many")])
    (row,) = rows(data, "candidates")
    assert "\x1b" not in row["title"]
    assert "\u202e" not in row["title"]
    assert (row["year"], row["authors"], row["doi"], row["url"], row["abstract"]) == ("",) * 5


def test_an_export_of_a_database_is_read(data, ask):
    Path("export.ris").write_text(
        "TY  - JOUR\nTI  - Peat in Scopus\nAU  - Ward, Ann\nPY  - 2024\nAB  - It is wet.\nDO  - 10.1234/scopus\nER  - \n",
        "utf-8",
    )
    answers = ask("scopus", "--from", "export.ris", "--date", "2026-03-01")
    assert "import summary: 1 records: 1 in rows" in answers.result.stderr
    (row,) = rows(data, "candidates")
    assert (row["title"], row["year"], row["doi"], row["abstract"]) == (
        "Peat in Scopus",
        "2024",
        "10.1234/scopus",
        "It is wet.",
    )
    (run,) = rows(data, "search_log")
    assert (run["source"], run["date"], run["query"]) == ("Scopus", "2026-03-01", "TITLE(peat)")
    ask("scopus", "--from", "export.ris", "--date", "2026-03-01")
    assert len(rows(data, "search_log")) == 1


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('query = "peat OR moss"', 'query = "peat OR"', "S102"),
        ('id = "alex"', 'id = "../alex"', "S101"),
    ],
)
def test_a_mistake_in_the_searches_is_located(data, ask, old, new, code):
    text = (data / "searches.toml").read_text("utf-8")
    assert old in text
    (data / "searches.toml").write_text(text.replace(old, new), "utf-8")
    answers = ask("--check", code=1)
    assert code in answers.result.stderr
    assert re.search(r"searches\.toml:[0-9]+", answers.result.stderr)
    checked = CliRunner().invoke(main, ["check"])
    assert code in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("bogus",),
        ("scopus",),
        ("--from", "searches.toml"),
        ("peat", "--date", "2026-01-01"),
        ("scopus", "--from", "data/sensors.csv", "--date", "soon"),
    ],
)
def test_wrong_arguments_are_refused(data, ask, arguments):
    Path("searches.toml").write_text("")
    ask(*arguments, code=2)


def test_a_search_that_nobody_declared_tells_how_a_list_is_read(data, ask):
    assert "corpus retrieve bogus --from FILE" in ask("bogus", code=2).result.stderr
    (data / "searches.toml").write_text("format = 1\n", "utf-8")
    assert "[[searches]]" in ask(code=2).result.stderr


def test_searches_are_checked_and_listed_without_asking_anybody(ask):
    checked = ask("--check")
    assert checked.asked == []
    assert "scopus" in checked.result.stdout
    assert "OPENALEX_API_KEY" in checked.result.stderr


def test_a_search_without_an_interface_is_refused_before_anybody_is_asked(data, ask):
    answers = ask("peat", "scopus", answers=[arxiv_page(("2601.00001", "Peat"))], code=2)
    assert answers.asked == []
    assert rows(data, "candidates") == []
