"""The page as one file: what is on it."""

import json
import re
from dataclasses import replace

from corpus.analysis.sparsity.gaps import Gap, Near
from corpus.analysis.sparsity.sparsity_report import sparsity_report
from corpus.publishing.page import page as page_module
from corpus.publishing.page.page import site_page
from tests.corpora.full import full


def data_of(page):
    (text,) = re.findall(
        r'<script type="?application/json"? id="?data"?>(.*?)</script>', page, re.S
    )
    return json.loads(text)


def test_bibtex_is_that_of_the_entries_on_the_page():
    bibtex = data_of(site_page(full()))["bibtex"]
    assert list(bibtex) == ["ada", "bob", "cy", "dot", "eve"]
    assert bibtex["ada"].startswith("@article{ada,\n")


def test_a_table_that_is_left_out_is_in_no_part():
    left_out = site_page(full(page={"leave_out": ["probes"]}))
    assert "probes" not in [table["name"] for table in data_of(left_out)["tables"]]
    assert "table-probes" not in left_out
    assert "table-probes" in site_page(full())


def test_gaps_are_listed_in_order_with_what_is_expected_and_the_nearest():
    page = site_page(full())
    rows = re.findall(
        r'<tr><th scope="row">(.*?)(?=<tr>|</table>)', page[page.index('id="gaps"') :], re.S
    )
    gas, rock = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows[1:3]]
    assert gas == "Senses gas 0 1.5 dot Depth: deep"
    assert rock.startswith("Depth rock 0 1.0")


def test_what_differs_of_the_nearest_entries_is_named_and_the_others_are_counted(monkeypatch):
    study = full()
    differing = (("surface", "surface"), ("senses=heat", "Senses: heat"))
    near = (Near("ada", 1.0, differing), Near("cy", 2.0, ()))
    gap = Gap("pair", ("depth", "senses"), ("deep", "gas"), (), 0.25, near, as_near=3)
    report = sparsity_report(study)
    monkeypatch.setattr(page_module, "sparsity_report", lambda *_: replace(report, gaps=(gap,)))
    page = site_page(study)
    shown = page[page.index('id="gaps"') :]
    assert "ada</a> <small>surface, Senses: heat</small>" in shown
    assert "and 3 as near" in shown
