"""Every month the sources are asked again, and one pull request has what they state otherwise."""

import json
import re

import pytest
import yaml

from tests.support import warm

from .hub import failures
from .runner import WORKFLOWS

TABLES = """\

[tables.records]
file = "records.csv"
title = "Source records"
role = "source_records"
key = ["key", "identifier"]
definition = "What the sources state."
columns = [
    { name = "key", type = "ref", role = "key", references = "sensors", definition = "Sensor." },
    { name = "identifier", type = "text", role = "identifier", definition = "Identifier." },
    { name = "title", type = "text", role = "title", required = false, definition = "Title." },
    { name = "authors", type = "names", role = "authors", required = false, definition = "Authors." },
    { name = "read_on", type = "date", role = "read_on", required = false, definition = "Day." },
]
"""
#: Answers each question from a record instead of asking the service.
CORPUS = """\
import json, sys
from corpus.cli.change import retrieve
from corpus.cli.entry import main
from corpus.curation.lookup.transport import PoliteClient
from tests.support.search_answers import Answers, arxiv_page
given = json.loads({answers!r})
answers = Answers(*[arxiv_page(tuple(work)) if work else b"no feed" for work in given])
retrieve.PoliteClient = lambda pause: PoliteClient(pause, answers, lambda seconds: None)
sys.exit(main())
"""
CLAY = ["2601.00001", "Clay and salt"]
FEN = ["2601.00002", "Fen by light"]
HOSTILE = ["2601.00002", "::error::Fen ##[warning]by @octocat ``` light"]


@pytest.fixture
def verifying(hub):
    """The repository, whose corpus has two source records."""
    folder = hub.clone()
    data = folder / "data"
    book = (data / "codebook.toml").read_text("utf-8")
    first = book.index("\n[vocabularies")
    (data / "codebook.toml").write_text(book[:first] + TABLES + book[first:], "utf-8")
    keys = [line.split(",")[0] for line in (data / "sensors.csv").read_text("utf-8").splitlines()]
    rows = [
        "key,identifier,title,authors,read_on",
        f'{keys[1]},arXiv:2601.00001,Clay and salt,"Ward, Ann",',
        f'{keys[2]},arXiv:2601.00002,Fen by light,"Ward, Ann",',
    ]
    (data / "records.csv").write_text("\n".join(rows) + "\n", "utf-8")
    hub.commit(folder, "records", "refs/heads/main")
    return hub


def verify(hub, *answers):
    """Run the workflow; `answers` are what arXiv states of each work, None for a broken feed."""
    program = warm.program(CORPUS.format(answers=json.dumps(answers)))
    return hub.run("verify.yml", "sources", "main", {}, programs={"corpus": program})


def records(hub):
    return hub.git(hub.repository, "show", "source-records:data/records.csv")


def asked(runner):
    return [" ".join(call["asked"][:2]) for call in runner.gh]


def test_nothing_is_opened_where_every_source_states_the_same(verifying):
    runner, steps = verify(verifying, CLAY, FEN)
    assert failures(steps) == {}
    assert asked(runner) == ["auth setup-git"]


def test_what_differs_is_one_pull_request_although_a_source_did_not_answer(verifying):
    """What a source answers gives the runner no command, and is shown as it is."""
    runner, steps = verify(verifying, None, HOSTILE)
    assert list(failures(steps)) == ["Report sources that did not answer"]
    assert asked(runner) == ["auth setup-git", "pr create", "workflow run"]
    assert "by @octocat" in records(verifying)
    changed = verifying.changed(verifying.head("main"), verifying.head("source-records"))
    assert changed == ["data/records.csv"]
    assert not [line for line in runner.obeyed if "Fen" in line]
    [opened] = [call for call in runner.gh if call["asked"][:2] == ["pr", "create"]]
    shown = [line for line in opened["body"].splitlines() if "octocat" in line]
    assert shown
    assert all(line.startswith("    ") or not re.search(r"@\w", line) for line in shown)


def test_what_a_person_put_on_the_branch_is_left_alone(verifying):
    folder = verifying.clone()
    (folder / "note.txt").write_text("words\n", "utf-8")
    verifying.commit(folder, "note", "refs/heads/source-records")
    before = verifying.head("source-records")
    _, steps = verify(verifying, CLAY, HOSTILE)
    assert list(failures(steps)) == ["Leave alone what others have put on the branch"]
    assert verifying.head("source-records") == before


def test_both_workflows_that_ask_services_keep_to_their_branch_in_the_same_way():
    """A step that is corrected in one is corrected in the other."""
    jobs = []
    for name in ("search.yml", "verify.yml"):
        [job] = yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))["jobs"].values()
        jobs.append({step["name"]: step for step in job["steps"] if "name" in step} | {"": job})
    for name in ("Install", "Leave alone what others have put on the branch"):
        assert jobs[0][name] == jobs[1][name]
    for setting in ("permissions", "if", "timeout-minutes"):
        assert jobs[0][""][setting] == jobs[1][""][setting]
    assert jobs[0][""]["env"] != jobs[1][""]["env"]
