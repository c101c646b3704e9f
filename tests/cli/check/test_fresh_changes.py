"""More kinds of changes, listed by somebody who had not read the comparison: each is named.

A row has a file, a text in it and what a pull request writes there instead, and what the report of
`corpus diff` must have: codes of findings, and words.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from corpus.analysis.audit.audit import row_digest
from tests.corpora.full import CLAIMS, repository
from tests.support.repository import commit_all

SOURCES = """
[tables.sources]
file = "sources.csv"
role = "source_records"
key = ["sensor", "identifier"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "identifier", type = "text", role = "identifier", definition = "Identifier." },
  { name = "first", type = "date", role = "first_version", required = false, definition = "First." },
  { name = "last", type = "date", role = "last_version", required = false, definition = "Last." },
  { name = "read", type = "date", role = "read_on", required = false, definition = "Read." },
]

[tables.checked]
file = "checked.csv"
role = "evidence_audit"
key = ["table", "row"]
columns = [
  { name = "table", type = "text", role = "table", definition = "Table." },
  { name = "row", type = "text", role = "row", definition = "Row." },
  { name = "digest", type = "text", role = "digest", definition = "Digest." },
  { name = "seed", type = "text", role = "seed", definition = "Seed." },
  { name = "population", type = "integer", role = "population", definition = "Rows." },
  { name = "verdict", type = "text", role = "verdict", required = false, definition = "Verdict." },
]

