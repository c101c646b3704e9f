import hashlib
import json

from corpus.publishing.export.croissant import croissant
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL


def test_croissant_describes_every_column_and_names_the_file_it_is_in():
    corpus = load_corpus(str(REAL))
    made = croissant(corpus)
    described = json.loads(made["croissant.json"])
    sets = {one["@id"]: one for one in described["recordSet"]}
    assert [field["@id"] for field in sets["pool"]["field"]] == [
        f"pool/{name}" for name in corpus.pool.spec.header
    ]
    files = {one["@id"]: one for one in described["distribution"]}
    for field in sets["pool"]["field"]:
        file = files[field["source"]["fileObject"]["@id"]]
        assert hashlib.sha256(made[file["contentUrl"]]).hexdigest() == file["sha256"]
