import os
import time

import pytest

from corpus.model.finding import CorpusError
from corpus.printing import typeset as module
from corpus.printing.typeset import typeset
from tests.support.latex_machine import need_latex

HEAD = "\\documentclass{article}\\pdftrailerid{}\\begin{document}"


def test_without_an_engine_the_hint_tells_how_to_install_one(monkeypatch):
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(CorpusError) as caught:
        typeset([], 0)
    [finding] = caught.value.findings
    assert finding.code == "R101"
    assert "apt-get install" in finding.hint


def test_a_fault_is_a_finding_with_its_line():
    need_latex()
    with pytest.raises(CorpusError) as caught:
        typeset([HEAD, "\n\n\\nosuchcommand\n\\end{document}"], 0)
    [finding] = caught.value.findings
    assert (finding.code, finding.line) == ("R102", 3)


def test_nothing_outside_is_read_and_nothing_is_run(tmp_path):
    need_latex()
    mark = tmp_path / "owned"
    secret = tmp_path / "secret.tex"
    secret.write_text("a secret")
    source = f"{HEAD}\\immediate\\write18{{touch {mark}}}x\\end{{document}}"
    typeset([source], 0)
    assert not mark.exists()
    reading = f"{HEAD}\\openin3={secret} \\ifeof3 x\\else\\read3 to\\found \\typeout{{\\found}}\\fi x\\end{{document}}"
    assert "a secret" not in typeset([reading], 0).log
    with pytest.raises(CorpusError):
        typeset([f"{HEAD}\\immediate\\openout3={tmp_path}/owned \\end{{document}}"], 0)


def test_two_runs_give_the_same_bytes():
    need_latex()
    source = [HEAD, "x\\end{document}"]
    assert typeset(source, 1777852800).pdf == typeset(source, 1777852800).pdf


def test_an_endless_document_is_stopped(monkeypatch):
    need_latex()
    monkeypatch.setattr(module, "LIMIT", 1)
    with pytest.raises(CorpusError) as caught:
        typeset([HEAD, "\\loop\\iftrue\\repeat\\end{document}"], 0)
    assert [finding.code for finding in caught.value.findings] == ["R102"]


def test_an_engine_that_writes_nothing_is_a_finding(monkeypatch):
    monkeypatch.setattr(module, "ENGINE", "true")
    with pytest.raises(CorpusError) as caught:
        typeset(["x"], 0)
    assert [finding.code for finding in caught.value.findings] == ["R102"]


FAKE = """\
#!/bin/sh
env > "$KEPT/env"
echo "$@" > "$KEPT/arguments"
ls > "$KEPT/files"
echo run >> "$KEPT/runs"
[ "$(wc -l < "$KEPT/runs")" -gt "$RERUNS" ] || echo 'LaTeX Warning: Rerun to get it right' > document.log
[ "$(wc -l < "$KEPT/runs")" -le "$RERUNS" ] || printf 'done \\303\\251 \\377' > document.log
printf '%%PDF' > document.pdf
"""


@pytest.fixture
def _engine(tmp_path, monkeypatch):
    """A program in the place of LaTeX that keeps what it was given; it asks for two further runs."""
    program = tmp_path / "engine"
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("KEPT", str(tmp_path))
    monkeypatch.setenv("RERUNS", "2")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setattr(module, "ENGINE", str(program))


@pytest.mark.usefixtures("_engine")
def test_an_engine_may_touch_its_own_folder_only_and_gets_the_date(tmp_path):
    made = typeset(["a", "é"], 12)
    assert made == (b"%PDF", "done é \ufffd")
    variables = (tmp_path / "env").read_text().splitlines()
    assert {
        "openin_any=p", "openout_any=p", "shell_escape=f", "SOURCE_DATE_EPOCH=12", "FORCE_SOURCE_DATE=1",
    } <= set(variables)  # fmt: skip
    arguments = (tmp_path / "arguments").read_text().split()
    assert {"-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode"} <= set(arguments)
    assert "document.tex" in (tmp_path / "files").read_text()


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(("passes", "runs"), [(5, 3), (2, 2)])
def test_an_engine_runs_again_while_it_asks_to(tmp_path, monkeypatch, passes, runs):
    monkeypatch.setattr(module, "PASSES", passes)
    typeset(["a"], 0)
    assert (tmp_path / "runs").read_text().count("run") == runs


def test_an_interrupt_ends_the_engine_too(tmp_path, monkeypatch):
    started = tmp_path / "started"
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\necho $$ > {started}.new\nmv {started}.new {started}\nexec sleep 60\n")  # fmt: skip
    program.chmod(0o755)

    def interrupted(process, timeout):
        while not started.exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "ENGINE", str(program))
    monkeypatch.setattr(module.subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        typeset(["a"], 0)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
