"""Questions in SQL: answered from the store, and from nothing else."""

import json

import pytest
from pyarrow import parquet

from corpus.model.finding import UsageProblem
from corpus.traces.store.query import ask
from corpus.traces.store.store import Store
from tests.support.made_traces import pair
from tests.support.stores import bring, write_lines


@pytest.fixture
def store(tmp_path):
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(12)))
    return Store(tmp_path / "st")


def answer(store, question, **bounds):
    with ask(store, question, **bounds) as found:
        return list(found.rows)


def test_the_three_tables_join_by_digest(store):
    question = """
        SELECT trace_id, max(a.events), count(*), any_value(a.rewards['style'])
        FROM traces a JOIN events e USING (digest, trace_id) WHERE e.type = 'spawn' GROUP BY 1 ORDER BY 1 LIMIT 2
    """
    assert answer(store, question) == [("run-0", 8, 2, 1.0), ("run-1", 8, 2, 1.0)]
    assert answer(store, "FROM edges SELECT count(*)") == [(96,)]
    with ask(store, "SELECT type AS kind, 1 AS one FROM events LIMIT 0") as found:
        assert (found.columns, list(found.rows)) == (["kind", "one"], [])


def test_keys_of_ones_own_can_be_asked_for(tmp_path):
    trace = pair()
    trace["events"][3]["model"] = {"name": "tiny"}
    (tmp_path / "a.json").write_text(json.dumps(trace))
    bring(tmp_path / "st", tmp_path / "a.json")
    question = "SELECT id, more->>'$.model.name' FROM events WHERE more IS NOT NULL"
    assert answer(Store(tmp_path / "st"), question) == [("ask", "tiny")]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "SELEC 1",
        "SELECT 1; SELECT 2",
        "CREATE TABLE x (a INT)",
        "DROP VIEW traces",
        "DELETE FROM traces",
        "INSERT INTO traces SELECT * FROM traces",
        "COPY traces TO 'OUT'",
        "WITH x AS (COPY (SELECT 1) TO 'OUT' (use_tmp_file false)) SELECT 1",
        "WITH x AS (COPY (SELECT 1) TO 'PART' (use_tmp_file false)) SELECT 1",
        "ATTACH 'OUT' AS x",
        "EXPORT DATABASE 'OUT'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM read_csv('IN')",
        "SELECT * FROM read_text('IN')",
        "SELECT * FROM 'IN'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_parquet('PART')",
        "SELECT * FROM read_csv('https://example.invalid/a.csv')",
        "SELECT * FROM secrets_of_the_caller",
        "FORCE INSTALL httpfs",
        "LOAD '/tmp/a.duckdb_extension'",
        "CREATE SECRET s (TYPE s3)",
        "PRAGMA enable_profiling",
        "SELECT * FROM sniff_csv('IN')",
        "SELECT * FROM read_blob('IN')",
        "SELECT * FROM sqlite_scan('OUT', 't')",
        "SELECT * FROM query('COPY traces TO out')",
        "SELECT * FROM 'https://example.invalid/a.parquet'",
        "SELECT * FROM st_read('IN')",
        "SELECT getenv('PATH')",
    ],
)
def test_nothing_is_written_and_nothing_else_is_read(store, tmp_path, question):
    secrets_of_the_caller = [{"a": 1}]
    path = store.path("traces", store.parts()[0].name)
    before = path.read_bytes()
    names = {"OUT": tmp_path / "out", "IN": tmp_path / "a.jsonl", "PART": path}
    for name, meant in names.items():
        question = question.replace(f"'{name}'", f"'{meant}'")
    with pytest.raises(UsageProblem):
        answer(store, question)
    assert path.read_bytes() == before
    assert not (tmp_path / "out").exists()
    assert secrets_of_the_caller


def test_a_question_that_takes_too_long_is_stopped(store):
    question = (
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = 7"
    )
    with pytest.raises(UsageProblem, match="--timeout"):
        answer(store, question, seconds=0.2)


def test_a_question_that_takes_too_much_memory_is_given_up(store):
    question = "SELECT list(a.range) FROM range(100000000) a"
    with pytest.raises(UsageProblem, match="MB"):
        answer(store, question, megabytes=50)


def test_a_damaged_page_ends_the_query_with_an_error(store):
    path = store.path("events", store.parts()[0].name)
    with parquet.ParquetFile(path) as file:
        column = file.metadata.row_group(0).column(file.schema_arrow.names.index("t"))
    last = column.dictionary_page_offset + column.total_compressed_size - 2
    raw = path.read_bytes()
    path.write_bytes(raw[:last] + bytes([raw[last] ^ 1]) + raw[last + 1 :])
    assert answer(store, "SELECT count(DISTINCT id) FROM events") == [(8,)]
    with pytest.raises(UsageProblem):
        answer(store, "SELECT sum(t) FROM events")
    path.write_bytes(b"PAR1" * (len(raw) // 4) + b"PAR1"[: len(raw) % 4])
    with pytest.raises(UsageProblem):
        answer(store, "SELECT sum(t) FROM events")
