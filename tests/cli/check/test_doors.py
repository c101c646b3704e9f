"""Changes that a pull request can bring: each is named by `corpus diff`, or refused, and none is "Nothing differs".

Each case edits a repository with the full corpus, in which there is a release, and says which codes and which words the
report must have. What it may not have is "Nothing differs".
"""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpora.full import CLAIMS, repository
from tests.support.repository import commit_all, git

CASES: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {}


def case(*expected):
    """Register an edit, with the codes and words that the report of it must have."""

    def register(edit):
        CASES[edit.__name__.replace("_", " ")] = edit, expected
        return edit

    return register


def replaced(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def write(path, text="x\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


# What decides the checks is everything but data, figures, reports and prose.

DECIDING = (
    "action.yml", "tests/test_a.py", "pytest.ini", "tox.ini", ".pre-commit-config.yaml", "pip/__main__.py", "click.py",
    "sitecustomize.py", ".github/actions/corpus/action.yml", ".gitattributes", "data.toml", ".envrc", "requirements.txt",
    "bin/corpus", "Makefile", ".git-blame-ignore-revs", "corpus/__init__.py", "docs/conf.py", "docs/hook.md.py", "reports.py",
)  # fmt: skip
for name in DECIDING:
    case(name, "may decide what is checked")(
        type(
            "edit",
            (),
            {"__call__": lambda self, root, name=name: write(root / name), "__name__": name},
        )()
    )


@case("data/schemas/codebook.json")
def a_schema(root):
    write(root / "data" / "schemas" / "codebook.json")


@case("data/Sensors.csv")
def a_table_whose_name_differs_in_case(root):
    shutil.copy(root / "data" / "sensors.csv", root / "data" / "Sensors.csv")


@case("data/more.csv")
def an_undeclared_table(root):
    write(root / "data" / "more.csv", "a,b\n1,2\n")


@case("line")
def a_name_with_a_line_end(root):
    write(root / "reports" / "a\nline.md")


@case("reports/link.md", "a link")
def a_link_in_reports(root):
    (root / "reports").mkdir()
    (root / "reports" / "link.md").symlink_to("../data/sensors.csv")


@case("notes.md")
def prose(root):
    write(root / "notes.md")


@case("figures/a.svg")
def a_figure(root):
    write(root / "figures" / "a.svg")


@case("data/sensors.csv", "the same rows")
def a_table_in_another_order(root):
    head, *rows = (root / "data" / "sensors.csv").read_text().splitlines(keepends=True)
    (root / "data" / "sensors.csv").write_text("".join([head, *reversed(rows)]))


@case("data/codebook.toml")
def a_comment_in_the_codebook(root):
    with (root / "data" / "codebook.toml").open("a") as book:
        book.write("# more\n")


@case("sensors.csv")
def a_mode(root):
    (root / "data" / "sensors.csv").chmod(0o755)


@case("tools", "a repository")
def a_repository_inside(root):
    (root / "tools").mkdir()
    git(root / "tools", "init", "-q")
    commit_all(root / "tools")


# State of one machine.


@case("C127", ".corpus.journal")
def a_journal(root):
    write(root / "data" / ".corpus.journal", "{}")


@case("C127", "tmp")
def a_temporary_file(root):
    write(root / "data" / ".sensors.csv.0123456789ab.tmp")


@case("C127", "tmp")
def a_temporary_file_beside_the_data(root):
    write(root / ".CITATION.cff.0123456789ab.tmp")


# Letters that are not what they look like.


@case("C211")
def a_direction_in_a_comment(root):
    with (root / "data" / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write("# more \u202e rules\n")


@case("C211")
def a_direction_by_its_number(root):
    replaced(root / "data" / "claims.toml", "Five sensors", "Five \\u202E sensors")


@case("C221")
def a_look_alike_in_a_definition(root):
    replaced(root / "data" / "codebook.toml", '"Gas."', '"G\u0430s."')


# Releases.


def release(root, name="v2", day="2030-01-01"):
    """Make a release by hand: a copy of the data, and an entry at the end of the list."""
    data = root / "data"
    from corpus.analysis.claims.releases import digest_of
    from corpus.tables.documents import read_codebook
    from corpus.tables.location import released_files

    copy = data / "releases" / name
    for file in released_files(read_codebook(str(data))):
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(data / file, copy / file)
    return lambda: seal(data, name, day, digest_of)


def seal(data, name, day, digest_of):
    folder = data / "releases" / name
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    with (data / "releases.toml").open("a") as listed:
        listed.write(f'\n[[releases]]\nid = "{name}"\nversion = "9.0.0"\ndate = "{day}"\ntext = "Soils"\nentries = 5\nexcluded = 3\nclaims = 3\n'
                     f'digest = "{digest_of(files)}"\n')  # fmt: skip


@case("New release v2")
def a_release(root):
    release(root)()


@case("New release v2", "C435", "sensors.csv")
def a_release_of_data_that_never_were(root):
    finish = release(root)
    replaced(root / "data" / "releases" / "v2" / "sensors.csv", "Birches that", "Beeches that")
    finish()


@case("New release v0", "C436")
def a_release_before_the_latest(root):
    finish = release(root, "v0", "2001-01-01")
    finish()


@case("C431", "v1")
def a_released_table_is_changed(root):
    replaced(root / "data" / "releases" / "v1" / "sensors.csv", "Birches that", "Beeches that")


@case("C431")
def an_older_release_is_removed(root):
    (root / "data" / "releases.toml").unlink()


# Tracked claims.

TRACKED = '\n[[claims]]\nid = "deep-ones"\ntracked = true\nstatement = "{words} sensors are deep."\nwhere = {{ depth = "deep" }}\ncount = {count}\n'


@case("C434", "deep-ones")
def a_new_tracked_claim_that_is_false(root):
    with (root / "data" / "claims.toml").open("a") as claims:
        claims.write(TRACKED.format(words="Fifty", count=50))


@case("claims", "deep-ones")
def a_new_tracked_claim_that_holds(root):
    with (root / "data" / "claims.toml").open("a") as claims:
        claims.write(TRACKED.format(words="One", count=1))


@case("C434", "size")
def a_released_number_is_edited(root):
    replaced(root / "data" / "claims.toml", "Five sensors", "Fifteen sensors")
    replaced(root / "data" / "claims.toml", "count = 5", "count = 15")


# Nothing hidden.


@case("is not dry", "in the far east")
def the_end_of_a_long_cell(root):
    replaced(
        root / "data" / "sensors.csv",
        "flooded in spring",
        f"{'wet ' * 90}and it is not dry {'wet ' * 90}in the far east",
    )


@case("item 2", "heat")
def the_second_item_of_a_list(root):
    replaced(root / "data" / "codebook.toml", '["water", "salt"]', '["water", "heat"]')


@pytest.fixture(scope="module")
def base(tmp_path_factory, request):
    root = tmp_path_factory.mktemp("doors")
    data = repository(root)
    tracked = CLAIMS.replace('id = "size"\n', 'id = "size"\ntracked = true\n')
    (data / "claims.toml").write_text(tracked, "utf-8")
    (root / ".gitignore").write_text(".*.tmp\n")
    commit_all(root, "track")
    from click.testing import CliRunner

    from corpus.cli.main import main

    assert CliRunner().invoke(main, ["release", "v1", "--data", str(data)]).exit_code == 0
    commit_all(root, "release")
    return root


@pytest.mark.parametrize("name", CASES)
def test_no_change_is_silent(run, base, tmp_path, name):
    edit, expected = CASES[name]
    root = Path(shutil.copytree(base, tmp_path / "study", symlinks=True))
    edit(root)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", name)
    found = {}
    for head in ((), ("HEAD",)):  # the working tree, and the commit as git objects
        result = run("diff", "HEAD~1", *head, "--format", "markdown", cwd=root)
        report = json.loads(run("diff", "HEAD~1", *head, "--format", "json", cwd=root).stdout)
        codes = {one["code"] for one in report["findings"]}
        text = "\n".join([*report["summary"], *map(str, report["declarations"]), result.stdout])
        for part in expected:
            assert part in codes if re.fullmatch(r"C\d+", part) else part in text, (
                head,
                codes,
                text,
            )
        assert "Nothing differs" not in text
        assert result.exit_code == bool(codes & set(expected) or result.exit_code), result.output
        found[head] = result.exit_code
    if any(re.fullmatch(r"C\d+", part) for part in expected):
        assert set(found.values()) == {1}
        assert os.path.lexists(root / "data")


def test_nothing_differs_where_git_says_so(run, base):
    assert run("diff", "HEAD", cwd=base).stdout.startswith("Nothing differs")
