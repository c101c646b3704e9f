"""The claims of a corpus as the page shows them."""

import re
from dataclasses import replace

import pytest

from corpus.analysis.claims.evaluate import load_claims
from corpus.publishing.page.page import site_page
from corpus.publishing.page.sections import claim_address
from tests.corpora.full import full, full_of, sensor


def with_claim(study, **claim):
    named = [{"id": "c0", "statement": "It holds.", **claim}]
    return replace(study, documents={"claims": {"format": 1, "claims": named}})


def shown(study, **claim):
    """Return the item of a claim on the page."""
    study = with_claim(study, **claim)
    page = site_page(study)
    (item,) = re.findall(r'<li id="claim-c0".*?</ol>', page, re.S)
    return item


def words(item):
    return " ".join(re.sub(r"<[^>]+>", " ", item).split())


def test_a_claim_has_its_verdict_its_rows_and_a_number_for_them():
    item = shown(
        full(),
        where={"depth": "surface"},
        keys=["ada", "bob"],
        boundary="So far.",
        made_in=["a", "b"],
    )
    assert words(item) == (
        "holds It holds. How it is checked Observed 2 · Margin 1 · Made in a, b · c0 "
        "Sources ada , bob Show the list So far."
    )
    assert '<a href="#entry?key=ada">ada</a>' in item


def test_a_claim_that_fails_tells_what_was_expected():
    item = shown(full(), where={"depth": "rock"}, count=1)
    assert words(item).startswith("fails It holds. How it is checked Observed 0 · Expected 1")
    assert "Margin none" in words(shown(full(), at_least=0))


def test_rows_of_other_tables_are_named_without_an_address():
    item = shown(full(), table="ranges", where={"unit": "m"}, count=2)
    assert words(item).endswith("Sources ada-reach, dot-reach")


@pytest.mark.parametrize(("entries", "more"), [(4, ""), (5, "and 1 more")])
def test_so_many_rows_are_named_and_the_rest_is_a_number(entries, more):
    keys = [f"s{number:02}" for number in range(entries)]
    study = full_of(*[sensor(key) for key in keys])
    item = shown(study, where={"depth": "surface"}, count=entries)
    assert re.findall(r'key=(s\d+)"', item) == keys[:4]
    assert more in words(item)
    assert ("more" in words(item)) == bool(more)


@pytest.mark.parametrize(("selection", "address"), [
    ({"where": {"depth": "surface"}}, "#entries?depth=surface"),
    ({"where": {"depth": ["surface", "deep"], "senses": "heat"}},
     "#entries?depth=deep&depth=surface&senses=heat"),
    ({}, ""),
    ({"where": {"venue": "SOILS 2019"}}, ""),  # no filter of the page
    ({"where": {"depth": "surface", "venue": "SOILS 2019"}}, ""),
    ({"where": {"depth": "surface"}, "without": {"senses": "heat"}}, ""),
    ({"without": {"senses": "heat"}}, ""),
    ({"where": {"depth": "surface"}, "between": {"year": ["2019", "2020"]}}, ""),
    ({"table": "second", "where": {"depth": "surface"}}, ""),
    ({"of": [{"where": {"depth": "surface"}}, {"where": {"depth": "deep"}}]}, ""),
])  # fmt: skip
def test_a_claim_about_axes_alone_leads_to_its_entries(selection, address):
    study = with_claim(full(), **selection, at_least=0)
    (claim,) = load_claims(study).claims
    assert claim_address(claim, study.codebook) == address
