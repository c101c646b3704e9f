"""Whatever stands in tables and codebook, no command hands it to a terminal or to the log of a workflow as a command."""

from __future__ import annotations

import json
import re

import pytest

HOSTILE = "::error file=x::\x1b]0;t\x07 \u202egnp\u200b $(id) {{ 7*7 }}"
TAKEN_FOR_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f\x9b\u200b\u202e]")
LINE_FOR_A_WORKFLOW = re.compile(r"^\s*::", re.MULTILINE)


@pytest.fixture
def hostile(soil):
    """The soil corpus with that text in every place that takes text: cells, labels, titles, definitions, reasons."""
    cell = '"' + HOSTILE.replace('"', '""') + '"'
    rows = {
        "sensors.csv": f"clay,{cell},{cell},2020,,,dielectric,moisture; salt,{cell}\nfen,Fen,Bo,2021,,,optical,heat,\n",
        "papers.csv": f"clay,{cell},,2020-03\nfen,Bo,,2021-02-03\n",
        "rejected.csv": f"X1,{cell},{cell},{cell},abstract\n",
    }
    for name, lines in rows.items():
        header = (soil / name).read_text(encoding="utf-8").split("\n")[0]
        (soil / name).write_text(f"{header}\n{lines}", encoding="utf-8")
    book = (soil / "codebook.toml").read_text(encoding="utf-8")
    for text in ("By permittivity.", "Soil sensors", "Probe by measure", "salt cannot be seen", "Kind of probe."):
        assert f'"{text}"' in book
        book = book.replace(f'"{text}"', json.dumps(HOSTILE))
    book = book.replace('id = "optical", ', f'id = "optical", label = {json.dumps(HOSTILE)}, ')
    book += f'\n[figures.grid]\nkind = "heatmap"\nrows = "probe"\ncolumns = "measures"\ntitle = {json.dumps(HOSTILE)}\n'
    (soil / "codebook.toml").write_text(book, encoding="utf-8")
    (soil / "text.md").write_text(f"{HOSTILE} holds 9 sensors\n", encoding="utf-8")
    return soil


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
    ],
)
def test_no_command_hands_a_text_on_as_a_command(run, hostile, command):
    if command.startswith("diff"):
        old = hostile.rename(hostile.parent / "data-before")
        hostile.mkdir()
        for path in old.iterdir():
            (hostile / path.name).write_bytes(path.read_bytes().replace(b",2020,", b",2019,"))
    result = run(*command.replace("text.md", str(hostile / "text.md")).split(), cwd=hostile.parent)
    assert "gnp" in result.output or command.split()[0] in ("fmt", "check", "check-text", "edit")
    assert not TAKEN_FOR_COMMANDS.search(result.output)
    assert not LINE_FOR_A_WORKFLOW.search(result.output)
