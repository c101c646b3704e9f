"""A study and its parts: entries, references between tables, the entries that pass filters."""

from dataclasses import replace

import pytest

from corpus.model.filters import parse_filter
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full


def test_other_tables_follow_the_entries():
    corpus = load_corpus(str(REAL))
    book = corpus.codebook
    industry = corpus.where([parse_filter("category=industry", book.pool, book)])
    keys = set(industry.pool.column("key"))
    assert len(keys) == 6
    assert set(industry.tables["bibliography"].column("key")) == keys
    assert set(industry.tables["envelopes"].column("key")) <= keys
    assert len(industry.tables["exclusions"].rows) == len(corpus.tables["exclusions"].rows)


def test_rows_that_refer_to_a_dropped_entry_go_with_it_and_keep_their_lines():
    corpus = full()
    deep = corpus.where([parse_filter("depth=deep", corpus.pool.spec, corpus.codebook)])
    both = [
        parse_filter(text, corpus.pool.spec, corpus.codebook)
        for text in ("depth=surface", "senses=heat")
    ]
    assert [row[0] for row in corpus.where(both).pool.rows] == ["ada"]
    assert (deep.pool.rows, deep.pool.lines, deep.pool.text) == ([corpus.entry("dot").row], [5], "")
    assert {name: table.lines for name, table in deep.tables.items()} == {
        "sensors": [5], "dated": [5], "judged": [5], "uses": [2], "ranges": [4], "probes": [4],
        "second": [4], "dropped": [2, 3, 4],
    }  # fmt: skip


def test_an_unknown_key_is_answered_with_the_nearest_ones():
    with pytest.raises(UsageProblem, match=r"'doot'.* dot\?"):
        full().entry("doot")
    with pytest.raises(UsageProblem, match="corpus search"):
        full().entry("qqq")


def test_a_table_that_nobody_declares_is_wrong_usage():
    study = full()
    assert study.table_of("exclusions").spec.name == "dropped"
    with pytest.raises(UsageProblem):
        study.table_of("coverage")


def test_items_of_a_document_are_found_by_their_id():
    items = [{"id": "a", "text": "Wet."}, {"text": "nameless"}, 7]
    study = replace(full(), documents={"protocol": {"stages": items, "exclusion": "none"}})
    assert study.declared_items("protocol", "stages") == {"a": items[0]}
    assert study.declared_items("protocol", "exclusion") == {}
    assert study.declared_items("nothing", "stages") == {}
