import pytest
import yaml

from corpus.publishing.export.folder import write_folder
from corpus.publishing.export.parquet_datasets import croissant, hugging_face
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full, full_of, sensor
from tests.support.conformance import needed

mlcroissant = needed("mlcroissant")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def read_back(study, folder):
    """Return the dataset as the reference reader of Croissant reads it."""
    write_folder(str(folder), croissant(study))
    dataset = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    return dataset


def test_mlcroissant_finds_the_shipped_corpus_valid_and_reads_its_pool(tmp_path):
    pool = list(read_back(load_corpus(str(REAL)), tmp_path / "c").records("pool"))
    assert len(pool) == 84
    assert sum(record["pool/reward_type"] == b"NA" for record in pool) == 33
    assert pool[0]["pool/arxiv_id"] == b"2508.03680"


def test_every_record_set_of_one_dataset_can_be_read(tmp_path):
    """As the checkers of conferences do: one reader for all of them."""
    about = {**codebook_data()["corpus"], "version": "1.2.0", "cite": "doi:10.1234/soil"}
    study = full(corpus=about)
    dataset = read_back(study, tmp_path / "c")
    numbers = {one.id: len(list(dataset.records(one.id))) for one in dataset.metadata.record_sets}
    assert numbers.items() >= {name: len(study.tables[name].rows) for name in study.tables}.items()
    assert numbers["vocabulary/depth"] == len(study.codebook.vocabularies["depth"].terms)


def card(study):
    return hugging_face(study)["README.md"].decode()


def _head(text):
    start, head, _ = text.split("---\n", 2)
    assert start == ""
    return yaml.safe_load(head)


def test_the_head_names_a_file_for_every_table_with_rows():
    corpus = load_corpus(str(REAL))
    head = _head(card(corpus))
    made = hugging_face(corpus)
    assert head["license"] == "cc0-1.0"
    paths = {config["config_name"]: config["data_files"][0]["path"] for config in head["configs"]}
    assert set(paths) == {name for name, table in corpus.tables.items() if table.rows}
    assert set(paths.values()) == set(made) - {"README.md"}
    assert [config["config_name"] for config in head["configs"] if config.get("default")] == [
        "pool"
    ]


def test_text_of_the_codebook_cannot_break_head_or_tables():
    about = {
        "id": "b",
        "title": "a: b\n---\n# <script>",
        "description": "x | y <img> [z](u)",
        "license": "MIT",
    }
    text = card(full_of(sensor("a"), corpus=about))
    assert _head(text)["pretty_name"] == "a: b --- # <script>"
    assert "<script>" not in text.split("---\n", 2)[2]
    assert r"x \| y &lt;img&gt; \[z\](u)" in text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_hub_library_loads_what_the_card_says(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    datasets = needed("datasets")
    corpus = load_corpus(str(REAL))
    write_folder(str(tmp_path / "d"), hugging_face(corpus))
    cache = str(tmp_path / "cache")
    pool = datasets.load_dataset(str(tmp_path / "d"), split="train", cache_dir=cache)
    assert pool["key"][:] == corpus.pool.column("key")
    assert pool["reward_type"][:].count("NA") == 33
    assert pool[0]["arxiv_id"] == "2508.03680"
    notes = datasets.load_dataset(
        str(tmp_path / "d"), "bibliography", split="train", cache_dir=cache
    )
    assert notes[0]["authors"][0] == "Luo, Xufang"
