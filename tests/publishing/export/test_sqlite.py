import sqlite3
from contextlib import closing

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.sqlite import sqlite
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full, full_of, sensor


def _open(content):
    database = sqlite3.connect(":memory:")
    database.deserialize(content)
    return database


def test_the_shipped_corpus_is_valid_and_counted_by_sql():
    corpus = load_corpus(str(REAL))
    with closing(_open(sqlite(corpus))) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        counted = dict(
            database.execute(
                "SELECT term, count(key) FROM vocabulary_reward_type LEFT JOIN pool ON reward_type "
                "= term GROUP BY term ORDER BY position"
            )
        )
        assert counted["NA"] == 33
        assert counted["tool"] == 0
        for name, table in corpus.tables.items():
            assert database.execute(f'SELECT count(*) FROM "{name}"').fetchone() == (
                len(table.rows),
            )


def test_values_have_their_type_and_identifiers_stay_text():
    with closing(_open(sqlite(full()))) as database:
        rows = database.execute(
            'SELECT sensor, "year", weight, arxiv, depth FROM sensors'
        ).fetchall()
    assert rows == [
        ("ada", 2020, 2.5, "2011.00010", "surface"),
        ("bob", None, None, "2011.00002", "surface"),
        ("cy", None, None, "2101.00004", "shallow"),
        ("dot", 2019, 0.1, None, "deep"),
        ("eve", 2020, None, None, "none"),
    ]


def test_several_values_are_an_array_of_json():
    query = "SELECT sensor, value FROM sensors, json_each(senses) ORDER BY sensor, json_each.id"
    with closing(_open(sqlite(full()))) as database:
        assert database.execute(query).fetchall() == [
            ("ada", "water"), ("ada", "heat"), ("bob", "water"), ("cy", "salt"), ("dot", "heat"),
            ("eve", "water"),
        ]  # fmt: skip


def test_foreign_keys_are_enforced():
    with closing(_open(sqlite(full()))) as database:
        database.execute("PRAGMA foreign_keys = ON")
        for statement in (
            "INSERT INTO probes VALUES ('nowhere', 1, NULL)",
            "UPDATE sensors SET depth = 'chalk'",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                database.execute(statement)


def test_full_text_search_ignores_case_and_accents():
    with closing(_open(sqlite(full()))) as database:
        assert database.execute(
            "SELECT sensor FROM sensors_fts WHERE sensors_fts MATCH 'E'"
        ).fetchall() == [("dot",)]
        assert database.execute(
            "SELECT sensor FROM sensors_fts WHERE sensors_fts MATCH 'trust'"
        ).fetchall() == [("ada",), ("eve",)]
    with closing(_open(sqlite(load_corpus(str(REAL))))) as database:
        found = database.execute(
            "SELECT key FROM bibliography_fts WHERE authors MATCH 'Tramer'"
        ).fetchall()
        assert ("agentdojo2024",) in found


def test_other_programs_find_the_index_of_the_pool_and_its_rows():
    """As Datasette asks for it: an index whose content is the table, and the numbers of rows."""
    wanted = "sql LIKE '%VIRTUAL TABLE%USING FTS%content=\"sensors\"%'"
    with closing(_open(sqlite(full()))) as database:
        [(index,)] = database.execute(f"SELECT name FROM sqlite_master WHERE {wanted}").fetchall()
        rows = f"SELECT rowid FROM {index} WHERE {index} MATCH 'trust'"
        found = database.execute(f"SELECT sensor FROM sensors WHERE rowid IN ({rows})").fetchall()
        assert found == [("ada",), ("eve",)]


def test_a_broken_reference_is_a_finding_and_no_file():
    with pytest.raises(CorpusError) as caught:
        sqlite(full_of(sensor("a"), rows={"probes": [("a", "1", ""), ("z", "1", "")]}))
    assert [finding.code for finding in caught.value.findings] == ["X105"]
    assert "probes" in caught.value.findings[0].message


def test_a_cell_is_never_executed_as_sql():
    study = full_of(sensor("a", name="'); DROP TABLE sensors; --"))
    with closing(_open(sqlite(study))) as database:
        assert database.execute("SELECT name FROM sensors").fetchall() == [
            ("'); DROP TABLE sensors; --",)
        ]


def test_an_empty_required_cell_is_null_as_in_other_formats():
    with closing(_open(sqlite(full_of(sensor("a", name=""))))) as database:
        assert database.execute("SELECT name FROM sensors").fetchall() == [(None,)]


def test_what_sqlite_refuses_is_a_finding(minimal):
    path = minimal / "codebook.toml"
    path.write_text(path.read_text("utf-8").replace('"who"', '"NAME"'), encoding="utf-8")
    table = minimal / "sensors.csv"
    table.write_text(table.read_text("utf-8").replace(",who,", ",NAME,"), encoding="utf-8")
    with pytest.raises(CorpusError) as raised:
        sqlite(load_corpus(str(minimal)))
    assert [f.code for f in raised.value.findings] == ["X105"]


def test_a_reference_that_is_not_required_may_be_empty():
    tables = codebook_data()["tables"]
    tables["sensors"]["columns"][5] = {
        "name": "like", "type": "ref", "references": "sensors", "required": False, "definition": "Like it."
    }  # fmt: skip
    rows = [sensor("a"), sensor("b", notes="a")]
    with closing(_open(sqlite(full_of(*rows, tables=tables)))) as database:
        found = database.execute('SELECT sensor, "like" FROM sensors').fetchall()
    assert found == [("a", None), ("b", "a")]
