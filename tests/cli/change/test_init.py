import json
import os
import re
import subprocess
from functools import partial
from itertools import cycle

import pytest

from corpus.tables.corpus_reader import load_corpus

TOOLKIT = "mas-rl-corpus @ git+https://git.example/corpus@0123456789abcdef"
TABLE = """\
Title,Authors,Year,DOI,Sensor,Measures,Remark on depth
Peat by light,"Ward, Ann; Moor, Bo",2019,10.1234/a.1,Optical,moisture; heat,shallow
Salt by light,"Moor, Bo",2020,10.1234/a.2,optical,salt,down to two metres in one place
Sound of water,"Fen, Di",2021,,acoustic,moisture,
Sound of salt,"Fen, Di",2022,,acoustic,salt; moisture,not said
"""


def only_todos(result):
    """Whether a check found nothing but definitions that somebody has to write."""
    return {finding["code"] for finding in json.loads(result.stdout)["findings"]} == {"C002"}


@pytest.fixture
def init(run, tmp_path):
    """Start a corpus in the folder `new` from a file."""
    return partial(run, "init", tmp_path / "new", "--from")


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "my papers.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


def test_the_template_is_a_corpus_that_passes_its_check(run, tmp_path):
    folder = tmp_path / "my-survey"
    result = run("init", folder, "--toolkit", TOOLKIT)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert len(load_corpus(str(folder / "data")).pool.rows) == 2
    assert only_todos(run("check", "--format", "json", "--data", folder))
    assert run("fmt", "--check", "--data", folder).exit_code == 0
    assert run("stats", "--data", folder).exit_code == 0
    for file in (
        "README.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "data/claims.toml",
        ".github/workflows/check.yml",
        ".github/workflows/rebuild.yml",
    ):
        assert (folder / file).stat().st_size > 0
    assert not (folder / "import-report.md").exists()


def test_what_the_commands_leave_is_not_for_the_repository(run, tmp_path):
    folder = tmp_path / "my-survey"
    run("init", folder)
    subprocess.run(["git", "init", "-q", folder], check=True)
    run("edit", "doe-2023-first", "--set", "notes=seen", cwd=folder)
    (folder / "data" / ".pool.csv.0123456789ab.tmp").touch()
    status = ["git", "-C", folder, "status", "--porcelain", "-uall"]
    listed = subprocess.run(status, check=True, capture_output=True, text=True).stdout
    assert "data/pool.csv" in listed
    assert not [line for line in listed.splitlines() if line.endswith((".tmp", ".lock"))]


def test_a_table_becomes_a_checked_corpus(run, tmp_path, source):
    folder = tmp_path / "soil"
    result = run("init", folder, "--from", source, "--title", "Soil sensors")
    assert result.exit_code == 0
    for column in ("Title", "Sensor", "Measures"):
        assert column in result.stdout
    assert only_todos(run("check", "--format", "json", "--data", folder))
    corpus = load_corpus(str(folder / "data"))
    assert corpus.codebook.corpus["title"] == "Soil sensors"
    assert [axis.name for axis in corpus.codebook.pool.axes] == ["sensor", "measures"]
    assert corpus.codebook.vocabularies["measures"].ids == ("moisture", "salt", "heat")
    assert [
        row["measures"] for row in corpus.pool.records() if row["title"] == "Sound of salt"
    ] == ["moisture; salt"]
    report = (folder / "import-report.md").read_text(encoding="utf-8")
    assert "optical was written in 2 ways" in report
    assert "TODO" in (folder / "data" / "codebook.toml").read_text(encoding="utf-8")


def test_the_user_maps_columns_and_sees_the_plan_first(run, tmp_path, source):
    folder = tmp_path / "soil"
    maps = ("--map", "Sensor=probe", "--map", "Remark on depth=", "--map", "Measures=quantity:text")
    shown = run("init", folder, "--from", source, "--plan", *maps)
    assert shown.exit_code == 0
    assert "probe" in shown.stdout
    assert not folder.exists()
    assert run("init", folder, "--from", source, *maps).exit_code == 0
    corpus = load_corpus(str(folder / "data"))
    assert [axis.name for axis in corpus.codebook.pool.axes] == ["probe"]
    assert "shallow" in corpus.pool.column("notes")
    assert "moisture; heat" in corpus.pool.column("quantity")


