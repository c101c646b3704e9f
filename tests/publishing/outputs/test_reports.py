import pytest

from corpus.publishing.export.publication import sha256
from corpus.publishing.outputs import reports
from corpus.publishing.outputs.build import build, stale_findings
from corpus.publishing.outputs.output import Sources
from tests.support.latex_machine import need_latex


@pytest.mark.slow
def test_the_pdf_is_made_once_and_is_never_stale(minimal):
    need_latex()
    root = minimal.parent
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root))
    made = (root / "reports" / "appendix.pdf").read_bytes()
    assert reports.recorded_source(made) == reports.appendix_digest(Sources(str(minimal)))
    assert build(Sources(str(minimal)), str(root)) == []
    (root / "reports" / "appendix.pdf").write_bytes(made.replace(b"%%EOF", b"% /JavaScript\n%%EOF"))
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root))
    (root / "reports" / "appendix.pdf").write_bytes(b"%PDF-1.5 of another time")
    assert stale_findings(Sources(str(minimal)), str(root)) == []
    assert "reports/appendix.pdf" in build(Sources(str(minimal)), str(root))
    assert (root / "reports" / "appendix.pdf").read_bytes() == made


def texts(content):
    return content if isinstance(content, str) else "".join(content)


def test_reports_of_the_appendix_have_their_parts_and_whole_words(minimal):
    sources = Sources(str(minimal))
    heads = [
        line
        for line in texts(
            reports.appendix(sources, "markdown", "protocol", "exclusions")
        ).splitlines()
        if line.startswith("## ")
    ]
    assert heads == ["## Search and screening", "## rejected"]
    # Short forms save place in print; a page to read has the labels.
    latex, _, _ = texts(reports.appendix(sources, "latex")).partition("Definitions of the tags")
    page, _, _ = texts(reports.appendix(sources, "markdown")).partition("Definitions of the tags")
    assert ("diel" in latex, "diel " in page) == (True, False)


def test_a_pdf_records_its_source_unless_it_was_edited():
    body = b"%PDF-1.5\nx\n%%EOF\n"
    record = f"% corpus-source {'a' * 64} content {sha256(body)}\n".encode()
    assert reports.recorded_source(body + record) == "a" * 64
    assert reports.recorded_source(body.replace(b"x", b"y") + record) == ""
    assert reports.recorded_source(body + record + b"more\n") == ""
    assert reports.recorded_source(body) == reports.recorded_source(b"") == ""
