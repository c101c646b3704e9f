from __future__ import annotations

import pytest

from corpus.model.finding import CorpusError
from corpus.printing import typeset as module
from corpus.printing.typeset import Engine, find_engine, typeset
from tests.support.latex_machine import need_latex

HEAD = "\\documentclass{article}\\pdftrailerid{}\\begin{document}"


def test_without_an_engine_the_hint_tells_how_to_install_one(monkeypatch):
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(CorpusError) as caught:
        find_engine()
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


def test_an_engine_that_writes_nothing_is_a_finding():
    with pytest.raises(CorpusError) as caught:
        typeset(["x"], 0, Engine("true", (), 1))
    assert [finding.code for finding in caught.value.findings] == ["R102"]
