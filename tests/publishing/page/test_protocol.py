import re
from dataclasses import replace

from corpus.publishing.page.page import site_page
from tests.corpora.full import full


def test_an_item_has_its_best_name_and_text_and_what_it_lists():
    items = [
        {"id": "Q1", "label": "Soil", "definition": "D", "text": "T", "strings": ["a", 2], "year": 3},
        {"id": "Q2", "description": "E", "name": "N"},
        {"other": "x"},
    ]  # fmt: skip
    protocol = {"search_terms": items, "meta": {"limits": ["One lab."], "since": "2020"}}
    page = site_page(replace(full(), documents={"protocol": protocol}))
    about = page[page.index('id="about"') :]
    assert re.findall("<h3>(.*?)</h3>", about) == ["Search terms", "Limits"]
    assert re.findall("<li>(.*?)</li>", about) == [
        "<strong>Soil</strong>. T <code>a</code> <code>2</code>", "<strong>N</strong>. E", "", "One lab.",
    ]  # fmt: skip
