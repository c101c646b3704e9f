from corpus.curation.check.check import check_corpus
from corpus.curation.check.declarations import declaration_findings
from tests.corpora.soils import soils, write_soils


def test_mistakes_in_what_single_commands_read_are_found_by_check(tmp_path):
    data = write_soils(tmp_path, '[figures.x]\nkind = "pie"\n[[sparsity.related]]\naxis = "colour"\nterm = "x"\n')
    found = {finding.column for finding in check_corpus(str(data)) if finding.code == "C001"}
    assert {"figures.x.kind", "sparsity.related[2].axis"} <= found


def test_they_are_shown_in_the_codebook_as_the_user_knows_it():
    book = soils(figures={"x": {"kind": "pie"}}).codebook
    assert [(f.code, f.file) for f in declaration_findings(book, "my/codebook.toml")] == [("C001", "my/codebook.toml")]
    assert declaration_findings(soils().codebook, "my/codebook.toml") == []
