"""What `[card]` declares, and each mistake in it at its place."""

import pytest

from corpus.analysis.cards.card import card_plan
from corpus.model.finding import CorpusError
from tests.corpora.full import full
from tests.support.declared import declaration_findings


def plan(*lines):
    return card_plan(full(card={"lines": list(lines)}).codebook)


MISTAKES = [
    ({"label": "A"}, ""),
    ({"columns": ["depth"]}, "label"),
    ({"label": "A", "columns": ["dept"]}, "columns"),
    ({"label": "A", "table": "dropped", "show": ["step"]}, "table"),
    ({"label": "A", "table": "uses"}, "show"),
    ({"label": "A", "table": "uses", "show": ["usage"]}, "show"),
    ({"label": "A", "columns": ["depth"], "shows": []}, "shows"),
]


@pytest.mark.parametrize(("line", "place"), MISTAKES)
def test_each_mistake_is_a_finding_of_the_check(line, place):
    found = declaration_findings(full(card={"lines": [line]}).codebook)
    expected = ".".join(filter(None, ["card.lines[1]", place]))
    assert [(finding.code, finding.column) for finding in found] == [("C001", expected)]


@pytest.mark.parametrize(("parts", "place"), [
    ({"table": "dropped", "show": ["step"]}, "card.parts.table"),
    ({"table": "uses", "show": ["usage"]}, "card.parts.show"),
    ({"table": "uses"}, "card.parts.show"),
])  # fmt: skip
def test_a_mistake_in_the_parts_is_a_finding(parts, place):
    found = declaration_findings(full(card={"lines": [], "parts": parts}).codebook)
    assert [finding.column for finding in found] == [place]


def test_every_mistake_is_reported_at_once():
    with pytest.raises(CorpusError) as raised:
        plan(*(line for line, _ in MISTAKES))
    assert len(raised.value.findings) == len(MISTAKES)
