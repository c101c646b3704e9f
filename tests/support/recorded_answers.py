"""Answers of the services, written down in their own formats, about works that do not exist; and hostile ones."""

import json
from collections.abc import Mapping

import pytest

from corpus.curation.lookup.services import look_up
from corpus.curation.lookup.transport import Reply
from corpus.model.finding import CorpusError

ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query: search_query=&amp;id_list={id}&amp;start=0&amp;max_results=1</title>
  <id>http://arxiv.org/api/abcdef</id>
  <updated>2026-03-02T00:00:00-05:00</updated>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/{id}v3</id>
    <updated>2026-02-20T10:11:12Z</updated>
    <published>2026-01-30T17:59:59Z</published>
    <title>Wet Sensors: Reading
  Soil &amp; Peat</title>
    <summary>  {summary}
</summary>
    <author><name>Ann Ward</name>
      <arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Mire Institute</arxiv:affiliation></author>
    <author><name>Christian Schroeder de Witt</name></author>
    <author><name>Bog Sensing Team</name></author>
    {extra}
    <link href="http://arxiv.org/abs/{id}v3" rel="alternate" type="text/html"/>
    <arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>
  </entry>
</feed>
"""
COMMENT = '<arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">{}</arxiv:comment>'
NOTHING = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title><id>http://arxiv.org/api/x</id></feed>
"""
INCORRECT = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/api/errors#incorrect_id_format_for_9999.99999</id><title>Error</title>
<summary>incorrect id format for 9999.99999</summary></entry></feed>
"""
ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE feed [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2601.00010v1</id>
<published>2026-01-30T17:59:59Z</published><title>&secret;</title></entry></feed>
"""
BILLION = """<?xml version="1.0"?>
<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&c;</title></feed>
"""


def atom(identifier="2601.00010", summary="We read peat.", extra=""):
    return ATOM.format(id=identifier, summary=summary, extra=extra).encode()


def crossref(**changes):
    message = {
        "DOI": "10.5555/mire.2025.7",
        "type": "proceedings-article",
        "title": ["Wet Sensors <i>in situ</i>"],
        "subtitle": ["Reading &amp; Weighing Peat"],
        "container-title": ["Proceedings of the 7th Mire Meeting"],
        "publisher": "Mire Society",
        "author": [
            {
                "given": "Ann",
                "family": "Ward",
                "sequence": "first",
                "affiliation": [{"name": "Mire Institute"}],
            },
            {"given": "Zoë", "family": "de Groot", "sequence": "additional", "affiliation": []},
            {"name": "Bog Sensing Team", "sequence": "additional", "affiliation": []},
        ],
        "published-print": {"date-parts": [[2026, 1]]},
        "published-online": {"date-parts": [[2025, 11, 4]]},
        "issued": {"date-parts": [[2025, 11, 4]]},
        "created": {"date-parts": [[2025, 11, 3]], "timestamp": 1762128000000},
        "relation": {
            "has-preprint": [
                {"id-type": "doi", "id": "10.48550/arxiv.2601.00010", "asserted-by": "subject"}
            ]
        },
        **changes,
    }
    return json.dumps({"status": "ok", "message-type": "work", "message": message}).encode()


def csl(**changes):
    record = {
        "type": "article",
        "id": "https://doi.org/10.5281/zenodo.1",
        "DOI": "10.5281/ZENODO.1",
        "title": "Peat Data",
        "author": [{"family": "Ward", "given": "Ann"}, {"literal": "Bog Trust"}],
        "issued": {"date-parts": [["2024", "5", "6"]]},
        "publisher": "Zenodo",
        **changes,
    }
    return json.dumps(record).encode()


def openreview(**changes):
    note = {
        "id": "AbCdEf1234",
        "forum": "AbCdEf1234",
        "cdate": 1746000000000,
        "pdate": 1758240000000,
        "odate": 1761609600000,
        "content": {
            "title": {"value": "Wet Sensors: Reading Soil"},
            "authors": {"value": ["Ann Ward", "Zoë de Groot"]},
            "venue": {"value": "MIRES 2025 poster"},
            "venueid": {"value": "MIRES.org/2025/Conference"},
        },
        **changes,
    }
    return json.dumps({"notes": [note], "count": 1}).encode()


def openreview_v1():
    content = {"title": "Wet Sensors", "authors": ["Ann Ward"], "venue": "MIRES 2021 Oral"}
    return json.dumps(
        {"notes": [{"id": "AbCdEf1234", "cdate": 1601308800000, "content": content}], "count": 1}
    ).encode()


ANTHOLOGY = rb"""@inproceedings{ward-etal-2025-wet,
    title = "Wet Sensors: Reading {S}oil {\&} {\'E}tudes of Peat",
    author = "Ward, Ann  and
      de Groot, Zo{\"e}  and
      {Bog Sensing Team}",
    editor = "Fen, Bo",
    booktitle = "Proceedings of the 7th Mire Meeting (Volume 1: Long Papers)",
    month = jul,
    year = "2025",
    address = "Vienna, Austria",
    publisher = "Mire Society",
    url = "https://aclanthology.org/2025.mire-long.7/",
    doi = "10.18653/v1/2025.mire-long.7",
    pages = "1--17"
}
"""


class Web:
    """Stands in for the network: addresses and what they answer; remembers what was asked."""

    def __init__(self, answers):
        self.answers = answers
        self.asked: list[str] = []
        self.headers: list[Mapping[str, str]] = []

    def __call__(self, url, headers, seconds):
        self.asked.append(url)
        self.headers.append(headers)
        answer = self.answers.get(url, reply(404))
        if isinstance(answer, Exception):
            raise answer
        return reply(200, [answer]) if isinstance(answer, bytes) else answer


def reply(status, pieces=(), **headers):
    return Reply(
        status, {name.replace("_", "-"): value for name, value in headers.items()}, iter(pieces)
    )


def offline():
    return OSError("Name or service not known")


def refusal(text, answers):
    """Return the code of the one finding that looking something up ends with."""
    with pytest.raises(CorpusError) as error:
        look_up(text, Web(answers))
    (finding,) = error.value.findings
    assert finding.hint
    return finding.code
