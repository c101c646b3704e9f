"""Every command on a survey about something else, started from a spreadsheet."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import spreadsheet
from tests.support.repository import commit_all, git

MOSS, RAIN = "loam-2013-moss", "ward-2020-rain"


class Survey:
    """The new corpus in its own git repository."""

    def __init__(self, root):
        self.root = root

    def run(self, *arguments, code=0):
        before = os.getcwd()
        os.chdir(self.root)
        try:
            result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        finally:
            os.chdir(before)
        assert result.exit_code == code, result.output
        return result


@pytest.fixture
def survey(tmp_path):
    table = tmp_path / "sensors.csv"
    table.write_text(spreadsheet(), encoding="utf-8")
    made = Survey(tmp_path)
    made.run("init", "soil", "--from", "sensors.csv", "--title", "Soil sensors")
    made = Survey(tmp_path / "soil")
    git(made.root, "init", "-q")
    commit_all(made.root, "start")
    return made


def stats(survey):
    counted = survey.run("stats").stdout
    assert "6 entries, 8 tags" in counted
    crossed = survey.run("stats", "--by", "measured_quantities", "depth").stdout
    assert all(quantity in crossed for quantity in ("water", "salt", "heat", "gas"))
    for format_ in ("markdown", "latex", "csv"):
        assert "salt" in survey.run("stats", "--format", format_).stdout
    json.loads(survey.run("stats", "--format", "json").stdout)


def only_todos(survey):
    """What an import leaves is to be written; nothing else is wrong."""
    findings = json.loads(survey.run("check", "--format", "json").stdout)["findings"]
    assert {finding["code"] for finding in findings} == {"C002"}


def check(survey):
    only_todos(survey)
    pool = survey.root / "data" / "pool.csv"
    pool.write_text(pool.read_text().replace(",deep,", ",deap,", 1))
    broken = survey.run("check", code=1)
    assert "C202" in broken.stdout + broken.stderr
    assert "'deep'" in broken.stdout + broken.stderr


def sparsity(survey):
    text = survey.run("sparsity", "--all").stdout
    # Six works are too few to cross two columns of many terms.
    assert "Terms that are empty or thin" in text
    assert "gas" in text


def list_(survey):
    lines = survey.run(
        "list", "--where", "measured_quantities=heat", "--where", "depth=deep"
    ).stdout
    assert MOSS not in lines
    assert "2019-warmth-e" in lines
    assert RAIN in survey.run("list").stdout


def show(survey):
    assert "Measured quantities" in survey.run("show", RAIN).stdout
    assert "thermometers" in survey.run("show", MOSS).stdout


def evidence(survey):
    survey.run("evidence", code=2)  # it declares no such table


def search(survey):
    assert "second dune" in survey.run("search", "springs").stdout


def claims(survey):
    assert "pool-size" in survey.run("claims").stdout


def appendix(survey):
    for format_ in ("latex", "markdown", "html"):
        assert "second dune" in survey.run("render-appendix", "--format", format_).stdout


def build(survey):
    survey.run("build")
    assert (survey.root / "reports" / "statistics.md").exists()
    survey.run("build", "--check")


def render(survey):
    assert r"\newcommand{\PoolSize}{6}" in survey.run("render").stdout
    text = survey.root / "text.md"
    text.write_text("We read <!-- corpus: PoolSize -->7<!-- /corpus --> papers.\n")
    survey.run("render", "text.md")
    assert ">6<" in text.read_text()


def check_text(survey):
    (survey.root / "text.md").write_text(
        "The pool retains 7 sensors.\n\nThe pool retains 7 entries.\n"
    )
    wrong = survey.run("check-text", "text.md", code=1)
    assert "-->6<!--" in wrong.output


def forms(survey):
    survey.run("forms")
    form = (survey.root / ".github/ISSUE_TEMPLATE/add-entry.yml").read_text("utf-8")
    assert "salt" in form
    assert "shallow" in form


def figures(survey):
    survey.run("figures", "--format", "svg", "--out", "drawn")
    assert list((survey.root / "drawn").glob("*.svg"))


def site(survey):
    survey.run("site", "-o", "page.html")
    page = (survey.root / "page.html").read_text(encoding="utf-8")
    assert "Soil sensors" in page
    assert "<peat>" not in page


def diff(survey):
    survey.run("edit", RAIN, "--set", "depth=deep")
    assert "1 changed" in survey.run("diff").output


def add(survey):
    cells = {
        "title": "Ringing the ground",
        "authors": "Stein, Cy",
        "year": "2022",
        "venue": "Soil Letters",
        "url": "https://soil.example/new",
        "depth": "deep",
        "measured_quantities": "water; gas",
    }
    options = [part for column, value in cells.items() for part in ("--set", f"{column}={value}")]
    key = survey.run("add", "--no-input", *options).stdout.strip()
    only_todos(survey)  # the size of the pool is tracked: growth breaks nothing
    assert '"water",' in survey.run("export", "json").stdout
    survey.run("show", key)


def exclude(survey):
    cells = (
        "source=library",
        "date_screened=2024-05-01",
        "stage=full_text",
        "reason=no sensor in it",
    )
    options = [part for cell in cells for part in ("--set", cell)]
    survey.run("exclude", MOSS, "--no-input", *options)
    assert "full text 1" in survey.run("stats").stdout


def edit(survey):
    survey.run("edit", RAIN, "--set", "measured_quantities=gas, salt", code=1)
    survey.run("edit", RAIN, "--set", "measured_quantities=salt")


def fmt(survey):
    survey.run("fmt", "--check")


def export(survey):
    survey.run("export", "--all", "--out", "out")
    assert (survey.root / "out" / "corpus.sqlite").exists()
    assert (survey.root / "out" / "pool.bib").read_text().count("\n@") == 5


def agreement(survey):
    survey.run("agreement", code=2)  # there is no second reader


def init_git(survey):
    survey.run("init-git")
    assert "merge=corpus" in (survey.root / ".gitattributes").read_text()


def init(survey):
    assert "measured_quantities" in (survey.root / "import-report.md").read_text(
        encoding="utf-8"
    ).replace("\\", "")


def nothing_of_a_corpus(survey):
    """Some commands work on other files; the tests beside their modules run them."""


COMMAND_CHECKS: dict[str, Callable[[Survey], None]] = {
    "stats": stats,
    "check": check,
    "sparsity": sparsity,
    "list": list_,
    "show": show,
    "evidence": evidence,
    "search": search,
    "claims": claims,
    "agreement": agreement,
    "render-appendix": appendix,
    "build": build,
    "figures": figures,
    "render": render,
    "check-text": check_text,
    "forms": forms,
    "site": site,
    "diff": diff,
    "add": add,
    "exclude": exclude,
    "edit": edit,
    "fmt": fmt,
    "export": export,
    "init": init,
    "init-git": init_git,
    "merge-driver": nothing_of_a_corpus,
    "trace": nothing_of_a_corpus,
    "dev": nothing_of_a_corpus,
}


@pytest.mark.parametrize("command", main.callable)
def test_every_command_works_on_another_survey(survey, command):
    if command in COMMAND_CHECKS:
        COMMAND_CHECKS[command](survey)
    else:  # a command that is not described above must at least end without a traceback
        survey.run(command, "--help")
        done = subprocess.run(
            [sys.executable, "-m", "corpus", command], cwd=survey.root, capture_output=True
        )
        assert b"Traceback" not in done.stderr
