"""Which files a corpus generates, and what the reports have."""

from corpus.publishing.outputs.catalogue import appendix, outputs_of
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import write_full


def paths(folder, below="reports/"):
    made = outputs_of(load_corpus(str(folder)))
    return [output.path for output in made if output.path.startswith(below)]


def test_a_corpus_generates_reports_only_of_what_it_has(minimal, tmp_path):
    few = set(paths(minimal))
    more = set(paths(write_full(tmp_path / "full")))
    assert few < more
    assert more - few == {"reports/agreement.md", "reports/claims.md"}
    assert "reports/evidence.md" not in more


def test_tables_are_described_where_their_folder_is_called_data(minimal):
    assert paths(minimal, "data/") == ["data/datapackage.json"]
    assert paths(minimal.rename(minimal.parent / "tables"), "data/") == []


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
