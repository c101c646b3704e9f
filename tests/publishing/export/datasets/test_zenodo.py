import hashlib
import json

from corpus.publishing.export.datasets.zenodo import files
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full


def test_checksums_cover_every_other_file():
    made = files(load_corpus(str(REAL)))
    lines = made["SHA256SUMS"].decode().splitlines()
    sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert sums == {
        name: hashlib.sha256(data).hexdigest()
        for name, data in made.items()
        if name != "SHA256SUMS"
    }
    assert {
        "pool.csv",
        "codebook.toml",
        "protocol.toml",
        "datapackage.json",
        "mas-rl-corpus.sqlite",
    } <= set(sums)


def test_metadata_name_the_paper_and_are_html_safe():
    made = json.loads(files(load_corpus(str(REAL)))[".zenodo.json"])
    assert made["related_identifiers"] == [
        {"identifier": "arXiv:2605.02801", "relation": "isSupplementTo"}
    ]
    assert made["upload_type"] == "dataset"
    assert made["creators"]
    about = {"id": "b", "title": "B", "description": "<b>", "cite": "https://doi.org/10.1234/x"}
    made = json.loads(files(full(corpus=about))[".zenodo.json"])
    assert made["description"] == "&lt;b&gt;"
    assert made["related_identifiers"][0]["identifier"] == "10.1234/x"
