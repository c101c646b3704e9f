"""A stranger breaks one thing and is told where and how to mend it; no file changes, no traceback."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpora.full import add_sensor, write_full
from tests.support.changing import rewrite
from tests.support.golden import golden
from tests.support.repository import commit_all, git

CLAY = '\nclay,A capacitive probe for clay,"Loam, Ann",2020,2003.00001,https://arxiv.org/abs/2003.00001,dielectric,'


def findings(run, data: Path) -> list[str]:
    before = snapshot(data)
    result = run("check", "--format", "json", cwd=data.parent)
    assert snapshot(data) == before
    report = json.loads(result.stdout)
    assert result.exit_code == (1 if report["errors"] else 0)
    assert all(found["hint"] and found["file"] for found in report["findings"])
    return [f"{one['code']} {one['line']} {one['column']}".strip() for one in report["findings"]]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file() and os.access(p, os.R_OK)
    }


def replace(old: str, new: str, count: int = 1) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), count)

    return change


HEADER = "id,name,who,year,arxiv,link,probe,measures,remark\n"

#: What is broken -> how, and the codes, lines and columns that are reported.
BROKEN = {
    "byte order mark": (lambda b: b"\xef\xbb\xbf" + b, ["C105 1"]),
    "CRLF": (lambda b: b.replace(b"\n", b"\r\n"), ["C108 1"]),
    "UTF-16": (lambda b: b.decode().encode("utf-16"), ["C106 1"]),
    "Latin-1": (lambda b: b.replace(b"Bo", "Bö".encode("latin-1")), ["C106 3"]),
    "NUL byte": (replace("Light", "Li\0ght"), ["C107 3"]),
    "unclosed quote": (replace('"Moor, Bo"', '"Moor, Bo'), ["C111 3"]),
    "unclosed quote at the end": (lambda b: b + b'"x', ["C109 5", "C112 5"]),
    "one cell too many, first row": (replace("\nclay,A", "\nclay,x,A"), ["C114 2"]),
    "one cell too few, first row": (replace(CLAY, CLAY.replace(",2020", "")), ["C114 2"]),
    "one cell too many, later row": (replace(",2019,", ",2019,x,"), ["C114 4"]),
    "one cell too few, later row": (replace(",2019,", ","), ["C114 4"]),
    "renamed column": (replace("id,name", "id,title"), ["C115 1 name", "C116 1 title"]),
    "missing column": (replace(",who", ""), ["C115 1 who"]),
    "doubled column": (replace("id,name", "id,id"), ["C115 1 name", "C117 1 id"]),
    "misplaced column": (replace("who,year", "year,who"), ["C118 1 year"]),
    "blank line": (replace("\nfen", "\n\nfen"), ["C110 3"]),
    "no final newline": (lambda b: b[:-1], ["C109 4"]),
    "merge conflict": (replace("\nfen", "\n<<<<<<< ours\nfen"), ["C113 3"]),
    "empty file": (lambda b: b"", ["C104 0"]),
    "semicolons": (lambda b: b.replace(b",", b";"), ["C121 1"]),
    "text after a closing quote": (replace('"Moor, Bo"', '"Moor, Bo"x'), ["C111 3"]),
    "embedded line break": (replace("readable", "read\nable"), ["C211 3 remark"]),
    "arXiv id turned into a float": (replace("2003.00001,https", "2003.1,https"), ["C204 2 arxiv"]),
    "arXiv id from the future": (replace("2003.00001,https://arxiv.org/abs/2003.00001", "9803.00001,"), ["C205 2 arxiv", "C306 2 arxiv"]),
    "NA blanked": (replace("none,heat", ",heat"), ["C201 4 probe"]),
    "smart quotes in a tag": (replace(",optical", ",“optical”"), ["C202 3 probe"]),
    "non-breaking space in a tag": (replace(",optical", ",optical\u00a0"), ["C202 3 probe"]),
    "tag in another case": (replace(",optical", ",Optical"), ["C202 3 probe"]),
    "doubled tag": (replace("moisture; salt", "salt; salt"), ["C219 2 measures"]),
    "key form": (replace("\nfen", "\nFen_1"), ["C203 3 id", "C308 3 id", "C401 3 id", "C402 3 id"]),
    "javascript address": (replace("https://fen.example/paper", "javascript:alert(1)"), ["C207 3 link"]),
    "year with blanks": (replace(",2021,", ", 2021 ,"), ["C214 3 year"]),
    "Arabic digits": (replace(",2021,", ",٢٠٢١,"), ["C208 3 year"]),
    "year out of range": (replace(",2021,", ",1021,"), ["C209 3 year"]),
    "formula": (replace("Light in", "=HYPERLINK(1) in"), ["C212 3 name"]),
    "zero width space": (replace("Light in", "Light\u200b in"), ["C211 3 name"]),
    "right-to-left override": (replace("Light in", "Light\u202e in"), ["C211 3 name"]),
    "escape sequence": (replace("Light in", "Light\x1b[31m in"), ["C211 3 name"]),
    "placeholder": (replace("Light in the fen", "TBD"), ["C213 3 name"]),
    "two blanks": (replace("Light in", "Light  in"), ["C214 3 name"]),
    "decomposed accent": (replace("Moor", "Mo\u0301or"), ["C215 3 who", "C414 3 who"]),
    "LaTeX": (replace("Moor", "M\\'{o}or"), ["C216 3 who"]),
    "mojibake": (replace("Light", "LÃ©ger"), ["C217 3 name"]),
    "contradiction": (replace("none,heat", "none,salt"), ["C302 4 measures"]),
    "arXiv address of another work": (replace("abs/2003.00001", "abs/2003.00002"), ["C307 2 link"]),
    "arXiv id against year": (replace(",2020,", ",2009,"), ["C306 2 arxiv"]),
    "out of order": (replace("\nfen", "\nzen"), ["C308 4 id", "C401 3 id", "C402 3 id"]),
    "needless quotes": (replace(",2021,", ',"2021",'), ["C309 3"]),
    "doubled key": (replace("\nfen", "\nclay"), ["C301 3 id", "C401 3 id"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_table(run, minimal, name):
    change, expected = BROKEN[name]
    file = minimal / "sensors.csv"
    file.write_bytes(change(file.read_bytes()))
    assert sorted(findings(run, minimal)) == sorted(expected)


def test_line_numbers_count_line_breaks_inside_cells(run, minimal):
    file = minimal / "sensors.csv"
    text = file.read_text().replace("readable", "read\nable").replace("none,heat", "non,heat")
    file.write_text(text)
    assert "C202 5 probe" in findings(run, minimal)


def test_tables_of_a_header_alone_are_valid(run, minimal):
    for name in ("sensors", "papers", "rejected"):
        file = minimal / f"{name}.csv"
        file.write_text(file.read_text().splitlines()[0] + "\n")
    assert findings(run, minimal) == []


def test_a_valid_corpus_has_no_findings(run, minimal, real):
    assert findings(run, minimal) == []
    assert findings(run, real) == []


@pytest.mark.parametrize("kind", ["folder", "missing", "no permission", "dangling link"])
def test_a_file_that_is_none(run, minimal, kind):
    file = minimal / "rejected.csv"
    text = file.read_bytes()
    file.unlink()
    code = "C101"
    if kind == "folder":
        file.mkdir()
        code = "C102"
    elif kind == "no permission":
        file.write_bytes(text)
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("this user may read everything")
        code = "C103"
    elif kind == "dangling link":
        file.symlink_to("nowhere.csv")
    assert [found[:4] for found in findings(run, minimal)] == [code]


def test_near_titles_can_be_left_out(run, minimal):
    pool = minimal / "sensors.csv"
    pool.write_text(pool.read_text() + 'zz,Temperature of till,"Stein, Cy",2019,,,none,heat,\n')
    papers = minimal / "papers.csv"
    papers.write_text(papers.read_text() + 'zz,"Stein, Cy",,2019\n')
    assert findings(run, minimal) == ["C305 5 name"]
    assert run("check", "--strict", "--no-near-titles", cwd=minimal.parent).exit_code == 0


def test_a_conflict_in_a_document_is_reported_as_one(run, minimal):
    protocol = minimal / "protocol.toml"
    ours, theirs = '<<<<<<< ours\nid = "a"\n', '=======\nid = "b"\n>>>>>>> theirs\n'
    protocol.write_text("[[sources]]\n" + ours + theirs + protocol.read_text())
    assert findings(run, minimal) == ["C113 2", "C113 4", "C113 6"]


@pytest.mark.parametrize("tag", ["roel", "", "role "])
def test_an_undeclared_tag_is_reported_once(run, real, tag):
    pool = real / "pool.csv"
    pool.write_text(
        pool.read_text().replace(
            ",orchestration,role,hierarchical,", f",orchestration,{tag},hierarchical,", 1
        )
    )
    assert [found[:4] for found in findings(run, real)] == ["C202" if tag else "C201"]


def test_accepted_warnings(run, minimal):
    pool = minimal / "sensors.csv"
    rewrite(pool, ",2020,", ",2009,")
    (minimal / "ok.csv").write_text(
        "code,file,row,column,value,reason\nC306,sensors.csv,clay,arxiv,2003.00001,Reprint of an old report.\n"
    )
    assert findings(run, minimal) == []
    assert run("check", "--strict", cwd=minimal.parent).exit_code == 0
    rewrite(pool, "2003.00001", "2003.00002")  # the accepted value is gone
    assert [found[:4] for found in findings(run, minimal)] == ["C501", "C306"]
    assert run("check", cwd=minimal.parent).exit_code == 0
    assert run("check", "--strict", cwd=minimal.parent).exit_code == 1


@pytest.mark.parametrize(("name", "value"), [
    ("PANDERA_VALIDATION_ENABLED", "False"), ("PANDERA_VALIDATION_DEPTH", "SCHEMA_ONLY"),
])  # fmt: skip
def test_validation_cannot_be_switched_off(minimal, name, value):
    import subprocess
    import sys

    file = minimal / "sensors.csv"
    rewrite(file, ",optical", ",optic")
    result = subprocess.run(
        [sys.executable, "-m", "corpus", "check", "--data", str(minimal)],
        capture_output=True, text=True, env={**os.environ, name: value}, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert "C202" in result.stdout


def test_codebook_mistakes_are_named(run, minimal):
    book = minimal / "codebook.toml"
    text = book.read_text()
    for old, new, place in (
        ('probe = ["none"]', 'probe = ["nothing"]', "rules[1].when.probe"),
        ('vocabulary = "stage"', 'vocabulary = "stag"', "tables.rejected.columns[5].vocabulary"),
        ('type = "year"', 'type = "jahr"', "tables.sensors.columns[4].type"),
        ('role = "pool"', 'role = "puddle"', "tables"),
        ('file = "papers.csv"', 'file = "../papers.csv"', "tables.papers.file"),
        ('protocol = "protocol.toml"', 'protocol = "/etc/protocol.toml"', "documents.protocol"),
        ("format = 1", "format = 9", "format"),
    ):
        book.write_text(text.replace(old, new, 1))
        line = text[: text.index(old)].count("\n") + 1 if place != "tables" else 0
        assert f"C001 {line} {place}" in findings(run, minimal), place
    for broken in ("format = = 1", "format = " + "9" * 5000, "format = " + "[" * 100_000):
        book.write_text(text.replace("format = 1", broken))
        assert findings(run, minimal)[0][:4] == "C119"


def test_output_for_people_and_for_github(run, minimal):
    file = minimal / "sensors.csv"
    file.write_text(
        file.read_text()
        .replace(",optical", ",::error::%0Ahack")
        .replace("Light in", "\x1b[31mLight")
    )
    text = run("check", cwd=minimal.parent)
    golden("check_broken.txt", text.stdout)
    assert "\x1b" not in text.stdout
    assert text.stderr == "data: 2 errors, 0 warnings\n"
    github = run("check", "--format", "github", cwd=minimal.parent).stdout
    golden("check_broken.github", github)
    assert all(
        line.startswith("::error file=data/sensors.csv,line=3,") for line in github.splitlines()
    )


def test_a_warning_is_not_accepted_by_the_change_that_causes_it(minimal, run):
    git(minimal.parent, "init", "-q", "-b", "main", ".")
    commit_all(minimal.parent, "start")
    papers = minimal / "sensors.csv"
    rewrite(papers, "none,heat,", "none,heat,\\emph{dry}")
    with (minimal / "ok.csv").open("a", encoding="utf-8") as table:
        table.write("C216,sensors.csv,till,remark,\\emph{dry},as printed\n")

    def codes(*more):
        found = run("check", "--strict", "--format", "json", *more, cwd=minimal.parent)
        return {item["code"] for item in json.loads(found.stdout)["findings"]}

    assert codes() == set()
    assert codes("--since", "HEAD") == {"C216", "C442"}
    commit_all(minimal.parent, "accepted by whoever merged it")
    assert codes("--since", "HEAD") == set()


def with_repairs(minimal: Path) -> tuple[bytes, Path]:
    """Give the pool what has one right answer; return it as it should be."""
    pool = minimal / "sensors.csv"
    right = pool.read_bytes()
    header, *lines = right.decode().splitlines(keepends=True)
    pool.write_text("".join([header, *reversed(lines), lines[0]]), "utf-8")
    return right, pool


def test_fix_repairs_what_has_one_right_answer(run, minimal):
    right, pool = with_repairs(minimal)
    shown = run("check", "--fix", "--dry-run", cwd=minimal.parent)
    assert pool.read_bytes() != right
    assert "\n-" in shown.stderr
    assert "\n+" in shown.stderr
    result = run("check", "--fix", "--yes", cwd=minimal.parent)
    assert result.exit_code == 0
    assert pool.read_bytes() == right
    assert "@@" not in run("check", "--fix", "--yes", cwd=minimal.parent).stderr


def test_fix_asks_and_a_no_writes_nothing(run, minimal):
    right, pool = with_repairs(minimal)
    before = pool.read_bytes()
    assert run("check", "--fix", cwd=minimal.parent, input="n\n").exit_code == 1
    assert pool.read_bytes() == before
    assert run("check", "--fix", cwd=minimal.parent, input="y\n").exit_code == 0
    assert pool.read_bytes() == right


def test_rows_that_differ_are_left_to_a_person(run, minimal):
    pool = minimal / "sensors.csv"
    *_, last = pool.read_text("utf-8").splitlines()
    pool.write_text(pool.read_text("utf-8") + last.replace("2019", "2018") + "\n", "utf-8")
    before = pool.read_bytes()
    assert run("check", "--fix", "--yes", cwd=minimal.parent).exit_code == 1
    assert sorted(pool.read_bytes().split(b"\n")) == sorted(before.split(b"\n"))


def test_yes_without_fix_is_wrong_usage(run, minimal):
    assert run("check", "--yes", cwd=minimal.parent).exit_code == 2


@pytest.mark.parametrize(
    ("usual", "rare", "is_written"),
    [
        ("Moor, B.", "Moor, B", True),
        ("Moor, B. C.", "Moor, B.C.", True),
        ("Moor, B.", "B. Moor", False),  # which name is the family's is for a person
        ("Li, Wei", "Li Wei", False),
        ("Lee, J.-H.", "Lee, J. H.", False),
        ("Müller, A.", "Muller, A", False),
        ("O'Neil, A.", "ONeil, A", False),
        ("De Moor, A.", "de Moor, A", False),
    ],
)
def test_fix_writes_a_name_as_most_often_where_it_is_one_person(
    run, tmp_path, usual, rare, is_written
):
    data = write_full(tmp_path / "soils")
    for key, authors in (("u", usual), ("v", usual), ("w", f"{rare}; Fen, Di")):
        add_sensor(data, key, name=f"Sensor of the {key} kind", authors=authors)
    before = (data / "sensors.csv").read_text("utf-8")
    run("check", "--fix", "--yes", cwd=data)
    after = before.replace(f"{rare}; Fen", f"{usual if is_written else rare}; Fen")
    assert (data / "sensors.csv").read_text("utf-8") == after


def test_fix_never_makes_two_authors_of_one_work_one(run, tmp_path):
    data = write_full(tmp_path / "soils")
    for key, authors in (("u", "Moor, B."), ("v", "Moor, B.; Moor, B"), ("w", "Moor, B")):
        add_sensor(data, key, name=f"Sensor of the {key} kind", authors=authors)
    before = (data / "sensors.csv").read_text("utf-8")
    run("check", "--fix", "--yes", cwd=data)
    assert (data / "sensors.csv").read_text("utf-8") == before
