import io
import json

import pyarrow.parquet as pq
import pytest

from corpus.publishing.export.datasets.croissant import files
from corpus.publishing.export.folder import write_folder
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full, full_of
from tests.support.conformance import needed

mlcroissant = needed("mlcroissant")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def _records(folder, name):
    dataset = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    return [
        {
            field.split("/")[-1]: value.decode() if isinstance(value, bytes) else value
            for field, value in record.items()
        }
        for record in dataset.records(name)
    ]


def test_mlcroissant_finds_the_shipped_corpus_valid_and_reads_every_table(tmp_path):
    corpus = load_corpus(str(REAL))
    write_folder(str(tmp_path / "c"), files(corpus))
    for name, table in corpus.tables.items():
        assert len(_records(tmp_path / "c", name)) == len(table.rows), name
    pool = _records(tmp_path / "c", "pool")
    assert sum(record["reward_type"] == "NA" for record in pool) == 33
    assert pool[0]["arxiv_id"] == "2508.03680"


def test_cells_of_several_values_are_arrays():
    made = json.loads(files(full())["croissant.json"])
    fields = {f["name"]: f for rs in made["recordSet"] for f in rs["field"]}
    assert fields["sensors/senses"]["isArray"] is True
    assert "isArray" not in fields["sensors/depth"]
    assert fields["probes/sensor"]["references"] == {"field": {"@id": "sensors/sensor"}}


def test_every_column_of_a_file_is_a_field_that_is_read_from_it():
    contents = files(
        full(corpus={**codebook_data()["corpus"], "cutoff": "2021-02-03", "version": "1.2.0"})
    )
    made = json.loads(contents["croissant.json"])
    assert (made["datePublished"], made["version"]) == ("2021-02-03", "1.2.0")
    sets = {record_set["@id"]: record_set for record_set in made["recordSet"]}
    assert [key["@id"] for key in sets["probes"]["key"]] == ["probes/sensor", "probes/nr"]
    for table in ("sensors", "probes"):
        columns = pq.read_schema(io.BytesIO(contents[f"{table}.parquet"])).names
        fields = sets[table]["field"]
        assert [field["source"]["extract"] for field in fields] == [
            {"column": name} for name in columns
        ]
        assert {field["source"]["fileObject"]["@id"] for field in fields} == {f"{table}.parquet"}
        assert [field["@id"] for field in fields] == [f"{table}/{name}" for name in columns]
    kinds = {field["@id"]: field for record_set in sets.values() for field in record_set["field"]}
    assert kinds["sensors/year"]["dataType"] == "sc:Integer"
    assert kinds["sensors/weight"]["dataType"] == "sc:Float"
    assert kinds["probes/taken"]["dataType"] == "sc:Date"
    assert kinds["sensors/url"]["dataType"] == "sc:URL"
    assert made["@context"]["sc"] == made["@context"]["@vocab"] == "https://schema.org/"
    assert kinds["probes/sensor"]["references"] == {"field": {"@id": "sensors/sensor"}}
    assert kinds["sensors/depth"]["references"] == {"field": {"@id": "vocabulary/depth/term"}}
    assert (kinds["sensors/senses"]["isArray"], kinds["sensors/senses"]["arrayShape"]) == (
        True,
        "-1",
    )


def test_the_context_is_the_one_of_the_specification():
    made = json.loads(files(full_of())["croissant.json"])["@context"]
    names = (
        "arrayShape citeAs column containedIn equivalentProperty extract field fileObject fileProperty fileSet format "
        "includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
        "samplingRate separator source subField transform"
    )
    assert {name: f"cr:{name}" for name in names.split()}.items() <= made.items()
    assert made["cr"] == "http://mlcommons.org/croissant/"
