"""The section `[appendix]`: each mistake is a finding at its place."""

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.appendix.layout import appendix_plan
from tests.corpora.full import full


def places(**appendix):
    with pytest.raises(CorpusError) as caught:
        appendix_plan(full(appendix=appendix).codebook)
    return [found.column for found in caught.value.findings]


@pytest.mark.parametrize(("appendix", "place"), [
    ({"table": "nope"}, "appendix.table"),
    ({"table": "dropped"}, "appendix.table"),  # its rows are no entries of the pool
    ({"group": "nope"}, "appendix.group"),
    ({"sort": ["nope"]}, "appendix.sort"),
    ({"facets": {"name": "Titles."}}, "appendix.facets.name"),
    ({"evidence": ["nope"]}, "appendix.evidence"),
    ({"ledger": ["nope"]}, "appendix.ledger"),
    ({"colums": []}, "appendix.colums"),
    ({"leave_out": "documents"}, "appendix.leave_out"),
    ({"claims": 3}, "appendix.claims"),
    ({"columns": [{"columns": ["nope"]}]}, "appendix.columns[1].columns"),
    ({"columns": [{"heading": "None"}]}, "appendix.columns[1].columns"),
    ({"columns": [{"columns": ["senses"], "short": {"fire": "F"}}]}, "appendix.columns[1].short.fire"),
    ({"columns": [{"columns": ["sensor"], "below": "yes"}]}, "appendix.columns[1].below"),
])  # fmt: skip
def test_a_mistake_is_found_where_it_is(appendix, place):
    assert place in places(**appendix)
