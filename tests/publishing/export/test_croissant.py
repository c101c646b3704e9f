import pytest

from corpus.publishing.export.croissant import croissant
from corpus.publishing.export.folder import write_folder
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full
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
