import pytest
import yaml

from corpus.publishing.export.datasets.hugging_face import card, files
from corpus.publishing.export.folder import write_folder
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full_of, sensor
from tests.support.conformance import needed


def _head(text):
    start, head, _ = text.split("---\n", 2)
    assert start == ""
    return yaml.safe_load(head)


def test_the_head_names_a_file_for_every_table_with_rows():
    corpus = load_corpus(str(REAL))
    head = _head(card(corpus))
    made = files(corpus)
    assert head["license"] == "cc0-1.0"
    assert head["size_categories"] == ["n<1K"]
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
    assert "<script>" not in text.split("---\n", 2)[2].replace(r"\<script\>", "")
    assert r"x \| y \<img\> \[z\](u)" in text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_hub_library_loads_what_the_card_says(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    datasets = needed("datasets")
    corpus = load_corpus(str(REAL))
    write_folder(str(tmp_path / "d"), files(corpus))
    cache = str(tmp_path / "cache")
    pool = datasets.load_dataset(str(tmp_path / "d"), split="train", cache_dir=cache)
    assert pool["key"][:] == corpus.pool.column("key")
    assert pool["reward_type"][:].count("NA") == 33
    assert pool[0]["arxiv_id"] == "2508.03680"
    notes = datasets.load_dataset(
        str(tmp_path / "d"), "bibliography", split="train", cache_dir=cache
    )
    assert notes[0]["authors"][0] == "Luo, Xufang"


@pytest.mark.parametrize(
    ("rows", "size"),
    [(999, "n<1K"), (1_000, "1K<n<10K"), (9_999, "1K<n<10K"), (10_000, "10K<n<100K")],
)
def test_the_size_is_one_that_the_hub_knows(rows, size):
    row = sensor("a")
    study = full_of(row)
    table = study.pool._replace(rows=[row] * rows, lines=list(range(2, rows + 2)))
    head = _head(card(study.with_tables({**study.tables, "sensors": table})))
    assert head["size_categories"] == [size]
