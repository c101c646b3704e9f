"""How a published data set describes itself."""

import pytest

from corpus.publishing.export.datasets.publication import License, license_of
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
