"""Packages of the tables: descriptions, sizes and checksums."""

import hashlib
import json

from corpus.publishing.export.packages import data_package, descriptor
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full


def test_a_package_declares_types_keys_and_terms():
    """What it forbids is tried with Frictionless, in the witnesses of `data-packages`."""
    resources = {one["name"]: one for one in descriptor(full())["resources"]}
    schema = resources["sensors"]["schema"]
    assert schema["primaryKey"] == ["sensor"]
    fields = {field["name"]: field for field in schema["fields"]}
    assert "chalk" not in fields["depth"]["constraints"]["enum"]
    assert fields["name"]["constraints"]["required"]
    assert fields["arxiv"]["type"] == "string"
    [reference] = resources["probes"]["schema"]["foreignKeys"]
    assert reference["reference"]["resource"] == "sensors"


def test_a_package_has_sizes_and_checksums_and_the_committed_description_has_none():
    """Otherwise every edit of a table changes the description, and two branches collide in it."""
    study = load_corpus(str(REAL))
    package = data_package(study)
    for resource in json.loads(package["datapackage.json"])["resources"]:
        content = package[resource["path"]]
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    for resource in descriptor(study)["resources"]:
        assert not {"bytes", "hash"} & set(resource)
