"""XML of other programs: entities are refused, other XML is named, and damage has a line."""

import pytest

from corpus.curation.importing.readers.xml_records import read_xml
from corpus.model.finding import CorpusError

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
) + "]><xml><records><record><titles><title>&j;</title></titles></record></records></xml>"  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (BOMB, "I104", 0),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xml><records>&a;</records></xml>', "I104", 0),
        ("<xml>\n<records>\n<record></xml>", "I104", 3),
        ("<feed><entry><title>Bog</title></entry></feed>", "I109", 0),
        ("", "I104", 1),
    ],
)  # fmt: skip
def test_what_is_no_list_of_works_is_a_finding(text, code, line):
    with pytest.raises(CorpusError) as caught:
        read_xml(text, "f.xml")
    assert [(f.code, f.line) for f in caught.value.findings] == [(code, line)]


def test_deep_elements_are_read_at_once():
    deep = "<a>" * 50_000 + "</a>" * 50_000
    text = (
        f"<xml><records><record><titles><title>Bog</title></titles>{deep}</record></records></xml>"
    )
    assert [dict(row.cells)["title"] for row in read_xml(text, "f.xml").rows] == ["Bog"]
