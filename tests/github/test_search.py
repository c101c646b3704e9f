"""Every week the searches are run, and one pull request has what is new."""

import csv
import json

import pytest

from tests.support import warm
from tests.support.searched import DOCUMENT, SEARCHING

from .hub import failures

SEARCHES = """\
format = 1
[[searches]]
id = "peat"
source = "arxiv"
query = "peat"
[[searches]]
id = "moss"
source = "arxiv"
query = "moss"
"""
#: Answers each search from a record instead of asking the service.
CORPUS = """\
import json, sys
from corpus.cli.change import retrieve
from corpus.cli.entry import main
from corpus.curation.lookup.transport import PoliteClient
from tests.support.search_answers import Answers, arxiv_page
given = json.loads({answers!r})
pages = [arxiv_page(*works) if works is not None else b"no feed" for works in given]
answers = Answers(*pages)
if sys.argv[1] == "retrieve":
    print("::warning::from a service", file=sys.stderr)
retrieve.PoliteClient = lambda pause: PoliteClient(pause, answers, lambda seconds: None)
sys.exit(main())
"""
PEAT = [["2601.00001", "Listening to peat"]]
MOSS = [["2601.00002", "Moss as a thermometer"]]
HEATH = [["2601.00003", "::error::Heath ##[warning]by ear"]]


@pytest.fixture
def searching(hub):
    """The repository, whose corpus declares searches."""
    folder = hub.clone()
    data = folder / "data"
    book = (data / "codebook.toml").read_text("utf-8").replace("[documents]\n", DOCUMENT + "\n")
    (data / "codebook.toml").write_text(f"{book}\n{SEARCHING}", "utf-8")
    for name in ("candidates", "search_log"):
        section = SEARCHING.split(f"[tables.{name}]")[1].split("\n]\n")[0]
        columns = [part.split('"')[1] for part in section.split("{ name = ")[1:]]
        (data / f"{name}.csv").write_text(",".join(columns) + "\n", "utf-8")
    (data / "searches.toml").write_text(SEARCHES, "utf-8")
    hub.commit(folder, "searches", "refs/heads/main")
    return hub


def search(hub, *answers):
    """Run the workflow; `answers` are the works that each search finds, None for a broken feed."""
    script = CORPUS.format(answers=json.dumps(answers))
    program = warm.program(script)
    return hub.run("search.yml", "candidates", "main", {}, programs={"corpus": program})


def titles(hub):
    """Return the titles of the candidates on the branch of the pull request."""
    text = hub.git(hub.repository, "show", "search-candidates:data/candidates.csv")
    return sorted(row["title"] for row in csv.DictReader(text.splitlines()))


def has_branch(hub):
    return hub.attempt(hub.repository, "rev-parse", "refs/heads/search-candidates").returncode == 0


def asked(runner):
    return [" ".join(call["asked"][:2]) for call in runner.gh]


def test_new_works_become_one_pull_request_about_the_data(searching):
    runner, steps = search(searching, PEAT, MOSS)
    assert failures(steps) == {}
    assert titles(searching) == ["Listening to peat", "Moss as a thermometer"]
    changed = searching.changed(searching.head("main"), searching.head("search-candidates"))
    assert changed == ["data/candidates.csv", "data/search_log.csv"]
    assert asked(runner) == ["auth setup-git", "pr create", "workflow run"]


def test_nothing_is_opened_where_nothing_is_new(searching):
    runner, steps = search(searching, [], [])
    assert failures(steps) == {}
    assert not has_branch(searching)
    assert asked(runner) == ["auth setup-git"]
    search(searching, PEAT, MOSS)
    assert searching.merge("search-candidates")
    merged = searching.head("search-candidates")
    # Found by the other search this time, which is no new work.
    assert failures(search(searching, MOSS, PEAT)[1]) == {}
    assert searching.head("search-candidates") == merged


def test_the_next_run_updates_the_same_branch(searching):
    search(searching, PEAT, [])
    _, steps = search(searching, PEAT, MOSS)
    assert failures(steps) == {}
    assert titles(searching) == ["Listening to peat", "Moss as a thermometer"]
    count = searching.git(searching.repository, "rev-list", "--count", "main..search-candidates")
    assert count == "1"


def test_what_a_person_put_on_the_branch_is_left_alone(searching):
    search(searching, PEAT, [])
    folder = searching.clone("search-candidates")
    (folder / "note.txt").write_text("words\n", "utf-8")
    searching.commit(folder, "note", "refs/heads/search-candidates")
    before = searching.head("search-candidates")
    _, steps = search(searching, PEAT, MOSS)
    assert list(failures(steps)) == ["Leave alone what others have put on the branch"]
    assert searching.head("search-candidates") == before


def test_a_search_that_fails_keeps_what_the_others_found(searching):
    _, steps = search(searching, None, MOSS)
    assert list(failures(steps)) == ["Report searches that failed"]
    assert titles(searching) == ["Moss as a thermometer"]


def test_what_a_service_answers_gives_the_runner_no_command(searching):
    runner, steps = search(searching, HEATH, None)
    assert len(titles(searching)) == 1
    assert "::warning::from a service" in steps["Search"][1]
    assert not [line for line in runner.obeyed if "service" in line or "Heath" in line]


def test_another_branch_is_not_searched(searching):
    searching.pull_request(7, "paper", lambda folder: (folder / "x.txt").write_text("x"))
    assert searching.run("search.yml", "candidates", "paper", {})[1] == {}
