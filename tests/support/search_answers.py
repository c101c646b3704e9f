"""Pages of search services, written in their documented forms, about works that do not exist."""

import json

from corpus.curation.lookup.transport import Reply

ENTRY = """<entry><id>http://arxiv.org/abs/{id}v1</id><published>2026-01-0{day}T00:00:00Z</published>
<title>{title}</title><summary>{abstract}</summary><author><name>Ann Ward</name></author></entry>"""


def arxiv_page(*works, total=None, abstract="It is wet."):
    entries = [
        ENTRY.format(id=identifier, title=title, day=1, abstract=abstract)
        for identifier, title in works
    ]
    hits = len(works) if total is None else total
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom">'
        '<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"{hits}</opensearch:totalResults>{''.join(entries)}</feed>"
    ).encode()


def openalex_page(*items, cursor=None, count=None):
    meta = {"count": len(items) if count is None else count, "next_cursor": cursor}
    return json.dumps({"meta": meta, "results": list(items)}).encode()


def openalex_work(**changes):
    return {
        "id": "https://openalex.org/W1",
        "doi": "https://doi.org/10.1234/peat",
        "display_name": "Peat that listens",
        "publication_year": 2025,
        "authorships": [
            {"author": {"display_name": "Ann Ward"}},
            {"author": {"display_name": "Bo Li"}},
        ],
        "primary_location": {
            "landing_page_url": "https://doi.org/10.1234/peat",
            "source": {"display_name": "Mires"},
        },
        "locations": [{"landing_page_url": "https://arxiv.org/abs/2501.00001"}],
        "abstract_inverted_index": {"Peat": [0], "is": [1, 3], "wet,": [2], "it": [4]},
    } | changes


def crossref_page():
    item = {
        "DOI": "10.1234/bog",
        "title": ["A bog"],
        "author": [{"family": "Ward", "given": "Ann"}],
        "container-title": ["Mires"],
        "issued": {"date-parts": [[2024, 5]]},
        "abstract": "<jats:p>It is <jats:i>wet</jats:i>.</jats:p>",
    }
    message = {"total-results": 2, "next-cursor": "", "items": [item, {"DOI": "10.1234/untitled"}]}
    return json.dumps({"message": message}).encode()


def openreview_page():
    note = {
        "id": "abcdefghij",
        "forum": "abcdefghij",
        "odate": 1767225600000,
        "content": {
            "title": {"value": "A fen"},
            "authors": {"value": ["Ann Ward"]},
            "abstract": {"value": "It is low."},
            "venue": {"value": "MIRE 2026"},
        },
    }
    return json.dumps({"notes": [note], "count": 1}).encode()


def semantic_scholar_page(token=None):
    item = {
        "title": "A carr",
        "abstract": "Trees.",
        "year": 2023,
        "venue": "Mires",
        "url": "https://www.semanticscholar.org/paper/x",
        "externalIds": {"ArXiv": "2301.00001", "DOI": "10.1234/carr"},
        "authors": [{"name": "Ann Ward"}],
    }
    return json.dumps({"total": 1, "token": token, "data": [item]}).encode()


def dblp_page():
    one = {
        "title": "A mire.",
        "authors": {"author": {"text": "Ann Ward 0001"}},
        "year": "2022",
        "venue": "Mires",
        "ee": "https://doi.org/10.1234/mire",
    }
    two = {
        "title": "Two mires.",
        "authors": {"author": [{"text": "Ann Ward"}, {"text": "Bo Li"}]},
        "year": "2021",
    }
    hits = {"@total": "2", "@sent": "2", "hit": [{"info": one}, {"info": two}]}
    return json.dumps({"result": {"hits": hits}}).encode()


class Answers:
    """Answers in order, each a body, a status with headers, or an exception; records the addresses."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, url, headers, seconds):
        self.asked.append(url)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, tuple):
            return Reply(answer[0], answer[1], iter(()))
        return Reply(200, {}, _pieces(answer))


def _pieces(body):
    return iter([body])