@pytest.mark.parametrize("filled", ["file.txt", "folder"])
def test_a_folder_with_anything_in_it_is_refused(run, tmp_path, source, filled):
    folder = tmp_path / "soil"
    folder.mkdir()
    (folder / filled).mkdir()
    assert run("init", folder, "--from", source).exit_code == 2
    assert os.listdir(folder) == [filled]
    assert run("init", source).exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "SOURCE", "--map", "Nowhere=title"],
        ["--from", "SOURCE", "--map", "Title"],
        ["--from", "SOURCE", "--format", "poem"],
        ["--from", "SOURCE", "--encoding", "klingon"],
    ],
)
def test_wrong_usage_is_exit_2_and_writes_nothing(run, tmp_path, source, arguments):
    given = [str(source) if argument == "SOURCE" else argument for argument in arguments]
    assert run("init", tmp_path / "new", *given).exit_code == 2
    assert not (tmp_path / "new").exists()


def test_a_file_that_cannot_be_imported_is_exit_1_and_writes_nothing(init, tmp_path):
    big = tmp_path / "big.csv"
    with open(big, "wb") as handle:
        handle.truncate(2_000_000_000)
    for file, code in ((big, "I102"), (tmp_path / "missing.csv", "I101"), (tmp_path, "I101")):
        result = init(file)
        assert result.exit_code == 1
        assert code in result.stderr
        assert not (tmp_path / "new").exists()


def test_a_source_whose_corpus_would_be_too_wide_is_refused(init, tmp_path, monkeypatch):
    """Every pool gets columns that its source need not have; `corpus check` would refuse it."""
    monkeypatch.setattr("corpus.curation.importing.readers.records.MAX_COLUMNS", 8)
    (tmp_path / "wide.csv").write_text("title,year,a,b,c,d\nPeat,2020,1,2,3,4\n", encoding="utf-8")
    result = init(tmp_path / "wide.csv")
    assert result.exit_code == 1
    assert "I108" in result.output
    assert not (tmp_path / "new").exists()


def test_a_malformed_entry_is_named_and_the_rest_becomes_a_corpus(init, tmp_path):
    bib = tmp_path / "refs.bib"
    bib.write_text(
        "@misc{peat, title={Peat}, year=2019}\n@misc{open, title={Bog\n@misc{fen, title={Fen}, year=2020}\n"
    )
    result = init(bib)
    assert result.exit_code == 0
    assert "I106" in result.stderr
    assert load_corpus(str(tmp_path / "new" / "data")).pool.column("key") == ["fen", "peat"]
    assert "refs.bib:2" in (tmp_path / "new" / "import-report.md").read_text().replace("\\", "")


def test_hostile_cells_stay_text(init, tmp_path):
    file = tmp_path / "h.csv"
    titles = [
        '"}\n[corpus]\nid = "x',
        "{{ 7*7 }} {% raw %}",
        "::error::x",
        "<script>a</script>",
        '"""',
        "a\\u0000b",
    ]
    rows = "".join('"{}",{}\n'.format(title.replace('"', '""'), "<b> {{x}}") for title in titles)
    # One row without the term: what every row has is no axis.
    file.write_text("title,kind\n" + rows + "Peat,\n", encoding="utf-8")
    assert init(file).exit_code == 0
    corpus = load_corpus(str(tmp_path / "new" / "data"))
    assert len(corpus.pool.rows) == len(titles) + 1
    assert corpus.codebook.corpus["id"] == "new"
    (term,) = corpus.codebook.vocabularies["kind"].terms
    assert term.label == "{{x}}"
    report = (tmp_path / "new" / "import-report.md").read_text()
    assert "<script>" not in report
    assert not any(line.startswith("::") for line in report.splitlines())


def test_the_workflow_reads_only_and_pins_what_it_uses(run, tmp_path):

    import yaml

    assert run("init", tmp_path / "new", "--toolkit", TOOLKIT).exit_code == 0
    workflow = yaml.safe_load(
        (tmp_path / "new" / ".github" / "workflows" / "check.yml").read_text()
    )
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["check"]["steps"]
    assert all(re.search(r"^[.]/|@[0-9a-f]{40}$", step["uses"]) for step in steps)
    assert steps[-1]["with"]["toolkit"] == TOOLKIT.replace(" @", "[figures] @")


