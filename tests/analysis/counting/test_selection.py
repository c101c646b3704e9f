from corpus.analysis.counting.filters import parse_filter
from corpus.analysis.counting.selection import select
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.corpora.soils import soils


def test_other_tables_follow_the_entries():
    corpus = load_corpus(shipped_data())
    book = corpus.codebook
    industry = select(corpus, [parse_filter("category=industry", book.pool, book)])
    keys = set(industry.pool.column("key"))
    assert len(keys) == 6
    assert set(industry.tables["bibliography"].column("key")) == keys
    assert set(industry.tables["envelopes"].column("key")) <= keys
    assert len(industry.tables["exclusions"].rows) == len(corpus.tables["exclusions"].rows)


def test_without_filters_nothing_changes():
    corpus = load_corpus(shipped_data())
    assert select(corpus, []) is corpus


def test_rows_that_refer_to_a_dropped_entry_go_with_it_and_keep_their_lines():
    corpus = soils()
    deep = select(corpus, [parse_filter("depth=deep", corpus.pool.spec, corpus.codebook)])
    both = [parse_filter(text, corpus.pool.spec, corpus.codebook) for text in ("depth=surface", "senses=heat")]
    assert [row[0] for row in select(corpus, both).pool.rows] == ["ada"]
    assert (deep.pool.rows, deep.pool.lines, deep.pool.text) == ([("dot", "Dot", "deep", "heat")], [5], "")
    assert {name: table.lines for name, table in deep.tables.items()} == {
        "sensors": [5], "dated": [5], "judged": [5], "uses": [2], "ranges": [4], "dropped": [2, 3, 4],
    }  # fmt: skip


def test_a_row_that_refers_to_no_entry_at_all_stays():
    rows = [("farm", "nobody", "field", ""), ("farm", "ada", "field", "")]
    corpus = soils({"uses": rows})
    assert len(select(corpus, [parse_filter("depth=deep", corpus.pool.spec, corpus.codebook)]).tables["uses"].rows) == 1
