"""What the entries cite and what cites them: hidden entries of the published pool are found again."""

import csv
import io
import json
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from click.testing import CliRunner

from corpus.cli.change import retrieve as command
from corpus.cli.main import main
from corpus.curation.lookup.transport import PoliteClient
from tests.conftest import REAL
from tests.support.recorded_answers import reply
from tests.support.search_answers import openalex_page, openalex_work
from tests.support.searched import table_rows

SEARCH = 'format = 1\n[[searches]]\nid = "snow"\nsource = "citations"\nof = "pool"\n'
KEYS = ("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY")
SECRET = "a-s3cret-of-somebody"
HIDDEN = 20


def read(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


def doi(row):
    return row.get("doi") or (row["arxiv_id"] and f"10.48550/arXiv.{row['arxiv_id']}")


class Graph:
    """Both services over one made-up graph, in which entry n cites entry n + 1 and an unknown work."""

    def __init__(self, rows):
        self.rows = [row for row in rows if doi(row)]
        self.number = {doi(row).casefold(): place for place, row in enumerate(self.rows)}
        self.asked = []

    def __call__(self, url, headers, seconds, body=None):
        self.asked.append((url, headers))
        address = urlsplit(url)
        given = {name: values[0] for name, values in parse_qs(address.query).items()}
        parts = unquote(address.path).casefold()
        if address.netloc == "api.openalex.org":
            if "/doi:" in parts:
                number = self.number.get(parts.partition("/doi:")[2])
                if number is None:
                    return reply(404)
                return reply(200, [json.dumps({"id": f"https://openalex.org/W{number}"}).encode()])
            relation, _, work = given["filter"].partition(":W")
            works = self.beside(int(work), 1 if relation == "cited_by" else -1)
            if given["cursor"] == "*":
                return reply(200, [openalex_page(*map(self.openalex, works[:1]), cursor="two")])
            return reply(200, [openalex_page(*map(self.openalex, works[1:]))])
        # arXiv's own identifier is known to Semantic Scholar, its DOI need not be.
        name, _, relation = parts.partition("/arxiv:")[2].rpartition("/")
        name = f"10.48550/arxiv.{name}"
        if name not in self.number:
            return reply(404)
        end, step = {"references": ("citedPaper", 1), "citations": ("citingPaper", -1)}[relation]
        works = [{end: self.scholar(row)} for row in self.beside(self.number[name], step)]
        offset = int(given["offset"])
        page = {"offset": offset, "data": works[offset : offset + 1]}
        if offset + 1 < len(works):
            page["next"] = offset + 1
        return reply(200, [json.dumps(page).encode()])

    def beside(self, number, step):
        work = {
            "title": f"A work beside number {number} of {step}",
            "doi": f"10.1234/{number}.{step}",
        }
        return [
            {**self.rows[(number + step) % len(self.rows)]},
            {"year": "2020", "arxiv_id": "", **work},
        ]

    def openalex(self, row):
        """Describe a work as it was published: with a DOI, a title in capitals, its preprint beside."""
        places = [{"landing_page_url": f"https://arxiv.org/abs/{row['arxiv_id']}"}]
        return openalex_work(
            id="https://openalex.org/W9", display_name=row["title"].upper(), doi=f"https://doi.org/{doi(row)}",
            publication_year=int(row["year"]), authorships=[], primary_location={},
            locations=places if row["arxiv_id"] else [],
        )  # fmt: skip

    def scholar(self, row):
        names = {"ArXiv": row["arxiv_id"] or None, "DOI": None if row["arxiv_id"] else doi(row)}
        return {
            "title": row["title"],
            "year": int(row["year"]),
            "externalIds": names,
            "authors": [],
        }


@pytest.fixture
def works(tmp_path, monkeypatch):
    """A new corpus of the published pool without every third entry; all rows, and those hidden."""
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
        monkeypatch.setenv(name, SECRET)
    rows = [row for row in read(REAL / "pool.csv") if doi(row)]
    hidden = rows[::3][:HIDDEN]
    columns = ["title", "first_author", "year", "venue", "arxiv_id"]
    with Path("pool.csv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(row for row in rows if row not in hidden)
    assert run("init", "snow", "--from", "pool.csv", "--living").exit_code == 0
    Path("snow/data/searches.toml").write_text(SEARCH, "utf-8")
    return rows, hidden


def run(*arguments):
    return CliRunner().invoke(main, [*arguments], catch_exceptions=False)


def chase(monkeypatch, graph):
    monkeypatch.setattr(
        command, "PoliteClient", lambda pause: PoliteClient(pause, graph, lambda _: None)
    )
    return run("retrieve", "snow", "--data", "snow/data")


def test_hidden_entries_are_found_again_and_name_the_entries_that_led_to_them(works, monkeypatch):
    rows, hidden = works
    graph = Graph(rows)
    done = chase(monkeypatch, graph)
    assert done.exit_code == 0, done.output
    found = {row["title"].casefold(): row for row in table_rows(Path("snow/data"), "candidates")}
    again = [row for row in hidden if row["title"].casefold() in found]
    assert len(again) == HIDDEN
    pool = {row["title"]: row["key"] for row in table_rows(Path("snow/data"), "pool")}
    for row in hidden:
        number = graph.number[doi(row).casefold()]
        beside = [rows[number - 1], rows[(number + 1) % len(rows)]]
        name, _, seeds = found[row["title"].casefold()]["found_in"].partition(": ")
        wanted = {pool[each["title"]] for each in beside if each not in hidden}
        assert (name, set(seeds.split(", "))) == ("snow", wanted)
    # Beside them are only the works that nobody knows: a reference and a citing work of each entry.
    assert len(found) == HIDDEN + 2 * len(pool)
    (log,) = table_rows(Path("snow/data"), "search_log")
    assert log["source"] == "OpenAlex and Semantic Scholar"
    assert f" {len(pool)} entries" in log["query"]
    # Every question had its key, and no file and no output has one.
    assert all(SECRET in f"{url} {headers}" for url, headers in graph.asked)
    assert SECRET not in done.output
    files = [path for path in Path().rglob("*") if path.is_file()]
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


def test_a_run_that_is_killed_goes_on_with_the_next_entry(works, monkeypatch):
    graph = Graph(works[0])
    calls = graph.__call__

    def failing(*given, **named):
        if len(graph.asked) == 40:
            raise OSError(f"gone: api_key={SECRET}")
        return calls(*given, **named)

    done = chase(monkeypatch, failing)
    assert done.exit_code == 1
    assert SECRET not in done.output + Path("snow/data/.retrieval/snow.json").read_text("utf-8")
    again = Graph(works[0])
    assert chase(monkeypatch, again).exit_code == 0
    asked = [url for url, _ in again.asked]
    assert graph.asked[0][0] not in asked
    assert len(table_rows(Path("snow/data"), "search_log")) == 1


def test_a_service_without_its_key_is_left_out_and_none_is_refused(works, monkeypatch):
    monkeypatch.delenv(KEYS[1])
    assert KEYS[1] in run("retrieve", "--check", "--data", "snow/data").stderr
    graph = Graph(works[0])
    assert chase(monkeypatch, graph).exit_code == 0
    assert {urlsplit(url).netloc for url, _ in graph.asked} == {"api.openalex.org"}
    monkeypatch.delenv(KEYS[0])
    done = chase(monkeypatch, Graph(works[0]))
    assert done.exit_code == 2
    assert all(name in done.stderr for name in KEYS)
