"""`corpus diff` as a maintainer runs it: five pull requests, hostile cells, shallow clones, names of revisions."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from corpus.analysis.claims.releases import copied_files, digest_of, read_releases
from corpus.cli.main import main
from corpus.tables.git.snapshot import disk_opener
from tests.conftest import REAL
from tests.corpora.full import (
    FILES,
    add_sensor,
    declare_accepted_claims,
    repository,
    sensor_line,
    write_full,
)
from tests.support.changing import rewrite
from tests.support.golden import golden
from tests.support.repository import commit_all, git


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["diff", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def report(*arguments, code=0):
    return json.loads(run(*arguments, "--format", "json", code=code).stdout)


@pytest.fixture
def data(tmp_path, monkeypatch):
    found = repository(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "change")
    monkeypatch.chdir(tmp_path)
    return found


def add_a_paper(data):
    name = "A fir sensor found by its messages"
    add_sensor(data, "fir", name=name, senses="salt", arxiv="2106.00006", notes="new")


def retag(data):
    rewrite(data / "sensors.csv", "surface,water,2011.00002", "shallow,water,2011.00002")


def add_a_duplicate(data):
    add_sensor(data, "fir", name="Another title", arxiv="2011.00010")


def promote(data):
    rewrite(data / "dropped.csv", RECORD, "")
    name = "The hidden spring sensor of the west"
    add_sensor(data, "west", name=name, depth="none", senses="salt", arxiv="2107.00007")


def break_three_cells(data):
    rewrite(data / "sensors.csv", "shallow,salt,2101.00004", "shallow,sallt,2101.4")
    rewrite(data / "judged.csv", "dot,rock", "dit,rock")


def rename_by_hand(data):
    rewrite(data / "sensors.csv", "ada,Rain", "ada2,Rain")


def rename_by_command(data):
    command = ["edit", "ada", "--set", "sensor=ada2", "--data", str(data)]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert '"ada"' not in (data / "claims.toml").read_text("utf-8")  # the command follows the key


def declare_a_term(data):
    rewrite(data / "codebook.toml", GAS, f"{GAS}, {RAIN}")


def remove(data, key):
    """Take a sensor and what is known about it out by hand."""
    for file in data.glob("*.csv"):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if key not in line.split(",")]
        file.write_text("".join(kept), "utf-8")


def delete(data):
    remove(data, "eve")


def change_a_title(data):
    rewrite(data / "sensors.csv", "Eve & {dry} ground", "Oaks on wet sand")


RECORD = "x2,title,The hidden spring sensor of the west,arXiv:2107.00007\n"
GAS = '{ id = "gas", definition = "Gas." }'
RAIN = '{ id = "rain", definition = "Rain." }'


#: The pull requests of a year -> what each does, the exit code, and a text that a maintainer needs
#: to see without unfolding anything.
PULL_REQUESTS = {
    "addition": (add_a_paper, 1, "sensors: fir added"),
    "retag": (retag, 1, "depth surface -> shallow"),
    "duplicate": (add_a_duplicate, 1, "C303 in data/sensors.csv, line 7"),
    "promotion": (promote, 1, "dropped: x2 removed"),
    "broken": (break_three_cells, 1, "C204 in data/sensors.csv, line 4"),
    "renamed-by-hand": (rename_by_hand, 1, "sensors: 1 renamed"),
    "renamed-by-command": (rename_by_command, 0, "ada2 renamed from ada"),
    "new-term": (declare_a_term, 0, "vocabulary senses, term rain added"),
    "deletion": (delete, 1, "without a trace in an exclusion log"),
    "retitled": (change_a_title, 0, "name Eve & {dry} ground -> Oaks on wet sand"),
}
FOLDED = re.compile(r"(<details><summary>[^\n]*</summary>\n).*?(</details>\n)", re.DOTALL)


@pytest.mark.parametrize("name", PULL_REQUESTS)
def test_the_report_of_a_pull_request(data, name):
    change, code, needed = PULL_REQUESTS[name]
    change(data)
    commit_all(data.parent)
    for format_, ending in (("markdown", "md"), ("text", "txt")):
        found = re.sub(r"\([0-9a-f]{7}\)", "(1234567)", run("--format", format_, code=code).stdout)
        found = re.sub(r"main of 2\d{3}-\d\d-\d\d", "main of 2021-01-01", found)
        visible = FOLDED.sub(r"\1\2", found)
        golden(f"diff-{name}.{ending}", visible)
        assert len(visible.splitlines()) <= 40
    assert needed in " ".join(visible.split())


def keys_of(found, kind):
    return {row["key"] for row in found[kind]}


def test_every_table_is_printed_on_demand(data):
    add_a_paper(data)
    short, long = run(code=1).stdout, run("--all", code=1).stdout
    assert "water-lead" not in short
    assert "water-lead" in long
    assert "corpus diff --all" in short


def test_an_impossible_cell_is_marked(data):
    rewrite(data / "sensors.csv", "surface,water,", "rock,water,")
    assert "rock holds no water" in " ".join(run(code=1).stdout.split())


def acknowledge():
    arguments = ["claims", "--acknowledge", "the text follows"]
    CliRunner().invoke(main, arguments, catch_exceptions=False)


def broken(found):
    """Which claims break, and whether that is acknowledged."""
    claims = [claim for claim in found["claims"] if claim["kind"] == "breaks"]
    return {claim["id"]: claim["acknowledged"] for claim in claims}


def test_what_the_base_acknowledges_does_not_fail(data):
    declare_accepted_claims(data)
    add_a_paper(data)
    acknowledge()
    for name in ("sensors.csv", "dated.csv"):
        (data / name).write_text(FILES[name], "utf-8")
    commit_all(data.parent, "a maintainer accepts it first")
    git(data.parent, "branch", "-q", "-f", "main")
    add_a_paper(data)
    assert broken(report()) == {"size": True, "surface": True}
    commit_all(data.parent)
    for name in ("sensors.csv", "dated.csv"):
        (data / name).write_text(FILES[name], "utf-8")
    assert {claim["kind"] for claim in report("HEAD")["claims"]} >= {"recovers"}


def test_what_a_change_acknowledges_itself_fails_and_leads_the_report(data):
    declare_accepted_claims(data)
    commit_all(data.parent)
    add_a_paper(data)
    acknowledge()
    found = report(code=1)
    assert broken(found) == {"size": False, "surface": False}
    own = [item["line"] for item in found["findings"] if item["code"] == "C442"]
    assert own == [2, 3]
    assert all(line.startswith("accepted by the change itself") for line in found["summary"][1:3])


ACCEPTED = """
[tables.accepted]
file = "accepted.csv"
role = "accepted"
key = ["code", "file", "row"]
columns = [
  { name = "code", type = "text", role = "code", definition = "Code." },
  { name = "file", type = "text", role = "file", definition = "File." },
  { name = "row", type = "text", role = "key", definition = "Row." },
  { name = "reason", type = "text", role = "reason", definition = "Reason." },
]
"""


def test_a_weaker_check_is_not_accepted_by_the_change_that_makes_it(data):
    """Nor where the table of acceptances itself comes with the change."""
    rewrite(data / "claims.toml", 'id = "surface"', 'id = "surfaces"')
    with (data / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write(ACCEPTED)
    row = "C431,claims.toml,claim surface,renamed\n"
    (data / "accepted.csv").write_text(f"code,file,row,reason\n{row}", "utf-8")
    assert {"C431", "C442"} <= {item["code"] for item in report(code=1)["findings"]}


def test_a_table_missing_in_the_older_state_is_all_new(data):
    with (data / "codebook.toml").open("a") as book:
        book.write('\n[tables.seen]\nfile = "seen.csv"\nkey = ["sensor"]\n'
                   'columns = [{ name = "sensor", type = "ref", references = "sensors", definition = "Sensor." }]\n')  # fmt: skip
    (data / "seen.csv").write_text("sensor\nada\n", "utf-8")
    assert [(row["table"], row["key"]) for row in report()["added"]] == [("seen", "ada")]


def test_revisions_and_folders_can_be_named(data, tmp_path):
    add_a_paper(data)
    commit_all(data.parent)
    assert keys_of(report("main", "change", code=1), "added") == {"fir"}
    other = write_full(tmp_path / "other")
    for pair in ((other, "change"), (other, data)):
        found = report(*pair, code=1)
        assert keys_of(found, "added") == {"fir"}
        assert not found["removed"] + found["changed"]
    assert keys_of(report("change", "main"), "removed") == {"fir"}


def test_without_changes_the_report_is_one_line(data):
    assert run().stdout.startswith("Nothing differs between main of 2")


def test_the_merge_base_is_compared_with_and_not_the_tip_of_the_default_branch(data):
    add_a_paper(data)
    commit_all(data.parent)
    git(data.parent, "checkout", "-q", "main")
    rewrite(data / "sensors.csv", "flooded in spring", "dry in spring")
    commit_all(data.parent)
    git(data.parent, "checkout", "-q", "change")
    found = report(code=1)
    assert found["before"].startswith("merge base with main of 2")
    assert keys_of(found, "added") == {"fir"}
    assert found["changed"] == []


@pytest.mark.parametrize(
    "name",
    [
        "nowhere",
        "--output=/tmp/x",
        "$(touch pwned)",
        "`id`",
        "main; id",
        "-n",
        "HEAD:data",
        "a\nb",
        "../..",
        "",
    ],
)
def test_names_of_revisions_reach_no_shell_and_no_option(data, name, monkeypatch):
    started = []

    def run_git(command, *arguments, real=subprocess.run, **options):
        started.append((command, options))
        return real(command, *arguments, **options)

    monkeypatch.setattr("corpus.tables.git.repository.subprocess.run", run_git)
    result = CliRunner().invoke(main, ["diff", "--", name, "HEAD"], catch_exceptions=False)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert sorted(os.listdir(data.parent)) == [".git", "data"]
    assert all(
        isinstance(command, list) and not options.get("shell") for command, options in started
    )
    for command, _ in started:
        for place, argument in enumerate(command):
            assert not argument.startswith(f"{name}^") or "--end-of-options" in command[:place]


def test_a_shallow_clone_gets_the_fetch_command(data, tmp_path, monkeypatch):
    add_a_paper(data)
    commit_all(data.parent)
    git(data.parent, "checkout", "-q", "main")
    clone = tmp_path / "clone"
    one_commit = ("clone", "-q", "--depth", "1", "--branch", "change")
    git(tmp_path, *one_commit, f"file://{data.parent}", str(clone))
    monkeypatch.chdir(clone)
    result = run(code=2)  # as in a workflow that checks out one commit
    assert "fetch --unshallow" in result.stderr
    assert "fetch-depth: 0" in result.stderr
    git(clone, "fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    assert "no common history here; this clone is shallow" in run(code=2).stderr
    assert "shallow" in run("main~1", code=2).stderr


def test_outside_git_two_folders_are_asked_for(tmp_path, monkeypatch):
    write_full(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    message = run(code=2).stderr
    assert "corpus diff OLD NEW" in message
    assert "git" not in message  # who has none has not heard of it


def test_a_repository_without_commits_is_a_usage_error(tmp_path, monkeypatch):
    write_full(tmp_path)
    git(tmp_path, "init", "-q", ".")
    monkeypatch.chdir(tmp_path)
    assert "no commit yet" in run(code=2).stderr


HOSTILE = [
    "@octocat and @org/team",
    "![x](https://evil.example/pixel.png)",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "::error file=a,line=1::owned",
    "\u202egnp.exe\u2066",
    "\x1b[31mred\x1b]0;title\x07",
    "[click](javascript:alert(1))",
    "https://evil.example and www.evil.example",
    "`code` **bold** | pipe | ~~gone~~ #1",
    "$$x$$ $(id) ${{ github.token }}",
    "\u200bzero\ufeffwidth",
    "-->  <!-- comment",
    "%0A::warning::owned",
    "&lt;b&gt; &amp; &#64;octocat",
    "```\n::set-output name=a::b\n```",
    "- [ ] task",
    "a\\|b \\@x",
]


@pytest.mark.parametrize("is_valid", [False, True])
def test_hostile_cells_reach_no_sink(data, is_valid):
    # Hostile texts in valid rows have the full report written.
    rows = FILES["sensors.csv"]
    for number, text in enumerate(HOSTILE):
        depth = "shallow" if is_valid or number % 2 else text
        rows += sensor_line(f"row{number}", name=text, depth=depth, notes=text)
    (data / "sensors.csv").write_text(rows, "utf-8")
    outputs = {}
    for name in ("text", "markdown"):
        outputs[name] = run("--format", name, code=1).stdout
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u200b\u202e\u2066\ufeff]", outputs[name])
    assert not re.search(r"^\s*::", outputs["text"] + outputs["markdown"], re.MULTILINE)
    assert not re.search(r"@\w", outputs["markdown"])
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    page = reader.render(outputs["markdown"])
    tags = set(re.findall(r"</?([a-z][a-z0-9]*)", page))
    allowed = "h2 h3 ul li p table thead tbody tr th td em code details summary a"
    assert tags <= set(allowed.split())
    text = re.sub(r"<!--.*?-->", "\0", page)
    assert not re.search(r"@\w|https?://|www\.|::", re.sub(r"<[^>]*>", "", text))


def test_a_tracked_number_is_shown_with_the_release_and_the_key(data):
    rewrite(data / "claims.toml", 'id = "size"\n', 'id = "size"\ntracked = true\n')
    commit_all(data.parent)
    released = CliRunner().invoke(main, ["release", "v1", "--data", str(data)])
    assert released.exit_code == 0
    commit_all(data.parent)
    add_sensor(data, "fir", name="Firs of the far hills", senses="salt")
    assert "claim size moves since v1: 5 -> 6 (+fir)" in report("HEAD", code=1)["summary"]
    commit_all(data.parent)
    add_sensor(data, "gorse", name="Gorse of the far hills", senses="salt")
    # Another change has moved it: the number before is not that of the release.
    assert "claim size moves: 6 -> 7 (+gorse)" in report("HEAD", code=1)["summary"]


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    found = Path(shutil.copytree(REAL, tmp_path / "data"))
    git(tmp_path, "init", "-q", "-b", "main", ".")
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return found


def test_retagging_halo_moves_eight_orchestrators_to_nine(shipped):
    pool = shipped / "pool.csv"
    rewrite(
        pool,
        "partial,orchestration,role,hierarchical",
        "partial,orchestration,orchestrator,hierarchical",
    )
    found = report(code=1)
    counts = [tuple(count.values()) for count in found["counts"]]
    assert ("credit_granularity", "orchestrator", 8, 9) in counts
    broken = {claim["id"] for claim in found["claims"] if claim["kind"] == "breaks"}
    assert {"orchestrator-credit", "credit-order"} <= broken
    start = "Reward family by credit unit: the cell orchestration / role 1 -> 0"
    assert any(line.startswith(start) for line in found["summary"])
    assert "C406" in {finding["code"] for finding in found["findings"]}


def test_a_table_that_cannot_be_read_gives_an_error_and_no_statement_about_its_rows(data):
    rewrite(data / "sensors.csv", "ada,Rain", 'ada,Rain "')
    found = report(code=1)
    assert found["added"] == found["removed"] == found["changed"] == []
    assert found["weaker_checks"] == []
    assert found["unread"] == ["sensors.csv"]
    assert found["summary"][0].startswith("1 error")
    assert "removed" not in " ".join(found["summary"])
    rewrite(data / "dropped.csv", RECORD, "")
    found = report(code=1)
    assert [row["table"] for row in found["removed"]] == ["dropped"]
    assert found["added"] == found["changed"] == []


def test_an_entry_is_not_said_to_leave_without_a_trace_where_the_log_cannot_be_read(data):
    text = (data / "sensors.csv").read_text("utf-8").splitlines(keepends=True)
    (data / "sensors.csv").write_text("".join([text[0], *text[2:]]), "utf-8")
    with (data / "dropped.csv").open("a") as log:
        log.write('"')
    assert "without a trace" not in str(report(code=1)["summary"])


def test_claims_that_cannot_be_read_are_not_removed_claims(data):
    with (data / "claims.toml").open("a") as claims:
        claims.write("[[")
    found = report(code=1)
    assert found["weaker_checks"] == found["declarations"] == []
    assert found["unread"] == ["claims.toml"]


COPY = "releases/v1/sensors.csv"


@pytest.fixture
def sealed(data):
    """The same repository, in which a release was made before the branch."""
    git(data.parent, "checkout", "-q", "main")
    done = CliRunner().invoke(main, ["release", "v1", "--data", str(data), "--text", "On soil"])
    assert done.exit_code == 0, done.output
    commit_all(data.parent, "release")
    git(data.parent, "branch", "-q", "-D", "change")
    git(data.parent, "checkout", "-q", "-b", "change")
    return data


def reseal(data):
    """Give the changed copy its digest, as somebody would who wants to hide the change."""
    [release] = read_releases(data)
    digest = digest_of(copied_files(release, disk_opener(str(data))))
    rewrite(data / "releases.toml", release.digest, digest)


def retag_released(data):
    for file in ("sensors.csv", COPY):
        rewrite(data / file, "surface,water,2011.00002", "shallow,water,2011.00002")


def rename_released(data):
    rewrite(data / "sensors.csv", "surface,water,2011.00002", "shallow,water,2011.00002")
    rewrite(data / COPY, "\nbob,", "\nbobby,")


@pytest.mark.parametrize(("edit", "files"), [
    (retag_released, {"releases.toml", COPY}),
    (rename_released, {"releases.toml", COPY}),
    (lambda data: (data / "releases.toml").write_text("format = 1\n"), {"releases.toml"}),
    (lambda data: shutil.rmtree(data / "releases"), None),
    (lambda data: (data / COPY).unlink(), {COPY}),
    (lambda data: rewrite(data / "releases.toml", "2021-03-31", "2021-03-30"), {"releases.toml"}),
])  # fmt: skip
def test_a_release_is_judged_as_the_base_has_it(sealed, edit, files):
    edit(sealed)
    if (sealed / COPY).exists() and files != {"releases.toml"}:
        reseal(sealed)
    found = report(code=1)
    weaker = {item["file"] for item in found["weaker_checks"]}
    assert weaker == files if files else COPY in weaker
    assert {f"data/{file}" for file in weaker} <= {
        item["file"] for item in found["findings"] if item["code"] == "C431"
    }


def test_a_released_tag_is_compared_with_the_release_of_the_base(sealed):
    rename_released(sealed)
    reseal(sealed)
    assert "C432" in {item["code"] for item in report(code=1)["findings"]}


def test_a_damaged_copy_of_a_release_is_an_error_of_the_report(sealed):
    rewrite(sealed / COPY, "surface,water,2011.00002", "shallow,water,2011.00002")
    assert "C606" in {item["code"] for item in report(code=1)["findings"]}


def test_files_that_decide_what_is_checked_are_named(data):
    """Committed or not, and those of a revision as well."""
    root = data.parent
    for name in (".gitattributes", ".github/workflows/check.yml", "notes.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")
    named = [".gitattributes", ".github/workflows/check.yml"]
    found = report()
    assert [row["file"] for row in found["deciding"]] == named
    assert [line.split()[0] for line in found["summary"][:2]] == named
    commit_all(root, "more")
    assert [row["file"] for row in report("main", "change")["deciding"]] == named


def test_a_revision_is_checked_in_full(data):
    rewrite(data / "sensors.csv", "2011.00002", "arXiv:2011.00002v1")
    commit_all(data.parent, "an identifier with its version")
    in_folder = report("main", code=1)["findings"]
    assert in_folder
    assert in_folder == report("main", "change", code=1)["findings"]
