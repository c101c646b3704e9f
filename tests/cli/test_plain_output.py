"""Whatever stands in tables and codebook, no command hands it to a terminal or to the log of a workflow as a command."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

HOSTILE = "::error file=x::##[error]a ##vso[task.complete]c ::warning::b \x1b]0;t\x07 \u202egnp\u200b $(id) {{ 7*7 }}"
TAKEN_FOR_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f\x9b\u200b\u202e]")
#: What a runner obeys, or would once the start of the line is taken away.
FOR_A_RUNNER = re.compile(r"##\w*\[|^\s*::|::[A-Za-z][^\n]*?::", re.MULTILINE)


@pytest.fixture
def hostile(minimal):
    """The minimal corpus with that text in every place that takes text: cells, labels, titles, definitions, reasons."""
    cell = '"' + HOSTILE.replace('"', '""') + '"'
    rows = {
        "sensors.csv": f"clay,{cell},{cell},2020,,,dielectric,moisture; salt,{cell}\nfen,Fen,Bo,2021,,,optical,heat,\n",
        "papers.csv": f"clay,{cell},,2020-03\nfen,Bo,,2021-02-03\n",
        "rejected.csv": f"X1,{cell},{cell},{cell},abstract\n",
    }
    for name, lines in rows.items():
        header = (minimal / name).read_text(encoding="utf-8").split("\n")[0]
        (minimal / name).write_text(f"{header}\n{lines}", encoding="utf-8")
    book = (minimal / "codebook.toml").read_text(encoding="utf-8")
    for text in (
        "By permittivity.",
        "Soil sensors",
        "Probe by measure",
        "salt cannot be seen",
        "Kind of probe.",
    ):
        assert f'"{text}"' in book
        book = book.replace(f'"{text}"', json.dumps(HOSTILE))
    book = book.replace('id = "optical", ', f'id = "optical", label = {json.dumps(HOSTILE)}, ')
    book += f'\n[figures.grid]\nkind = "heatmap"\nrows = "probe"\ncolumns = "measures"\ntitle = {json.dumps(HOSTILE)}\n'
    (minimal / "codebook.toml").write_text(book, encoding="utf-8")
    (minimal / "text.md").write_text(f"{HOSTILE} holds 9 sensors\n", encoding="utf-8")
    older = shutil.copytree(minimal, minimal.parent / "data-before")
    sensors = (older / "sensors.csv").read_bytes()
    (older / "sensors.csv").write_bytes(sensors.replace(b",2020,", b",2019,"))
    return minimal


@pytest.mark.parametrize(
    "command",
    [
        "stats",
        "stats --by probe measures",
        "sparsity",
        "list --columns all",
        "list --table rejected",
        "show clay",
        "search file",
        "figures --list",
        "check",
        "check-text text.md",
        "diff data-before data",
        "fmt --check",
        "edit clay --set year=2019",
        "exclude fen --cascade --no-input --set source=arXiv --set found=b --set stage=abstract",
        "release first --dry-run --text x",
    ],
)
def test_no_command_hands_a_text_on_as_a_command(run, hostile, command):
    result = run(*command.replace("text.md", str(hostile / "text.md")).split(), cwd=hostile.parent)
    assert "gnp" in result.output or command.split()[0] in ("fmt", "check", "check-text", "edit")
    assert not TAKEN_FOR_COMMANDS.search(result.output)
    assert not FOR_A_RUNNER.search(result.output)


@pytest.mark.parametrize(
    "command",
    [
        "list --columns all",
        "list --table rejected",
        "show clay",
        "search file",
        "check",
        "diff data-before data",
        "stats",
    ],
)
def test_json_escapes_commands_and_keeps_the_values(run, hostile, command):
    result = run(*command.split(), "--format", "json", cwd=hostile.parent)
    assert not FOR_A_RUNNER.search(result.output)
    assert json.loads(result.stdout)
    if command.startswith("list"):
        assert HOSTILE in json.loads(result.stdout)[0].values()


@pytest.mark.parametrize(
    "command", ["check", "diff data-before data", "claims", "fmt --check", "build --check"]
)
def test_annotations_are_the_only_commands(run, hostile, command):
    """Each line is one command of ours, and nothing in its properties or its text is another."""
    if command == "claims":
        claim = 'id = "x"\nexpect = 9\ncount = "pool"\n'
        (hostile / "claims.toml").write_text(
            f"[[claims]]\n{claim}text = {json.dumps(HOSTILE)}\n", encoding="utf-8"
        )
    result = run(*command.split(), "--format", "github", cwd=hostile.parent)
    for line in result.stdout.splitlines():
        ours = re.fullmatch(r"::(error|warning|notice) [^:]*::(.*)", line)
        if ours is None:
            assert command.startswith("diff"), line  # whose report follows the annotations
        assert not FOR_A_RUNNER.search(
            line if ours is None else "x" + line[ours.end(1) :].replace("::", "  ", 1)
        )
    assert not FOR_A_RUNNER.search(result.stderr)


AS_CSV = ("list", "--table", "papers", "--columns", "all", "--format", "csv")


def test_data_with_a_command_are_kept_from_the_log_of_a_runner(run, hostile, monkeypatch):
    (hostile / "papers.csv").write_text(
        'id,authors,doi,public\nclay,"##[error]x",,2020-03\n', encoding="utf-8"
    )
    arguments = (*AS_CSV, "--data", str(hostile))
    assert "##[error]x" in run(*arguments).stdout
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "##[" not in refused.output
    assert run(*arguments, "--where", "id=fen").exit_code == 0


def test_data_go_into_a_plain_file_as_they_are(hostile, tmp_path):
    """On a runner, too: a file is no log."""
    (hostile / "papers.csv").write_text(
        'id,authors,doi,public\nclay,"##[error]x",,2020-03\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "corpus", *AS_CSV]
    environment = {**os.environ, "GITHUB_ACTIONS": "true"}
    with open(tmp_path / "out.csv", "wb") as out:
        subprocess.run([*command, "--data", hostile], env=environment, stdout=out, check=True)
    assert "##[error]x" in (tmp_path / "out.csv").read_text("utf-8")
    piped = subprocess.run([*command, "--data", hostile], env=environment, capture_output=True)
    assert piped.returncode == 2
    assert b"##[" not in piped.stdout + piped.stderr


@pytest.mark.parametrize(
    "word", ["##[error]boo", "::error::boo", "\x1b[1m##vso[x]boo", "\u200b::error::boo"]
)
def test_wrong_usage_hands_no_argument_on_as_a_command(run, minimal, word):
    for arguments in (
        [word],
        ["show", word],
        ["list", "--table", word],
        ["check", "--data", word],
        ["add", "--form", word],
    ):
        result = (
            run(*arguments, "--data", minimal)
            if arguments[0] in ("show", "list")
            else run(*arguments)
        )
        assert result.exit_code in (1, 2)
        assert "boo" in result.output
        assert not FOR_A_RUNNER.search(result.output)


def test_the_name_of_a_file_is_never_a_command(run, minimal):
    """Findings name what a reference gives as a file, as it was typed."""
    result = run("render", "##[error]::notice::x.md", cwd=minimal.parent)
    assert result.exit_code != 0
    assert not FOR_A_RUNNER.search(result.output)
