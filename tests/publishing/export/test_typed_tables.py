import io
import json

import duckdb
import pandas as pd
import pyarrow as pa
from pyarrow import parquet as reader

from corpus.publishing.export.typed_tables import arrow_table, parquet
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full, full_of


def test_columns_have_the_types_of_the_codebook():
    corpus = full()
    schema = reader.read_table(io.BytesIO(parquet(corpus, corpus.pool))).schema
    assert schema.field("year").type == pa.int64()
    assert schema.field("weight").type == pa.float64()
    assert schema.field("arxiv").type == pa.string()
    assert schema.field("senses").type == pa.list_(pa.string())
    assert pa.types.is_dictionary(schema.field("depth").type)
    assert not schema.field("name").nullable
    assert schema.field("weight").nullable
    assert schema.field("weight").metadata[b"definition"] == b"Weight in kg."


def test_dictionaries_have_the_declared_vocabulary_in_order():
    corpus = full_of()
    column = arrow_table(corpus, corpus.pool)["depth"].combine_chunks()
    assert column.dictionary.to_pylist() == ["surface", "shallow", "deep", "rock", "none"]


def test_the_codebook_is_in_the_metadata():
    corpus = full()
    metadata = reader.read_schema(io.BytesIO(parquet(corpus, corpus.pool))).metadata
    assert json.loads(metadata[b"codebook"])["vocabularies"]["depth"]["not_applicable"] == "none"
    assert json.loads(metadata[b"corpus"])["id"] == "soils"


def test_pandas_and_duckdb_read_the_shipped_pool(tmp_path):
    corpus = load_corpus(str(REAL))
    file = tmp_path / "pool.parquet"
    file.write_bytes(parquet(corpus, corpus.pool))
    frame = pd.read_parquet(file)
    assert (frame["reward_type"] == "NA").sum() == 33
    assert "2508.03680" in set(frame["arxiv_id"])
    counted = duckdb.sql(
        f"select credit_granularity, count(*) from '{file}' where reward_type <> 'NA' group by 1 "
        f"having count(*) > 10"
    ).fetchall()
    expected = frame[frame.reward_type != "NA"].credit_granularity.value_counts()
    assert dict(counted) == {term: n for term, n in expected.items() if n > 10}
