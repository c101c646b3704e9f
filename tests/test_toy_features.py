"""Somebody who follows the pages on adding a feature, and touches only the files that they list, arrives."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Copy:
    """A copy of the package, in which a page tells what may be touched."""

    def __init__(self, folder, page):
        text = (ROOT / "docs/development" / page).read_text("utf-8")
        self.listed = re.findall(r"`((?:corpus|docs)/[^`]+)`", text)
        self.folder = folder
        shutil.copytree(
            ROOT / "corpus", folder / "corpus", ignore=shutil.ignore_patterns("__pycache__")
        )

    def edit(self, file, change):
        assert file in self.listed
        path = self.folder / file
        path.write_text(change(path.read_text("utf-8")), "utf-8")

    def run(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        return subprocess.run(
            [sys.executable, "-m", "corpus", *map(str, arguments)],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip


CHECK = '''

@rule("C399", "{column} {value} shouts", hint="write it in small letters")
def shouting(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Shouting.

    It hurts.
    """
    for column in sheet.spec.columns:
        for position, cell in enumerate(sheet.columns[column.name].to_pylist()):
            if "!!!" in cell:
                yield at(position, column.name)
'''


def test_a_check(tmp_path, minimal):
    copy = Copy(tmp_path, "add-check.md")
    copy.edit("corpus/curation/check/row_rules.py", lambda text: text + CHECK)
    pool = minimal / "sensors.csv"
    pool.write_text(pool.read_text("utf-8").replace("Light", "Light!!!", 1), "utf-8")
    found = copy.run("check", "--data", minimal, "--format", "json")
    findings = json.loads(found.stdout)["findings"]
    assert [(one["code"], one["line"]) for one in findings] == [("C399", 3)], found.stderr
    assert "It hurts." in copy.run("check", "--explain", "C399").stdout


READER = '''"""Toys: a line for each act."""

from corpus.traces.convert.conversation import ChatRecorder
from corpus.traces.convert.format import RecordedFormat
from corpus.traces.lookup import items, text


def convert(documents, redaction):
    """Yield one trace for each toy."""
    for document in documents:
        for row in document.objects:
            recorder = ChatRecorder("toy", "toy", redaction, document.place(row.line))
            agent = recorder.new_agent("bear")
            acts = [{"role": "assistant", "content": act} for act in items(row.value, "acts")]
            recorder.talk(agent, acts)
            yield recorder.conversion({}, "")


FORMAT = RecordedFormat("toy", convert)
'''


def test_a_trace_format(tmp_path):
    copy = Copy(tmp_path, "add-trace-format.md")
    folder = "corpus/traces/convert"
    (tmp_path / folder / "readers/toy.py").write_text(READER, "utf-8")
    copy.edit(
        f"{folder}/__init__.py",
        lambda text: text.replace("    chat,\n", "    chat,\n    toy,\n").replace(
            "session_trace, chat", "session_trace, chat, toy"
        ),
    )
    copy.edit(
        f"{folder}/formats.toml",
        lambda text: text + '[toy]\ntitle = "Toys"\nmarks = ["toy=?*"]\nnot_recorded = []\n',
    )
    run = tmp_path / "toy.json"
    run.write_text(json.dumps({"toy": "bear", "acts": ["growl", "sleep"]}), "utf-8")
    made = copy.run("trace", "convert", run)
    assert [event["agent"] for event in json.loads(made.stdout)["events"]] == ["bear", "bear"], (
        made.stderr
    )
    assert "toy" in copy.run("trace", "formats").stdout


def test_an_export(tmp_path, minimal):
    copy = Copy(tmp_path, "add-export.md")
    folder = "corpus/publishing/export"
    toy = '\n\ndef toy(study: Study) -> str:\n    """Return how many toys there are."""\n    return f"{len(study.entries)} toys\\n"\n'
    copy.edit(f"{folder}/bibliography.py", lambda text: text + toy)
    row = '    "toy": ExportFormat(FILE, toy, "toys.txt", "Toys"),\n    "ris"'
    copy.edit(
        f"{folder}/formats.py",
        lambda text: text.replace("csl_json, ris", "csl_json, ris, toy").replace(
            '    "ris"', row, 1
        ),
    )
    assert copy.run("export", "toy", "--data", minimal).stdout == "3 toys\n"
    assert "toy" in copy.run("export", "--help").stdout
