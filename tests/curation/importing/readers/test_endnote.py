"""XML of other programs: entities are refused, other XML is named, and damage has a line."""

import pytest

from corpus.curation.importing.readers.endnote import read_xml
from tests.support.imported import cells, refused_at

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
) + "]><xml><records><record><titles><title>&j;</title></titles></record></records></xml>"  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (BOMB, "I104", 0),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xml><records>&a;</records></xml>', "I104", 0),
        ("<xml>\n<records>\n<record></xml>", "I104", 3),
        ("<dblp><article><title>Bog.</title></article></dblp>", "I109", 0),
        ("<feed><entry><title>Bog</title></entry></feed>", "I109", 0),
        ("", "I104", 1),
    ],
)  # fmt: skip
def test_what_is_no_list_of_works_is_a_finding(text, code, line):
    assert refused_at(read_xml, text, "f.xml") == [(code, line)]


ENDNOTE = """<xml><records><record>
<rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal">Ward, Ann</style></author><author>Moor, Bo</author></authors>
<secondary-authors><author>Fen, Di</author></secondary-authors>
<translated-authors><author>Carr, Eve</author></translated-authors></contributors>
<titles><title>Peat <style>and</style> moss</title><secondary-title>Mires</secondary-title></titles>
<periodical><full-title>Mires</full-title></periodical>
<keywords><keyword>bog</keyword></keywords><dates><year>2019</year><pub-dates><date>May 12</date></pub-dates>
<copyright-dates><date>2018</date></copyright-dates></dates>
<electronic-resource-num>10.1/a</electronic-resource-num><notes>one</notes><notes>two</notes>
<urls><related-urls><url>https://a.example</url></related-urls><web-urls><url>https://b.example</url></web-urls><pdf-urls><url>internal-pdf://1</url></pdf-urls></urls>
</record></records></xml>"""


def test_a_record_of_endnote_has_every_value_and_nothing_technical():
    assert cells(read_xml(ENDNOTE, "f.xml")) == [
        {
            "type": "Journal Article",
            "authors": ("Ward, Ann", "Moor, Bo"),
            "secondary authors": ("Fen, Di",),
            "translated authors": ("Carr, Eve",),
            "title": "Peat and moss",
            "venue": "Mires",
            "keywords": ("bog",),
            "year": "2019",
            "date": "May 12",
            "copyright dates": "2018",
            "url": ("https://a.example", "https://b.example"),
            "doi": "10.1/a",
            "notes": ("one", "two"),
        }
    ]
