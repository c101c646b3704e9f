"""How a published data set describes itself."""

import pytest

from corpus.publishing.export.datasets.publication import License, deposit, license_of, sha256
from tests.corpora.full import codebook_data, full


def book(license_="CC0-1.0", **sections):
    data = codebook_data(**sections)
    data["corpus"]["license"] = license_
    return full(**data).codebook


@pytest.mark.parametrize(("identifier", "name", "url"), [
    ("CC0-1.0", "CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("CC-BY-4.0", "Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("CC-BY-SA-4.0", "Creative Commons Attribution-ShareAlike 4.0",
     "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("ODC-BY-1.0", "Open Data Commons Attribution 1.0",
     "https://opendatacommons.org/licenses/by/1-0/"),
    ("MIT", "MIT License", "https://opensource.org/license/mit"),
])  # fmt: skip
def test_a_known_license_has_its_name_and_address(identifier, name, url):
    assert license_of(book(identifier)) == License(identifier, name, url)


def test_an_unknown_license_has_its_identifier_alone():
    assert license_of(book("Apache-2.0")) == License("Apache-2.0", "", "")
    assert license_of(book("")) == License("")


def test_creators_and_keywords_are_those_of_the_deposit():
    section = {"creators": ["Ward, Ann", "Soil Trust"], "keywords": ["soil", "sensor"]}
    declared = book(deposit=section)
    assert deposit(declared).creators == ["Ward, Ann", "Soil Trust"]
    assert deposit(declared).keywords == ["soil", "sensor"]


def test_without_a_deposit_the_maintainers_are_the_creators():
    assert (
        deposit(book()).creators
        == deposit(book(deposit={"creators": []})).creators
        == ["The soils maintainers"]
    )
    assert deposit(book()).keywords == []


def test_a_checksum_is_that_of_sha256sum():
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256(b"") == empty
