"""Which files a corpus generates, and what the reports have."""

import pytest

from corpus.publishing.export.publication import sha256
from corpus.publishing.outputs.build import build, stale_findings
from corpus.publishing.outputs.catalogue import (
    appendix,
    appendix_digest,
    outputs_of,
    recorded_source,
)
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import write_full
from tests.support.latex_machine import need_latex


def paths(folder, below="reports/"):
    made = outputs_of(load_corpus(str(folder)))
    return [output.path for output in made if output.path.startswith(below)]


def test_a_corpus_generates_reports_only_of_what_it_has(minimal, tmp_path, without_latex):
    few = set(paths(minimal))
    more = set(paths(write_full(tmp_path / "full")))
    assert few < more
    assert more - few == {"reports/agreement.md", "reports/claims.md"}
    assert "reports/evidence.md" not in more


def test_tables_are_described_where_their_folder_is_called_data(minimal, without_latex):
    assert paths(minimal, "data/") == ["data/datapackage.json"]
    assert paths(minimal.rename(minimal.parent / "tables"), "data/") == []


@pytest.mark.slow
def test_the_pdf_is_made_once_and_is_never_stale(minimal):
    need_latex()
    root = minimal.parent
    assert "reports/appendix.pdf" in build(load_corpus(str(minimal)), str(root))
    made = (root / "reports" / "appendix.pdf").read_bytes()
    assert recorded_source(made) == appendix_digest(load_corpus(str(minimal)))
    assert build(load_corpus(str(minimal)), str(root)) == []
    (root / "reports" / "appendix.pdf").write_bytes(made.replace(b"%%EOF", b"% /JavaScript\n%%EOF"))
    assert "reports/appendix.pdf" in build(load_corpus(str(minimal)), str(root))
    (root / "reports" / "appendix.pdf").write_bytes(b"%PDF-1.5 of another time")
    assert stale_findings(load_corpus(str(minimal)), str(root)) == []
    assert "reports/appendix.pdf" in build(load_corpus(str(minimal)), str(root))
    assert (root / "reports" / "appendix.pdf").read_bytes() == made


def texts(content):
    return content if isinstance(content, str) else "".join(content)


def test_reports_of_the_appendix_have_their_parts_and_whole_words(minimal):
    study = load_corpus(str(minimal))
    heads = [
        line
        for line in texts(appendix(study, "markdown", "protocol", "exclusions")).splitlines()
        if line.startswith("## ")
    ]
    assert heads == ["## Search and screening", "## rejected"]
    # Short forms save place in print; a page to read has the labels.
    latex, _, _ = texts(appendix(study, "latex")).partition("Definitions of the tags")
    page, _, _ = texts(appendix(study, "markdown")).partition("Definitions of the tags")
    assert ("diel" in latex, "diel " in page) == (True, False)


def test_a_pdf_records_its_source_unless_it_was_edited():
    body = b"%PDF-1.5\nx\n%%EOF\n"
    record = f"% corpus-source {'a' * 64} content {sha256(body)}\n".encode()
    assert recorded_source(body + record) == "a" * 64
    assert recorded_source(body.replace(b"x", b"y") + record) == ""
    assert recorded_source(body + record + b"more\n") == ""
    assert recorded_source(body) == recorded_source(b"") == ""
