"""The TOML documents of a corpus: each that can be read, and findings with a line about the others."""

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import with_documents
from corpus.tables.documents import parse_toml, read_codebook


def test_a_broken_document_does_not_hide_the_others(minimal):
    codebook = minimal / "codebook.toml"
    declared = "[documents]\n"
    assert declared in codebook.read_text()
    codebook.write_text(
        codebook.read_text().replace(declared, f'{declared}broken = "broken.toml"\n')
    )
    (minimal / "broken.toml").write_text("a = 1\nb = \n")
    study, (finding,) = with_documents(str(minimal), read_codebook(str(minimal)), {})
    assert (finding.code, finding.line) == ("C119", 2)
    assert finding.file.endswith("broken.toml")
    assert study.documents.keys() == study.sources.keys() - {"codebook.toml"} == {"protocol"}
    assert study.sources["protocol"].text == (minimal / "protocol.toml").read_text()


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a = 1\na = 2\n", "C119", 2),
        ("<<<<<<< ours\na = 1\n=======\na = 2\n>>>>>>> theirs\n", "C113", 1),
        ("a = " + "[" * 100_000, "C119", 1),
        ("a = 1\nb = [", "C119", 2),
        ("a = 1\nb = [\n", "C119", 2),
        ("a = " + "9" * 5_000 + "\n", "C119", 1),
    ],
    ids=["duplicate", "conflict", "deep", "open", "open line", "long number"],
)
def test_what_is_not_toml_is_a_finding_with_its_line(text, code, line):
    with pytest.raises(CorpusError) as raised:
        parse_toml(text, "claims.toml")
    first = raised.value.findings[0]
    assert (first.code, first.line, first.file) == (code, line, "claims.toml")
