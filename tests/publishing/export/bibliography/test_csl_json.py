import json

from corpus.publishing.export.bibliography.csl_json import export
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

# The item types and variables of the CSL 1.0.2 specification that may occur here.
TYPES = {"article", "article-journal", "paper-conference", "report", "webpage"}
VARIABLES = {
    "id",
    "type",
    "title",
    "author",
    "issued",
    "container-title",
    "publisher",
    "number",
    "DOI",
    "keyword",
    "URL",
    "note",
}


def test_every_entry_is_an_item_of_known_type_and_variables():
    corpus = load_corpus(str(REAL))
    items = json.loads(export(corpus))
    assert [item["id"] for item in items] == corpus.pool.column("key")
    assert {item["type"] for item in items} == TYPES
    assert {name for item in items for name in item} <= VARIABLES


def test_names_dates_and_venues():
    items = {item["id"]: item for item in json.loads(export(load_corpus(str(REAL))))}
    preprint = items["agent-lightning"]
    assert preprint["type"] == "article"
    assert preprint["number"] == "arXiv:2508.03680"
    assert preprint["issued"] == {"date-parts": [[2025, 8, 5]]}
    assert preprint["author"][0] == {"family": "Luo", "given": "Xufang"}
    assert items["anthropic-trustworthy"]["author"] == [{"literal": "Anthropic"}]
    assert items["qmix2018"]["container-title"] == "ICML 2018"
    assert items["qmix2018"]["issued"] == {"date-parts": [[2018]]}
