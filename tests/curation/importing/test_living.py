"""The tables of a living survey, added to a new corpus and to one that exists."""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from corpus.curation.importing.new_corpus import living_files
from corpus.model.finding import UsageProblem

SAMPLES = Path(__file__).parent / "samples"
#: An excluded record of a screened list, as the import of `decisions.csv` needs it.
DECIDED = ("--excluded-where", "decision=EXCLUDED", "--reason", "reason_code")


def run(*arguments, code=0):
    result = CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def files_of(folder):
    files = (path for path in (folder / "data").iterdir() if path.is_file())
    return {path.name: path.read_bytes() for path in files}


@pytest.mark.parametrize("imported", [False, True])
def test_a_new_corpus_searches_screens_and_compares_at_once(imported, tmp_path, monkeypatch):
    source = []
    if imported:
        (tmp_path / "list.csv").write_text("Title,Year\nPeat by light,2019\nSalt,2020\n", "utf-8")
        source = ["--from", tmp_path / "list.csv"]
    folder = tmp_path / "peat"
    run("init", folder, *source, "--living", "--toolkit", "mas-rl-corpus==1.0")
    monkeypatch.chdir(folder)
    assert {finding_code(line) for line in checked()} == {"C002"}
    run("fmt", "--check")
    run("retrieve", "--check")
    run("retrieve", code=2)  # no search is declared yet
    searches = folder / "data/searches.toml"
    # The examples are searches once their signs of comment are gone.
    lines = searches.read_text("utf-8").splitlines()
    examples = [
        line.removeprefix("# ") for line in lines if line[:3] in ("# [", "# i", "# s", "# q")
    ]
    searches.write_text("\n".join(["format = 1", *examples]) + "\n", "utf-8")
    run("retrieve", "--check")
    (folder / "export.csv").write_text("title,doi\nHeat in the moor,10.1234/heat\n", "utf-8")
    run("retrieve", "exports", "--from", folder / "export.csv")
    run("coverage", "--against", folder / "export.csv", "--name", "other", "--write")
    run("screen", "--status")
    assert {finding_code(line) for line in checked()} == {"C002"}


def checked():
    return [line for line in run("check").output.splitlines() if ": warning " in line]


def finding_code(line):
    return line.split(": warning ")[1].split()[0]


def test_an_old_corpus_gets_what_it_lacks_once(tmp_path):
    folder = tmp_path / "peat"
    run("init", folder, "--toolkit", "mas-rl-corpus==1.0")
    before = files_of(folder)
    run("init", folder, "--living")
    after = files_of(folder)
    assert {name for name in after if name not in before} == {
        "candidates.csv",
        "coverage.csv",
        "protocol.toml",
        "screening.csv",
        "search_log.csv",
        "searches.toml",
    }
    assert {name for name in before if before[name] != after[name]} == {"codebook.toml"}
    run("check", "--data", folder)
    run("init", folder, "--living")
    assert files_of(folder) == after


def test_the_stages_of_the_protocol_are_those_of_the_log(tmp_path):
    folder = tmp_path / "screened"
    source = SAMPLES / "decisions.csv"
    run("init", folder, "--from", source, *DECIDED, "--living")
    protocol = tomllib.loads((folder / "data/protocol.toml").read_text("utf-8"))
    book = tomllib.loads((folder / "data/codebook.toml").read_text("utf-8"))
    terms = book["vocabularies"]["stage"]["terms"]
    assert [stage["id"] for stage in protocol["stages"]] == [term["id"] for term in terms]
    run("check", "--data", folder)


def test_what_is_declared_already_stays():
    book = '[documents]\nsearches = "other.toml"\n[tables.found]\nrole = "candidates"\n'
    files = living_files(book)
    assert "candidates.csv" not in files
    assert "searches.toml" not in files
    documents = tomllib.loads(files["codebook.toml"])["documents"]
    assert documents == {"searches": "other.toml", "protocol": "protocol.toml"}


@pytest.mark.parametrize(
    ("book", "existing"),
    [('[tables.coverage]\nrole = "measures"\n', ()), ("format = 1\n", ("coverage.csv",))],
)
def test_nothing_of_somebody_is_overwritten(book, existing):
    with pytest.raises(UsageProblem):
        living_files(book, existing)


@pytest.mark.parametrize(
    "inline", ['documents = { claims = "c.toml" }', "tables = {}", "vocabularies = {}"]
)
def test_a_codebook_that_sections_would_break_is_refused(inline):
    with pytest.raises(UsageProblem):
        living_files(f"{inline}\nformat = 1\n")
