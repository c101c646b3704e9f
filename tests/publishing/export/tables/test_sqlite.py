import copy
import sqlite3
from contextlib import closing

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.tables.sqlite import export
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.bogs import CODEBOOK, bogs, site


def _open(content: bytes) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.deserialize(content)
    return database


def test_the_shipped_corpus_is_valid_and_counted_by_sql():
    corpus = load_corpus(str(REAL))
    with closing(_open(export(corpus))) as database:
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
    with closing(_open(export(bogs()))) as database:
        rows = database.execute('SELECT site, "when", depth, arx, peat FROM sites').fetchall()
    assert rows == [
        ("adder", 2019, 2.5, "1901.00010", "moss"),
        ("black", 2020, None, None, "NA"),
        ("crane", 2021, 0.1, None, "sedge"),
    ]


def test_several_values_have_a_table_of_their_own():
    with closing(_open(export(bogs()))) as database:
        assert database.execute(
            "SELECT site, position, value FROM sites_plants ORDER BY 1, 2"
        ).fetchall() == [
            ("adder", 1, "heath"),
            ("adder", 2, "birch"),
            ("crane", 1, "birch"),
        ]


def test_foreign_keys_are_enforced():
    with closing(_open(export(bogs()))) as database:
        database.execute("PRAGMA foreign_keys = ON")
        for statement in (
            "INSERT INTO probes VALUES ('nowhere', 1, NULL)",
            "UPDATE sites SET peat = 'chalk'",
            "INSERT INTO sites_plants VALUES ('adder', 3, 'palm')",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                database.execute(statement)


def test_full_text_search_ignores_case_and_accents():
    with closing(_open(export(bogs()))) as database:
        assert database.execute(
            "SELECT site FROM sites_search WHERE sites_search MATCH 'E'"
        ).fetchall() == [("crane",)]
        assert database.execute(
            "SELECT site FROM sites_search WHERE sites_search MATCH 'trust'"
        ).fetchall() == [
            ("adder",),
            ("black",),
        ]
    with closing(_open(export(load_corpus(str(REAL))))) as database:
        found = database.execute(
            "SELECT key FROM pool_search WHERE authors MATCH 'Tramer'"
        ).fetchall()
        assert ("agentdojo2024",) in found


def test_a_broken_reference_is_a_finding_and_no_file():
    with pytest.raises(CorpusError) as caught:
        export(bogs([site("a")], [("a", "1", ""), ("z", "1", "")]))
    assert [(f.code, f.line, f.column, f.value) for f in caught.value.findings] == [
        ("X103", 3, "site", "z")
    ]


def test_a_cell_is_never_executed_as_sql():
    with closing(_open(export(bogs([site("a", name="'); DROP TABLE sites; --")], [])))) as database:
        assert database.execute("SELECT name FROM sites").fetchall() == [
            ("'); DROP TABLE sites; --",)
        ]


def test_twice_the_same_bytes():
    assert export(bogs()) == export(bogs())


def test_an_empty_required_cell_is_a_finding(soil):
    path = soil / "sensors.csv"
    path.write_text(path.read_text("utf-8").replace("Light in the fen", ""), encoding="utf-8")
    with pytest.raises(CorpusError) as raised:
        export(load_corpus(str(soil)))
    assert [(f.code, f.line, f.column) for f in raised.value.findings] == [("X104", 3, "name")]


def test_what_sqlite_refuses_is_a_finding(soil):
    path = soil / "codebook.toml"
    path.write_text(path.read_text("utf-8").replace('"who"', '"NAME"'), encoding="utf-8")
    table = soil / "sensors.csv"
    table.write_text(table.read_text("utf-8").replace(",who,", ",NAME,"), encoding="utf-8")
    with pytest.raises(CorpusError) as raised:
        export(load_corpus(str(soil)))
    assert [f.code for f in raised.value.findings] == ["X105"]


def test_a_reference_that_is_not_required_may_be_empty():
    tables = copy.deepcopy(CODEBOOK["tables"])
    tables["sites"]["columns"][5] = {
        "name": "like", "type": "ref", "references": "sites", "required": False, "definition": "Like it."
    }  # fmt: skip
    rows = [site("a"), (*site("b")[:5], "a", *site("b")[6:])]
    with closing(_open(export(bogs(rows, [], tables=tables)))) as database:
        found = database.execute('SELECT site, "like" FROM sites').fetchall()
    assert found == [("a", None), ("b", "a")]


def test_the_codebook_is_in_the_file_in_its_order():
    with closing(_open(export(bogs()))) as database:
        terms = database.execute(
            "SELECT term, position FROM vocabulary_peat ORDER BY position"
        ).fetchall()
        axes = database.execute(
            "SELECT column_name FROM codebook_columns WHERE is_axis = 1"
        ).fetchall()
    assert terms == [("moss", 1), ("sedge", 2), ("NA", 3)]
    assert sorted(axes) == [("peat",), ("plants",)]
