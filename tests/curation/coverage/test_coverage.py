"""Which works of a list the corpus has, where, and which of them an estimate rests on."""

import pytest

from corpus.analysis.bibliography.known_works import CANDIDATE, EXCLUDED, JUDGED, POOL, UNSEEN
from corpus.curation.coverage.coverage import coverage
from corpus.curation.coverage.estimate import EstimateRefused
from corpus.curation.coverage.listed import ListedWork, WorkList
from corpus.curation.coverage.records import with_unseen
from corpus.model.identifiers import identities, normal_title
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import sensor
from tests.support.searched import toml_blocks, write_searched

POOL_TITLES = ("Rain above Ada's antenna", "Birches that drink from the sky")


def a_list(name, *works):
    """A list of titles, or of titles with an arXiv id and a year."""
    listed = []
    for place, item in enumerate(works, 2):
        title, arxiv, year = (*item, "", "")[:3] if isinstance(item, tuple) else (item, "", "")
        identifier = f"arXiv:{arxiv}" if arxiv else ""
        listed.append(
            ListedWork(place, title, year, identifier, identities(arxiv), normal_title(title))
        )
    return WorkList(name, tuple(listed), ())


@pytest.fixture
def study(tmp_path):
    """The full corpus with a candidate and three verdicts."""
    data = write_searched(tmp_path, "format = 1\n")
    block = next(block for block in toml_blocks("coverage.md") if "[tables.coverage]" in block)
    book = data / "codebook.toml"
    book.write_text(f"{book.read_text('utf-8')}\n{block}", "utf-8")
    (data / "coverage.csv").write_text(
        "record,list,version,date,title,year,identifier,verdict,reason\n"
        "r1,lit,,2026-01-01,Fitting fen,,,candidate,\n"
        "r2,lit,,2026-01-01,Dry dune,,,out_of_scope,\n"
        "r3,lit,,2026-01-01,Waiting for a verdict,2020,,,\n",
        "utf-8",
    )
    with (data / "candidates.csv").open("a", encoding="utf-8") as table:
        table.write("a,Alder carr,,,,,,,wet,2026-01-01,\n")
    return load_corpus(str(data))


def test_each_work_is_at_one_place_and_counted_once(study):
    listed = a_list(
        "lit", "Another name", ("x", "2011.00010"), POOL_TITLES[1], POOL_TITLES[1].upper(),
        "A meadow without a sensor", "Alder carr", "Fitting fen", "Dry dune", "Waiting for a verdict",
        "Another name!",
    )  # fmt: skip
    (found,) = coverage(study, [listed]).lists
    names = {place: [item.name for item in found.at(place)] for place in
             (POOL, EXCLUDED, CANDIDATE, JUDGED, UNSEEN)}  # fmt: skip
    assert names == {
        POOL: ["ada", "bob"], EXCLUDED: ["x1"], CANDIDATE: ["a"], JUDGED: ["r1", "r2"],
        UNSEEN: ["", ""],
    }  # fmt: skip
    assert found.distinct == 8
    assert [item.repeated for item in found.works] == [False] * 3 + [True] + [False] * 5 + [True]


def test_an_unseen_work_of_two_lists_is_of_the_first(study):
    report = coverage(study, [a_list("one", "New"), a_list("two", "NEW", "Newer")])
    assert [(name, item.record.title) for name, item in report.unseen] == [
        ("one", "New"),
        ("two", "Newer"),
    ]
    assert report.overlap(0, 1) == 1
    assert sorted(report.works.values()) == [UNSEEN, UNSEEN]


def test_an_estimate_counts_works_in_scope_only(study):
    number = 12
    titles = [f"Sensor of site{place}" for place in range(number)]
    pool = [sensor(f"s{place}", name=title) for place, title in enumerate(titles)]
    # What the bibliography has about an entry is no other work, whatever it names.
    dated = [(f"s{place}", "2021") for place in range(number)]
    study = study.with_tables(
        {
            **study.tables,
            "sensors": study.pool.with_rows(pool),
            "dated": study.tables["dated"].with_rows(dated),
        }
    )
    report = coverage(
        study, [a_list("lit", *titles[:10], "Fitting fen", "Dry dune")], independent=True
    )
    # 12 in the pool, 11 in scope in the list, 10 in both: 13 * 12 / 11 - 1.
    assert report.estimate.estimate == pytest.approx(13 * 12 / 11 - 1)
    assert report.estimate.seen == 13
    assert report.estimate.lists == ("pool", "lit")


@pytest.mark.parametrize(
    ("works", "independent"), [(POOL_TITLES, False), ((*POOL_TITLES, "New"), True)]
)
def test_an_estimate_is_refused_where_an_assumption_is_not_met(study, works, independent):
    report = coverage(study, [a_list("lit", *works)], independent=independent)
    assert isinstance(report.estimate, EstimateRefused)
    assert report.estimate.lists == ("pool", "lit")
    assert report.estimate.reason


def rows(study, report, **versions):
    table = with_unseen(study, report, versions, "2026-02-03")["coverage"]
    header = study.codebook.tables["coverage"].header
    return [dict(zip(header, row, strict=True)) for row in table]


def test_an_unseen_work_becomes_a_row_and_earlier_rows_keep_their_verdict(study):
    report = coverage(
        study, [a_list("A list", ("=New", "2601.00001", "2026"), "Waiting for a verdict")]
    )
    found = rows(study, report, **{"A list": "3f2a"})
    assert [row["verdict"] for row in found] == ["candidate", "out_of_scope", "", ""]
    new = found[-1]
    assert new.pop("record").startswith("a-list-")
    assert new == {"list": "A list", "version": "3f2a", "date": "2026-02-03", "title": '"=New"',
                   "year": "2026", "identifier": "arXiv:2601.00001", "verdict": "", "reason": ""}  # fmt: skip


def test_the_same_list_adds_the_same_rows_once(study):
    report = coverage(study, [a_list("lit", "New", "Newer")])
    table = with_unseen(study, report, {}, "2026-02-03")["coverage"]
    again = study.with_tables(
        {**study.tables, "coverage": study.tables["coverage"].with_rows(table)}
    )
    assert (
        with_unseen(again, coverage(again, [a_list("lit", "New", "Newer")]), {}, "2027-01-01")[
            "coverage"
        ]
        == table
    )
    assert len(table) == 5


def test_an_identifier_of_a_list_starts_no_formula(study):
    listed = a_list("lit", "New")
    work = listed.works[0]._replace(identifier="=1+1")
    found = rows(study, coverage(study, [listed._replace(works=(work,))]))
    assert found[-1]["identifier"] == '"=1+1"'
