from __future__ import annotations

import pytest

from corpus.publishing.outputs import reports
from corpus.publishing.outputs.build import build
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.publishing.outputs.sources import Sources
from corpus.publishing.outputs.stale import stale_findings
from tests.support.latex_machine import need_latex


@pytest.mark.slow
def test_the_pdf_is_made_once_and_is_never_stale(minimal):
    need_latex()
    root = minimal.parent
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root)).written
    made = (root / "reports" / "appendix.pdf").read_bytes()
    assert reports.recorded_source(made) == reports.appendix_digest(Sources(str(minimal)))
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root)).kept
    (root / "reports" / "appendix.pdf").write_bytes(made.replace(b"%%EOF", b"% /JavaScript\n%%EOF"))
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root)).written
    (root / "reports" / "appendix.pdf").write_bytes(b"%PDF-1.5 of another time")
    assert stale_findings(Sources(str(minimal)), str(root)) == []
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root)).written
    assert (root / "reports" / "appendix.pdf").read_bytes() == made


def test_without_latex_no_pdf_is_asked_for(minimal, monkeypatch):
    monkeypatch.setattr("corpus.printing.typeset.shutil.which", lambda name: None)
    assert "reports/appendix.pdf" not in [
        output.path for output in outputs_of(Sources(str(minimal)))
    ]
