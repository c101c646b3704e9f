"""What the benchmarks feed to the commands: a corpus that the commands accept, whatever the real one declares."""

from benchmarks.pools import make_pool
from corpus.tables.corpus_reader import load_corpus


def test_a_made_up_pool_is_a_corpus_that_is_read_and_counted(tmp_path):
    data = make_pool(tmp_path, 12)
    assert len(load_corpus(str(data)).pool.rows) == 12