def test_what_the_workflow_installs_is_checked_first(run, tmp_path):
    assert run("init", tmp_path / "bad", "--toolkit", "x; rm -rf /").exit_code == 2


def test_only_the_job_that_makes_generated_files_may_write(run, tmp_path):

    import yaml

    run("init", tmp_path / "new", "--toolkit", TOOLKIT)
    path = tmp_path / "new" / ".github" / "workflows" / "rebuild.yml"
    workflow = yaml.safe_load(path.read_text())
    assert workflow[True] == {"push": {"branches": ["main"]}}  # YAML reads `on` as a truth value
    assert workflow["permissions"] == {}
    job = workflow["jobs"]["rebuild"]
    assert job["permissions"] == {"contents": "write"}
    for step in job["steps"]:
        assert re.search(r"@[0-9a-f]{40}$", step.get("uses", "@" + "0" * 40))
        assert "${{" not in step.get("run", "")
    assert job["steps"][-1]["env"]["REPOSITORY"] == "${{ github.repository }}"


def test_the_next_paper_gets_the_cells_and_a_key(run, init, tmp_path, source):
    source.write_text('Title,Authors,Date\nPeat,"Ward, Ann",2020-05\nBog,"Fen, Bo",2021-02-03\n')
    init(source)
    bib = tmp_path / "one.bib"
    bib.write_text(
        "@article{x, title={Moss: A Life}, author={Moor, Di}, journal={Mires}, year=2022, month=mar}"
    )
    result = run("add", "--bibtex", bib, "--no-input", "--data", tmp_path / "new")
    assert (result.exit_code, result.stdout) == (0, "moss\n")
    # No claim of a new corpus is broken by its first added paper.
    assert run("claims", "--data", tmp_path / "new").exit_code == 0
    added = load_corpus(str(tmp_path / "new" / "data")).pool.records()
    assert {r["key"]: (r["year"], r["first_public"]) for r in added}["moss"] == ("2022", "2022-03")


@pytest.mark.parametrize("columns", ["Title,Year", "Title,Year,Kind", "Title,Tags"])
def test_a_list_with_few_columns_or_none_to_count_goes_through_every_command(
    run, tmp_path, source, columns
):
    cells = {
        "Title": ("Peat", "Bog and moss"),
        "Year": ("2020", "2021"),
        "Kind": ("wet", "wet"),
        "Tags": ("a; b", "b"),
    }
    rows = [",".join(cells[name][n] for name in columns.split(",")) for n in range(2)]
    source.write_text("\n".join([columns, *rows, ""]))
    new = tmp_path / "new"
    run("init", new, "--from", source)
    for command in (
        ("check",), ("stats",), ("sparsity",), ("list",), ("claims",), ("search", "peat"), ("render",), ("site",),
        ("render-appendix", "--format", "latex"), ("figures", "--out", str(new / "figures"), "--format", "svg"),
        ("export", "--all", "--out", str(new / "exported")),
    ):  # fmt: skip
        assert run(*command, "--data", new).exit_code == 0, command
    assert not list((new / "figures").glob("screening*"))  # nobody has screened anything


HEADERS = [
    "id,name,slug",
    "id,name,source_key",
    "id,name,source key,Source-Key",
    "key,title,key,title",
    "slug,name,id,key",
    "id,title,Title,TITLE",
    "id,título,titulo,TÍTULO",
    "id,title,a b,a_b,a-b,A B",
    "id,title,stage,screening_stage,screening_stage_2",
    "id,title,record_id,source,reason,notes,note",
    "id,title,select,table,order,from,where",
    "id,title,tables,columns,vocabularies,corpus,format,true,inf",
    "id,title,first_author,authors,author,summary,first_public,date",
    "id,title,rowid,oid,_rowid_,rank,pool_search",
    "id,title,column,column_2,,",
    "id,title," + "very_long_name_" * 5 + "," + "very_long_name_" * 6,
]  # fmt: skip
KEYS = cycle(("smith{}", "Smith Paper {}", "{}"))


