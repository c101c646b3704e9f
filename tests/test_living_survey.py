"""A whole survey: searched, screened by two readers, tagged, claimed, released, drawn.

Nobody is asked: the service answers from a record. The numbers of records add up at every step.
"""

import re
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.change import retrieve as command
from corpus.cli.main import main
from corpus.curation.lookup.transport import PoliteClient
from tests.support.repository import commit_all, git
from tests.support.search_answers import Answers, arxiv_page
from tests.support.searched import COVERAGE, DOCUMENT, PROTOCOL, SCREENING, SEARCHING, table_rows

SEARCHES = """\
format = 1
[[searches]]
id = "peat"
source = "arxiv"
query = 'peat AND sensor'
[[searches]]
id = "scopus"
source = "Scopus"
query = "TITLE(peat)"
[[searches]]
id = "wos"
source = "Web of Science"
query = "TI=(peat)"
"""
PREPRINTS = (
    ("2601.00001", "Listening to peat"),
    ("2601.00002", "Peat under glass"),
    ("2601.00003", "A probe for wet ground"),
)
#: The first is a preprint of the search before; the others are new.
SCOPUS = """\
TY  - JOUR
TI  - Peat under glass
AU  - Ward, Ann
PY  - 2026
DO  - 10.1234/glass
ER  -
TY  - JOUR
TI  - Salt in the moor
AU  - Moor, Bo
PY  - 2025
DO  - 10.1234/salt
ER  -
TY  - JOUR
TI  - Heat in the moor
AU  - Moor, Bo
PY  - 2025
DO  - 10.1234/heat
ER  -
"""
#: One work of the export before, one that the file has twice.
SCIENCE = """\
title,authors,year,doi
Salt in the moor.,"Moor, Bo",2025,10.1234/SALT
Frost in the moor,"Fen, Di",2024,10.1234/frost
Frost in the moor,"Fen, Di",2024,10.1234/frost
"""
LIST = """\
# Awesome peat

- [Heat in the moor](https://doi.org/10.1234/heat) - Known.
- [Moss as a thermometer](https://doi.org/10.1234/moss) - New.
- [A shop for peat](https://peat.example/shop) - Not a work.
"""
INCLUDED = ("Listening to peat", "Salt in the moor", "Moss as a thermometer")
CLAIM = """
[[claims]]
id = "listening"
statement = "One work listens."
made_in = ["here"]
where = { topic = ["first_topic"] }
count = 1
boundary = "Made up."

[[claims]]
id = "size"
tracked = true
statement = "There are 3 works."
made_in = ["here"]
count = 3
boundary = "Made up."
"""
FIGURE = """
[figures.screening]
kind = "flow"
title = "Screening"
"""


