"""Checked against the MUST rules of RO-Crate 1.1: structure, root data entity, data entities."""

import json
import re
from urllib.parse import unquote

import pytest

from corpus.publishing.export.datasets.ro_crate import DESCRIPTOR, files
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full


def _pointers(value):
    if isinstance(value, list):
        for item in value:
            yield from _pointers(item)
    elif isinstance(value, dict) and set(value) == {"@id"}:
        yield value["@id"]


@pytest.mark.parametrize("make", [full, lambda: load_corpus(str(REAL))], ids=["full", "real"])
def test_the_rules_of_the_specification_are_kept(make):
    made = files(make())
    crate = json.loads(made[DESCRIPTOR])
    assert crate["@context"] == "https://w3id.org/ro/crate/1.1/context"
    graph = crate["@graph"]
    entities = {entity["@id"]: entity for entity in graph}
    assert len(entities) == len(graph)
    assert all(entity["@type"] for entity in graph)

    descriptor = entities[DESCRIPTOR]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}

    root = entities["./"]
    assert root["@type"] == "Dataset"
    assert root["name"]
    assert root["description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    assert root["license"]["@id"] in entities

    # Every file is linked from the root, is there, and has the length that is given.
    parts = set(_pointers(root["hasPart"]))
    assert {unquote(part) for part in parts} == set(made) - {DESCRIPTOR}
    for part in parts:
        assert entities[part]["@type"] == "File"
        assert int(entities[part]["contentSize"]) == len(made[unquote(part)])
    # The graph is flat: what is nested is a pointer to an entity of the graph.
    for entity in graph:
        for name, value in entity.items():
            for pointer in _pointers(value):
                assert pointer in entities or name == "conformsTo"
            assert not isinstance(value, dict) or set(value) == {"@id"}


@pytest.mark.parametrize(
    ("cutoff", "day"),
    [("", "2021-01-01"), ("2020-02-03", "2021-01-01"), ("2022-02-03", "2022-02-03")],
)
def test_a_corpus_is_published_at_its_cutoff_or_with_a_later_entry(cutoff, day):
    about = {**codebook_data()["corpus"], "cutoff": cutoff, "version": "1.2.0"}
    crate = json.loads(files(full(corpus=about))[DESCRIPTOR])
    root = next(entity for entity in crate["@graph"] if entity["@id"] == "./")
    assert root["datePublished"] == day
    assert (root["version"], root["url"], root["name"]) == (
        "1.2.0",
        "https://soil.example/",
        "Soil sensors",
    )
    assert root["description"] == "Sensors in the ground, made up."
