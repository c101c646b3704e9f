"""The claims of a corpus as the page shows them."""

from dataclasses import replace

import pytest

from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.claims.report import claim_report
from corpus.publishing.page.claims import NAMED, claim_lines
from tests.corpora.full import full, full_of, sensor


def lines(*claims, study=None, keys=("ada", "bob")):
    study = study or full()
    named = [{"id": f"c{n}", "statement": "It holds.", **claim} for n, claim in enumerate(claims)]
    study = replace(study, documents={"claims": {"format": 1, "claims": named}})
    return claim_lines(claim_report(study, load_claims(study)), set(keys), study.codebook)


def test_a_claim_has_its_verdict_its_rows_and_a_number_for_them():
    (line,) = lines(
        {
            "where": {"depth": "surface"},
            "keys": ["ada", "bob"],
            "boundary": "So far.",
            "made_in": ["a", "b"],
        }
    )
    assert (line.id, line.statement, line.verdict) == ("c0", "It holds.", "holds")
    assert (line.observed, line.expected, line.margin) == ("2", "", "1")
    assert line.behind == (("#entry?key=ada", "ada"), ("#entry?key=bob", "bob"))
    assert (line.more, line.boundary, line.made_in) == (0, "So far.", "a, b")


def test_a_claim_that_fails_tells_what_was_expected():
    (line,) = lines({"where": {"depth": "rock"}, "count": 1})
    assert (line.verdict, line.observed, line.expected) == ("fails", "0", "1")


def test_rows_of_other_tables_are_named_without_an_address():
    (line,) = lines({"table": "ranges", "where": {"unit": "m"}, "count": 2})
    assert line.behind == (("", "ada-reach"), ("", "dot-reach"))
    assert line.listing == ""


@pytest.mark.parametrize(("entries", "more"), [(NAMED, 0), (NAMED + 1, 1)])
def test_so_many_rows_are_named_and_the_rest_is_a_number(entries, more):
    keys = [f"s{number:02}" for number in range(entries)]
    study = full_of(*[sensor(key) for key in keys])
    (line,) = lines({"where": {"depth": "surface"}, "count": entries}, study=study, keys=keys)
    assert [key for _, key in line.behind] == keys[:NAMED]
    assert line.more == more


@pytest.mark.parametrize(("selection", "address"), [
    ({"where": {"depth": "surface"}}, "#entries?depth=surface"),
    ({"where": {"depth": ["surface", "deep"], "senses": "heat"}},
     "#entries?depth=surface&depth=deep&senses=heat"),
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
    (line,) = lines({**selection, "at_least": 0})
    assert line.listing == address
