"""Records of a branch get their numbers on the default branch, and everything that names them follows."""

from corpus.curation.edit.numbering import numbered, numbers
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import write_full

CLAIM = """
[[claims]]
id = "new-records"
statement = "Two records are new."
table = "dropped"
includes = ["new-fen", "new-bog"]
"""


def with_new(tmp_path):
    data = write_full(tmp_path)
    with (data / "dropped.csv").open("a", encoding="utf-8") as log:
        log.write("new-bog,title,A bog,\nnew-fen,text,A fen,\n")
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(CLAIM)
    return load_corpus(str(data))


def test_each_takes_the_next_number(tmp_path):
    study = with_new(tmp_path)
    assert numbers(study)["dropped"] == {"new-bog": "x4", "new-fen": "x5"}
    names = [row[0] for row in numbered(study).tables["dropped"].rows]
    assert names == ["x1", "x2", "x3", "x4", "x5"]


def test_claims_that_name_them_follow(tmp_path):
    after = numbered(with_new(tmp_path))
    assert 'includes = ["x5", "x4"]' in after.sources["claims"].text


def test_a_log_with_numbers_alone_stays_as_it_is(tmp_path):
    study = load_corpus(str(write_full(tmp_path)))
    after = numbered(study)
    assert (after.changed_tables(study), after.changed_texts(study)) == ([], {})
