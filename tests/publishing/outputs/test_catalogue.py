"""Which files a corpus generates."""

from collections import Counter

from corpus.publishing.outputs.catalogue import OUTPUTS, outputs_of
from corpus.publishing.outputs.sources import Sources
from tests.corpora.full import write_full


def paths(folder, below="reports/"):
    made = outputs_of(Sources(str(folder)))
    return [output.path for output in made if output.path.startswith(below)]


def test_each_file_is_made_once():
    assert [path for path, times in Counter(o.path for o in OUTPUTS).items() if times > 1] == []


def test_reports_keep_their_addresses_and_order(minimal, without_latex):
    """Others link to them, and the manifest lists them in this order."""
    names = ["statistics.md", "sparsity.md", "papers.md", "codebook.md", "screening.md"]
    names += [
        "appendix.tex",
        "appendix.md",
        "appendix.html",
        "numbers.tex",
        "numbers.md",
        "references.bib",
    ]
    assert paths(minimal) == [f"reports/{name}" for name in names]
    assert paths(minimal, "data/") == ["data/datapackage.json"]


def test_without_latex_no_pdf_is_asked_for(minimal, without_latex):
    assert "reports/appendix.pdf" not in paths(minimal)


def test_a_corpus_generates_reports_only_of_what_it_has(minimal, tmp_path, without_latex):
    few = set(paths(minimal))
    more = set(paths(write_full(tmp_path / "full")))
    assert few < more
    assert more - few == {"reports/agreement.md", "reports/claims.md"}


def test_only_the_pdf_is_never_committed():
    assert [output.path for output in OUTPUTS if output.local] == ["reports/appendix.pdf"]
