"""`corpus coverage`: somebody else's list, in any form, against a pool and its log."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import FILES, write_full
from tests.support.changing import rewrite
from tests.support.searched import COVERAGE, table_rows, write_searched

DOCUMENT = Path(__file__).parents[3] / "docs" / "coverage.md"
POOL = list(csv.DictReader(FILES["sensors.csv"].splitlines()))
LOG = list(csv.DictReader(FILES["dropped.csv"].splitlines()))


def run(*arguments, code=0, command="coverage"):
    result = CliRunner().invoke(main, [command, *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def report(*arguments):
    return json.loads(run("--against", *arguments, "--format", "json").stdout)


def write(name, text):
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_full(tmp_path)


@pytest.fixture
def with_table(data):
    """The corpus with the table of `init --living` and the claim that docs/coverage.md gives to copy."""
    (claim,) = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    with (data / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write(f"\n{COVERAGE}")
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(f"\n{claim}")
    header = "record,list,version,date,title,year,identifier,verdict,reason\n"
    (data / "coverage.csv").write_text(header, "utf-8")
    return data


def counts(listed):
    return {key: listed[key] for key in ("pool", "excluded", "unseen")}


def test_works_are_found_by_identifier_and_title_and_a_near_title_is_asked(data):
    by_identifier = POOL[0]["arxiv"]
    by_title, typo = POOL[1]["name"], POOL[2]["name"].replace("o", "oo", 1)
    rows = [
        f"Another name altogether,https://arxiv.org/abs/{by_identifier}v2",
        f"{by_title.upper()},",
        f"{typo},",
        f"{LOG[0]['label']},",
        "A work that nobody has seen here,10.1234/never.seen",
    ]
    path = write("list.csv", "title,link\n" + "".join(f"{row}\n" for row in rows))
    found = report(path)
    assert counts(found["lists"][0]) == {"pool": 2, "excluded": 1, "unseen": 2}
    assert [item["identifier"] for item in found["unseen"]] == ["", "DOI:10.1234/never.seen"]
    assert f"ask: {typo} = pool {POOL[2]['sensor']}" in run("--against", path).stderr


def test_unseen_works_wait_for_a_verdict_and_then_are_judged(with_table):
    path = write("list.csv", "title,year,doi\nNew peat,2021,10.1234/peat\n")
    run("--against", path, "--name", "peats", "--version", "2", "--write")
    rows = list(csv.DictReader((with_table / "coverage.csv").read_text("utf-8").splitlines()))
    assert [(row["list"], row["version"], row["title"], row["verdict"]) for row in rows] == [
        ("peats", "2", "New peat", "")
    ]
    claims = run("lists-judged", command="claims", code=1)
    assert rows[0]["record"] in claims.stdout

    judged = "10.1234/peat,out_of_scope,It is about fens."
    rewrite(with_table / "coverage.csv", "10.1234/peat,,", judged)
    run("lists-judged", command="claims")
    assert report(path)["lists"][0]["judged"] == 1


def test_a_verdict_without_a_reason_is_not_enough(with_table):
    run("--against", write("list.csv", "title\nNew peat\n"), "--write")
    rewrite(with_table / "coverage.csv", ",,\n", ",candidate,\n")
    run("lists-judged", command="claims", code=1)


def test_without_a_table_nothing_is_written(data):
    run("--against", write("list.csv", "title\nNew peat\n"), "--write", code=2)


def test_hostile_titles_reach_no_sink(data):
    path = write("list.csv", 'title\n"=cmd() \x1b]0;x\x07 ::error::boo <img src=x>"\n')
    assert "\x1b" not in run("--against", path).stdout
    assert "::error" not in run("--against", path).stdout
    assert "<img" not in run("--against", path, "--format", "markdown").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--against", "no-such.csv"),
        ("--against", "list.csv", "list.csv"),
        ("--against", "list.csv", "--name", "a", "--name", "b"),
        ("--against", "list.csv", "--version", "1", "--version", "2"),
        ("--candidates", "--against", "list.csv"),
        ("--candidates", "--write"),
    ],
)
def test_wrong_arguments_are_refused(data, arguments):
    write("list.csv", "title\nNew peat\n")
    run(*arguments, code=2)


def test_verdicts_in_scope_become_candidates_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = write_searched(tmp_path, "format = 1\n")
    with (data / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write(f"\n{COVERAGE}")
    in_pool = POOL[0]["name"]
    (data / "coverage.csv").write_text(
        "record,list,version,date,title,year,identifier,verdict,reason\n"
        "m-1,mosses,v1,2026-01-02,Moss on roofs,2024,DOI:10.1234/roof,candidate,I1\n"
        "m-2,mosses,v1,2026-01-02,Moss on walls,2024,https://moss.example/wall,out_of_scope,X1\n"
        "m-3,mosses,v1,2026-01-02,Moss on stones,2024,,,\n"
        "n-1,others,,2026-01-03,Moss on roofs,2024,,candidate,I1\n"
        f"m-4,mosses,v1,2026-01-02,{in_pool},2020,,candidate,I1\n",
        "utf-8",
    )
    for _ in range(2):
        run("--candidates")
        (row,) = table_rows(data, "candidates")
        assert (row["title"], row["doi"], row["found_in"], row["found_on"]) == (
            "Moss on roofs",
            "10.1234/roof",
            "mosses",
            "2026-01-02",
        )


def test_a_list_that_is_not_accounted_for_is_refused_unless_forced(data):
    # The reader takes what is behind the mark for a comment; a person sees ten works.
    items = "".join(f"- [Peat by light {n}](https://doi.org/10.1234/w{n})\n" for n in range(9))
    write(
        "list.md", f'- [Salt and moss](https://doi.org/10.1234/a)\n<div title="\n{items}"></div>\n'
    )
    refused = run("--against", "list.md", code=1)
    assert "I120" in refused.stderr
    assert "list.md:3" in refused.stderr
    assert "9 not accounted for" in run("--against", "list.md", "--force").stderr


def test_the_account_of_a_list_is_printed_and_in_the_json(data):
    write("list.md", "## Soil\n- [Peat by light](https://doi.org/10.1234/a)\n\n## News\n- [We moved](https://b.example)\n")  # fmt: skip
    summary = report("list.md")["summaries"]["list"]
    assert (summary["works"], summary["rows"], summary["unmatched"]) == (0, 1, 0)
    assert (summary["identifiers"], summary["in_rows"]) == (1, 1)
    assert (
        "list: import summary: 1 records; 1 identifiers: 1 in rows"
        in run("--against", "list.md").stderr
    )
