"""Changes that a pull request can bring: each is named by `corpus diff`, or refused; none is "Nothing differs".

A row has a file, a text in it and what a pull request writes there instead (or what changes the repository), and what the
report must have: codes of findings, and words. Half of the kinds were listed by somebody who had not read the comparison.
"""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.analysis.audit.audit import row_digest
from corpus.analysis.claims.releases import digest_of
from corpus.cli.main import main
from corpus.tables.documents import read_codebook
from corpus.tables.location import released_files
from tests.corpora.full import CLAIMS, repository
from tests.support.daily import EVERY
from tests.support.repository import commit_all, git

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

[tables.printed]
file = "printed.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "year", type = "year", definition = "Year, as printed." },
]

[tables.told]
file = "told.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "here", type = "text", definition = "Printed." },
  { name = "there", type = "text", definition = "Published." },
  { name = "about", type = "text", definition = "About." },
]

[tables.said]
file = "said.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "text", type = "text", definition = "Sentence." },
]

[printed]
printed = { ledger = "told", printed = "here", published = "there", where = { about = "tags" } }

[repeated]
said = { column = "text", table = "ranges", value = "value" }
"""
FILES = {
    "data/printed.csv": "row,sensor,year\n1,ada,2020\n2,dot,2018\n",
    "data/told.csv": "row,sensor,here,there,about\nd,dot,year 2018,year 2020,tags\nn,dot,Ten,Nine,words\n",
    "data/said.csv": "row,sensor,text\na,ada,Hears for up to 3 m since 2020\n",
    "README.md": "Sensors: <!-- corpus: PoolSize -->5<!-- /corpus -->. The pool has 5 sensors.\n",
    "pyproject.toml": '[project]\nname = "soil"\nversion = "2.0.0"\nlicense = "MIT AND CC0-1.0"\n',
    "codemeta.json": '{\n  "@type": "SoftwareSourceCode",\n  "version": "2.0.0",\n  "license": [\n    "https://spdx.org/licenses/MIT",\n'
                     '    "https://spdx.org/licenses/CC0-1.0"\n  ],\n  "referencePublication": {\n    "identifier": "arXiv:2012.00001"\n  }\n}\n',
    "LICENSES/CC0-1.0.txt": "Free.\n",
    "LICENSES/MIT.txt": "Free.\n",
    "data/sources.csv": "sensor,identifier,first,last,read\nada,arXiv:2011.00010,2020-11-02,2020-12,2021-01-01\n",
    "data/checked.csv": "table,row,digest,seed,population,verdict\nprobes,dot/1,{digest},s,3,right\n",
    "data/changed.csv": "sensor,column,was,now\ndot,year,2020,2019\n",
    "CITATION.cff": "cff-version: 1.2.0\ntype: dataset\nversion: 1.0.0\nlicense:\n  - MIT\n  - CC0-1.0\npreferred-citation:\n"
                    "  type: article\n  url: https://arxiv.org/abs/2012.00001\n",
    ".zenodo.json": '{\n  "upload_type": "dataset",\n  "license": "cc0-1.0",\n  "version": "1.0.0"\n}\n',
}  # fmt: skip
BOOK, TOLD = "data/codebook.toml", "data/claims.toml"
#: What decides the checks is everything but data, figures, reports and prose.
DECIDING = (
    "action.yml", "tests/test_a.py", "pytest.ini", ".pre-commit-config.yaml", "pip/__main__.py", "click.py", ".gitattributes",
    "sitecustomize.py", ".github/actions/corpus/action.yml", "data.toml", ".envrc", "bin/corpus", "Makefile",
    "corpus/__init__.py", "docs/conf.py", "docs/hook.md.py", "reports.py",
)  # fmt: skip
TRACKED = '\n[[claims]]\nid = "deep-ones"\ntracked = true\nstatement = "{} sensors are deep."\nwhere = {{ depth = "deep" }}\ncount = {}\n'


def reorder(root):
    table = root / "data/sensors.csv"
    head, *rows = table.read_text().splitlines(keepends=True)
    table.write_text("".join([head, *reversed(rows)]))


def link(root):
    (root / "reports").mkdir()
    (root / "reports/link.md").symlink_to("../data/sensors.csv")


def nest(root):
    (root / "tools").mkdir()
    git(root / "tools", "init", "-q")
    commit_all(root / "tools")


def released(name="v2", day="2030-01-01", old="", new=""):
    """Make a release by hand: a copy of the data, perhaps another one, and an entry at the end of the list."""

    def edit(root):
        data, files = root / "data", {}
        for file in released_files(read_codebook(str(data))):
            path = data / "releases" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            files[file] = (data / file).read_bytes().replace(old.encode(), new.encode())
            path.write_bytes(files[file])
        with (data / "releases.toml").open("a") as listed:
            listed.write(f'\n[[releases]]\nid = "{name}"\nversion = "9.0.0"\ndate = "{day}"\ntext = "Soils"\nentries = 5\nexcluded = 3\nclaims = 3\n'
                         f'digest = "{digest_of(files)}"\n')  # fmt: skip

    return edit


BIRCHES, BEECHES = "Birches that", "Beeches that"
CASES = [
    *((name, name, "", "x\n", "may decide what is checked") for name in DECIDING),
    ("a schema", "data/schemas/codebook.json", "", "x", "data/schemas/codebook.json"),
    ("a table whose name differs in case", "data/Sensors.csv", "", "sensor\n", "data/Sensors.csv"),
    ("an undeclared table", "data/more.csv", "", "a,b\n1,2\n", "data/more.csv"),
    ("a name with a line end", "reports/a\nline.md", "", "x", "line"),
    ("a link in reports", link, "reports/link.md", "a link"),
    ("prose", "notes.md", "", "x", "notes.md"),
    ("a figure", "figures/a.svg", "", "x", "figures/a.svg"),
    ("a table in another order", reorder, "data/sensors.csv", "the same rows"),
    ("a comment in the codebook", BOOK, "[corpus]", "# more\n[corpus]", "data/codebook.toml"),
    ("a mode", lambda root: (root / "data/sensors.csv").chmod(0o755), "sensors.csv"),
    ("a repository inside", nest, "tools", "a repository"),
    ("a journal", "data/.corpus.journal", "", "{}", "C127", ".corpus.journal"),
    ("a temporary file", "data/.sensors.csv.0123456789ab.tmp", "", "x", "C127", "tmp"),
    ("a temporary file beside the data", ".CITATION.cff.0123456789ab.tmp", "", "x", "C127", "tmp"),
    ("a direction in a comment", BOOK, "[corpus]", "# more \u202e rules\n[corpus]", "C211"),
    ("a direction by its number", TOLD, "Five sensors", "Five \\u202E sensors", "C211"),
    ("a look-alike in a definition", BOOK, '"Gas."', '"G\u0430s."', "C221"),
    ("a release of data that never were", released(old=BIRCHES, new=BEECHES), "New release v2", "C435", "sensors.csv"),
    ("a release", released(), "New release v2"),
    ("a release before the latest", released("v0", "2001-01-01"), "New release v0", "C436"),
    ("a released table is changed", "data/releases/v1/sensors.csv", BIRCHES, BEECHES, "C431", "v1"),
    ("an older release is removed", "data/releases.toml", None, None, "C431"),
    ("a new tracked claim that is false", TOLD, "format = 1", "format = 1\n" + TRACKED.format("Fifty", 50), "C434", "deep-ones"),
    ("a new tracked claim that holds", TOLD, "format = 1", "format = 1\n" + TRACKED.format("One", 1), "claims", "deep-ones"),
    ("a released number is edited", TOLD, "count = 5", "count = 15", "C434", "size"),
    ("the end of a long cell", "data/sensors.csv", "flooded in spring", f"{'wet ' * 90}and it is not dry {'wet ' * 90}in the far east", "is not dry", "in the far east"),
    ("the second item of a list", BOOK, '["water", "salt"]', '["water", "heat"]', "item 2", "heat"),
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
    ("a printed cell", "data/printed.csv", "ada,2020", "ada,2021", "C453", "ada"),
    ("a printed cell of the ledger", "data/printed.csv", "2018", "2020", "C453", "dot"),
    ("a cell of the ledger", "data/told.csv", "year 2018", "year 2017", "C453", "dot"),
    ("a number in a sentence", "data/said.csv", "3 m", "30 m", "C452", "30"),
    ("the number of a sentence", "data/ranges.csv", "3,m", "13,m", "C452", "3"),
    ("Chinese numerals", TOLD, "Five sensors", "\u5341\u4e94 sensors", "C470", "size"),
    ("a numeral in a circle", TOLD, "Five sensors", "\u246d sensors", "C470", "size"),
    ("a version of the program", "codemeta.json", "2.0.0", "2.1.0", "C447", "codemeta.json"),
    ("a licence of the program", "codemeta.json", "licenses/MIT", "licenses/GPL-3.0", "C447", "codemeta.json"),
    ("the paper of the program", "codemeta.json", "2012.00001", "2012.00010", "C447", "codemeta.json"),
    ("the text of the licence", "LICENSES/CC0-1.0.txt", None, None, "C447", "LICENSES"),
    ("a marked number", "README.md", "-->5<", "-->6<", "R123", "README.md"),
    ("a number typed by hand", "README.md", "has 5", "has 50", "README.md"),
    ("an unreadable list of releases", "data/releases.toml", "format = 1", "format = ", "C119"),
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
def base(tmp_path_factory):
    root = tmp_path_factory.mktemp("fresh")
    data = repository(root)
    book = (data / "codebook.toml").read_text("utf-8")
    cited = 'license = "CC0-1.0"\ncite = "arXiv:2012.00001"\nversion = "1.0.0"'
    (data / "codebook.toml").write_text(book.replace('license = "CC0-1.0"', cited) + SOURCES)
    tracked = CLAIMS.replace('id = "size"\n', 'id = "size"\ntracked = true\n')
    (data / "claims.toml").write_text(tracked, "utf-8")
    for name, text in FILES.items():
        text = text.replace("{digest}", row_digest(("dot", "1", "2021-01-31")))
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    (root / ".gitignore").write_text(".*.tmp\n")
    commit_all(root, "track")
    assert CliRunner().invoke(main, ["release", "v1", "--data", str(data)]).exit_code == 0
    commit_all(root, "release")
    return root


def changed(base, folder, edit, old=None, new=None):
    """A copy of the corpus with a change, which is committed: the comment of a pull request reads commits alone."""
    root = Path(shutil.copytree(base, folder / "study", symlinks=True))
    if callable(edit):
        edit(root)
    elif new is None:
        (root / edit).unlink()
    else:
        path = root / edit
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8") if path.exists() else ""
        assert old in text
        path.write_text(text.replace(old, new, 1) if old else new, "utf-8")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "change")
    return root


def parts(case):
    """The change of a case, and what is expected of it."""
    return (case[:1], case[1:]) if callable(case[0]) else (case[:3], case[3:])


def reported(run, root, *command):
    return json.loads(run(*command, "--format", "json", cwd=root).stdout)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, *case in CASES])
def test_no_change_is_silent(run, base, tmp_path, case):
    change, expected = parts(case)
    root = changed(base, tmp_path, *change)
    report = reported(run, root, "diff", "HEAD~1", "HEAD")
    codes = {finding["code"] for finding in report["findings"]}
    told = json.dumps(report, ensure_ascii=False)
    assert "Nothing differs" not in told
    for part in expected:
        assert part in (codes if re.fullmatch(r"[CR]\d{3}", part) else told), (codes, told)
    if EVERY or len(case[-1]) % 3 == 0:  # a third of them, whichever
        assert reported(run, root, "diff", "HEAD~1")["findings"] == report["findings"]


@pytest.mark.parametrize("code", ["C431", "C446", "C449", "C447", "R123", "C119"])
def test_the_check_of_a_change_finds_what_its_report_lists(run, base, tmp_path, code):
    case = next(case for _, *case in CASES if code in case)
    root = changed(base, tmp_path, *parts(case)[0])
    report = reported(run, root, "diff", "HEAD~1", "HEAD")["findings"]
    checked = reported(run, root, "check", "--since", "HEAD~1")["findings"]
    both = [
        {(found["code"], found["value"]) for found in findings} for findings in (report, checked)
    ]
    assert both[0] == both[1]
    assert code in dict(both[0])


def test_an_unreadable_list_removes_no_release(run, base, tmp_path):
    root = changed(base, tmp_path, "data/releases.toml", "format = 1", "format = ")
    report = reported(run, root, "diff", "HEAD~1", "HEAD")
    assert [finding["code"] for finding in report["findings"]] == ["C119"]
    assert report["weaker_checks"] == []


def test_the_unchanged_corpus_has_no_finding(run, base):
    assert reported(run, base, "diff", "HEAD")["findings"] == []
    assert run("diff", "HEAD", cwd=base).stdout.startswith("Nothing differs")