@pytest.mark.parametrize(("header", "first"), [*zip(HEADERS, KEYS, strict=False)])
def test_headers_that_collide_make_a_corpus_that_opens_with_every_cell(
    run, tmp_path, header, first
):
    width = header.count(",") + 1
    rows = [
        [first.format(n), *(f"word {n} of {column}" for column in range(1, width))]
        for n in range(1, 5)
    ]
    (tmp_path / "list.csv").write_text("\n".join([header, *map(",".join, rows)]) + "\n", "utf-8")
    folder = tmp_path / "new"
    assert run("init", folder, "--from", tmp_path / "list.csv").exit_code == 0
    assert run("check", "--data", folder).exit_code == 0
    sqlite = tmp_path / "new.sqlite"
    assert run("export", "sqlite", "--data", folder, "--out", sqlite).exit_code == 0
    pool = load_corpus(str(folder / "data")).pool
    assert len(pool.rows) == len(rows)
    kept = "\n".join("; ".join(row) for row in pool.rows)
    assert [cell for row in rows for cell in row if cell not in kept] == []


def test_how_the_source_was_read_is_reported_at_once(init, tmp_path):
    source = tmp_path / "west.csv"
    source.write_bytes(
        "Our list\n\nTitle;Year\nLa tourbière à Québec;2001\nSeñor Ångström;2002\n".encode("cp1252")
    )
    for more in (("--plan",), ()):
        said = init(source, *more).stderr
        assert all(word in said for word in ("cp1252", "';'", "line 3"))


DECIDED = (
    "title,year,decision,reason_code\nPeat,2019,INCLUDED,\nBog,2020,EXCLUDED,off_topic\n"
    "Fen,2021,EXCLUDED,no_text\n"
)


@pytest.mark.parametrize(("name", "text", "code", "allowed"), [
    *((name, "anything", "I109", "") for name in ("a.enl", "a.rdf", "a.pdf", "a.html")),
    ("a.md", "| Method | Link |\n|-|-|\n" + "".join(f"| M{n} | [Paper](https://doi.org/10.1234/w{n}) |\n" for n in range(4)),
     "I121", "--map Method=title"),
    ("a.csv", "title,Exclusion reason\nPeat by light,wrong bog\nSalt and moss,too dry\n", "I110", "--keep-excluded"),
    ("a.csv", DECIDED, "I110", "--keep-excluded"),
])  # fmt: skip
def test_a_file_is_refused_until_somebody_decides(init, tmp_path, name, text, code, allowed):
    (tmp_path / name).write_text(text, "utf-8")
    refused = init(tmp_path / name)
    assert (refused.exit_code, code in refused.stderr) == (1, True)
    assert not (tmp_path / "new").exists()
    if allowed:
        assert init(tmp_path / name, *allowed.split()).exit_code == 0


def test_excluded_records_are_the_log_with_their_reasons(run, init, tmp_path):
    where = ("--excluded-where", "decision=EXCLUDED", "--reason", "reason_code")
    assert init(write_list(tmp_path, "screened.csv", DECIDED), *where).exit_code == 0
    corpus = load_corpus(str(tmp_path / "new" / "data"))
    assert corpus.pool.column("title") == ["Peat"]
    log = corpus.tables["exclusions"]
    reasons = list(zip(log.column("title"), log.column("reason"), strict=True))
    assert reasons == [("Bog", "off_topic"), ("Fen", "no_text")]
    assert run("check", "--data", tmp_path / "new").exit_code == 0


def write_list(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_the_account_of_the_source_ends_an_import_and_is_in_its_report(init, tmp_path):
    text = "## Soil\n- [Peat by light](https://doi.org/10.1234/a)\n\n## News\n- [We moved](https://b.example)\n"
    done = init(write_list(tmp_path, "list.md", text))
    assert done.exit_code == 0
    (line,) = [each for each in done.stderr.splitlines() if each.startswith("import summary: ")]
    assert "1 records; 1 identifiers: 1 in rows" in line
    assert "Import summary: 1 records" in (tmp_path / "new" / "import-report.md").read_text("utf-8")