def run(*arguments, keys="", code=0):
    result = CliRunner().invoke(main, [*map(str, arguments)], input=keys, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """An empty corpus: what `corpus init` writes without its examples, and the tables to search."""
    run("init", tmp_path / "peat", "--toolkit", "mas-rl-corpus==1.0")
    root = tmp_path / "peat"
    monkeypatch.chdir(root)
    data = root / "data"
    header = (data / "pool.csv").read_text("utf-8").splitlines()[0]
    (data / "pool.csv").write_text(header + "\n", "utf-8")
    book = (data / "codebook.toml").read_text("utf-8").replace("TODO: ", "")
    book = book.replace("[documents]\n", f'{DOCUMENT}\nprotocol = "protocol.toml"\n')
    declared = "\n".join([SEARCHING, SCREENING, COVERAGE])
    (data / "codebook.toml").write_text(f"{book}\n{declared}\n{FIGURE}", "utf-8")
    for section in re.split(r"^\[tables\.", declared, flags=re.MULTILINE)[1:]:
        name, _, rest = section.partition("]")
        columns = re.findall(r'\{ name = "(\w+)"', rest.split("\n]\n")[0])
        (data / f"{name}.csv").write_text(",".join(columns) + "\n", "utf-8")
    (data / "searches.toml").write_text(SEARCHES, "utf-8")
    protocol = PROTOCOL.replace('"title"', '"title_and_abstract"').replace('"text"', '"full_text"')
    (data / "protocol.toml").write_text(protocol, "utf-8")
    (data / "claims.toml").write_text("format = 1\n", "utf-8")
    git(root, "init", "-q", "-b", "main")
    run("fmt")
    run("check", "--strict")
    return data


def flow():
    """Return the boxes of the flow; they add up."""
    found = {}
    for line in run("screen", "--status").stdout.splitlines():
        name, _, number = line.strip().rpartition(" ")
        if number.isdecimal():
            found[name.partition(":")[0].strip()] = int(number)
    records = [number for name, number in found.items() if name.startswith("Records from")]
    found["records"] = sum(records)
    found.setdefault("Found by searches", 0)
    known = found.get("Known or repeated", 0)
    assert known + found["Found by searches"] == found["records"]
    # Nothing was in pool or log before the searches.
    identified = found["Found by searches"] + found["Found in lists of others"]
    found["moved"] = found["Excluded, in the log"] + found["Retained, in the pool"]
    assert identified == found["moved"] + found["Not decided yet"]
    parts = ("undecided", "readers differ, or maybe", "to include", "to exclude")
    assert sum(found[part] for part in parts) == found["Not decided yet"]
    return found


def keys_for(decisions):
    """Return what a reader types, card after card, for decisions by title."""
    return "".join(decisions[row["title"]] for row in table_rows(Path("data"), "candidates"))


def test_a_survey_from_nothing_to_a_release(survey, monkeypatch):
    assert flow()["Not decided yet"] == 0
    # No reader has decided yet, so there is no agreement to report.
    run("agreement", code=2)

    # A search, answered from a record, and the exports of two databases.
    answers = Answers(arxiv_page(*PREPRINTS))
    monkeypatch.setattr(command, "PoliteClient", partial(PoliteClient, opener=answers))
    run("retrieve", "peat")
    found = flow()
    assert (found["records"], found["Found by searches"]) == (3, 3)
    Path("scopus.ris").write_text(SCOPUS, "utf-8")
    run("retrieve", "scopus", "--from", "scopus.ris", "--date", "2026-03-01")
    found = flow()
    assert (found["records"], found["Found by searches"]) == (6, 5)
    Path("wos.csv").write_text(SCIENCE, "utf-8")
    run("retrieve", "wos", "--from", "wos.csv", "--date", "2026-03-02")
    found = flow()
    assert (found["records"], found["Found by searches"]) == (9, 6)
    places = {row["title"]: row["found_in"] for row in table_rows(survey, "candidates")}
    assert places["Peat under glass"] == "peat; scopus"
    assert places["Salt in the moor"] == "scopus; wos"

    # Somebody else's list has one work more.
    Path("awesome.md").write_text(LIST, "utf-8")
    run("coverage", "--against", "awesome.md", "--version", "v1", "--write")
    verdicts = {"Moss as a thermometer": "candidate,I1", "A shop for peat": "not_a_work,A shop"}
    table = survey / "coverage.csv"
    lines = table.read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        for title, verdict in verdicts.items():
            if title in line:
                lines[number] = line.removesuffix(",,") + f",{verdict}"
    table.write_text("\n".join(lines) + "\n", "utf-8")
    run("coverage", "--candidates")
    found = flow()
    assert (found["Found in lists of others"], found["Not decided yet"]) == (1, 7)
    run("check", "--strict")
    commit_all(survey.parent, "search")

    # Two readers, blind to each other, differ about two works.
    dry, wet = "e11", "i"
    titles = [row["title"] for row in table_rows(survey, "candidates")]
    ann = {title: wet if title in INCLUDED else dry for title in titles}
    bo = ann | {"Salt in the moor": dry, "Frost in the moor": "m"}
    run("screen", "--reader", "Ann", keys=keys_for(ann))
    assert flow()["undecided"] == 0
    run("screen", "--reader", "Bo", keys=keys_for(bo))
    assert flow()["readers differ, or maybe"] == 2
    conflicts = [title for title in titles if ann[title] != bo[title]]
    run("screen", "--resolve", keys="".join(ann[title] for title in conflicts))
    found = flow()
    assert (found["to include"], found["to exclude"]) == (3, 4)
    run("agreement")
    run("screen", "--apply")
    found = flow()
    assert (found["Excluded, in the log"], found["Not decided yet"]) == (4, 3)
    run("check", "--strict")

    # The included become entries with tags; each leaves the candidates.
    for number, row in enumerate(table_rows(survey, "candidates")):
        bibtex = "".join(
            [
                f"@article{{key{number}, title = {{{row['title']}}}, author = {{Ward, Ann}},",
                f" year = {{{row['year'] or 2026}}}, journal = {{Mires}}, doi = {{{row['doi']}}},",
                f" eprint = {{{row['arxiv_id']}}}, url = {{https://mire.example/{number}}}}}",
            ]
        )
        Path("one.bib").write_text(bibtex, "utf-8")
        topic = "first_topic" if row["title"] == "Listening to peat" else "second_topic"
        given = [f"topic={topic}", "methods=survey", "summary=It measures peat."]
        sets = [word for pair in given for word in ("--set", pair)]
        run("add", "--bibtex", "one.bib", *sets, "--no-input")
        assert flow()["Retained, in the pool"] == number + 1
    assert {row["title"] for row in table_rows(survey, "pool")} == set(INCLUDED)
    found = flow()
    assert (found["Not decided yet"], found["moved"]) == (0, 7)

    # The same searches again find nothing new.
    answers.answers = [arxiv_page(*PREPRINTS)]
    search = survey / "searches.toml"
    search.write_text(SEARCHES.replace("peat AND sensor", "peat AND probe"), "utf-8")
    run("retrieve", "peat")
    found = flow()
    assert (found["records"], found["Found by searches"]) == (12, 6)

    # A claim, a release and a figure.
    (survey / "claims.toml").write_text("format = 1\n" + CLAIM, "utf-8")
    run("check", "--strict")
    run("claims")
    commit_all(survey.parent, "screened")
    assert run("release", "v1", "--text", "Peat, a survey", "--version", "1.0.0").stdout.strip()
    assert (survey / "releases/v1/pool.csv").read_bytes() == (survey / "pool.csv").read_bytes()
    run("check", "--strict")
    run("figures", "--format", "svg", "--only", "screening")
    drawn = Path("figures/screening.csv").read_text("utf-8")
    assert "7" in drawn
    assert Path("figures/screening.svg").stat().st_size > 0
