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


def test_without_filters_nothing_changes():
    corpus = load_corpus(str(REAL))
    assert corpus.where([]) is corpus


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


def test_a_row_that_refers_to_no_entry_at_all_stays():
    rows = [("farm", "nobody", "field", ""), ("farm", "ada", "field", "")]
    corpus = full({"uses": rows})
    assert (
        len(
            corpus.where([parse_filter("depth=deep", corpus.pool.spec, corpus.codebook)])
            .tables["uses"]
            .rows
        )
        == 1
    )


def test_references_to_an_entry_come_with_their_table_and_line():
    study = full()
    assert [(table.spec.name, row[0], line) for table, row, line in study.references(study.pool.spec, "dot")] == [
        ("dated", "dot", 5), ("judged", "dot", 5), ("uses", "dam", 2), ("ranges", "dot-reach", 4),
        ("probes", "dot", 4), ("second", "dot", 4),
    ]  # fmt: skip


def test_an_entry_gives_its_key_its_cells_and_its_terms():
    entry = full().entry("dot")
    assert (entry.key, entry.cell("name"), entry.terms("senses"), entry.line) == (
        "dot",
        "Warmth é 50% below a slow river",
        ("heat",),
        5,
    )
    with pytest.raises(UsageProblem, match="colour"):
        entry.cell("colour")


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