[tables.changed]
file = "changed.csv"
role = "corrections"
key = ["sensor", "column"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "column", type = "column", references = "sensors", role = "column", definition = "Column." },
  { name = "was", type = "verbatim", role = "before", required = false, definition = "Before." },
  { name = "now", type = "verbatim", role = "after", definition = "After." },
]
"""
FILES = {
    "data/sources.csv": "sensor,identifier,first,last,read\nada,arXiv:2011.00010,2020-11-02,2020-12,2021-01-01\n",
    "data/checked.csv": "table,row,digest,seed,population,verdict\nprobes,dot/1,{digest},s,3,right\n",
    "data/changed.csv": "sensor,column,was,now\ndot,year,2020,2019\n",
    "CITATION.cff": "cff-version: 1.2.0\ntype: dataset\nversion: 1.0.0\nlicense:\n  - MIT\n  - CC0-1.0\npreferred-citation:\n"
                    "  type: article\n  url: https://arxiv.org/abs/2012.00001\n",
    ".zenodo.json": '{\n  "upload_type": "dataset",\n  "license": "cc0-1.0",\n  "version": "1.0.0"\n}\n',
}  # fmt: skip
BOOK, TOLD = "data/codebook.toml", "data/claims.toml"
CASES = [
    ("a licence in the codebook alone", BOOK, '"CC0-1.0"', '"CC-BY-4.0"', "C447", "CITATION.cff", ".zenodo.json"),
    ("a licence in CITATION alone", "CITATION.cff", "CC0-1.0", "CC-BY-NC-4.0", "C447", "CITATION.cff"),
    ("a licence in .zenodo.json alone", ".zenodo.json", "cc0-1.0", "cc-by-4.0", "C447", ".zenodo.json"),
    ("a version in CITATION alone", "CITATION.cff", "version: 1.0.0", "version: 9.9.9", "C447", "9.9.9"),
    ("another paper to cite", "CITATION.cff", "2012.00001", "2012.00010", "C447", "2012.00010"),
    ("the home of another paper", BOOK, "https://soil.example/", "https://arxiv.org/abs/2012.00010", "C447", "homepage"),
    ("the published cell of a correction", "data/changed.csv", "year,2020", "year,2021", "C431", "dot/year", "was"),
    ("the stage of a released exclusion", "data/dropped.csv", "x1,title", "x1,text", "C431", "x1", "step"),
    ("the record of a released exclusion", "data/dropped.csv", "10.1234/meadow", "10.1234/lawn", "C431", "x1", "found"),
    ("a row after its audit", "data/probes.csv", "2021-01-31", "2021-01-30", "C446", "dot/1"),
    ("a date without its day", "data/dated.csv", "ada,2020-11-02", "ada,2020-11", "C449", "seen", "ada"),
    ("a source read before it was there", "data/sources.csv", "2021-01-01", "2020-01-01", "C448", "read"),
    ("a last version before the first", "data/sources.csv", "2020-12,", "2019-12,", "C448", "last"),
    ("full-width digits", TOLD, "Five sensors", "\uff11\uff15 sensors", "C470", "size"),
    ("mathematical digits", TOLD, "Five sensors", "\U0001d7cf\U0001d7d3 sensors", "C470", "size"),
    ("Arabic-Indic digits", TOLD, "Five sensors", "\u0661\u0665 sensors", "C470", "size"),
    ("a hundred", TOLD, "Five sensors", "A hundred sensors", "C470", "size"),
    ("a number in many words", TOLD, "Five sensors", "Two thousand and five sensors", "C470", "size"),
    ("a dozen", TOLD, "Five sensors", "A dozen sensors", "C470", "size"),
    ("a file that is added to a release", "data/releases/v1/notes.csv", "", "a\n", "C431", "notes.csv"),
    ("the day of a release", "data/releases.toml", 'date = "2', 'date = "1', "C431", "v1"),
    ("entries of a release", "data/releases.toml", "entries = 5", "entries = 6", "C606", "v1"),
    ("a formula in a cell", "data/uses.csv", "one dam only", "=HYPERLINK(A1)", "C212", "dam"),
    ("a required column that is no more", BOOK, '"What it senses." }', '"What it senses.", required = false }', "C431", "senses"),
    ("a definition without its number", BOOK, '"To 10 m."', '"Not to 10 m."', "C431", "deep"),
    ("a verdict", "data/checked.csv", "right", "wrong", "dot/1", "wrong"),
    ("a unit", "data/ranges.csv", "3,m", "3,km", "ada-reach", "km"),
    ("attributes of data", "data/.gitattributes", "", "*.csv -diff\n", "data/.gitattributes"),
    ("a licence text", "LICENSES/BSD.txt", "", "x\n", "LICENSES/BSD.txt"),
    ("the boundary of a use", "data/uses.csv", "one farm", "any farm", "farm", "any farm"),
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory, program):
    root = tmp_path_factory.mktemp("fresh")
    data = repository(root)
    book = (data / "codebook.toml").read_text("utf-8")
    cited = 'license = "CC0-1.0"\ncite = "arXiv:2012.00001"\nversion = "1.0.0"'
    (data / "codebook.toml").write_text(book.replace('license = "CC0-1.0"', cited) + SOURCES)
    tracked = CLAIMS.replace('id = "size"\n', 'id = "size"\ntracked = true\n')
    (data / "claims.toml").write_text(tracked, "utf-8")
    for name, text in FILES.items():
        text = text.replace("{digest}", row_digest(("dot", "1", "2021-01-31")))
        (root / name).write_text(text, "utf-8")
    commit_all(root, "track")
    made = program("release", "v1", "--data", str(data))
    assert made.exit_code == 0, made.output
    commit_all(root, "release")
    return root


@pytest.fixture(scope="module")
def program():
    from click.testing import CliRunner

    from corpus.cli.main import main

    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(("file", "old", "new", "expected"), [
    pytest.param(file, old, new, expected, id=name) for name, file, old, new, *expected in CASES
])  # fmt: skip
def test_no_change_is_silent(run, base, tmp_path, file, old, new, expected):
    root = Path(shutil.copytree(base, tmp_path / "study", symlinks=True))
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text("utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else new, "utf-8")
    report = json.loads(run("diff", "HEAD", "--format", "json", cwd=root).stdout)
    codes = {finding["code"] for finding in report["findings"]}
    told = json.dumps(report, ensure_ascii=False)
    assert "Nothing differs" not in told
    for part in expected:
        assert part in (codes if re.fullmatch(r"C\d{3}", part) else told), (codes, told)


def test_the_unchanged_corpus_has_no_finding(run, base):
    report = json.loads(run("diff", "HEAD", "--format", "json", cwd=base).stdout)
    assert report["findings"] == []
