"""Which files a corpus generates."""

from collections import Counter

from corpus.publishing.outputs.catalogue import OUTPUTS, outputs_of
from corpus.publishing.outputs.output import Sources
from tests.corpora.full import write_full


def paths(folder, below="reports/"):
    made = outputs_of(Sources(str(folder)))
    return [output.path for output in made if output.path.startswith(below)]


def test_each_file_is_made_once():
    assert [path for path, times in Counter(o.path for o in OUTPUTS).items() if times > 1] == []


def test_a_corpus_generates_reports_only_of_what_it_has(minimal, tmp_path, without_latex):
    few = set(paths(minimal))
    more = set(paths(write_full(tmp_path / "full")))
    assert few < more
    assert more - few == {"reports/agreement.md", "reports/claims.md"}
    assert "reports/evidence.md" not in more


def test_tables_are_described_where_their_folder_is_called_data(minimal, without_latex):
    assert paths(minimal, "data/") == ["data/datapackage.json"]
    assert paths(minimal.rename(minimal.parent / "tables"), "data/") == []


def test_only_the_pdf_is_never_committed():
    assert [output.path for output in OUTPUTS if output.local] == ["reports/appendix.pdf"]
